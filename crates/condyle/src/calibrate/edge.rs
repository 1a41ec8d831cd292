//! One joint during calibration: what can be said of it, and by which method.

use nalgebra::{Matrix3, Matrix6, Point3, Vector3};

use super::body::Body;
use super::frames::Frames;
use super::one_sided::{OneSided, one_sided};
use super::prior::Prior;
use super::two_sided::{Side, Supposed, Turned, TwoSided, skin_square, two_sided};
use crate::centre::Verdict;
use crate::centre::soft_tissue::{RADIAL, SKIN_SAMPLES};
use crate::order;
use crate::plan::JointRule;
use crate::subject::JointMethod;

/// A centre in the frame of one of the two segments, and in the other's where that has a pose.
#[derive(Debug, Clone)]
pub(crate) struct EdgeFit {
    pub method: JointMethod,
    pub verdict: Verdict,
    /// In the frame that the covariance and the axis are in.
    pub centre_m: Point3<f64>,
    pub covariance_m2: Matrix3<f64>,
    pub axis: Option<Vector3<f64>>,
    /// The centre in the child's frame, if both were fitted together.
    pub centre_in_child_m: Option<Point3<f64>>,
    pub separation_m: f64,
    pub wander_m: f64,
    pub samples: usize,
}

/// The noise of orientations is taken off; rotation below so many times it may be what that left over.
const MIN_TURN_TO_NOISE: f64 = 0.5;
/// A direction is observable if it turns so many times more than noise does.
const MIN_OBSERVABLE_TO_NOISE: f64 = 1.0;
/// An axial error above this, or above a tenth of the distance between the segments, is no ball.
const MAX_BALL_SD_M: f64 = 0.010;
/// Whatever moved, a centre with a standard error above this share of that distance is not known.
const MAX_RELATIVE_SD: f64 = 0.1;
/// The same where one side has no shape of its own that would show its skin, and what is typical is supposed.
const MAX_RELATIVE_SD_WITH_SKIN: f64 = 0.15;
/// Gaps may exceed what noise predicts by so much before the centre is said to wander.
const GAP_TOLERANCE: f64 = 1.15;
/// What noise predicts of a gap may be too much by this factor, and hide that the centre wanders.
const MAX_NOISE_OVERESTIMATE: f64 = 1.05;

/// A centre that wanders with the motion counts as displaced so many times independently.
const INDEPENDENT_WANDERS: f64 = 4.0;

/// Markers are beside a hinge, not above or below it: most of what the guess between them is off by is along its axis, so
/// many times as much as along any axis, in variance. Of simulated dogs 35 mm, where half the distance between the
/// markers is 26.
const ALONG_HINGE: f64 = 2.0;

/// Off-axis rotation above this (rms, over √2) is motion, whatever the centre does.
const AMPLE_TURN_RAD: f64 = 0.045;

/// Orientations are never trusted more than a thirtieth of a degree: smoothed ones look exact.
const LEAST_JITTER_RAD: f64 = 6e-4;

/// A sphere that the motion does not determine is bent by skin and slow drift more than its own error bar
/// says: that counts so many times as large (in variance) beside the prior.
const DOUBT: f64 = 9.0;

/// The part of the mean square of gaps that no number of frames averages out: what noise does not explain, or what
/// follows the motion although noise would hide it.
pub(crate) fn systematic_m2(gap_m2: f64, expected_m2: f64, slow_share: f64) -> f64 {
    let beyond_noise_m2 = gap_m2 - GAP_TOLERANCE.powi(2) * expected_m2;
    beyond_noise_m2.max(slow_share * gap_m2).max(0.0)
}

