//! Sensors that are read more often than they measure.

use crate::trial::{Body, Note};

/// A share of repeated poses below this is a sensor at rest now and then.
const WORTH_SAYING: f64 = 0.1;

/// A note about poses that repeat the one before to the last digit.
pub(super) fn note(bodies: &[Body]) -> Option<Note> {
    let repeats = |body: &Body| {
        let is_same = |frame: &usize| {
            let (now, before) = (body.world_from_body(*frame), body.world_from_body(*frame - 1));
            now.is_some() && now == before
        };
        let seen = body.frames() - body.missing_samples();
        ((1..body.frames()).filter(is_same).count(), seen)
    };
    let (mut worst, mut name) = (0.0, "");
    for body in bodies {
        let (count, seen) = repeats(body);
        let share = count as f64 / seen.max(1) as f64;
        // One that never moves is a reference.
        if share > worst && count + 1 < seen {
            (worst, name) = (share, &body.name);
        }
    }
    (worst >= WORTH_SAYING).then(|| {
        let percent = (100.0 * worst).round();
        let text = format!(
            "up to {percent} % of the poses of a body ({name}) repeat the one before: it is read more often than it measures"
        );
        Note::new("poses-repeated", text)
    })
}
