//! One finger fitted to where its tip, and whatever else it wears, was seen in the hand.

use nalgebra::{Point3, Vector3};

use super::super::chain::Chain;
use super::super::model::{Finger, FingerMarker, MAX_JOINTS};
use super::least_squares::{Solution, solve};
use super::placing::unusual;
use super::{CalibratedFinger, Sample, turn};

/// How far from the standard hand a finger may be, one standard deviation: place of the base, its direction, lengths as
/// shares, the marker of the tip, coupling, and what joints are bent where the driving angle is 0.
const BASE_SD_M: [f64; 3] = [5e-3, 4e-3, 5e-3];
const REST_SD_RAD: [f64; 3] = [0.18, 0.12, 0.10];
const LENGTH_SD: f64 = 0.07;
const TIP_MARKER_SD_M: [f64; 3] = [4e-3, 2e-3, 3e-3];
const COUPLING_SD: f64 = 0.25;
const OFFSET_SD_RAD: f64 = 0.1;
/// The place of a further marker is not known beforehand.
const MARKER_SD_M: f64 = 12e-3;
/// Out of the bone where it is first looked for.
const MARKER_OUT_M: f64 = 8e-3;
/// How well a marker is met: that of the tip, which the finger always can meet but for limits, and others on skin.
const TIP_M: f64 = 1e-3;
const MARKER_M: f64 = 2e-3;
/// What is usual counts as so many frames all together.
const USUAL_FRAMES: f64 = 3.0;
/// Frames that are off by chance and not by the model are fewer than they are: neighbours are alike.
const INDEPENDENT: f64 = 60.0;

/// Frames in which a bone is chosen for a marker.
const FEW: usize = 60;

/// Fits a finger; it takes the markers on it that have a label.
pub(super) fn fit(
    finger: &mut Finger,
    index: usize,
    samples: &[Sample],
    labels: &[String],
) -> CalibratedFinger {
    let standard = finger.clone();
    // Every further marker is on the bone where it is met best.
    let bones = standard.joints.len();
    let choices: Vec<Vec<usize>> = match labels.len() {
        0 => vec![Vec::new()],
        count => (0..bones).map(|bone| vec![bone; count]).collect(),
    };
    let few: Vec<Sample> =
        samples.iter().step_by(samples.len().div_ceil(FEW).max(1)).cloned().collect();
    let mut best: Option<(Solution, Vec<usize>)> = None;
    for bones in choices {
        let count = parameters_of(&standard) + 3 * labels.len();
        let solution = solve(vec![0.0; count], |p, out| {
            residuals(&with(&standard, p, labels, &bones), index, &few, out);
        });
        if best.as_ref().is_none_or(|(other, _)| solution.cost < other.cost) {
            best = Some((solution, bones));
        }
    }
    let Some((first, bones)) = best else { return CalibratedFinger::default() };
    let solution = solve(first.parameters, |p, out| {
        residuals(&with(&standard, p, labels, &bones), index, samples, out);
    });
    *finger = with(&standard, &solution.parameters, labels, &bones);
    evidence(finger, &standard, index, samples, labels, &bones, &solution)
}

fn parameters_of(finger: &Finger) -> usize {
    // Base, direction, lengths, tip marker, coupling and offset of the joint that follows.
    3 + 3 + finger.joints.len() + 3 + 2
}

/// The finger for parameters in standard deviations.
fn with(standard: &Finger, p: &[f64], labels: &[String], bones: &[usize]) -> Finger {
    let mut finger = standard.clone();
    let joints = finger.joints.len();
    let triple = |at: usize, sds: [f64; 3]| Vector3::from_fn(|i, _| p[at + i] * sds[i]);
    finger.base_in_hand_m += triple(0, BASE_SD_M);
    finger.hand_from_rest *= turn(triple(3, REST_SD_RAD).as_slice());
    for (joint, by) in finger.joints.iter_mut().zip(&p[6..6 + joints]) {
        joint.length_m *= (by * LENGTH_SD).exp();
    }
    let next = 6 + joints;
    finger.tip_marker_m += triple(next, TIP_MARKER_SD_M);
    // Of a finger the end joint follows, of a thumb the one before it.
    let driver = (1..joints).find(|j| finger.joints[*j].coupling == 1.0).unwrap_or(1);
    if let Some(follower) = (1..joints).rev().find(|joint| *joint != driver) {
        let joint = &mut finger.joints[follower];
        joint.coupling =
            (joint.coupling * (p[next + 3] * COUPLING_SD / joint.coupling.max(0.1)).exp()).min(3.0);
        joint.offset_rad += p[next + 4] * OFFSET_SD_RAD;
    }
    finger.markers = (labels.iter().zip(bones).enumerate())
        .map(|(slot, (label, bone))| {
            let middle = Vector3::new(0.5 * finger.joints[*bone].length_m, 0.0, MARKER_OUT_M);
            let at = next + 5 + 3 * slot;
            FingerMarker {
                label: label.clone(),
                joint: *bone,
                at_m: middle + triple(at, [MARKER_SD_M; 3]),
            }
        })
        .collect();
    finger
}

