//! The centre that two segments rotate about, frame by frame in constant memory.

use nalgebra::{Matrix3, UnitQuaternion, Vector3};

/// Below this eigenvalue of I - MMᵀ a direction is unobservable: about seven degrees of relative rotation.
const MIN_EIGENVALUE: f64 = 0.005;

/// What is kept of the frames so far.
///
/// # Method
/// ā_x = g_x + Mā_y and ā_y = g_y + Mᵀā_x, with g_x = ⟨R_xᵀb̄⟩, g_y = -⟨R_yᵀb̄⟩, M = ⟨R_xᵀR_y⟩ and b̄ the difference of
/// the means of both segments' markers; so (I - MMᵀ)ā_x = g_x + Mg_y. ā is the mean of the markers as seen from the
/// centre, in the segment's own frame.
///
/// # Reference
/// A. Aristidou (2010), (4.10) to (4.16), after J. Cameron and J. Lasenby (2005); the sign of (4.14) is corrected.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct RotationSums {
    frames: f64,
    g_x: Vector3<f64>,
    g_y: Vector3<f64>,
    m: Matrix3<f64>,
}

/// The centre as seen from both segments.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RotationCentre {
    /// ā_x: from the centre to the mean of the markers of the one, in its frame.
    pub from_centre_x_m: Vector3<f64>,
    /// ā_y: the same of the other.
    pub from_centre_y_m: Vector3<f64>,
    /// In how many directions the motion determines it: 3 for a ball joint that moved, 2 for a hinge.
    pub determined: usize,
    /// The eigenvalues of I - MMᵀ, smallest first: 0 where nothing was seen to turn.
    pub eigenvalues: [f64; 3],
}

impl RotationSums {
    /// Adds a frame: the orientations of both segments, and the mean of x's markers less that of y's.
    pub fn push(&mut self, x: &UnitQuaternion<f64>, y: &UnitQuaternion<f64>, b_m: &Vector3<f64>) {
        self.frames += 1.0;
        let share = self.frames.recip();
        self.g_x += (x.inverse_transform_vector(b_m) - self.g_x) * share;
        self.g_y -= (y.inverse_transform_vector(b_m) + self.g_y) * share;
        let between = (x.inverse() * y).to_rotation_matrix();
        self.m += (between.matrix() - self.m) * share;
    }

    /// How many frames were added.
    pub fn frames(&self) -> usize {
        self.frames as usize
    }

