//! A hand in one frame: where its joints are, how each was found, how sure that is.

use nalgebra::{Isometry3, Matrix3, Point3, UnitQuaternion};

use super::model::Model;

/// How a joint was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum How {
    /// From markers on the same bone.
    Measured,
    /// From the tip and the palm, by what is known of fingers.
    Solved,
    /// Its markers are lost, and where they are is predicted.
    Predicted,
    /// Nothing tells, for long or from the beginning: it stays as it was last or as at rest.
    Held,
    /// The hand is not placed.
    #[default]
    Unplaced,
}

impl How {
    /// The word of tables; empty where there is no position.
    pub fn name(self) -> &'static str {
        match self {
            Self::Measured => "measured",
            Self::Solved => "solved",
            Self::Predicted => "predicted",
            Self::Held => "held",
            Self::Unplaced => "",
        }
    }
}

/// A joint in one frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JointPose {
    /// Where it is in the world.
    pub position_m: Point3<f64>,
    /// How sure that is.
    pub covariance_m2: Matrix3<f64>,
    /// The frame of the bone that follows: x along it, y the axis of flexion, z out of the back or the nail; of a left
    /// hand y is turned to the other side, so that the frame is right-handed.
    pub world_from_bone: UnitQuaternion<f64>,
    /// How far it is bent, if it bends.
    pub flexion_rad: Option<f64>,
    /// How far it is turned towards the thumb, if it turns.
    pub abduction_rad: Option<f64>,
    /// How it was found.
    pub how: How,
}

impl Default for JointPose {
    fn default() -> Self {
        Self {
            position_m: Point3::origin(),
            covariance_m2: Matrix3::zeros(),
            world_from_bone: UnitQuaternion::identity(),
            flexion_rad: None,
            abduction_rad: None,
            how: How::Unplaced,
        }
    }
}

/// A finger in one frame.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct FingerState {
    /// How far the marker of its tip is from where it was seen; `None` where it was not.
    pub tip_residual_m: Option<f64>,
    /// Where the marker of its tip is thought to be, in the world.
    pub tip_marker_m: Point3<f64>,
    /// How sure that is.
    pub tip_covariance_m2: Matrix3<f64>,
    /// How many limits hold it.
    pub limits_active: usize,
    /// Whether the joints were out of proportion and brought back.
    pub is_repaired: bool,
    /// For how many frames the tip has not been seen.
    pub lost_frames: usize,
}

/// A hand in one frame.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct HandPose {
    /// Where the hand is; `None` if two of its three markers are lost. Of a left hand y points away from the thumb.
    pub world_from_hand: Option<Isometry3<f64>>,
    /// How far the markers on the back are from their places, rms.
    pub palm_rms_m: f64,
    /// The joints, as [`Model::joint_names`] has them.
    pub joints: Vec<JointPose>,
    /// The fingers, as the model has them.
    pub fingers: Vec<FingerState>,
}

impl HandPose {
    /// With room for a model's joints.
    pub fn of(model: &Model) -> Self {
        Self {
            joints: vec![JointPose::default(); model.joint_names().len()],
            fingers: vec![FingerState::default(); model.fingers.len()],
            ..Self::default()
        }
    }

    /// Whether the hand is placed.
    pub fn is_placed(&self) -> bool {
        self.world_from_hand.is_some()
    }
}
