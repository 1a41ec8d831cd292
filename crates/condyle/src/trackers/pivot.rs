//! The tip of a tracked pointer, from turning it about the tip.

use nalgebra::{Isometry3, Matrix3, Matrix6, Point3, Vector3};

use crate::calibrate::correlation::inflation;
use crate::calibrate::edge::systematic_m2;
use crate::error::{Error, Result};
use crate::joint::{PairFit, PairMotion, PairRule, PairSums, PoseNoise, Poses, slow_share};
use crate::statistics::median;

/// A calibrated pointer.
#[derive(Debug, Clone, PartialEq)]
pub struct Pivot {
    /// The tip in the tool's frame.
    pub tip_in_tool_m: Point3<f64>,
    /// The point it was turned about, in the world or in the frame of the reference.
    pub pivot_in_world_m: Point3<f64>,
    /// The covariance of both, the tool's three coordinates first, with what a bent field may do to them.
    pub covariance_m2: Matrix6<f64>,
    /// The rms distance of the tip from the pivot.
    pub residual_m: f64,
    /// The largest.
    pub worst_m: f64,
    /// The frames that were used.
    pub samples: usize,
    /// The frames that were left out as outliers.
    pub left_out: usize,
    /// How the tool moved; the tip is known if it is [`PairMotion::Ball`].
    pub motion: PairMotion,
    /// For a tool that turned about one axis: that axis in its frame. Otherwise the direction along which the
    /// tip is least certain.
    pub axis_in_tool: nalgebra::Unit<Vector3<f64>>,
    /// The noise of the poses, where it can be told.
    pub noise: PoseNoise,
    /// The part of the residual that this noise does not explain: a bent field, a tip that wandered, or noise that
    /// cannot be told because the poses were taken one by one.
    pub unexplained_m: f64,
}

/// A tip that strays by more of its distance from the tool's origin did not stay in one place.
const MAX_RELATIVE_RESIDUAL: f64 = 0.1;

/// Unless it strays by no more than so many times what noise does.
const MAX_BEYOND_NOISE: f64 = 2.0;

impl Pivot {
    /// Whether there was a point that the tool was turned about at all.
    pub fn is_fixed(&self) -> bool {
        let arm_m = &self.tip_in_tool_m.coords;
        // A short tool strays by its noise alone.
        let by_noise_m = MAX_BEYOND_NOISE * self.noise.square_m2(arm_m).sqrt();
        self.residual_m <= (MAX_RELATIVE_RESIDUAL * arm_m.norm()).max(by_noise_m)
    }

    /// What to think of the tip, in small letters: `ball`, `hinge`, `none`, or `moving` where no point of the
    /// tool stayed in one place.
    pub fn verdict(&self) -> &'static str {
        if self.motion != PairMotion::None && !self.is_fixed() {
            "moving"
        } else {
            self.motion.name()
        }
    }

    /// The standard error of the tip along its worst direction.
    pub fn tip_sd_m(&self) -> f64 {
        let tip: Matrix3<f64> = self.covariance_m2.fixed_view::<3, 3>(0, 0).into();
        tip.symmetric_eigenvalues().max().max(0.0).sqrt()
    }

    /// The standard error of the pivot along its worst direction.
    pub fn pivot_sd_m(&self) -> f64 {
        let pivot: Matrix3<f64> = self.covariance_m2.fixed_view::<3, 3>(3, 3).into();
        pivot.symmetric_eigenvalues().max().max(0.0).sqrt()
    }
}

/// Rounds of leaving out what is too far off, at most.
const ROUNDS: usize = 10;
/// Farther off than so many times the median distance is an outlier.
const OUTLIER: f64 = 4.0;

