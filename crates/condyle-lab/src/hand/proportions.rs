//! Joints out of proportion: made, found, repaired.

use condyle::Result;
use condyle::hand::{Assignment, Model, Options, Side, Tracker};
use nalgebra::{Point3, Vector3};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

/// What came of made violations.
#[derive(Debug, Clone, Default)]
pub struct Score {
    /// How many were made.
    pub made: usize,
    /// How many poses are in proportion afterwards.
    pub in_proportion: usize,
    /// Of those made, how many have a pose in proportion that meets the tip within a millimetre.
    pub feasible: usize,
    /// How many of these are met so.
    pub met: usize,
    /// For a picture: joints and marker of a finger that was made and of what became of it, from the side in metres.
    pub pictured: Option<[Vec<[f64; 2]>; 2]>,
}

const DEGREE: f64 = std::f64::consts::PI / 180.0;
/// How far a joint may be from its coupling, how far the middle joint may bend while the base is bent back so far.
const OFF_COUPLING_RAD: f64 = 15.0 * DEGREE;
const BENT_RAD: f64 = 30.0 * DEGREE;
const BENT_BACK_RAD: f64 = -5.0 * DEGREE;
/// Grid of poses that are looked at for one that is legal: base, middle joint, end joint.
const GRID: [usize; 3] = [95, 105, 31];
const MET_M: f64 = 1e-3;

/// Poses of the index that break the rules within its limits, given to the tracker by their tips.
///
/// # Errors
/// The standard hand cannot be followed.
pub fn score(count: usize, seed: u64) -> Result<Score> {
    let model = Model::standard(Side::Right, 0.19)?;
    let finger = &model.fingers[0];
    let labels: Vec<&str> = (model.markers.iter().map(|marker| marker.name.as_str()))
        .chain([finger.tip.as_str()])
        .collect();
    let assignment = Assignment::by_model(&model, &labels)?;
    let options = Options { noise_m: 0.0, ..Options::default() };
    let mut tracker = Tracker::new(&model, assignment, 100.0, options)?;
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut score = Score::default();
    let names = model.joint_names();
    let base = names.iter().position(|name| *name == finger.joints[0].name).unwrap_or(0);
    while score.made < count {
        let angles: [f64; 3] = std::array::from_fn(|joint| {
            let [least, most] = finger.joints[joint].flexion_rad;
            least + (most - least) * random.random::<f64>()
        });
        if is_in_proportion(angles, finger.joints[2].coupling) {
            continue;
        }
        score.made += 1;
        let tip_m = tip_m(&model, angles);
        let mut seen_m: Vec<Option<Point3<f64>>> =
            model.markers.iter().map(|marker| Some(marker.at_m)).collect();
        seen_m.push(Some(tip_m));
        let pose = tracker.step(&seen_m);
        let found = [0, 1, 2].map(|joint| pose.joints[base + joint].flexion_rad.unwrap_or(0.0));
        score.in_proportion += usize::from(is_in_proportion(found, finger.joints[2].coupling));
        if score.pictured.is_none() && angles[2] > 1.0 && angles[1] < 0.3 {
            score.pictured = Some([side_m(&model, angles), side_m(&model, found)]);
        }
        let is_met = pose.fingers[0].tip_residual_m.is_some_and(|off_m| off_m <= MET_M);
        if is_met || is_feasible(&model, &tip_m) {
            score.feasible += 1;
            score.met += usize::from(is_met);
        }
    }
    Ok(score)
}

/// The rules, written down a second time.
fn is_in_proportion([base, middle, end]: [f64; 3], coupling: f64) -> bool {
    let is_bent_back = middle > BENT_RAD + 1e-6 && base < BENT_BACK_RAD - 1e-6;
    !is_bent_back && (end - coupling * middle).abs() <= OFF_COUPLING_RAD + 1e-6
}

/// Where the marker of the index is for its flexions, nothing spread.
fn tip_m(model: &Model, angles: [f64; 3]) -> Point3<f64> {
    let finger = &model.fingers[0];
    let (mut at_m, mut turned) = (Vector3::zeros(), 0.0_f64);
    for (joint, angle) in finger.joints.iter().zip(angles) {
        turned += angle;
        let along = Vector3::new(turned.cos(), 0.0, -turned.sin());
        at_m += joint.length_m * along;
    }
    let along = Vector3::new(turned.cos(), 0.0, -turned.sin());
    let out = Vector3::new(turned.sin(), 0.0, turned.cos());
    let marker = finger.tip_marker_m;
    at_m += marker.x * along + marker.y * Vector3::y() + marker.z * out;
    finger.base_in_hand_m + finger.hand_from_rest * at_m
}

/// The joints of the index and its marker from the side.
fn side_m(model: &Model, angles: [f64; 3]) -> Vec<[f64; 2]> {
    let finger = &model.fingers[0];
    let (mut at, mut turned) = ([0.0; 2], 0.0_f64);
    let mut all = vec![at];
    for (joint, angle) in finger.joints.iter().zip(angles) {
        turned += angle;
        at = [at[0] + joint.length_m * turned.cos(), at[1] - joint.length_m * turned.sin()];
        all.push(at);
    }
    let marker = finger.tip_marker_m;
    let (sin, cos) = turned.sin_cos();
    all.push([at[0] + marker.x * cos + marker.z * sin, at[1] + marker.z * cos - marker.x * sin]);
    all
}

/// Whether a grid of legal poses has one whose tip is there; near enough for its spacing.
fn is_feasible(model: &Model, goal_m: &Point3<f64>) -> bool {
    let finger = &model.fingers[0];
    let at = |joint: usize, step: usize| {
        let [least, most] = finger.joints[joint].flexion_rad;
        least + (most - least) * step as f64 / (GRID[joint] - 1) as f64
    };
    let coupling = finger.joints[2].coupling;
    (0..GRID[0]).any(|base| {
        (0..GRID[1]).any(|middle| {
            (0..GRID[2]).any(|off| {
                let off = OFF_COUPLING_RAD * (2.0 * off as f64 / (GRID[2] - 1) as f64 - 1.0);
                let [least, most] = finger.joints[2].flexion_rad;
                let end = coupling * at(1, middle) + off;
                let angles = [at(0, base), at(1, middle), end];
                (least..=most).contains(&end)
                    && is_in_proportion(angles, coupling)
                    && (tip_m(model, angles) - goal_m).norm() < MET_M
            })
        })
    })
}
