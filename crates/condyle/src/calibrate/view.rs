//! What one frame says of a joint: by the markers that it shows of either side.

use nalgebra::{Isometry3, Matrix3, Point3, Vector3};

use super::two_sided::Side;

/// One frame's part of the normal equations.
pub(super) struct Contribution {
    /// Of M, ΣR_cᵀd and ΣR_pᵀd, the shrinkage divided out.
    pub rotation: Matrix3<f64>,
    pub to_child: Vector3<f64>,
    pub to_parent: Vector3<f64>,
    pub weight: f64,
}

/// A side in a frame.
pub(super) struct View {
    /// R of the segment, transposed, the shrinkage divided out.
    segment_from_world: Matrix3<f64>,
    /// The mean of what is seen: from that of all points in the segment, and in the world.
    mean_m: Vector3<f64>,
    in_world_m: Point3<f64>,
    /// The variance of the joint by the errors of the pose: in this frame, and in one that shows all points.
    variance_m2: [f64; 2],
}

/// A side in a frame that shows all points.
pub(super) struct Usual {
    /// What divides the shrinkage out.
    pub grow: Matrix3<f64>,
    /// The variance of the joint.
    pub variance_m2: f64,
}

impl Side<'_> {
    pub(super) fn view(
        &self,
        frame: usize,
        world_from_segment: &Isometry3<f64>,
        usual: &Usual,
    ) -> View {
        let rotation = world_from_segment.rotation.to_rotation_matrix().transpose();
        let Some(sight) = self.sights.get(frame) else {
            return View {
                segment_from_world: usual.grow * rotation,
                mean_m: Vector3::zeros(),
                in_world_m: world_from_segment * self.mean_in_segment_m,
                variance_m2: [usual.variance_m2; 2],
            };
        };
        let orientation_rad2 = sight.orientation * self.sigma_m2;
        let mean_m = sight.mean_m - self.mean_in_segment_m;
        let supposed = self.prior_in_segment_m - sight.mean_m;
        let own = variance(&orientation_rad2, self.sigma_m2 / sight.weight, &supposed);
        View {
            segment_from_world: unshrunk(&orientation_rad2) * rotation,
            mean_m,
            in_world_m: world_from_segment * sight.mean_m,
            variance_m2: [own, usual.variance_m2],
        }
    }
}

/// What a frame says: (c - m_c) - R_cᵀR_p (l - m_p) = R_cᵀd, about the means m of what it shows of each.
pub(super) fn contribution([child, parent]: &[View; 2]) -> Contribution {
    let d = parent.in_world_m - child.in_world_m;
    let rotation = child.segment_from_world * parent.segment_from_world.transpose();
    let [here, usual] = [0, 1].map(|i| child.variance_m2[i] + parent.variance_m2[i]);
    Contribution {
        rotation,
        to_child: child.segment_from_world * d + child.mean_m - rotation * parent.mean_m,
        to_parent: parent.segment_from_world * d - parent.mean_m + rotation.tr_mul(&child.mean_m),
        weight: if here > 0.0 { usual / here } else { 1.0 },
    }
}

/// S = ½(tr Θ - Θ): the mean of a rotation with an error of covariance Θ is R(I - S).
pub(super) fn shrunk_by(orientation_rad2: &Matrix3<f64>) -> Matrix3<f64> {
    0.5 * (Matrix3::identity() * orientation_rad2.trace() - orientation_rad2)
}

/// (I - S)⁻¹, to first order in Θ and never far from I.
pub(super) fn unshrunk(orientation_rad2: &Matrix3<f64>) -> Matrix3<f64> {
    let shrinkage = shrunk_by(orientation_rad2);
    let norm = shrinkage.norm();
    Matrix3::identity() + if norm > 0.1 { shrinkage * (0.1 / norm) } else { shrinkage }
}

/// The variance of a point fixed to a segment, by the errors of its orientation and of its mean.
pub(super) fn variance(
    orientation_rad2: &Matrix3<f64>,
    mean_m2: f64,
    from_mean_m: &Vector3<f64>,
) -> f64 {
    let cross = from_mean_m.cross_matrix();
    3.0 * mean_m2 + (cross * orientation_rad2 * cross.transpose()).trace()
}
