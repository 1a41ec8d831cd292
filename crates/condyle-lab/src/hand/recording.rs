//! A recording with markers on the middle of the fingers that the tracker does not see.

use condyle::hand::{
    Assignment, CalibrateOptions, Calibrated, FINGERS, Found, HandPose, Method, Model, Options,
    Side, Tracker, calibrate,
};
use condyle::{Error, Result, Trial};
use nalgebra::{Point3, Vector3};

use super::Tally;
use super::baseline::{Regression, in_triangle};
use super::simulated::frames;

/// How a finger came out.
#[derive(Debug, Clone)]
pub struct FingerScore {
    /// Its name.
    pub name: &'static str,
    /// How far its further marker is from where it was predicted.
    pub ours: Tally,
    /// The same by regressions of the first and the second degree.
    pub regressions: [Tally; 2],
}

/// The whole of it.
#[derive(Debug, Clone)]
pub struct Score {
    /// Finger by finger.
    pub fingers: Vec<FingerScore>,
    /// The model that was calibrated.
    pub calibrated: Calibrated,
    /// In how many of all frames the hand is placed.
    pub posed: usize,
    /// How many frames there are.
    pub frames: usize,
    /// The largest step of a joint between frames, as a multiple of that of its tip.
    pub largest_step: f64,
}

/// A step of a tip that is shorter than this is noise.
const NOISE_STEP_M: f64 = 1e-3;

/// Calibrates on the first half, with the further markers or without, and predicts them in the second from the tips.
///
/// # Errors
/// The recording shows no hand.
pub fn score(trial: &Trial, method: Method, is_tips_alone: bool) -> Result<Score> {
    let labels = trial.labels();
    let found = Found::by_names(&labels, None)?;
    let all = frames(trial);
    let half = all.len() / 2;
    let options = CalibrateOptions { tips_alone: is_tips_alone, ..CalibrateOptions::default() };
    let calibrated = calibrate(&all[..half], &labels, &found, &options)?;
    let model = &calibrated.model;
    let assignment = Assignment::by_model(model, &labels)?;
    let mut tracker =
        Tracker::new(model, assignment, trial.rate_hz, Options { method, ..Options::default() })?;
    let names: Vec<String> = model.joint_names().into_iter().map(str::to_owned).collect();
    let mut fingers: Vec<FingerScore> = FINGERS
        .iter()
        .map(|name| FingerScore {
            name,
            ours: Tally::default(),
            regressions: [Tally::default(), Tally::default()],
        })
        .collect();
    let regressions = regressions(&all[..half], &found);
    let marked = on_bones(model, &found, &tracker, &all[..half]);
    let (mut posed, mut largest_step) = (0, 0.0_f64);
    let mut before: Option<Vec<Point3<f64>>> = None;
    for (frame, seen_m) in all.iter().enumerate() {
        let pose = tracker.step(seen_m);
        posed += usize::from(pose.is_placed());
        let now: Vec<Point3<f64>> = pose.joints.iter().map(|joint| joint.position_m).collect();
        if let (Some(before), true) = (&before, pose.is_placed()) {
            largest_step = largest_step.max(steps(model, &names, before, &now));
        }
        before = pose.is_placed().then_some(now);
        if frame < half || !pose.is_placed() {
            continue;
        }
        let corners = found.palm.iter().take(3).filter_map(|column| seen_m[*column]);
        let corners: Vec<Point3<f64>> = corners.collect();
        for (index, score) in fingers.iter_mut().enumerate() {
            let Some(column) = found.on_fingers[index].first() else { continue };
            let tip = found.tips[index].and_then(|tip| seen_m[tip]);
            let (Some(true_m), Some(tip_m)) = (seen_m[*column], tip) else { continue };
            let Some((joint, at_m)) = marked[index] else { continue };
            let bone = &pose.joints[joint];
            let place_m = bone.position_m + bone.world_from_bone * at_m;
            score.ours.add((place_m - true_m).norm() * 1e3, false);
            let [a, b, c] = corners[..] else { continue };
            let corners = [a, b, c];
            for (tally, regression) in score.regressions.iter_mut().zip(&regressions[index]) {
                let there = in_triangle(&corners, &true_m);
                let (Some(here), Some(there)) = (in_triangle(&corners, &tip_m), there) else {
                    continue;
                };
                if let Some(regression) = regression {
                    tally.add((regression.at(&here) - there).norm() * 1e3, false);
                }
            }
        }
    }
    if posed == 0 {
        return Err(Error::undetermined("hand: placed in no frame"));
    }
    Ok(Score { fingers, calibrated, posed, frames: all.len(), largest_step })
}

