//! Gait in a report: events, parameters, angles over the stride.

use condyle::gait::{self, EventKind, GaitKind, MeanCycle, PerformerGait, Side, Source};
use condyle_page::page::{Axis, Chart, Ink, Mark, Page, Scale, Series, Table};
use serde::{Deserialize, Serialize};

/// The colours of the sides, as figures have them.
pub const LEFT: Ink = Ink(3);
pub const RIGHT: Ink = Ink(2);
/// Of a reference: grey.
const NORM: Ink = Ink(7);

/// What is shown over the stride, in this order; `cycles.csv` has the rest too.
const SHOWN: [&str; 5] = ["pelvis", "hip", "knee", "ankle", "foot"];

/// The gait of one performer.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct GaitResult {
    pub performer: String,
    pub kind: Option<GaitKind>,
    pub strides: usize,
    pub events: Vec<EventResult>,
    pub parameters: Vec<ParameterResult>,
    pub cycles: Vec<CycleResult>,
    /// A reference, where one was given.
    #[serde(default)]
    pub norm: Vec<CycleResult>,
    #[serde(default)]
    pub scores: Vec<ScoreResult>,
}

/// How far an angle is from the reference; of `gps`, all of them.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ScoreResult {
    pub name: String,
    /// Nothing of both.
    pub side: Option<Side>,
    pub value_deg: f64,
}

/// A foot strike or a foot off.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct EventResult {
    pub side: Side,
    pub kind: EventKind,
    pub time_s: f64,
    pub sd_s: f64,
    pub source: Source,
}

/// A parameter of the strides of one side.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ParameterResult {
    pub name: String,
    pub side: Side,
    pub unit: String,
    pub value: f64,
    pub sd: f64,
    pub strides: usize,
}

/// An angle over the strides of one side, from 0 to 100 %.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct CycleResult {
    pub side: Side,
    pub joint: String,
    pub angle: String,
    pub mean_deg: Vec<Option<f32>>,
    pub sd_deg: Vec<Option<f32>>,
}

impl GaitResult {
    /// What a report shows of somebody's gait in a recording that begins at this time.
    pub fn of(own: &PerformerGait, cycles: &[MeanCycle], norm: &[MeanCycle], start_s: f64) -> Self {
        let event = |event: &gait::GaitEvent| EventResult {
            side: event.side,
            kind: event.kind,
            time_s: event.time_s - start_s,
            sd_s: event.sd_s,
            source: event.source,
        };
        let parameter = |own: &gait::Parameter| ParameterResult {
            name: own.name.to_owned(),
            side: own.side,
            unit: own.unit.to_owned(),
            value: own.value,
            sd: own.sd,
            strides: own.strides.len(),
        };
        let cycle = |own: &MeanCycle| CycleResult {
            side: own.side,
            joint: own.joint.clone(),
            angle: own.angle.clone(),
            mean_deg: own
                .points
                .iter()
                .map(|p| p.map(|(mean_deg, _, _)| mean_deg as f32))
                .collect(),
            sd_deg: own.points.iter().map(|p| p.map(|(_, sd_deg, _)| sd_deg as f32)).collect(),
        };
        Self {
            performer: own.name.clone(),
            kind: own.gait.kind,
            strides: own.gait.strides.len(),
            events: own.gait.events.iter().map(event).collect(),
            parameters: own.gait.parameters.iter().map(parameter).collect(),
            cycles: cycles.iter().map(cycle).collect(),
            norm: norm.iter().map(cycle).collect(),
            scores: gait::scores(cycles, norm)
                .into_iter()
                .map(|own| ScoreResult { name: own.name, side: own.side, value_deg: own.value_deg })
                .collect(),
        }
    }
}

/// The section about gait.
pub fn section(all: &[GaitResult], page: &mut Page) {
    page.heading("gait", "Gait");
    for own in all {
        if all.len() > 1 {
            page.subheading(&own.performer);
        }
        let kind = match own.kind {
            Some(GaitKind::Running) => "Running",
            Some(GaitKind::Stairs) => "Stairs",
            _ => "Walking",
        };
        let count = |source: Source| own.events.iter().filter(|e| e.source == source).count();
        let from = [
            (Source::File, "the file"),
            (Source::Plates, "force plates"),
            (Source::Markers, "how feet and pelvis move"),
        ];
        let from = from.into_iter().map(|(source, words)| (count(source), words));
        let from: Vec<String> = from
            .filter(|(events, _)| *events > 0)
            .map(|(events, words)| format!("{events} events from {words}"))
            .collect();
        let strides = match own.strides {
            1 => "1 stride".to_owned(),
            strides => format!("{strides} strides"),
        };
        page.paragraph(&format!("{kind}, {strides}; {}.", from.join(", ")));
        page.table(&parameters(own));
        if !own.scores.is_empty() {
            page.paragraph(
                "How far the mean curves are from the reference, root mean square in degrees.",
            );
            page.table(&scores(own));
        }
        let beside = if own.norm.is_empty() { "" } else { " In grey the reference." };
        page.paragraph(&format!(
            "Angles over the stride: means, and one standard deviation about them.{beside}"
        ));
        page.charts(&cycles(own));
    }
}

