//! Error bars of joints from motion alone: they hold where markers vanish and where segments have two of them.

use condyle::job::{self, KnowledgeChoice, SoftTissue};
use condyle::marker_set;
use condyle::plan::Plan;
use condyle::simulate::{JointKind, Options, Performer, Routine, Simulation, simulate};
use condyle::solve::Solver;

/// The 99.9 % quantile of chi-square with three degrees of freedom.
const CHI2_999: f64 = 16.27;

/// A joint of one recording: its distance to the truth in the middle frame, and that in units of its covariance.
#[derive(Debug)]
struct Off {
    joint: String,
    kind: JointKind,
    error_m: f64,
    chi2: f64,
}

/// Fits a simulated rig from its motion alone, and compares its joints with the truth.
fn joints_off(simulation: &Simulation) -> Vec<Off> {
    let Simulation { trial, truth, .. } = simulation;
    let mut options = job::Options::default();
    options.knowledge = KnowledgeChoice::None;
    options.soft_tissue = SoftTissue::None;
    let plan = Plan { performers: truth.plan.performers.clone(), ..Plan::default() };
    options.plan = Some(marker_set::to_toml(&plan, trial).as_str().into());
    let performance = job::run(trial.clone(), &options).unwrap();
    let subject = &performance.performers[0].subject;
    let solver = Solver::new(subject, &performance.trial.labels()).unwrap();
    let (mut pose, mut positions_m) = (solver.pose(), vec![None; trial.markers.len()]);
    let frame = trial.frames / 2;
    performance.trial.positions_m(frame, &mut positions_m);
    solver.solve(&positions_m, &mut pose);
    let mut all = Vec::new();
    for (index, joint) in truth.joints.iter().enumerate() {
        let Some(own) = subject.joints().iter().position(|own| own.name == joint.name) else {
            continue;
        };
        let error = pose.joints_m[own].unwrap() - truth.joint_positions_m[frame][index];
        let covariance_m2 = pose.joint_covariance_m2(own).unwrap();
        let chi2 = error.dot(&(covariance_m2.try_inverse().unwrap() * error));
        let (joint, kind) = (joint.name.clone(), joint.kind);
        all.push(Off { joint, kind, error_m: error.norm(), chi2 });
    }
    all
}

fn recorded(performer: &Performer, set: Option<&str>, occlusion: f64, seed: u64) -> Simulation {
    let options = Options {
        routine: Routine::Rom,
        seconds: 20.0,
        rate_hz: 100.0,
        seed,
        marker_set: set.map(str::to_owned),
        noise_m: 1e-3,
        occlusion,
        ..Options::default()
    };
    simulate(performer, &options).unwrap()
}

#[test]
fn gaps_leave_the_joints_of_a_dog_where_they_are_and_their_error_bars_true() {
    let off: Vec<Off> = (1..=3)
        .flat_map(|seed| joints_off(&recorded(&Performer::dog(), None, 0.1, seed)))
        .collect();
    let outside: Vec<&Off> = off.iter().filter(|off| off.chi2 > CHI2_999).collect();
    assert!(outside.len() * 20 <= off.len(), "{} of {}: {outside:#?}", outside.len(), off.len());
    for off in off.iter().filter(|off| off.kind != JointKind::Hinge) {
        assert!(off.error_m < 6e-3, "{off:#?}");
    }
}

#[test]
fn two_markers_a_segment_do_not_count_as_an_exact_pose() {
    let off: Vec<Off> = (1..=3)
        .flat_map(|seed| joints_off(&recorded(&Performer::human(), Some("cmu41"), 0.0, seed)))
        .filter(|off| ["hip", "knee", "ankle"].iter().any(|leg| off.joint.ends_with(leg)))
        .collect();
    assert_eq!(off.len(), 18);
    let outside: Vec<&Off> = off.iter().filter(|off| off.chi2 > CHI2_999).collect();
    assert!(outside.len() <= 1, "{outside:#?}");
    let mean_m = off.iter().map(|off| off.error_m).sum::<f64>() / off.len() as f64;
    assert!(mean_m < 10e-3, "{mean_m} {off:#?}");
}

/// A dog with two markers on every segment, and three on its trunk.
fn dog_with_two_markers() -> Performer {
    let mut dog = Performer::dog();
    for segment in &mut dog.segments {
        let is_trunk = ["pelvis", "chest"].contains(&segment.name.as_str());
        segment.sites.truncate(if is_trunk { 3 } else { 2 });
    }
    dog
}

#[test]
fn noise_of_two_markers_does_not_tell_where_along_its_axis_a_hinge_is() {
    let off: Vec<Off> = (1..=3)
        .flat_map(|seed| joints_off(&recorded(&dog_with_two_markers(), None, 0.0, seed)))
        .collect();
    let hinges: Vec<&Off> = off.iter().filter(|off| off.kind == JointKind::Hinge).collect();
    assert_eq!(hinges.len(), 12);
    // Noise taken for turns about a second axis: 42 mm off, a standard error of 3 mm, one in four inside.
    let outside: Vec<&&Off> = hinges.iter().filter(|off| off.chi2 > CHI2_999).collect();
    assert!(outside.len() <= 1, "{outside:#?}");
    // Half a metre would hold them too.
    let least = hinges.iter().map(|off| off.chi2).fold(0.0, f64::max);
    assert!(least > 0.3, "{hinges:#?}");
}
