//! Sums over points, as wide as the processor's vectors.
//!
//! The width is chosen at run time. A pass is written once, for vectors of any width; the few points
//! that do not fill a vector go through the same code one by one. Every accumulator has a name of its
//! own, and nothing is a closure: arrays and closures were measured to make the compiler leave
//! accumulators in memory, or call code that knows nothing of wide vectors.

use std::ops::AddAssign;

use nalgebra::{Matrix3, Vector3};
use pulp::{Arch, Scalar, Simd, WithSimd};

/// What is added up over points.
pub(super) trait Pass: Copy {
    /// Of two sets of points together: the sum.
    type Sums: AddAssign;

    /// The sums over points given by one slice of vectors an axis, all of the same length.
    ///
    /// Implementations are `#[inline(always)]`, or the compiler would not know the width.
    fn over<S: Simd>(self, simd: S, points: [&[S::f64s]; 3]) -> Self::Sums;
}

/// Runs a pass over points given by one slice an axis, all of the same length.
pub(super) fn run<P: Pass>(pass: P, points: [&[f64]; 3]) -> P::Sums {
    Arch::new().dispatch(Run { pass, points })
}

struct Run<'a, P> {
    pass: P,
    points: [&'a [f64]; 3],
}

impl<P: Pass> WithSimd for Run<'_, P> {
    type Output = P::Sums;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> P::Sums {
        let [xs, ys, zs] = self.points;
        let (xs, x_tail) = S::as_simd_f64s(xs);
        let (ys, y_tail) = S::as_simd_f64s(ys);
        let (zs, z_tail) = S::as_simd_f64s(zs);
        let mut sums = self.pass.over(simd, [xs, ys, zs]);
        if !x_tail.is_empty() {
            sums += self.pass.over(Scalar, [x_tail, y_tail, z_tail]);
        }
        sums
    }
}

/// A vector from the lanes of its components.
#[inline(always)]
pub(super) fn vector<S: Simd>(simd: S, x: S::f64s, y: S::f64s, z: S::f64s) -> Vector3<f64> {
    Vector3::new(simd.reduce_sum_f64s(x), simd.reduce_sum_f64s(y), simd.reduce_sum_f64s(z))
}

/// A symmetric matrix from the lanes of xx, xy, xz and yy, yz, zz.
#[inline(always)]
pub(super) fn symmetric<S: Simd>(
    simd: S,
    (xx, xy, xz): (S::f64s, S::f64s, S::f64s),
    (yy, yz, zz): (S::f64s, S::f64s, S::f64s),
) -> Matrix3<f64> {
    let (xy, xz) = (simd.reduce_sum_f64s(xy), simd.reduce_sum_f64s(xz));
    let (yz, xx) = (simd.reduce_sum_f64s(yz), simd.reduce_sum_f64s(xx));
    let (yy, zz) = (simd.reduce_sum_f64s(yy), simd.reduce_sum_f64s(zz));
    Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz)
}