fn parameters(own: &GaitResult) -> Table {
    let mut table = Table::columns("parameter | unit | left | sd | right | sd", 2);
    let mut names: Vec<(&str, &str)> =
        own.parameters.iter().map(|p| (p.name.as_str(), p.unit.as_str())).collect();
    names.dedup();
    for (name, unit) in names {
        let digits = if unit == "%" || unit.starts_with("steps") { 1 } else { 3 };
        // A narrow screen may break a unit there.
        let mut row = vec![name.replace('_', " "), unit.replace('/', "/\u{200b}")];
        for side in [Side::Left, Side::Right] {
            let found = own.parameters.iter().find(|p| p.name == name && p.side == side);
            row.extend(found.map_or_else(
                || ["-".to_owned(), "-".to_owned()],
                |p| {
                    let sd = if p.strides > 1 { format!("{:.digits$}", p.sd) } else { "-".into() };
                    [format!("{:.digits$}", p.value), sd]
                },
            ));
        }
        table.row(row);
    }
    table
}

fn scores(own: &GaitResult) -> Table {
    let mut table = Table::columns("variable | left | right | both", 1);
    let mut names: Vec<&str> = Vec::new();
    for score in &own.scores {
        if !names.contains(&score.name.as_str()) {
            names.push(&score.name);
        }
    }
    for name in names {
        let value = |side: Option<Side>| {
            let found = own.scores.iter().find(|score| score.name == name && score.side == side);
            found.map_or_else(|| "-".to_owned(), |score| format!("{:.1}", score.value_deg))
        };
        let word = if name == "gps" { "gait profile score" } else { name };
        let sides = [Some(Side::Left), Some(Side::Right), None].map(value);
        table.row([vec![word.to_owned()], sides.into()].concat());
    }
    table
}

/// Left and right in one chart, mean and standard deviation.
fn cycles(own: &GaitResult) -> Vec<Chart> {
    let mut names: Vec<(&str, &str)> = Vec::new();
    for part in SHOWN {
        for cycle in own.cycles.iter().filter(|cycle| cycle.joint == part) {
            let name = (cycle.joint.as_str(), cycle.angle.as_str());
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    let chart = |(joint, angle): (&str, &str)| {
        let curve = |cycles: &[CycleResult], side: Side, name: &str, ink: Ink| {
            let is_meant =
                |c: &&CycleResult| c.side == side && c.joint == joint && c.angle == angle;
            let cycle = cycles.iter().find(is_meant)?;
            let points = cycle.mean_deg.iter().zip(&cycle.sd_deg).enumerate();
            let points = points.map(|(percent, (mean, sd))| {
                (percent as f64, mean.map_or(f64::NAN, f64::from), sd.map(f64::from))
            });
            Some(Series::new(name, ink, Mark::Curve, points))
        };
        let of_side = |side: Side, ink: Ink| curve(&own.cycles, side, side.name(), ink);
        let norm = |side: Side, name: &str| curve(&own.norm, side, name, NORM);
        let norms = match (norm(Side::Left, "reference"), norm(Side::Right, "reference")) {
            (Some(left), Some(right)) if left.points != right.points => {
                [norm(Side::Left, "reference, left"), norm(Side::Right, "reference, right")]
            }
            (left, right) => [left.or(right), None],
        };
        Chart {
            title: format!("{joint} {angle}"),
            x: Axis::new("stride (%)", "percent", Scale::Linear),
            y: Axis::new("angle (degrees)", "angle_deg", Scale::Linear),
            series: norms
                .into_iter()
                .chain([of_side(Side::Left, LEFT), of_side(Side::Right, RIGHT)])
                .flatten()
                .collect(),
            is_small: true,
            ..Chart::default()
        }
    };
    names.into_iter().map(chart).collect()
}
