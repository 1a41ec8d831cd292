//! Joint centres as point trajectories: by themselves, or added to the recording they came from.

use std::collections::HashSet;

use super::names::free;
use crate::marker_set::{Side, body_part};
use crate::solve::SolvedMotion;
use crate::subject::Subject;
use crate::trial::{Marker, Trial};

/// Joints of the body by their distal part, as laboratories label them after the side.
const LABELS: [(&str, &str); 6] = [
    ("thigh", "HJC"),
    ("shank", "KJC"),
    ("foot", "AJC"),
    ("upper arm", "SJC"),
    ("forearm", "EJC"),
    ("hand", "WJC"),
];

/// A label for every joint, as laboratories have them: `LHJC`; its name with `_` for blanks if there is none.
///
/// None is in `taken`.
pub fn centre_labels<'a>(
    subject: &Subject,
    taken: impl IntoIterator<Item = &'a str>,
) -> Vec<String> {
    let mut taken: HashSet<String> = taken.into_iter().map(str::to_owned).collect();
    let label = |joint: &crate::subject::Joint| {
        let short = body_part(&subject.segments[joint.child].name).and_then(|(part, side)| {
            let (_, centre) = LABELS.iter().find(|(name, _)| *name == part)?;
            match side {
                Side::Left => Some(format!("L{centre}")),
                Side::Right => Some(format!("R{centre}")),
                Side::Unsaid => None,
            }
        });
        short.unwrap_or_else(|| joint.name.replace(char::is_whitespace, "_"))
    };
    subject.joints.iter().map(|joint| free(&mut taken, &label(joint))).collect()
}

/// The centres of all joints as the markers of a trial of their own; missing where they were not placed.
pub fn joint_centres(subject: &Subject, trial: &Trial, solved: &SolvedMotion) -> Trial {
    let mut centres = Trial::new(trial.source.format, trial.rate_hz);
    centres.source.unit = trial.source.unit;
    centres.source.up = trial.source.up;
    centres.first_frame = trial.first_frame;
    centres.start_s = trial.start_s;
    centres.frames = trial.frames;
    centres.markers = markers(solved, &centre_labels(subject, []));
    centres
}

/// The recording itself with the centres of all joints as further points; nothing else changes.
///
/// Labels that the recording has already get a number: `LHJC_2`. Each point's description says which joint it is.
pub fn with_joint_centres(trial: &Trial, subject: &Subject, solved: &SolvedMotion) -> Trial {
    let labels = centre_labels(subject, trial.markers.iter().map(|m| m.label.as_str()));
    let prefixed: Vec<String> = labels
        .iter()
        .map(|label| match subject.name.as_str() {
            "" => label.clone(),
            name => format!("{name}:{label}"),
        })
        .collect();
    let is_taken = prefixed.iter().any(|label| trial.marker(label).is_some());
    let labels = if is_taken { labels } else { prefixed };
    let mut enriched = trial.clone();
    let mut centres = markers(solved, &labels);
    for (marker, joint) in centres.iter_mut().zip(&subject.joints) {
        let sd_mm = joint.worst_sd_m() * 1e3;
        marker.description = format!("{}, joint centre, sd {sd_mm:.1} mm", joint.name);
    }
    enriched.markers.extend(centres);
    enriched
}

fn markers(solved: &SolvedMotion, labels: &[String]) -> Vec<Marker> {
    let tracks = labels.iter().zip(solved.joints());
    tracks.map(|(label, track)| Marker::from_positions(label, track.iter_m())).collect()
}