    /// The centre by now; directions that no rotation shows are left at the middle of the markers. `None` before
    /// anything was seen to turn.
    pub fn centre(&self) -> Option<RotationCentre> {
        if self.frames < 2.0 {
            return None;
        }
        let matrix = Matrix3::identity() - self.m * self.m.transpose();
        let eigen = matrix.symmetric_eigen();
        let right = self.g_x + self.m * self.g_y;
        let (mut x, mut determined) = (Vector3::zeros(), 0);
        for (value, vector) in eigen.eigenvalues.iter().zip(eigen.eigenvectors.column_iter()) {
            if *value > MIN_EIGENVALUE {
                x += vector * (vector.dot(&right) / value);
                determined += 1;
            }
        }
        let y = self.g_y + self.m.transpose() * x;
        let mut eigenvalues: [f64; 3] = eigen.eigenvalues.into();
        eigenvalues.sort_by(f64::total_cmp);
        (determined >= 2).then_some(RotationCentre {
            from_centre_x_m: x,
            from_centre_y_m: y,
            determined,
            eigenvalues,
        })
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::{SMatrix, SVector, Unit};
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;
    use rand_distr::{Distribution, StandardNormal};

    use super::*;

    fn normal(random: &mut ChaCha8Rng) -> Vector3<f64> {
        Vector3::from_fn(|_, _| StandardNormal.sample(random))
    }

    struct Frame {
        x: UnitQuaternion<f64>,
        y: UnitQuaternion<f64>,
    }

    const A_X: Vector3<f64> = Vector3::new(0.05, -0.02, 0.2);
    const A_Y: Vector3<f64> = Vector3::new(-0.03, 0.04, -0.25);

    fn frames(count: usize, axis: Option<Vector3<f64>>) -> Vec<Frame> {
        let mut random = ChaCha8Rng::seed_from_u64(8);
        (0..count)
            .map(|_| {
                let x = UnitQuaternion::new(normal(&mut random) * 0.5);
                let relative = match axis {
                    Some(axis) => axis * normal(&mut random).x,
                    None => normal(&mut random) * 0.5,
                };
                Frame { x, y: x * UnitQuaternion::new(relative) }
            })
            .collect()
    }

    fn difference(frame: &Frame) -> Vector3<f64> {
        frame.x * A_X - frame.y * A_Y
    }

    #[test]
    fn check_17_without_noise_the_centre_is_exact_and_frame_by_frame_is_all_at_once() {
        let all = frames(60, None);
        let mut sums = RotationSums::default();
        // All at once: least squares over both offsets.
        let (mut matrix, mut right) = (SMatrix::<f64, 6, 6>::zeros(), SVector::<f64, 6>::zeros());
        for frame in &all {
            sums.push(&frame.x, &frame.y, &difference(frame));
            let mut row = SMatrix::<f64, 3, 6>::zeros();
            row.fixed_view_mut::<3, 3>(0, 0).copy_from(frame.x.to_rotation_matrix().matrix());
            row.fixed_view_mut::<3, 3>(0, 3).copy_from(&-frame.y.to_rotation_matrix().matrix());
            matrix += row.transpose() * row;
            right += row.transpose() * difference(frame);
        }
        let found = sums.centre().unwrap();
        assert_eq!(found.determined, 3);
        assert!((found.from_centre_x_m - A_X).norm() < 1e-9);
        assert!((found.from_centre_y_m - A_Y).norm() < 1e-9);
        let batch = matrix.lu().solve(&right).unwrap();
        assert!((batch.fixed_rows::<3>(0) - found.from_centre_x_m).norm() < 1e-10);
        assert!((batch.fixed_rows::<3>(3) - found.from_centre_y_m).norm() < 1e-10);
    }

    #[test]
    fn check_17_with_a_millimetre_of_noise_the_centre_is_within_one() {
        let mut random = ChaCha8Rng::seed_from_u64(9);
        let all = frames(60, None);
        let mut sums = RotationSums::default();
        let mean = |random: &mut ChaCha8Rng| normal(random) * (1e-3 / 3f64.sqrt());
        for frame in &all {
            // Markers on a triangle of 10 cm a side turn it by about a hundredth of a radian.
            let tilt = UnitQuaternion::new(normal(&mut random) * 0.01);
            let b = difference(frame) + mean(&mut random) - mean(&mut random);
            sums.push(&(frame.x * tilt), &frame.y, &b);
        }
        let found = sums.centre().unwrap();
        let off =
            all.iter().map(|f| (f.x * (found.from_centre_x_m - A_X)).norm()).sum::<f64>() / 60.0;
        assert!(off < 1e-3, "{off}");
    }

    #[test]
    fn check_17_a_hinge_and_a_joint_that_never_turns_are_told() {
        let axis = Unit::new_normalize(Vector3::new(0.2, 1.0, 0.1)).into_inner();
        let mut hinge = RotationSums::default();
        frames(60, Some(axis)).iter().for_each(|f| hinge.push(&f.x, &f.y, &difference(f)));
        let found = hinge.centre().unwrap();
        assert_eq!(found.determined, 2);
        let off = found.from_centre_x_m - A_X;
        assert!((off - axis * off.dot(&axis)).norm() < 1e-9, "free along the axis alone");
        let mut stiff = RotationSums::default();
        for frame in frames(60, None) {
            stiff.push(&frame.x, &frame.x, &(frame.x * (A_X - A_Y)));
        }
        assert_eq!(stiff.centre(), None);
        assert_eq!(RotationSums::default().centre(), None);
    }
}
