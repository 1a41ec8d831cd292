//! The cubic between two samples.

use std::ops::{Add, Mul, Sub};

/// The value a fraction `t` of the way from `p1` to `p2`, their outer neighbours being `p0`, `p3`.
///
/// # Method
/// `h(t) = (2t³-3t²+1) p1 + (t³-2t²+t) m1 + (-2t³+3t²) p2 + (t³-t²) m2` with the tangents
/// `m1 = (p2-p0)/2`, `m2 = (p3-p1)/2`. A missing neighbour continues the parabola through the other
/// three, `p0 = 3 p1 - 3 p2 + p3`, so that parabolas are reproduced; with both missing the cubic is
/// the straight line.
pub(super) fn between<V>(p0: Option<V>, p1: V, p2: V, p3: Option<V>, t: f64) -> V
where
    V: Copy + Add<Output = V> + Sub<Output = V> + Mul<f64, Output = V>,
{
    let (p0, p3) = match (p0, p3) {
        (Some(p0), Some(p3)) => (p0, p3),
        (Some(p0), None) => (p0, (p2 - p1) * 3.0 + p0),
        (None, Some(p3)) => ((p1 - p2) * 3.0 + p3, p3),
        (None, None) => return p1 + (p2 - p1) * t,
    };
    let (m1, m2) = ((p2 - p0) * 0.5, (p3 - p1) * 0.5);
    let (t2, t3) = (t * t, t * t * t);
    p1 * (2.0 * t3 - 3.0 * t2 + 1.0)
        + m1 * (t3 - 2.0 * t2 + t)
        + p2 * (3.0 * t2 - 2.0 * t3)
        + m2 * (t3 - t2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn reproduces_a_parabola_even_beside_a_gap(
            a in -2.0..2.0f64, b in -2.0..2.0f64, c in -2.0..2.0f64, t in 0.0..1.0f64, gap in 0..3,
        ) {
            let f = |x: f64| a + b * x + c * x * x;
            let (p0, p3) = ((gap != 1).then(|| f(-1.0)), (gap != 2).then(|| f(2.0)));
            prop_assert!((between(p0, f(0.0), f(1.0), p3, t) - f(t)).abs() < 1e-12);
        }

        #[test]
        fn is_a_straight_line_between_two_samples_alone(p in -1.0..1.0f64, q in -1.0..1.0f64) {
            prop_assert!((between(None, p, q, None, 0.25) - (0.75 * p + 0.25 * q)).abs() < 1e-12);
        }
    }
}
