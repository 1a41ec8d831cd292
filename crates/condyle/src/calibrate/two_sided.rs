//! The point that is fixed in two segments at once, from the poses of both.

use nalgebra::{Isometry3, Matrix3, Matrix6, Point3, Vector3, Vector6};

use super::correlation;
use super::view::{Contribution, Usual, contribution, shrunk_by, unshrunk, variance};
use crate::centre::soft_tissue::SKIN_SAMPLES;
use crate::order;
use crate::rigid::Sight;

/// The poses of a segment through the frames, and how noisy its orientation is.
pub(crate) struct Side<'a> {
    pub world_from_segment: &'a [Option<Isometry3<f64>>],
    /// For every frame what its points tell of the pose, in units of `sigma_m2`; empty if every frame shows them all.
    pub sights: &'a [Sight],
    /// The variance of a point of weight one.
    pub sigma_m2: f64,
    /// How far that variance may be off: one standard deviation, as a share of it.
    pub noise_doubt: f64,
    /// The point whose position is independent of the orientation's error: the markers' mean.
    pub mean_in_segment_m: Point3<f64>,
    /// The covariance of the orientation's error in one frame, in the segment's frame.
    pub orientation_rad2: Matrix3<f64>,
    /// The covariance of the mean's error in one frame: isotropic.
    pub mean_m2: f64,
    /// The same of what skin does: it follows the motion, and more frames do not average it out.
    pub skin_orientation_rad2: Matrix3<f64>,
    pub skin_mean_m2: f64,
    /// Where the joint is supposed to be before any motion is looked at.
    pub prior_in_segment_m: Point3<f64>,
}

/// A joint fitted from both sides.
#[derive(Debug, Clone)]
pub(crate) struct TwoSided {
    pub centre_in_child_m: Point3<f64>,
    pub centre_in_parent_m: Point3<f64>,
    /// Child first, then parent.
    pub covariance_m2: Matrix6<f64>,
    /// The direction that moves the centre least out of place: child first, then parent.
    pub axis: Vector6<f64>,
    /// The three directions that motion has to tell, from the best told: how much rotation tells them (rms, over √2),
    /// and how much of it noise would show.
    pub turned: [Turned; 3],
    /// What a unit of variance in every frame alike would do to the solution: (A/n)⁻¹, with the prior.
    pub amplification: Matrix6<f64>,
    /// The same without the directions that are left to the prior.
    pub gain: Matrix6<f64>,
    /// The rms distance between the two sides' centres.
    pub separation_m: f64,
    /// What the gap would be from marker noise alone.
    pub expected_separation_m: f64,
    pub samples: usize,
}

/// How much rotation tells the centre along a direction.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Turned {
    /// What moves the centre: child first, then parent.
    pub direction: Vector6<f64>,
    /// The rotation, rms, over √2; that of noise taken off.
    pub turned_rad: f64,
    /// What noise alone would show.
    pub jitter_rad: f64,
}

/// The noise of orientations is never known better than this, as a share of its variance: that of markers is not quite
/// alike, nor quite normal.
const MIN_NOISE_DOUBT: f64 = 0.02;

/// What is supposed of a joint before any motion is looked at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Supposed {
    /// One standard deviation of where it is supposed to be.
    pub sd_m: f64,
    /// How much that counts against skin, being a guess itself.
    pub share_against_skin: f64,
    /// The usual distance between the two segments.
    pub distance_m: f64,
}

