//! Keypoints instead of markers: joints as a detector sees them in films.

use nalgebra::{Point3, Vector3};
use rand::{Rng, RngExt};

use super::chance::{Purpose, normal_vector, stream};
use super::options::Options;
use super::truth::{Swap, TrueMarker, Truth};
use crate::trial::{Marker, Origin, Trial};

/// What was measured on filmed recordings: noise of a coordinate, for how long it is correlated, how much of its variance
/// is new in every frame, and how far a keypoint is from its joint.
const NOISE_M: f64 = 0.015;
const CORRELATED_S: f64 = 0.1;
const WHITE: f64 = 0.35;
const OFFSET_M: f64 = 0.015;
/// The share of samples that jump, how far, and for how many frames at most.
const JUMPING: f64 = 0.01;
const JUMP_M: f64 = 0.1;
const JUMP_FRAMES: usize = 10;
/// The share of samples that are missing.
const MISSING: f64 = 0.03;
/// How many frames legs are exchanged for.
const EXCHANGED_FRAMES: [usize; 2] = [3, 15];

/// Every keypoint: its label without the side, the joint that it shows, and whether it belongs to the leg.
const POINTS: [(&str, &str, bool); 6] = [
    ("Hip", "hip", false),
    ("Knee", "knee", true),
    ("Ankle", "ankle", true),
    ("Shoulder", "shoulder", false),
    ("Elbow", "elbow", false),
    ("Wrist", "wrist", false),
];

/// Puts keypoints in the place of all markers, with noise, jumps, exchanged legs and gaps.
///
/// Every second exchange takes the hips along.
pub(super) fn samples(options: &Options, trial: &mut Trial, truth: &mut Truth) {
    let mut rng = stream(options.seed, Purpose::Keypoints, 0);
    (trial.markers, truth.markers) = (Vec::new(), Vec::new());
    for performer in 0..truth.plan.performers.len() {
        truth.plan.performers[performer].segments.iter_mut().for_each(|s| s.markers.clear());
        let first = trial.markers.len();
        for (side, letter) in [("right", "R"), ("left", "L")] {
            for (point, joint, _) in POINTS {
                add(
                    &format!("{letter}{point}"),
                    &format!("{side} {joint}"),
                    performer,
                    (trial, truth),
                    &mut rng,
                );
            }
        }
        exchange_legs(options.swaps, first, trial, truth, &mut rng);
    }
    for marker in &mut trial.markers {
        for frame in 0..trial.frames {
            if rng.random_bool(MISSING) {
                marker.set(frame, None, Origin::Missing);
            }
        }
    }
}

/// Adds the keypoint of a joint, if the performer has it.
fn add(
    label: &str,
    joint: &str,
    performer: usize,
    (trial, truth): (&mut Trial, &mut Truth),
    rng: &mut impl Rng,
) {
    let prefix = truth.plan.performers[performer].name.clone();
    let name = super::truth::with_prefix(&prefix, joint);
    let Some(index) = truth.joint(&name) else { return };
    let (segment, centre_m) = (truth.joints[index].parent, truth.joints[index].centre_in_parent_m);
    let in_segment_m = centre_m + normal_vector(rng, OFFSET_M);
    let kept = (-1.0 / (trial.rate_hz * CORRELATED_S)).exp();
    let mut slow = normal_vector(rng, 1.0);
    let mut jump: (usize, Vector3<f64>) = (0, Vector3::zeros());
    let starts = 2.0 * JUMPING / (JUMP_FRAMES + 1) as f64;
    let mut marker =
        Marker { label: super::truth::with_prefix(&prefix, label), ..Marker::default() };
    for poses in &truth.world_from_segment {
        slow = slow * kept + normal_vector(rng, (1.0 - kept * kept).sqrt());
        let noise_m = (slow * (1.0 - WHITE).sqrt() + normal_vector(rng, WHITE.sqrt())) * NOISE_M;
        if jump.0 == 0 && rng.random_bool(starts) {
            let direction = normal_vector(rng, 1.0).try_normalize(1e-9).unwrap_or(Vector3::x());
            jump = (rng.random_range(1..=JUMP_FRAMES), direction * JUMP_M);
        }
        let jump_m = if jump.0 > 0 { jump.1 } else { Vector3::zeros() };
        jump.0 = jump.0.saturating_sub(1);
        let at_m: Point3<f64> = poses[segment] * in_segment_m;
        marker.push(Some(at_m + noise_m + jump_m));
    }
    let number = trial.markers.len();
    trial.markers.push(marker);
    truth.markers.push(TrueMarker { segment, in_segment_m });
    let own: usize =
        truth.segments.iter().take(segment).filter(|s| s.performer != performer).count();
    if let Some(planned) = truth.plan.performers[performer].segments.get_mut(segment - own) {
        planned.markers.push(number);
    }
}

/// Exchanges legs for some frames, so many times.
fn exchange_legs(
    times: usize,
    first: usize,
    trial: &mut Trial,
    truth: &mut Truth,
    rng: &mut impl Rng,
) {
    let [least, most] = EXCHANGED_FRAMES;
    let part = trial.frames / times.max(1);
    if part < most + 12 || trial.markers.len() < first + 2 * POINTS.len() {
        return;
    }
    for time in 0..times {
        let frames = rng.random_range(least..most);
        let start = rng.random_range(time * part + 5..(time + 1) * part - frames - 5);
        for (index, (name, _, is_below)) in POINTS.iter().enumerate() {
            if *is_below || (*name == "Hip" && time % 2 == 1) {
                let pair = [first + index, first + POINTS.len() + index];
                for frame in start..start + frames {
                    trial.exchange(frame, pair);
                }
                truth.swaps.push(Swap { markers: pair.to_vec(), frames: start..start + frames });
            }
        }
    }
}
