//! Table 3.2: a dancing humanoid whose inner joints are deleted, from its hands, feet and root alone.

use std::time::Instant;

use condyle::ik::limit::{Limit, Twist};
use condyle::ik::{Linkage, Method, Options, Solver, Target, Zero};
use nalgebra::{Point3, Vector3};

use super::recording::{self, Dance, EFFECTORS, PARENTS, THORAX_PARENTS};
use crate::page::{Axis, Chart, Ink, Mark, Scale, Series, Table};
use crate::reproduce::lab::Lab;
use crate::reproduce::section::{Line, Section, Verdict};
use crate::reproduce::statistics::median;

const DANCES: [&str; 3] = ["60_08.amc", "05_05.amc", "02_05.amc"];
/// The table's frame rate is not printed; its demonstration runs at three a second.
const RATES_HZ: [f64; 2] = [30.0, 3.0];
const INNER: [usize; 8] = [1, 2, 4, 5, 7, 8, 10, 11];

struct Row {
    name: &'static str,
    options: Options,
    is_limited: bool,
    /// Whether the head is kept too and the thorax is one part: five ends, as figure 3.24 says.
    has_thorax: bool,
    /// Whether how the pelvis stands is known, beside where it is. Limits are against it.
    knows_pelvis: bool,
    printed_mm: Option<f64>,
}

fn rows() -> Vec<Row> {
    let row = |name, method, is_limited, printed_mm| Row {
        name,
        options: Options { tolerance_m: 1e-3, max_iterations: 2000, ..Options::plain(method) },
        is_limited,
        has_thorax: false,
        knows_pelvis: is_limited,
        printed_mm,
    };
    let mut rows = vec![
        row("fabrik", Method::Fabrik, false, Some(58.68)),
        row("ccd", Method::Ccd, false, Some(69.99)),
        row("jt", Method::Transpose, false, Some(137.42)),
        row("dls", Method::Dls, false, Some(84.84)),
        row("svd-dls", Method::SvdDls, false, Some(83.73)),
        row("gauss-newton", Method::GaussNewton, false, None),
        row("fabrik, limits", Method::Fabrik, true, Some(30.0)),
        row("ccd, limits", Method::Ccd, true, None),
        row("fabrik, limits, finished", Method::Fabrik, true, None),
    ];
    rows[8].options.finish = true;
    for (name, method) in [
        ("fabrik, pelvis known", Method::Fabrik),
        ("ccd, pelvis known", Method::Ccd),
        ("dls, pelvis known", Method::Dls),
    ] {
        rows.push(Row { knows_pelvis: true, ..row(name, method, false, None) });
    }
    // Chosen for its error on these recordings: stands in the table, and is judged by nothing.
    for (name, method) in [
        (FIVE, Method::Fabrik),
        ("ccd, limits, five ends", Method::Ccd),
        ("dls, limits, five ends", Method::Dls),
    ] {
        let mut five = Row { has_thorax: true, ..row(name, method, true, None) };
        five.options.finish = true;
        rows.push(five);
    }
    rows
}

const FIVE: &str = "fabrik, limits, five ends, finished";

/// The dancer's own bones, as long as on average.
fn linkage(dance: &Dance, row: &Row) -> condyle::Result<Linkage> {
    let parents = if row.has_thorax { &THORAX_PARENTS[..] } else { &PARENTS[..] };
    let mut rest_m = dance.rest_m[..parents.len()].to_vec();
    for (joint, parent) in parents.iter().enumerate() {
        let Some(parent) = *parent else { continue };
        let lengths =
            dance.frames.iter().map(|frame| (frame.at_m[joint] - frame.at_m[parent]).norm());
        let mean_m = lengths.sum::<f64>() / dance.frames.len() as f64;
        let along = (dance.rest_m[joint] - dance.rest_m[parent]).normalize();
        rest_m[joint] = rest_m[parent] + along * mean_m;
    }
    let mut linkage = Linkage::tree(&rest_m, parents, Zero::Rest)?;
    if row.is_limited {
        limit(&mut linkage, row.has_thorax)?;
    }
    Ok(linkage)
}

