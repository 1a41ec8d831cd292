//! The fitted body in any frame.

use nalgebra::{Isometry3, Matrix3, Point3, Rotation3, Translation3, UnitQuaternion, Vector3};

use super::gauss_newton::pose_frame;
use super::influence::Influence;
use super::posterior::Frame;
use super::problem::{Seen, SegmentPose};
use super::result::WholeBody;
use super::start;
use super::tree::{FrameNormal, SharedNormal};

/// Steps of a frame at most.
const STEPS: usize = 12;

/// The body in one frame.
#[derive(Debug, Clone)]
pub struct PosedFrame {
    pub(super) poses: Vec<SegmentPose>,
    seen_m: Vec<Option<Vector3<f64>>>,
}

impl PosedFrame {
    /// The pose of a segment.
    pub fn world_from_segment(&self, segment: usize) -> Option<Isometry3<f64>> {
        self.poses.get(segment).map(SegmentPose::isometry)
    }
}

impl SegmentPose {
    pub(super) fn isometry(&self) -> Isometry3<f64> {
        let rotation = Rotation3::from_matrix_unchecked(self.rotation);
        let rotation = UnitQuaternion::from_rotation_matrix(&rotation);
        Isometry3::from_parts(Translation3::from(self.origin_m), rotation)
    }
}

impl WholeBody {
    /// Poses the body in a frame: one position a label, `None` where a marker is not seen.
    ///
    /// The pose minimises what the fit minimised, with the body held. It begins `near` another frame, if one is
    /// given. `None` where too little of the root is seen.
    pub fn pose(
        &self,
        positions_m: &[Option<Point3<f64>>],
        near: Option<&PosedFrame>,
    ) -> Option<PosedFrame> {
        let (problem, state) = (&self.posterior.problem, &self.posterior.minimum.state);
        let seen = |column: usize| positions_m.get(column).copied().flatten().map(|p| p.coords);
        let seen_m: Vec<_> = problem.model.markers.iter().map(|m| seen(m.column)).collect();
        let weights = vec![1.0; seen_m.len()];
        let placed = || start::pose(&problem.model, &weights, &state.parameters, &seen_m);
        let mut poses = match near {
            Some(near) => near.poses.clone(),
            None => placed()?,
        };
        let mut normal = FrameNormal::new(&problem.structure);
        let seen = Seen { at_m: &seen_m, signals: None };
        pose_frame(problem, &state.parameters, seen, &mut poses, (&mut normal, STEPS));
        Some(PosedFrame { poses, seen_m })
    }

    /// Where a joint is in a posed frame, in the world: the middle of where its two segments put it.
    pub fn joint_m(&self, frame: &PosedFrame, joint: usize) -> Option<Point3<f64>> {
        let index = self.joints.get(joint)?.index;
        Some(Point3::from(self.posterior.joint_m(&frame.poses, index)))
    }

    /// A joint in a posed frame, in the world, and its covariance: of its centre and of the frame together.
    pub fn joint_in(
        &self,
        frame: &PosedFrame,
        joint: usize,
    ) -> Option<(Point3<f64>, Matrix3<f64>)> {
        let index = self.joints.get(joint)?.index;
        let centre_m = self.posterior.joint_m(&frame.poses, index);
        Some((Point3::from(centre_m), self.joint_influence(frame, joint)?.covariance_m2()))
    }

    /// How errors of what the fit assumes move a joint in a posed frame.
    pub fn joint_influence(&self, frame: &PosedFrame, joint: usize) -> Option<Influence> {
        let index = self.joints.get(joint)?.index;
        let normal = self.eliminated(frame);
        let seen = Seen { at_m: &frame.seen_m, signals: None };
        let posed = Frame { poses: &frame.poses, normal: &normal, seen };
        Some(self.posterior.influence(posed, index))
    }

    fn eliminated(&self, frame: &PosedFrame) -> FrameNormal {
        let (problem, state) = (&self.posterior.problem, &self.posterior.minimum.state);
        let mut normal = FrameNormal::new(&problem.structure);
        let mut shared = SharedNormal::new(problem.structure.parameters);
        let PosedFrame { poses, seen_m } = frame;
        let seen = Seen { at_m: seen_m, signals: None };
        problem.add_frame(seen, poses, &state.parameters, &mut normal, Some(&mut shared));
        normal.eliminate(&problem.structure, 0.0, true);
        normal
    }
}
