//! A hand through a whole recording: its poses, what they are written as, what is to be said of them.

use std::io::Write;

use nalgebra::Point3;

use super::exchanges::ExchangeWatch;
use super::model::Model;
use super::pose::{HandPose, How};
use super::tracker::Tracker;
use crate::error::Result;
use crate::trial::{Channel, Marker, Trial};

/// A hand in every frame of a recording.
#[derive(Debug, Clone, PartialEq)]
pub struct Followed {
    /// The model.
    pub model: Model,
    /// The poses.
    pub poses: Vec<HandPose>,
}

/// How the tip of a finger was lost.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Lost {
    /// How many gaps there are.
    pub gaps: usize,
    /// The longest, in frames.
    pub longest_frames: usize,
    /// How far off predicted tips are expected to be, rms.
    pub predicted_error_m: f64,
}

/// Follows a hand through a recording; tips whose labels changed places are put back if there is a watch.
pub fn follow(
    trial: &Trial,
    tracker: &mut Tracker,
    mut watch: Option<&mut ExchangeWatch>,
) -> Followed {
    let mut seen_m = vec![None; trial.markers.len()];
    let poses = (0..trial.frames)
        .map(|frame| {
            trial.positions_m(frame, &mut seen_m);
            if let Some(watch) = &mut watch {
                watch.step(tracker.assignment(), &mut seen_m);
            }
            tracker.step(&seen_m).clone()
        })
        .collect();
    Followed { model: tracker.model().clone(), poses }
}

impl Followed {
    /// In how many frames the hand is placed.
    pub fn frames_posed(&self) -> usize {
        self.poses.iter().filter(|pose| pose.is_placed()).count()
    }

    /// In how many frames some limit holds a finger, and in how many joints had to be brought back into proportion.
    pub fn limits_and_repairs(&self) -> [usize; 2] {
        let any = |is: fn(&super::FingerState) -> bool| {
            self.poses.iter().filter(|pose| pose.fingers.iter().any(is)).count()
        };
        [any(|finger| finger.limits_active > 0), any(|finger| finger.is_repaired)]
    }

    /// How far tips are from where they were seen, rms over all.
    pub fn tip_residual_m(&self) -> Option<f64> {
        let all = self.poses.iter().flat_map(|pose| &pose.fingers);
        crate::statistics::rms(all.filter_map(|finger| finger.tip_residual_m))
    }

    /// How the tip of a finger was lost.
    pub fn lost(&self, finger: usize) -> Lost {
        let mut lost = Lost::default();
        let (mut square, mut count) = (0.0, 0.0);
        let mut before = 0;
        for pose in &self.poses {
            let state = &pose.fingers[finger];
            lost.gaps += usize::from(state.lost_frames > 0 && before == 0);
            lost.longest_frames = lost.longest_frames.max(state.lost_frames);
            before = state.lost_frames;
            if state.lost_frames > 0 && pose.is_placed() {
                square += state.tip_covariance_m2.trace();
                count += 1.0;
            }
        }
        if count > 0.0 {
            lost.predicted_error_m = f64::sqrt(square / count);
        }
        lost
    }

    /// The joints as the markers of a recording on the clock of `trial`, their angles as channels.
    pub fn joint_trial(&self, trial: &Trial) -> Trial {
        let mut joints = Trial::new(trial.source.format, trial.rate_hz);
        joints.source.unit = trial.source.unit;
        joints.source.up = trial.source.up;
        joints.first_frame = trial.first_frame;
        joints.start_s = trial.start_s;
        joints.frames = self.poses.len();
        for (index, name) in self.model.joint_names().iter().enumerate() {
            let at_m = self.poses.iter().map(|pose| {
                let joint = &pose.joints[index];
                (joint.how != How::Unplaced).then_some(joint.position_m)
            });
            joints.markers.push(Marker::from_positions(*name, at_m));
        }
        joints.channels = self.angle_channels(trial.rate_hz);
        joints
    }

    fn angle_channels(&self, rate_hz: f64) -> Vec<Channel> {
        let mut channels = Vec::new();
        for (index, name) in self.model.joint_names().iter().enumerate() {
            for (word, of) in ANGLES {
                let values: Vec<Option<f64>> =
                    self.poses.iter().map(|pose| angle_deg(pose, index, of)).collect();
                if values.iter().any(Option::is_some) {
                    let values =
                        values.into_iter().map(|value| value.unwrap_or(f64::NAN)).collect();
                    channels.push(Channel::from_values(
                        format!("{name}_{word}"),
                        "deg",
                        rate_hz,
                        values,
                    ));
                }
            }
        }
        channels
    }

    /// A table: frame and time, positions of all joints in metres, then angles in degrees and how each was found.
    ///
    /// # Errors
    /// Writing fails.
    pub fn write_csv(&self, trial: &Trial, out: &mut impl Write) -> Result<()> {
        let names = self.model.joint_names();
        let mut line = String::from("frame,time_s");
        for name in &names {
            line.push_str(&format!(",{name}_x,{name}_y,{name}_z"));
        }
        for name in &names {
            line.push_str(&format!(",{name}_flexion_deg,{name}_abduction_deg,{name}_how"));
        }
        writeln!(out, "{line}")?;
        for (frame, pose) in self.poses.iter().enumerate() {
            line.clear();
            line.push_str(&format!("{},{}", trial.frame_number(frame), trial.time_s(frame)));
            for joint in &pose.joints {
                match joint.how {
                    How::Unplaced => line.push_str(",,,"),
                    _ => {
                        let at: Point3<f64> = joint.position_m;
                        line.push_str(&format!(",{:.7},{:.7},{:.7}", at.x, at.y, at.z));
                    }
                }
            }
            for (index, joint) in pose.joints.iter().enumerate() {
                for (_, of) in ANGLES {
                    line.push(',');
                    if let Some(deg) = angle_deg(pose, index, of) {
                        line.push_str(&format!("{deg:.4}"));
                    }
                }
                line.push(',');
                line.push_str(joint.how.name());
            }
            writeln!(out, "{line}")?;
        }
        Ok(())
    }
}

type Angle = fn(&super::JointPose) -> Option<f64>;
const ANGLES: [(&str, Angle); 2] =
    [("flexion_deg", |joint| joint.flexion_rad), ("abduction_deg", |joint| joint.abduction_rad)];

fn angle_deg(pose: &HandPose, joint: usize, of: Angle) -> Option<f64> {
    let joint = &pose.joints[joint];
    of(joint).filter(|_| joint.how != How::Unplaced).map(f64::to_degrees)
}
