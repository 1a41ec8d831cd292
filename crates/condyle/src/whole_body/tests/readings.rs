//! Markers across their joint, and feet of which no ankle is marked.

use nalgebra::Point3;

use super::{farthest_m, fitted, walk, walk_options};
use crate::rigid::Traces;
use crate::simulate::{self, Performer, Simulation, simulate};
use crate::whole_body::WholeBody;

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
