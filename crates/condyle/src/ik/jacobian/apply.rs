//! Taking a step: turning every joint by its angles, within its limit.

use nalgebra::{UnitQuaternion, Vector3};

use super::super::limit::{Swing, swing_to, twist_by, twist_rad};
use super::super::solver::Solver;
use super::Blocked;

impl Solver {
    /// Turns the present pose by the step into the trial pose; whether a limit was in the way. Joints
    /// that were stopped by their limit are blocked from now on.
    pub(in super::super) fn take_step(&mut self) -> bool {
        let Self { linkage, pose, trial, jacobian, .. } = self;
        trial.at_m[0] = pose.at_m[0];
        trial.world_from_bone[0] = pose.world_from_bone[0];
        trial.length_m.copy_from_slice(&pose.length_m);
        let mut is_stopped = false;
        for joint in 1..linkage.joints() {
            let mut dofs = jacobian.first[joint]..jacobian.first[joint + 1];
            let old = pose.zero_from_bone[joint];
            let world_from_zero = trial.world_from_zero(linkage, joint);
            // A slide is the last of a bone's degrees of freedom.
            if let Some([min_m, max_m]) = linkage.bones[joint].slide_m
                && !dofs.is_empty()
                && jacobian.dofs[dofs.end - 1].is_slide
            {
                dofs.end -= 1;
                let by_m = jacobian.step_rad[dofs.end] * linkage.mean_length_m();
                let wanted_m = pose.length_m[joint] + by_m;
                trial.length_m[joint] = wanted_m.clamp(min_m, max_m);
                jacobian.blocked[joint].slide = trial.length_m[joint] != wanted_m;
                is_stopped |= jacobian.blocked[joint].slide;
            }
            if dofs.is_empty() {
                trial.set(linkage, joint, &world_from_zero, old);
                continue;
            }
            let limit = &linkage.bones[joint].limit;
            if let Swing::Hinge(hinge) = &limit.swing {
                let angle = hinge.angle_rad(&(old * Vector3::z())) + jacobian.step_rad[dofs.start];
                let angle = hinge.counted(angle);
                let allowed = angle.clamp(hinge.min_rad, hinge.max_rad);
                if allowed != angle {
                    jacobian.blocked[joint].hinge = true;
                    is_stopped = true;
                }
                trial.set(linkage, joint, &world_from_zero, hinge.turn_by(allowed));
                continue;
            }
            let by: Vector3<f64> =
                dofs.map(|column| jacobian.dofs[column].axis * jacobian.step_rad[column]).sum();
            let old_world_from_zero = pose.world_from_zero(linkage, joint);
            let by = old_world_from_zero.inverse() * by;
            let mut turn = UnitQuaternion::from_scaled_axis(by) * old;
            if !limit.is_free() {
                let mut blocked = Blocked { hinge: false, ..jacobian.blocked[joint] };
                let wanted = turn * Vector3::z();
                let allowed = limit.swing.clamp(&wanted);
                if limit.swing != Swing::Fixed && (allowed - wanted).norm_squared() > 1e-24 {
                    let outward = allowed.cross(&wanted);
                    blocked.swing = outward
                        .try_normalize(1e-300)
                        .map(|axis| old_world_from_zero * axis)
                        .or(blocked.swing);
                }
                let twist = twist_rad(&turn);
                let allowed_twist = limit.twist.clamp(twist);
                if !limit.twist.is_locked() && (allowed_twist - twist).abs() > 1e-12 {
                    // Counted the short way round: a whole turn is no stop.
                    blocked.twist = limit.twist.violation_rad(twist) > 1e-12;
                }
                is_stopped |= blocked.swing.is_some() || blocked.twist;
                jacobian.blocked[joint] = blocked;
                turn = swing_to(&allowed) * twist_by(allowed_twist);
            }
            trial.set(linkage, joint, &world_from_zero, turn);
        }
        is_stopped
    }
}