/// Anatomy: the pelvis is rigid, knees and elbows bend one way. At rest the dancer stands with arms out,
/// y up, facing z; elbows turn about an axis 30 degrees from upright, as the skeleton's file says.
fn limit(linkage: &mut Linkage, has_thorax: bool) -> condyle::Result<()> {
    let degrees = f64::to_radians;
    let twist = |most: f64| Twist::Range { min_rad: -degrees(most), max_rad: degrees(most) };
    for (hip, knee, ankle) in [(1, 2, 3), (4, 5, 6)] {
        linkage.limit(hip, Limit::FIXED)?;
        linkage.limit(knee, Limit { twist: twist(45.0), ..Limit::cone(degrees(120.0)) })?;
        hinge(linkage, ankle, Vector3::x(), [-5.0, 150.0])?;
    }
    for (shoulder, elbow, wrist, up) in [(7, 8, 9, -1.0), (10, 11, 12, 1.0)] {
        let spine = if has_thorax { 60.0 } else { 30.0 };
        linkage.limit(shoulder, Limit { twist: twist(10.0), ..Limit::cone(degrees(spine)) })?;
        linkage.limit(elbow, Limit { twist: twist(100.0), ..Limit::cone(degrees(130.0)) })?;
        let (sin, cos) = degrees(30.0).sin_cos();
        hinge(linkage, wrist, Vector3::new(0.0, cos, -sin) * up, [-5.0, 150.0])?;
    }
    if has_thorax {
        linkage.limit(10, Limit::FIXED)?;
        linkage.limit(13, Limit::FIXED)?;
    }
    Ok(())
}

fn hinge(
    linkage: &mut Linkage,
    end: usize,
    axis: Vector3<f64>,
    range_deg: [f64; 2],
) -> condyle::Result<()> {
    let mut axis = linkage.world_from_zero_at_rest(end).inverse() * axis;
    // Across the bone: thighs do not hang straight down at rest.
    axis.z = 0.0;
    linkage.limit(end, Limit::hinge(axis, range_deg.map(f64::to_radians))?)
}

/// What a method made of a dance.
struct Rebuilt {
    /// Of the joints that were deleted.
    errors_mm: Vec<f64>,
    /// Of all thirteen: those that were kept count too.
    all_mm: Vec<f64>,
    iterations: Vec<f64>,
    seconds: Vec<f64>,
    reached: usize,
    shown: Option<[Vec<Point3<f64>>; 2]>,
}

fn rebuild(dance: &Dance, row: &Row, rate_hz: f64) -> condyle::Result<Rebuilt> {
    let mut solver = Solver::new(linkage(dance, row)?);
    let joints = solver.linkage().joints();
    let ends = if row.has_thorax { &EFFECTORS[..] } else { &EFFECTORS[..4] };
    let step = ((dance.rate_hz / rate_hz).round() as usize).max(1);
    let mut targets: Vec<Target> = Vec::new();
    let mut rebuilt = Rebuilt {
        errors_mm: Vec::new(),
        all_mm: Vec::new(),
        iterations: Vec::new(),
        seconds: Vec::new(),
        reached: 0,
        shown: None,
    };
    for (index, frame) in dance.frames.iter().step_by(step).enumerate() {
        if row.knows_pelvis {
            // All turns with the pelvis before anything reaches.
            solver.turn_base(frame.world_from_pelvis);
        }
        if index == 0 {
            solver.pose(&frame.at_m[..joints])?;
            continue;
        }
        solver.move_base(frame.at_m[0])?;
        // A head nods: it says less of the thorax than a wrist of its arm.
        let weight = |joint: usize| if joint == 13 { 0.5 } else { 1.0 };
        targets.clear();
        targets.extend(ends.iter().map(|joint| Target {
            weight: weight(*joint),
            ..Target::at(*joint, frame.at_m[*joint])
        }));
        let begun = Instant::now();
        let reach = solver.solve(&targets, &row.options)?;
        rebuilt.seconds.push(begun.elapsed().as_secs_f64());
        rebuilt.iterations.push(reach.iterations as f64);
        rebuilt.reached += usize::from(reach.is_reached());
        let off = INNER.map(|joint| (solver.positions_m()[joint] - frame.at_m[joint]).norm());
        rebuilt.errors_mm.extend(off.map(|off| 1e3 * off));
        let all = solver.positions_m().iter().zip(&frame.at_m).take(13);
        rebuilt.all_mm.extend(all.map(|(ours, truth)| 1e3 * (ours - truth).norm()));
        if index == dance.frames.len() / step / 2 {
            rebuilt.shown = Some([frame.at_m.to_vec(), solver.positions_m().to_vec()]);
        }
    }
    Ok(rebuilt)
}