/// Where a further marker is in the hand for a tip.
fn marker_m(
    chain: &Chain,
    closed: &super::super::closed_form::Closed,
    marker: &FingerMarker,
) -> Point3<f64> {
    chain.places_m(&closed.angles)[marker.joint]
        + chain.hand_from_bone(marker.joint, &closed.angles) * marker.at_m
}

fn residuals(finger: &Finger, index: usize, samples: &[Sample], out: &mut Vec<f64>) {
    let chain = Chain::of(finger);
    let usual = (USUAL_FRAMES / samples.len().max(1) as f64).min(1.0).sqrt();
    let share = (INDEPENDENT / samples.len().max(1) as f64).min(1.0).sqrt();
    for sample in samples {
        let Some(tip_m) = sample.tips_m[index] else { continue };
        let closed = chain.solve(&tip_m, TIP_M);
        let off = chain.marker_m(&closed.angles) - tip_m;
        out.extend(off.iter().map(|x| share * capped(x / TIP_M)));
        out.extend(unusual(&closed).map(|x| usual * x));
        for (marker, seen_m) in finger.markers.iter().zip(&sample.on_fingers_m[index]) {
            let off = match seen_m {
                Some(seen_m) => marker_m(&chain, &closed, marker) - seen_m,
                None => Vector3::zeros(),
            };
            out.extend(off.iter().map(|x| share * capped(x / MARKER_M)));
        }
    }
}

/// A residual that is far off counts less and less: a sample of something else.
fn capped(x: f64) -> f64 {
    const AT: f64 = 6.0;
    if x.abs() <= AT { x } else { x.signum() * (AT * (2.0 * x.abs() - AT)).sqrt() }
}

/// How the fit came out, and how sure its joints are.
fn evidence(
    finger: &mut Finger,
    standard: &Finger,
    index: usize,
    samples: &[Sample],
    labels: &[String],
    bones: &[usize],
    solution: &Solution,
) -> CalibratedFinger {
    let chain = Chain::of(finger);
    let (mut tip, mut tips, mut others, mut count) = (0.0, 0.0_f64, 0.0, 0.0_f64);
    for sample in samples {
        let Some(tip_m) = sample.tips_m[index] else { continue };
        let closed = chain.solve(&tip_m, TIP_M);
        tip += (chain.marker_m(&closed.angles) - tip_m).norm_squared();
        tips += 1.0;
        for (marker, seen_m) in finger.markers.iter().zip(&sample.on_fingers_m[index]) {
            if let Some(seen_m) = seen_m {
                others += (marker_m(&chain, &closed, marker) - seen_m).norm_squared();
                count += 1.0;
            }
        }
    }
    let markers_rms_m = if count > 0.0 { (others / count).sqrt() } else { 0.0 };
    // Where the model does not meet the markers, all of it is as much less sure.
    let excess = (markers_rms_m / (MARKER_M * 3f64.sqrt())).max(1.0);
    let sds: Vec<f64> = (0..solution.parameters.len())
        .map(|i| (solution.covariance[(i, i)].sqrt() * excess).min(1.0))
        .collect();
    let joints = finger.joints.len();
    let mut length_sds_m = [0.0; MAX_JOINTS];
    for joint in 0..joints {
        length_sds_m[joint] = sds[6 + joint] * LENGTH_SD * finger.joints[joint].length_m;
    }
    // How far joints move with the parameters, over some of the frames.
    let mut variances = [0.0; MAX_JOINTS + 1];
    let some: Vec<Point3<f64>> = samples
        .iter()
        .step_by(samples.len().div_ceil(20).max(1))
        .filter_map(|s| s.tips_m[index])
        .collect();
    let root = solution.covariance.clone().cholesky();
    if let Some(root) = root {
        let lower = root.l();
        for column in 0..lower.ncols() {
            let moved: Vec<f64> = (0..lower.nrows())
                .map(|row| solution.parameters[row] + 0.3 * lower[(row, column)])
                .collect();
            let other = Chain::of(&with(standard, &moved, labels, bones));
            for tip_m in &some {
                let here = chain.places_m(&chain.solve(tip_m, TIP_M).angles);
                let there = other.places_m(&other.solve(tip_m, TIP_M).angles);
                for joint in 0..=joints {
                    let by = (there[joint] - here[joint]).norm_squared() / 0.09 / 3.0;
                    variances[joint] += excess * excess * by / some.len().max(1) as f64;
                }
            }
        }
    }
    finger.joint_sds_m = variances.map(f64::sqrt);
    let base_sd_m = (0..3).map(|i| (sds[i] * BASE_SD_M[i]).powi(2)).sum::<f64>().sqrt();
    CalibratedFinger {
        tip_rms_m: if tips > 0.0 { (tip / tips).sqrt() } else { 0.0 },
        markers_rms_m,
        length_sds_m,
        base_sd_m,
    }
}
