//! Frames from exactly as many points as they need, as the documents build them.
//!
//! Right-handed, y = z × x. These are for fidelity; [`place`](super::place) uses every point that is
//! seen and is two thirds as noisy.
//!
//! # Reference
//! J. K. Knight (2008), section 5.5.1. (237) and (245) leave out the origin, without which the frame
//! turns when the segment merely moves; (250) to (254) are not orthogonal. Both are corrected here.

use nalgebra::{Isometry3, Matrix3, Point3, Rotation3, Translation3, UnitQuaternion, Vector3};

/// |z| below this share of the lengths means points on a line.
const MIN_RELATIVE_WIDTH: f64 = 1e-6;

/// Three markers: origin in the first, x towards the second, z along (third - first) × x.
pub fn from_three(markers_m: [Point3<f64>; 3]) -> Option<Isometry3<f64>> {
    let [first, second, third] = markers_m;
    frame(first, second - first, third - first)
}

/// Two markers and the rotation point c: origin c, x towards the first marker.
pub fn from_two(
    rotation_point_m: Point3<f64>,
    markers_m: [Point3<f64>; 2],
) -> Option<Isometry3<f64>> {
    from_three([rotation_point_m, markers_m[0], markers_m[1]])
}

/// One marker, the rotation point c and a hinge axis: origin c, x along the axis.
pub fn from_one(
    rotation_point_m: Point3<f64>,
    axis: Vector3<f64>,
    marker_m: Point3<f64>,
) -> Option<Isometry3<f64>> {
    frame(rotation_point_m, axis, marker_m - rotation_point_m)
}

fn frame(
    origin_m: Point3<f64>,
    along_x: Vector3<f64>,
    aside: Vector3<f64>,
) -> Option<Isometry3<f64>> {
    let along_z = aside.cross(&along_x);
    let is_wide = along_z.norm() > MIN_RELATIVE_WIDTH * along_x.norm() * aside.norm();
    if !is_wide || !origin_m.coords.iter().all(|v| v.is_finite()) {
        return None;
    }
    let (x, z) = (along_x.normalize(), along_z.normalize());
    let matrix = Matrix3::from_columns(&[x, z.cross(&x), z]);
    let rotation = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(matrix));
    Some(Isometry3::from_parts(Translation3::from(origin_m.coords), rotation))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn markers() -> [Point3<f64>; 3] {
        [[1.0, 0.2, 0.1], [1.3, 0.1, 0.4], [0.9, 0.5, 0.2]].map(Point3::from)
    }

    #[test]
    fn frames_move_with_the_world_and_the_printed_formula_does_not() {
        let moved = Isometry3::new(Vector3::new(3.0, -2.0, 5.0), Vector3::new(0.4, -1.0, 0.2));
        let axis = Vector3::new(0.1, 0.2, 0.9);
        let [a, b, c] = markers();
        let [ma, mb, mc] = markers().map(|p| moved * p);
        for (before, after) in [
            (from_three([a, b, c]), from_three([ma, mb, mc])),
            (from_two(a, [b, c]), from_two(ma, [mb, mc])),
            (from_one(a, axis, c), from_one(ma, moved * axis, mc)),
        ] {
            let (before, after) = (before.unwrap(), after.unwrap());
            let gap = after.to_homogeneous() - (moved * before).to_homogeneous();
            assert!(gap.norm() < 1e-12);
            let m = after.rotation.to_rotation_matrix();
            assert!((m.matrix().transpose() * m.matrix() - Matrix3::identity()).norm() < 1e-12);
        }
        // (237) as printed: z along third × x, without the origin.
        let printed = |[first, second, third]: [Point3<f64>; 3]| {
            third.coords.cross(&(second - first).normalize()).normalize()
        };
        let translated = markers().map(|p| p + Vector3::new(3.0, -2.0, 5.0));
        assert!((printed(markers()) - printed(translated)).norm() > 0.1);
    }

    #[test]
    fn a_line_has_no_frame() {
        let [a, b, _] = markers();
        assert_eq!(from_three([a, b, b + (b - a)]), None);
        assert_eq!(from_three([a, a, b]), None);
        assert_eq!(from_one(a, b - a, b), None);
    }
}
