//! The degrees of freedom of a pose, and the matrix over them.

use nalgebra::Vector3;

use super::super::limit::Swing;
use super::super::linkage::Linkage;
use super::super::pose::Pose;
use super::super::solver::Solver;
use super::super::target::Target;
use super::super::turn::across;
use super::{Blocked, Jacobian};

/// A turn of one bone and all that hangs on it about an axis of the world, or a slide along it by so
/// much a unit.
#[derive(Debug, Clone, Copy)]
pub(super) struct Dof {
    pub(super) axis: Vector3<f64>,
    pub(super) is_slide: bool,
}

/// The axes that a bone may turn about at present.
///
/// # Method
/// Three at right angles for a joint that may swing and twist. One that may swing only is carried
/// without spin, so where its end moves along e, the frame turns about d × e + κd with
/// κ = -((z × d)·e)/(1 + z·d) for the bone direction d and the zero direction z.
fn axes_of(
    linkage: &Linkage,
    pose: &Pose,
    joint: usize,
    blocked: &Blocked,
    mut push: impl FnMut(Vector3<f64>),
) {
    let limit = &linkage.bones[joint].limit;
    let direction = pose.direction(joint);
    match &limit.swing {
        Swing::Hinge(hinge) => {
            if !blocked.hinge {
                push(pose.world_from_zero(linkage, joint) * hinge.axis.into_inner());
            }
            return;
        }
        Swing::Fixed => {}
        _ => {
            let is_locked = limit.twist.is_locked() || blocked.twist;
            let zero = match is_locked {
                true => pose.world_from_zero(linkage, joint) * Vector3::z(),
                false => direction,
            };
            let carried = |along: Vector3<f64>| {
                let turn = direction.cross(&along);
                if !is_locked {
                    return turn;
                }
                let spin =
                    -zero.cross(&direction).dot(&along) / (1.0 + zero.dot(&direction)).max(1e-9);
                turn + direction * spin
            };
            match blocked.swing {
                // The end may move along the blocked axis, but not across it.
                Some(axis) => push(carried(axis)),
                None => {
                    let one = across(&direction);
                    push(carried(one));
                    push(carried(direction.cross(&one)));
                }
            }
        }
    }
    if !limit.twist.is_locked() && !blocked.twist {
        push(direction);
    }
}

impl Solver {
    /// Fills the Jacobian and what is missing, at the present pose.
    pub(in super::super) fn build_jacobian(&mut self, targets: &[Target]) {
        let Self { linkage, pose, jacobian, .. } = self;
        jacobian.dofs.clear();
        jacobian.first.clear();
        for joint in 0..linkage.joints() {
            jacobian.first.push(jacobian.dofs.len());
            if joint > 0 {
                let dofs = &mut jacobian.dofs;
                axes_of(linkage, pose, joint, &jacobian.blocked[joint], |axis| {
                    dofs.push(Dof { axis, is_slide: false });
                });
                // A bone's length to slide counts as a radian to turn.
                if linkage.bones[joint].slide_m.is_some() && !jacobian.blocked[joint].slide {
                    let axis = pose.direction(joint) * linkage.mean_length_m();
                    dofs.push(Dof { axis, is_slide: true });
                }
            }
        }
        jacobian.first.push(jacobian.dofs.len());
        let turned = targets.iter().filter(|target| target.world_from_bone.is_some()).count();
        jacobian.rows = 3 * (targets.len() + turned + linkage.closures.len());
        jacobian.values.clear();
        jacobian.values.resize(jacobian.rows * jacobian.dofs.len(), 0.0);
        jacobian.missing.clear();
        let mut row = 0;
        let arm_m = linkage.mean_length_m();
        for target in targets {
            let at_m = pose.at_m[target.joint];
            jacobian.push_missing(&((target.at_m - at_m) * target.weight));
            jacobian.move_rows(linkage, pose, row, target.joint, target.weight);
            row += 3;
            if let Some(wanted) = &target.world_from_bone {
                let by = (wanted * pose.world_from_bone[target.joint].inverse()).scaled_axis();
                // An angle counts as far as it moves the end of a bone.
                let weight = target.weight * arm_m;
                jacobian.push_missing(&(by * weight));
                jacobian.turn_rows(linkage, row, target.joint, weight);
                row += 3;
            }
        }
        for [one, other] in &linkage.closures {
            jacobian.push_missing(&(pose.at_m[*other] - pose.at_m[*one]));
            jacobian.move_rows(linkage, pose, row, *one, 1.0);
            jacobian.move_rows(linkage, pose, row, *other, -1.0);
            row += 3;
        }
    }
}

impl Jacobian {
    fn push_missing(&mut self, missing: &Vector3<f64>) {
        self.missing.extend_from_slice(missing.as_slice());
    }

    /// Three rows: how an effector moves, v × (s - p) for each axis v through p (3.4).
    fn move_rows(
        &mut self,
        linkage: &Linkage,
        pose: &Pose,
        row: usize,
        effector: usize,
        factor: f64,
    ) {
        let columns = self.dofs.len();
        for joint in linkage.path_to_base(effector).filter(|joint| *joint > 0) {
            let arm_m = pose.at_m[effector] - pose.at_m[linkage.bones[joint].parent];
            for column in self.first[joint]..self.first[joint + 1] {
                let Dof { axis, is_slide } = self.dofs[column];
                let moved = if is_slide { axis } else { axis.cross(&arm_m) } * factor;
                for axis in 0..3 {
                    self.values[(row + axis) * columns + column] += moved[axis];
                }
            }
        }
    }

    /// Three rows: how an effector turns.
    fn turn_rows(&mut self, linkage: &Linkage, row: usize, effector: usize, factor: f64) {
        let columns = self.dofs.len();
        for joint in linkage.path_to_base(effector).filter(|joint| *joint > 0) {
            let turning = |column: &usize| !self.dofs[*column].is_slide;
            for column in (self.first[joint]..self.first[joint + 1]).filter(turning) {
                for axis in 0..3 {
                    self.values[(row + axis) * columns + column] +=
                        self.dofs[column].axis[axis] * factor;
                }
            }
        }
    }
}
