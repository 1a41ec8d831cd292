//! Whether a subject that was fitted before is the one recorded.

use std::fmt;

use super::keypoints::is_of_keypoints;
use crate::error::{Error, Result};
use crate::order;
use crate::solve::SolvedMotion;
use crate::statistics::median;
use crate::subject::{SegmentMarker, Subject};
use crate::trial::Note;

/// A median residual above this, and above so many times that of the calibration, is somebody else.
const MAX_RESIDUAL_M: f64 = 0.015;
const MAX_RELATIVE_RESIDUAL: f64 = 4.0;
/// One above these is said.
const DOUBTFUL_RESIDUAL_M: f64 = 0.005;
const DOUBTFUL_RELATIVE_RESIDUAL: f64 = 3.0;

/// Keypoints stray so far whoever is filmed: one standard deviation of a coordinate.
const KEYPOINT_NOISE_M: f64 = 0.015;

/// More markers than this share, and than these few, that are far off speak of the subject and not of markers. Of seven
/// public recordings of the subject's own performer at most 7 % are, of other people in the same set 11 to 54 %.
const MAX_MOVED_SHARE: f64 = 0.1;
const FEW_MOVED: usize = 3;
/// More than this share is somebody else.
const MAX_FOREIGN_SHARE: f64 = 0.25;

/// Refuses a subject whose segments do not have the shape of those recorded.
///
/// # Errors
/// Nothing can be placed, or markers are far from where the subject has them.
pub(super) fn check(subject: &Subject, solved: &SolvedMotion) -> Result<()> {
    let Some(residual_m) = solved.evidence().residual_m else {
        return Err(Error::undetermined(
            "need three markers of one segment, or a body, in some frame, got none: nothing can be placed",
        ));
    };
    let usual_m = usual_residual_m(subject);
    let moved = Moved::of(subject, solved);
    let found = if residual_m > (MAX_RELATIVE_RESIDUAL * usual_m).max(MAX_RESIDUAL_M) {
        format!(
            "one whose {} are {:.0} mm (median) from where they should be, {}",
            points(subject),
            residual_m * 1e3,
            usual(subject)
        )
    } else if moved.are_more_than(MAX_FOREIGN_SHARE) {
        format!("one of whom {moved} from where they should be")
    } else {
        return Ok(());
    };
    let what = format!(
        "subject: need the performer that was recorded, got {found}: is it another performer, or were they moved?"
    );
    Err(Error::argument(what).with_code("another-performer"))
}

fn points(subject: &Subject) -> &'static str {
    if subject.is_of_bodies() { "bodies" } else { "markers" }
}

/// How far its markers were off when the subject was fitted: the median over segments.
fn fitted_residual_m(subject: &Subject) -> f64 {
    if subject.is_of_bodies() {
        // Playback moves a body by about the gaps of its joints.
        return subject.joints.iter().map(|joint| joint.separation_m).fold(0.0, f64::max);
    }
    median(subject.segments.iter().map(|segment| segment.sigma_m)).unwrap_or(0.0)
}

/// How far they are off as a rule.
fn usual_residual_m(subject: &Subject) -> f64 {
    fitted_residual_m(subject).max(least_residual_m(subject))
}

/// The same in words: what was measured, and what is assumed where that is more.
fn usual(subject: &Subject) -> String {
    let (fitted_m, least_m) = (fitted_residual_m(subject), least_residual_m(subject));
    let fitted = format!("{:.0} mm when it was fitted", fitted_m * 1e3);
    if fitted_m >= least_m {
        return fitted;
    }
    format!("{fitted} to smoothed keypoints, of which {:.0} mm are assumed", least_m * 1e3)
}

/// How far off its points are at least, however well they were fitted: keypoints were smoothed before.
fn least_residual_m(subject: &Subject) -> f64 {
    if is_of_keypoints(subject) { KEYPOINT_NOISE_M } else { 0.0 }
}

/// What does not fit the subject well, short of being somebody else.
pub(super) fn doubts(subject: &Subject, solved: &SolvedMotion) -> Vec<Note> {
    let mut doubts = Vec::new();
    let (usual_m, residual_m) =
        (usual_residual_m(subject), solved.evidence().residual_m.unwrap_or(0.0));
    if residual_m > (DOUBTFUL_RELATIVE_RESIDUAL * usual_m).max(DOUBTFUL_RESIDUAL_M) {
        let text = format!(
            "{} are {:.0} mm (median) from where the subject has them, {}: another performer of much the same size?",
            points(subject),
            residual_m * 1e3,
            usual(subject)
        );
        doubts.push(Note::new("subject-doubtful", text));
    }
    let moved = Moved::of(subject, solved);
    if moved.are_more_than(MAX_MOVED_SHARE) {
        let text = format!(
            "{moved} from where the subject has them: another performer, or markers put on again?"
        );
        return vec![Note::new("subject-doubtful", text)];
    }
    for (marker, residual_m) in moved.markers {
        let text = format!(
            "{} is {:.0} mm (median) from where the subject has it, {:.0} mm when it was fitted",
            marker.label,
            residual_m * 1e3,
            marker.rms_m * 1e3
        );
        doubts.push(Note::new("marker-moved", text).about(&marker.label));
    }
    doubts
}

/// Markers that are far from where the subject has them, the farthest first.
struct Moved<'a> {
    markers: Vec<(&'a SegmentMarker, f64)>,
    seen: usize,
}

impl<'a> Moved<'a> {
    fn of(subject: &'a Subject, solved: &SolvedMotion) -> Self {
        let markers = subject.segments.iter().flat_map(|segment| &segment.markers);
        let seen = markers.zip(&solved.evidence().marker_residual_m);
        let mut markers: Vec<_> =
            seen.filter_map(|(marker, residual_m)| Some((marker, (*residual_m)?))).collect();
        let seen = markers.len();
        let least_m = least_residual_m(subject);
        markers.retain(|(marker, residual_m)| {
            let usual_m = marker.rms_m.max(least_m);
            *residual_m > (DOUBTFUL_RELATIVE_RESIDUAL * usual_m).max(MAX_RESIDUAL_M)
        });
        order::by(&mut markers, |a, b| b.1.total_cmp(&a.1));
        Self { markers, seen }
    }

    fn are_more_than(&self, share: f64) -> bool {
        let count = self.markers.len();
        count > FEW_MOVED && count as f64 > share * self.seen as f64
    }
}

impl fmt::Display for Moved<'_> {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let worst = self.markers.iter().take(FEW_MOVED);
        let worst: Vec<_> =
            worst.map(|(marker, m)| format!("{} {:.0} mm", marker.label, m * 1e3)).collect();
        let (far, seen) = (self.markers.len(), self.seen);
        write!(out, "{far} of {seen} markers are far ({})", worst.join(", "))
    }
}