/// For every finger the joint on whose bone its further marker is, and where: where it was calibrated, or else where it
/// is in the mean on the bone against which it moves least.
fn on_bones(
    model: &Model,
    found: &Found,
    tracker: &Tracker,
    all: &[Vec<Option<Point3<f64>>>],
) -> Vec<Option<(usize, Vector3<f64>)>> {
    let names = model.joint_names();
    let mut tracker = tracker.clone();
    let poses: Vec<HandPose> = all.iter().map(|seen_m| tracker.step(seen_m).clone()).collect();
    let of = |index: usize| {
        let finger = &model.fingers[index];
        let joint_of = |name: &String| names.iter().position(|own| own == name);
        if let Some(marker) = finger.markers.first() {
            let at_m = match model.side {
                Side::Right => marker.at_m,
                // Bones of a left hand have right-handed axes too.
                Side::Left => Vector3::new(marker.at_m.x, -marker.at_m.y, marker.at_m.z),
            };
            return Some((joint_of(&finger.joints[marker.joint].name)?, at_m));
        }
        let column = *found.on_fingers[index].first()?;
        let bones = finger.joints.iter().filter_map(|joint| {
            let joint = joint_of(&joint.name)?;
            let places = poses.iter().zip(all).filter(|(pose, _)| pose.is_placed());
            let places: Vec<Vector3<f64>> = places
                .filter_map(|(pose, seen_m)| {
                    let bone = &pose.joints[joint];
                    Some(bone.world_from_bone.inverse() * (seen_m[column]? - bone.position_m))
                })
                .collect();
            let mean = places.iter().sum::<Vector3<f64>>() / places.len().max(1) as f64;
            let spread = places.iter().map(|place| (place - mean).norm_squared()).sum::<f64>();
            Some((spread, joint, mean))
        });
        let best = bones.min_by(|a, b| a.0.total_cmp(&b.0))?;
        Some((best.1, best.2))
    };
    (0..model.fingers.len()).map(of).collect()
}

/// The largest step of a joint over that of its finger's tip.
fn steps(model: &Model, names: &[String], before: &[Point3<f64>], now: &[Point3<f64>]) -> f64 {
    let step_m = |name: &str| {
        let at = names.iter().position(|own| own == name);
        at.map_or(0.0, |at| (now[at] - before[at]).norm())
    };
    let largest = model.fingers.iter().flat_map(|finger| {
        let tip_m = step_m(&finger.tip).max(NOISE_STEP_M);
        finger.joints.iter().map(move |joint| step_m(&joint.name) / tip_m)
    });
    largest.fold(0.0, f64::max)
}

/// For every finger its regressions, learnt on these frames.
fn regressions(all: &[Vec<Option<Point3<f64>>>], found: &Found) -> Vec<[Option<Regression>; 2]> {
    let of = |index: usize| {
        let pairs: Vec<_> = all
            .iter()
            .filter_map(|seen_m| {
                let at = |column: &usize| seen_m[*column];
                let [a, b, c] = [0, 1, 2].map(|corner| found.palm.get(corner).and_then(at));
                let corners = [a?, b?, c?];
                let there = at(found.on_fingers[index].first()?)?;
                let here = at(found.tips[index].as_ref()?)?;
                Some((in_triangle(&corners, &here)?, in_triangle(&corners, &there)?))
            })
            .collect();
        [1, 2].map(|degree| Regression::fit(degree, &pairs))
    };
    (0..FINGERS.len()).map(of).collect()
}
