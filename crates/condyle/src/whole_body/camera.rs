//! How noisy cameras are: what is new in every frame of a marker, beside its skin.

use nalgebra::Vector3;

use crate::rigid::Traces;
use crate::statistics::median;

/// What is assumed of cameras at least: sd a coordinate.
pub(super) const MARKER_NOISE_M: f64 = 1e-3;

/// Weights of the fourth difference, and the sum of their squares.
const WEIGHTS: [f64; 5] = [1.0, -4.0, 6.0, -4.0, 1.0];
const SQUARES: f64 = 70.0;
/// The median of the sum of three squared standard normal numbers.
const MEDIAN: f64 = 2.365_973_884;

/// The standard deviation that cameras add to every coordinate, as the markers in these columns show it about some frames.
///
/// # Method
/// What people do is smooth from frame to frame, and so is how their skin slides: fourth differences hold next to
/// nothing of it, and √70 times the noise. Their median does not mind impacts and jumps.
pub(super) fn noise_m(columns: &[usize], traces: &dyn Traces, frames: &[usize]) -> f64 {
    let half = WEIGHTS.len() / 2;
    let last = traces.frames().saturating_sub(half);
    let inside = frames.iter().filter(|frame| (half..last).contains(frame));
    let differences = inside.flat_map(|frame| {
        columns.iter().filter_map(move |column| {
            let mut sum = Vector3::zeros();
            for (k, weight) in WEIGHTS.iter().enumerate() {
                sum += traces.position_m(frame + k - half, *column)?.coords * *weight;
            }
            Some(sum.norm_squared())
        })
    });
    let square_m2 = median(differences).unwrap_or(0.0) / (SQUARES * MEDIAN);
    square_m2.sqrt().max(MARKER_NOISE_M)
}

#[cfg(test)]
mod tests {
    use super::{MARKER_NOISE_M, noise_m};
    use crate::rigid::Traces;
    use nalgebra::Point3;

    /// A marker that swings by half a metre once a second, at 100 frames a second, and hops by an amount.
    struct Swinging(f64);

    impl Traces for Swinging {
        fn frames(&self) -> usize {
            1000
        }

        fn position_m(&self, frame: usize, marker: usize) -> Option<Point3<f64>> {
            let swing = 0.5 * (frame as f64 * 0.0628).sin();
            // Digits of multiples of irrational numbers: uniform between -1 and 1, with a variance of a third.
            let hop = |k: f64| 2.0 * ((frame * 41 + marker) as f64 * k).fract() - 1.0;
            let hops = [0.618_033_988_7, 0.414_213_562_3, 0.732_050_807_5].map(hop);
            Some(Point3::new(
                swing + self.0 * hops[0],
                self.0 * hops[1],
                swing * swing + self.0 * hops[2],
            ))
        }
    }

    #[test]
    fn swinging_is_no_noise_and_hopping_is() {
        let frames: Vec<usize> = (0..40).map(|k| 25 * k).collect();
        let columns: Vec<usize> = (0..41).collect();
        assert_eq!(noise_m(&columns, &Swinging(0.0), &frames), MARKER_NOISE_M);
        let found_m = noise_m(&columns, &Swinging(0.005), &frames);
        assert!((found_m / (0.005 / 3f64.sqrt()) - 1.0).abs() < 0.5, "{found_m}");
    }
}
