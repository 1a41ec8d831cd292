use super::*;
use crate::grouping;
use crate::plan::{Plan, PlannedSegment};
use crate::simulate::{Options, Performer as Simulated, Routine, simulate};
use crate::topology;

/// What the segments that the motion finds are named, and the truth; no name of a marker is looked at.
fn found(performer: &Simulated, routine: Routine, seed: u64) -> (Vec<(Naming, Performer)>, Plan) {
    let options = Options { seconds: 10.0, noise_m: 1e-3, routine, seed, ..Options::default() };
    let simulation = simulate(performer, &options).unwrap();
    let plan = grouping::from_motion(&simulation.trial, &Default::default()).unwrap().plan;
    let mut named = Vec::new();
    for mut performer in plan.performers {
        topology::infer(&simulation.trial, &mut performer, &Default::default()).unwrap();
        if let Some(naming) = name(&simulation.trial, &performer) {
            naming.give(&mut performer);
            named.push((naming, performer));
        }
    }
    (named, simulation.truth.plan)
}

/// How many segments of the truth have their name, and how many another one.
fn compared(performer: &Performer, truth: &Plan) -> (usize, usize) {
    let called = |segment: &PlannedSegment| {
        let first = segment.markers.first()?;
        let own = performer.segments.iter().find(|own| own.markers.contains(first))?;
        (!own.name.starts_with("segment")).then(|| own.name == segment.name)
    };
    let segments = truth.performers.iter().flat_map(|performer| &performer.segments);
    let told: Vec<bool> = segments.filter_map(called).collect();
    let right = told.iter().filter(|is_right| **is_right).count();
    (right, told.len() - right)
}

#[test]
fn segments_of_a_person_without_names_are_named_with_their_sides() {
    let (named, truth) = found(&Simulated::human(), Routine::ChickenWalk, 3);
    let [(naming, performer)] = &named[..] else { panic!("{} bodies", named.len()) };
    let (right, wrong) = compared(performer, &truth);
    assert!(right >= 14 && wrong == 0, "{right} right, {wrong} wrong: {naming:?}");
    assert_eq!(naming.creature, Creature::Person);
    assert!(naming.has_sides() && naming.confidence > 0.9);
    let is_knee = |segment: &PlannedSegment| segment.joint_name.as_deref() == Some("left knee");
    assert!(performer.segments.iter().any(is_knee));
}

#[test]
fn a_quadruped_is_named_as_one() {
    let (named, truth) = found(&Simulated::dog(), Routine::ChickenWalk, 4);
    let [(naming, performer)] = &named[..] else { panic!("{} bodies", named.len()) };
    let (right, wrong) = compared(performer, &truth);
    assert!(right >= 14 && wrong == 0, "{right} right, {wrong} wrong: {naming:?}");
    assert_eq!(naming.creature, Creature::Quadruped);
}

#[test]
fn an_arm_of_a_robot_is_no_body() {
    let (named, _) = found(&Simulated::arm(), Routine::Rom, 5);
    assert!(named.is_empty(), "{:?}", named[0].0);
}

#[test]
fn the_legs_of_a_person_are_no_quadruped() {
    let options = Options {
        seconds: 10.0,
        noise_m: 1e-3,
        routine: Routine::ChickenWalk,
        seed: 6,
        ..Options::default()
    };
    let simulation = simulate(&Simulated::human(), &options).unwrap();
    let parts = ["pelvis", "thigh", "shank", "foot"];
    let segments = simulation.truth.plan.performers.iter().flat_map(|own| &own.segments);
    let of_legs: Vec<usize> = segments
        .filter(|segment| parts.iter().any(|part| segment.name.ends_with(part)))
        .flat_map(|segment| segment.markers.iter().copied())
        .collect();
    let mut trial = simulation.trial;
    let mut column = 0;
    trial.markers.retain(|_| {
        column += 1;
        of_legs.contains(&(column - 1))
    });
    let plan = grouping::from_motion(&trial, &Default::default()).unwrap().plan;
    assert!(plan.performers.iter().any(|own| own.segments.len() >= LEAST_SEGMENTS));
    for mut performer in plan.performers {
        topology::infer(&trial, &mut performer, &Default::default()).unwrap();
        let creature = name(&trial, &performer).map(|naming| naming.creature);
        assert_ne!(creature, Some(Creature::Quadruped));
    }
}
