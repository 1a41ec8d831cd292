//! How far one segment turned against another, and about which axes.

use nalgebra::{Isometry3, Matrix3, Rotation3, SymmetricEigen, UnitQuaternion, Vector3};

use crate::order;
use crate::rigid::best_rotation;
use crate::statistics::quantile_in_place;

/// The motion of a child against its parent.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Range {
    /// The mean relative orientation.
    pub parent_from_child: UnitQuaternion<f64>,
    /// The principal axes in the parent's frame, the one turned about most first.
    pub axes_in_parent: [Vector3<f64>; 3],
    /// How far it turned about each, without the outermost half per cent on either side.
    pub ranges_rad: [f64; 3],
}

/// The share of frames on either side that a range leaves out: single wrong frames are no motion.
const TAIL: f64 = 0.005;

/// The range of a child's motion in the frames that show both.
pub(crate) fn range(
    child: &[Option<Isometry3<f64>>],
    parent: &[Option<Isometry3<f64>>],
) -> Option<Range> {
    let relative: Vec<UnitQuaternion<f64>> = child
        .iter()
        .zip(parent)
        .filter_map(|(c, p)| Some(p.as_ref()?.rotation.inverse() * c.as_ref()?.rotation))
        .collect();
    let sum: Matrix3<f64> =
        relative.iter().map(|rotation| rotation.to_rotation_matrix().into_inner()).sum();
    // Whole turns have no mean; any of them is as good.
    let mean = best_rotation(&sum).or_else(|| relative.first().copied())?;
    // In the parent's axes: turning away from the mean.
    let turns: Vec<Vector3<f64>> =
        relative.iter().map(|rotation| (rotation * mean.inverse()).scaled_axis()).collect();
    let spread: Matrix3<f64> = turns.iter().map(|turn| turn * turn.transpose()).sum();
    let eigen = SymmetricEigen::new(spread);
    let mut order = [0, 1, 2];
    order::by(&mut order, |a, b| eigen.eigenvalues[*b].total_cmp(&eigen.eigenvalues[*a]));
    let axes_in_parent = order.map(|i| {
        let axis: Vector3<f64> = eigen.eigenvectors.column(i).into();
        if axis[axis.iamax()] < 0.0 { -axis } else { axis }
    });
    let mut along: Vec<f64> = Vec::with_capacity(turns.len());
    let ranges_rad = axes_in_parent.map(|axis| {
        along.clear();
        along.extend(turns.iter().map(|turn| turn.dot(&axis)));
        let mut at = |share| quantile_in_place(&mut along, share).unwrap_or(0.0);
        at(1.0 - TAIL) - at(TAIL)
    });
    Some(Range { parent_from_child: mean, axes_in_parent, ranges_rad })
}

/// The rotation that turns one direction into another along the shortest way.
pub(crate) fn swing(from: &Vector3<f64>, to: &Vector3<f64>) -> UnitQuaternion<f64> {
    let shortest = Rotation3::rotation_between(from, to);
    // Opposite directions: any half turn across them will do.
    let shortest = shortest.unwrap_or_else(|| {
        let across = if from.x.abs() < from.y.abs() { Vector3::x() } else { Vector3::y() };
        let axis = nalgebra::Unit::new_normalize(from.cross(&across));
        Rotation3::from_axis_angle(&axis, std::f64::consts::PI)
    });
    UnitQuaternion::from_rotation_matrix(&shortest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_axis_and_the_angle_of_a_hinge() {
        let axis = nalgebra::Unit::new_normalize(Vector3::new(0.2, 1.0, -0.3));
        let rest = UnitQuaternion::from_euler_angles(0.3, -0.2, 1.0);
        let poses = |f: &dyn Fn(f64) -> UnitQuaternion<f64>| -> Vec<_> {
            (0..400)
                .map(|k| Some(Isometry3::from_parts(Default::default(), f(f64::from(k) * 0.05))))
                .collect()
        };
        let root = |t: f64| UnitQuaternion::from_euler_angles(t, 0.5 * t.sin(), 0.1 * t);
        let parent = poses(&root);
        let child =
            poses(&|t| root(t) * UnitQuaternion::from_axis_angle(&axis, 0.6 * t.sin()) * rest);
        let range = range(&child, &parent).unwrap();
        assert!(range.axes_in_parent[0].cross(&axis).norm() < 1e-6);
        assert!((range.ranges_rad[0] - 1.2).abs() < 1e-3, "{:?}", range.ranges_rad);
        assert!(range.ranges_rad[1] < 1e-6);
    }

    #[test]
    fn a_half_turn_is_a_swing_too() {
        let there = swing(&Vector3::x(), &-Vector3::x()) * Vector3::x();
        assert!((there + Vector3::x()).norm() < 1e-12);
    }
}