/// Rebuilds every dance with every method.
pub fn run(_: &Lab) -> Section {
    let dances: Vec<Dance> = DANCES.into_iter().filter_map(recording::read).collect();
    if dances.is_empty() {
        let folder = recording::folder();
        return Section {
            text: vec![format!(
                "Skipped: no recordings of the CMU library (cmu/60_08.amc …) in {}; set CONDYLE_DATA.",
                folder.display()
            )],
            ..Section::default()
        };
    }
    let rows = rows();
    let mut table = Table::new(
        &[
            "frames a second",
            "method",
            "median error, mm",
            "mean",
            "median of all 13",
            "iterations, median",
            "µs a solve, median",
            "reached %",
        ],
        2,
    );
    table.caption = "Distance of the eight deleted joints from where they were recorded; all 13 joints, those kept among \
                     them, in a column of their own, as the thesis does not say which it counts."
        .into();
    table.is_grouped = true;
    let mut lines = Vec::new();
    let mut charts = Vec::new();
    for rate_hz in RATES_HZ {
        let mut medians = Vec::new();
        for row in &rows {
            let all: Vec<Rebuilt> =
                dances.iter().filter_map(|dance| rebuild(dance, row, rate_hz).ok()).collect();
            let every = |of: &dyn Fn(&Rebuilt) -> &Vec<f64>| -> Vec<f64> {
                all.iter().flat_map(|rebuilt| of(rebuilt).iter().copied()).collect()
            };
            let errors_mm = every(&|rebuilt| &rebuilt.errors_mm);
            let seconds = every(&|rebuilt| &rebuilt.seconds);
            let reached: usize = all.iter().map(|rebuilt| rebuilt.reached).sum();
            let middle = median(errors_mm.iter().copied());
            medians.push(middle);
            table.row([
                rate_hz.to_string(),
                row.name.to_owned(),
                format!("{middle:.1}"),
                format!("{:.1}", errors_mm.iter().sum::<f64>() / errors_mm.len().max(1) as f64),
                format!("{:.1}", median(every(&|rebuilt| &rebuilt.all_mm))),
                format!("{:.0}", median(every(&|rebuilt| &rebuilt.iterations))),
                format!("{:.1}", 1e6 * median(seconds.iter().copied())),
                format!("{:.1}", 100.0 * reached as f64 / seconds.len().max(1) as f64),
            ]);
            let shown = all.into_iter().next().and_then(|rebuilt| rebuilt.shown);
            if let (true, "fabrik" | "fabrik, limits" | FIVE, Some(shown)) =
                (rate_hz == 3.0, row.name, shown)
            {
                charts.push(figure(row, &shown));
            }
        }
        lines.extend(figures(&rows, &medians, rate_hz));
    }
    let names: Vec<&str> = dances.iter().map(|dance| dance.name).collect();
    Section {
        text: vec![format!(
            "Recordings of the CMU library as joint centres: {}. Ankles, wrists and root are kept, hips, knees, shoulders and \
             elbows deleted; bones have their mean length, so a spine that bends is an error of its own. Each frame is solved from \
             the pose of the last; the first is known. With limits, how the pelvis stands is known too. With five ends (the text \
             of figure 3.24 has five) the head is kept as well and the thorax is one rigid part. Those rows are exploratory: the \
             set-up is the best of some forty that were tried on these same recordings, so its error is too small by as much \
             as that search gained, and it confirms nothing. The plain set-up is 'fabrik' and 'fabrik, limits'. Without limits none of the \
             forty came under 86 mm. Neither figure of the thesis, 58.7 mm without limits and 30 to 35 with, is reproduced. Wrists alone say little about where shoulders are: a spine of one bone leaves \
             them 100 to 200 mm off, which is most of the error.",
            names.join(", ")
        )],
        lines,
        tables: vec![table],
        charts,
        ..Section::default()
    }
}

