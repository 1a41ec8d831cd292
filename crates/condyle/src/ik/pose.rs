//! Where the joints of a linkage are: positions, frames and turns that belong together.

use nalgebra::{Point3, UnitQuaternion, Vector3};

use super::limit::{Swing, swing_to, twist_by, twist_rad};
use super::linkage::Linkage;

/// A pose of a linkage. Entry 0 is the base; the others are of the bone that ends at the joint.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Pose {
    pub(super) at_m: Vec<Point3<f64>>,
    /// The turn of each bone against its zero frame.
    pub(super) zero_from_bone: Vec<UnitQuaternion<f64>>,
    /// The frame of each bone; z is along it.
    pub(super) world_from_bone: Vec<UnitQuaternion<f64>>,
    pub(super) length_m: Vec<f64>,
}

impl Pose {
    /// At rest.
    pub(super) fn of(linkage: &Linkage) -> Self {
        let joints = linkage.joints();
        let mut pose = Self {
            at_m: linkage.rest_m.clone(),
            zero_from_bone: vec![UnitQuaternion::identity(); joints],
            world_from_bone: vec![UnitQuaternion::identity(); joints],
            length_m: linkage.bones.iter().map(|bone| bone.length_m).collect(),
        };
        pose.turn_to_positions(linkage);
        pose
    }

    pub(super) fn copy_from(&mut self, other: &Self) {
        self.at_m.copy_from_slice(&other.at_m);
        self.zero_from_bone.copy_from_slice(&other.zero_from_bone);
        self.world_from_bone.copy_from_slice(&other.world_from_bone);
        self.length_m.copy_from_slice(&other.length_m);
    }

    /// The unit direction of the bone that ends at a joint.
    pub(super) fn direction(&self, joint: usize) -> Vector3<f64> {
        self.world_from_bone[joint] * Vector3::z()
    }

    /// The zero frame of a bone, from the frame of the bone before.
    pub(super) fn world_from_zero(&self, linkage: &Linkage, joint: usize) -> UnitQuaternion<f64> {
        let bone = &linkage.bones[joint];
        self.world_from_bone[bone.parent] * bone.parent_from_zero
    }

    /// Points a bone at a place as far as its limit allows, keeping its twist; whether it did not get
    /// all the way.
    pub(super) fn point_at(&mut self, linkage: &Linkage, joint: usize, at_m: &Point3<f64>) -> bool {
        let parent = linkage.bones[joint].parent;
        let along_m = at_m - self.at_m[parent];
        let wanted_m = along_m.norm();
        if wanted_m < 1e-12 {
            // Nowhere to point: straight on as it was.
            let direction = self.direction(joint);
            return self.point_along(linkage, joint, &direction);
        }
        self.length_m[joint] = linkage.bones[joint].length_for(wanted_m);
        self.point_along(linkage, joint, &(along_m / wanted_m))
    }

    /// The same for a unit direction.
    pub(super) fn point_along(
        &mut self,
        linkage: &Linkage,
        joint: usize,
        wanted: &Vector3<f64>,
    ) -> bool {
        let limit = &linkage.bones[joint].limit;
        let world_from_zero = self.world_from_zero(linkage, joint);
        let local = world_from_zero.inverse() * wanted;
        let turn = match &limit.swing {
            Swing::Hinge(hinge) => hinge.turn(&local),
            swing => {
                let twist = limit.twist.clamp(twist_rad(&self.zero_from_bone[joint]));
                swing_to(&swing.clamp(&local)) * twist_by(twist)
            }
        };
        self.set(linkage, joint, &world_from_zero, turn);
        self.direction(joint).dot(wanted) < 1.0 - 1e-12
    }

    /// Turns a bone against its zero frame as far as its limit allows.
    pub(super) fn turn_to(&mut self, linkage: &Linkage, joint: usize, turn: &UnitQuaternion<f64>) {
        let world_from_zero = self.world_from_zero(linkage, joint);
        let turn = allowed(linkage, joint, turn);
        self.set(linkage, joint, &world_from_zero, turn);
    }

    pub(super) fn set(
        &mut self,
        linkage: &Linkage,
        joint: usize,
        world_from_zero: &UnitQuaternion<f64>,
        zero_from_bone: UnitQuaternion<f64>,
    ) {
        self.zero_from_bone[joint] = zero_from_bone;
        let mut world_from_bone = world_from_zero * zero_from_bone;
        // Products of unit quaternions wander off by rounding; one Newton step brings them back.
        world_from_bone.renormalize_fast();
        self.world_from_bone[joint] = world_from_bone;
        let parent = linkage.bones[joint].parent;
        self.at_m[joint] = self.at_m[parent] + self.direction(joint) * self.length_m[joint];
    }

    /// Positions and frames from the turns: forward kinematics.
    pub(super) fn forward(&mut self, linkage: &Linkage) {
        for joint in 1..linkage.joints() {
            let world_from_zero = self.world_from_zero(linkage, joint);
            self.set(linkage, joint, &world_from_zero, self.zero_from_bone[joint]);
        }
    }

    /// Turns and frames from the positions, as far as limits allow: lengths and limits hold after it.
    pub(super) fn turn_to_positions(&mut self, linkage: &Linkage) {
        for joint in 1..linkage.joints() {
            let at_m = self.at_m[joint];
            self.point_at(linkage, joint, &at_m);
        }
    }

    /// How far outside its limit the worst joint is.
    pub(super) fn violation_rad(&self, linkage: &Linkage) -> f64 {
        let of =
            |joint: usize| linkage.bones[joint].limit.violation_rad(&self.zero_from_bone[joint]);
        (1..linkage.joints()).map(of).fold(0.0, f64::max)
    }

    /// How many joints stand at their limit.
    pub(super) fn limits_active(&self, linkage: &Linkage) -> usize {
        let stands =
            |joint: &usize| linkage.bones[*joint].limit.is_at(&self.zero_from_bone[*joint]);
        (1..linkage.joints()).filter(stands).count()
    }
}

/// The turn that a limit makes of a wanted one.
pub(super) fn allowed(
    linkage: &Linkage,
    joint: usize,
    turn: &UnitQuaternion<f64>,
) -> UnitQuaternion<f64> {
    let limit = &linkage.bones[joint].limit;
    if limit.is_free() {
        return *turn;
    }
    let direction = turn * Vector3::z();
    match &limit.swing {
        Swing::Hinge(hinge) => hinge.turn(&direction),
        swing => swing_to(&swing.clamp(&direction)) * twist_by(limit.twist.clamp(twist_rad(turn))),
    }
}