/// The joint between two segments that both have a pose, child first, as seen from both.
pub(crate) fn from_both(sides: &[Side; 2], supposed: Supposed, rule: JointRule) -> Option<EdgeFit> {
    let mut fit = two_sided(sides, supposed, 0)?;
    let wander_m =
        systematic_m2(fit.separation_m.powi(2), fit.expected_separation_m.powi(2), 0.0).sqrt();
    let told = told(&fit, supposed.distance_m);
    let verdict = match told {
        3 if rule != JointRule::Hinge => Verdict::Ball,
        2 | 3 => Verdict::Hinge,
        _ => Verdict::Insufficient,
    };
    // What turned less than can be told from the noise of the orientations is left to the prior.
    let is_noise = |turned: &&Turned| {
        turned.turned_rad <= MIN_TURN_TO_NOISE * turned.jitter_rad.max(LEAST_JITTER_RAD)
    };
    let untold = fit.turned.iter().filter(is_noise).count();
    if untold > 0 {
        fit = two_sided(sides, supposed, untold)?;
    }
    // A centre that wanders does so with the motion, not at random: more frames do not help.
    let mut by_wander = fit.gain * (wander_m.powi(2) / (3.0 * INDEPENDENT_WANDERS));
    // So does one that noise hides, unless three directions are told; along what is not told it goes all the way.
    if verdict != Verdict::Ball {
        let wander_m2 = excess_m2(&fit) / 3.0;
        by_wander += fit.gain * (wander_m2 / INDEPENDENT_WANDERS);
        for turned in &fit.turned[told..] {
            let along = turned.direction * turned.direction.transpose();
            by_wander += along * fit.gain * along * wander_m2;
        }
    }
    let mut covariance_m2 = (fit.covariance_m2 + by_wander).fixed_view::<3, 3>(3, 3).into_owned();
    let axis_in_parent: Vector3<f64> = fit.axis.fixed_rows::<3>(3).into();
    let is_hinge = verdict == Verdict::Hinge;
    if is_hinge {
        let axis = axis_in_parent.normalize();
        let along_m2 = axis.dot(&(covariance_m2 * axis));
        covariance_m2 += axis * axis.transpose() * ((ALONG_HINGE - 1.0) * along_m2);
    }
    Some(EdgeFit {
        method: JointMethod::TwoSided,
        verdict,
        centre_m: fit.centre_in_parent_m,
        covariance_m2,
        axis: is_hinge.then(|| axis_in_parent.normalize()),
        centre_in_child_m: Some(fit.centre_in_child_m),
        separation_m: fit.separation_m,
        wander_m,
        samples: fit.samples,
    })
}

/// In how many directions the motion tells the centre: a ball's in three, a hinge's in two.
///
/// A direction is told if the rotation that tells it is beyond the noise of the orientations, and, where that
/// rotation is small, if neither noise nor a wandering of the centre that noise may hide would be mistaken for it.
fn told(fit: &TwoSided, distance_m: f64) -> usize {
    let limit_m = MAX_BALL_SD_M.min(0.1 * distance_m);
    let in_parent = |m: &Matrix6<f64>| {
        let block: Matrix3<f64> = m.fixed_view::<3, 3>(3, 3).into_owned();
        let mut values = block.symmetric_eigenvalues();
        values.as_mut_slice().sort_by(f64::total_cmp);
        values.map(|value| value.max(0.0).sqrt())
    };
    let noise_m = in_parent(&fit.covariance_m2);
    let by_wander_m = in_parent(&fit.amplification) * (excess_m2(fit) / 3.0).sqrt();
    let is_observable = |axis: usize| {
        let Turned { turned_rad, jitter_rad, .. } = fit.turned[axis];
        let is_sure = noise_m[axis] <= limit_m && by_wander_m[axis] <= limit_m;
        turned_rad > MIN_OBSERVABLE_TO_NOISE * jitter_rad.max(LEAST_JITTER_RAD)
            && (turned_rad > AMPLE_TURN_RAD || is_sure)
            && noise_m[axis] <= MAX_RELATIVE_SD * distance_m
    };
    (0..3).take_while(|axis| is_observable(*axis)).count()
}

/// The square of how far the centre may wander unseen.
fn excess_m2(fit: &TwoSided) -> f64 {
    (fit.separation_m.powi(2) - (fit.expected_separation_m / MAX_NOISE_OVERESTIMATE).powi(2))
        .max(0.0)
}

/// The markers of a segment as another sees them.
pub(crate) struct Watched<'a> {
    pub markers: &'a [usize],
    /// How far they slide on the skin, one along one axis.
    pub skin_m2: f64,
}

