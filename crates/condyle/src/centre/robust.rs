//! Centres in spite of gross outliers: marker swaps, spikes, reflections.

mod model;

use nalgebra::Vector3;

use super::circle::circle;
use super::fit::SphereFit;
use super::input;
use super::method::Method;
use super::points::Points;
use super::sphere::sphere;
use crate::error::Result;
use model::{Model, best_model};

/// A centre with the samples that did not belong to it.
#[derive(Debug, Clone, PartialEq)]
pub struct RobustFit {
    /// The fit to the samples that were kept.
    pub fit: SphereFit,
    /// The samples left out, by index, in order.
    pub rejected: Vec<usize>,
}

/// Samples further off than so many standard deviations are left out.
const REJECTION: f64 = 3.0;
const MAX_ROUNDS: usize = 20;
/// Finds a centre although up to a tenth of the samples, and often more, are grossly wrong.
///
/// # Method
/// Spheres, and circles, through a few samples each compete for the least median distance; a circle
/// wins where it explains the samples as well, by the rule of [`sphere`]. Around the best, samples
/// beyond three standard deviations (by the median; of a circle in its plane and across it) are left
/// out and the rest is fitted, again and again until the same samples are left, which are then
/// fitted by `method`. The choice of samples is fixed, so the same points give the same answer.
/// Without outliers 3 samples in 1000 are left out, 5 on a hinge.
///
/// # Errors
/// As [`sphere`].
///
/// # Reference
/// P. J. Rousseeuw (1984), *Least median of squares regression*.
pub fn sphere_robust<'a>(points: impl Into<Points<'a>>, method: Method) -> Result<RobustFit> {
    let points = points.into();
    let scaled = input::scaled(points.axes, 4)?;
    let unit = scaled.unit;
    let rows: Vec<Vector3<f64>> = {
        let [x, y, z] = scaled.points();
        (0..x.len()).map(|i| Vector3::new(x[i], y[i], z[i])).collect()
    };
    let noise = points.noise.map(|noise| noise / unit / unit);
    let mut kept: Vec<usize> = (0..rows.len()).collect();
    let mut model = best_model(&rows, noise.as_ref());
    for round in 0..MAX_ROUNDS {
        let Some(current) = model else { break };
        let near = current.near(&rows, REJECTION);
        if round > 0 && near == kept {
            break;
        }
        kept = near;
        let axes = axes_of(&rows, &kept);
        model = Some(match current {
            Model::Sphere { .. } => {
                let found = sphere(slices(&axes), Method::ScGdk)?;
                Model::sphere(found.centre.coords, &rows, &kept)
            }
            Model::Circle { .. } => {
                let found = circle(slices(&axes))?;
                let (centre, normal) = (found.centre.coords, found.axis.direction.into_inner());
                Model::Circle { centre, normal, radius: found.radius }
            }
        });
    }
    // In the caller's own unit, in which sigma is given.
    let axes = points.axes.map(|axis| kept.iter().map(|&i| axis[i]).collect::<Vec<f64>>());
    let fit = sphere(Points { axes: slices(&axes), ..points }, method)?;
    let mut is_kept = vec![false; rows.len()];
    kept.iter().for_each(|&i| is_kept[i] = true);
    Ok(RobustFit { fit, rejected: (0..rows.len()).filter(|&i| !is_kept[i]).collect() })
}

fn axes_of(rows: &[Vector3<f64>], kept: &[usize]) -> [Vec<f64>; 3] {
    [0, 1, 2].map(|axis| kept.iter().map(|&i| rows[i][axis]).collect())
}

fn slices(axes: &[Vec<f64>; 3]) -> [&[f64]; 3] {
    axes.each_ref().map(Vec::as_slice)
}
