//! Three angles of a rotation about axes in a given order, continuous from frame to frame.

use std::f64::consts::{PI, TAU};

use nalgebra::UnitQuaternion;

use crate::motion::about;

/// Below this sine or cosine of the middle angle the outer two axes are one axis.
const GIMBAL: f64 = 1e-9;

/// An order of axes: `R = R_first(a) * R_second(b) * R_third(c)`, axes 0, 1, 2 for x, y, z.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Sequence {
    first: u8,
    second: u8,
    third: u8,
}

impl Sequence {
    /// `z x y`: flexion, adduction, rotation in the axes of the International Society of Biomechanics;
    /// also what BVH files have most.
    pub const ZXY: Self = Self { first: 2, second: 0, third: 1 };
    /// `y x y`: plane of elevation, elevation, axial rotation.
    pub const YXY: Self = Self { first: 1, second: 0, third: 1 };

    /// `y x z`: rotation, obliquity, tilt of the pelvis in the room (Baker 2001).
    pub const YXZ: Self = Self { first: 1, second: 0, third: 2 };

    /// The order of three axes that name all turns: neighbours differ, and all are 0, 1 or 2.
    pub fn new([first, second, third]: [u8; 3]) -> Option<Self> {
        let is_order = first != second && second != third && first.max(second).max(third) < 3;
        is_order.then_some(Self { first, second, third })
    }

    /// The axes in their order.
    pub fn axes(self) -> [u8; 3] {
        [self.first, self.second, self.third]
    }

    /// The sequence in letters: `ZXY`.
    pub fn name(self) -> String {
        self.axes().iter().map(|axis| ['X', 'Y', 'Z'][usize::from(axis % 3)]).collect()
    }

    /// The rotation with these angles.
    pub fn rotation(self, [a, b, c]: [f64; 3]) -> UnitQuaternion<f64> {
        about(self.first, a) * about(self.second, b) * about(self.third, c)
    }

    /// The angles of a rotation, in radians, nearest to `previous`.
    ///
    /// # Method
    /// With i, j the first two axes, k the remaining one and s = ±1 the sign of the permutation (i, j, k):
    /// for three different axes `b = atan2(s R[i,k], |R[i,i], R[i,j]|)`, `a = atan2(-s R[j,k], R[k,k])`,
    /// `c = atan2(-s R[i,j], R[i,i])`; for an axis that comes twice `b = atan2(|R[i,j], R[i,k]|, R[i,i])`,
    /// `a = atan2(R[j,i], -s R[k,i])`, `c = atan2(R[i,j], s R[i,k])`. The other solution is
    /// `(a + π, π - b, c + π)`, or `(a + π, -b, c + π)`; whole turns are added to both and the nearer one is
    /// taken. Where the outer axes are one, only `a ± c` is defined: `c` stays as it was.
    ///
    /// # Reference
    /// K. Shoemake 1994, Euler angle conversion, Graphics Gems IV, III.5.
    pub fn angles(self, rotation: &UnitQuaternion<f64>, previous: [f64; 3]) -> [f64; 3] {
        let r = rotation.to_rotation_matrix();
        let (i, j) = (usize::from(self.first), usize::from(self.second));
        let k = 3 - i - j;
        let s = if (i + 1) % 3 == j { 1.0 } else { -1.0 };
        let is_twice = self.first == self.third;
        let (one, other) = if is_twice {
            let sine = r[(i, j)].hypot(r[(i, k)]);
            let b = sine.atan2(r[(i, i)]);
            if sine < GIMBAL {
                // R is a turn by a ± c about the outer axis, before a half turn about j or none.
                let sum = (s * r[(k, j)]).atan2(r[(j, j)]);
                let a = if b < 1.0 { sum - previous[2] } else { sum + previous[2] };
                return nearest([a, b, previous[2]], previous);
            }
            let a = r[(j, i)].atan2(-s * r[(k, i)]);
            let c = r[(i, j)].atan2(s * r[(i, k)]);
            ([a, b, c], [a + PI, -b, c + PI])
        } else {
            let cosine = r[(i, i)].hypot(r[(i, j)]);
            let b = (s * r[(i, k)]).atan2(cosine);
            if cosine < GIMBAL {
                let sum = (s * r[(k, j)]).atan2(r[(j, j)]);
                // R is a turn by a + c, or a - c, about the first axis before a quarter turn about the second.
                let a = sum - s * b.signum() * previous[2];
                return nearest([a, b, previous[2]], previous);
            }
            let a = (-s * r[(j, k)]).atan2(r[(k, k)]);
            let c = (-s * r[(i, j)]).atan2(r[(i, i)]);
            ([a, b, c], [a + PI, PI - b, c + PI])
        };
        let (one, other) = (nearest(one, previous), nearest(other, previous));
        if distance(other, previous) < distance(one, previous) { other } else { one }
    }

    /// How far a middle angle is from where the outer two axes become one.
    pub fn from_gimbal_rad(self, middle_rad: f64) -> f64 {
        let lock_rad = if self.first == self.third { 0.0 } else { PI / 2.0 };
        let off = (middle_rad - lock_rad).rem_euclid(PI);
        off.min(PI - off)
    }
}

/// The same angles with whole turns added so that each is within half a turn of `previous`.
fn nearest(angles: [f64; 3], previous: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|i| angles[i] + TAU * ((previous[i] - angles[i]) / TAU).round())
}

fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3).map(|i| (a[i] - b[i]).powi(2)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Every order of axes.
    fn all() -> Vec<Sequence> {
        let mut all = Vec::new();
        for first in 0..3 {
            for second in (0..3).filter(|second| *second != first) {
                for third in (0..3).filter(|third| *third != second) {
                    all.push(Sequence { first, second, third });
                }
            }
        }
        all
    }

    #[test]
    fn a_full_turn_about_each_axis_stays_continuous() {
        for axis in 0..3 {
            let mut previous = [0.0; 3];
            for step in 1..=400 {
                let mut wanted = [0.0; 3];
                wanted[axis] = TAU * f64::from(step) / 200.0;
                previous = Sequence::ZXY.angles(&Sequence::ZXY.rotation(wanted), previous);
                assert!(distance(previous, wanted) < 1e-12, "axis {axis} {previous:?} {wanted:?}");
            }
        }
    }

    #[test]
    fn knows_where_its_outer_axes_are_one() {
        assert!(
            (Sequence::ZXY.from_gimbal_rad(80f64.to_radians()).to_degrees() - 10.0).abs() < 1e-9
        );
        assert!(
            (Sequence::YXY.from_gimbal_rad(-4f64.to_radians()).to_degrees() - 4.0).abs() < 1e-9
        );
        for sequence in all() {
            let lock = if sequence.first == sequence.third { 0.0 } else { PI / 2.0 };
            let locked = sequence.rotation([0.3, lock, 0.5]);
            let found = sequence.rotation(sequence.angles(&locked, [0.1, 0.2, 0.4]));
            assert!(found.angle_to(&locked) < 1e-7, "{}", sequence.name());
        }
    }

    proptest! {
        #[test]
        fn the_angles_give_the_rotation_back(
            angles in prop::array::uniform3(-7.0..7.0f64),
            previous in prop::array::uniform3(-7.0..7.0f64),
        ) {
            for sequence in all() {
                let wanted = sequence.rotation(angles);
                let found = sequence.rotation(sequence.angles(&wanted, previous));
                prop_assert!(found.angle_to(&wanted) < 1e-7, "{} {angles:?}", sequence.name());
            }
        }
    }
}
