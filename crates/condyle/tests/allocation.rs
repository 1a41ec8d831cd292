//! Frames are placed, taken in by a calibration, and reached for, without allocating.
#![allow(missing_docs, clippy::unwrap_used)]

use allocation_counter::measure;
use condyle::calibrate::{Calibration, MAX_FRAMES};
use condyle::hand;
use condyle::ik::limit::{Limit, Twist};
use condyle::ik::{self, Linkage, Method, Target, ZeroDirection};
use condyle::job;
use condyle::live::Live;
use condyle::predict::{self, Body, Predictor, Ray};
use condyle::simulate::{Options, Performer, Routine, simulate};
use condyle::solve::Solver;
use nalgebra::{Point3, Vector3};

#[test]
fn neither_a_pose_nor_a_frame_that_is_taken_in_allocates() {
    // Markers that hide make the solver take every way it knows.
    let options = Options {
        seconds: 4.0,
        noise_m: 1e-3,
        occlusion: 0.2,
        marker_set: Some("cmu41".into()),
        ..Options::default()
    };
    let simulation = simulate(&Performer::human(), &options).unwrap();
    let trial = &simulation.trial;
    let labels = trial.labels();
    let frames: Vec<_> = (0..trial.frames)
        .map(|frame| {
            let mut positions_m = vec![None; labels.len()];
            trial.positions_m(frame, &mut positions_m);
            positions_m
        })
        .collect();
    let performer = &simulation.truth.plan.performers[0];
    let mut calibration = Calibration::new(performer, &labels).unwrap();
    frames.iter().for_each(|frame| calibration.push(frame));
    let subject = calibration.fit().unwrap();

    let solver = Solver::new(&subject, &labels).unwrap();
    let mut pose = solver.pose();
    let posing = measure(|| frames.iter().for_each(|frame| solver.solve(frame, &mut pose)));
    assert_eq!(posing.count_total, 0, "posing {} frames: {posing:?}", frames.len());

    // Memory grows until the most frames that are kept are there, and never again.
    let mut stream = frames.iter().cycle();
    stream.by_ref().take(MAX_FRAMES).for_each(|frame| calibration.push(frame));
    let feeding = measure(|| stream.take(2 * MAX_FRAMES).for_each(|frame| calibration.push(frame)));
    assert_eq!(feeding.count_total, 0, "feeding {} frames: {feeding:?}", 2 * MAX_FRAMES);
}

#[test]
fn no_frame_of_a_stream_allocates_once_its_subject_stands() {
    for sensors in [false, true] {
        let options = Options {
            seconds: 4.0,
            noise_m: 1e-3,
            orientation_noise_rad: 3e-3,
            occlusion: 0.2,
            sensors,
            ..Options::default()
        };
        let trial = simulate(&Performer::human(), &options).unwrap().trial;
        let markers: Vec<Vec<_>> = (0..trial.frames)
            .map(|frame| trial.markers.iter().map(|marker| marker.position_m(frame)).collect())
            .collect();
        let bodies: Vec<Vec<_>> = (0..trial.frames)
            .map(|frame| trial.bodies.iter().map(|b| b.world_from_body(frame).copied()).collect())
            .collect();
        let names: Vec<&str> = trial.bodies.iter().map(|body| body.name.as_str()).collect();
        let mut live = match sensors {
            true => Live::from_sensors(&names, 100.0, &job::Options::default()).unwrap(),
            false => Live::new(&trial.labels(), 100.0, &job::Options::default()).unwrap(),
        };
        let push = |live: &mut Live, frame: usize| match sensors {
            true => live.push_without_refit(&bodies[frame % bodies.len()]).map(drop).unwrap(),
            false => live.push_without_refit(&markers[frame % markers.len()]).map(drop).unwrap(),
        };
        (0..trial.frames).for_each(|frame| push(&mut live, frame));
        let refit = live.due_refit().unwrap();
        live.adopt(refit.run());
        assert_eq!(live.performers().len(), 1);
        // Until the memory is full, and beyond.
        let streaming = measure(|| (0..2 * MAX_FRAMES).for_each(|frame| push(&mut live, frame)));
        assert_eq!(streaming.count_total, 0, "sensors {sensors}: {streaming:?}");
        assert!(live.kept_frames().len() <= MAX_FRAMES);
    }
}

