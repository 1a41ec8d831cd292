//! The most probable numbers of a kernel, given what was seen and what is usual.
#![allow(clippy::needless_range_loop, reason = "several slices of one length, side by side")]

use nalgebra::{SMatrix, SVector, Vector3};

use pulp::Arch;

use super::cholesky::Cholesky;
use super::kernel::{Kernel, PARAMETERS};
use super::lanes::exp_negative;

type Vector = SVector<f64, PARAMETERS>;
type Matrix = SMatrix<f64, PARAMETERS, PARAMETERS>;

/// Steps at most; more were measured to gain nothing.
const MAX_STEPS: usize = 14;
/// Smaller steps than this, in standard deviations of the prior, end the search.
const SMALL_STEP: f64 = 0.02;
/// The numbers stay within so many standard deviations of the prior.
const MAX_DEVIATION: f64 = 4.0;
/// No step is longer than this, in standard deviations of the prior.
const LONGEST_STEP: f64 = 2.0;
/// What is usual: the spread of the logarithms of σₗ, σᵣ, ℓ, σₜ, τ, σₙ.
const LOG_SD: [f64; PARAMETERS] = [1.0, 1.0, 0.7, 1.0, 0.8, 0.7];

/// Frames to learn from, pair by pair: only the upper triangles are read.
pub struct Pairs {
    /// How many frames.
    pub size: usize,
    /// The inner product of their features.
    pub product: Vec<f64>,
    /// The squared distance of their features.
    pub square: Vec<f64>,
    /// The time between them, in seconds.
    pub time_s: Vec<f64>,
}

/// What is usual for targets of this root mean square, in metres.
fn usual(rms_m: f64) -> [f64; PARAMETERS] {
    let y = rms_m + 0.3e-3;
    [y, y / 2.0, 0.7, (0.3 * y).max(0.5e-3), 0.25, 0.3e-3]
}

/// The kernel of the largest posterior probability, found from `start` or from what is usual.
///
/// # Method
/// Quasi-Newton steps (BFGS) on the logarithms of the six numbers, in units of their prior's standard deviation, with
/// the analytic gradient; log-normal priors.
///
/// # Reference
/// Rasmussen and Williams (2006), (5.8) and (5.9); J. Nocedal, S. J. Wright (2006), *Numerical Optimization*, (6.17).
pub fn most_probable(pairs: &Pairs, targets_m: &[Vector3<f64>]) -> Kernel {
    let square: f64 = targets_m.iter().map(Vector3::norm_squared).sum();
    let rms_m = (square / (3.0 * targets_m.len().max(1) as f64)).sqrt();
    let centre = usual(rms_m);
    let kernel = |u: &Vector| {
        Kernel::from_array(std::array::from_fn(|i| centre[i] * (LOG_SD[i] * u[i]).exp()))
    };
    let mut u = Vector::zeros();
    let Some((mut value, mut gradient)) = cost(pairs, targets_m, &kernel(&u), &u) else {
        return kernel(&u);
    };
    let mut inverse_hessian = Matrix::identity() / gradient.norm().max(1.0);
    for step_count in 0..MAX_STEPS {
        let mut step = -(inverse_hessian * gradient);
        if step.dot(&gradient) >= 0.0 {
            inverse_hessian = Matrix::identity() / gradient.norm().max(1.0);
            step = -(inverse_hessian * gradient);
        }
        step *= (LONGEST_STEP / step.norm()).min(1.0);
        let mut found = None;
        for _ in 0..5 {
            let next = (u + step).map(|v| v.clamp(-MAX_DEVIATION, MAX_DEVIATION));
            match cost(pairs, targets_m, &kernel(&next), &next) {
                Some((lower, g)) if lower <= value + 1e-4 * gradient.dot(&(next - u)) => {
                    found = Some((next, lower, g));
                    break;
                }
                _ => step *= 0.35,
            }
        }
        let Some((next, lower, next_gradient)) = found else { break };
        let (s, y) = (next - u, next_gradient - gradient);
        (u, value, gradient) = (next, lower, next_gradient);
        if s.amax() < SMALL_STEP {
            break;
        }
        let sy = s.dot(&y);
        if sy > 1e-10 {
            if step_count == 0 {
                inverse_hessian = Matrix::identity() * (sy / y.norm_squared());
            }
            let left = Matrix::identity() - s * y.transpose() / sy;
            inverse_hessian = left * inverse_hessian * left.transpose() + s * s.transpose() / sy;
        }
    }
    kernel(&u)
}

