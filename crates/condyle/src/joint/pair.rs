//! What is kept of two bodies' poses to find the point that is fixed in both: sums in constant memory.

use std::ops::Range;

use nalgebra::{Isometry3, Matrix3, Point3, Vector3};
use pulp::{Arch, Simd, WithSimd};

use super::poses::Poses;

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
    pub(super) n: f64,
    /// M = Σ R_cᵀR_p.
    pub(super) m: Matrix3<f64>,
    /// Σ R_cᵀd.
    pub(super) child_d: Vector3<f64>,
    /// Σ R_pᵀd.
    pub(super) parent_d: Vector3<f64>,
    /// Σ |d|².
    pub(super) square: f64,
}

impl PairSums {
    /// The sums over two bodies' poses, frame by frame.
    pub fn from_poses(child: &Poses, parent: &Poses) -> Self {
        let mut sums = Self::default();
        let arch = Arch::new();
        let frames = child.frames().min(parent.frames());
        for from in (0..frames).step_by(CACHED) {
            sums.add(child, parent, &(from..frames.min(from + CACHED)), arch);
        }
        sums
    }

    /// Adds the frames of a range, at most [`CACHED`] of them.
    pub(super) fn add(&mut self, child: &Poses, parent: &Poses, range: &Range<usize>, arch: Arch) {
        let mut d = [[0.0; CACHED]; 3];
        let (child_seen, parent_seen) = (&child.seen[range.clone()], &parent.seen[range.clone()]);
        self.n += child_seen.iter().zip(parent_seen).map(|(c, p)| c * p).sum::<f64>();
        for (axis, d) in d.iter_mut().enumerate() {
            let there = child.origin_m[axis][range.clone()].iter();
            let there = there.zip(&parent.origin_m[axis][range.clone()]);
            let both = child_seen.iter().zip(parent_seen);
            for ((d, (c, p)), (seen, too)) in d.iter_mut().zip(there).zip(both) {
                *d = (p - c) * (seen * too);
            }
        }
        let d = [0, 1, 2].map(|axis| &d[axis][..range.len()]);
        let [x, y, z] = [0, 1, 2].map(|axis| block(&parent.axes[axis], range));
        let others = [x, y, z, d];
        let [first, second, third] = [0, 1, 2].map(|axis| block(&child.axes[axis], range));
        let [of_first, of_second] = arch.dispatch(Dots { two: [first, second], others });
        let [of_third, of_d] = arch.dispatch(Dots { two: [third, d], others });
        for (axis, [mx, my, mz, cd]) in [of_first, of_second, of_third].into_iter().enumerate() {
            self.m[(axis, 0)] += mx;
            self.m[(axis, 1)] += my;
            self.m[(axis, 2)] += mz;
            self.child_d[axis] += cd;
        }
        let [px, py, pz, square] = of_d;
        self.parent_d += Vector3::new(px, py, pz);
        self.square += square;
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

    /// The rms distance between the origins of the two bodies.
    pub fn distance_m(&self) -> f64 {
        (self.square / self.n.max(1.0)).sqrt()
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
}

fn block<'a>(rows: &'a [Vec<f64>; 3], range: &Range<usize>) -> [&'a [f64]; 3] {
    [0, 1, 2].map(|row| &rows[row][range.clone()])
}

/// Frames that stay in the first-level cache while loops go over them.
pub(super) const CACHED: usize = 128;

/// Σ a·b over the frames, for two columns of vectors and four others: eight sums at once, as many as
/// keep both multipliers busy while each waits for its last result.
struct Dots<'a> {
    two: [[&'a [f64]; 3]; 2],
    others: [[&'a [f64]; 3]; 4],
}

impl WithSimd for Dots<'_> {
    type Output = [[f64; 4]; 2];

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> [[f64; 4]; 2] {
        let zero = simd.splat_f64s(0.0);
        let (mut ac, mut ad, mut ae, mut af) = (zero, zero, zero, zero);
        let (mut bc, mut bd, mut be, mut bf) = (zero, zero, zero, zero);
        let mut tails = [[0.0; 4]; 2];
        for row in 0..3 {
            let [(a, a_tail), (b, b_tail)] = self.two.map(|one| S::as_simd_f64s(one[row]));
            let [(c, c_tail), (d, d_tail), (e, e_tail), (f, f_tail)] =
                self.others.map(|other| S::as_simd_f64s(other[row]));
            let columns = a.iter().zip(b).zip(c).zip(d).zip(e).zip(f);
            for (((((&a, &b), &c), &d), &e), &f) in columns {
                ac = simd.mul_add_e_f64s(a, c, ac);
                ad = simd.mul_add_e_f64s(a, d, ad);
                ae = simd.mul_add_e_f64s(a, e, ae);
                af = simd.mul_add_e_f64s(a, f, af);
                bc = simd.mul_add_e_f64s(b, c, bc);
                bd = simd.mul_add_e_f64s(b, d, bd);
                be = simd.mul_add_e_f64s(b, e, be);
                bf = simd.mul_add_e_f64s(b, f, bf);
            }
            for (at, (a, b)) in a_tail.iter().zip(b_tail).enumerate() {
                for (other, tail) in [c_tail, d_tail, e_tail, f_tail].into_iter().enumerate() {
                    tails[0][other] += a * tail[at];
                    tails[1][other] += b * tail[at];
                }
            }
        }
        let sums = [[ac, ad, ae, af], [bc, bd, be, bf]];
        let sums = sums.map(|row| row.map(|sum| simd.reduce_sum_f64s(sum)));
        [0, 1].map(|row| [0, 1, 2, 3].map(|at: usize| sums[row][at] + tails[row][at]))
    }
}

#[cfg(test)]
mod tests;
