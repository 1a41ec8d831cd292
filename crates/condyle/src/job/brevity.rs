//! Recordings that cannot say much: too short, or without motion.

use crate::subject::{JointKind, Subject};
use crate::trial::Note;

/// A recording shorter than this shows no step and no cycle of anything.
const MIN_SECONDS: f64 = 1.0;
/// The same where nobody says how many frames a second there are.
const MIN_FRAMES: usize = 30;
/// So small a share of joints that moved is a stumble in a recording that is still.
const MAX_MOVED: f64 = 0.2;

/// What is to be said first of recordings of so many frames.
pub(super) fn note(frames: usize, rate_hz: f64, subjects: &[Subject]) -> Option<Note> {
    let seconds = (rate_hz > 0.0).then(|| frames as f64 / rate_hz);
    let is_short = seconds.map_or(frames < MIN_FRAMES, |seconds| seconds < MIN_SECONDS);
    let what = "joints are where bodies usually have them, or guesses; record some seconds in which they move";
    if is_short {
        let seconds = seconds.map_or_else(String::new, |s| format!(", {s:.2} s"));
        let plural = if frames == 1 { "" } else { "s" };
        let text = format!(
            "the recording is short ({frames} frame{plural}{seconds}): its motion says little, {what}"
        );
        return Some(Note::new("recording-short", text));
    }
    let joints = || subjects.iter().flat_map(|subject| &subject.joints);
    let moved = joints().filter(|joint| joint.kind != JointKind::Fixed).count() as f64;
    let is_still = joints().count() > 0 && moved <= MAX_MOVED * joints().count() as f64;
    is_still.then(|| {
        let text = format!(
            "the recording is still: {moved} of {} joints turn by 10 degrees, its motion says little, {what}",
            joints().count()
        );
        Note::new("recording-still", text)
    })
}
