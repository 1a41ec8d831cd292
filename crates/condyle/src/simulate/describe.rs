//! Reading a performer's description from TOML.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use nalgebra::{Point3, Unit, Vector3};
use serde::Deserialize;
use toml::Spanned;

use super::mirror;
use super::performer::{Exercise, Gait, Joint, JointAxis, Leg, Performer, Segment, Site, Swing};
use crate::error::{Error, Result};

/// The label set of a description whose markers have one name each.
const ONLY_SET: &str = "all";

/// A text with its place in the description.
pub(super) type Named = Spanned<String>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Description {
    name: String,
    marker_set: Option<Named>,
    #[serde(default)]
    mirror: bool,
    #[serde(default)]
    fixed: bool,
    segment: Vec<SegmentEntry>,
    #[serde(default)]
    leg: Vec<LegEntry>,
    walk: Option<GaitEntry>,
    #[serde(rename = "chicken-walk")]
    chicken_walk: Option<GaitEntry>,
    #[serde(default)]
    exercise: Vec<ExerciseEntry>,
}

/// A segment as it is written.
#[derive(Deserialize, Clone)]
#[serde(deny_unknown_fields)]
pub(super) struct SegmentEntry {
    pub(super) name: Named,
    pub(super) parent: Option<Named>,
    pub(super) joint: Option<Named>,
    kind: Option<Named>,
    pub(super) at: [f64; 3],
    #[serde(default)]
    pub(super) axes: Vec<[f64; 3]>,
    #[serde(default)]
    range_deg: Vec<[f64; 2]>,
    rom_deg: Option<Vec<[f64; 2]>>,
    rest_deg: Option<Vec<f64>>,
    skin: Option<f64>,
    #[serde(default)]
    pub(super) markers: Vec<MarkerEntry>,
}

