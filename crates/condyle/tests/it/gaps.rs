//! Gaps in the main job: filled, weighed by what is not known of them, and the same through every door.

use std::ops::Range;

use condyle::Trial;
use condyle::job::{self, Fill, Options, Performance, Repair};
use condyle::live::Live;
use condyle::simulate::{self, Performer, Routine, simulate};
use condyle::solve::Solver;
use condyle::trial::{Format, Marker, Origin};
use nalgebra::{Matrix3, Point3, Vector3};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

fn person(seed: u64) -> Trial {
    let options = simulate::Options {
        routine: Routine::Rom,
        seconds: 8.0,
        noise_m: 0.3e-3,
        skin_m: 3e-3,
        marker_set: Some("cmu41".to_owned()),
        seed,
        ..Default::default()
    };
    simulate(&Performer::human(), &options).unwrap().trial
}

fn delete(trial: &mut Trial, labels: &[&str], frames: Range<usize>) {
    for marker in trial.markers.iter_mut().filter(|marker| labels.contains(&marker.name())) {
        frames.clone().for_each(|frame| marker.set(frame, None, Origin::Missing));
    }
}

fn by(fill: Fill) -> Options {
    let mut options = Options::default();
    options.fill = fill;
    options
}

/// The joints of one frame that are farthest from those of another result, in millimetres.
fn apart_mm(one: &Performance, other: &Performance, frames: Range<usize>) -> Vec<f64> {
    let [a, b] = [one, other].map(|performance| &performance.performers[0].motion);
    let apart = |frame: usize| {
        let joints = (0..a.joints().len()).map(move |joint| {
            (a.joint_m(frame, joint).unwrap() - b.joint_m(frame, joint).unwrap()).norm()
        });
        1e3 * joints.fold(0.0, f64::max)
    };
    frames.map(apart).collect()
}

#[test]
fn a_recording_without_gaps_is_solved_the_same_whatever_is_asked() {
    let trial = person(1);
    let [off, auto, all] =
        [Fill::Off, Fill::Auto, Fill::All].map(|fill| job::run(trial.clone(), &by(fill)).unwrap());
    assert_eq!(off, auto);
    assert_eq!(off, all);
}

#[test]
fn a_forearm_that_vanishes_is_placed_by_the_rest_and_says_how_surely() {
    let whole = person(2);
    let gap = 300..400;
    let mut holed = whole.clone();
    delete(&mut holed, &["LFRM", "LWRA", "LWRB"], gap.clone());
    let truth = job::run(whole, &by(Fill::Off)).unwrap();
    let mut options = by(Fill::Auto);
    options.subject = Some(truth.performers[0].subject.clone());
    let filled = job::run(holed.clone(), &options).unwrap();
    // Measured samples are as they were, and so are gaps where they are asked for.
    for (before, after) in holed.markers.iter().zip(&filled.trial.markers) {
        for frame in 0..holed.frames {
            match before.position_m(frame) {
                Some(at_m) => assert_eq!(after.position_m(frame), Some(at_m)),
                None => {
                    assert_eq!(after.origin(frame), Origin::Filled);
                    assert!(after.sd_m(frame).is_some());
                }
            }
        }
    }
    for (before, after) in holed.markers.iter().zip(&filled.trial_with_gaps().markers) {
        assert!((0..holed.frames).all(|t| before.position_m(t) == after.position_m(t)));
    }
    let counted = filled.repairs.iter().find_map(|repair| match repair {
        Repair::GapsFilled { gaps, samples, left } => Some([*gaps, *samples, *left]),
        _ => None,
    });
    assert_eq!(counted, Some([3, 300, 0]));
    let apart = apart_mm(&filled, &truth, gap.clone());
    let mean = apart.iter().sum::<f64>() / apart.len() as f64;
    assert!(mean < 15.0, "{mean}");
    // Less is known of the wrist in the gap than beside it, and of its turn too.
    let performer = &filled.performers[0];
    let wrist = performer.subject.joints().iter().position(|j| j.name == "left wrist").unwrap();
    let [inside, beside] = [350, 250].map(|frame| {
        let motion = &performer.motion;
        [motion.joint_sd_m(frame, wrist), motion.joint_turn_sd_rad(frame, wrist)]
            .map(Option::unwrap)
    });
    assert!(inside[0] > beside[0] && inside[1] > beside[1], "{inside:?} {beside:?}");
}