/// The joint as seen from one segment that has a pose, by the markers of the other.
pub(crate) fn from_one(
    frames: &Frames,
    onlooker: &Body,
    watched: &Watched,
    prior: &Prior,
    method: JointMethod,
) -> Option<EdgeFit> {
    let prior_m = prior.in_segment_m(frames, &onlooker.world_from_segment)?;
    let guess = EdgeFit {
        method: JointMethod::Guess,
        verdict: Verdict::Insufficient,
        centre_m: prior_m,
        covariance_m2: Matrix3::identity() * prior.sd_m.powi(2),
        axis: None,
        centre_in_child_m: None,
        separation_m: 0.0,
        wander_m: 0.0,
        samples: 0,
    };
    // From a segment whose own twist is open nothing turns about a point.
    let fit = one_sided(frames, onlooker, watched.markers);
    let Some(mut fit) = fit.filter(|_| !onlooker.is_twist_open) else {
        return Some(guess);
    };
    fit.covariance_m2 += fit.amplification * by_skin(&fit, onlooker, watched);
    let noise_m = onlooker.shape.sigma_m;
    let wander_m = (fit.sigma_m.powi(2) - (2.0 * noise_m).powi(2)).max(0.0).sqrt();
    let (verdict, axis) = one_sided_verdict(&fit, MAX_RELATIVE_SD_WITH_SKIN * prior.reach_m);
    let doubt = if verdict == Verdict::Insufficient { DOUBT } else { 1.0 };
    // What a sphere says weakly it still says; of an arc nothing is said along its axis.
    let of_arc = fit.axis.filter(|_| verdict != Verdict::Insufficient);
    let (centre_m, mut covariance_m2) = with_prior(&fit, of_arc, doubt, prior_m, prior.sd_m);
    if verdict == Verdict::Insufficient {
        // Half a sphere is no sphere: the directions that it seems to tell it may tell wrong.
        covariance_m2 += Matrix3::identity() * (0.5 * prior.sd_m).powi(2);
    }
    Some(EdgeFit {
        method,
        verdict,
        centre_m,
        covariance_m2: covariance_m2 + Matrix3::identity() * wander_m.powi(2),
        axis,
        separation_m: fit.sigma_m,
        wander_m,
        samples: fit.samples,
        ..guess
    })
}

/// What the sphere says, unless skin leaves it unknown: in one direction, which then is the axis of a hinge,
/// or in several.
fn one_sided_verdict(fit: &OneSided, limit_m: f64) -> (Verdict, Option<Vector3<f64>>) {
    let eigen = fit.covariance_m2.symmetric_eigen();
    let mut order = [0, 1, 2];
    order::by(&mut order, |a, b| eigen.eigenvalues[*a].total_cmp(&eigen.eigenvalues[*b]));
    let is_known = |i: usize| eigen.eigenvalues[order[i]].max(0.0).sqrt() <= limit_m;
    let unknown: Vector3<f64> = eigen.eigenvectors.column(order[2]).into();
    match (fit.verdict, is_known(2), is_known(1)) {
        (Verdict::Insufficient, _, _) | (_, false, false) => (Verdict::Insufficient, None),
        (Verdict::Ball, false, true) => (Verdict::Hinge, Some(unknown)),
        (verdict, _, _) => (verdict, fit.axis),
    }
}

/// What skin does to the distance of a marker from the centre: of the markers that turn, and of the segment
/// that looks on. Half of it is common to all markers.
fn by_skin(fit: &OneSided, onlooker: &Body, watched: &Watched) -> f64 {
    let side = onlooker.side(fit.centre_m);
    let markers = watched.markers.len() as f64;
    let of_onlooker = skin_square(&side, &(fit.centre_m - side.mean_in_segment_m)) / 3.0;
    (watched.skin_m2 * (1.0 + markers) + of_onlooker * markers) / (RADIAL * SKIN_SAMPLES)
}

/// The prior's part where the motion says nothing: along the axis of a hinge, everywhere if it is weak.
fn with_prior(
    fit: &OneSided,
    axis: Option<Vector3<f64>>,
    doubt: f64,
    prior_m: Point3<f64>,
    sd_m: f64,
) -> (Point3<f64>, Matrix3<f64>) {
    let fit_m2 = fit.covariance_m2 * doubt;
    match axis {
        Some(axis) => {
            let along = axis * axis.transpose();
            let across = Matrix3::identity() - along;
            let centre_m = fit.centre_m + along * (prior_m - fit.centre_m);
            (centre_m, across * fit_m2 * across + along * sd_m.powi(2))
        }
        None => {
            let ridge = Matrix3::identity() / sd_m.powi(2);
            let Some(information) = fit_m2.try_inverse() else {
                return (fit.centre_m, fit_m2);
            };
            match (information + ridge).try_inverse() {
                Some(both) => {
                    let pulled = both * ridge * (prior_m - fit.centre_m);
                    (fit.centre_m + pulled, both)
                }
                None => (fit.centre_m, fit_m2),
            }
        }
    }
}
