//! How noisy the poses of a body are, from the frames alone.

use nalgebra::{Matrix3, Vector3};

use super::poses::Poses;
use crate::statistics::median;

/// White noise of a body's poses: one standard deviation along, and about, every axis.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PoseNoise {
    /// Of the origin.
    pub position_m: f64,
    /// Of the orientation.
    pub orientation_rad: f64,
}

/// Weights of the fourth difference, and the sum of their squares.
const WEIGHTS: [f64; 5] = [1.0, -4.0, 6.0, -4.0, 1.0];
const SQUARES: f64 = 70.0;
/// The median of the sum of three squared standard normal numbers.
const MEDIAN: f64 = 2.365_973_884;
/// Stretches of five frames that are looked at, evenly spread.
const MOST_STRETCHES: usize = 512;

/// What is larger than this, and a good part of the motion, is no noise: three degrees, two centimetres.
const LARGEST_NOISE_RAD: f64 = 0.05;
const LARGEST_NOISE_M: f64 = 0.02;
const SHARE_OF_MOTION: f64 = 0.3;

impl PoseNoise {
    /// The noise of a body; zero where no five frames in a row show it.
    ///
    /// # Method
    /// What people do is smooth from frame to frame: the fourth difference of it is a ten-thousandth of
    /// its size at 30 Hz, while that of noise is √70 times the noise. The median over the stretches does
    /// not mind jumps. Noise that a filter made smooth is not seen.
    pub fn from_poses(poses: &Poses) -> Self {
        // A sensor that is read more often than it measures repeats itself: that is no noise of its own.
        let x_m = &poses.origin_m[0];
        let is_new = |frame: &usize| {
            let at = *frame;
            at == 0
                || x_m[at] != x_m[at - 1]
                || poses.pose(at).is_none()
                || poses.pose(at) != poses.pose(at - 1)
        };
        let frames: Vec<usize> = (0..poses.frames()).filter(is_new).collect();
        let stretches = frames.len().saturating_sub(WEIGHTS.len() - 1);
        let step = stretches.div_ceil(MOST_STRETCHES).max(1);
        let (mut places, mut turns) = (Vec::new(), Vec::new());
        for from in (0..stretches).step_by(step) {
            let mut place = Vector3::zeros();
            let mut turn = Matrix3::zeros();
            let seen = WEIGHTS.iter().enumerate().try_for_each(|(k, weight)| {
                let (rotation, origin_m) = poses.pose(frames[from + k])?;
                place += origin_m * *weight;
                turn += rotation * *weight;
                Some(())
            });
            if seen.is_some() {
                places.push(place.norm_squared());
                // A small turn ω moves the three axes by 2|ω|², squared and added up.
                turns.push(0.5 * turn.norm_squared());
            }
        }
        let sd = |squares: &[f64]| {
            (median(squares.iter().copied()).unwrap_or(0.0) / (SQUARES * MEDIAN)).sqrt()
        };
        let noise = Self { position_m: sd(&places), orientation_rad: sd(&turns) };
        if noise.is_no_noise(poses) { Self::default() } else { noise }
    }

    /// The mean square of what it does to a point of the body, `arm_m` from the origin.
    pub fn square_m2(&self, arm_m: &Vector3<f64>) -> f64 {
        3.0 * self.position_m.powi(2) + 2.0 * self.orientation_rad.powi(2) * arm_m.norm_squared()
    }

    /// Whether neighbouring frames have so little to do with each other that this is motion: poses taken one
    /// by one, not a recording.
    fn is_no_noise(&self, poses: &Poses) -> bool {
        let mut mean = Matrix3::zeros();
        let (mut sum, mut square, mut count) = (Vector3::zeros(), 0.0, 0.0);
        for (rotation, origin_m) in (0..poses.frames()).filter_map(|frame| poses.pose(frame)) {
            mean += rotation;
            sum += origin_m;
            square += origin_m.norm_squared();
            count += 1.0;
        }
        let count = f64::max(count, 1.0);
        // The mean of rotations that turn by ω on average squared has a norm of 3 - |ω|².
        let turned_rad2 = (3.0 - (mean / count).norm_squared()).max(0.0) / 6.0;
        let moved_m2 = (square / count - (sum / count).norm_squared()).max(0.0) / 3.0;
        let is_most = |noise: f64, spread2: f64, least: f64| {
            noise > least && noise > SHARE_OF_MOTION * spread2.sqrt()
        };
        is_most(self.orientation_rad, turned_rad2, LARGEST_NOISE_RAD)
            || is_most(self.position_m, moved_m2, LARGEST_NOISE_M)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulate::{Options, Performer, Routine, simulate};

    #[test]
    fn poses_taken_one_by_one_show_no_noise() {
        let turn =
            |k: i32| Vector3::new(f64::from(k * 7 % 5) * 0.3, f64::from(k * 3 % 4) * 0.3, 0.1);
        let pose = |k: i32| nalgebra::Isometry3::new(turn(k + 3), turn(k));
        let noise = PoseNoise::from_poses(&Poses::from_frames((0..12).map(|k| Some(pose(k)))));
        assert_eq!(noise, PoseNoise::default());
    }

    #[test]
    fn the_noise_of_moving_sensors_is_found_to_a_tenth() {
        for (noise_m, noise_rad) in [(4e-3, 0.005), (7e-3, 0.02), (0.0, 0.0)] {
            let options = Options {
                routine: Routine::ChickenWalk,
                seconds: 20.0,
                rate_hz: 30.0,
                sensors: true,
                noise_m,
                orientation_noise_rad: noise_rad,
                ..Options::default()
            };
            let simulation = simulate(&Performer::human(), &options).unwrap();
            for body in &simulation.trial.bodies {
                let noise = PoseNoise::from_poses(&Poses::from_body(body));
                let off_m = (noise.position_m - noise_m).abs();
                let off_rad = (noise.orientation_rad - noise_rad).abs();
                assert!(off_m < 0.1 * noise_m + 1e-3, "{}: {noise:?}", body.name);
                assert!(off_rad < 0.1 * noise_rad + 1.5e-3, "{}: {noise:?}", body.name);
            }
        }
    }
}