#[test]
fn nothing_breaks_on_what_cannot_be_filled() {
    let ghost = |mut trial: Trial| {
        trial.markers.push(Marker::all_missing("LTHI", trial.frames));
        trial
    };
    let jump = |mut trial: Trial| {
        let at_m = trial.markers[7].position_m(200).unwrap() + Vector3::new(1.0, 0.0, 0.0);
        trial.markers[7].set(200, Some(at_m), Origin::Measured);
        delete(&mut trial, &["LELB"], 190..230);
        trial
    };
    let dark = |mut trial: Trial| {
        for marker in &mut trial.markers {
            (100..500).for_each(|frame| marker.set(frame, None, Origin::Missing));
        }
        trial
    };
    let rate = |mut trial: Trial| {
        delete(&mut trial, &["LELB"], 190..230);
        trial.rate_hz = 0.0;
        trial
    };
    for (what, spoil) in [
        ("a marker that is never seen", &ghost as &dyn Fn(Trial) -> Trial),
        ("a metre's jump", &jump),
        ("nothing at all for seconds", &dark),
        ("no rate", &rate),
    ] {
        for fill in [Fill::Auto, Fill::All] {
            let performance = job::run(spoil(person(3)), &by(fill)).unwrap();
            let motion = &performance.performers[0].motion;
            for (joint, track) in motion.joints().iter().enumerate() {
                for frame in 0..motion.frames() {
                    let at_m = track.position_m(frame);
                    assert!(at_m.is_none_or(|at_m| at_m.iter().all(|v| v.is_finite())), "{what}");
                    let sd_m = motion.joint_sd_m(frame, joint);
                    assert!(sd_m.is_none_or(f64::is_finite), "{what}");
                }
            }
            assert!(performance.gaps.iter().all(|gap| !gap.reason.is_empty()), "{what}");
        }
    }
}

