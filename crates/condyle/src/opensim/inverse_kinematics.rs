//! What OpenSim's inverse kinematics is to do with a model and a recording.

use std::fmt::Write;

use super::linkage::Linkage;
use super::model::{escaped, marker_name, marker_names};
use super::posed_points::posed_points;
use crate::error::Result;
use crate::job::SolvedPerformer;
use crate::solve;
use crate::statistics::median;
use crate::trial::Trial;

/// No segment is trusted more than this.
const MIN_SIGMA_M: f64 = 1e-4;

/// The files that a task names: the model, the markers, and the coordinates that it is to write.
#[derive(Debug, Clone, Copy)]
pub struct TaskFiles<'a> {
    /// As [`super::model`] has it.
    pub model: &'a str,
    /// As [`crate::export::write_markers_trc`] has it.
    pub markers: &'a str,
    /// Made by OpenSim.
    pub coordinates: &'a str,
}

/// The setup file of OpenSim's inverse-kinematics tool for a solved performer.
///
/// # Method
/// A marker counts as it does in our own pose: by one over the variance of its segment's markers, less what joints whose
/// centres wander keep back; the usual one by 1. Turns that markers leave open (an arm with one marker, a foot whose
/// markers are on a line) are held as in our own pose, by coordinate tasks towards the model's defaults, which are the mean
/// pose. OpenSim divides the squares of markers by the sum of their weights (Sherman and others 2011, Simbody's `Markers`)
/// and those of coordinates by nothing, and so do these weights. The time is the longest stretch in which a marker is seen: on a frame that shows none OpenSim gives up.
///
/// # Errors
/// The recording has none of the subject's markers.
pub fn inverse_kinematics(
    trial: &Trial,
    performer: &SolvedPerformer,
    files: TaskFiles,
) -> Result<String> {
    let subject = &performer.subject;
    let columns = solve::columns(subject, &trial.labels())?;
    let posed = posed_points(subject);
    let precise = |sigma_m: f64, weight: f64| weight * sigma_m.max(MIN_SIGMA_M).powi(-2);
    let influences = solve::influences(subject);
    let own = subject.segments().iter().zip(&influences).flat_map(|(segment, influence)| {
        let weight = |own: f64| precise(segment.sigma_m, own) * influence.share;
        segment.markers.iter().map(move |marker| (marker, weight(marker.weight)))
    });
    let called = marker_names(&trial.labels());
    let tasks: Vec<(String, f64)> = match posed.is_empty() {
        true => own
            .zip(&columns)
            .map(|((marker, weight), column)| {
                let name = column.map_or_else(|| marker_name(&marker.label), |c| called[c].clone());
                (name, weight)
            })
            .collect(),
        false => posed.iter().map(|point| (marker_name(&point.label), 1.0)).collect(),
    };
    let usual = median(tasks.iter().map(|(_, weight)| *weight)).filter(|weight| *weight > 0.0);
    let total: f64 = tasks.iter().map(|(_, weight)| weight).sum();
    let is_shown = |frame: usize| match posed.is_empty() {
        true => columns.iter().flatten().any(|c| trial.markers[*c].position_m(frame).is_some()),
        false => {
            posed.iter().any(|p| performer.motion.world_from_segment(frame, p.segment).is_some())
        }
    };
    let time_s = |frame: usize| trial.start_s + frame as f64 / trial.rate_hz.max(f64::MIN_POSITIVE);
    let [first, last] = longest(trial.frames, is_shown);
    let mut text = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\" ?>\n<OpenSimDocument Version=\"40000\">\n",
    );
    let _ = writeln!(
        text,
        "<InverseKinematicsTool name=\"{}\">\n<results_directory>.</results_directory>\n<model_file>{}</model_file>\n<marker_file>{}</marker_file>\n<time_range>{:.9} {:.9}</time_range>\n<output_motion_file>{}</output_motion_file>\n<accuracy>1e-6</accuracy>\n<report_errors>false</report_errors>\n<IKTaskSet><objects>",
        escaped(if subject.name.is_empty() { "subject" } else { &subject.name }),
        escaped(files.model),
        escaped(files.markers),
        time_s(first),
        time_s(last),
        escaped(files.coordinates),
    );
    for (name, weight) in tasks {
        let _ = writeln!(
            text,
            "<IKMarkerTask name=\"{}\"><apply>true</apply><weight>{:.6}</weight></IKMarkerTask>",
            escaped(&name),
            weight / usual.unwrap_or(1.0),
        );
    }
    if posed.is_empty() {
        let linkage = Linkage::new(trial, performer, None);
        let hung =
            linkage.joints.iter().zip(&influences).filter(|(joint, _)| joint.moves.is_empty());
        for (joint, influence) in hung {
            let weight = influence.held_per_rad2 * influence.share / total;
            for (name, ..) in &joint.turns {
                let _ = writeln!(
                    text,
                    "<IKCoordinateTask name=\"{name}\"><apply>true</apply><weight>{weight:.3e}</weight><value_type>default_value</value_type></IKCoordinateTask>",
                );
            }
        }
    }
    text.push_str("</objects></IKTaskSet>\n</InverseKinematicsTool>\n</OpenSimDocument>\n");
    Ok(text)
}

/// The first and the last frame of the longest stretch in which something holds.
fn longest(frames: usize, holds: impl Fn(usize) -> bool) -> [usize; 2] {
    let (mut best, mut first) = ([0, 0], None);
    for frame in 0..frames {
        first = if holds(frame) { first.or(Some(frame)) } else { None };
        let run = first.map_or([0, 0], |first| [first, frame]);
        if run[1] - run[0] > best[1] - best[0] {
            best = run;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_stretch_that_shows_markers_is_taken() {
        let shown = [false, true, true, false, true, true, true, false];
        assert_eq!(longest(shown.len(), |frame| shown[frame]), [4, 6]);
        assert_eq!(longest(3, |_| false), [0, 0]);
        assert_eq!(longest(3, |_| true), [0, 2]);
    }
}
