//! What inverse kinematics moves, from what is already there: fitted subjects, skeletons of
//! recordings, robot arms.
//!
//! | from | by |
//! |---|---|
//! | a fitted subject | [`from_subject`] |
//! | the skeleton of a recording (BVH, ASF/AMC) | [`from_motion`] |
//! | a URDF, with its limits (feature `urdf`) | `from_urdf` |
//!
//! And back: [`LimbMotion`] is the motion of a skeleton, for formats that have one.
//!
//! Joints of one rigid part keep their places in it: a pelvis stays a triangle, however its legs move.

mod hang;
mod limb_motion;
mod motion;
#[cfg(feature = "skeleton")]
mod subject;
#[cfg(feature = "urdf")]
mod urdf;

pub use limb_motion::LimbMotion;
pub use motion::from_motion;
#[cfg(feature = "skeleton")]
pub use subject::from_subject;
#[cfg(feature = "urdf")]
pub use urdf::from_urdf;