#[test]
fn one_segment_alone_is_filled_or_left_with_a_reason() {
    let mut trial = Trial::new(Format::Csv, 100.0);
    trial.frames = 300;
    let at = |corner: [f64; 3], k: usize| {
        let turn = nalgebra::Rotation3::from_euler_angles(0.01 * k as f64, 0.3, 0.02 * k as f64);
        turn * Point3::from(corner) + Vector3::new(0.001 * k as f64, 0.0, 1.0)
    };
    let corners =
        [[0.1, 0.0, 0.0], [0.0, 0.1, 0.0], [0.0, 0.0, 0.1], [-0.1, 0.05, 0.0], [0.05, -0.1, 0.1]];
    trial.markers = corners
        .iter()
        .enumerate()
        .map(|(i, corner)| {
            let seen = |k: usize| (i != 2 || !(100..150).contains(&k)).then(|| at(*corner, k));
            Marker::from_positions(format!("m{i}"), (0..300).map(seen))
        })
        .collect();
    // A rigid body has no joints; if it is refused, that is said, and if not, its gap is filled.
    match job::run(trial.clone(), &by(Fill::Auto)) {
        Ok(performance) => {
            let found = performance.trial.markers[2].position_m(120).unwrap();
            assert!((found - at(corners[2], 120)).norm() < 2e-3, "{found}");
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

#[test]
fn a_stream_predicts_a_segment_that_is_hidden() {
    let walk = simulate::Options {
        routine: Routine::Walk,
        seconds: 8.0,
        noise_m: 0.3e-3,
        skin_m: 3e-3,
        marker_set: Some("cmu41".to_owned()),
        seed: 4,
        ..Default::default()
    };
    let whole = simulate(&Performer::human(), &walk).unwrap().trial;
    let gap = 600..650;
    let mut holed = whole.clone();
    let hidden = ["LFRM", "LWRA", "LWRB"];
    delete(&mut holed, &hidden, gap.clone());
    let truth = job::run(whole.clone(), &by(Fill::Off)).unwrap();
    let streamed = |fill: Fill| {
        let mut options = by(fill);
        options.subject = Some(truth.performers[0].subject.clone());
        let mut live = Live::new(&holed.labels(), holed.rate_hz, &options).unwrap();
        let (mut placed, mut markers_mm) = (0, Vec::new());
        let mut positions_m = vec![None; holed.markers.len()];
        for frame in 0..gap.end {
            holed.positions_m(frame, &mut positions_m);
            live.push(&positions_m).unwrap();
            if !gap.contains(&frame) {
                continue;
            }
            let performer = &live.performers()[0];
            placed += performer.segments().filter(|s| s.world_from_segment.is_some()).count();
            for (index, marker) in whole.markers.iter().enumerate() {
                if let Some((at_m, sd_m)) = live.predicted_m(index) {
                    assert!(sd_m > 0.0 && hidden.contains(&marker.name()));
                    markers_mm.push(1e3 * (at_m - marker.position_m(frame).unwrap()).norm());
                }
            }
        }
        (placed, markers_mm)
    };
    let (without, none) = streamed(Fill::Off);
    let (with, markers_mm) = streamed(Fill::Auto);
    let mean_mm = markers_mm.iter().sum::<f64>() / markers_mm.len() as f64;
    println!("{without} -> {with} segments placed, markers {mean_mm:.1} mm");
    assert!(none.is_empty());
    assert!(with > without, "{with} {without}");
    assert!(!markers_mm.is_empty());
    assert!(mean_mm < 30.0, "{mean_mm}");
}

#[test]
fn a_marker_that_does_not_come_back_is_predicted_only_where_all_gaps_are_asked_for() {
    let mut trial = person(6);
    let frames = trial.frames;
    delete(&mut trial, &["LKNE"], frames - 100..frames);
    for (fill, is_there) in [(Fill::Auto, false), (Fill::All, true)] {
        let performance = job::run(trial.clone(), &by(fill)).unwrap();
        let knee = performance.trial.markers.iter().find(|marker| marker.name() == "LKNE").unwrap();
        assert_eq!(knee.origin(frames - 50).is_present(), is_there, "{fill:?}");
        let left = performance.gaps.iter().filter(|gap| !gap.is_filled).count();
        assert_eq!(left == 0, is_there, "{fill:?}");
    }
}

#[test]
fn a_marker_that_does_not_come_back_counts_less_and_less_before_it_is_let_go() {
    let mut trial = person(6);
    let (frames, gone) = (trial.frames, trial.frames - 100);
    delete(&mut trial, &["LKNE"], gone..frames);
    let performance = job::run(trial.clone(), &by(Fill::Auto)).unwrap();
    let knee = performance.trial.markers.iter().find(|marker| marker.name() == "LKNE").unwrap();
    let most = (0.2 * trial.rate_hz) as usize;
    let sds_m: Vec<f64> = (gone..gone + most).map(|t| knee.sd_m(t).unwrap()).collect();
    assert!(sds_m.windows(2).all(|pair| pair[1] > 0.9 * pair[0]), "{sds_m:?}");
    assert!(sds_m[most - 1] > 10.0 * sds_m[0], "{sds_m:?}");
    assert!(!knee.origin(gone + most).is_present());
    let of_knee = performance.gaps.iter().filter(|gap| gap.frames.end == frames);
    let parts: Vec<_> = of_knee.map(|gap| (gap.frames.clone(), gap.is_filled)).collect();
    assert_eq!(parts, [(gone + most..frames, false)]);
    assert!(performance.gaps.iter().any(|gap| gap.frames == (gone..gone + most) && gap.is_filled));
}

#[test]
fn joints_are_off_by_errors_of_estimates_as_far_as_is_said() {
    let whole = person(9);
    let performance = job::run(whole.clone(), &by(Fill::Auto)).unwrap();
    let subject = &performance.performers[0].subject;
    let solver = Solver::new(subject, &whole.labels()).unwrap();
    let mut random = ChaCha8Rng::seed_from_u64(5);
    let mut normal = || Vector3::from_fn(|_, _| StandardNormal.sample(&mut random));
    let (mut truth, mut found) = (solver.pose(), solver.pose());
    let mut positions_m = vec![None; whole.markers.len()];
    let sd_m = 0.008;
    for labels in [&["LANK"][..], &["LELB", "LFRM"], &["LTHI", "LKNE"], &["RFHD", "RBHD"]] {
        let is_estimated = |i: usize| labels.contains(&whole.markers[i].name());
        let variance_m2 = |i| if is_estimated(i) { sd_m * sd_m } else { 0.0 };
        let variances_m2: Vec<f64> = (0..whole.markers.len()).map(variance_m2).collect();
        let (mut inside, mut all) = (0, 0);
        for frame in (0..whole.frames).step_by(4) {
            whole.positions_m(frame, &mut positions_m);
            solver.solve(&positions_m, &mut truth);
            let shared: Vector3<f64> = normal();
            for marker in (0..whole.markers.len()).filter(|i| is_estimated(*i)) {
                let off = (shared + normal()) * (sd_m * 0.5f64.sqrt());
                positions_m[marker] = positions_m[marker].map(|at| at + off);
            }
            solver.solve_estimated(&positions_m, &variances_m2, &mut found);
            for joint in 0..subject.joints().len() {
                let off = found.joints_m[joint].unwrap() - truth.joints_m[joint].unwrap();
                let (place_m2, _) = found.left_open_by_estimates(joint).unwrap();
                let floor = Matrix3::from_diagonal_element(1e-8);
                let inverse = (place_m2 + floor).try_inverse().unwrap();
                if off.norm() > 1e-4 {
                    inside += usize::from(off.dot(&(inverse * off)) < 7.815);
                    all += 1;
                }
            }
        }
        let share = inside as f64 / f64::from(all);
        assert!(all > 200 && share > 0.9, "{labels:?}: {share} of {all}");
    }
}

#[test]
fn arms_are_placed_by_clavicles_that_have_no_markers() {
    let mut trial = person(6);
    trial.markers.retain(|marker| !["LSHO", "RSHO"].contains(&marker.name()));
    let solved = job::run(trial, &Options::default()).unwrap();
    let performer = &solved.performers[0];
    let is_clavicle = |name: &str| name.ends_with("clavicle");
    let segments = performer.subject.segments();
    let bare = segments.iter().filter(|s| is_clavicle(&s.name) && s.markers.is_empty()).count();
    assert_eq!(bare, 2, "the skeleton has clavicles without markers");
    for (joint, track) in performer.subject.joints().iter().zip(performer.motion.joints()) {
        assert_eq!(track.frames_present(), solved.trial.frames, "{}", joint.name);
    }
}

#[test]
fn points_that_are_on_nobody_are_not_filled() {
    let mut trial = person(7);
    let frames = trial.frames;
    let power = |frame: usize| {
        (!(100..105).contains(&frame)).then(|| Point3::new(0.0, 0.0, (0.1 * frame as f64).sin()))
    };
    trial.markers.push(Marker::from_positions("LAnklePower", (0..frames).map(power)));
    delete(&mut trial, &["LKNE"], 200..205);
    for fill in [Fill::Auto, Fill::Short] {
        let solved = job::run(trial.clone(), &by(fill)).unwrap();
        let of = |trial: &Trial, name: &str| {
            trial.markers.iter().find(|m| m.name() == name).unwrap().missing_samples()
        };
        assert_eq!(of(&solved.trial, "LAnklePower"), 5, "{fill:?}");
        assert_eq!(of(&solved.trial, "LKNE"), 0, "{fill:?}");
        assert_eq!(of(&solved.trial_with_gaps(), "LKNE"), 5, "{fill:?}: gaps as they were");
        let filled = Repair::GapsFilled { gaps: 1, samples: 5, left: 0 };
        assert!(solved.repairs.contains(&filled), "{:?}", solved.repairs);
    }
}

#[test]
fn angles_are_left_out_where_hardly_anything_shows_them() {
    let mut trial = person(8);
    // One marker of the thigh and one of the shank: the knee could be bent in any way.
    let hidden = ["LTHI", "LKNE", "LANK", "LHEE", "LTOE", "LMT5"];
    delete(&mut trial, &hidden, 300..340);
    let solved = job::run(trial, &by(Fill::Off)).unwrap();
    let knee = &solved.performers[0].angles.joints.iter().find(|j| j.name == "left knee").unwrap();
    assert!(knee.angles_rad[299].is_some() && knee.angles_rad[340].is_some());
    for frame in 300..340 {
        let sd_rad = knee.sds_rad[frame].unwrap_or(f64::INFINITY);
        assert!(knee.angles_rad[frame].is_none() || sd_rad < 0.35, "{frame}: {sd_rad}");
    }
    assert!((300..340).any(|frame| knee.angles_rad[frame].is_none()));
}

#[test]
fn a_joint_that_estimates_leave_nowhere_has_no_place() {
    let whole = person(9);
    let performance = job::run(whole.clone(), &by(Fill::Auto)).unwrap();
    let subject = &performance.performers[0].subject;
    let solver = Solver::new(subject, &whole.labels()).unwrap();
    let joint = |name: &str| subject.joints().iter().position(|joint| joint.name == name).unwrap();
    let (left, right) = (joint("left ankle"), joint("right ankle"));
    let mut positions_m = vec![None; whole.markers.len()];
    whole.positions_m(0, &mut positions_m);
    let mut pose = solver.pose();
    for (sd_m, is_placed) in [(0.01, true), (0.5, false)] {
        let is_estimated = |name: &str| ["LANK", "LHEE", "LTOE", "LMT5", "LSHN"].contains(&name);
        let sd_m = |name: &str| -> f64 { if is_estimated(name) { sd_m } else { 0.0 } };
        let variances_m2: Vec<f64> =
            whole.markers.iter().map(|marker| sd_m(marker.name()).powi(2)).collect();
        solver.solve_estimated(&positions_m, &variances_m2, &mut pose);
        assert_eq!(pose.joints_m[left].is_some(), is_placed);
        assert!(pose.joints_m[right].is_some());
    }
}

#[test]
fn an_estimate_that_contradicts_what_is_measured_does_not_turn_a_forearm_over() {
    let whole = person(5);
    let truth = job::run(whole.clone(), &by(Fill::Off)).unwrap();
    let subject = truth.performers[0].subject.clone();
    let elbow = subject.joints().iter().position(|joint| joint.name == "left elbow").unwrap();
    let [frm, wra, wrb] = ["LFRM", "LWRA", "LWRB"]
        .map(|label| whole.markers.iter().position(|marker| marker.name() == label).unwrap());
    let solver = Solver::new(&subject, &whole.labels()).unwrap();
    let mut pose = solver.pose();
    let mut positions_m = vec![None; whole.markers.len()];
    let mut variances_m2 = vec![0.0; whole.markers.len()];
    variances_m2[wra] = 0.02_f64.powi(2);
    for frame in (0..whole.frames).step_by(20) {
        whole.positions_m(frame, &mut positions_m);
        // On the other side of the two that are seen: four times as far off as it says, and farther.
        let [from_m, to_m] = [frm, wrb].map(|marker| positions_m[marker].unwrap());
        let at_m: Point3<f64> = positions_m[wra].unwrap();
        let along = (to_m - from_m).normalize();
        let across = (at_m - from_m) - along * (at_m - from_m).dot(&along);
        positions_m[wra] = Some(at_m - across * 2.0);
        solver.solve_estimated(&positions_m, &variances_m2, &mut pose);
        let wanted_m = truth.performers[0].motion.joint_m(frame, elbow).unwrap();
        let Some(found_m) = pose.joints_m[elbow] else { continue };
        let (apart_m, sd_m) = ((found_m - wanted_m).norm(), pose.joint_sds_m[elbow]);
        assert!(apart_m < 2.8 * sd_m, "frame {frame}: {apart_m} {sd_m}");
        assert!(apart_m < 0.03, "frame {frame}: {apart_m}");
    }
}
