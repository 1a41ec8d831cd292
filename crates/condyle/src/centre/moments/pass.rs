//! The pass over memory: sums about an origin.

use pulp::Simd;

use super::Sums;
use crate::centre::lanes::{self, Pass};

/// The sums over deviations from an origin; the slices are of equal length.
pub(super) fn sums_about(points: [&[f64]; 3], origin: [f64; 3]) -> Sums<3> {
    lanes::run(About { origin }, points)
}

#[derive(Clone, Copy)]
struct About {
    origin: [f64; 3],
}

/// No vector crosses a line of the cache.
#[repr(align(64))]
struct Aligned<T>(T);

impl Pass for About {
    type Sums = Sums<3>;

    #[inline(always)]
    fn over<S: Simd>(self, simd: S, [xs, ys, zs]: [&[S::f64s]; 3]) -> Sums<3> {
        let [ox, oy, oz] = self.origin;
        let (ox, oy, oz) = (simd.splat_f64s(ox), simd.splat_f64s(oy), simd.splat_f64s(oz));
        let zero = simd.splat_f64s(0.0);
        // Thirteen sums and their operands do not fit in sixteen registers, and the compiler would
        // spill those that are waited for. Four sums live in memory instead, which an index that is
        // only known at run time brings about; two places that take turns hide how long it takes.
        let mut kept = Aligned([[zero; 4]; 2]);
        let (mut xy, mut xz, mut yy, mut yz, mut zz) = (zero, zero, zero, zero, zero);
        let (mut tx, mut ty, mut tz, mut q) = (zero, zero, zero, zero);
        for (i, ((&x, &y), &z)) in xs.iter().zip(ys).zip(zs).enumerate() {
            let (dx, dy, dz) = (simd.sub_f64s(x, ox), simd.sub_f64s(y, oy), simd.sub_f64s(z, oz));
            let square = simd.mul_f64s(dx, dx);
            let [sx, sy, sz, xx] = &mut kept.0[i % 2];
            *sx = simd.add_f64s(*sx, dx);
            *sy = simd.add_f64s(*sy, dy);
            *sz = simd.add_f64s(*sz, dz);
            *xx = simd.add_f64s(*xx, square);
            let square = simd.mul_add_e_f64s(dy, dy, square);
            yy = simd.mul_add_e_f64s(dy, dy, yy);
            let square = simd.mul_add_e_f64s(dz, dz, square);
            zz = simd.mul_add_e_f64s(dz, dz, zz);
            xy = simd.mul_add_e_f64s(dx, dy, xy);
            xz = simd.mul_add_e_f64s(dx, dz, xz);
            yz = simd.mul_add_e_f64s(dy, dz, yz);
            tx = simd.mul_add_e_f64s(dx, square, tx);
            ty = simd.mul_add_e_f64s(dy, square, ty);
            tz = simd.mul_add_e_f64s(dz, square, tz);
            q = simd.mul_add_e_f64s(square, square, q);
        }
        let [[sx, sy, sz, xx], odd] = kept.0;
        let (sx, sy) = (simd.add_f64s(sx, odd[0]), simd.add_f64s(sy, odd[1]));
        let (sz, xx) = (simd.add_f64s(sz, odd[2]), simd.add_f64s(xx, odd[3]));
        Sums {
            sum: lanes::vector(simd, sx, sy, sz),
            a: lanes::symmetric(simd, (xx, xy, xz), (yy, yz, zz)),
            t: lanes::vector(simd, tx, ty, tz),
            q: simd.reduce_sum_f64s(q),
        }
    }
}
