//! One pass of the geometric fit, as wide as the processor's vectors.

use nalgebra::{Matrix3, Vector3};
use pulp::{Arch, Simd, WithSimd};

/// Sums over the unit vectors u = (x - c)/l and the excess l - ρ over a radius ρ near the answer.
#[derive(Debug, Clone, Copy)]
pub(super) struct UnitSums {
    pub u: Vector3<f64>,
    pub uu: Matrix3<f64>,
    /// Σ(l - ρ).
    pub excess: f64,
    /// Σ(l - ρ)².
    pub excess_squared: f64,
}

impl UnitSums {
    /// Σ(l - mean l)².
    pub fn cost(&self, n: f64) -> f64 {
        (self.excess_squared - self.excess * self.excess / n).max(0.0)
    }
}

pub(super) fn sums(points: [&[f64]; 3], centre: Vector3<f64>, radius: f64) -> UnitSums {
    Arch::new().dispatch(Pass { points, centre, radius })
}

struct Pass<'a> {
    points: [&'a [f64]; 3],
    centre: Vector3<f64>,
    radius: f64,
}

impl WithSimd for Pass<'_> {
    type Output = UnitSums;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> UnitSums {
        let (xs, x_tail) = S::as_simd_f64s(self.points[0]);
        let (ys, y_tail) = S::as_simd_f64s(self.points[1]);
        let (zs, z_tail) = S::as_simd_f64s(self.points[2]);
        let c = self.centre;
        let (cx, cy, cz) = (simd.splat_f64s(c.x), simd.splat_f64s(c.y), simd.splat_f64s(c.z));
        let (one, rho) = (simd.splat_f64s(1.0), simd.splat_f64s(self.radius));
        // A point on the centre has no direction; this keeps it from becoming one that is not a number.
        let tiny = simd.splat_f64s(f64::MIN_POSITIVE);
        let zero = simd.splat_f64s(0.0);
        let (mut ux, mut uy, mut uz) = (zero, zero, zero);
        let (mut xx, mut xy, mut xz) = (zero, zero, zero);
        let (mut yy, mut yz, mut zz) = (zero, zero, zero);
        let (mut e1, mut e2) = (zero, zero);
        for ((&x, &y), &z) in xs.iter().zip(ys).zip(zs) {
            let (dx, dy, dz) = (simd.sub_f64s(x, cx), simd.sub_f64s(y, cy), simd.sub_f64s(z, cz));
            let square = simd.mul_add_e_f64s(dx, dx, tiny);
            let square = simd.mul_add_e_f64s(dy, dy, square);
            let square = simd.mul_add_e_f64s(dz, dz, square);
            let l = simd.sqrt_f64s(square);
            let inverse = simd.div_f64s(one, l);
            let (dx, dy, dz) = (
                simd.mul_f64s(dx, inverse),
                simd.mul_f64s(dy, inverse),
                simd.mul_f64s(dz, inverse),
            );
            let excess = simd.sub_f64s(l, rho);
            ux = simd.add_f64s(ux, dx);
            uy = simd.add_f64s(uy, dy);
            uz = simd.add_f64s(uz, dz);
            xx = simd.mul_add_e_f64s(dx, dx, xx);
            xy = simd.mul_add_e_f64s(dx, dy, xy);
            xz = simd.mul_add_e_f64s(dx, dz, xz);
            yy = simd.mul_add_e_f64s(dy, dy, yy);
            yz = simd.mul_add_e_f64s(dy, dz, yz);
            zz = simd.mul_add_e_f64s(dz, dz, zz);
            e1 = simd.add_f64s(e1, excess);
            e2 = simd.mul_add_e_f64s(excess, excess, e2);
        }
        let (xy, xz) = (simd.reduce_sum_f64s(xy), simd.reduce_sum_f64s(xz));
        let (yz, xx) = (simd.reduce_sum_f64s(yz), simd.reduce_sum_f64s(xx));
        let (yy, zz) = (simd.reduce_sum_f64s(yy), simd.reduce_sum_f64s(zz));
        let (ux, uy) = (simd.reduce_sum_f64s(ux), simd.reduce_sum_f64s(uy));
        let mut sums = UnitSums {
            u: Vector3::new(ux, uy, simd.reduce_sum_f64s(uz)),
            uu: Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz),
            excess: simd.reduce_sum_f64s(e1),
            excess_squared: simd.reduce_sum_f64s(e2),
        };
        for ((x, y), z) in x_tail.iter().zip(y_tail).zip(z_tail) {
            let d = Vector3::new(x - c.x, y - c.y, z - c.z);
            let l = (d.norm_squared() + f64::MIN_POSITIVE).sqrt();
            let (u, excess) = (d / l, l - self.radius);
            sums.u += u;
            sums.uu += u * u.transpose();
            sums.excess += excess;
            sums.excess_squared += excess * excess;
        }
        sums
    }
}
