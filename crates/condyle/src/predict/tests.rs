//! The predictor on simulated performers, whose truth is known.

use nalgebra::{Point3, Vector3};

use super::*;
use crate::simulate::{self, Performer, Routine, Simulation, simulate};

fn performed(routine: Routine, seconds: f64, noise_m: f64) -> Simulation {
    let options =
        simulate::Options { routine, seconds, noise_m, seed: 11, ..simulate::Options::default() };
    simulate(&Performer::human(), &options).unwrap()
}

fn frames(simulation: &Simulation) -> Vec<Vec<Option<Point3<f64>>>> {
    let trial = &simulation.trial;
    let at = |frame| trial.markers.iter().map(|marker| marker.position_m(frame)).collect();
    (0..trial.frames).map(at).collect()
}

fn predictor(simulation: &Simulation, options: Options) -> Predictor {
    let trial = &simulation.trial;
    let body = Body::of_performers(&simulation.truth.plan.performers, trial.markers.len());
    Predictor::new(&body, trial.rate_hz, options).unwrap()
}

/// The markers of a segment.
fn markers_of(simulation: &Simulation, segment: &str) -> Vec<usize> {
    let segments = &simulation.truth.plan.performers[0].segments;
    segments.iter().find(|s| s.name == segment).unwrap().markers.clone()
}

struct Gap {
    mean_m: f64,
    cases: Vec<Case>,
    /// The share of samples within the 95 % region.
    covered: f64,
}

/// Hides markers from a frame on for so many frames.
fn hide(
    simulation: &Simulation,
    hidden: &[usize],
    at: usize,
    count: usize,
    options: Options,
    rays: impl Fn(usize, &Point3<f64>) -> Option<Ray>,
) -> Gap {
    let truth = frames(simulation);
    let mut predictor = predictor(simulation, options);
    let (mut errors, mut cases, mut within) = (Vec::new(), Vec::new(), 0.0);
    for (frame, seen) in truth[..at + count].iter().enumerate() {
        let mut given = seen.clone();
        let mut seen_by_one = Vec::new();
        if frame >= at {
            for marker in hidden {
                given[*marker] = None;
                seen_by_one.extend(rays(*marker, &seen[*marker].unwrap()));
            }
        }
        let samples = predictor.step(&given, &seen_by_one);
        if frame >= at {
            for marker in hidden {
                let off = samples[*marker].position_m.unwrap() - seen[*marker].unwrap();
                errors.push(off.norm());
                let information = samples[*marker].covariance_m2.try_inverse().unwrap();
                within += f64::from(u8::from(off.dot(&(information * off)) < 7.815));
                cases.push(samples[*marker].case);
            }
        }
    }
    let count = errors.len() as f64;
    Gap { mean_m: errors.iter().sum::<f64>() / count, cases, covered: within / count }
}

fn no_ray(_: usize, _: &Point3<f64>) -> Option<Ray> {
    None
}

#[test]
fn what_is_seen_is_given_back_as_it_is() {
    let simulation = performed(Routine::Walk, 1.0, 1e-3);
    let mut predictor = predictor(&simulation, Options::default());
    for frame in frames(&simulation) {
        let samples = predictor.step(&frame, &[]);
        for (sample, seen) in samples.iter().zip(&frame) {
            assert_eq!((sample.position_m, sample.case), (*seen, Case::Observed));
        }
    }
}

#[test]
fn every_case_of_visibility_is_told_and_bounded() {
    let simulation = performed(Routine::Walk, 8.0, 5e-4);
    let thigh = markers_of(&simulation, "left thigh");
    let shank = markers_of(&simulation, "left shank");
    let pelvis = markers_of(&simulation, "pelvis");
    let limb: Vec<usize> = [thigh.clone(), shank.clone(), pelvis].concat();
    let (at, count) = (500, 100);
    let one = hide(&simulation, &thigh[..1], at, count, Options::default(), no_ray);
    assert!(
        one.cases.iter().all(|case| *case == Case::OneMissing) && one.mean_m < 0.01,
        "{}",
        one.mean_m
    );
    let two = hide(&simulation, &shank[..shank.len() - 1], at, count, Options::default(), no_ray);
    assert!(
        two.cases.iter().all(|case| *case == Case::SeveralMissing) && two.mean_m < 0.03,
        "{}",
        two.mean_m
    );
    let all = hide(&simulation, &shank, at, count, Options::default(), no_ray);
    assert!(
        all.cases.iter().all(|case| *case == Case::SegmentMissing) && all.mean_m < 0.15,
        "{}",
        all.mean_m
    );
    let lost = hide(&simulation, &limb, at, 10, Options::default(), no_ray);
    assert!(lost.cases.contains(&Case::SegmentMissing) && lost.mean_m < 0.1, "{}", lost.mean_m);
    let everything: Vec<usize> = (0..simulation.trial.markers.len()).collect();
    let gone = hide(&simulation, &everything, at, 10, Options::default(), no_ray);
    assert!(
        gone.cases.iter().all(|case| *case == Case::NeighboursMissing) && gone.mean_m < 0.1,
        "{}",
        gone.mean_m
    );
    for gap in [one, two, all, lost, gone] {
        assert!(gap.covered > 0.8, "{}", gap.covered);
    }
}