fn figures(rows: &[Row], medians: &[f64], rate_hz: f64) -> Vec<Line> {
    let mut lines = Vec::new();
    for (row, ours) in rows.iter().zip(medians) {
        let Some(printed) = row.printed_mm else { continue };
        let most = if row.is_limited { 35.0 } else { printed };
        lines.push(Line::new(
            format!("{} at {rate_hz} frames a second: median error at most, mm", row.name),
            if row.is_limited { "p. 73" } else { "table 3.2" },
            [format!("{printed}"), format!("{ours:.1}")],
            Verdict::reproduced(*ours <= most),
        ));
        if *ours > most {
            let last = lines.pop();
            lines.extend(last.map(|line| {
                line.because("model, dances and which joints count are not published; ours are the deleted ones")
            }));
        }
    }
    let order = "fabrik < ccd < svd-dls ≈ dls < jt";
    let [fabrik, ccd, jt, dls, svd] = [medians[0], medians[1], medians[2], medians[3], medians[4]];
    let mut ours: Vec<(f64, &str)> =
        vec![(fabrik, "fabrik"), (ccd, "ccd"), (jt, "jt"), (dls, "dls"), (svd, "svd-dls")];
    ours.sort_by(|a, b| a.0.total_cmp(&b.0));
    let names: Vec<&str> = ours.iter().map(|(_, name)| *name).collect();
    lines.push(Line::new(
        format!("order of the methods at {rate_hz} frames a second"),
        "table 3.2",
        [order.into(), names.join(" < ")],
        Verdict::reproduced(fabrik <= ccd && ccd <= dls.min(svd) && dls.max(svd) <= jt),
    ));
    lines
}

fn figure(row: &Row, [truth, ours]: &[Vec<Point3<f64>>; 2]) -> Chart {
    let limbs = |at_m: &[Point3<f64>], name: &str, ink: usize| -> Vec<Series> {
        let paths = [[3, 2, 1, 0], [6, 5, 4, 0], [9, 8, 7, 0], [12, 11, 10, 0]];
        let parts = ["left leg", "right leg", "left arm", "right arm"];
        let series = paths.iter().zip(parts).map(|(path, part)| Series {
            name: format!("{name}, {part}"),
            ink: Ink(ink),
            mark: Mark::Line,
            points: path
                .iter()
                .map(|joint| (at_m[*joint].x - at_m[0].x, at_m[*joint].y, None))
                .collect(),
        });
        series.collect()
    };
    let mut series = limbs(truth, "recorded", 6);
    series.extend(limbs(ours, "rebuilt", 1));
    Chart {
        name: match (row.is_limited, row.has_thorax) {
            (true, true) => "humanoid-five-ends",
            (true, false) => "humanoid-limits",
            _ => "humanoid",
        },
        title: format!("{}: recorded and rebuilt, from the front", row.name),
        caption: "One frame from the middle of the first recording, at three frames a second."
            .into(),
        x: Axis::new("x, m", "x_m", Scale::Linear),
        y: Axis::new("height, m", "y_m", Scale::Linear),
        series,
        is_small: true,
        ..Chart::default()
    }
}
