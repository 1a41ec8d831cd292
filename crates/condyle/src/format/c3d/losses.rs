//! What a C3D file cannot hold of a trial, in notes.

use super::number::single;
use super::write::Encoding;
use super::{read, rotation};
use crate::format::format_losses;
use crate::trial::{Body, Channel, Marker, Note, Origin, Trial};

/// A 32-bit float resolves 0.1 µm at 1 m; a recording that is rounded by more should know.
const ROUNDING_WORTH_A_NOTE_M: f64 = 1e-6;

/// Notes whatever the file does not hold as the trial has it.
pub(super) fn note(
    trial: &Trial,
    channels: &[&Channel],
    encoding: &Encoding,
    rotation_block: u64,
    unlisted_samples: usize,
    notes: &mut Vec<Note>,
) {
    let is_estimate = |origin| matches!(origin, Origin::Filled | Origin::Predicted);
    let estimated =
        |body: &Body| (0..body.frames()).filter(|f| is_estimate(body.origin(*f))).count();
    let estimated = unlisted_samples + trial.bodies.iter().map(estimated).sum::<usize>();
    let text = "filled or predicted samples cannot be told from measured ones";
    notes.extend(Note::counted(estimated, "origin-lost", text));
    let placeless = trial.bodies.iter().filter(|body| !body.has_positions).count();
    let text = "bodies have no positions: c3d puts them at 0, 0, 0";
    notes.extend(Note::counted(placeless, "positions-made-up", text));
    notes.extend(format_losses::unknown_rate(trial));
    if !(0..=i64::from(u32::MAX)).contains(&trial.first_frame) {
        let first = trial.first_frame;
        notes.push(Note::new("first-frame", format!("c3d cannot number the first frame {first}")));
    }
    let at_origin = |marker: &Marker| {
        let [x, y, z] = marker.coordinates_m();
        let is_zero = |i: &usize| {
            marker.origin(*i).is_present() && x[*i] == 0.0 && y[*i] == 0.0 && z[*i] == 0.0
        };
        (0..marker.frames()).filter(is_zero).count()
    };
    let places = trial.markers.iter().zip(trial.is_position()).filter(|(_, is_place)| *is_place);
    let zeros = places.map(|(marker, _)| at_origin(marker)).sum();
    let text = "samples at exactly 0, 0, 0 will be read as missing";
    notes.extend(Note::counted(zeros, "zero-coordinates", text));
    if encoding.float {
        let (too_far, rounding_m) = float_losses(trial, encoding);
        let text = "samples are farther away than 32-bit floats count: written as missing";
        notes.extend(Note::counted(too_far, "clipped", text));
        if rounding_m > ROUNDING_WORTH_A_NOTE_M {
            let text =
                format!("coordinates were rounded to 32-bit floats, by up to {rounding_m:e} m");
            notes.push(Note::new("rounded", text));
        }
    }
    if !encoding.float {
        let limit_m = encoding.step_m() * 32_767.5;
        let beyond = |marker: &Marker| {
            let axes = marker.coordinates_m();
            axes.iter().flat_map(|axis| axis.iter()).filter(|v| v.abs() > limit_m).count()
        };
        let clipped = trial.markers.iter().map(beyond).sum();
        let text = "coordinates exceed the range of the integers and were clipped";
        notes.extend(Note::counted(clipped, "clipped", text));
        let limits = read::integer_limits(encoding.analog_unsigned);
        let beyond = |c: &&Channel| c.raw.iter().any(|raw| !limits.contains(raw));
        let clipped = channels.iter().copied().filter(beyond).count();
        let text = "channels exceed the range of the integers and were clipped";
        notes.extend(Note::counted(clipped, "clipped", text));
    }
    let is_held = |raw: &f64| single(*raw).is_some();
    let wild = |c: &&&Channel| !c.raw.iter().all(is_held);
    let wild = channels.iter().filter(wild).count();
    let text = "channels hold values that are not finite: written as nothing measured";
    notes.extend(Note::counted(wild, "analog-not-finite", text));
    if !rotation::is_writable(trial, rotation_block) {
        let text = "rigid bodies lie beyond what ROTATION can point at";
        notes.extend(Note::counted(trial.bodies.len(), "not-written", text));
    }
    let text = "skeleton cannot be held: points were written";
    notes.extend(Note::counted(trial.motion.iter().count(), "not-written", text));
}

/// How many samples are too far away for 32-bit floats, and the most that a coordinate is rounded by.
fn float_losses(trial: &Trial, encoding: &Encoding) -> (usize, f64) {
    let unit_m = encoding.metres_per_unit;
    let mut too_far = 0;
    let mut rounding_m: f64 = 0.0;
    for marker in &trial.markers {
        for frame in (0..marker.frames()).filter(|frame| marker.origin(*frame).is_present()) {
            let Some(place_m) = encoding.place_m(marker, frame) else {
                too_far += 1;
                continue;
            };
            let off_m =
                |value_m: &f64| (f64::from((value_m / unit_m) as f32) * unit_m - value_m).abs();
            rounding_m = place_m.iter().map(off_m).fold(rounding_m, f64::max);
        }
    }
    (too_far, rounding_m)
}
