//! One finger: how it may differ from that of the standard hand, and how far that leaves its markers off.

use nalgebra::{Isometry3, Point3, Vector3};

use super::super::chain::Chain;
use super::super::closed_form::Closed;
use super::super::model::{Finger, FingerMarker};
use super::super::straight::Straight;
use super::placing::unusual;
use super::{Sample, turn};

/// How far from the standard hand a finger may be, one standard deviation: place of the base, its direction, lengths as
/// shares, the marker of the tip, coupling as a share, and what joints are bent where the driving angle is 0.
const BASE_SD_M: [f64; 3] = [5e-3, 4e-3, 5e-3];
const REST_SD_RAD: [f64; 3] = [0.18, 0.12, 0.10];
const LENGTH_SD: f64 = 0.07;
const TIP_MARKER_SD_M: [f64; 3] = [4e-3, 2e-3, 3e-3];
const COUPLING_SD: f64 = 0.3;
const OFFSET_SD_RAD: f64 = 0.1;
/// A finger that no metacarpal in the palm carries, the thumb, has its base and the axes of its saddle joint farther
/// from where an average hand has them.
const FREE_BASE_SD_M: [f64; 3] = [10e-3; 3];
const FREE_REST_SD_RAD: [f64; 3] = [0.4; 3];
/// A further marker is anywhere along its bone, as a share of it, on the skin of its back, more or less beside the middle.
const MARKER_ALONG_SD: f64 = 0.4;
const MARKER_ACROSS_SD_M: [f64; 2] = [8e-3, 5e-3];
const FREE_MARKER_ACROSS_SD_M: [f64; 2] = [10e-3; 2];
const MARKER_OUT_M: f64 = 9e-3;
/// How well a marker is met: that of the tip, which the finger always can meet but for limits, and others on skin.
pub(super) const TIP_M: f64 = 1e-3;
pub(super) const MARKER_M: f64 = 2e-3;
/// What is usual counts as so many frames all together.
const USUAL_FRAMES: f64 = 3.0;
/// Base and middle joint of a finger bend alike when a hand closes (Santello, Flanders and Soechting 1998): how much
/// farther the latter is bent, and what that counts.
const APART_RAD: f64 = 0.1;
const APART_SD_RAD: f64 = 0.4;
const ALIKE_FRAMES: f64 = 8.0;
/// A hand that is calibrated opens: in one frame of so many a finger is about straight.
const OF_STRAIGHT: usize = 20;
const STRAIGHT_RAD: f64 = 0.1;
const STRAIGHT_SD_RAD: f64 = 0.15;
/// Frames that are off by chance and not by the model are fewer than they are: neighbours are alike.
const INDEPENDENT: f64 = 60.0;

/// A finger of the standard hand and the further markers on it, each on a bone.
#[derive(Debug, Clone)]
pub(super) struct Template {
    pub standard: Finger,
    pub labels: Vec<String>,
    pub bones: Vec<usize>,
}

impl Template {
    /// Where in its parameters the lengths begin.
    pub const LENGTHS: usize = 6;
    /// Where its pitch towards the palm is among them.
    pub const PITCH: usize = 4;

    /// How many parameters it has: base, direction, lengths, tip marker, coupling and offset of the joint that follows,
    /// further markers.
    pub fn parameters(&self) -> usize {
        Self::LENGTHS + self.standard.joints.len() + 3 + 2 + 3 * self.labels.len()
    }

    /// One standard deviation of the length of a bone for that of its parameter.
    pub fn length_sd_m(&self, finger: &Finger, joint: usize, sd: f64) -> f64 {
        sd * LENGTH_SD * finger.joints[joint].length_m
    }

