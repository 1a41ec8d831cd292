//! A frame from exactly three points, as the documents build it.
//!
//! Right-handed, y = z × x. [`place`](super::place) uses every point that is seen and is two thirds as noisy.
//!
//! # Reference
//! J. K. Knight (2008), section 5.5.1. (237) leaves out the origin, without which the frame turns when
//! the segment merely moves; that is corrected here.

use nalgebra::{Isometry3, Matrix3, Point3, Rotation3, Translation3, UnitQuaternion};

/// |z| below this share of the lengths means points on a line.
const MIN_RELATIVE_WIDTH: f64 = 1e-6;

/// Three markers: origin in the first, x towards the second, z along (third - first) × x.
pub fn from_three(markers_m: [Point3<f64>; 3]) -> Option<Isometry3<f64>> {
    let [origin_m, second, third] = markers_m;
    let (along_x, aside) = (second - origin_m, third - origin_m);
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
    use nalgebra::Vector3;

    fn markers() -> [Point3<f64>; 3] {
        [[1.0, 0.2, 0.1], [1.3, 0.1, 0.4], [0.9, 0.5, 0.2]].map(Point3::from)
    }

    #[test]
    fn frames_move_with_the_world_and_the_printed_formula_does_not() {
        let moved = Isometry3::new(Vector3::new(3.0, -2.0, 5.0), Vector3::new(0.4, -1.0, 0.2));
        let before = from_three(markers()).unwrap();
        let after = from_three(markers().map(|p| moved * p)).unwrap();
        let gap = after.to_homogeneous() - (moved * before).to_homogeneous();
        assert!(gap.norm() < 1e-12);
        let m = after.rotation.to_rotation_matrix();
        assert!((m.matrix().transpose() * m.matrix() - Matrix3::identity()).norm() < 1e-12);
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
    }
}
