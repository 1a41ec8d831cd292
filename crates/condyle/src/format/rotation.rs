//! Rotations as tables write them: quaternions, matrices, Euler angles, rotation vectors.

use nalgebra::{Isometry3, Matrix3, Rotation3, UnitQuaternion, Vector3};

use crate::trial::{Note, pose_from_wxyz};

/// How far a matrix may be from a rotation before the repair is noted.
const MATRIX_TOLERANCE: f64 = 1e-6;

/// How far a quaternion may be from unit length before it is noted: files round to three digits.
const QUATERNION_TOLERANCE: f64 = 2e-3;

/// Which columns hold a rotation, and how.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum RotationColumns {
    /// A quaternion: w, x, y, z.
    Wxyz([usize; 4]),
    /// A matrix, row by row.
    Matrix([usize; 9]),
    /// Angles about moving axes (0, 1, 2 for x, y, z), in this order, with the radians in one unit.
    Euler([(usize, u8); 3], f64),
    /// A vector along the axis whose length is the angle, with the radians in one unit.
    Vector([usize; 3], f64),
}

/// What was odd about rotations.
#[derive(Debug, Default)]
pub(crate) struct MatrixTally {
    pub repaired: usize,
    pub left_handed: usize,
    /// Flat, or with entries no rotation has.
    pub degenerate: usize,
    /// Quaternions that are zero.
    pub zero: usize,
    /// Quaternions that were brought to unit length.
    pub stretched: usize,
}

impl MatrixTally {
    /// Says it.
    pub fn notes(&self) -> impl Iterator<Item = Note> {
        let repaired = "matrices were not rotations; the nearest rotation is taken";
        let left_handed = "matrices are left-handed; taken as missing";
        let stretched = "quaternions were not of unit length; normalised";
        let degenerate = "matrices are near no rotation; taken as missing";
        let all = [
            Note::counted(self.repaired, "matrix-repaired", repaired),
            Note::counted(self.left_handed, "matrix-left-handed", left_handed),
            Note::counted(self.zero, "quaternion-zero", "quaternions are zero; taken as missing"),
            Note::counted(self.stretched, "quaternion-stretched", stretched),
            Note::counted(self.degenerate, "matrix-degenerate", degenerate),
        ];
        all.into_iter().flatten()
    }
}

impl RotationColumns {
    /// The pose at a position; `None` if a cell is missing or holds no rotation.
    pub fn pose(
        &self,
        position_m: [f64; 3],
        number: impl Fn(usize) -> Option<f64>,
        tally: &mut MatrixTally,
    ) -> Option<Isometry3<f64>> {
        let wxyz = match self {
            Self::Wxyz([w, x, y, z]) => {
                let wxyz = [number(*w)?, number(*x)?, number(*y)?, number(*z)?];
                let length = wxyz.iter().map(|v| v * v).sum::<f64>().sqrt();
                tally.zero += usize::from(length == 0.0);
                tally.stretched +=
                    usize::from(length > 0.0 && (length - 1.0).abs() > QUATERNION_TOLERANCE);
                wxyz
            }
            Self::Matrix(columns) => {
                let mut values = [0.0; 9];
                for (value, column) in values.iter_mut().zip(columns) {
                    *value = number(*column)?;
                }
                wxyz(nearest_rotation(&values, tally)?)
            }
            Self::Euler(angles, radians) => {
                let mut rotation = UnitQuaternion::identity();
                for &(column, axis) in angles {
                    let mut turn = Vector3::zeros();
                    turn[usize::from(axis.min(2))] = number(column)? * *radians;
                    rotation *= UnitQuaternion::new(turn);
                }
                wxyz(rotation)
            }
            Self::Vector([x, y, z], radians) => {
                let vector = Vector3::new(number(*x)?, number(*y)?, number(*z)?) * *radians;
                wxyz(UnitQuaternion::new(vector))
            }
        };
        pose_from_wxyz(position_m, wxyz)
    }
}

fn wxyz(rotation: UnitQuaternion<f64>) -> [f64; 4] {
    let q = rotation.quaternion();
    [q.w, q.i, q.j, q.k]
}