    /// The finger of a hand of that size for parameters in standard deviations.
    pub fn with(&self, scale: f64, p: &[f64]) -> Finger {
        let mut finger = self.standard.clone().scaled(scale);
        let joints = finger.joints.len();
        let triple = |at: usize, sds: [f64; 3]| Vector3::from_fn(|i, _| p[at + i] * sds[i]);
        let (base_sd_m, rest_sd_rad) = match finger.metacarpal {
            Some(_) => (BASE_SD_M, REST_SD_RAD),
            None => (FREE_BASE_SD_M, FREE_REST_SD_RAD),
        };
        finger.base_in_hand_m += triple(0, base_sd_m);
        finger.hand_from_rest *= turn(triple(3, rest_sd_rad).as_slice());
        for (joint, by) in finger.joints.iter_mut().zip(&p[Self::LENGTHS..]) {
            joint.length_m *= (by * LENGTH_SD).exp();
        }
        let next = Self::LENGTHS + joints;
        finger.tip_marker_m += triple(next, TIP_MARKER_SD_M);
        // Of a finger the end joint follows, of a thumb the one before it.
        let driver = (1..joints).find(|j| finger.joints[*j].coupling == 1.0).unwrap_or(1);
        if let Some(follower) = (1..joints).rev().find(|joint| *joint != driver) {
            let joint = &mut finger.joints[follower];
            joint.coupling = (joint.coupling * (p[next + 3] * COUPLING_SD).exp()).min(3.0);
            joint.offset_rad += p[next + 4] * OFFSET_SD_RAD;
        }
        finger.markers = (self.labels.iter().zip(&self.bones).enumerate())
            .map(|(slot, (label, bone))| {
                let length_m = finger.joints[*bone].length_m;
                let middle_m = Vector3::new(0.5 * length_m, 0.0, MARKER_OUT_M);
                let [aside_m, out_m] = match finger.metacarpal {
                    Some(_) => MARKER_ACROSS_SD_M,
                    None => FREE_MARKER_ACROSS_SD_M,
                };
                let sds_m = [MARKER_ALONG_SD * length_m, aside_m, out_m];
                let at_m = middle_m + triple(next + 5 + 3 * slot, sds_m);
                FingerMarker { label: label.clone(), joint: *bone, at_m }
            })
            .collect();
        finger
    }
}

/// The finger made ready: straight or a little bent is told as little as the tracker tells it.
pub(super) fn ready(finger: &Finger) -> Chain {
    let mut chain = Chain::of(finger);
    chain.straight = Straight::of(&chain, TIP_M);
    chain
}

/// Where a further marker is in the hand for a tip.
pub(super) fn marker_m(chain: &Chain, closed: &Closed, marker: &FingerMarker) -> Point3<f64> {
    chain.places_m(&closed.angles)[marker.joint]
        + chain.hand_from_bone(marker.joint, &closed.angles) * marker.at_m
}

/// How far a finger leaves its markers off, in standard deviations, and how unusual it bends for that.
pub(super) fn residuals(
    finger: &Finger,
    index: usize,
    samples: &[Sample],
    hand_from_shape: &Isometry3<f64>,
    out: &mut Vec<f64>,
) {
    let chain = ready(finger);
    let usual = (USUAL_FRAMES / samples.len().max(1) as f64).min(1.0).sqrt();
    let alike = (ALIKE_FRAMES / samples.len().max(1) as f64).min(1.0).sqrt();
    let share = (INDEPENDENT / samples.len().max(1) as f64).min(1.0).sqrt();
    let mut drives_rad = Vec::with_capacity(samples.len());
    for sample in samples {
        let Some(tip_m) = sample.tips_m[index] else { continue };
        let tip_m = hand_from_shape * tip_m;
        let closed = chain.solve(&tip_m, TIP_M);
        let off = chain.marker_m(&closed.angles) - tip_m;
        out.extend(off.iter().map(|x| share * capped(x / TIP_M)));
        out.extend(unusual(finger, &closed).map(|x| usual * x));
        if finger.metacarpal.is_some() {
            let apart_rad = closed.drive_rad - closed.angles.flexion_rad[0] - APART_RAD;
            out.push(alike * apart_rad / APART_SD_RAD);
        }
        drives_rad.push(closed.drive_rad);
        for (marker, seen_m) in finger.markers.iter().zip(&sample.on_fingers_m[index]) {
            let off = match seen_m {
                Some(seen_m) => marker_m(&chain, &closed, marker) - hand_from_shape * seen_m,
                None => Vector3::zeros(),
            };
            out.extend(off.iter().map(|x| share * capped(x / MARKER_M)));
        }
    }
    drives_rad.sort_by(f64::total_cmp);
    let straightest_rad = drives_rad.get(drives_rad.len() / OF_STRAIGHT).copied();
    out.push(straightest_rad.map_or(0.0, |drive_rad| (drive_rad - STRAIGHT_RAD) / STRAIGHT_SD_RAD));
}

/// A residual that is far off counts less and less: a sample of something else.
fn capped(x: f64) -> f64 {
    const AT: f64 = 6.0;
    if x.abs() <= AT { x } else { x.signum() * (AT * (2.0 * x.abs() - AT)).sqrt() }
}
