//! The point that is fixed in two bodies at once, in constant memory: O'Brien's two-sided fit.

use std::ops::Range;

use nalgebra::{Isometry3, Matrix3, Point3, Unit, Vector3};
use pulp::{Arch, Simd, WithSimd};

use super::poses::Poses;
use crate::error::{ErrorKind, Result};

/// What is summed over the frames in which both bodies have a pose.
///
/// Sums of parts of a recording, of several recordings or of a stream add up to the sums of the whole.
///
/// # Method
/// With c the joint in the child and l in the parent, Σ |R_c c + t_c - R_p l - t_p|² over u = (c, l) has
/// the normal form A u = b, `A = [nI, -M; -Mᵀ, nI]`, `b = (ΣR_cᵀd, -ΣR_pᵀd)`, M = ΣR_cᵀR_p, d = t_p - t_c. With
/// M/n = U S Vᵀ and c = U c′, l = V l′ it falls into three systems of two unknowns whose eigenvalues are
/// n(1 ± s): those with 1 - s near zero belong to directions about which the bodies do not turn.
///
/// # Reference
/// J. F. O'Brien, R. E. Bodenheimer, G. J. Brostow, J. K. Hodgins (2000), *Automatic Joint Parameter
/// Estimation from Magnetic Motion Capture Data*, (8) to (13) and section 3.2, whose halves of the null
/// vector are exchanged here: its first half is the axis in the child. The normal form is ours.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PairSums {
    /// How many frames.
    n: f64,
    /// M = Σ R_cᵀR_p.
    m: Matrix3<f64>,
    /// Σ R_cᵀd.
    child_d: Vector3<f64>,
    /// Σ R_pᵀd.
    parent_d: Vector3<f64>,
    /// Σ |d|².
    square: f64,
}

/// When a direction counts as one about which nothing turned.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairRule {
    /// How noisy the orientations are: one standard deviation of an angle. Turning less than twice as
    /// much is no turning.
    pub orientation_noise_rad: f64,
    /// The largest predicted error of the centre along a direction; beyond it the direction is left open.
    pub max_axial_error_m: f64,
}

impl Default for PairRule {
    /// A third of a degree, and a centimetre.
    fn default() -> Self {
        Self { orientation_noise_rad: 0.005, max_axial_error_m: 0.01 }
    }
}

/// How two bodies move against each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PairMotion {
    /// About two axes or more: the joint is a point.
    Ball,
    /// About one axis: the joint is that line, the centre its point nearest to both origins.
    Hinge,
    /// Hardly at all: the centre is the point nearest to both origins, and means nothing.
    None,
}

/// A direction seen from both bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairAxis {
    /// In the child's frame.
    pub in_child: Unit<Vector3<f64>>,
    /// In the parent's frame.
    pub in_parent: Unit<Vector3<f64>>,
}

/// A joint between two bodies, with its evidence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairFit {
    /// The centre in the child's frame, in metres.
    pub centre_in_child_m: Point3<f64>,
    /// The centre in the parent's frame, in metres.
    pub centre_in_parent_m: Point3<f64>,
    /// The rms distance between the two, seen from the world.
    pub residual_m: f64,
    /// How many frames were used.
    pub samples: usize,
    /// The singular values √(n(1 ± s)) of the stacked equations, largest first.
    pub singular_values: [f64; 6],
    /// How the bodies move against each other.
    pub motion: PairMotion,
    /// The direction about which they turn, if it is one; otherwise that along which the centre is
    /// least certain.
    pub axis: PairAxis,
}

