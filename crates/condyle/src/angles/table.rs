//! Angles as the channels of a trial, which tables hold.

use super::{Angles, JointAngles};
use crate::subject::CentreKnown;
use crate::trial::{Channel, Trial};

/// How a table has angles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AngleUnit {
    /// Columns `left knee flexion [deg]`, with their velocities: what people read. A joint whose centre is barely known
    /// has a column `left knee barely known` before them, 1 in every frame; `left knee sd [deg]` after them is how far its
    /// turn may be off along the worst direction, by what the frame's markers leave open.
    #[default]
    Degrees,
    /// Columns `knee_angle_l`, marked as angles that are stored in degrees: OpenSim's tables.
    OpenSim,
}

impl Angles {
    /// The angles as the channels of a trial on the clock of `trial`; `NaN` where there is no angle.
    pub fn as_trial(&self, trial: &Trial, unit: AngleUnit) -> Trial {
        let mut table = Trial::new(trial.source.format, self.rate_hz);
        table.frames = self.frames;
        table.first_frame = trial.first_frame;
        table.start_s = trial.start_s;
        for joint in &self.joints {
            if unit == AngleUnit::Degrees && joint.centre_known == CentreKnown::Barely {
                let marks = joint.angles_rad.iter().map(|v| v.map_or(f64::NAN, |_| 1.0)).collect();
                let label = format!("{} barely known", joint.name);
                table.channels.push(Channel::from_values(label, "", self.rate_hz, marks));
            }
            for (i, component) in joint.components.iter().enumerate() {
                let degrees = |values: &[Option<[f64; 3]>]| {
                    values.iter().map(|v| v.map_or(f64::NAN, |v| v[i].to_degrees())).collect()
                };
                let label = format!("{} {}", joint.name, component.name);
                let angles = degrees(&joint.angles_rad);
                let mut add = |label: String, unit: &str, values: Vec<f64>| {
                    table.channels.push(Channel::from_values(label, unit, self.rate_hz, values));
                };
                match unit {
                    AngleUnit::Degrees => {
                        add(label.clone(), "deg", angles);
                        let velocities = degrees(&joint.velocities_rad_s);
                        add(format!("{label} velocity"), "deg/s", velocities);
                    }
                    AngleUnit::OpenSim => {
                        add(component.column.clone(), "rad", angles);
                        if let Some(channel) = table.channels.last_mut() {
                            channel.scale = 1f64.to_radians();
                        }
                    }
                }
            }
            if unit == AngleUnit::Degrees && joint.sds_rad.iter().any(Option::is_some) {
                let sds = joint.sds_rad.iter().map(|sd| sd.map_or(f64::NAN, f64::to_degrees));
                let label = format!("{} sd", joint.name);
                table.channels.push(Channel::from_values(
                    label,
                    "deg",
                    self.rate_hz,
                    sds.collect(),
                ));
            }
        }
        table
    }

    /// What each joint's angles are, in lines: convention, zero, smoothing, doubt.
    pub fn in_words(&self, trial: &Trial) -> Vec<String> {
        let line = |joint: &JointAngles| {
            let names = joint.components.each_ref().map(|component| component.name).join(", ");
            let how = joint.convention.name();
            let zero = joint.zero.in_words(trial);
            let treated =
                [format!("{how} ({names}); zero: {zero}")].into_iter().chain(treated(joint));
            format!("{}: {}", joint.name, treated.collect::<Vec<_>>().join("; "))
        };
        self.joints.iter().map(line).collect()
    }

    /// Smoothing and doubt alone, in lines, of the joints that have any: for a table with another convention and zero.
    pub fn treatment_in_words(&self) -> Vec<String> {
        let line = |joint: &JointAngles| {
            let treated: Vec<String> = treated(joint).collect();
            (!treated.is_empty()).then(|| format!("{}: {}", joint.name, treated.join("; ")))
        };
        self.joints.iter().filter_map(line).collect()
    }
}

/// What was done to the angles of a joint, and what is doubtful about them.
fn treated(joint: &JointAngles) -> impl Iterator<Item = String> {
    let smoothed = joint
        .smoothed_hz
        .map(|cutoff_hz| format!("smoothed: Butterworth, fourth order, {cutoff_hz} Hz"));
    let doubt = match joint.centre_known {
        CentreKnown::Barely => Some("centre barely known: may be off by a constant".to_owned()),
        _ => None,
    };
    smoothed.into_iter().chain(doubt)
}
