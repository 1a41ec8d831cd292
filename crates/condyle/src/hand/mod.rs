//! The hand: from markers on its back and the tips of its fingers to all of its joints, within limits that hold.
//!
//! ```
//! # fn main() -> condyle::Result<()> {
//! use condyle::hand::{Assignment, Model, Options, Side, Tracker};
//! use nalgebra::Point3;
//!
//! let model = Model::standard(Side::Right, 0.19)?;
//! let labels = ["r", "p", "q", "index_tip"];
//! let assignment = Assignment::by_model(&model, &labels)?;
//! let mut tracker = Tracker::new(&model, assignment, 100.0, Options::default())?;
//! let mm = |x: f64, y: f64, z: f64| Some(Point3::new(x, y, z) * 1e-3);
//! let frame = [mm(0.0, 0.0, 10.0), mm(71.7, -33.0, 10.0), mm(84.4, 25.0, 10.0), mm(140.0, 30.0, -30.0)];
//! let pose = tracker.step(&frame);
//! for (name, joint) in model.joint_names().iter().zip(&pose.joints) {
//!     println!("{name}: {:.3} {}", joint.position_m, joint.how.name());
//! }
//! # Ok(())
//! # }
//! ```
//!
//! | wanted | where |
//! |---|---|
//! | joints, bones, limits, couplings | [`Model`], as a file [`Model::from_toml`] |
//! | which marker is which | [`Assignment`] |
//! | a model from recordings of somebody's hand | [`calibrate()`] |
//! | markers of a hand by their names, or by where they are | [`Found::by_names`], [`Found::by_place`] |
//! | tips whose labels changed places | [`ExchangeWatch`] |
//! | joints frame by frame | [`Tracker::step`] |
//! | the same in one call each, from recordings | [`calibrate_recordings`], [`track`] |
//! | a whole recording, and what it is written as | [`follow()`], [`Followed`] |
//! | a surface about it | `coat` |
//!
//! # Reference
//! A. Aristidou (2010), *Tracking and modelling motion for biomechanical analysis*, chapter 5.

mod assignment;
mod calibrate;
mod chain;
mod closed_form;
#[cfg(feature = "skin")]
mod coat;
mod departure;
mod exchanges;
mod file;
mod finger;
mod intradigital;
mod labels;
mod lost;
mod model;
#[cfg(feature = "skin")]
mod of_skeleton;
mod palm;
#[cfg(feature = "simulate")]
mod performer;
mod pose;
mod reach;
mod recording;
mod rehearsal;
mod skeleton;
mod spheres;
mod straight;
mod together;
mod tracked;
mod tracker;
mod unlabelled;

pub use assignment::Assignment;
pub use calibrate::{CalibrateOptions, Calibrated, CalibratedFinger, calibrate};
pub use chain::FingerAngles;
#[cfg(feature = "skin")]
pub use coat::{coat, coat_of_skeleton};
pub use exchanges::{Exchange, ExchangeWatch};
pub use labels::{FINGERS, Found};
pub use model::{
    Finger, FingerJoint, FingerMarker, MAX_FINGERS, MAX_JOINTS, Model, PalmMarker, Side, WRIST,
};
#[cfg(feature = "simulate")]
pub use performer::{performer, performer_of};
pub use pose::{FingerState, HandPose, How, JointPose};
pub use recording::{Followed, Lost, follow};
pub use tracked::{LostSummary, Summary, Tracked, Which, calibrate_recordings, track};
pub use tracker::{Method, Options, Tracker};

#[cfg(all(test, feature = "simulate"))]
mod skeleton_tests;
#[cfg(test)]
mod tests;