#[test]
fn check_23_one_camera_takes_away_four_fifths_of_the_error() {
    let simulation = performed(Routine::Rom, 10.0, 5e-4);
    let camera = Vector3::new(3.0, -2.0, 2.5);
    let ray = |marker: usize, at: &Point3<f64>| Ray::new(marker, camera, at.coords - camera).ok();
    for rays in [RayRule::Projection, RayRule::NearestPoint] {
        let options = Options { rays, ..Options::as_printed() };
        let (mut without, mut with) = (0.0, 0.0);
        for segment in ["left thigh", "right shank", "left forearm", "right upper arm"] {
            let marker = markers_of(&simulation, segment)[0];
            without += hide(&simulation, &[marker], 500, 300, options, no_ray).mean_m;
            let seen = hide(&simulation, &[marker], 500, 300, options, ray);
            assert!(seen.cases.iter().all(|case| *case == Case::Ray));
            with += seen.mean_m;
        }
        assert!(with < 0.2 * without, "{rays:?}: {with} of {without}");
    }
}

#[test]
fn check_27_markers_come_back_without_a_jump() {
    let simulation = performed(Routine::Walk, 8.0, 0.0);
    let hidden = markers_of(&simulation, "left shank");
    let truth = frames(&simulation);
    let mut predictor = predictor(&simulation, Options::default());
    let (mut before, mut largest) = (vec![None; truth[0].len()], 0.0f64);
    for (frame, seen) in truth.iter().enumerate() {
        let mut given = seen.clone();
        if (500..600).contains(&frame) {
            hidden.iter().for_each(|marker| given[*marker] = None);
        }
        let samples = predictor.step(&given, &[]);
        if frame >= 600 {
            for marker in &hidden {
                let at = samples[*marker].position_m.unwrap();
                let last: Point3<f64> = before[*marker].unwrap();
                let local = (seen[*marker].unwrap() - truth[frame - 1][*marker].unwrap()).norm();
                largest = largest.max((at - last).norm() / local.max(1e-3));
                before[*marker] = Some(at);
            }
        } else {
            before = samples.iter().map(|sample| sample.position_m).collect();
        }
        if frame + 1 == truth.len() {
            assert!(hidden.iter().all(|marker| samples[*marker].case == Case::Observed));
        }
    }
    assert!(largest < 3.0, "{largest}");
}

#[test]
fn a_marker_that_jumps_a_metre_for_one_frame_is_not_believed() {
    let simulation = performed(Routine::Walk, 3.0, 5e-4);
    let truth = frames(&simulation);
    let mut predictor = predictor(&simulation, Options::default());
    for (frame, seen) in truth.iter().enumerate() {
        let mut given = seen.clone();
        if frame == 200 {
            given[3] = given[3].map(|at| at + Vector3::x());
        }
        let sample = predictor.step(&given, &[])[3];
        assert_eq!(sample.is_rejected, frame == 200);
        assert!((sample.position_m.unwrap() - seen[3].unwrap()).norm() < 0.02, "{frame}");
    }
}

#[test]
fn a_minute_without_anything_ends_in_numbers() {
    let simulation = performed(Routine::Walk, 2.0, 5e-4);
    for options in [Options::default(), Options::as_printed()] {
        let mut predictor = predictor(&simulation, options);
        for frame in frames(&simulation) {
            predictor.step(&frame, &[]);
        }
        for _ in 0..6000 {
            let samples = predictor.step(&[], &[]);
            assert!(samples.iter().all(|s| s.position_m.unwrap().iter().all(|v| v.is_finite())));
            assert!(samples.iter().all(|s| s.covariance_m2.iter().all(|v| v.is_finite())));
        }
    }
}

#[test]
fn what_is_lost_at_480_hz_for_a_minute_is_held_where_it_was_lost() {
    let shape = [[0.05, 0.0, 0.1], [-0.04, 0.03, 0.2], [0.0, -0.05, 0.3]].map(Vector3::from);
    let frame = |index: u32| -> Vec<Option<Point3<f64>>> {
        let t = f64::from(index) / 480.0;
        let turn = |p: f64| Vector3::new((2.0 * t + p).sin(), (3.1 * t).cos(), (1.7 * t + p).sin());
        let centre = Point3::new((0.7 * t).sin(), 0.0, 1.0);
        let side = |p: f64| nalgebra::UnitQuaternion::new(turn(p) * 0.5);
        let upper = shape.map(|at| Some(centre + side(0.0) * at));
        let lower = shape.map(|at| Some(centre - side(1.3) * at));
        upper.into_iter().chain(lower).collect()
    };
    let segment =
        |first: usize| BodySegment { markers: (first..first + 3).collect(), in_segment_m: None };
    let joints = vec![BodyJoint { segments: [0, 1], centres_m: None }];
    let body = Body { markers: 6, segments: vec![segment(0), segment(3)], joints };
    for (options, most_m) in [(Options::default(), 1.0), (Options::as_printed(), 1e4)] {
        let mut predictor = Predictor::new(&body, 480.0, options).unwrap();
        for index in 0..960 {
            predictor.step(&frame(index), &[]);
        }
        let last = frame(959);
        for _ in 0..60 * 480 {
            for (sample, last) in predictor.step(&[], &[]).iter().zip(&last) {
                let off_m = (sample.position_m.unwrap() - last.unwrap()).norm();
                assert!(off_m < most_m, "{off_m}");
                assert!(sample.covariance_m2.iter().all(|v| v.abs() < 1e6));
            }
        }
    }
}

