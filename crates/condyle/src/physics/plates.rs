//! The force that a motion needs, beside the force that plates measured.

use nalgebra::{Point3, Vector3};

use super::{GRAVITY_M_S2, Physics};
use crate::force_plates::{self, ForcePlate};
use crate::job::SolvedPerformer;
use crate::marker_set::body_part;
use crate::trial::Trial;

/// The acceleration of a frame is that of the parabola through the frames so near on either side.
const HALF_WINDOW_S: f64 = 0.05;
/// A foot whose lowest marker is not higher than this above its lowest is on the ground, or about to be.
const ON_GROUND_M: f64 = 0.03;
/// A foot may stand so far beyond the edge that its markers tell of.
const EDGE_M: f64 = 0.02;
/// Frames that are compared at least.
const LEAST_FRAMES: usize = 20;

/// How well motion and plates agree, over the frames in which whatever foot is on the ground is on a plate.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct PlateComparison {
    /// For every such frame its time, the vertical force by the motion, and by the plates, in newtons.
    pub vertical_n: Vec<[f64; 3]>,
    /// What the plates say that the performer weighs: the mean force over the mean of gravity and acceleration.
    pub weight_kg: f64,
    /// The correlation of the vertical forces.
    pub correlation: f64,
    /// Their difference, rms, with the weight by the plates.
    pub rms_n: f64,
    /// The same of a force that is the weight in every frame: what nobody needs a motion for.
    pub weight_alone_rms_n: f64,
}

impl Physics {
    /// The vertical force m(a + g) of the motion beside that of the plates; `None` where there are no plates, or too few
    /// frames in which nothing else is stood on.
    pub fn beside_plates(
        &self,
        trial: &Trial,
        performer: &SolvedPerformer,
    ) -> Option<PlateComparison> {
        let up = self.up?;
        let (plates, _) = force_plates::read(trial, up);
        if plates.is_empty() {
            return None;
        }
        let feet = Feet::new(performer, trial.frames, &up)?;
        let half = ((HALF_WINDOW_S * self.rate_hz).round() as usize).max(2);
        let mut rows = Vec::new();
        for frame in half..trial.frames.saturating_sub(half) {
            let Some(measured_n) = measured(&plates, &feet, frame, self.rate_hz) else { continue };
            let window: Option<Vec<Point3<f64>>> = self.states[frame - half..=frame + half]
                .iter()
                .map(|state| Some(state.as_ref()?.centre_of_mass_m))
                .collect();
            let Some(window) = window else { continue };
            let lift_m_s2 = acceleration(&window, self.rate_hz).dot(&up) + GRAVITY_M_S2;
            rows.push([trial.time_s(frame), lift_m_s2, measured_n]);
        }
        if rows.len() < LEAST_FRAMES {
            return None;
        }
        let count = rows.len() as f64;
        let mean = |of: usize| rows.iter().map(|row| row[of]).sum::<f64>() / count;
        let (lift, force) = (mean(1), mean(2));
        let product = |a: usize, b: usize| {
            let means = [0.0, lift, force];
            rows.iter().map(|row| (row[a] - means[a]) * (row[b] - means[b])).sum::<f64>()
        };
        let weight_kg = force / lift;
        let rms = |by: &dyn Fn(&[f64; 3]) -> f64| {
            (rows.iter().map(|row| (by(row) - row[2]).powi(2)).sum::<f64>() / count).sqrt()
        };
        Some(PlateComparison {
            correlation: product(1, 2) / (product(1, 1) * product(2, 2)).sqrt(),
            rms_n: rms(&|row| weight_kg * row[1]),
            weight_alone_rms_n: rms(&|_| force),
            vertical_n: rows.iter().map(|[s, lift, n]| [*s, weight_kg * lift, *n]).collect(),
            weight_kg,
        })
    }
}

/// The markers of both feet through the frames.
struct Feet {
    /// For every foot and frame its markers.
    markers_m: Vec<Vec<Option<Vec<Point3<f64>>>>>,
    /// How high the lowest marker of every foot is when it is lowest.
    ground_m: Vec<f64>,
    up: Vector3<f64>,
}

