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
/// no pass. The matrix lacks Σ(l - r)/l (I - uuᵀ), which near the limit (212) is as large as its
/// smallest eigenvalue: the step would then gain a third of the way or less, again and again. What
/// the steps themselves show of it is added, by symmetric updates of rank one. Levenberg's damping
/// is added only where a step made things worse. The radius is too large by (D - 1)σ²/(2r) and is
/// corrected.
///
/// # Reference
/// S. M. Robinson (1961); J. K. Knight (2008), (2), (59). The update: C. G. Broyden (1967),
/// *Quasi-Newton methods and their application to function minimisation*.
pub(super) fn geometric(
    points: [&[f64]; 3],
    shape: &Shape<3>,
    start: (Vector3<f64>, f64),
) -> Geometric {
    let n = points[0].len() as f64;
    let mut at = Place::of(points, shape, start);
    let mut damping = 0.0;
    let mut curvature = Matrix3::zeros();
    let mut converged = false;
    let far = 1e8 * shape.z.sqrt();
    for _ in 0..MAX_STEPS {
        let damped = at.normal + curvature + Matrix3::identity() * damping;
        let Some(step) = damped.cholesky().map(|cholesky| cholesky.solve(&at.gradient)) else {
            damping = (damping * 10.0).max(1e-12);
            curvature = Matrix3::zeros();
            continue;
        };
        let tolerance = STEP_TOLERANCE * at.mean_l + 4.0 * f64::EPSILON * at.centre.amax();
        let next = Place::of(points, shape, (at.centre + step, at.mean_l));
        if next.cost <= at.cost * (1.0 + COST_ROUNDING) || step.norm() <= tolerance {
            let seen = at.gradient - next.gradient;
            curvature += rank_one(&step, &(seen - (next.normal + curvature) * step));
            at = next;
            damping *= 0.1;
        } else {
            damping = (damping * 10.0).max(1e-6 * at.normal.trace());
        }
        if step.norm() <= tolerance {
            converged = true;
            break;
        }
        if (at.centre - shape.mean).norm() > far {
            break;
        }
    }
    Geometric::of(at.centre, at.mean_l, (at.cost, n), converged)
}

/// One Gauss-Newton step from a closed form, in a single pass: all but the last per cent of what
/// [`geometric`] gains on it. `None` where the step has no answer.
///
/// # Method
/// To first order in the step the mean distance falls by ū·Δc, the cost by N times gradient·Δc.
pub(super) fn polished(
    points: [&[f64]; 3],
    shape: &Shape<3>,
    start: (Vector3<f64>, f64),
) -> Option<Geometric> {
    let n = points[0].len() as f64;
    let at = Place::of(points, shape, start);
    let step = at.normal.cholesky()?.solve(&at.gradient);
    let cost = (at.cost - n * at.gradient.dot(&step)).max(0.0);
    let mean_l = at.mean_l - at.mean_u.dot(&step);
    Some(Geometric::of(at.centre + step, mean_l, (cost, n), true))
}

impl Geometric {
    fn of(centre: Vector3<f64>, mean_l: f64, (cost, n): (f64, f64), converged: bool) -> Self {
        let left = n - 4.0;
        let variance = if left > 0.0 { cost / left } else { 0.0 };
        Self { centre, radius: mean_l - variance / mean_l, variance, converged }
    }
}

/// A centre, and what the points say about it.
struct Place {
    centre: Vector3<f64>,
    mean_u: Vector3<f64>,
    mean_l: f64,
    /// Downhill, per point.
    gradient: Vector3<f64>,
    /// Gauss-Newton's matrix, per point.
    normal: Matrix3<f64>,
    cost: f64,
}

impl Place {
    fn of(points: [&[f64]; 3], shape: &Shape<3>, (centre, radius): (Vector3<f64>, f64)) -> Self {
        let n = points[0].len() as f64;
        let sums = pass::sums(points, centre, radius);
        let (mean_u, mean_l) = (sums.u / n, radius + sums.excess / n);
        Self {
            centre,
            mean_u,
            mean_l,
            gradient: (shape.mean - centre) - mean_u * mean_l,
            normal: sums.uu / n - mean_u * mean_u.transpose(),
            cost: sums.cost(n),
        }
    }
}

/// The update of rank one after which the matrix would have foreseen what the step brought.
fn rank_one(step: &Vector3<f64>, surprise: &Vector3<f64>) -> Matrix3<f64> {
    let along = surprise.dot(step);
    // Nearly at right angles the quotient is mere rounding.
    if along.abs() <= 1e-8 * surprise.norm() * step.norm() {
        return Matrix3::zeros();
    }
    surprise * surprise.transpose() / along
}
