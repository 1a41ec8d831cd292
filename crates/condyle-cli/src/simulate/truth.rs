//! The file `truth.json` of `condyle simulate`, documented in docs/simulate.md.

use std::ops::Range;

use condyle::Trial;
use condyle::simulate::{Performer, Swap, TrueJoint, TrueSegment, Truth};
use nalgebra::Isometry3;
use serde_json::{Value, json};

use super::args::SimulateArgs;

/// The version of the layout.
const VERSION: u32 = 1;

/// The truth in the layout of the file.
pub fn json(truth: &Truth, trial: &Trial, performer: &Performer, args: &SimulateArgs) -> Value {
    let segments = truth.segments.iter().enumerate();
    let joints = truth.joints.iter().map(|joint| joint_json(joint, truth));
    let swaps = truth.swaps.iter().map(|swap| swap_json(swap, trial));
    let slips = truth.slips.iter().map(|slip| {
        json!({
            "label": trial.markers[slip.marker].label,
            "frame": slip.frame + 1,
            "from_s": trial.time_s(slip.frame),
            "shift_m": slip.shift_m.as_slice(),
        })
    });
    let moved = truth.moved.iter().map(|moved| {
        json!({
            "segment": truth.segments[moved.segment].name,
            "shift_m": moved.shift_m.as_slice(),
        })
    });
    json!({
        "version": VERSION,
        "performer": performer.name,
        "options": options(performer, args),
        "segments": segments.map(|at| segment_json(at, truth, trial)).collect::<Vec<_>>(),
        "joints": joints.collect::<Vec<_>>(),
        "swaps": swaps.collect::<Vec<_>>(),
        "slips": slips.collect::<Vec<_>>(),
        "moved_clusters": moved.collect::<Vec<_>>(),
        "hidden": hidden(truth, trial),
    })
}

fn options(performer: &Performer, args: &SimulateArgs) -> Value {
    let disturbances = &args.disturbances;
    let worn = args.markers.as_deref().unwrap_or(&performer.marker_set);
    json!({
        "performers": args.performers,
        "marker_set": Some(worn).filter(|_| !disturbances.sensors),
        "routine": args.routine.name(),
        "seconds": args.seconds,
        "rate_hz": args.rate,
        "seed": args.seed,
        "sensors": disturbances.sensors,
        "noise_mm": disturbances.noise_mm,
        "noise_deg": disturbances.noise_deg,
        "skin_mm": disturbances.skin_mm,
        "occlusion": disturbances.occlusion,
        "dropout": disturbances.dropout,
        "swaps": disturbances.swaps,
        "cameras": disturbances.cameras,
        "swaps_at_once": disturbances.swaps_at_once,
        "cycles": disturbances.cycles,
        "swap_gap_s": disturbances.swap_gap_s,
        "slips": disturbances.slips,
        "slip_mm": disturbances.slip_mm,
        "moved_clusters": disturbances.moved_clusters,
        "moved_mm": disturbances.moved_mm,
    })
}

fn joint_json(joint: &TrueJoint, truth: &Truth) -> Value {
    let moved = |angle: usize| {
        let angles = truth.angles_rad.iter().map(|angles_rad| angles_rad[angle]);
        let least = angles.clone().fold(f64::INFINITY, f64::min);
        [least, angles.fold(f64::NEG_INFINITY, f64::max)]
    };
    let axes = joint.axes.iter().map(|axis| <[f64; 3]>::from(axis.into_inner()));
    json!({
        "name": joint.name,
        "parent": truth.segments[joint.parent].name,
        "child": truth.segments[joint.child].name,
        "kind": joint.kind.name(),
        "centre_in_parent_m": joint.centre_in_parent_m.coords.as_slice(),
        "centre_in_child_m": joint.centre_in_child_m.coords.as_slice(),
        "axes": axes.collect::<Vec<_>>(),
        "range_rad": joint.range_rad,
        "moved_rad": joint.angles.clone().map(moved).collect::<Vec<_>>(),
    })
}

fn segment_json((index, segment): (usize, &TrueSegment), truth: &Truth, trial: &Trial) -> Value {
    let on_it = truth.markers.iter().zip(&trial.markers).filter(|(at, _)| at.segment == index);
    let markers = on_it.map(|(at, marker)| {
        json!({ "label": marker.label, "position_m": at.in_segment_m.coords.as_slice() })
    });
    let sensor = truth.sensors.iter().find(|sensor| sensor.segment == index);
    json!({
        "name": segment.name,
        "parent": segment.parent.map(|parent| truth.segments[parent].name.as_str()),
        "skin": segment.skin,
        "markers": markers.collect::<Vec<_>>(),
        "sensor": sensor.map(|sensor| pose(&sensor.segment_from_sensor)),
    })
}

/// The quaternion has its scalar first.
fn pose(segment_from_sensor: &Isometry3<f64>) -> Value {
    let q = segment_from_sensor.rotation.quaternion();
    json!({
        "position_m": segment_from_sensor.translation.vector.as_slice(),
        "quaternion_wxyz": [q.w, q.i, q.j, q.k],
    })
}

/// Frames counted from 1, both ends included, as `--frames` counts them.
fn counted(frames: &Range<usize>) -> [usize; 2] {
    [frames.start + 1, frames.end]
}

fn swap_json(swap: &Swap, trial: &Trial) -> Value {
    let [first_frame, last_frame] = counted(&swap.frames);
    json!({
        "labels": swap.markers.iter().map(|marker| trial.markers[*marker].label.as_str()).collect::<Vec<_>>(),
        "first_frame": first_frame,
        "last_frame": last_frame,
        "from_s": trial.time_s(first_frame - 1),
        "to_s": trial.time_s(last_frame - 1),
    })
}

fn hidden(truth: &Truth, trial: &Trial) -> Vec<Value> {
    let markers = trial.markers.iter().map(|marker| marker.label.as_str());
    let labels = markers.chain(trial.bodies.iter().map(|body| body.name.as_str()));
    let of_label = labels.zip(&truth.hidden).filter(|(_, gaps)| !gaps.is_empty());
    let ranges = |gaps: &Vec<Range<usize>>| gaps.iter().map(counted).collect::<Vec<_>>();
    of_label.map(|(label, gaps)| json!({ "label": label, "ranges": ranges(gaps) })).collect()
}