/// A marker as it is written.
#[derive(Deserialize, Clone)]
#[serde(deny_unknown_fields)]
pub(super) struct MarkerEntry {
    pub(super) at: [f64; 3],
    pub(super) name: Option<String>,
    #[serde(default)]
    pub(super) names: BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LegEntry {
    #[serde(default)]
    side: String,
    hip: Named,
    knee: Named,
    ankle: Named,
    heel: [f64; 3],
    ball: [f64; 3],
    phase: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GaitEntry {
    speed_m_s: f64,
    cycle_s: Spanned<f64>,
    stance: Spanned<f64>,
    turn_radius_m: Option<f64>,
    lift_m: f64,
    #[serde(default)]
    spread_m: f64,
    #[serde(default)]
    strike_deg: f64,
    #[serde(default)]
    toe_off_deg: f64,
    #[serde(default)]
    hang_deg: f64,
    #[serde(default)]
    bob_m: f64,
    #[serde(default)]
    sway_m: f64,
    #[serde(default)]
    crouch_m: f64,
    #[serde(default)]
    lean_deg: f64,
    #[serde(default)]
    yaw_deg: f64,
    #[serde(default)]
    roll_deg: f64,
    #[serde(default)]
    swing: Vec<SwingEntry>,
    #[serde(default)]
    drive: Vec<Named>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SwingEntry {
    joint: Named,
    axis: Spanned<usize>,
    #[serde(default)]
    mean_deg: f64,
    amplitude_deg: f64,
    #[serde(default)]
    phase: f64,
    harmonic: Option<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ExerciseEntry {
    name: String,
    #[serde(default)]
    joints: Vec<Named>,
    #[serde(default)]
    high_step_m: f64,
}

/// Reads a whole description.
pub(super) fn performer(text: &str) -> Result<Performer> {
    let description: Description = toml::from_str(text)
        .map_err(|error| at(text, error.span().unwrap_or(0..0), error.message()))?;
    let mut entries = description.segment;
    if description.mirror {
        entries = mirror::both_sides(entries);
    }
    let names = Names { text, joints: HashMap::new(), segments: HashMap::new() };
    let (segments, names) = segments(&entries, names)?;
    let legs = description.leg.iter().map(|entry| leg(entry, &segments, &names));
    let legs = legs.collect::<Result<Vec<Leg>>>()?;
    let read_gait =
        |entry: Option<GaitEntry>| entry.map(|entry| gait(&entry, &segments, &names)).transpose();
    let (walk, chicken_walk) = (read_gait(description.walk)?, read_gait(description.chicken_walk)?);
    let exercises = description.exercise.iter().map(|entry| {
        let driven = names.find_all(&entry.joints)?;
        Ok(Exercise { name: entry.name.clone(), driven, high_step_m: entry.high_step_m })
    });
    let performer = Performer {
        name: description.name,
        marker_set: String::new(),
        is_fixed: description.fixed,
        exercises: exercises.collect::<Result<_>>()?,
        segments,
        legs,
        walk,
        chicken_walk,
    };
    with_marker_set(performer, description.marker_set, text)
}

/// Sets the marker set that is worn by default.
fn with_marker_set(
    mut performer: Performer,
    named: Option<Named>,
    text: &str,
) -> Result<Performer> {
    let sets = performer.marker_sets();
    performer.marker_set = match named {
        Some(named) if sets.contains(&named.get_ref().as_str()) => named.into_inner(),
        Some(named) => {
            let what = format!("marker_set: need one of {sets:?}, got {:?}", named.get_ref());
            return Err(at(text, named.span(), &what));
        }
        None => sets.first().map_or_else(|| ONLY_SET.to_owned(), |set| (*set).to_owned()),
    };
    Ok(performer)
}

/// The error at a place of the text.
fn at(text: &str, span: Range<usize>, what: &str) -> Error {
    let before = text.get(..span.start).unwrap_or("");
    Error::at_line(before.matches('\n').count() + 1, what.trim().replace('\n', ", "))
}

/// Which joint and which segment has which name.
struct Names<'a> {
    text: &'a str,
    joints: HashMap<String, usize>,
    segments: HashMap<String, usize>,
}

impl Names<'_> {
    fn find(&self, joint: &Named) -> Result<usize> {
        self.joints.get(joint.get_ref()).copied().ok_or_else(|| {
            let mut known: Vec<&str> = self.joints.keys().map(String::as_str).collect();
            known.sort_unstable();
            self.wrong(
                joint,
                format!("need one of the joints {known:?}, got {:?}", joint.get_ref()),
            )
        })
    }

    fn find_all(&self, joints: &[Named]) -> Result<Vec<usize>> {
        joints.iter().map(|joint| self.find(joint)).collect()
    }

    fn wrong<T>(&self, named: &Spanned<T>, what: String) -> Error {
        at(self.text, named.span(), &what)
    }
}

fn segments<'a>(
    entries: &[SegmentEntry],
    mut names: Names<'a>,
) -> Result<(Vec<Segment>, Names<'a>)> {
    let mut segments = Vec::with_capacity(entries.len());
    for (index, entry) in entries.iter().enumerate() {
        let name = entry.name.get_ref();
        if names.segments.contains_key(name) {
            let what = format!("segment {name:?}: need a name of its own, got it twice");
            return Err(names.wrong(&entry.name, what));
        }
        let parent = match &entry.parent {
            None if index == 0 => None,
            None => {
                let what = format!("segment {name:?}: need a parent: only the first has none");
                return Err(names.wrong(&entry.name, what));
            }
            Some(parent) => {
                Some(names.segments.get(parent.get_ref()).copied().ok_or_else(|| {
                    let what = format!(
                        "segment {name:?}: need a parent that stands before it, got {:?}",
                        parent.get_ref()
                    );
                    names.wrong(parent, what)
                })?)
            }
        };
        let joint = joint(entry, parent.is_some(), &names)?;
        if parent.is_some() && names.joints.insert(joint.name.clone(), index).is_some() {
            let what = format!("joint {:?}: need a name of its own, got it twice", joint.name);
            return Err(names.wrong(&entry.name, what));
        }
        names.segments.insert(name.clone(), index);
        segments.push(Segment {
            name: name.clone(),
            parent,
            joint_in_parent_m: Point3::from(entry.at),
            joint,
            sites: entry
                .markers
                .iter()
                .map(|marker| site(marker, entry, &names))
                .collect::<Result<_>>()?,
            skin: entry.skin.unwrap_or(1.0),
        });
    }
    if segments.is_empty() {
        return Err(at(names.text, 0..0, "need at least one [[segment]], got none"));
    }
    Ok((segments, names))
}

fn joint(entry: &SegmentEntry, has_parent: bool, names: &Names) -> Result<Joint> {
    let segment = entry.name.get_ref();
    let wrong = |what: String| names.wrong(&entry.name, format!("segment {segment:?}: {what}"));
    let name = match &entry.joint {
        Some(joint) => joint.get_ref().clone(),
        None => segment.clone(),
    };
    let count = entry.axes.len();
    let needed = match entry.kind.as_ref().map(|kind| kind.get_ref().as_str()) {
        None => count,
        Some("fixed") => 0,
        Some("hinge") => 1,
        Some("universal") => 2,
        Some("ball") => 3,
        Some(other) => {
            return Err(wrong(format!(
                "kind: need fixed, hinge, universal or ball, got {other:?}"
            )));
        }
    };
    if !has_parent && count > 0 {
        return Err(wrong("axes: need none, for it has no parent".into()));
    }
    if count != needed || count > 3 {
        return Err(wrong(format!("axes: need {}, got {count}", needed.min(3))));
    }
    let rom = entry.rom_deg.as_ref();
    let rest = entry.rest_deg.as_ref();
    for (what, got) in [
        ("range_deg", Some(entry.range_deg.len())),
        ("rom_deg", rom.map(Vec::len)),
        ("rest_deg", rest.map(Vec::len)),
    ] {
        if let Some(got) = got.filter(|got| *got != count) {
            return Err(wrong(format!("{what}: need {count}, one an axis, got {got}")));
        }
    }
    let mut axes = Vec::with_capacity(count);
    for (index, direction) in entry.axes.iter().enumerate() {
        let direction = Unit::try_new(Vector3::from(*direction), 1e-9)
            .ok_or_else(|| wrong(format!("axes: need a direction, got {direction:?}")))?;
        let range = entry.range_deg[index];
        if !(range[0] < range[1] && range[0] >= -360.0 && range[1] <= 360.0) {
            return Err(wrong(format!(
                "range_deg: need [least, most] within -360 to 360, got {range:?}"
            )));
        }
        // A tenth of the range is left unused on both sides, as people do.
        let margin = 0.1 * (range[1] - range[0]);
        let rom = rom.map_or([range[0] + margin, range[1] - margin], |rom| rom[index]);
        let rest = rest.map_or(0.0_f64.clamp(range[0], range[1]), |rest| rest[index]);
        if !(range[0] <= rom[0] && rom[0] <= rom[1] && rom[1] <= range[1]) {
            return Err(wrong(format!("rom_deg: need angles within {range:?}, got {rom:?}")));
        }
        if !(range[0] <= rest && rest <= range[1]) {
            return Err(wrong(format!("rest_deg: need an angle within {range:?}, got {rest}")));
        }
        axes.push(JointAxis {
            direction,
            range_rad: range.map(f64::to_radians),
            rom_rad: rom.map(f64::to_radians),
            rest_rad: rest.to_radians(),
        });
    }
    Ok(Joint { name, axes })
}

fn site(marker: &MarkerEntry, entry: &SegmentEntry, names: &Names) -> Result<Site> {
    let mut labels = marker.names.clone();
    if let Some(name) = &marker.name {
        labels.insert(ONLY_SET.to_owned(), name.clone());
    }
    if labels.is_empty() {
        let what = format!("segment {:?}: markers: need a name for each", entry.name.get_ref());
        return Err(names.wrong(&entry.name, what));
    }
    Ok(Site { in_segment_m: Point3::from(marker.at), labels })
}

fn leg(entry: &LegEntry, segments: &[Segment], names: &Names) -> Result<Leg> {
    let found = [names.find(&entry.hip)?, names.find(&entry.knee)?, names.find(&entry.ankle)?];
    for (joint, index, above, axes) in [
        (&entry.hip, found[0], None, 3..=3),
        (&entry.knee, found[1], Some(found[0]), 1..=3),
        (&entry.ankle, found[2], Some(found[1]), 2..=3),
    ] {
        let segment = &segments[index];
        let wrong =
            |what: String| names.wrong(joint, format!("leg, {:?}: {what}", joint.get_ref()));
        if above.is_some() && segment.parent != above {
            return Err(wrong("need hip, knee and ankle one below the other".into()));
        }
        let count = segment.joint.axes.len();
        if !axes.contains(&count) {
            return Err(wrong(format!("need {} to 3 axes, got {count}", axes.start())));
        }
        let is_square = |a: &JointAxis, b: &JointAxis| a.direction.dot(&b.direction).abs() < 1e-9;
        let axes = &segment.joint.axes;
        let pairs = (0..count).flat_map(|i| (0..i).map(move |j| (i, j)));
        if !pairs.into_iter().all(|(i, j)| is_square(&axes[i], &axes[j])) {
            return Err(wrong("need axes at right angles".into()));
        }
    }
    Ok(Leg {
        side: entry.side.clone(),
        segments: found,
        heel_in_foot_m: Point3::from(entry.heel),
        ball_in_foot_m: Point3::from(entry.ball),
        phase: entry.phase,
    })
}

fn gait(entry: &GaitEntry, segments: &[Segment], names: &Names) -> Result<Gait> {
    if !(*entry.cycle_s.get_ref() > 0.0) {
        let what = format!("cycle_s: need a positive time, got {}", entry.cycle_s.get_ref());
        return Err(names.wrong(&entry.cycle_s, what));
    }
    if !(0.3..=0.9).contains(entry.stance.get_ref()) {
        let what = format!("stance: need a share from 0.3 to 0.9, got {}", entry.stance.get_ref());
        return Err(names.wrong(&entry.stance, what));
    }
    let swings = entry.swing.iter().map(|swing| {
        let segment = names.find(&swing.joint)?;
        let axes = segments[segment].joint.axes.len();
        let axis = *swing.axis.get_ref();
        if axis >= axes {
            let what = format!("axis: need one of {axes}, counted from 0, got {axis}");
            return Err(names.wrong(&swing.axis, what));
        }
        Ok(Swing {
            segment,
            axis,
            mean_rad: swing.mean_deg.to_radians(),
            amplitude_rad: swing.amplitude_deg.to_radians(),
            phase: swing.phase,
            harmonic: swing.harmonic.unwrap_or(1.0),
        })
    });
    Ok(Gait {
        speed_m_s: entry.speed_m_s,
        cycle_s: *entry.cycle_s.get_ref(),
        stance: *entry.stance.get_ref(),
        turn_radius_m: entry.turn_radius_m.unwrap_or(f64::INFINITY),
        lift_m: entry.lift_m,
        spread_m: entry.spread_m,
        strike_rad: entry.strike_deg.to_radians(),
        toe_off_rad: entry.toe_off_deg.to_radians(),
        hang_rad: entry.hang_deg.to_radians(),
        bob_m: entry.bob_m,
        sway_m: entry.sway_m,
        crouch_m: entry.crouch_m,
        lean_rad: entry.lean_deg.to_radians(),
        yaw_rad: entry.yaw_deg.to_radians(),
        roll_rad: entry.roll_deg.to_radians(),
        swings: swings.collect::<Result<_>>()?,
        driven: names.find_all(&entry.drive)?,
    })
}
