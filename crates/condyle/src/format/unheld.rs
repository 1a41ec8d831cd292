//! What a plain table has no room for, said when it is left out.

use crate::trial::{Note, Trial};

/// A note for everything in a trial that neither TRC nor CSV can hold.
pub(super) fn notes(trial: &Trial) -> Vec<Note> {
    let mut notes = Vec::new();
    let mut lost = |count: usize, what: &str| {
        if count > 0 {
            notes.push(Note::new(
                "not-held",
                format!("{count} {what} left out: the format has no room"),
            ));
        }
    };
    lost(trial.events.len(), "events");
    lost(trial.parameters.len(), "parameter groups");
    lost(usize::from(trial.motion.is_some()), "solved skeleton with its motion");
    let has_quality = |marker: &&crate::trial::Marker| {
        (0..marker.frames()).any(|f| {
            marker.residual_m(f).is_some_and(|r| r != 0.0)
                || marker.cameras(f).is_some_and(|c| c != 0)
        })
    };
    lost(trial.markers.iter().filter(has_quality).count(), "markers' residuals and camera masks");
    let described = trial.markers.iter().filter(|marker| !marker.description.is_empty()).count()
        + trial.channels.iter().filter(|channel| !channel.description.is_empty()).count();
    lost(described, "descriptions");
    notes
}
