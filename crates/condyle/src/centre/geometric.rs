//! Maximum likelihood: the sphere with the least geometric distances.

mod pass;

use nalgebra::{Matrix3, Vector3};

use self::pass::UnitSums;
use super::positive::Factors;
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

/// Each reads the points once.
pub(super) const MAX_STEPS: usize = 50;
/// Relative to the radius.
const STEP_TOLERANCE: f64 = 1e-12;

/// Sums that differ by less are the same; near the minimum they do.
const COST_ROUNDING: f64 = 1e-13;

/// Minimises Σ(|x - c| - r)² from a start, in a number of steps at most.
///
/// # Method
/// For a given c the best r is the mean l̄ of l_i = |x_i - c|. With u_i = (x_i - c)/l_i and
/// W = Σuuᵀ/l the step of Newton's method on what is left is Δc = H⁻¹g, where
///
/// ```text
/// g = (x̄ - c) - ū l̄
/// H = (1 - l̄ tr W/N) I + l̄ W/N - ū ūᵀ
/// ```
///
/// since Σul = N(x̄ - c): it takes no more sums than Gauss and Newton's, and it squares the error
/// where that only divides it. What a step leaves is at most about 3/2 |Δc|²/(l̄ h), h the least
/// eigenvalue of H, which is at least 4 det H/(tr H)²; once that is nothing, the points need not be
/// read again to confirm it. Levenberg's damping is added only where H is not positive or a step made
/// things worse. The radius is too large by (D - 1)σ²/(2r) and is corrected.
///
/// # Reference
/// S. M. Robinson (1961); J. K. Knight (2008), (2), (59).
pub(super) fn geometric(
    points: [&[f64]; 3],
    shape: &Shape<3>,
    start: (Vector3<f64>, f64),
    max_steps: usize,
) -> Geometric {
    let n = points[0].len() as f64;
    let far = 1e8 * shape.z.sqrt();
    let mut here = Place::of(points, shape, start);
    let (mut damping, mut converged) = (0.0, false);
    for _ in 0..max_steps {
        let damped = here.h + Matrix3::from_diagonal_element(damping);
        let Some(factors) = Factors::of(&damped) else {
            damping = (damping * 10.0).max(1e-6);
            continue;
        };
        let step = factors.solve(&here.g);
        let tolerance = STEP_TOLERANCE * here.mean_l + 4.0 * f64::EPSILON * here.centre.amax();
        let least = 4.0 * factors.determinant / damped.trace().powi(2);
        let left = 1.5 * step.norm_squared() / (here.mean_l * least);
        if damping == 0.0 && left <= tolerance {
            here.take(&step, n);
            converged = true;
            break;
        }
        let next = Place::of(points, shape, (here.centre + step, here.mean_l));
        if next.cost <= here.cost * (1.0 + COST_ROUNDING) {
            here = next;
            damping = if damping > 1e-6 { damping * 0.1 } else { 0.0 };
        } else {
            damping = (damping * 10.0).max(1e-3 * here.h.trace().abs());
        }
        converged = step.norm() <= tolerance;
        if converged || (here.centre - shape.mean).norm() > far {
            break;
        }
    }
    here.found(n, converged)
}

/// One step from a closed form, in a single pass: all but the last per cent of what [`geometric`]
/// gains on it. `None` where the step has no answer.
pub(super) fn polished(
    points: [&[f64]; 3],
    shape: &Shape<3>,
    start: (Vector3<f64>, f64),
) -> Option<Geometric> {
    let n = points[0].len() as f64;
    let mut here = Place::of(points, shape, start);
    let step = Factors::of(&here.h)?.solve(&here.g);
    here.take(&step, n);
    Some(here.found(n, true))
}

/// A centre, and what one pass over the points tells of it.
struct Place {
    centre: Vector3<f64>,
    mean_l: f64,
    mean_u: Vector3<f64>,
    g: Vector3<f64>,
    h: Matrix3<f64>,
    /// W/N.
    w: Matrix3<f64>,
    /// Σ(l - l̄)².
    cost: f64,
}

