//! The pass over memory: sums about an origin, as wide as the processor's vectors.
//!
//! The width is chosen at run time; every accumulator is a register of its own, so that the chains
//! of additions overlap. Closures and arrays of accumulators were measured to defeat the compiler.

use nalgebra::{Matrix3, Vector3};
use pulp::{Arch, Simd, WithSimd};

use super::Sums;

/// An origin near the points: the mean of a few of them, spread over the block.
pub(super) fn near(points: [&[f64]; 3]) -> [f64; 3] {
    const FEW: usize = 16;
    let step = points[0].len().div_ceil(FEW).max(1);
    points.map(|axis| {
        let few = axis.iter().step_by(step);
        let count = few.len() as f64;
        // Divided first: a sum of numbers near the largest would overflow.
        few.map(|value| value / count).sum()
    })
}

/// Points that stay in the first-level cache between two loops over them.
const CACHED: usize = 1024;

/// The sums over deviations from an origin; the slices are of equal length.
///
/// The first moment is a loop of its own over points that are still in cache: in one loop the
/// thirteen sums and their operands would not fit in sixteen registers.
pub(super) fn sums_about(points: [&[f64]; 3], origin: [f64; 3]) -> Sums<3> {
    let arch = Arch::new();
    let mut total = Sums::default();
    let mut from = 0;
    while from < points[0].len() {
        let to = points[0].len().min(from + CACHED);
        let points = points.map(|axis| &axis[from..to]);
        let sums = arch.dispatch(SumsAbout { points, origin });
        total.sum += arch.dispatch(Deviations { points, origin });
        total.a += sums.a;
        total.t += sums.t;
        total.q += sums.q;
        from = to;
    }
    total
}

struct Deviations<'a> {
    points: [&'a [f64]; 3],
    origin: [f64; 3],
}

impl WithSimd for Deviations<'_> {
    type Output = Vector3<f64>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> Vector3<f64> {
        let (xs, x_tail) = S::as_simd_f64s(self.points[0]);
        let (ys, y_tail) = S::as_simd_f64s(self.points[1]);
        let (zs, z_tail) = S::as_simd_f64s(self.points[2]);
        let [ox, oy, oz] = self.origin;
        let (vx, vy, vz) = (simd.splat_f64s(ox), simd.splat_f64s(oy), simd.splat_f64s(oz));
        let zero = simd.splat_f64s(0.0);
        let (mut x, mut y, mut z) = (zero, zero, zero);
        for ((&xi, &yi), &zi) in xs.iter().zip(ys).zip(zs) {
            x = simd.add_f64s(x, simd.sub_f64s(xi, vx));
            y = simd.add_f64s(y, simd.sub_f64s(yi, vy));
            z = simd.add_f64s(z, simd.sub_f64s(zi, vz));
        }
        let (x, y) = (simd.reduce_sum_f64s(x), simd.reduce_sum_f64s(y));
        let mut sum = Vector3::new(x, y, simd.reduce_sum_f64s(z));
        for ((xi, yi), zi) in x_tail.iter().zip(y_tail).zip(z_tail) {
            sum += Vector3::new(xi - ox, yi - oy, zi - oz);
        }
        sum
    }
}

struct SumsAbout<'a> {
    points: [&'a [f64]; 3],
    origin: [f64; 3],
}

impl WithSimd for SumsAbout<'_> {
    type Output = Sums<3>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> Sums<3> {
        let (xs, x_tail) = S::as_simd_f64s(self.points[0]);
        let (ys, y_tail) = S::as_simd_f64s(self.points[1]);
        let (zs, z_tail) = S::as_simd_f64s(self.points[2]);
        let [ox, oy, oz] = self.origin;
        let (vx, vy, vz) = (simd.splat_f64s(ox), simd.splat_f64s(oy), simd.splat_f64s(oz));
        let zero = simd.splat_f64s(0.0);
        let (mut xx, mut xy, mut xz) = (zero, zero, zero);
        let (mut yy, mut yz, mut zz) = (zero, zero, zero);
        let (mut tx, mut ty, mut tz, mut q) = (zero, zero, zero, zero);
        for ((&x, &y), &z) in xs.iter().zip(ys).zip(zs) {
            let (dx, dy, dz) = (simd.sub_f64s(x, vx), simd.sub_f64s(y, vy), simd.sub_f64s(z, vz));
            let square = simd.mul_f64s(dx, dx);
            let square = simd.mul_add_e_f64s(dy, dy, square);
            let square = simd.mul_add_e_f64s(dz, dz, square);
            xx = simd.mul_add_e_f64s(dx, dx, xx);
            xy = simd.mul_add_e_f64s(dx, dy, xy);
            xz = simd.mul_add_e_f64s(dx, dz, xz);
            yy = simd.mul_add_e_f64s(dy, dy, yy);
            yz = simd.mul_add_e_f64s(dy, dz, yz);
            zz = simd.mul_add_e_f64s(dz, dz, zz);
            tx = simd.mul_add_e_f64s(dx, square, tx);
            ty = simd.mul_add_e_f64s(dy, square, ty);
            tz = simd.mul_add_e_f64s(dz, square, tz);
            q = simd.mul_add_e_f64s(square, square, q);
        }
        let xy = simd.reduce_sum_f64s(xy);
        let xz = simd.reduce_sum_f64s(xz);
        let yz = simd.reduce_sum_f64s(yz);
        let (xx, yy) = (simd.reduce_sum_f64s(xx), simd.reduce_sum_f64s(yy));
        let zz = simd.reduce_sum_f64s(zz);
        let (tx, ty) = (simd.reduce_sum_f64s(tx), simd.reduce_sum_f64s(ty));
        let mut sums = Sums {
            // Of the tail only; the caller has the whole from the other loop.
            sum: Vector3::zeros(),
            a: Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz),
            t: Vector3::new(tx, ty, simd.reduce_sum_f64s(tz)),
            q: simd.reduce_sum_f64s(q),
        };
        for ((x, y), z) in x_tail.iter().zip(y_tail).zip(z_tail) {
            sums.add(&Vector3::new(x - ox, y - oy, z - oz));
        }
        sums
    }
}
