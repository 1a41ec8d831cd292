//! Simulated recordings with their exact truth: a performer, a routine, markers, disturbances.
//!
//! ```
//! use condyle::simulate::{Options, Performer, Routine, simulate};
//!
//! let options = Options { routine: Routine::Walk, seconds: 2.0, ..Options::default() };
//! let simulation = simulate(&Performer::human(), &options)?;
//! let truth = &simulation.truth;
//! let knee = truth.joint("left knee").unwrap_or_default();
//! println!("{:.3}", truth.joint_positions_m[0][knee]);
//! # Ok::<(), condyle::Error>(())
//! ```
//!
//! The world has z up; walkers go about a circle. The same seed gives the same recording, and each
//! disturbance draws from a stream of its own: noise changes no motion.

mod acts;
mod cameras;
mod chance;
mod describe;
mod foot;
mod gait;
mod gestures;
mod hide;
mod keypoints;
mod leg;
mod options;
mod performer;
mod record;
mod routine;
mod skin;
mod slip;
mod stage;
mod standing;
mod swap;
mod truth;
mod wave;

pub use options::Options;
pub use performer::{
    Digit, Exercise, Follower, Gait, Joint, JointAxis, JointKind, Leg, Performer, Segment, Site,
    Swing,
};
pub use routine::Routine;
pub use swap::labels as swap_labels;
pub use truth::{MovedCluster, Slip, Swap, TrueJoint, TrueMarker, TrueSegment, TrueSensor, Truth};

use crate::error::Result;
use crate::trial::{Axis, CameraRay, Format, LengthUnit, Marker, Trial};

/// A recording and the truth behind it.
#[derive(Debug, Clone, PartialEq)]
pub struct Simulation {
    /// The recording, in doubles: files may hold less.
    pub trial: Trial,
    /// The truth.
    pub truth: Truth,
    /// Of samples that one camera sees and that are missing for it, the line on which it does.
    pub rays: Vec<CameraRay>,
}

impl Simulation {
    /// Where every joint truly was, as the markers of a trial of their own.
    pub fn joint_trial(&self) -> Trial {
        let truth = &self.truth;
        let mut joints = Trial::new(Format::Csv, self.trial.rate_hz);
        joints.frames = self.trial.frames;
        for (index, joint) in truth.joints.iter().enumerate() {
            let places_m = truth.joint_positions_m.iter().map(|places_m| Some(places_m[index]));
            joints.markers.push(Marker::from_positions(&joint.name, places_m));
        }
        joints
    }
}

/// Simulates a recording.
///
/// # Errors
/// An option makes no sense, or the performer cannot perform the routine.
pub fn simulate(performer: &Performer, options: &Options) -> Result<Simulation> {
    let frames = options.check(performer)?;
    let mut trial = Trial::new(Format::C3d, options.rate_hz);
    trial.frames = frames;
    trial.source.unit = LengthUnit::Millimetre;
    trial.source.up = Some(Axis::Z);
    let mut truth = Truth::of_frames(frames);
    stage::perform(performer, options, &mut trial, &mut truth)?;
    if options.keypoints {
        keypoints::samples(options, &mut trial, &mut truth);
        truth.hidden = hide::gaps(&trial);
        return Ok(Simulation { trial, truth, rays: Vec::new() });
    }
    slip::clusters(options, &mut truth);
    truth.slips = slip::markers(options, &truth);
    record::samples(options, &mut trial, &mut truth);
    let rays = cameras::samples(options, &mut trial, &truth);
    hide::samples(options, &mut trial);
    hide::closed_tips(performer, options, &mut trial, &truth);
    truth.swaps = swap::labels(options, &mut trial)?;
    truth.hidden = hide::gaps(&trial);
    Ok(Simulation { trial, truth, rays })
}

#[cfg(test)]
mod tests;
