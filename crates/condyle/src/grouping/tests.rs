use std::collections::BTreeSet;

use nalgebra::{Point3, Vector3};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

use super::*;
use crate::simulate::{self, Simulation, simulate};
use crate::trial::{Format, Marker, Origin};

fn performed(performer: &simulate::Performer, options: simulate::Options) -> Simulation {
    let options = simulate::Options { noise_m: 1e-3, seconds: 15.0, rate_hz: 50.0, ..options };
    simulate(performer, &options).unwrap()
}

type Segments = BTreeSet<Vec<usize>>;

fn segments(plan: &Plan) -> Segments {
    let segments = plan.performers.iter().flat_map(|performer| &performer.segments);
    segments.map(|segment| segment.markers.clone()).filter(|markers| !markers.is_empty()).collect()
}

/// The pairs of segments that are linked, each named by its markers.
fn edges(plan: &Plan) -> BTreeSet<Segments> {
    let links = plan.performers.iter().flat_map(|performer| {
        performer.segments.iter().filter_map(|segment| {
            let parent = &performer.segments[segment.parent?];
            Some(Segments::from([segment.markers.clone(), parent.markers.clone()]))
        })
    });
    links.collect()
}

fn assert_true(name: &str, simulation: &Simulation) {
    let mut plan = from_motion(&simulation.trial, &Options::default()).unwrap().plan;
    let truth = &simulation.truth.plan;
    assert_eq!(segments(&plan), segments(truth), "{name}: segments");
    assert_eq!(plan.performers.len(), truth.performers.len(), "{name}: performers");
    assert!(plan.excluded.is_empty(), "{name}: {:?}", plan.excluded);
    for performer in &mut plan.performers {
        topology::infer(&simulation.trial, performer, &topology::Options::default()).unwrap();
    }
    assert_eq!(edges(&plan), edges(truth), "{name}: tree");
    for performer in &plan.performers {
        performer.check().unwrap();
        assert!(performer.is_tree_known);
        assert_eq!(performer.segments[0].name, "segment 1");
    }
}

#[test]
fn a_person_a_dog_and_an_arm_are_found_as_they_are() {
    for performer in
        [simulate::Performer::human(), simulate::Performer::dog(), simulate::Performer::arm()]
    {
        for seed in 1..=2 {
            let simulation =
                performed(&performer, simulate::Options { seed, ..Default::default() });
            assert_true(&format!("{} {seed}", performer.name), &simulation);
        }
    }
}

#[test]
fn two_people_in_one_file_are_two() {
    let options = simulate::Options { performers: 2, ..Default::default() };
    let simulation = performed(&simulate::Performer::human(), options);
    assert_true("two people", &simulation);
    let plan = from_motion(&simulation.trial, &Options::default()).unwrap().plan;
    let names: Vec<&str> =
        plan.performers.iter().map(|performer| performer.name.as_str()).collect();
    assert_eq!(names, ["P1", "P2"]);
}

/// A person whose wrists swing too: where nothing moves nothing can be told.
fn walker() -> simulate::Performer {
    let mut human = simulate::Performer::human();
    let hands = human.segments.iter().enumerate().filter(|(_, s)| s.name.ends_with("hand"));
    let swing = |(segment, _)| simulate::Swing {
        segment,
        axis: 0,
        mean_rad: 0.1,
        amplitude_rad: 10_f64.to_radians(),
        phase: 0.3,
        harmonic: 1.0,
    };
    let swings: Vec<simulate::Swing> = hands.map(swing).collect();
    human.walk.as_mut().unwrap().swings.extend(swings);
    human
}

#[test]
fn walks_and_exaggerated_walks_are_found_at_a_millimetre_of_noise() {
    use simulate::Routine::{ChickenWalk, Walk};
    let cases = [
        ("walk", walker(), Walk, 1),
        ("two walkers", walker(), Walk, 2),
        ("exaggerated walk", simulate::Performer::human(), ChickenWalk, 1),
        ("dog", simulate::Performer::dog(), ChickenWalk, 1),
    ];
    for (name, performer, routine, performers) in cases {
        for seed in 1..=3 {
            let options = simulate::Options {
                routine,
                performers,
                seed,
                noise_m: 1e-3,
                seconds: 20.0,
                rate_hz: 100.0,
                ..Default::default()
            };
            assert_true(&format!("{name} {seed}"), &simulate(&performer, &options).unwrap());
        }
    }
}

#[test]
fn wrists_that_hang_still_are_listed_as_doubtful_or_not_told_apart() {
    let options = simulate::Options { routine: simulate::Routine::Walk, ..Default::default() };
    let mut human = walker();
    for swing in &mut human.walk.as_mut().unwrap().swings {
        // A wrist that turns by two degrees moves its markers by as much as the noise.
        if human.segments[swing.segment].name.ends_with("hand") {
            swing.amplitude_rad = 2_f64.to_radians();
        }
    }
    let simulation = performed(&human, options);
    let grouping = from_motion(&simulation.trial, &Options::default()).unwrap();
    let truth = segments(&simulation.truth.plan);
    let wrong: Vec<Vec<usize>> = segments(&grouping.plan).difference(&truth).cloned().collect();
    assert!(!wrong.is_empty(), "the case is too easy");
    for segment in wrong {
        let is_listed = grouping.doubts.iter().any(|doubt| {
            let sets = match &doubt.decided {
                Decision::OneSegment(sets) | Decision::TwoSegments(sets) => sets,
                Decision::OnSegment(_, sets) => sets,
            };
            sets.iter().flatten().any(|marker| segment.contains(marker))
        });
        assert!(is_listed, "{segment:?} {:?}", grouping.doubts);
    }
    assert!(grouping.doubts.windows(2).all(|two| two[0].odds <= two[1].odds));
}

