//! What a recording holds, as it was read.

use condyle::force_plates::{self, ForcePlate};
use condyle::job;
use condyle::marker_set;
use condyle::nalgebra::{Isometry3, Point3};
use condyle::orientation;
use condyle::trial::{Axis, Marker};
use condyle::{Result, Trial};
use serde_json::{Value, json};

use crate::numbers::{Numbers, of_bytes, place, pose};
use crate::request::RecordingRow;
use crate::session::wrong;

/// Everything about a recording but its numbers.
pub fn facts(name: &str, trial: &Trial) -> Value {
    let kinds = marker_set::kinds(trial);
    let share = |missing: usize| missing as f64 / trial.frames.max(1) as f64;
    let markers = trial.markers.iter().zip(&kinds).map(|(marker, kind)| {
        json!({
            "label": marker.label,
            "kind": kind.name(),
            "missing": share(marker.missing_samples()),
            "gaps": gaps(marker),
        })
    });
    let bodies = trial.bodies.iter().map(|body| {
        json!({ "name": body.name, "missing": share(body.missing_samples()), "hasPositions": body.has_positions })
    });
    let channels = trial.channels.iter().map(|channel| {
        json!({
            "label": channel.label,
            "unit": channel.unit,
            "rateHz": channel.rate_hz,
            "samples": channel.raw.len(),
        })
    });
    let events = trial.events.iter().map(|event| {
        json!({
            "label": event.label,
            "context": event.context,
            "subject": event.subject,
            "timeS": event.time_s,
        })
    });
    let (plates, plate_notes) = force_plates::read(trial, up(trial).direction());
    let plates = plates.iter().map(|plate| {
        let corners_m = plate.corners_m.map(|corner| [corner.x, corner.y, corner.z]);
        json!({ "number": plate.number, "corners_m": corners_m, "threshold_N": plate.threshold_n })
    });
    let inferred = orientation::infer(trial);
    let direction = |found: Option<orientation::Inferred>| {
        found.map(|found| json!({ "axis": found.axis, "confidence": found.confidence }))
    };
    let skeleton = trial.motion.as_ref().map(|motion| {
        let joints = motion.skeleton().joints().iter();
        let joints = joints.map(|joint| json!({ "name": joint.name, "parent": joint.parent }));
        json!({ "joints": joints.collect::<Vec<_>>() })
    });
    let notes: Vec<_> = trial.notes.iter().chain(&plate_notes).chain(&inferred.notes).collect();
    json!({
        "name": name,
        "format": trial.source.format.name(),
        "variant": trial.source.variant,
        "frames": trial.frames,
        "firstFrame": trial.first_frame,
        "rateHz": trial.rate_hz,
        "startS": trial.start_s,
        "units": trial.source.unit.symbol(),
        "up": trial.source.up,
        "upLikely": direction(inferred.up),
        "forward": direction(inferred.forward),
        "markers": markers.collect::<Vec<_>>(),
        "bodies": bodies.collect::<Vec<_>>(),
        "skeleton": skeleton,
        "channels": channels.collect::<Vec<_>>(),
        "events": events.collect::<Vec<_>>(),
        "plates": plates.collect::<Vec<_>>(),
        "subjects": trial.subjects,
        "notes": notes,
    })
}

/// The first frame of every gap, and the first after it.
fn gaps(marker: &Marker) -> Vec<[usize; 2]> {
    marker.gaps().into_iter().map(|gap| [gap.start, gap.end]).collect()
}

/// Which way is up; z where nobody knows, as most laboratories have it.
fn up(trial: &Trial) -> Axis {
    trial.source.up.unwrap_or(Axis::Z)
}

/// A row of its numbers.
pub fn row(trial: &Trial, row: RecordingRow, index: usize, numbers: &mut Numbers) -> Result<Value> {
    let frames = 0..trial.frames;
    Ok(match row {
        RecordingRow::Marker => places(one(&trial.markers, index, "marker")?, numbers),
        RecordingRow::Origin => of_bytes(one(&trial.markers, index, "marker")?.origin_bytes()),
        RecordingRow::Body => {
            let body = one(&trial.bodies, index, "body")?;
            numbers.collect(frames.flat_map(|frame| pose(body.world_from_body(frame).copied())))
        }
        RecordingRow::Joint => {
            let Some(motion) = &trial.motion else {
                return Err(wrong("need a skeleton in the file, got none".into()));
            };
            let mut joints = vec![Isometry3::identity(); motion.skeleton().joints().len()];
            let mut all = Vec::with_capacity(3 * joints.len() * trial.frames);
            for frame in frames {
                motion.world_from_joints(frame, &mut joints)?;
                all.extend(
                    joints.iter().flat_map(|pose| <[f64; 3]>::from(pose.translation.vector)),
                );
            }
            numbers.hold(all)
        }
        RecordingRow::Channel => numbers.collect(one(&trial.channels, index, "channel")?.values()),
        RecordingRow::Force | RecordingRow::CentreOfPressure => {
            let (plates, _) = force_plates::read(trial, up(trial).direction());
            let plate = one(&plates, index, "force plate")?;
            let of = |frame: usize| {
                let sample = sample(plate, trial, frame);
                let force = || plate.forces_n.get(sample).map(|force_n| Point3::from(*force_n));
                match row {
                    RecordingRow::Force => place(force()),
                    _ => place(plate.centre_of_pressure_m(sample)),
                }
            };
            numbers.collect(frames.flat_map(of))
        }
    })
}

/// The sample of a plate that a frame begins with.
fn sample(plate: &ForcePlate, trial: &Trial, frame: usize) -> usize {
    let per_frame = if trial.rate_hz > 0.0 { plate.rate_hz / trial.rate_hz } else { 1.0 };
    (frame as f64 * per_frame).round() as usize
}

/// x, y and z of a marker in every frame.
pub fn places(marker: &Marker, numbers: &mut Numbers) -> Value {
    let [x, y, z] = marker.coordinates_m();
    numbers.collect(x.iter().zip(y).zip(z).flat_map(|((x, y), z)| [*x, *y, *z]))
}

/// One of several.
pub fn one<'a, T>(all: &'a [T], index: usize, what: &str) -> Result<&'a T> {
    all.get(index)
        .ok_or_else(|| wrong(format!("{what}: need one below {}, got {index}", all.len())))
}

/// Which markers are on which segment, and as a file that says so.
pub fn plan(trial: &Trial, options: &job::Options) -> Result<Value> {
    let found = job::plan(trial, options)?;
    let performers = found.plan.performers.iter().map(|performer| {
        let segments = performer.segments.iter().map(|segment| {
            json!({
                "name": segment.name,
                "parent": segment.parent,
                "joint": segment.joint_name,
                "markers": segment.markers,
            })
        });
        json!({ "name": performer.name, "segments": segments.collect::<Vec<_>>() })
    });
    let excluded = found.plan.excluded.iter();
    let excluded = excluded.map(|own| json!({ "marker": own.marker, "why": own.reason.name() }));
    let toml = match trial.markers.is_empty() {
        true => String::new(),
        false => marker_set::to_toml(&found.plan, trial),
    };
    Ok(json!({
        "by": found.by.name(),
        "toml": toml,
        "performers": performers.collect::<Vec<_>>(),
        "excluded": excluded.collect::<Vec<_>>(),
        "notes": found.notes,
    }))
}
