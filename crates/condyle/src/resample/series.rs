//! One series after another brought to the new clock.

use std::f64::consts::{PI, TAU};

use nalgebra::{Isometry3, Translation3, Vector3};

use super::clock::{Clock, Place};
use super::cubic::between;
use crate::error::Result;
use crate::motion::Motion;
use crate::skeleton::JointChannel;
use crate::trial::{Body, Marker, Origin};

/// Two orientations nearer to opposite than this have no shorter way between them.
const SLERP_EPSILON: f64 = 1e-9;

pub(super) fn marker(old: &Marker, clock: &Clock) -> Marker {
    let mut new = Marker::all_missing(old.label.as_str(), clock.frames());
    new.description.clone_from(&old.description);
    let at = |frame: usize| old.position_m(frame).map(|p| p.coords);
    for (frame, place) in clock.places().enumerate() {
        match place {
            Place::On(from) => {
                new.copy_sample(frame, old, from);
            }
            Place::After(from, t) => {
                let position_m = vector_between(at, from, t).map(Into::into);
                new.set(frame, position_m, origin_between(old.origin(from), old.origin(from + 1)));
            }
        }
    }
    new
}

pub(super) fn body(old: &Body, clock: &Clock) -> Body {
    let mut new = Body::new(old.name.as_str());
    new.has_positions = old.has_positions;
    for (frame, place) in clock.places().enumerate() {
        new.push(None);
        match place {
            Place::On(from) => {
                new.set(frame, old.world_from_body(from).copied(), old.origin(from));
            }
            Place::After(from, t) => {
                let origin = origin_between(old.origin(from), old.origin(from + 1));
                new.set(frame, pose_between(old, from, t), origin);
            }
        }
    }
    new
}

fn pose_between(body: &Body, frame: usize, t: f64) -> Option<Isometry3<f64>> {
    let pose = |frame: usize| body.world_from_body(frame);
    let (a, b) = (pose(frame)?, pose(frame + 1)?);
    let position_m = vector_between(|f| pose(f).map(|p| p.translation.vector), frame, t)?;
    let rotation = a.rotation.try_slerp(&b.rotation, t, SLERP_EPSILON)?;
    Some(Isometry3::from_parts(Translation3::from(position_m), rotation))
}

fn vector_between(
    at: impl Fn(usize) -> Option<Vector3<f64>>,
    frame: usize,
    t: f64,
) -> Option<Vector3<f64>> {
    let p0 = frame.checked_sub(1).and_then(&at);
    Some(between(p0, at(frame)?, at(frame + 1)?, at(frame + 2), t))
}

/// A value between two samples is at best filled, and predicted if either of them was.
fn origin_between(a: Origin, b: Origin) -> Origin {
    if a == Origin::Predicted || b == Origin::Predicted {
        Origin::Predicted
    } else {
        Origin::Filled
    }
}

/// Numbers at the new frames; not a number where either old neighbour is not.
pub(super) fn numbers(old: &[f64], clock: &Clock) -> Vec<f64> {
    let at = |frame: usize| old.get(frame).copied().filter(|v| v.is_finite());
    let new = clock.places().map(|place| match place {
        Place::On(from) => old[from],
        Place::After(from, t) => match (at(from), at(from + 1)) {
            (Some(p1), Some(p2)) => {
                between(from.checked_sub(1).and_then(at), p1, p2, at(from + 2), t)
            }
            _ => f64::NAN,
        },
    });
    new.collect()
}

/// A skeleton's motion at the new frames, channel by channel.
pub(super) fn motion(old: &Motion, clock: &Clock) -> Result<Motion> {
    let joints = old.skeleton().joints();
    let channels: Vec<JointChannel> = joints.iter().flat_map(|j| j.channels.clone()).collect();
    let width = channels.len();
    let mut values = vec![0.0; width * clock.frames()];
    for (column, channel) in channels.into_iter().enumerate() {
        let raw: Vec<f64> = old.values().iter().skip(column).step_by(width).copied().collect();
        let smooth = match channel {
            JointChannel::Rotation(_) => unwrapped(&raw),
            JointChannel::Translation(_) => raw.clone(),
        };
        let new = numbers(&smooth, clock);
        for ((frame, place), value) in clock.places().enumerate().zip(new) {
            // A sample that coincides keeps its own count of turns.
            let kept = if let Place::On(from) = place { raw[from] } else { value };
            values[frame * width + column] = kept;
        }
    }
    Motion::new(old.skeleton().clone(), clock.frames(), values)
}

/// Angles without jumps of a whole turn, so that the way from one to the next is the short one.
fn unwrapped(old: &[f64]) -> Vec<f64> {
    let mut turns = 0.0;
    let mut previous = old.first().copied().unwrap_or(0.0);
    let unwrap = |&value: &f64| {
        let step = value - previous;
        if step.abs() > PI && step.is_finite() {
            turns -= (step / TAU).round() * TAU;
        }
        previous = value;
        value + turns
    };
    old.iter().map(unwrap).collect()
}
