//! Maximum likelihood: the sphere with the least geometric distances.

mod pass;

use nalgebra::{Matrix3, Vector3};

use super::shape::Shape;

/// Where the iteration came to rest.
#[derive(Debug, Clone, Copy)]
pub(super) struct Geometric {
    pub centre: Vector3<f64>,
    /// The bias of the radius is removed.
    pub radius: f64,
    /// Σ(l - r)² / (N - 4).
    pub variance: f64,
    pub converged: bool,
}

const MAX_STEPS: usize = 50;
/// Relative to the radius.
const STEP_TOLERANCE: f64 = 1e-12;

/// Sums that differ by less are the same; near the minimum they do.
const COST_ROUNDING: f64 = 1e-13;

/// Minimises Σ(|x - c| - r)² from a start.
///
/// # Method
/// For a given c the best r is the mean of l_i = |x_i - c|; with u_i = (x_i - c)/l_i the Gauss-Newton
/// step on what is left is Δc = [Σuuᵀ - (Σu)(Σu)ᵀ/N]⁻¹ [Σu l - (Σu)(Σl)/N], where Σu l = N(x̄ - c) needs
/// no pass. Levenberg's damping is added only where a step made things worse. The radius is too
/// large by (D - 1)σ²/(2r) and is corrected.
///
/// # Reference
/// S. M. Robinson (1961); J. K. Knight (2008), (2), (59).
pub(super) fn geometric(
    points: [&[f64]; 3],
    shape: &Shape<3>,
    start: (Vector3<f64>, f64),
) -> Geometric {
    let n = points[0].len() as f64;
    let (mut centre, mut radius) = start;
    let mut sums = pass::sums(points, centre, radius);
    let mut damping = 0.0;
    let mut converged = false;
    let far = 1e8 * shape.z.sqrt();
    for _ in 0..MAX_STEPS {
        let mean_u = sums.u / n;
        let mean_l = radius + sums.excess / n;
        let gradient = (shape.mean - centre) - mean_u * mean_l;
        let normal = sums.uu / n - mean_u * mean_u.transpose();
        let damped = normal + Matrix3::identity() * damping;
        let Some(step) = damped.cholesky().map(|cholesky| cholesky.solve(&gradient)) else {
            damping = (damping * 10.0).max(1e-12);
            continue;
        };
        let tolerance = STEP_TOLERANCE * mean_l + 4.0 * f64::EPSILON * centre.amax();
        let next = pass::sums(points, centre + step, mean_l);
        if next.cost(n) <= sums.cost(n) * (1.0 + COST_ROUNDING) || step.norm() <= tolerance {
            centre += step;
            radius = mean_l;
            sums = next;
            damping *= 0.1;
        } else {
            damping = (damping * 10.0).max(1e-6 * normal.trace());
        }
        if step.norm() <= tolerance {
            converged = true;
            break;
        }
        if (centre - shape.mean).norm() > far {
            break;
        }
    }
    let radius = radius + sums.excess / n;
    let left = n - 4.0;
    let variance = if left > 0.0 { sums.cost(n) / left } else { 0.0 };
    Geometric { centre, radius: radius - variance / radius, variance, converged }
}
