//! Joint angles of a solved subject: the sequences of the International Society of Biomechanics for the joints
//! of a body, swing and twist for all others.
//!
//! ```
//! # use condyle::{angles, calibrate::Calibration, simulate, solve};
//! # let options = simulate::Options { seconds: 2.0, rate_hz: 50.0, ..Default::default() };
//! # let simulation = simulate::simulate(&simulate::Performer::human(), &options)?;
//! # let trial = simulation.trial;
//! # let mut calibration = Calibration::new(&simulation.truth.plan.performers[0], &trial.labels())?;
//! # let mut positions_m = vec![None; trial.markers.len()];
//! # for frame in 0..trial.frames {
//! #     trial.positions_m(frame, &mut positions_m);
//! #     calibration.push(&positions_m);
//! # }
//! # let subject = calibration.fit()?;
//! let solved = solve::solve_trial(&subject, &trial)?;
//! let angles = angles::joint_angles(&subject, &solved, trial.rate_hz, &angles::Options::default());
//! if let Some(knee) = angles.joint("left knee") {
//!     let flexion_rad = knee.angles_rad[0].map(|angles| angles[0]);
//!     println!("{}: {flexion_rad:?}, zero: {}", knee.components[0].name, knee.zero.in_words(&trial));
//! }
//! # Ok::<(), condyle::Error>(())
//! ```

mod convention;
mod measure;
mod pose;
mod range;
mod smooth;
mod swing_twist;
mod table;
mod velocity;

use std::ops::Range;

pub use convention::{Component, Convention};
pub use pose::{JointInPose, PoseAngles};
pub use smooth::Smoothing;
pub(crate) use smooth::low_pass;
pub use table::AngleUnit;

use crate::anatomy::{Anatomy, AxesFrom};
use crate::solve::{SolvedMotion, typical_turn_sds_rad};
use crate::subject::{CentreKnown, Subject};
use crate::trial::Trial;

/// How angles are computed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// The pose in which all angles are zero, instead of what the joints and the calibration say.
    pub zero_frame: Option<usize>,
    /// Whether they are smoothed.
    pub smoothing: Smoothing,
    /// Frames nearer than this to where two of the three axes become one are counted as near gimbal lock.
    pub gimbal_rad: f64,
    /// Half the stretch of time that a velocity is taken over.
    pub velocity_half_window_s: f64,
}

impl Default for Options {
    /// No zero frame, no smoothing, gimbal lock within 10 degrees, velocities over 0.1 s.
    fn default() -> Self {
        Self {
            zero_frame: None,
            smoothing: Smoothing::Off,
            gimbal_rad: 10f64.to_radians(),
            velocity_half_window_s: 0.05,
        }
    }
}

/// The angles of a subject's joints in a trial.
#[derive(Debug, Clone, PartialEq)]
pub struct Angles {
    /// Frames a second; zero if unknown.
    pub rate_hz: f64,
    /// How many frames there are.
    pub frames: usize,
    /// One entry a joint of the subject, in their order.
    pub joints: Vec<JointAngles>,
}

/// The angles of one joint.
#[derive(Debug, Clone, PartialEq)]
pub struct JointAngles {
    /// The joint's name, as the subject has it.
    pub name: String,
    /// How the three angles are defined.
    pub convention: Convention,
    /// What the three angles are.
    pub components: [Component; 3],
    /// The pose in which they are zero.
    pub zero: ZeroPose,
    /// How well the centre of the joint is known: angles of one that is barely known may be off by a constant.
    pub centre_known: CentreKnown,
    /// For every frame the three angles; `None` where a segment was not placed. Without jumps.
    pub angles_rad: Vec<Option<[f64; 3]>>,
    /// For every frame the standard error of the joint's turn along its worst direction: what the frame's markers leave
    /// open. `None` where it is not known, as of recorded bodies.
    pub sds_rad: Vec<Option<f64>>,
    /// The cutoff of the filter that smoothed them, if any did.
    pub smoothed_hz: Option<f64>,
    /// For every frame their rates of change; `None` where there are too few frames about it, or no rate.
    pub velocities_rad_s: Vec<Option<[f64; 3]>>,
    /// The smallest and the largest of every angle; `None` if there is none.
    pub range_rad: Option<[[f64; 2]; 3]>,
    /// Stretches of frames near gimbal lock, where the first and the last angle are badly determined.
    pub near_gimbal: Vec<Range<usize>>,
}

