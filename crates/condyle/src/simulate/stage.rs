//! Moving every performer through all frames, each in a place of its own.

use nalgebra::{Isometry3, Point3, UnitQuaternion, Vector3};

use super::chance::{Purpose, stream};
use super::options::Options;
use super::performer::Performer;
use super::routine::{Performance, Routine};
use super::truth::{Truth, with_prefix};
use crate::error::Result;
use crate::trial::{Body, Marker, Trial};

/// How many sizes of performers there are.
const SIZES: usize = 5;
/// How much smaller every further performer is, until the sizes begin again.
const SMALLER: f64 = 0.95;
/// A motion that lasts less is faster than people move.
const MIN_MOTION_S: f64 = 2.0;
/// The room between performers.
const ROOM_M: f64 = 2.0;
/// Walkers on a straight line get no more room than this to either side.
const MOST_ROOM_M: f64 = 5.0;

/// One of several performers.
struct Cast {
    performer: Performer,
    index: usize,
    prefix: String,
    world_from_stage: Isometry3<f64>,
}

/// Moves everyone: fills the truth, and the trial with markers or sensors that have no samples yet.
pub(super) fn perform(
    performer: &Performer,
    options: &Options,
    trial: &mut Trial,
    truth: &mut Truth,
) -> Result<()> {
    let mut aside_m = 0.0;
    for index in 0..options.performers {
        let radius_m = performer.gait(options.routine).map_or(0.0, |gait| gait.turn_radius_m);
        let turned = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), 0.9 * index as f64);
        let place = Vector3::new(0.0, aside_m, 0.0);
        aside_m += 2.0 * radius_m.min(MOST_ROOM_M) + ROOM_M;
        let cast = Cast {
            performer: performer.clone().scaled(SMALLER.powi((index % SIZES) as i32)),
            index,
            prefix: if options.performers == 1 { String::new() } else { format!("P{}", index + 1) },
            world_from_stage: Isometry3::from_parts(place.into(), turned),
        };
        cast.dress(options, trial, truth);
        cast.play(options, trial, truth)?;
        trial.subjects.extend(Some(cast.prefix).filter(|prefix| !prefix.is_empty()));
    }
    Ok(())
}

impl Cast {
    /// Adds its segments to the truth and its markers or sensors to the trial.
    fn dress(&self, options: &Options, trial: &mut Trial, truth: &mut Truth) {
        let marker_set = options.marker_set_of(&self.performer);
        let worn = (!options.sensors).then_some(marker_set);
        truth.add_performer(&self.performer, &self.prefix, worn);
        for segment in &self.performer.segments {
            if options.sensors {
                trial.bodies.push(Body::new(with_prefix(&self.prefix, &segment.name)));
                continue;
            }
            for label in segment.sites.iter().filter_map(|site| site.labels.get(marker_set)) {
                trial.markers.push(Marker::all_missing(with_prefix(&self.prefix, label), 0));
            }
        }
    }

    /// Moves through all frames.
    fn play(&self, options: &Options, trial: &mut Trial, truth: &mut Truth) -> Result<()> {
        let performer = &self.performer;
        let mut rng = stream(options.seed, Purpose::Motion, self.index);
        let mut performance = Performance::new(performer, options, &mut rng)?;
        let mut angles_rad = vec![0.0; performer.angle_count()];
        let mut poses = Vec::with_capacity(performer.segments.len());
        for frame in 0..trial.frames {
            let root = performance.pose(trial.time_s(frame), &mut angles_rad)?;
            performer.place(self.world_from_stage * root, &angles_rad, &mut poses);
            let joints = performer.segments.iter().zip(&poses).filter(|(s, _)| s.parent.is_some());
            truth.joint_positions_m[frame]
                .extend(joints.map(|(_, pose)| Point3::from(pose.translation.vector)));
            truth.world_from_segment[frame].extend_from_slice(&poses);
            truth.angles_rad[frame].extend_from_slice(&angles_rad);
        }
        if let Some(shortest_s) = performance.shortest_act_s().filter(|s| *s < MIN_MOTION_S) {
            trial.note(
                "routine-too-short",
                format!(
                    "{}: each motion of the routine has only {shortest_s:.1} s: more seconds would \
                     look more natural",
                    performer.name
                ),
            );
        }
        let last_s = trial.time_s(trial.frames - 1);
        trial.events.extend(performance.events(last_s, &self.prefix));
        Ok(())
    }
}

impl Performer {
    /// The gait of a routine that has one.
    pub(super) fn gait(&self, routine: Routine) -> Option<&super::Gait> {
        match routine {
            Routine::Walk => self.walk.as_ref(),
            Routine::ChickenWalk => self.chicken_walk.as_ref(),
            _ => None,
        }
    }
}