/// Ten joints, bent a little, so that no method is stuck.
fn chain() -> Linkage {
    let at_m: Vec<_> = (0..10).map(f64::from).map(|i| Point3::new(0.03 * i * i, 0.0, i)).collect();
    Linkage::chain(&at_m).unwrap()
}

fn limited() -> Linkage {
    let mut linkage = chain();
    for end in 1..10 {
        let limit = match end % 3 {
            0 => Limit::hinge(Vector3::x(), [0.0, 2.0]).unwrap(),
            1 => {
                let twist = Twist::Range { min_rad: -0.8, max_rad: 0.8 };
                Limit::ellipsoidal([0.4, 0.6, 1.0, 0.8], twist)
            }
            _ => Limit::cone(0.8),
        };
        linkage.limit(end, limit).unwrap();
    }
    linkage
}

/// A trunk of three joints and two arms of three.
fn fork() -> Linkage {
    let side = [0.0, 0.0, 0.0, -1.0, -2.0, -3.0, 1.0, 2.0, 3.0];
    let up = [0.0, 1.0, 2.0, 2.5, 2.7, 2.9, 2.5, 2.7, 2.9];
    let at_m: Vec<_> = side.iter().zip(up).map(|(x, z)| Point3::new(*x, 0.0, z)).collect();
    let parents = [None, Some(0), Some(1), Some(2), Some(3), Some(4), Some(2), Some(6), Some(7)];
    Linkage::tree(&at_m, &parents, ZeroDirection::Rest).unwrap()
}

#[test]
fn no_method_allocates_while_it_reaches() {
    for (name, linkage, ends) in
        [("free", chain(), &[9][..]), ("limits", limited(), &[9]), ("tree", fork(), &[5, 8])]
    {
        for method in Method::ALL {
            // Few passes a solve: what allocates does so in the first.
            let few = ik::Options { method, max_iterations: 30, ..ik::Options::default() };
            let tracking = ik::Options { restarts: 0, max_step_m: 0.5, ..few };
            let mut solver = ik::Solver::new(linkage.clone());
            // Within reach and out of it, so that restarts and the shortcut have their turn.
            let reach = |solver: &mut ik::Solver| {
                let mut solves = 0;
                for step in 0..16 {
                    let t = 0.2 * f64::from(step);
                    let far = if step % 8 == 7 { 3.0 } else { 1.0 };
                    let at = |side: f64| {
                        Point3::new(1.5 * t.sin() + side, t.cos(), 2.0 + 0.5 * (2.0 * t).sin())
                    };
                    let targets = [ends[0], ends[ends.len() - 1]];
                    let targets = [-1.0, 1.0].map(|side| {
                        let joint = targets[usize::from(side > 0.0)];
                        Target::at(joint, Point3::from(at(side).coords * far))
                    });
                    for options in [&few, &tracking] {
                        solves +=
                            usize::from(solver.solve(&targets[..ends.len()], options).is_ok());
                    }
                }
                solves
            };
            // A plain-chain method refuses the others, which allocates its message.
            if reach(&mut solver) == 0 {
                assert!(method.is_for_plain_chains(), "{method} on {name}");
                continue;
            }
            let reaching = measure(|| {
                reach(&mut solver);
            });
            assert_eq!(reaching.count_total, 0, "{method} on {name}: {reaching:?}");
        }
    }
}

#[test]
fn no_frame_that_is_predicted_allocates() {
    let options = Options { seconds: 4.0, noise_m: 1e-3, cameras: 3, ..Options::default() };
    let simulation = simulate(&Performer::human(), &options).unwrap();
    let trial = &simulation.trial;
    let frames: Vec<Vec<_>> = (0..trial.frames)
        .map(|frame| trial.markers.iter().map(|marker| marker.position_m(frame)).collect())
        .collect();
    let mut rays: Vec<Vec<Ray>> = vec![Vec::new(); trial.frames];
    for ray in &simulation.rays {
        let line = Ray::new(ray.marker, ray.origin_m.coords, ray.direction).unwrap();
        rays[ray.frame].push(line);
    }
    let missing: usize = trial.markers.iter().map(|marker| marker.missing_samples()).sum();
    assert!(missing > 0 && !simulation.rays.is_empty());
    let body = Body::of_performers(&simulation.truth.plan.performers, trial.markers.len());
    for options in [predict::Options::default(), predict::Options::as_printed()] {
        let mut predictor = Predictor::new(&body, trial.rate_hz, options).unwrap();
        let stepping = measure(|| {
            for (frame, rays) in frames.iter().zip(&rays) {
                predictor.step(frame, rays);
            }
        });
        assert_eq!(stepping.count_total, 0, "{stepping:?}");
    }
}

