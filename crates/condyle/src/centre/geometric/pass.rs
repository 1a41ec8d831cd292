//! One pass of the geometric fit.

use std::ops::AddAssign;

use nalgebra::{Matrix3, Vector3};
use pulp::Simd;

use crate::centre::lanes::{self, Pass};

/// Sums over the unit vectors u = (x - c)/l and the excess l - ρ over a radius ρ near the answer.
#[derive(Debug, Clone, Copy)]
pub(super) struct UnitSums {
    /// Σu.
    pub u: Vector3<f64>,
    /// W = Σuuᵀ/l, whose trace is Σ1/l.
    pub w: Matrix3<f64>,
    /// Σ(l - ρ).
    pub excess: f64,
    /// Σ(l - ρ)².
    pub excess_squared: f64,
}

impl AddAssign for UnitSums {
    fn add_assign(&mut self, other: Self) {
        self.u += other.u;
        self.w += other.w;
        self.excess += other.excess;
        self.excess_squared += other.excess_squared;
    }
}

pub(super) fn sums(points: [&[f64]; 3], centre: Vector3<f64>, radius: f64) -> UnitSums {
    lanes::run(Around { centre, radius }, points)
}

#[derive(Clone, Copy)]
struct Around {
    centre: Vector3<f64>,
    radius: f64,
}

impl Pass for Around {
    type Sums = UnitSums;

    #[inline(always)]
    fn over<S: Simd>(self, simd: S, [xs, ys, zs]: [&[S::f64s]; 3]) -> UnitSums {
        let c = self.centre;
        let (cx, cy, cz) = (simd.splat_f64s(c.x), simd.splat_f64s(c.y), simd.splat_f64s(c.z));
        let (one, rho) = (simd.splat_f64s(1.0), simd.splat_f64s(self.radius));
        // A point on the centre has no direction; this keeps it from becoming one that is not a number.
        let tiny = simd.splat_f64s(f64::MIN_POSITIVE);
        let zero = simd.splat_f64s(0.0);
        let (mut ux, mut uy, mut uz) = (zero, zero, zero);
        let (mut xx, mut xy, mut xz) = (zero, zero, zero);
        let (mut yy, mut yz, mut trace) = (zero, zero, zero);
        let (mut e1, mut e2) = (zero, zero);
        for ((&x, &y), &z) in xs.iter().zip(ys).zip(zs) {
            let (dx, dy, dz) = (simd.sub_f64s(x, cx), simd.sub_f64s(y, cy), simd.sub_f64s(z, cz));
            let square = simd.mul_add_e_f64s(dx, dx, tiny);
            let square = simd.mul_add_e_f64s(dy, dy, square);
            let square = simd.mul_add_e_f64s(dz, dz, square);
            let l = simd.sqrt_f64s(square);
            let excess = simd.sub_f64s(l, rho);
            e1 = simd.add_f64s(e1, excess);
            e2 = simd.mul_add_e_f64s(excess, excess, e2);
            let inverse = simd.div_f64s(one, l);
            let x = simd.mul_f64s(dx, inverse);
            let y = simd.mul_f64s(dy, inverse);
            let z = simd.mul_f64s(dz, inverse);
            ux = simd.add_f64s(ux, x);
            uy = simd.add_f64s(uy, y);
            uz = simd.add_f64s(uz, z);
            let by_l = simd.mul_f64s(x, inverse);
            xx = simd.mul_add_e_f64s(by_l, x, xx);
            xy = simd.mul_add_e_f64s(by_l, y, xy);
            xz = simd.mul_add_e_f64s(by_l, z, xz);
            let by_l = simd.mul_f64s(y, inverse);
            yy = simd.mul_add_e_f64s(by_l, y, yy);
            yz = simd.mul_add_e_f64s(by_l, z, yz);
            trace = simd.add_f64s(trace, inverse);
        }
        // |u| = 1: cheaper than one more product, and W only steers the steps.
        let zz = simd.sub_f64s(simd.sub_f64s(trace, xx), yy);
        UnitSums {
            u: lanes::vector(simd, ux, uy, uz),
            w: lanes::symmetric(simd, (xx, xy, xz), (yy, yz, zz)),
            excess: simd.reduce_sum_f64s(e1),
            excess_squared: simd.reduce_sum_f64s(e2),
        }
    }
}