/// Minus the logarithm of the posterior, and its gradient; `None` where the matrix has no factors.
///
/// ∂/∂θ = ½ tr((3 K⁻¹ - α αᵀ) ∂K/∂θ), here with θ the logarithms of the numbers.
fn cost(
    pairs: &Pairs,
    targets_m: &[Vector3<f64>],
    kernel: &Kernel,
    u: &Vector,
) -> Option<(f64, Vector)> {
    let n = pairs.size;
    let noise = kernel.noise_m * kernel.noise_m;
    let mut parts = Parts::new(n);
    Arch::new().dispatch(|| parts.fill(pairs, kernel));
    let Parts { matrix, smooth, time } = parts;
    let factors = Cholesky::of(matrix, n)?;
    let mut alpha: Vec<f64> = targets_m.iter().flat_map(|y| [y.x, y.y, y.z]).collect();
    factors.solve(&mut alpha, 3);
    let fit: f64 = targets_m
        .iter()
        .zip(alpha.chunks_exact(3))
        .map(|(y, a)| y.x * a[0] + y.y * a[1] + y.z * a[2])
        .sum();
    let value = 0.5 * (3.0 * factors.ln_determinant() + fit + u.norm_squared());
    let inverse = factors.inverse();
    let sums = Arch::new().dispatch(|| trace(pairs, kernel, [&inverse, &smooth, &time], &alpha));
    let [linear, smooth, length, time, tau, noise_sum] = sums;
    let by_logarithm = [
        2.0 * kernel.linear_m.powi(2) * linear,
        2.0 * smooth,
        length / kernel.length.powi(2),
        2.0 * time,
        tau,
        2.0 * noise * noise_sum,
    ];
    let gradient = Vector::from_fn(|i, _| by_logarithm[i] * LOG_SD[i]) + u;
    (value.is_finite() && gradient.iter().all(|g| g.is_finite())).then_some((value, gradient))
}

/// The covariance of frames, pair by pair, and two of its terms.
struct Parts {
    matrix: Vec<f64>,
    /// σᵣ² exp(-|z - z'|² / 2ℓ²).
    smooth: Vec<f64>,
    /// σₜ² exp(-a).
    time: Vec<f64>,
}

impl Parts {
    fn new(n: usize) -> Self {
        Self { matrix: vec![0.0; n * n], smooth: vec![0.0; n * n], time: vec![0.0; n * n] }
    }

    #[inline(always)]
    fn fill(&mut self, pairs: &Pairs, kernel: &Kernel) {
        let n = pairs.size;
        let rate = 3f64.sqrt() / kernel.time_s;
        let [l2, r2, t2] = [kernel.linear_m, kernel.smooth_m, kernel.time_m].map(|sd| sd * sd);
        let per_square = -0.5 / kernel.length.powi(2);
        for i in 0..n {
            let row = i * n + i..(i + 1) * n;
            let matrix = &mut self.matrix[row.clone()];
            let smooth = &mut self.smooth[row.clone()][..matrix.len()];
            let time = &mut self.time[row.clone()][..matrix.len()];
            let product = &pairs.product[row.clone()][..matrix.len()];
            let square = &pairs.square[row.clone()][..matrix.len()];
            let time_s = &pairs.time_s[row][..matrix.len()];
            for j in 0..matrix.len() {
                let a = rate * time_s[j];
                smooth[j] = r2 * exp_negative(per_square * square[j]);
                time[j] = t2 * exp_negative(-a);
                matrix[j] = l2 * (1.0 + product[j]) + smooth[j] + time[j] * (1.0 + a);
            }
            matrix[0] += kernel.noise_m * kernel.noise_m;
        }
    }
}

/// For each number of the kernel Σ (3 K⁻¹ - α αᵀ) ∂K/∂θ over half of the pairs, up to a factor.
#[inline(always)]
fn trace(
    pairs: &Pairs,
    kernel: &Kernel,
    [inverse, smooth, time]: [&[f64]; 3],
    alpha: &[f64],
) -> [f64; PARAMETERS] {
    let n = pairs.size;
    let rate = 3f64.sqrt() / kernel.time_s;
    let mut sums = [0.0; PARAMETERS];
    let axis = |axis: usize| alpha.iter().skip(axis).step_by(3).copied().collect::<Vec<f64>>();
    let [x, y, z] = [axis(0), axis(1), axis(2)];
    let mut weights = vec![0.0; n];
    for i in 0..n {
        let row = i * n + i..(i + 1) * n;
        let weights = &mut weights[..n - i];
        let (inverse, (xs, ys, zs)) = (&inverse[row.clone()], (&x[i..], &y[i..], &z[i..]));
        for j in 0..weights.len() {
            weights[j] = 3.0 * inverse[j] - (x[i] * xs[j] + y[i] * ys[j] + z[i] * zs[j]);
        }
        weights[0] *= 0.5;
        sums[5] += weights[0];
        let weights = &*weights;
        let length = weights.len();
        let (smooth, time) = (&smooth[row.clone()][..length], &time[row.clone()][..length]);
        let product = &pairs.product[row.clone()][..length];
        let square = &pairs.square[row.clone()][..length];
        let time_s = &pairs.time_s[row][..length];
        // Eight sums of each side by side.
        let mut lanes = [[0.0; 8]; 5];
        let mut one = |j: usize, lane: usize| {
            let (w, elapsed) = (weights[j], rate * time_s[j]);
            lanes[0][lane] += w * (1.0 + product[j]);
            lanes[1][lane] += w * smooth[j];
            lanes[2][lane] += w * smooth[j] * square[j];
            lanes[3][lane] += w * time[j] * (1.0 + elapsed);
            lanes[4][lane] += w * time[j] * elapsed * elapsed;
        };
        for eight in 0..length / 8 {
            for lane in 0..8 {
                one(8 * eight + lane, lane);
            }
        }
        for j in length / 8 * 8..length {
            one(j, 0);
        }
        for (sum, lanes) in sums.iter_mut().zip(lanes) {
            *sum += lanes.iter().sum::<f64>();
        }
    }
    sums
}
