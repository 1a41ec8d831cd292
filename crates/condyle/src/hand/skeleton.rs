//! The hand as a skeleton, and a followed hand as its motion.
//!
//! At rest all joints have the axes of the hand, fingers are straight and spread as the model has them: whoever retargets
//! finds an open hand.

use nalgebra::{UnitQuaternion, Vector3};

use super::model::{Model, Side, WRIST};
use super::pose::HandPose;
use super::recording::Followed;
use crate::cardan::Sequence;
use crate::error::Result;
use crate::motion::Motion;
use crate::skeleton::{Joint, JointChannel, Skeleton};

const TURNS: [JointChannel; 3] =
    [JointChannel::Rotation(2), JointChannel::Rotation(0), JointChannel::Rotation(1)];
const MOVES: [JointChannel; 3] =
    [JointChannel::Translation(0), JointChannel::Translation(1), JointChannel::Translation(2)];

impl Model {
    /// The hand as a skeleton, joints as [`Model::joint_names`] has them; of a left hand y points away from the thumb.
    ///
    /// # Errors
    /// A model that is none.
    pub fn skeleton(&self) -> Result<Skeleton> {
        let mut wrist = Joint::new(WRIST, None, Vector3::zeros());
        wrist.channels = MOVES.iter().chain(&TURNS).copied().collect();
        let mut joints = vec![wrist];
        for finger in &self.fingers {
            let (mut parent, mut from_m) = (0, Vector3::zeros());
            let mut add = |name: &str, at_m: Vector3<f64>, turns: bool| {
                let offset_m = self.side.mirrored(at_m - from_m);
                let mut joint = Joint::new(name, Some(parent), offset_m);
                joint.channels = if turns { TURNS.to_vec() } else { Vec::new() };
                joints.push(joint);
                (parent, from_m) = (joints.len() - 1, at_m);
            };
            if let Some((name, at_m)) = &finger.metacarpal {
                // The palm holds it.
                add(name, at_m.coords, false);
            }
            let along = finger.hand_from_rest * Vector3::x();
            let mut at_m = finger.base_in_hand_m.coords;
            for joint in &finger.joints {
                add(&joint.name, at_m, true);
                at_m += along * joint.length_m;
            }
            add(&finger.tip, at_m, false);
        }
        Skeleton::new(joints)
    }

    /// For every joint the frame of its bone at rest, in the hand.
    fn rest_turns(&self) -> Vec<UnitQuaternion<f64>> {
        let mut turns = vec![UnitQuaternion::identity()];
        for finger in &self.fingers {
            let q = finger.hand_from_rest.quaternion();
            let own = match self.side {
                Side::Right => finger.hand_from_rest,
                Side::Left => {
                    UnitQuaternion::new_normalize(nalgebra::Quaternion::new(q.w, -q.i, q.j, -q.k))
                }
            };
            turns.extend(std::iter::repeat_n(own, finger.joint_count()));
        }
        turns
    }
}

impl Followed {
    /// The hand as a skeleton that moves; `None` if it is never placed. Frames in which it is not keep the last pose.
    ///
    /// # Errors
    /// A skeleton that is none.
    pub fn motion(&self) -> Result<Option<Motion>> {
        let Some(first) = self.poses.iter().find(|pose| pose.is_placed()) else { return Ok(None) };
        let skeleton = self.model.skeleton()?;
        let rest_turns = self.model.rest_turns();
        let turn = |pose: &HandPose, joint: usize| {
            pose.joints[joint].world_from_bone * rest_turns[joint].inverse()
        };
        let mut values = Vec::new();
        let mut angles = vec![[0.0; 3]; skeleton.joints().len()];
        let mut last = first;
        for pose in &self.poses {
            last = if pose.is_placed() { pose } else { last };
            for (index, joint) in skeleton.joints().iter().enumerate() {
                if joint.parent.is_none() {
                    values.extend(last.joints[index].position_m.iter());
                }
                if joint.channels.is_empty() {
                    continue;
                }
                let own = turn(last, index);
                let own = joint.parent.map_or(own, |parent| turn(last, parent).inverse() * own);
                angles[index] = Sequence::ZXY.angles(&own, angles[index]);
                values.extend(angles[index]);
            }
        }
        Ok(Some(Motion::new(skeleton, self.poses.len(), values)?))
    }
}
