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

mod describe;
mod foot;
mod gait;
mod leg;
mod mirror;
mod performer;
mod routine;
mod standing;
mod truth;
mod wave;

pub use performer::{
    Exercise, Gait, Joint, JointAxis, JointKind, Leg, Performer, Segment, Site, Swing,
};
pub use routine::Routine;
pub use truth::{Swap, TrueJoint, TrueMarker, TrueSegment, TrueSensor, Truth};

use nalgebra::{Isometry3, Point3, UnitQuaternion, Vector3};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

use crate::error::{ErrorKind, Result};
use crate::trial::{Axis, Format, LengthUnit, Marker, Trial};
use routine::Performance;

/// The most samples that are made: performers times markers times frames.
const MOST_SAMPLES: f64 = 2e8;

/// What to simulate.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// What is performed.
    pub routine: Routine,
    /// For how long.
    pub seconds: f64,
    /// Frames a second.
    pub rate_hz: f64,
    /// What all chance comes from.
    pub seed: u64,
    /// How many performers; from two on, their labels begin with `P1:`, `P2:` and so on.
    pub performers: usize,
    /// The marker set, if not the performer's usual one.
    pub marker_set: Option<String>,
    /// The standard deviation of the noise of each coordinate, in metres.
    pub noise_m: f64,
}

impl Default for Options {
    /// Thirty seconds of range of motion at 100 Hz, undisturbed.
    fn default() -> Self {
        Self {
            routine: Routine::Rom,
            seconds: 30.0,
            rate_hz: 100.0,
            seed: 1,
            performers: 1,
            marker_set: None,
            noise_m: 0.0,
        }
    }
}

/// A recording and the truth behind it.
#[derive(Debug, Clone, PartialEq)]
pub struct Simulation {
    /// The recording, in doubles: files may hold less.
    pub trial: Trial,
    /// The truth.
    pub truth: Truth,
}

/// What a random stream is for.
#[derive(Debug, Clone, Copy)]
enum Chance {
    Motion,
    Noise,
}

/// The random stream for a purpose and a performer.
fn chance(seed: u64, what: Chance, performer: usize) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(((performer as u64) << 8) | what as u64);
    rng
}

/// Simulates a recording.
///
/// # Errors
/// An option makes no sense, or the performer cannot perform the routine.
pub fn simulate(performer: &Performer, options: &Options) -> Result<Simulation> {
    let marker_set = options.marker_set.as_deref().unwrap_or(&performer.marker_set);
    let frames = check(performer, options, marker_set)?;
    let mut trial = Trial::new(Format::C3d, options.rate_hz);
    trial.frames = frames;
    trial.source.unit = LengthUnit::Millimetre;
    trial.source.up = Some(Axis::Z);
    let mut truth = Truth {
        world_from_segment: vec![Vec::new(); frames],
        joint_positions_m: vec![Vec::new(); frames],
        angles_rad: vec![Vec::new(); frames],
        ..Truth::default()
    };
    for index in 0..options.performers {
        // Nobody is quite like another.
        let own = performer.clone().scaled(0.95_f64.powi(index as i32));
        let prefix = match options.performers {
            1 => String::new(),
            _ => format!("P{}", index + 1),
        };
        truth.add_performer(&own, &prefix, marker_set);
        perform(&own, index, options, &mut truth)?;
        for segment in &own.segments {
            for label in segment.sites.iter().filter_map(|site| site.labels.get(marker_set)) {
                let marker = Marker::all_missing(truth::with_prefix(&prefix, label), 0);
                trial.markers.push(marker);
            }
        }
        trial.subjects.extend(Some(prefix).filter(|prefix| !prefix.is_empty()));
    }
    place_markers(&mut trial, &truth, options);
    Ok(Simulation { trial, truth })
}

/// Checks the options; returns the number of frames.
fn check(performer: &Performer, options: &Options, marker_set: &str) -> Result<usize> {
    let sets = performer.marker_sets();
    if !sets.contains(&marker_set) {
        return Err(refusal(format!("marker set: need one of {sets:?}, got {marker_set:?}")));
    }
    let is_positive = |value: f64| value.is_finite() && value > 0.0;
    if !is_positive(options.seconds) || !is_positive(options.rate_hz) {
        return Err(refusal(format!(
            "seconds and rate: need positive numbers, got {} and {}",
            options.seconds, options.rate_hz
        )));
    }
    if options.performers == 0 {
        return Err(refusal("performers: need one or more, got 0".into()));
    }
    let frames = (options.seconds * options.rate_hz).round().max(1.0);
    let markers =
        performer.segments.iter().map(|segment| segment.sites.len().max(1)).sum::<usize>();
    let samples = frames * markers as f64 * options.performers as f64;
    if samples > MOST_SAMPLES {
        return Err(refusal(format!(
            "samples: need at most {MOST_SAMPLES:.0e}, got {samples:.1e}: ask for less time, a lower rate or fewer performers"
        )));
    }
    Ok(frames as usize)
}

/// Moves one performer through all frames.
fn perform(
    performer: &Performer,
    index: usize,
    options: &Options,
    truth: &mut Truth,
) -> Result<()> {
    let mut rng = chance(options.seed, Chance::Motion, index);
    let mut performance = Performance::new(performer, options.routine, options.seconds, &mut rng)?;
    let world_from_stage = stage(performer, index, options.routine);
    let mut angles_rad = vec![0.0; performer.angle_count()];
    let mut poses = Vec::with_capacity(performer.segments.len());
    for frame in 0..truth.world_from_segment.len() {
        let root = performance.pose(frame as f64 / options.rate_hz, &mut angles_rad)?;
        performer.place(world_from_stage * root, &angles_rad, &mut poses);
        let joints = performer.segments.iter().zip(&poses).filter(|(s, _)| s.parent.is_some());
        truth.joint_positions_m[frame]
            .extend(joints.map(|(_, pose)| Point3::from(pose.translation.vector)));
        truth.world_from_segment[frame].extend_from_slice(&poses);
        truth.angles_rad[frame].extend_from_slice(&angles_rad);
    }
    Ok(())
}

/// Where each performer has room of its own.
fn stage(performer: &Performer, index: usize, routine: Routine) -> Isometry3<f64> {
    let gait = match routine {
        Routine::Walk => performer.walk.as_ref(),
        Routine::ChickenWalk => performer.chicken_walk.as_ref(),
        Routine::Rom | Routine::Exercise => None,
    };
    let radius_m = gait.map_or(0.0, |gait| gait.turn_radius_m).min(10.0);
    let aside = Vector3::new(0.0, (2.0 * radius_m + 2.0) * index as f64, 0.0);
    let turned = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), 0.9 * index as f64);
    Isometry3::from_parts(aside.into(), turned)
}

/// Puts every marker where its segment carries it.
fn place_markers(trial: &mut Trial, truth: &Truth, options: &Options) {
    let mut rng = chance(options.seed, Chance::Noise, 0);
    for (marker, at) in trial.markers.iter_mut().zip(&truth.markers) {
        for poses in &truth.world_from_segment {
            let noise_m = Vector3::from_fn(|_, _| {
                let value: f64 = StandardNormal.sample(&mut rng);
                options.noise_m * value
            });
            marker.push(Some(poses[at.segment] * at.in_segment_m + noise_m));
        }
    }
}

fn refusal(text: String) -> crate::error::Error {
    ErrorKind::Argument(text).into()
}

#[cfg(test)]
mod tests;