#[test]
fn a_ray_through_the_camera_itself_ends_in_numbers() {
    let simulation = performed(Routine::Walk, 3.0, 5e-4);
    let marker = markers_of(&simulation, "left thigh")[0];
    // The camera where the marker is; behind it; and two that see along one line.
    let toward = Vector3::new(0.3, -1.0, 0.2);
    for rule in [RayRule::Projection, RayRule::NearestPoint] {
        let options = Options { rays: rule, ..Options::default() };
        for away in [0.0, 1e-13, 1.0] {
            let ray = |marker: usize, at: &Point3<f64>| {
                Ray::new(marker, at.coords + toward * away, toward).ok()
            };
            let gap = hide(&simulation, &[marker], 200, 50, options, ray);
            assert!(gap.mean_m.is_finite() && gap.mean_m < 0.05, "{rule:?} {away}: {}", gap.mean_m);
        }
        let mut twice = predictor(&simulation, options);
        for seen in frames(&simulation) {
            let mut given = seen.clone();
            let at = given[marker].take().unwrap().coords;
            let rays = [2.0, 3.0].map(|away| Ray::new(marker, at - toward * away, toward).unwrap());
            let sample = twice.step(&given, &rays)[marker];
            assert!(sample.position_m.is_none_or(|at| at.iter().all(|v| v.is_finite())));
            assert!(sample.covariance_m2.iter().all(|v| v.is_finite()));
        }
    }
}

#[test]
fn markers_that_are_never_seen_have_no_place_and_a_rate_of_zero_is_refused() {
    let body = Body { markers: 3, ..Body::default() };
    let mut predictor = Predictor::new(&body, 100.0, Options::default()).unwrap();
    let seen = [Some(Point3::origin()), None, Some(Point3::new(f64::NAN, 0.0, 0.0))];
    let samples = predictor.step(&seen, &[]);
    assert_eq!(samples[0].case, Case::Observed);
    assert!(samples[1..].iter().all(|sample| *sample == Sample::UNSEEN));
    let said = Predictor::new(&body, 0.0, Options::default()).unwrap_err().to_string();
    assert_eq!(said, "rate: need frames a second above 0, got 0");
    let none = BodySegment { markers: vec![7], in_segment_m: None };
    let body = Body { markers: 3, segments: vec![none], joints: Vec::new() };
    assert!(Predictor::new(&body, 100.0, Options::default()).is_err());
}

#[test]
fn distances_that_stay_the_same_show_the_segments() {
    let simulation = performed(Routine::Rom, 10.0, 5e-4);
    let all: Vec<Vec<Option<Vector3<f64>>>> = frames(&simulation)
        .iter()
        .map(|f| f.iter().map(|p| p.map(|p| p.coords)).collect())
        .collect();
    let body = Body::of_distances(&all, 5e-3);
    let of = |marker: usize| body.segments.iter().position(|s| s.markers.contains(&marker));
    for segment in &simulation.truth.plan.performers[0].segments {
        let first = of(segment.markers[0]);
        assert!(
            first.is_some() && segment.markers.iter().all(|marker| of(*marker) == first),
            "{}",
            segment.name
        );
    }
}

#[test]
fn segments_of_one_and_two_markers_are_carried_by_their_neighbours() {
    let options = simulate::Options {
        routine: Routine::Walk,
        seconds: 6.0,
        noise_m: 5e-4,
        marker_set: Some("cmu41".into()),
        seed: 12,
        ..simulate::Options::default()
    };
    let simulation = simulate(&Performer::human(), &options).unwrap();
    let truth = &simulation.truth.plan.performers[0];
    for count in [1, 2] {
        let few =
            truth.segments.iter().find(|s| s.markers.len() == count && s.parent.is_some()).unwrap();
        let gap = hide(&simulation, &few.markers, 400, 20, Options::default(), no_ray);
        assert!(gap.cases.iter().all(|case| *case == Case::SegmentMissing), "{:?}", gap.cases[0]);
        assert!(gap.mean_m < 0.15, "{} of {}: {}", count, few.name, gap.mean_m);
    }
}
