//! Table 4.3: bone lengths kept by reaching.

use std::time::Instant;

use crate::bone_lengths::BoneLengths;
use condyle_page::page::Table;
use nalgebra::Point3;
use rand::RngExt;

use super::method::{ALL, complete};
use super::scene::{Scene, all};
use super::{cm, mean};
use crate::reproduce::lab::{Effort, Lab, Load};
use crate::reproduce::section::{Line, Section};

const GAP_FRAMES: usize = 1500;
/// Changes in percent: overall, at ends, between two true joints; of UKF-VTM, EKF, extrapolation, interpolation.
const PRINTED: [[f64; 3]; 4] = [
    [-11.90, -2.96, -12.70],
    [-12.92, -11.19, -14.02],
    [-45.33, -42.25, -47.10],
    [-62.80, -54.35, -68.42],
];
/// What the correction costs more, in percent.
const PRINTED_TIME: f64 = 5.27;

/// The trials of it.
pub fn loads(effort: &Effort) -> Vec<Load> {
    vec![Load { samples: 200_000, trials: effort.trials(4, 30) }; 2]
}

/// Of one method in one gap: error of the joint before and after, the largest change of a bone that can be kept, and
/// the seconds of completing and of correcting.
#[derive(Clone, Copy)]
struct Effect {
    before_m: f64,
    after_m: f64,
    stretch: f64,
    completing_s: f64,
    correcting_s: f64,
}

/// Two neighbouring segments without markers: the joint between them is estimated.
fn gap(scene: &Scene, is_end: bool, random: &mut rand_chacha::ChaCha8Rng) -> Option<Vec<Effect>> {
    let joints = &scene.body.joints;
    let has_child = |joint: usize| scene.joint_parents.contains(&Some(joint));
    let fits = |joint: &usize| scene.joint_parents[*joint].is_some() && has_child(*joint) != is_end;
    let candidates: Vec<usize> = (0..joints.len()).filter(fits).collect();
    if candidates.is_empty() {
        return None;
    }
    let joint = candidates[random.random_range(0..candidates.len())];
    let hidden: Vec<usize> = joints[joint]
        .segments
        .iter()
        .flat_map(|s| scene.body.segments[*s].markers.clone())
        .collect();
    let first = 2 * scene.frames.len() / 5;
    let start = random.random_range(first..scene.frames.len() - GAP_FRAMES);
    let frames = start..start + GAP_FRAMES;
    let holed = scene.without(&hidden, frames.clone());
    let body = (&scene.body, scene.rate_hz);
    let whole = complete(body, &scene.frames, 0..frames.end, ALL[1], |_| Vec::new())?;
    // Mean distances of joints in frames before the gap.
    let length = |joint: usize| {
        let parent = scene.joint_parents[joint]?;
        let distance = |frame: &Vec<Option<(Point3<f64>, bool)>>| {
            Some((frame[joint]?.0 - frame[parent]?.0).norm())
        };
        let all: Vec<f64> = whole.centres_m[start / 2..start].iter().filter_map(distance).collect();
        Some(mean(&all)).filter(|length| *length > 0.0)
    };
    let lengths: Vec<f64> = (0..joints.len()).map(|joint| length(joint).unwrap_or(1.0)).collect();
    // Whatever comes first in the body's list: parents come before children in it.
    let mut keeper = BoneLengths::new(&scene.joint_parents, &lengths).ok()?;
    let mut effects = Vec::new();
    for method in ALL {
        let since = Instant::now();
        let found = complete(body, &holed, frames.clone(), method, |_| Vec::new())?;
        let completing_s = since.elapsed().as_secs_f64() * GAP_FRAMES as f64 / frames.end as f64;
        let (mut before, mut after, mut stretch) = (Vec::new(), Vec::new(), 0.0f64);
        let mut correcting_s = 0.0;
        for (i, frame) in found.centres_m.iter().enumerate() {
            let full = &whole.centres_m[start + i];
            let places: Option<Vec<Point3<f64>>> = frame.iter().map(|c| c.map(|c| c.0)).collect();
            let (Some(mut places), Some((truth, _))) = (places, full[joint]) else { continue };
            let mut observed = vec![true; places.len()];
            observed[joint] = false;
            before.push((places[joint] - truth).norm());
            let since = Instant::now();
            let corrected = keeper.correct(&mut places, &observed);
            correcting_s += since.elapsed().as_secs_f64();
            after.push((places[joint] - truth).norm());
            if corrected.too_short == 0
                && corrected.worst_m < 1e-8
                && let Some(parent) = scene.joint_parents[joint]
            {
                stretch =
                    stretch.max(((places[joint] - places[parent]).norm() - lengths[joint]).abs());
            }
        }
        let (before_m, after_m) = (mean(&before), mean(&after));
        effects.push(Effect { before_m, after_m, stretch, completing_s, correcting_s });
    }
    Some(effects)
}

/// Gaps between observed joints and at ends, before and after.
pub fn run(lab: &Lab) -> Section {
    let scenes = all();
    let results = lab.trials(&loads(&lab.effort), |load, random| {
        scenes.first().and_then(|scene| gap(scene, load == 1, random))
    });
    let [between, ends]: [Vec<&Vec<Effect>>; 2] =
        [0, 1].map(|load| results[load].iter().flatten().collect());
    let overall: Vec<&Vec<Effect>> = between.iter().chain(&ends).copied().collect();
    let mut table = Table::columns("method | where | document | before cm | after cm | change", 2);
    let mut lines = Vec::new();
    let mut time = 0.0;
    for (index, method) in ALL.iter().enumerate() {
        let printed = PRINTED[index.saturating_sub(1)];
        for (place, (name, of)) in
            [("overall", &overall), ("at ends", &ends), ("between", &between)].iter().enumerate()
        {
            let value = |part: fn(&Effect) -> f64| {
                mean(&of.iter().map(|e| part(&e[index])).collect::<Vec<_>>())
            };
            let (before, after) = (value(|e| e.before_m), value(|e| e.after_m));
            let change = 100.0 * (after / before - 1.0);
            table.row([
                method.name().to_owned(),
                (*name).to_owned(),
                format!("{:.1} %", printed[place]),
                cm(before),
                cm(after),
                format!("{change:.1} %"),
            ]);
            if index != 1 {
                lines.push(
                    Line::new(
                        format!("{}, {name}: change of the centre's error", method.name()),
                        "table 4.3",
                    )
                    .compare(format!("{:.1} %", printed[place]), format!("{change:.1} %"))
                    .reproduced(change <= printed[place]),
                );
            }
            if place == 0 && index == 0 {
                time = 100.0 * value(|e| e.correcting_s) / value(|e| e.completing_s);
            }
        }
    }
    let stretch = overall.iter().flat_map(|e| e.iter()).map(|e| e.stretch).fold(0.0, f64::max);
    lines.push(
        Line::new("bone lengths where they can be kept: largest change, m", "check 25")
            .compare("at most 1e-6", format!("{stretch:.1e}"))
            .holds(stretch <= 1e-6),
    );
    lines.push(
        Line::new("time that the correction adds", "page 108")
            .compare(format!("+{PRINTED_TIME} %"), format!("+{time:.1} %"))
            .reproduced(time <= PRINTED_TIME),
    );
    Section {
        text: vec![
            "Two neighbouring segments of the dancing body lose all six markers for 1,500 frames: the joint between \
             them is estimated, between two observed ones or at the end of a chain. Errors are against the centre \
             from all markers."
                .into(),
        ],
        lines,
        tables: vec![table],
        ..Section::default()
    }
}