#[test]
fn gaps_skin_and_exchanged_labels_do_not_change_the_segments() {
    let human = simulate::Performer::human();
    let disturbed = [
        ("gaps", simulate::Options { occlusion: 0.2, dropout: 0.1, ..Default::default() }),
        ("skin", simulate::Options { skin_m: 0.005, ..Default::default() }),
        ("exchanges", simulate::Options { swaps: 3, ..Default::default() }),
    ];
    for (name, options) in disturbed {
        assert_true(name, &performed(&human, options));
    }
}

#[test]
fn exchanged_labels_are_reported_where_they_were() {
    let options = simulate::Options { swaps: 3, ..Default::default() };
    let simulation = performed(&simulate::Performer::human(), options);
    let found = from_motion(&simulation.trial, &Options::default()).unwrap().exchanges;
    let mut truth = Vec::new();
    for swap in &simulation.truth.swaps {
        let markers: [usize; 2] = swap.markers.as_slice().try_into().unwrap();
        truth.push(Exchange { frame: swap.frames.start, markers });
        if swap.frames.end < simulation.trial.frames {
            truth.push(Exchange { frame: swap.frames.end, markers });
        }
    }
    truth.sort_by_key(|exchange| (exchange.frame, exchange.markers));
    assert_eq!(found, truth);
}

fn trial(positions: impl Fn(usize, usize) -> Option<Point3<f64>>, markers: usize) -> Trial {
    let mut trial = Trial::new(Format::C3d, 100.0);
    trial.frames = 100;
    for marker in 0..markers {
        let track = (0..trial.frames).map(|frame| positions(marker, frame));
        trial.markers.push(Marker::from_positions(format!("m{marker}"), track));
    }
    trial
}

fn standing(marker: usize) -> Point3<f64> {
    let m = marker as f64;
    Point3::new(0.1 * m, (0.7 * m).sin(), (1.3 * m).cos())
}

#[test]
fn what_never_moves_is_one_segment() {
    for noise_m in [0.0, 1e-4, 1e-2] {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let mut still = trial(|marker, _| Some(standing(marker)), 12);
        for marker in &mut still.markers {
            for frame in 0..100 {
                let noise: Vector3<f64> = Vector3::from_fn(|_, _| StandardNormal.sample(&mut rng));
                let position_m = marker.position_m(frame).map(|p| p + noise * noise_m);
                marker.set(frame, position_m, Origin::Measured);
            }
        }
        let grouping = from_motion(&still, &Options::default()).unwrap();
        assert_eq!(segments(&grouping.plan), BTreeSet::from([(0..12).collect()]), "{noise_m}");
        assert!(grouping.noise_m > 0.0);
    }
}

#[test]
fn too_few_markers_or_frames_say_so() {
    let message = |trial: &Trial| from_motion(trial, &Options::default()).unwrap_err().to_string();
    let one = trial(|marker, _| Some(standing(marker)), 1);
    assert_eq!(message(&one), "grouping: need at least 2 markers that are seen, got 1");
    let none = trial(|_, _| None, 5);
    assert_eq!(message(&none), "grouping: need 10 frames in which markers are seen, got 0");
    let short = trial(|marker, frame| (frame < 4).then(|| standing(marker)), 5);
    assert_eq!(message(&short), "grouping: need 10 frames in which markers are seen, got 4");
    assert!(message(&Trial::new(Format::C3d, 100.0)).contains("need 10 frames"));
    let crowd = trial(|marker, _| Some(standing(marker)), 1001);
    assert!(message(&crowd).contains("at most 1000 markers, got 1001"));
}

#[test]
fn markers_without_a_label_and_those_seldom_seen_are_set_aside() {
    let mut trial = trial(|marker, frame| (marker != 2 || frame < 5).then(|| standing(marker)), 6);
    trial.markers[4].label = "*7".into();
    let plan = from_motion(&trial, &Options::default()).unwrap().plan;
    let aside = |marker, reason| ExcludedMarker { marker, reason };
    assert_eq!(
        plan.excluded,
        [aside(2, ExclusionReason::NeverSeen), aside(4, ExclusionReason::Unlabelled)]
    );
    let options = Options { with_unlabelled: true, only: Some(vec![5, 4, 4, 3, 99]) };
    let plan = from_motion(&trial, &options).unwrap().plan;
    assert_eq!(segments(&plan), BTreeSet::from([vec![3, 4, 5]]));
}

#[test]
fn a_marker_that_goes_its_own_way_is_set_aside() {
    let simulation = performed(&simulate::Performer::arm(), simulate::Options::default());
    let mut trial = simulation.trial;
    let frames = trial.frames;
    let fly = (0..frames).map(|frame| {
        let t = frame as f64 * 0.031;
        Some(Point3::new(3.0 * t.sin(), 3.0 * (1.7 * t).cos(), 2.0 + (0.6 * t).sin()))
    });
    trial.markers.push(Marker::from_positions("fly", fly));
    let plan = from_motion(&trial, &Options::default()).unwrap().plan;
    assert_eq!(segments(&plan), segments(&simulation.truth.plan));
    let fly =
        ExcludedMarker { marker: trial.markers.len() - 1, reason: ExclusionReason::MovesAlone };
    assert_eq!(plan.excluded, [fly]);
}
