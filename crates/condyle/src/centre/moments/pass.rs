//! The pass over memory: sums about an origin, as wide as the processor's vectors.
//!
//! The width is chosen at run time; every accumulator is a register of its own, so that the chains
//! of additions overlap. Closures and arrays of accumulators were measured to defeat the compiler.

use nalgebra::{Matrix3, Vector3};
use pulp::{Arch, Simd, WithSimd};

use super::Sums;

/// The mean of a block.
pub(super) fn mean(points: [&[f64]; 3]) -> [f64; 3] {
    let n = points[0].len() as f64;
    Arch::new().dispatch(Totals { points }).map(|total| total / n)
}

/// The sums over deviations from an origin; the slices are of equal length.
pub(super) fn sums_about(points: [&[f64]; 3], origin: [f64; 3]) -> Sums<3> {
    Arch::new().dispatch(SumsAbout { points, origin })
}

struct Totals<'a> {
    points: [&'a [f64]; 3],
}

impl WithSimd for Totals<'_> {
    type Output = [f64; 3];

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> [f64; 3] {
        let (xs, x_tail) = S::as_simd_f64s(self.points[0]);
        let (ys, y_tail) = S::as_simd_f64s(self.points[1]);
        let (zs, z_tail) = S::as_simd_f64s(self.points[2]);
        let zero = simd.splat_f64s(0.0);
        let (mut x, mut y, mut z) = (zero, zero, zero);
        for ((&xi, &yi), &zi) in xs.iter().zip(ys).zip(zs) {
            x = simd.add_f64s(x, xi);
            y = simd.add_f64s(y, yi);
            z = simd.add_f64s(z, zi);
        }
        let mut totals =
            [simd.reduce_sum_f64s(x), simd.reduce_sum_f64s(y), simd.reduce_sum_f64s(z)];
        for ((xi, yi), zi) in x_tail.iter().zip(y_tail).zip(z_tail) {
            totals[0] += xi;
            totals[1] += yi;
            totals[2] += zi;
        }
        totals
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
        let (mut sx, mut sy, mut sz) = (zero, zero, zero);
        let (mut xx, mut xy, mut xz) = (zero, zero, zero);
        let (mut yy, mut yz, mut zz) = (zero, zero, zero);
        let (mut tx, mut ty, mut tz, mut q) = (zero, zero, zero, zero);
        for ((&x, &y), &z) in xs.iter().zip(ys).zip(zs) {
            let (dx, dy, dz) = (simd.sub_f64s(x, vx), simd.sub_f64s(y, vy), simd.sub_f64s(z, vz));
            let square = simd.mul_f64s(dx, dx);
            let square = simd.mul_add_e_f64s(dy, dy, square);
            let square = simd.mul_add_e_f64s(dz, dz, square);
            sx = simd.add_f64s(sx, dx);
            sy = simd.add_f64s(sy, dy);
            sz = simd.add_f64s(sz, dz);
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
        let (sx, sy) = (simd.reduce_sum_f64s(sx), simd.reduce_sum_f64s(sy));
        let (tx, ty) = (simd.reduce_sum_f64s(tx), simd.reduce_sum_f64s(ty));
        let mut sums = Sums {
            sum: Vector3::new(sx, sy, simd.reduce_sum_f64s(sz)),
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