impl PairSums {
    /// The sums over two bodies' poses, frame by frame.
    pub fn of(child: &Poses, parent: &Poses) -> Self {
        let mut sums = Self::default();
        let arch = Arch::new();
        let frames = child.frames().min(parent.frames());
        let mut d = [[0.0; CACHED]; 3];
        for from in (0..frames).step_by(CACHED) {
            let range = from..frames.min(from + CACHED);
            let count = range.len();
            let (child_seen, parent_seen) =
                (&child.seen[range.clone()], &parent.seen[range.clone()]);
            sums.n += child_seen.iter().zip(parent_seen).map(|(c, p)| c * p).sum::<f64>();
            for (axis, d) in d.iter_mut().enumerate() {
                let there = child.origin_m[axis][range.clone()].iter();
                let there = there.zip(&parent.origin_m[axis][range.clone()]);
                let both = child_seen.iter().zip(parent_seen);
                for ((d, (c, p)), (seen, too)) in d.iter_mut().zip(there).zip(both) {
                    *d = (p - c) * (seen * too);
                }
            }
            let d = [0, 1, 2].map(|axis| &d[axis][..count]);
            let [x, y, z] = [0, 1, 2].map(|axis| block(&parent.axes[axis], &range));
            let others = [x, y, z, d];
            for axis in 0..3 {
                let [mx, my, mz, cd] =
                    arch.dispatch(Dots { one: block(&child.axes[axis], &range), others });
                sums.m[(axis, 0)] += mx;
                sums.m[(axis, 1)] += my;
                sums.m[(axis, 2)] += mz;
                sums.child_d[axis] += cd;
            }
            let [px, py, pz, square] = arch.dispatch(Dots { one: d, others });
            sums.parent_d += Vector3::new(px, py, pz);
            sums.square += square;
        }
        sums
    }

    /// Takes one more frame.
    pub fn push(&mut self, world_from_child: &Isometry3<f64>, world_from_parent: &Isometry3<f64>) {
        let child = world_from_child.rotation.to_rotation_matrix();
        let parent = world_from_parent.rotation.to_rotation_matrix();
        let d = world_from_parent.translation.vector - world_from_child.translation.vector;
        self.n += 1.0;
        self.m += child.matrix().tr_mul(parent.matrix());
        self.child_d += child.matrix().tr_mul(&d);
        self.parent_d += parent.matrix().tr_mul(&d);
        self.square += d.norm_squared();
    }

    /// Adds the sums of other frames of the same two bodies.
    pub fn merge(&mut self, other: &Self) {
        self.n += other.n;
        self.m += other.m;
        self.child_d += other.child_d;
        self.parent_d += other.parent_d;
        self.square += other.square;
    }

    /// The same frames with the two bodies exchanged.
    #[must_use]
    pub fn swapped(&self) -> Self {
        Self { m: self.m.transpose(), child_d: -self.parent_d, parent_d: -self.child_d, ..*self }
    }

    /// How many frames went in.
    pub fn samples(&self) -> usize {
        self.n as usize
    }

    /// The rms distance, over the frames, between a point of the child and a point of the parent.
    pub fn residual_m(
        &self,
        centre_in_child_m: &Point3<f64>,
        centre_in_parent_m: &Point3<f64>,
    ) -> f64 {
        let (c, l) = (&centre_in_child_m.coords, &centre_in_parent_m.coords);
        let square = self.n * (c.norm_squared() + l.norm_squared()) - 2.0 * c.dot(&(self.m * l))
            + 2.0 * (l.dot(&self.parent_d) - c.dot(&self.child_d))
            + self.square;
        (square.max(0.0) / self.n.max(1.0)).sqrt()
    }

