//! Centres in spite of gross outliers: marker swaps, spikes, reflections.

use nalgebra::Vector3;

use super::fit::SphereFit;
use super::input;
use super::method::Method;
use super::moments::Moments;
use super::sphere::sphere;
use crate::error::Result;

/// A centre with the samples that did not belong to it.
#[derive(Debug, Clone, PartialEq)]
pub struct RobustFit {
    /// The fit to the samples that were kept.
    pub fit: SphereFit,
    /// The samples left out, by index, in order.
    pub rejected: Vec<usize>,
}

/// Spheres tried through few points each; with a tenth of outliers, 60 % of them are clean.
const TRIALS: usize = 200;
/// Points a trial: more than four, so that one of them is not ruled by noise alone.
const POINTS_A_TRIAL: usize = 5;
/// So many samples suffice to compare trials.
const SCORED_SAMPLES: usize = 500;
/// Samples further off than so many standard deviations are left out.
const REJECTION: f64 = 3.0;
const MAX_ROUNDS: usize = 20;
/// Median absolute deviation to standard deviation.
const MAD_TO_SIGMA: f64 = 1.482_602_218_505_602;

/// Finds a centre although up to a tenth of the samples, and often more, are grossly wrong.
///
/// # Method
/// Spheres through a few samples each compete for the least median of | |x - c| - r |; around the
/// best one, samples beyond three standard deviations (by the median) are left out and the rest is
/// fitted by `method`, again and again until the same samples are left. The choice of samples is
/// fixed, so the same points give the same answer. Without outliers about 3 samples in 1000 are
/// left out.
///
/// # Errors
/// As [`sphere`].
///
/// # Reference
/// P. J. Rousseeuw (1984), *Least median of squares regression*.
pub fn sphere_robust(points: [&[f64]; 3], method: Method) -> Result<RobustFit> {
    let scaled = input::scaled(points, 4)?;
    let unit = scaled.unit;
    let rows: Vec<Vector3<f64>> = {
        let [x, y, z] = scaled.points();
        (0..x.len()).map(|i| Vector3::new(x[i], y[i], z[i])).collect()
    };
    let mut start = best_trial(&rows);
    let mut kept: Vec<usize> = (0..rows.len()).collect();
    let mut fit = None;
    for _ in 0..MAX_ROUNDS {
        let Some((centre, radius)) = start else { break };
        let off = |row: &Vector3<f64>| ((row - centre).norm() - radius).abs();
        let sigma = MAD_TO_SIGMA * median(rows.iter().map(off));
        let floor = 1e-12 * (radius + centre.amax());
        let near: Vec<usize> =
            (0..rows.len()).filter(|&i| off(&rows[i]) <= REJECTION * sigma + floor).collect();
        if fit.is_some() && near == kept {
            break;
        }
        let found = fit_of(&rows, &near, method)?;
        start = Some((found.centre.coords, found.mean_radius(&rows, &near)));
        kept = near;
        fit = Some(found);
    }
    let fit = match fit {
        Some(fit) => fit.scaled_by(unit),
        None => sphere(points, method)?,
    };
    let mut is_kept = vec![false; rows.len()];
    kept.iter().for_each(|&i| is_kept[i] = true);
    Ok(RobustFit { fit, rejected: (0..rows.len()).filter(|&i| !is_kept[i]).collect() })
}

fn fit_of(rows: &[Vector3<f64>], kept: &[usize], method: Method) -> Result<SphereFit> {
    let axis = |axis: usize| kept.iter().map(|&i| rows[i][axis]).collect::<Vec<f64>>();
    let (x, y, z) = (axis(0), axis(1), axis(2));
    sphere([&x, &y, &z], method)
}

impl SphereFit {
    /// The mean distance from the centre, which on a hinge seen from a sphere differs from the radius.
    fn mean_radius(&self, rows: &[Vector3<f64>], kept: &[usize]) -> f64 {
        let distances = kept.iter().map(|&i| (rows[i] - self.centre.coords).norm());
        distances.sum::<f64>() / kept.len() as f64
    }
}

/// The sphere through a few samples with the least median distance.
fn best_trial(rows: &[Vector3<f64>]) -> Option<(Vector3<f64>, f64)> {
    let step = rows.len().div_ceil(SCORED_SAMPLES);
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = |below: usize| {
        // Knuth's multiplier; the high bits are good.
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let mut best: Option<(f64, Vector3<f64>, f64)> = None;
    for _ in 0..TRIALS {
        let few = Moments::of_rows((0..POINTS_A_TRIAL).map(|_| rows[random(rows.len())]));
        let Some(inverse) = few.a.try_inverse() else { continue };
        let centre = few.mean + inverse * few.t * 0.5;
        let radius =
            (few.a.trace() / few.samples as f64 + (centre - few.mean).norm_squared()).sqrt();
        let score =
            median(rows.iter().step_by(step).map(|row| ((row - centre).norm() - radius).abs()));
        if score.is_finite() && best.is_none_or(|(least, ..)| score < least) {
            best = Some((score, centre, radius));
        }
    }
    best.map(|(_, centre, radius)| (centre, radius))
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    if values.is_empty() {
        return f64::NAN;
    }
    let middle = values.len() / 2;
    *values.select_nth_unstable_by(middle, f64::total_cmp).1
}