impl Feet {
    fn new(performer: &SolvedPerformer, frames: usize, up: &Vector3<f64>) -> Option<Self> {
        let segments = performer.subject.segments().iter().enumerate();
        let is_foot = |name: &str| body_part(name).is_some_and(|(part, _)| part == "foot");
        let feet: Vec<usize> =
            segments.filter(|(_, own)| is_foot(&own.name)).map(|(at, _)| at).collect();
        let markers_of = |foot: usize| -> Vec<Option<Vec<Point3<f64>>>> {
            let markers = &performer.subject.segments()[foot].markers;
            let place = |frame: usize| {
                let pose = performer.motion.world_from_segment(frame, foot)?;
                Some(markers.iter().map(|marker| pose * marker.position_in_segment_m).collect())
            };
            (0..frames).map(place).collect()
        };
        let markers_m: Vec<_> = feet.iter().map(|foot| markers_of(*foot)).collect();
        let ground_m = markers_m.iter().map(|of: &Vec<Option<Vec<Point3<f64>>>>| {
            let heights = of.iter().flatten().flatten().map(|at| at.coords.dot(up));
            heights.fold(f64::INFINITY, f64::min)
        });
        let ground_m: Vec<f64> = ground_m.collect();
        (feet.len() == 2).then_some(Self { markers_m, ground_m, up: *up })
    }
}

/// The vertical force of all plates in a frame; `None` if a foot is on the ground beside them, none is on one, or one is
/// not placed.
fn measured(plates: &[ForcePlate], feet: &Feet, frame: usize, rate_hz: f64) -> Option<f64> {
    let mut is_on = false;
    for (markers_m, ground_m) in feet.markers_m.iter().zip(&feet.ground_m) {
        let markers_m = markers_m[frame].as_ref()?;
        let is_low = |at: &&Point3<f64>| at.coords.dot(&feet.up) < ground_m + ON_GROUND_M;
        for low in markers_m.iter().filter(is_low) {
            if !plates.iter().any(|plate| plate.is_over(low, EDGE_M)) {
                return None;
            }
            is_on = true;
        }
    }
    let force_n: f64 = plates
        .iter()
        .map(|plate| {
            // The mean over the frame.
            let per_frame = plate.rate_hz / rate_hz;
            let from = ((frame as f64 - 0.5) * per_frame).max(0.0) as usize;
            let to = ((frame as f64 + 0.5) * per_frame) as usize + 1;
            let of: Vec<f64> = plate.vertical_n().skip(from).take(to - from).collect();
            of.iter().sum::<f64>() / of.len().max(1) as f64
        })
        .sum();
    let is_loaded = plates.iter().map(|plate| plate.threshold_n).fold(0.0, f64::max) < force_n;
    (is_on && is_loaded).then_some(force_n)
}

/// The acceleration in the middle of points that follow each other: twice the curvature of the parabola through them.
fn acceleration(points: &[Point3<f64>], rate_hz: f64) -> Vector3<f64> {
    let half = (points.len() / 2) as f64;
    let squares = points.iter().enumerate().map(|(at, _)| (at as f64 - half).powi(2));
    let mean = squares.clone().sum::<f64>() / points.len() as f64;
    let spread: f64 = squares.clone().map(|square| (square - mean).powi(2)).sum();
    let sum: Vector3<f64> =
        points.iter().zip(squares).map(|(at, square)| at.coords * (square - mean)).sum();
    sum * (2.0 * rate_hz * rate_hz / spread)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_acceleration_of_a_parabola_is_exact() {
        let at = |k: usize| {
            let t = k as f64 / 100.0;
            Point3::new(1.0 + 2.0 * t, -3.0 * t * t, 0.5 * t - 4.9 * t * t)
        };
        let points: Vec<Point3<f64>> = (0..11).map(at).collect();
        let expected = Vector3::new(0.0, -6.0, -9.8);
        assert!((acceleration(&points, 100.0) - expected).norm() < 1e-9);
    }
}