/// The rotation nearest to a matrix given row by row; `None` for a mirror or a degenerate matrix.
///
/// # Method
/// With the singular value decomposition `m = u s vᵀ` it is `u vᵀ`.
pub(crate) fn nearest_rotation(
    values: &[f64; 9],
    tally: &mut MatrixTally,
) -> Option<UnitQuaternion<f64>> {
    // Rotations have entries within one; far larger ones could overflow in the decomposition.
    let is_huge = values.iter().any(|value| value.abs() > 1e3);
    let m = Matrix3::from_row_slice(values);
    if is_huge || m.determinant() <= 0.0 {
        let is_mirror = !is_huge && m.determinant() < -0.5;
        tally.left_handed += usize::from(is_mirror);
        tally.degenerate += usize::from(!is_mirror);
        return None;
    }
    let svd = m.try_svd(true, true, f64::EPSILON, 100)?;
    let nearest = svd.u? * svd.v_t?;
    tally.repaired += usize::from((nearest - m).abs().max() > MATRIX_TOLERANCE);
    Some(UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(nearest)))
}

/// A pose as seen in the mirror z → -z, which turns left-handed axes into right-handed ones.
pub(crate) fn mirrored_z(position_m: [f64; 3], wxyz: [f64; 4]) -> ([f64; 3], [f64; 4]) {
    let ([x, y, z], [w, i, j, k]) = (position_m, wxyz);
    ([x, y, -z], [w, -i, -j, k])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pose(
        columns: &RotationColumns,
        values: &[f64],
        tally: &mut MatrixTally,
    ) -> Option<Isometry3<f64>> {
        columns.pose([0.0; 3], |at| values.get(at).copied(), tally)
    }

    fn rotation() -> UnitQuaternion<f64> {
        UnitQuaternion::new(Vector3::new(0.3, -0.8, 1.1))
    }

    #[test]
    fn every_spelling_gives_the_same_rotation() {
        let truth = rotation();
        let m = truth.to_rotation_matrix();
        let rows: Vec<f64> = m.matrix().transpose().iter().copied().collect();
        let vector: Vec<f64> = truth.scaled_axis().iter().map(|v| v.to_degrees()).collect();
        // For R = Rx(a) Ry(b) Rz(c): sin b = r13, tan a = -r23 / r33, tan c = -r12 / r11.
        let (a, b) = ((-m[(1, 2)]).atan2(m[(2, 2)]), m[(0, 2)].asin());
        let c = (-m[(0, 1)]).atan2(m[(0, 0)]);
        let euler = [a, b, c].map(f64::to_degrees);
        let mut tally = MatrixTally::default();
        for (columns, values) in [
            (RotationColumns::Matrix([0, 1, 2, 3, 4, 5, 6, 7, 8]), rows.as_slice()),
            (RotationColumns::Vector([0, 1, 2], 1f64.to_radians()), &vector),
            (RotationColumns::Euler([(0, 0), (1, 1), (2, 2)], 1f64.to_radians()), &euler),
        ] {
            let found = pose(&columns, values, &mut tally).unwrap().rotation;
            assert!(found.angle_to(&truth) < 1e-12, "{columns:?}");
        }
        assert_eq!((tally.repaired, tally.left_handed), (0, 0));
    }

    #[test]
    fn repairs_a_sheared_matrix_and_refuses_a_mirror() {
        let mut tally = MatrixTally::default();
        let columns = RotationColumns::Matrix([0, 1, 2, 3, 4, 5, 6, 7, 8]);
        let sheared = [1.0, 0.01, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
        assert!(pose(&columns, &sheared, &mut tally).is_some());
        let mirror = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, -1.0];
        assert_eq!(pose(&columns, &mirror, &mut tally), None);
        assert_eq!((tally.repaired, tally.left_handed), (1, 1));
    }

    #[test]
    fn counts_matrices_that_are_flat_or_huge() {
        let mut tally = MatrixTally::default();
        let columns = RotationColumns::Matrix([0, 1, 2, 3, 4, 5, 6, 7, 8]);
        for last in [0.0, -0.1, 2e3] {
            let diagonal = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, last];
            assert_eq!(pose(&columns, &diagonal, &mut tally), None);
        }
        assert_eq!((tally.repaired, tally.left_handed, tally.degenerate), (0, 0, 3));
    }

    #[test]
    fn a_mirrored_pose_maps_mirrored_points() {
        let q = rotation();
        let (position, wxyz) = mirrored_z([1.0, 2.0, 3.0], wxyz(q));
        let mirrored = pose_from_wxyz(position, wxyz).unwrap();
        let point = nalgebra::Point3::new(0.1, -0.4, 0.7);
        let flip = |p: nalgebra::Point3<f64>| nalgebra::Point3::new(p.x, p.y, -p.z);
        let plain = Isometry3::from_parts(nalgebra::Translation3::new(1.0, 2.0, 3.0), q);
        assert!((mirrored * flip(point) - flip(plain * point)).norm() < 1e-12);
    }
}