    /// The joint.
    ///
    /// # Errors
    /// Fewer than two frames, or poses that are not finite.
    pub fn fit(&self, rule: &PairRule) -> Result<PairFit> {
        if self.n < 2.0 {
            return Err(undetermined(format!(
                "joint: need 2 frames in which both bodies are seen, got {}",
                self.n
            )));
        }
        let no_numbers = || undetermined("joint: need finite poses, got others");
        let svd = (self.m / self.n)
            .try_svd(true, true, f64::EPSILON, 1000)
            .filter(|svd| svd.singular_values.iter().all(|s| s.is_finite()))
            .ok_or_else(no_numbers)?;
        let (Some(u), Some(v_t)) = (svd.u, svd.v_t) else { return Err(no_numbers()) };
        let s = svd.singular_values.map(|s| s.min(1.0));
        let (child_d, parent_d) = (u.tr_mul(&self.child_d), v_t * self.parent_d);
        let solve = |open: usize| {
            // In the sum of c′ and l′ the eigenvalue is n(1 - s), in the difference n(1 + s).
            let (mut c, mut l) = (Vector3::zeros(), Vector3::zeros());
            for axis in 0..3 {
                let stiff = (child_d[axis] + parent_d[axis]) / (1.0 + s[axis]);
                let loose = if axis < open || 1.0 - s[axis] <= LEAST_TURNING {
                    0.0
                } else {
                    (child_d[axis] - parent_d[axis]) / (1.0 - s[axis])
                };
                c[axis] = 0.5 * (loose + stiff) / self.n;
                l[axis] = 0.5 * (loose - stiff) / self.n;
            }
            (Point3::from(u * c), Point3::from(v_t.tr_mul(&l)))
        };
        // Singular values come largest first: the least turning is about the first direction.
        let (c, l) = solve(0);
        let noise_m = self.residual_m(&c, &l);
        let is_open = |axis: usize| {
            let turning = (1.0 - s[axis]).sqrt();
            turning < 2.0 * rule.orientation_noise_rad
                || noise_m > rule.max_axial_error_m * turning * self.n.sqrt()
        };
        let (motion, open) = match (is_open(0), is_open(1)) {
            (false, _) => (PairMotion::Ball, 0),
            (true, false) => (PairMotion::Hinge, 1),
            (true, true) => (PairMotion::None, 3),
        };
        let (centre_in_child_m, centre_in_parent_m) = solve(open);
        let value = |factor: f64| (self.n * factor.max(0.0)).sqrt();
        Ok(PairFit {
            centre_in_child_m,
            centre_in_parent_m,
            residual_m: self.residual_m(&centre_in_child_m, &centre_in_parent_m),
            samples: self.samples(),
            singular_values: [
                value(1.0 + s[0]),
                value(1.0 + s[1]),
                value(1.0 + s[2]),
                value(1.0 - s[2]),
                value(1.0 - s[1]),
                value(1.0 - s[0]),
            ],
            motion,
            axis: PairAxis {
                in_child: Unit::new_normalize(u.column(0).into()),
                in_parent: Unit::new_normalize(v_t.row(0).transpose()),
            },
        })
    }
}

fn block<'a>(rows: &'a [Vec<f64>; 3], range: &Range<usize>) -> [&'a [f64]; 3] {
    [0, 1, 2].map(|row| &rows[row][range.clone()])
}

/// Below this 1 - s is rounding.
const LEAST_TURNING: f64 = 1e-13;
/// Frames that stay in the first-level cache while four loops go over them.
const CACHED: usize = 128;

/// Σ a·b over the frames, for one column of vectors and four others.
struct Dots<'a> {
    one: [&'a [f64]; 3],
    others: [[&'a [f64]; 3]; 4],
}

impl WithSimd for Dots<'_> {
    type Output = [f64; 4];

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> [f64; 4] {
        let zero = simd.splat_f64s(0.0);
        let (mut p, mut q, mut r, mut s) = (zero, zero, zero, zero);
        let (mut p_tail, mut q_tail, mut r_tail, mut s_tail) = (0.0, 0.0, 0.0, 0.0);
        for row in 0..3 {
            let (a, a_tail) = S::as_simd_f64s(self.one[row]);
            let [(b, b_tail), (c, c_tail), (d, d_tail), (e, e_tail)] =
                self.others.map(|other| S::as_simd_f64s(other[row]));
            for ((((&a, &b), &c), &d), &e) in a.iter().zip(b).zip(c).zip(d).zip(e) {
                p = simd.mul_add_e_f64s(a, b, p);
                q = simd.mul_add_e_f64s(a, c, q);
                r = simd.mul_add_e_f64s(a, d, r);
                s = simd.mul_add_e_f64s(a, e, s);
            }
            let tails = a_tail.iter().zip(b_tail).zip(c_tail).zip(d_tail).zip(e_tail);
            for ((((a, b), c), d), e) in tails {
                p_tail += a * b;
                q_tail += a * c;
                r_tail += a * d;
                s_tail += a * e;
            }
        }
        [
            simd.reduce_sum_f64s(p) + p_tail,
            simd.reduce_sum_f64s(q) + q_tail,
            simd.reduce_sum_f64s(r) + r_tail,
            simd.reduce_sum_f64s(s) + s_tail,
        ]
    }
}

fn undetermined(what: impl Into<String>) -> crate::error::Error {
    ErrorKind::Undetermined(what.into()).into()
}

#[cfg(test)]
mod tests;