impl Place {
    /// Around a centre, with a radius near the answer.
    fn of(points: [&[f64]; 3], shape: &Shape<3>, (centre, radius): (Vector3<f64>, f64)) -> Self {
        let n = points[0].len() as f64;
        let UnitSums { u, w, excess, excess_squared } = pass::sums(points, centre, radius);
        let (mean_u, w) = (u / n, w / n);
        let mean_l = radius + excess / n;
        let level = Matrix3::from_diagonal_element(1.0 - mean_l * w.trace());
        Self {
            centre,
            mean_l,
            mean_u,
            g: (shape.mean - centre) - mean_u * mean_l,
            h: level + w * mean_l - mean_u * mean_u.transpose(),
            w,
            cost: (excess_squared - excess * excess / n).max(0.0),
        }
    }

    fn found(&self, n: f64, converged: bool) -> Geometric {
        let left = n - 4.0;
        let variance = if left > 0.0 { self.cost / left } else { 0.0 };
        let radius = self.mean_l - variance / self.mean_l;
        Geometric { centre: self.centre, radius, variance, converged }
    }

    /// Goes a last step, so small that the second derivatives tell all that changes.
    fn take(&mut self, step: &Vector3<f64>, n: f64) {
        let bend = self.w.trace() * step.norm_squared() - step.dot(&(self.w * step));
        self.centre += step;
        self.mean_l += 0.5 * bend - self.mean_u.dot(step);
        self.cost = (self.cost - n * self.g.dot(step)).max(0.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::centre::moments::Moments;
    use crate::centre::spectrum::Spectrum;
    use crate::centre::sphere::Judged;
    use crate::centre::synthetic::Cap;

    /// The fit to a noisy cap from its self-calibrated sphere, and Newton's steps from there taken
    /// until rounding is all that moves.
    fn fit_and_rest(cap: &Cap, seed: u64) -> (Geometric, Place) {
        let cloud = cap.points(seed);
        let shape = Shape::from(&Moments::<3>::from_points(cloud.axes()));
        let start = Judged::of(&shape, None, None).sphere;
        let start = (shape.mean + start.offset, start.radius);
        // Four readings of the points are enough for any of these, and half do with two.
        let found = geometric(cloud.axes(), &shape, start, 4);
        let mut rest = Place::of(cloud.axes(), &shape, start);
        for _ in 0..8 {
            let step = Factors::of(&rest.h).expect("a minimum").solve(&rest.g);
            rest = Place::of(cloud.axes(), &shape, (rest.centre + step, rest.mean_l));
        }
        (found, rest)
    }

    #[test]
    fn few_steps_suffice_and_the_last_needs_no_confirmation() {
        for (degrees, sigma, samples) in [
            (20.0, 1e-2, 1000),
            (30.0, 0.0, 100),
            (30.0, 3e-2, 100),
            (60.0, 1e-4, 1000),
            (60.0, 1e-2, 1000),
            (60.0, 1e-1, 100),
            (90.0, 1e-3, 30),
            (180.0, 1e-1, 100),
        ] {
            let cap = Cap { samples, theta_rad: f64::to_radians(degrees), sigma, ..Cap::default() };
            for seed in 0..10 {
                let (found, rest) = fit_and_rest(&cap, seed);
                let n = samples as f64;
                let off = (found.centre - rest.centre).norm();
                let variance = rest.cost / (n - 4.0);
                let radius = rest.mean_l - variance / rest.mean_l;
                // What is asked for, and the rounding of g as the flattest direction magnifies it.
                let least = Spectrum::new(&rest.h).values[0];
                let near = STEP_TOLERANCE + 8.0 * f64::EPSILON / least;
                assert!(found.converged && off < near, "{degrees} {sigma} {samples}: {off:e}");
                assert!((found.radius - radius).abs() < near, "{degrees} {sigma} {samples}");
                let tolerance = 1e-9 * variance + 1e-28;
                assert!((found.variance - variance).abs() < tolerance, "{variance:e}");
            }
        }
    }
}
