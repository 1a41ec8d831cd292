//! The same by deletion in real recordings.

use condyle::predict::Body;
use condyle_page::page::Table;
use nalgebra::Point3;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::method::{ALL, complete};
use super::scene::Frames;
use super::{mean, worst};
use crate::reproduce::lab::{Effort, Lab, Load};
use crate::reproduce::recordings::Recording;
use crate::reproduce::section::{Line, Section};

const SECONDS: [f64; 3] = [0.1, 0.5, 2.0];
const MISSING: [&str; 3] = ["one", "two", "all"];
/// Frames that are looked at.
const MOST_FRAMES: usize = 1800;

/// The trials of it: a load a cell.
pub fn loads(effort: &Effort) -> Vec<Load> {
    let cells = SECONDS.len() * MISSING.len() * effort.recordings.len();
    vec![Load { samples: 100_000, trials: effort.trials(6, 60) }; cells]
}

/// One gap: for each method the errors in metres; `None` if none fits.
fn gap(
    recording: &Recording,
    missing: usize,
    seconds: f64,
    random: &mut ChaCha8Rng,
) -> Option<Vec<Vec<f64>>> {
    let trial = &recording.trial;
    let count = trial.frames.min(MOST_FRAMES);
    let frames: Frames = (0..count)
        .map(|frame| {
            trial
                .markers
                .iter()
                .map(|marker| marker.position_m(frame))
                .collect::<Vec<Option<Point3<f64>>>>()
        })
        .collect();
    let body = Body::of_performers(std::slice::from_ref(&recording.performer), trial.markers.len());
    let length = (seconds * trial.rate_hz).round() as usize;
    let first = ((3.0 * trial.rate_hz) as usize).max(2 * count / 5);
    if first + length + 1 >= count {
        return None;
    }
    for _ in 0..50 {
        let segment = &body.segments[random.random_range(0..body.segments.len())];
        let start = random.random_range(first..count - length);
        let turn = random.random_range(0..segment.markers.len().max(1));
        let wanted = if missing == 2 { segment.markers.len() } else { missing + 1 };
        let hidden: Vec<usize> = (0..wanted.min(segment.markers.len()))
            .map(|i| segment.markers[(turn + i) % segment.markers.len()])
            .collect();
        let is_seen = |frame: usize| hidden.iter().all(|marker| frames[frame][*marker].is_some());
        if hidden.len() < wanted || !(start - 1..start + length).all(is_seen) {
            continue;
        }
        let mut holed = frames.clone();
        for frame in &mut holed[start..start + length] {
            hidden.iter().for_each(|marker| frame[*marker] = None);
        }
        let by = |method: &super::method::Compared| {
            let found =
                complete((&body, trial.rate_hz), &holed, start..start + length, *method, |_| {
                    Vec::new()
                });
            let off = |(i, marker): (usize, usize)| {
                let found = found.as_ref()?.markers_m.get(i)?[marker]?;
                Some((found - frames[start + i][marker]?).norm())
            };
            (0..length).flat_map(|i| hidden.iter().map(move |m| (i, *m))).filter_map(off).collect()
        };
        return Some(ALL.iter().map(by).collect());
    }
    None
}

/// Every recording that is there.
pub fn run(lab: &Lab) -> Section {
    let recordings = lab.effort.recordings.clone();
    let cells = SECONDS.len() * MISSING.len();
    let results = lab.trials(&loads(&lab.effort), |load, random| {
        let (recording, cell) = (&recordings[load / cells], load % cells);
        gap(recording, cell / SECONDS.len(), SECONDS[cell % SECONDS.len()], random)
    });
    let mut table =
        Table::columns("recording | missing | seconds | method | mean mm | 95 % mm | worst mm", 4);
    let mut lines = Vec::new();
    for (load, trials) in results.iter().enumerate() {
        let (recording, cell) = (&recordings[load / cells], load % cells);
        let (missing, seconds) = (MISSING[cell / SECONDS.len()], SECONDS[cell % SECONDS.len()]);
        let of = |method: usize| -> Vec<f64> {
            trials.iter().flatten().flat_map(|t| t[method].clone()).collect()
        };
        for (index, method) in ALL.iter().enumerate() {
            let mut errors = of(index);
            errors.sort_by(f64::total_cmp);
            if errors.is_empty() {
                continue;
            }
            let most = errors[(errors.len() - 1) * 95 / 100];
            table.row([
                recording.name.clone(),
                missing.to_owned(),
                seconds.to_string(),
                method.name().to_owned(),
                format!("{:.1}", 1e3 * mean(&errors)),
                format!("{:.1}", 1e3 * most),
                format!("{:.1}", 1e3 * worst(&errors)),
            ]);
        }
        if seconds == 2.0 && !of(0).is_empty() {
            let document = [12.958, 34.737, 84.012][cell / SECONDS.len()];
            let [printed, ours] = [0, 1].map(|method| 1e3 * mean(&of(method)));
            lines.push(
                Line::new(
                    format!("{}, {missing} missing for 2 s: marker, mm", recording.name),
                    "table 4.1",
                )
                .compare(
                    format!("{document:.0}, on its own recordings"),
                    format!("{printed:.0} as printed, {ours:.0} with our settings"),
                )
                .reproduced(printed <= document),
            );
        }
    }
    Section {
        text: vec![
            "Markers of one segment deleted for a while, after 3 s or two fifths of the recording; only frames before are \
             learnt from, but by interpolation."
                .into(),
        ],
        lines,
        tables: vec![table],
        ..Section::default()
    }
}
