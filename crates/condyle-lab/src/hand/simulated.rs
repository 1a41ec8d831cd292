//! Joints without markers of simulated hands, against their truth.

use condyle::hand::{
    Assignment, CalibrateOptions, Found, Method, Model, Options, Side, Tracker, calibrate,
    performer,
};
use condyle::simulate::{self, Routine, Simulation, simulate};
use condyle::{Result, Trial};
use nalgebra::Point3;

use super::{Tally, WITHIN, person};

/// The fingers, and their joints that carry no marker: what the palm gives does not count.
pub const JOINTS: [(&str, [&str; 2]); 5] = [
    ("index", ["index_pip", "index_dip"]),
    ("middle", ["middle_pip", "middle_dip"]),
    ("ring", ["ring_pip", "ring_dip"]),
    ("little", ["little_pip", "little_dip"]),
    ("thumb", ["thumb_mcp", "thumb_ip"]),
];

/// Under what conditions hands are followed.
#[derive(Debug, Clone, Copy)]
pub struct Conditions {
    /// How fingers are posed.
    pub method: Method,
    /// Frames a second.
    pub rate_hz: f64,
    /// How long each recording lasts.
    pub seconds: f64,
    /// How many times as far as the middle joint the end joint bends; `None` as the model has it.
    pub end_joint_ratio: Option<[f64; 2]>,
    /// Whether the hand is somebody's and calibrated on 20 s, instead of known.
    pub is_calibrated: bool,
}

impl Default for Conditions {
    fn default() -> Self {
        Self {
            method: Method::Closed,
            rate_hz: 100.0,
            seconds: 8.0,
            end_joint_ratio: None,
            is_calibrated: false,
        }
    }
}

/// Noise of a marker, one standard deviation an axis.
const NOISE_M: f64 = 5e-4;

/// One recording of a hand.
///
/// # Errors
/// The simulator refuses.
pub fn perform(
    model: &Model,
    routine: Routine,
    conditions: &Conditions,
    seed: u64,
) -> Result<Simulation> {
    let options = simulate::Options {
        routine,
        seconds: conditions.seconds,
        rate_hz: conditions.rate_hz,
        noise_m: NOISE_M,
        seed,
        end_joint_ratio: conditions.end_joint_ratio,
        ..simulate::Options::default()
    };
    simulate(&performer(model), &options)
}

/// The markers of every frame.
pub fn frames(trial: &Trial) -> Vec<Vec<Option<Point3<f64>>>> {
    let frame = |frame| {
        let mut seen_m = vec![None; trial.markers.len()];
        trial.positions_m(frame, &mut seen_m);
        seen_m
    };
    (0..trial.frames).map(frame).collect()
}

/// A hand, and what is known of it.
#[derive(Debug, Clone)]
pub struct Performing {
    /// The hand that performs.
    pub truth: Model,
    /// The hand that is followed.
    pub model: Model,
}

impl Performing {
    /// The standard hand, known; or somebody's, calibrated.
    ///
    /// # Errors
    /// The hand cannot be simulated or calibrated.
    pub fn of(side: Side, conditions: &Conditions, seed: u64) -> Result<Self> {
        let mut truth = match conditions.is_calibrated {
            true => person::somebody(side, seed)?,
            false => Model::standard(side, 0.19)?,
        };
        let coupled = conditions.end_joint_ratio.is_none();
        let joints = truth.fingers.iter_mut().flat_map(|finger| &mut finger.joints);
        joints.filter(|_| coupled).for_each(|joint| joint.coupling_sd = 0.0);
        let model = match conditions.is_calibrated {
            true => calibrated(&truth, seed)?,
            false => truth.clone(),
        };
        Ok(Self { truth, model })
    }
}

/// Follows a hand through a routine: finger by finger.
///
/// # Errors
/// The hand cannot be simulated or followed.
pub fn follow(
    Performing { truth, model }: &Performing,
    routine: Routine,
    conditions: &Conditions,
    seed: u64,
) -> Result<[Tally; 5]> {
    let simulation = perform(truth, routine, conditions, seed)?;
    let labels = simulation.trial.labels();
    let assignment = Assignment::by_model(model, &labels)?;
    let options = Options { method: conditions.method, noise_m: NOISE_M, ..Options::default() };
    let mut tracker = Tracker::new(model, assignment, conditions.rate_hz, options)?;
    let names: Vec<String> = model.joint_names().into_iter().map(str::to_owned).collect();
    let mut tallies: [Tally; 5] = Default::default();
    for (frame, seen_m) in frames(&simulation.trial).iter().enumerate() {
        let pose = tracker.step(seen_m);
        for ((_, joints), tally) in JOINTS.iter().zip(&mut tallies) {
            for joint in joints {
                let own = names.iter().position(|name| name == joint);
                let (Some(own), Some(truth)) = (own, simulation.truth.joint(joint)) else {
                    continue;
                };
                let pose = &pose.joints[own];
                let off = pose.position_m - simulation.truth.joint_positions_m[frame][truth];
                let inverse = pose.covariance_m2.try_inverse();
                let is_inside = inverse.is_some_and(|inverse| off.dot(&(inverse * off)) <= WITHIN);
                tally.add(off.norm() * 1e3, is_inside);
            }
        }
    }
    Ok(tallies)
}

/// Somebody's hand calibrated on 20 s in which it opens, closes, counts and spreads, from its tips alone.
fn calibrated(truth: &Model, seed: u64) -> Result<Model> {
    let mut all = Vec::new();
    let mut labels: Vec<String> = Vec::new();
    for (number, routine) in
        [Routine::Fist, Routine::Spread, Routine::Count, Routine::Grasp].into_iter().enumerate()
    {
        let conditions = Conditions { seconds: 5.0, ..Conditions::default() };
        let simulation = perform(truth, routine, &conditions, 7000 + 10 * seed + number as u64)?;
        labels = simulation.trial.labels().into_iter().map(str::to_owned).collect();
        all.extend(frames(&simulation.trial));
    }
    let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
    let columns = |name: &str| labels.iter().position(|label| *label == name);
    let palm = truth.markers.iter().filter_map(|marker| columns(&marker.name));
    let tips = JOINTS.map(|(finger, _)| columns(&format!("{finger}_tip")));
    let found = Found { palm: palm.collect(), tips, ..Found::default() };
    Ok(calibrate(&all, &labels, &found, &CalibrateOptions::default())?.model)
}
