//! Rotations as angles about z, x, y that do not jump from frame to frame.

use std::f64::consts::{PI, TAU};

use nalgebra::UnitQuaternion;

/// Below this cosine of the middle angle the outer two axes are one axis.
const GIMBAL_COSINE: f64 = 1e-9;

/// The angles `[z, x, y]` in radians with `R = Rz(z) * Rx(x) * Ry(y)`, nearest to `previous`.
///
/// # Method
/// With `sx = R[2,1]`: `x = atan2(sx, |R[2,0], R[2,2]|)`, `z = atan2(-R[0,1], R[1,1])`,
/// `y = atan2(-R[2,0], R[2,2])`. The other solution is `(z + pi, pi - x, y + pi)`; whole turns are
/// added to both and the nearer one is taken. Where `x` is a quarter turn only `z ± y` is defined:
/// `y` stays as it was.
///
/// # Reference
/// K. Shoemake 1994, Euler angle conversion, Graphics Gems IV, III.5.
pub(super) fn zxy(rotation: &UnitQuaternion<f64>, previous: [f64; 3]) -> [f64; 3] {
    let r = rotation.to_rotation_matrix();
    let cosine = r[(2, 0)].hypot(r[(2, 2)]);
    let x = r[(2, 1)].atan2(cosine);
    if cosine < GIMBAL_COSINE {
        let y = previous[2];
        let sum = r[(1, 0)].atan2(r[(0, 0)]);
        let z = if x > 0.0 { sum - y } else { sum + y };
        return nearest([z, x, y], previous);
    }
    let z = (-r[(0, 1)]).atan2(r[(1, 1)]);
    let y = (-r[(2, 0)]).atan2(r[(2, 2)]);
    let one = nearest([z, x, y], previous);
    let other = nearest([z + PI, PI - x, y + PI], previous);
    if distance(other, previous) < distance(one, previous) { other } else { one }
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
    use crate::motion::about;
    use proptest::prelude::*;

    fn rotation([z, x, y]: [f64; 3]) -> UnitQuaternion<f64> {
        about(2, z) * about(0, x) * about(1, y)
    }

    #[test]
    fn a_full_turn_about_each_axis_stays_continuous() {
        for axis in 0..3 {
            let mut previous = [0.0; 3];
            for step in 1..=400 {
                let mut wanted = [0.0; 3];
                wanted[axis] = TAU * f64::from(step) / 200.0;
                previous = zxy(&rotation(wanted), previous);
                assert!(distance(previous, wanted) < 1e-12, "axis {axis} {previous:?} {wanted:?}");
            }
        }
    }

    proptest! {
        #[test]
        fn the_angles_give_the_rotation_back(
            angles in prop::array::uniform3(-7.0..7.0f64),
            previous in prop::array::uniform3(-7.0..7.0f64),
        ) {
            let wanted = rotation(angles);
            let found = rotation(zxy(&wanted, previous));
            prop_assert!(found.angle_to(&wanted) < 1e-7);
        }
    }
}