/// Finds the point fixed in both segments.
///
/// # Method
/// Minimises Σ |R_c c + t_c - R_p l - t_p|² over u = (c, l), in the normal form
/// `[nI, -M; -Mᵀ, nI] u = (ΣR_cᵀd, -ΣR_pᵀd)`, M = ΣR_cᵀR_p, d = t_p - t_c (O'Brien, part 3). Poses from
/// noisy markers shrink that M and the right side: the mean of a rotation with a small random error θ is
/// R(I - ½(tr Θ - Θ)), Θ = Cov θ, which pulls the joint towards the markers like a ridge. Θ is known from
/// how the markers of a segment disagree, so the shrinkage is divided out. A weak prior between the
/// nearest markers takes the place of the minimum norm where the motion says nothing: in the `untold` directions
/// that it tells least.
///
/// A frame that does not show all markers has an orientation of its own covariance, about the mean of those that it
/// shows, and counts by the variance of the gap that it then has.
///
/// The covariance is A⁻¹BA⁻¹ with B the sum of squares of what each frame contributes to the normal
/// equations at the solution, times (1 + ρ)/(1 - ρ) for frames correlated by ρ with their neighbours. Skin
/// that slides with the angle displaces the centre by its own size over the angle, which no residual shows;
/// how far it slides is known from how the markers of a segment move against each other, and counts as if
/// all frames were [`SKIN_SAMPLES`]. To that comes what an error of Θ does, which is known to some per cent: by that
/// much times S = ½(tr Θ - Θ) the child's moves u by A⁻¹ [n S c, Mᵀ S c], the parent's likewise, and more frames do not
/// average it out.
///
/// # Reference
/// J. F. O'Brien et al. (2000), (8) to (13); the correction for noisy frames, the prior and the
/// covariance are ours.
pub(crate) fn two_sided(sides: &[Side; 2], supposed: Supposed, untold: usize) -> Option<TwoSided> {
    let [child, parent] = sides;
    let prior_sd_m = supposed.sd_m;
    let usual = [child, parent].map(|side| Usual {
        grow: unshrunk(&side.orientation_rad2),
        variance_m2: expected_square(side, &(side.prior_in_segment_m - side.mean_in_segment_m)),
    });
    let pairs = child.world_from_segment.iter().zip(parent.world_from_segment).enumerate();
    let frames: Vec<Contribution> = pairs
        .filter_map(|(frame, (c, p))| {
            let child = child.view(frame, c.as_ref()?, &usual[0]);
            Some(contribution(&[child, parent.view(frame, p.as_ref()?, &usual[1])]))
        })
        .collect();
    if frames.len() < 4 {
        return None;
    }
    let n = frames.iter().map(|frame| frame.weight).sum::<f64>();
    let (mut m, mut b_child, mut b_parent) = (Matrix3::zeros(), Vector3::zeros(), Vector3::zeros());
    for frame in &frames {
        m += frame.rotation * frame.weight;
        b_child += frame.to_child * frame.weight;
        b_parent -= frame.to_parent * frame.weight;
    }
    let a = blocks(&Matrix3::from_diagonal_element(n), &-m);
    let b = stacked(&b_child, &b_parent);
    let prior = stacked(
        &(child.prior_in_segment_m - child.mean_in_segment_m),
        &(parent.prior_in_segment_m - parent.mean_in_segment_m),
    );
    // Noise may turn the smallest eigenvalues negative; they then say nothing, on either side, and neither do
    // those of directions that are not told.
    let mut eigen = a.symmetric_eigen();
    let mut order = [0, 1, 2, 3, 4, 5];
    order::by(&mut order, |i, j| eigen.eigenvalues[*i].total_cmp(&eigen.eigenvalues[*j]));
    let axis: Vector6<f64> = eigen.eigenvectors.column(order[0]).into();
    let by_noise = blocks_of(&shrinkage(child), &shrinkage(parent)) * 2.0;
    let turned = [2, 1, 0].map(|rank| {
        let direction: Vector6<f64> = eigen.eigenvectors.column(order[rank]).into();
        Turned {
            direction,
            turned_rad: (eigen.eigenvalues[order[rank]] / n).max(0.0).sqrt(),
            jitter_rad: direction.dot(&(by_noise * direction)).max(0.0).sqrt(),
        }
    });
    let mut b = b;
    let mut heard = Matrix6::identity();
    for (rank, i) in order.into_iter().enumerate() {
        if eigen.eigenvalues[i] <= 0.0 || rank < untold {
            eigen.eigenvalues[i] = 0.0;
            let silent = eigen.eigenvectors.column(i);
            b -= silent * silent.dot(&b);
            heard -= silent * silent.transpose();
        }
    }
    let a = eigen.recompose();

    let mut ridge = 0.0;
    let mut solution = None;
    // The ridge needs the size of the residual, which needs a solution.
    for _ in 0..3 {
        let pull = ridge + 1e-12 * n;
        let inverse = (a + Matrix6::from_diagonal_element(pull)).try_inverse()?;
        let u: Vector6<f64> = inverse * (b + prior * pull);
        let (c, l) = (head(&u), tail(&u));
        let mut square = 0.0;
        let scores = frames.iter().map(|frame| {
            let Contribution { rotation, to_child, to_parent, weight } = frame;
            // As long in the child's axes as in the world's.
            let gap = c - rotation * l - to_child;
            square += weight * gap.norm_squared();
            stacked(&gap, &(l - rotation.tr_mul(&c) + to_parent)) * *weight
        });
        let (meat, inflation) = correlation::meat(scores);
        let variance = square / (3.0 * n - 6.0).max(1.0);
        let prior_part = inverse * inverse * (pull * prior_sd_m).powi(2);
        let by_skin = n * (skin_square(child, &c) + skin_square(parent, &l)) / (3.0 * SKIN_SAMPLES);
        ridge = (inflation * variance + supposed.share_against_skin * by_skin) / prior_sd_m.powi(2);
        let gain = heard * inverse;
        let by_doubt = [
            stacked(&(shrinkage(child) * c * n), &(m.tr_mul(&(shrinkage(child) * c))))
                * doubt(child),
            stacked(&(m * (shrinkage(parent) * l)), &(shrinkage(parent) * l * n)) * doubt(parent),
        ];
        let meat = by_doubt.iter().fold(meat + a * by_skin, |sum, off| sum + off * off.transpose());
        let covariance_m2 = gain * meat * gain.transpose() + prior_part;
        solution = Some((u, covariance_m2, inverse * n, gain * n, (square / n).sqrt()));
    }
    let (u, covariance_m2, amplification, gain, separation_m) = solution?;
    let (c, l) = (head(&u), tail(&u));
    let expected = expected_square(child, &c) + expected_square(parent, &l);
    Some(TwoSided {
        centre_in_child_m: child.mean_in_segment_m + c,
        centre_in_parent_m: parent.mean_in_segment_m + l,
        covariance_m2,
        axis,
        turned,
        amplification,
        gain,
        separation_m,
        expected_separation_m: expected.sqrt(),
        samples: frames.len(),
    })
}