/// The pose in which angles are zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ZeroPose {
    /// Both segments' anatomical axes coincide: a person upright, arms hanging, palms forward.
    Anatomical,
    /// The mean pose of the calibration.
    MeanPose,
    /// The pose in a frame of the trial, counted from 0.
    Frame(usize),
}

impl ZeroPose {
    /// In words, with the recording's own frame number: `mean pose of the calibration`.
    pub fn in_words(self, trial: &Trial) -> String {
        match self {
            Self::Anatomical => "anatomical axes of both segments coincide".to_owned(),
            Self::MeanPose => "mean pose of the calibration".to_owned(),
            Self::Frame(frame) => format!("pose in frame {}", trial.frame_number(frame)),
        }
    }
}

impl Angles {
    /// The angles of a joint by its name.
    pub fn joint(&self, name: &str) -> Option<&JointAngles> {
        self.joints.iter().find(|joint| joint.name == name)
    }
}

impl JointAngles {
    /// In how many frames it is near gimbal lock.
    pub fn near_gimbal_frames(&self) -> usize {
        self.near_gimbal.iter().map(ExactSizeIterator::len).sum()
    }

    /// How far the largest of an angle is from the smallest.
    pub fn range_of_motion_rad(&self, component: usize) -> Option<f64> {
        let [low, high] = *self.range_rad?.get(component)?;
        Some(high - low)
    }
}

/// The angles of all joints of a subject.
pub fn joint_angles(
    subject: &Subject,
    solved: &SolvedMotion,
    rate_hz: f64,
    options: &Options,
) -> Angles {
    let anatomy = Anatomy::new(subject);
    let typical_rad = typical_turn_sds_rad(subject);
    let joints = subject
        .joints
        .iter()
        .enumerate()
        .map(|(index, joint)| {
            let sds_rad: Vec<Option<f64>> =
                (0..solved.frames()).map(|frame| solved.joint_turn_sd_rad(frame, index)).collect();
            let has_zero_frame = options.zero_frame.is_some();
            let mut frames = measure::Frames::new(subject, joint, &anatomy, has_zero_frame);
            if let Some(frame) = options.zero_frame {
                let world_from =
                    |segment| Some(solved.world_from_segment(frame, segment)?.rotation);
                frames.set_zero(frame, &world_from);
            }
            let is_shown = |frame: usize| measure::is_shown(sds_rad[frame], typical_rad[index]);
            let mut angles_rad = frames.angles_rad(solved, is_shown);
            let smoothed_hz = smooth::smooth(&mut angles_rad, rate_hz, options.smoothing);
            let near_gimbal =
                range::stretches(&angles_rad, |angles| frames.is_near_gimbal(angles, options));
            JointAngles {
                name: joint.name.clone(),
                convention: frames.convention,
                components: convention::components(&frames.convention, &joint.name),
                zero: frames.zero,
                centre_known: joint.centre_known(),
                velocities_rad_s: velocity::of(
                    &angles_rad,
                    rate_hz,
                    options.velocity_half_window_s,
                ),
                sds_rad,
                range_rad: range::of(&angles_rad),
                smoothed_hz,
                near_gimbal,
                angles_rad,
            }
        })
        .collect();
    Angles { rate_hz, frames: solved.frames(), joints }
}

/// The zero of a joint whose segments have these axes.
fn zero_of(proximal: AxesFrom, distal: AxesFrom) -> ZeroPose {
    match (proximal, distal) {
        (AxesFrom::MeanPose, _) | (_, AxesFrom::MeanPose) => ZeroPose::MeanPose,
        _ => ZeroPose::Anatomical,
    }
}
