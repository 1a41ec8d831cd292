//! The file `truth.json` of `condyle simulate`, documented in docs/simulate.md.

use std::ops::Range;

use condyle::Trial;
use condyle::simulate::{Performer, TrueJoint, Truth};
use nalgebra::{Isometry3, Point3};
use serde::Serialize;

use super::args::SimulateArgs;

/// The version of the layout.
const VERSION: u32 = 1;

/// All of the file.
#[derive(Serialize)]
pub struct Json<'a> {
    version: u32,
    performer: &'a str,
    options: OptionsJson<'a>,
    segments: Vec<SegmentJson<'a>>,
    joints: Vec<JointJson<'a>>,
    swaps: Vec<SwapJson<'a>>,
    hidden: Vec<HiddenJson<'a>>,
}

#[derive(Serialize)]
struct OptionsJson<'a> {
    performers: usize,
    marker_set: Option<&'a str>,
    routine: &'static str,
    seconds: f64,
    rate_hz: f64,
    seed: u64,
    sensors: bool,
    noise_mm: f64,
    noise_deg: f64,
    skin_mm: f64,
    occlusion: f64,
    dropout: f64,
    swaps: usize,
}

#[derive(Serialize)]
struct SegmentJson<'a> {
    name: &'a str,
    parent: Option<&'a str>,
    skin: f64,
    markers: Vec<MarkerJson<'a>>,
    sensor: Option<PoseJson>,
}

#[derive(Serialize)]
struct MarkerJson<'a> {
    label: &'a str,
    position_m: [f64; 3],
}

#[derive(Serialize)]
struct PoseJson {
    position_m: [f64; 3],
    /// Scalar first, segment from sensor.
    quaternion_wxyz: [f64; 4],
}

#[derive(Serialize)]
struct JointJson<'a> {
    name: &'a str,
    parent: &'a str,
    child: &'a str,
    kind: &'static str,
    centre_in_parent_m: [f64; 3],
    centre_in_child_m: [f64; 3],
    axes: Vec<[f64; 3]>,
    range_rad: &'a [[f64; 2]],
    moved_rad: Vec<[f64; 2]>,
}

#[derive(Serialize)]
struct SwapJson<'a> {
    labels: [&'a str; 2],
    first_frame: usize,
    last_frame: usize,
    from_s: f64,
    to_s: f64,
}

#[derive(Serialize)]
struct HiddenJson<'a> {
    label: &'a str,
    ranges: Vec<[usize; 2]>,
}

impl<'a> Json<'a> {
    /// The truth in the layout of the file.
    pub fn of(
        truth: &'a Truth,
        trial: &'a Trial,
        performer: &'a Performer,
        args: &'a SimulateArgs,
    ) -> Self {
        Self {
            version: VERSION,
            performer: &performer.name,
            options: OptionsJson::of(performer, args),
            segments: segments(truth, trial),
            joints: truth.joints.iter().map(|joint| JointJson::of(joint, truth)).collect(),
            swaps: swaps(truth, trial),
            hidden: hidden(truth, trial),
        }
    }
}

impl<'a> OptionsJson<'a> {
    fn of(performer: &'a Performer, args: &'a SimulateArgs) -> Self {
        let disturbances = &args.disturbances;
        let worn = args.markers.as_deref().unwrap_or(&performer.marker_set);
        Self {
            performers: args.performers,
            marker_set: Some(worn).filter(|_| !disturbances.sensors),
            routine: args.routine.name(),
            seconds: args.seconds,
            rate_hz: args.rate,
            seed: args.seed,
            sensors: disturbances.sensors,
            noise_mm: disturbances.noise_mm,
            noise_deg: disturbances.noise_deg,
            skin_mm: disturbances.skin_mm,
            occlusion: disturbances.occlusion,
            dropout: disturbances.dropout,
            swaps: disturbances.swaps,
        }
    }
}

impl<'a> JointJson<'a> {
    fn of(joint: &'a TrueJoint, truth: &'a Truth) -> Self {
        let moved = |angle: usize| {
            let angles = truth.angles_rad.iter().map(|angles_rad| angles_rad[angle]);
            let least = angles.clone().fold(f64::INFINITY, f64::min);
            [least, angles.fold(f64::NEG_INFINITY, f64::max)]
        };
        Self {
            name: &joint.name,
            parent: &truth.segments[joint.parent].name,
            child: &truth.segments[joint.child].name,
            kind: joint.kind.name(),
            centre_in_parent_m: joint.centre_in_parent_m.into(),
            centre_in_child_m: joint.centre_in_child_m.into(),
            axes: joint.axes.iter().map(|axis| axis.into_inner().into()).collect(),
            range_rad: &joint.range_rad,
            moved_rad: joint.angles.clone().map(moved).collect(),
        }
    }
}

fn segments<'a>(truth: &'a Truth, trial: &'a Trial) -> Vec<SegmentJson<'a>> {
    let segment = |(index, segment): (usize, &'a condyle::simulate::TrueSegment)| {
        let on_it = truth.markers.iter().zip(&trial.markers).filter(|(at, _)| at.segment == index);
        let markers = on_it.map(|(at, marker)| MarkerJson {
            label: &marker.label,
            position_m: at.in_segment_m.into(),
        });
        let sensor = truth.sensors.iter().find(|sensor| sensor.segment == index);
        SegmentJson {
            name: &segment.name,
            parent: segment.parent.map(|parent| truth.segments[parent].name.as_str()),
            skin: segment.skin,
            markers: markers.collect(),
            sensor: sensor.map(|sensor| pose(&sensor.segment_from_sensor)),
        }
    };
    truth.segments.iter().enumerate().map(segment).collect()
}

fn pose(segment_from_sensor: &Isometry3<f64>) -> PoseJson {
    let q = segment_from_sensor.rotation.quaternion();
    PoseJson {
        position_m: Point3::from(segment_from_sensor.translation.vector).into(),
        quaternion_wxyz: [q.w, q.i, q.j, q.k],
    }
}

/// Frames counted from 1, both ends included, as `--frames` counts them.
fn counted(frames: &Range<usize>) -> [usize; 2] {
    [frames.start + 1, frames.end]
}

fn swaps<'a>(truth: &'a Truth, trial: &'a Trial) -> Vec<SwapJson<'a>> {
    let swap = |swap: &condyle::simulate::Swap| {
        let [first_frame, last_frame] = counted(&swap.frames);
        SwapJson {
            labels: swap.markers.map(|marker| trial.markers[marker].label.as_str()),
            first_frame,
            last_frame,
            from_s: trial.time_s(first_frame - 1),
            to_s: trial.time_s(last_frame - 1),
        }
    };
    truth.swaps.iter().map(swap).collect()
}

fn hidden<'a>(truth: &'a Truth, trial: &'a Trial) -> Vec<HiddenJson<'a>> {
    let markers = trial.markers.iter().map(|marker| marker.label.as_str());
    let labels = markers.chain(trial.bodies.iter().map(|body| body.name.as_str()));
    let of_label = labels.zip(&truth.hidden).filter(|(_, gaps)| !gaps.is_empty());
    of_label
        .map(|(label, gaps)| HiddenJson { label, ranges: gaps.iter().map(counted).collect() })
        .collect()
}