/// S of a side.
fn shrinkage(side: &Side) -> Matrix3<f64> {
    shrunk_by(&side.orientation_rad2)
}

/// How far the noise of a side's orientation may be off, as a share of its variance.
fn doubt(side: &Side) -> f64 {
    side.noise_doubt.hypot(MIN_NOISE_DOUBT)
}

/// The variance of a point fixed to a segment, by the errors of the segment's pose.
fn expected_square(side: &Side, from_mean_m: &Vector3<f64>) -> f64 {
    variance(&side.orientation_rad2, side.mean_m2, from_mean_m)
}

/// The same by its skin.
pub(super) fn skin_square(side: &Side, from_mean_m: &Vector3<f64>) -> f64 {
    let cross = from_mean_m.cross_matrix();
    3.0 * side.skin_mean_m2 + (cross * side.skin_orientation_rad2 * cross.transpose()).trace()
}

fn blocks_of(first: &Matrix3<f64>, second: &Matrix3<f64>) -> Matrix6<f64> {
    let mut whole = Matrix6::zeros();
    whole.fixed_view_mut::<3, 3>(0, 0).copy_from(first);
    whole.fixed_view_mut::<3, 3>(3, 3).copy_from(second);
    whole
}

fn blocks(diagonal: &Matrix3<f64>, upper: &Matrix3<f64>) -> Matrix6<f64> {
    let mut whole = Matrix6::zeros();
    whole.fixed_view_mut::<3, 3>(0, 0).copy_from(diagonal);
    whole.fixed_view_mut::<3, 3>(3, 3).copy_from(diagonal);
    whole.fixed_view_mut::<3, 3>(0, 3).copy_from(upper);
    whole.fixed_view_mut::<3, 3>(3, 0).copy_from(&upper.transpose());
    whole
}

fn stacked(first: &Vector3<f64>, second: &Vector3<f64>) -> Vector6<f64> {
    Vector6::new(first.x, first.y, first.z, second.x, second.y, second.z)
}

fn head(u: &Vector6<f64>) -> Vector3<f64> {
    u.fixed_rows::<3>(0).into()
}

fn tail(u: &Vector6<f64>) -> Vector3<f64> {
    u.fixed_rows::<3>(3).into()
}
