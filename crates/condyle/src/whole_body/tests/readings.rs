//! Markers across their joint, and feet of which no ankle is marked.

use nalgebra::{Matrix3, Point3, Vector3};

use super::{begun, farthest_m, fitted, walk, walk_options};
use crate::rigid::Traces;
use crate::simulate::{self, Performer, Simulation, simulate};
use crate::whole_body::choose::Reading;
use crate::whole_body::fit::Attempt;
use crate::whole_body::problem::SegmentPose;
use crate::whole_body::result::Fitted;
use crate::whole_body::{Input, Knowledge, Options, WholeBody};

fn is_across(body: &WholeBody, label: &str) -> bool {
    let mut notes = body.notes.iter().filter(|note| note.code == "marker-across");
    notes.any(|note| note.text.starts_with(label))
}

#[test]
fn a_marker_across_its_joint_is_read_as_what_it_sits_on() {
    for (label, joint) in [("LKNE", "left knee"), ("RELB", "right elbow")] {
        let Simulation { mut trial, truth, .. } = walk(11);
        let performer = &truth.plan.performers[0];
        let body = fitted(&trial, &trial.labels(), performer);
        assert!(!is_across(&body, ""), "{:?}", body.notes);
        let marker = trial.markers.iter().position(|m| m.label == label).unwrap();
        let number = truth.joint(joint).unwrap();
        for frame in 0..trial.frames {
            let centre_m = truth.joint_positions_m[frame][number];
            let mirrored = |at_m: Point3<f64>| centre_m + (centre_m - at_m);
            let there_m = trial.markers[marker].position_m(frame).map(mirrored);
            let origin = trial.markers[marker].origin(frame);
            trial.markers[marker].set(frame, there_m, origin);
        }
        let body = fitted(&trial, &trial.labels(), performer);
        assert!(is_across(&body, label), "{label}: {:?}", body.notes);
        let far_m = farthest_m(&body, &truth);
        assert!(far_m < 0.045, "{label}: {far_m} m");
    }
}

/// Frames without the markers on the ankles.
struct WithoutAnkles<'a>(&'a dyn Traces, Vec<bool>);

impl Traces for WithoutAnkles<'_> {
    fn frames(&self) -> usize {
        self.0.frames()
    }

    fn position_m(&self, frame: usize, marker: usize) -> Option<Point3<f64>> {
        if self.1[marker] { None } else { self.0.position_m(frame, marker) }
    }
}

#[test]
fn feet_are_the_right_way_up_without_a_marker_on_a_short_shank() {
    let mut performer = Performer::human();
    // Shanks of the stature that the arms tell would reach below the soles.
    for foot in performer.segments.iter_mut().filter(|segment| segment.name.ends_with("foot")) {
        foot.joint_in_parent_m.coords *= 0.75;
    }
    let options = simulate::Options { seed: 5, ..walk_options() };
    let Simulation { trial, truth, .. } = simulate(&performer, &options).unwrap();
    let labels = trial.labels();
    let hidden = labels.iter().map(|label| label.ends_with("ANK")).collect();
    let body = fitted(&WithoutAnkles(&trial, hidden), &labels, &truth.plan.performers[0]);
    let far_m = farthest_m(&body, &truth);
    assert!(far_m < 0.045, "{far_m} m");
}

#[test]
fn error_bars_reach_to_another_explanation_by_its_odds() {
    let simulation = walk(3);
    let trial = &simulation.trial;
    let performer = &simulation.truth.plan.performers[0];
    let input = Input { performer, labels: &trial.labels(), frames: trial };
    let (knowledge, options) = (Knowledge::human().unwrap(), Options::default());
    let frames = [0, 40, 80];
    let attempt = Attempt {
        input: &input,
        knowledge: &knowledge,
        options: &options,
        frames: &frames,
        measured: &[],
    };
    let mut fitted = attempt.fit(&Reading::default()).unwrap();
    let model = &fitted.posterior.problem.model;
    let ankle = model.joints.iter().position(|joint| joint.name == "left ankle").unwrap();
    let mut posterior = fitted.posterior.clone();
    posterior.minimum.state.parameters[model.joint_at(ankle) + 2] += 0.06;
    let other = Fitted { frames: fitted.frames.clone(), posterior };
    let variance_m2 = |fitted: &Fitted| {
        let posterior = &fitted.posterior;
        posterior.joint_covariance_m2(posterior.frame(1), ankle).trace()
    };
    let before_m2 = variance_m2(&fitted);
    // Half of the joint is of its parent: it is 30 mm away, and three times less likely.
    fitted.doubt(&other, 1.0 / 3.0);
    let wider_m2 = variance_m2(&fitted) - before_m2;
    assert!((wider_m2 - 0.25 * 0.03 * 0.03).abs() < 1e-9, "{wider_m2}");
    fitted.doubt(&other, 1e-3);
    assert!((variance_m2(&fitted) - before_m2 - wider_m2).abs() < 1e-12);
}

#[test]
fn a_foot_with_its_sole_up_is_against_what_is_known_of_ankles() {
    let (problem, state) = begun(&walk(3), 2);
    let foot = problem.model.segments.iter().position(|s| s.name == "left foot").unwrap();
    let cost = |poses: &[SegmentPose]| -> f64 {
        let own = problem.model.angles.iter().filter(|angle| angle.child == foot);
        own.filter_map(|angle| problem.angle(angle, poses)).map(|(r, _, w)| w * r * r).sum()
    };
    let mut turned = state.poses[0].clone();
    // Half round about the line from heel to toe: two markers on it are where they were.
    turned[foot].rotation *= Matrix3::from_diagonal(&Vector3::new(1.0, -1.0, -1.0));
    let [upright, turned] = [cost(&state.poses[0]), cost(&turned)];
    assert!(turned > upright + 25.0, "{upright} and {turned}");
}