/// Calibrates a pointer whose tip stayed in one place: `reference_from_tool` in every frame.
///
/// # Method
/// The tip is a joint between the tool and the world, so it is the same fit: O'Brien's with a parent that
/// does not move. `is_robust` leaves out frames in which the tip is more than four times the median distance
/// away, again and again, until none is.
///
/// What noise does not explain of the residual counts as systematic, since no number of frames averages it
/// out. If the field that the tool is tracked in is bent, the residual shows how differently it is bent where
/// the tool went; what is common to all of it displaces the pivot unseen. A displacement that grows with the
/// distance from where the tracking begins has, over the tool's travel ρ, the size of the residual, and so at the
/// pivot's distance L that of L/ρ residuals: this is added to the error bar of the pivot. The tip in the tool
/// does not mind a common displacement.
///
/// # Errors
/// Fewer than three poses, or poses that are not finite.
pub fn pivot(reference_from_tool: &[Option<Isometry3<f64>>], is_robust: bool) -> Result<Pivot> {
    let seen: Vec<&Isometry3<f64>> = reference_from_tool.iter().flatten().collect();
    if seen.len() < 3 {
        return Err(Error::undetermined(format!(
            "pivot: need 3 poses of the tool, got {}",
            seen.len()
        )));
    }
    let noise = PoseNoise::from_poses(&Poses::from_frames(reference_from_tool.iter().copied()));
    let rule = PairRule {
        // A pointer is turned on purpose: what it turned is no noise.
        measured_noise_rad: Some([noise.orientation_rad.max(1e-4), 0.0]),
        max_axial_error_m: f64::INFINITY,
        ..PairRule::default()
    };
    let mut kept: Vec<usize> = (0..seen.len()).collect();
    let mut fit = fit_to(&seen, &kept, &rule)?;
    for _ in 0..if is_robust { ROUNDS } else { 0 } {
        let distances = kept.iter().map(|at| stray(seen[*at], &fit).norm());
        let limit_m = OUTLIER * median(distances).unwrap_or(0.0);
        let is_near = |at: &usize| stray(seen[*at], &fit).norm() <= limit_m;
        let near: Vec<usize> = kept.iter().copied().filter(is_near).collect();
        if near.len() == kept.len() || near.len() < 3 {
            break;
        }
        kept = near;
        fit = fit_to(&seen, &kept, &rule)?;
    }
    let strays_m: Vec<Vector3<f64>> = kept.iter().map(|at| stray(seen[*at], &fit)).collect();
    let alike: f64 = strays_m.windows(2).map(|pair| pair[0].dot(&pair[1])).sum();
    let square: f64 = strays_m.iter().map(Vector3::norm_squared).sum();
    let again = inflation(alike / square.max(f64::MIN_POSITIVE), kept.len() as f64);
    let residual_m2 = square / kept.len() as f64;
    let expected_m2 = noise.square_m2(&fit.centre_in_child_m.coords);
    let slow = slow_share(&strays_m.iter().copied().map(Some).collect::<Vec<_>>());
    let unexplained_m2 = systematic_m2(residual_m2, expected_m2, slow);
    // A field that is bent along the way of the tool displaces the tip as if all frames were one.
    let wander = fit.amplification * (unexplained_m2 / 3.0);
    let mut covariance_m2 = fit.covariance_m2 * again + wander;
    let places = kept.iter().map(|at| &seen[*at].translation.vector);
    let leverage = fit.centre_in_parent_m.coords.norm_squared() / spread_m2(places);
    if leverage.is_finite() {
        let mut of_pivot = covariance_m2.fixed_view_mut::<3, 3>(3, 3);
        of_pivot += Matrix3::identity() * (unexplained_m2 * leverage / 3.0);
    }
    Ok(Pivot {
        tip_in_tool_m: fit.centre_in_child_m,
        pivot_in_world_m: fit.centre_in_parent_m,
        covariance_m2,
        residual_m: residual_m2.sqrt(),
        worst_m: strays_m.iter().map(Vector3::norm).fold(0.0, f64::max),
        samples: kept.len(),
        left_out: seen.len() - kept.len(),
        motion: fit.motion,
        axis_in_tool: fit.axis.in_child,
        noise,
        unexplained_m: unexplained_m2.sqrt(),
    })
}

/// The joint between the tool, in some of its poses, and the world.
fn fit_to(seen: &[&Isometry3<f64>], kept: &[usize], rule: &PairRule) -> Result<PairFit> {
    let mut sums = PairSums::default();
    kept.iter().for_each(|at| sums.push(seen[*at], &Isometry3::identity()));
    sums.fit(rule)
}

/// How far the tip is from the pivot in a pose.
fn stray(world_from_tool: &Isometry3<f64>, fit: &PairFit) -> Vector3<f64> {
    world_from_tool * fit.centre_in_child_m - fit.centre_in_parent_m
}

/// The mean squared distance of points from their mean.
fn spread_m2<'a>(points_m: impl Iterator<Item = &'a Vector3<f64>> + Clone) -> f64 {
    let count = points_m.clone().count() as f64;
    let mean_m: Vector3<f64> = points_m.clone().sum::<Vector3<f64>>() / count;
    points_m.map(|point_m| (point_m - mean_m).norm_squared()).sum::<f64>() / count
}
