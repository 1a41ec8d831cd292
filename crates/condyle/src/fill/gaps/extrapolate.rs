//! What a marker would do if it went on as before: baselines that know no future.

use nalgebra::{Matrix2, Rotation3, Unit, Vector2, Vector3};

use super::neighbours::Neighbours;
use super::tracks::{Gap, Tracks};

/// The last so many seconds before a gap are looked at.
const LOOKED_AT_S: f64 = 0.5;
/// Distances to so many neighbours are kept.
const KEPT_DISTANCES: usize = 3;
/// Rounds of correcting one distance after the other.
const ROUNDS: usize = 8;
/// The noise of a sample, in metres.
const NOISE_M: f64 = 0.5e-3;

/// How it goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Going {
    /// By a Kalman filter with constant velocity.
    Velocity,
    /// On the line through the last samples.
    Linear,
    /// On the circle through the last samples.
    Circular,
}

/// The positions of a gap from what was before; `None` if there are not three samples right before it.
///
/// # Method
/// Each frame goes on from the last; then the distances to the most rigid neighbours are corrected to their means.
///
/// # Reference
/// A. Aristidou (2010), section 4.7: the extended Kalman filter and the extrapolation that it compares with; neither is
/// given in formulas, the circle through the last three smoothed samples is ours.
pub fn estimate(
    tracks: &Tracks,
    gap: &Gap,
    neighbours: &Neighbours,
    going: Going,
) -> Option<Vec<Vector3<f64>>> {
    let start = gap.frames.start;
    let looked_at = ((LOOKED_AT_S * tracks.rate_hz) as usize).max(3);
    let seen = |back: &usize| tracks.at(gap.marker, start - back).is_some();
    let count = (1..=looked_at.min(start)).take_while(seen).count();
    if count < 3 {
        return None;
    }
    let past: Vec<Vector3<f64>> =
        (start - count..start).map(|t| tracks.positions_m[gap.marker][t]).collect();
    let mut step = Step::of(&past, going);
    let mut at = step.start;
    let next = |t: usize| {
        at = step.on(at);
        for _ in 0..ROUNDS {
            for neighbour in neighbours.ranked.iter().take(KEPT_DISTANCES) {
                let away = at - tracks.positions_m[neighbour.marker][t];
                let distance = away.norm();
                if distance > 0.0 {
                    at += away * ((neighbour.distance_m / distance - 1.0) * 0.5);
                }
            }
        }
        at
    };
    Some(gap.frames.clone().map(next).collect())
}

/// What is done from one frame to the next.
struct Step {
    start: Vector3<f64>,
    velocity: Vector3<f64>,
    turn: Rotation3<f64>,
}

impl Step {
    fn of(past: &[Vector3<f64>], going: Going) -> Self {
        let last = past.len() - 1;
        // Over some frames, so that noise counts less.
        let reach = (last / 2).clamp(1, 6);
        let [a, b, c] = [past[last - 2 * reach], past[last - reach], past[last]];
        let plain = (c - b) / reach as f64;
        let (start, velocity, turn) = match going {
            Going::Linear => (c, plain, Rotation3::identity()),
            Going::Velocity => {
                let (start, velocity) = filtered(past);
                (start, velocity, Rotation3::identity())
            }
            Going::Circular => {
                let (u, v) = (b - a, c - b);
                let angle = u.cross(&v).norm().atan2(u.dot(&v)) / reach as f64;
                let turn = match Unit::try_new(u.cross(&v), 1e-12) {
                    Some(axis) => Rotation3::from_axis_angle(&axis, angle),
                    None => Rotation3::identity(),
                };
                // The chord of the last frame, not of the middle of the last few.
                let half = (reach as f64 - 1.0) * 0.5;
                (c, turn.powf(half) * plain, turn)
            }
        };
        Self { start, velocity, turn }
    }

    fn on(&mut self, at: Vector3<f64>) -> Vector3<f64> {
        self.velocity = self.turn * self.velocity;
        at + self.velocity
    }
}

/// Position and velocity, a frame, by a Kalman filter with constant velocity; the same for the three axes.
fn filtered(past: &[Vector3<f64>]) -> (Vector3<f64>, Vector3<f64>) {
    let bends = past.windows(3).map(|w| (w[0] - w[1] * 2.0 + w[2]).norm_squared() / 3.0);
    let q = (bends.sum::<f64>() / (past.len() - 2) as f64).max(1e-12);
    let noise = NOISE_M * NOISE_M;
    let transition = Matrix2::new(1.0, 1.0, 0.0, 1.0);
    let driven = Matrix2::new(1.0 / 3.0, 0.5, 0.5, 1.0) * q;
    let mut covariance = Matrix2::new(noise, 0.0, 0.0, 1.0);
    let (mut position, mut velocity) = (past[0], Vector3::zeros());
    for seen in &past[1..] {
        position += velocity;
        covariance = transition * covariance * transition.transpose() + driven;
        let gain: Vector2<f64> = covariance.column(0) / (covariance[(0, 0)] + noise);
        let surprise = seen - position;
        position += surprise * gain[0];
        velocity += surprise * gain[1];
        covariance -= gain * covariance.row(0);
    }
    (position, velocity)
}