#[test]
fn posing_a_figure_with_all_its_vertices_allocates_nothing() {
    use condyle::figure::{Figure, Freedom, FreedomKind, Joint, Segment};
    use condyle::solid::{RoundCone, Solid};

    let segment = |at: usize| {
        let ends_m = [Point3::new(0.0, 0.0, 0.3 * at as f64), Point3::new(0.0, 0.1, 0.3)];
        let solid = Solid::from(RoundCone { ends_m, radii_m: [0.05; 2] }.surface(12).unwrap());
        let turn = |axis: usize| Freedom {
            kind: FreedomKind::Rotation,
            axis: nalgebra::Unit::new_unchecked(Vector3::ith(axis, 1.0)),
            limits: [-1.0, 1.0],
            value: 0.0,
        };
        let joint = Joint {
            name: format!("joint {at}"),
            centre_m: ends_m[0],
            freedoms: vec![turn(0), turn(1), turn(2)],
        };
        let mass = solid.mass_properties(1000.0);
        Segment { name: format!("segment {at}"), parent: at.checked_sub(1), solid, mass, joint }
    };
    let figure = Figure::new("chain", (0..16).map(segment).collect()).unwrap();
    let mut values = figure.values();
    let (mut pose, mut vertices_m) = (figure.rest_pose(), Vec::new());
    pose.vertices_m(&figure, &mut vertices_m);
    let used = measure(|| {
        for frame in 0..100 {
            values.iter_mut().for_each(|value| *value = (0.1 * f64::from(frame)).sin());
            figure.pose(&values, &mut pose);
            pose.vertices_m(&figure, &mut vertices_m);
        }
    });
    assert_eq!(used.count_total, 0, "{used:?}");
}

#[test]
fn no_frame_of_a_hand_allocates() {
    let model = hand::Model::standard(hand::Side::Right, 0.19).unwrap();
    let options =
        Options { seconds: 8.0, routine: Routine::Random, noise_m: 1e-3, ..Options::default() };
    let simulation = simulate(&hand::performer(&model), &options).unwrap();
    let trial = &simulation.trial;
    let labels = trial.labels();
    for method in [hand::Method::Closed, hand::Method::Fabrik] {
        let assignment = hand::Assignment::by_model(&model, &labels).unwrap();
        let tips: Vec<usize> = assignment.tips.iter().copied().flatten().collect();
        let frames: Vec<_> = (0..trial.frames)
            .map(|frame| {
                let mut seen_m = vec![None; labels.len()];
                trial.positions_m(frame, &mut seen_m);
                // Three tips are lost again and again, now and then one marker on the back, and one tip is out of reach.
                if frame % 100 > 70 {
                    tips.iter().take(3).for_each(|tip| seen_m[*tip] = None);
                }
                if frame % 150 > 140 {
                    seen_m[labels.iter().position(|label| *label == "p").unwrap()] = None;
                }
                if frame % 200 > 150 {
                    let far_m = seen_m[tips[4]].unwrap();
                    seen_m[tips[4]] = Some(far_m + Vector3::new(0.05, 0.0, 0.03));
                }
                seen_m
            })
            .collect();
        let options = hand::Options { method, ..hand::Options::default() };
        let mut tracker = hand::Tracker::new(&model, assignment, trial.rate_hz, options).unwrap();
        let following = measure(|| {
            frames.iter().for_each(|frame| {
                tracker.step(frame);
            });
        });
        assert_eq!(following.count_total, 0, "{}: {following:?}", method.name());
    }
}
