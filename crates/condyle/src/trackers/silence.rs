//! Sensors that fall silent or freeze.

use std::ops::Range;

use super::trouble::{Trouble, TroubleKind};
use crate::trial::{Body, Origin};

/// A pose repeated to the last digit for fewer frames may be a slow sensor read too often.
const MIN_FROZEN: usize = 12;

/// Stretches in which a body is not seen, or stands still to the last digit although it moves at others.
pub(super) fn find(body: &Body) -> Vec<Trouble> {
    let frames = body.frames();
    let is_missing = |frame: usize| body.world_from_body(frame).is_none();
    let is_same = |frame: usize| {
        let (Some(before), Some(now)) =
            (body.world_from_body(frame.wrapping_sub(1)), body.world_from_body(frame))
        else {
            return false;
        };
        before == now
    };
    let trouble = |kind: &TroubleKind, frames: Range<usize>| Trouble {
        kind: kind.clone(),
        body: body.name.clone(),
        frames,
    };
    let silent = stretches(frames, is_missing).map(|s| trouble(&TroubleKind::Silent, s));
    // What never moves is a reference, not a sensor that froze.
    let still: Vec<Range<usize>> = stretches(frames, is_same).collect();
    let moves =
        (1..frames).any(|frame| !is_missing(frame) && !is_missing(frame - 1) && !is_same(frame));
    let frozen = still.into_iter().filter(|s| moves && s.len() + 1 >= MIN_FROZEN);
    silent.chain(frozen.map(|s| trouble(&TroubleKind::Frozen, s.start - 1..s.end))).collect()
}

/// Takes the poses that a frozen sensor repeats for missing; says which.
pub(super) fn leave_out_frozen(body: &mut Body) -> Vec<Trouble> {
    let mut frozen = find(body);
    frozen.retain(|trouble| trouble.kind == TroubleKind::Frozen);
    for trouble in &frozen {
        trouble.frames.clone().skip(1).for_each(|frame| body.set(frame, None, Origin::Missing));
    }
    frozen
}

/// The longest stretches of frames of which something holds.
fn stretches(frames: usize, is_so: impl Fn(usize) -> bool) -> impl Iterator<Item = Range<usize>> {
    let mut next = 0;
    std::iter::from_fn(move || {
        let start = (next..frames).find(|frame| is_so(*frame))?;
        let end = (start..frames).find(|frame| !is_so(*frame)).unwrap_or(frames);
        next = end;
        Some(start..end)
    })
}
