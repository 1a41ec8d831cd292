//! Bodies that take each other's names for a while.

use nalgebra::Isometry3;

use super::trouble::{Trouble, TroubleKind};
use crate::trial::{Body, Origin};

/// A turn by one radian counts like so many metres.
const METRES_A_RADIAN: f64 = 0.2;
/// Steps below this are not looked at, in metres.
const MIN_STEP_M: f64 = 0.1;
/// Under the other's name both must go on so much more smoothly.
const SMOOTHER: f64 = 0.3;
/// Poses older than so many frames say nothing about where a body should be: people turn round in a second.
pub(super) const MAX_AGE: usize = 10;

/// Puts right what was exchanged, and says what.
///
/// # Method
/// From frame to frame a body hardly moves. Where two bodies jump, and each lands where the other just was,
/// turned as the other was turned, their names were exchanged, until they jump back.
pub(super) fn repair(bodies: &mut [Body]) -> Vec<Trouble> {
    let frames = bodies.iter().map(Body::frames).max().unwrap_or(0);
    // Under whose name each body is recorded now, where it was last seen, and since when it is not itself.
    let mut recorded_as: Vec<usize> = (0..bodies.len()).collect();
    let mut last: Vec<Option<(usize, Isometry3<f64>)>> = vec![None; bodies.len()];
    let mut open: Vec<([usize; 2], usize)> = Vec::new();
    let mut troubles = Vec::new();
    let mut now: Vec<Option<(Isometry3<f64>, Origin)>> = Vec::with_capacity(bodies.len());
    for frame in 0..frames {
        now.clear();
        now.extend(
            bodies.iter().map(|body| Some((*body.world_from_body(frame)?, body.origin(frame)))),
        );
        let step = |name: usize, body: usize| -> Option<f64> {
            let (seen, before) = last[body]?;
            let (pose, _) = now[name]?;
            (frame - seen <= MAX_AGE).then(|| step_m(&before, &pose))
        };
        let jumping: Vec<usize> = (0..bodies.len())
            .filter(|body| step(recorded_as[*body], *body).is_some_and(|s| s > MIN_STEP_M))
            .collect();
        for (k, &a) in jumping.iter().enumerate() {
            for &b in &jumping[k + 1..] {
                let (of_a, of_b) = (recorded_as[a], recorded_as[b]);
                let together = |one: Option<f64>, other: Option<f64>| Some(one? + other?);
                let same = together(step(of_a, a), step(of_b, b));
                let exchanged = together(step(of_b, a), step(of_a, b));
                if exchanged.zip(same).is_some_and(|(e, s)| e < SMOOTHER * s) {
                    recorded_as.swap(a, b);
                    match open.iter().position(|(pair, _)| *pair == [a, b]) {
                        Some(at) => {
                            let (_, since) = open.swap_remove(at);
                            troubles.push(exchange(bodies, [a, b], since, frame));
                        }
                        None => open.push(([a, b], frame)),
                    }
                }
            }
        }
        for (body, name) in recorded_as.iter().enumerate() {
            let own = now[*name];
            if *name != body && frame < bodies[body].frames() {
                let origin = own.map_or(Origin::Missing, |(_, origin)| origin);
                bodies[body].set(frame, own.map(|(pose, _)| pose), origin);
            }
            if let Some((pose, _)) = own {
                last[body] = Some((frame, pose));
            }
        }
    }
    troubles.extend(open.into_iter().map(|(pair, since)| exchange(bodies, pair, since, frames)));
    troubles
}

fn step_m(before: &Isometry3<f64>, now: &Isometry3<f64>) -> f64 {
    let way_m = (now.translation.vector - before.translation.vector).norm();
    way_m + METRES_A_RADIAN * now.rotation.angle_to(&before.rotation)
}

fn exchange(bodies: &[Body], [a, b]: [usize; 2], since: usize, until: usize) -> Trouble {
    Trouble {
        kind: TroubleKind::Exchange { with: bodies[b].name.clone() },
        body: bodies[a].name.clone(),
        frames: since..until,
    }
}
