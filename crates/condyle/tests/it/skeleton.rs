//! The skeleton of a simulated performer, against its truth.

use std::collections::HashSet;

use condyle::calibrate::{Calibration, SegmentFrame};
use condyle::plan::Performer as Plan;
use condyle::rigid::{Pair, place};
use condyle::simulate::{Options, Performer, Routine, Simulation, simulate};
use condyle::solve::{self, PlacedBy, Solver};
use condyle::subject::Subject;
use condyle::trial::{Origin, Trial};

fn rom(seed: u64, noise_m: f64) -> Simulation {
    let options =
        Options { routine: Routine::Rom, seconds: 12.0, noise_m, seed, ..Options::default() };
    simulate(&Performer::human(), &options).unwrap()
}

fn plan(simulation: &Simulation) -> &Plan {
    &simulation.truth.plan.performers[0]
}

fn calibrate(plan: &Plan, trials: &[&Trial]) -> Subject {
    let mut calibration = Calibration::new(plan, &trials[0].labels()).unwrap();
    for trial in trials {
        let mut positions_m = vec![None; trial.markers.len()];
        for frame in 0..trial.frames {
            trial.positions_m(frame, &mut positions_m);
            calibration.push(&positions_m);
        }
    }
    calibration.fit().unwrap()
}

/// The median distance of every solved joint from the truth, in millimetres.
fn world_errors_mm(simulation: &Simulation, subject: &Subject) -> Vec<f64> {
    let (trial, truth) = (&simulation.trial, &simulation.truth);
    let solved = solve::solve_trial(subject, trial).unwrap();
    let mut errors = Vec::new();
    for (index, joint) in subject.joints().iter().enumerate() {
        let number = truth.joints.iter().position(|t| t.child == joint.child).unwrap();
        let mut all: Vec<f64> = solved.joints()[index]
            .iter_m()
            .zip(&truth.joint_positions_m)
            .filter_map(|(found, truth)| Some((found? - truth[number]).norm() * 1e3))
            .collect();
        all.sort_by(f64::total_cmp);
        errors.push(all[all.len() / 2]);
    }
    errors
}

#[test]
fn without_noise_every_joint_is_exact() {
    let simulation = rom(3, 0.0);
    let subject = calibrate(plan(&simulation), &[&simulation.trial]);
    assert_eq!(subject.joints().len(), simulation.truth.joints.len());
    let errors = world_errors_mm(&simulation, &subject);
    println!("{errors:?}");
    assert!(errors.iter().all(|error| *error < 1e-3), "{errors:?}");
}

#[test]
fn with_a_millimetre_of_noise_joints_are_within_a_millimetre_and_a_half() {
    let simulation = rom(4, 1e-3);
    let subject = calibrate(plan(&simulation), &[&simulation.trial]);
    let mut errors = world_errors_mm(&simulation, &subject);
    println!("{errors:?}");
    errors.sort_by(f64::total_cmp);
    assert!(errors[errors.len() / 2] < 1.5, "{errors:?}");
    assert!(errors[errors.len() - 1] < 4.0, "{errors:?}");
}

#[test]
fn triads_are_exact_without_noise_and_noisier_with_it() {
    let by = |simulation: &Simulation, rule: SegmentFrame| {
        let trial = &simulation.trial;
        let mut calibration = Calibration::new(plan(simulation), &trial.labels()).unwrap();
        calibration.set_segment_frame(rule);
        let mut positions_m = vec![None; trial.markers.len()];
        for frame in 0..trial.frames {
            trial.positions_m(frame, &mut positions_m);
            calibration.push(&positions_m);
        }
        let errors = world_errors_mm(simulation, &calibration.fit().unwrap());
        errors.iter().sum::<f64>() / errors.len() as f64
    };
    assert!(by(&rom(3, 0.0), SegmentFrame::Triads) < 1e-3);
    let noisy = rom(4, 3e-3);
    let [all, triads] =
        [SegmentFrame::AllMarkers, SegmentFrame::Triads].map(|rule| by(&noisy, rule));
    println!("mean error {all:.2} mm by all markers, {triads:.2} mm by triads");
    assert!(triads > all, "{all} {triads}");
}

/// How many joints of a simulated trial are within their 95 % ellipsoids, and how many there are.
fn covered(simulation: &Simulation) -> (usize, usize) {
    let subject = calibrate(plan(simulation), &[&simulation.trial]);
    let truth = &simulation.truth;
    let mut covered = 0;
    for joint in subject.joints() {
        let t = truth.joints.iter().find(|t| t.child == joint.child).unwrap();
        let fitted = &subject.segments()[joint.parent].markers;
        let markers = &plan(simulation).segments[joint.parent].markers;
        let pairs = fitted.iter().zip(markers).map(|(fitted, marker)| Pair {
            in_segment_m: truth.markers[*marker].in_segment_m,
            in_world_m: fitted.position_in_segment_m,
            weight: 1.0,
        });
        let fitted_from_true = place(pairs).unwrap().world_from_segment;
        let error = joint.centre_in_parent_m - fitted_from_true * t.centre_in_parent_m;
        let information = joint.covariance_m2.try_inverse().unwrap();
        // The 95 % quantile of a chi-square with three degrees of freedom.
        covered += usize::from(error.dot(&(information * error)) <= 7.815);
    }
    (covered, subject.joints().len())
}

#[test]
fn error_bars_are_honest() {
    let all = (10..18).map(|seed| covered(&rom(seed, 1e-3)));
    let (covered, count) = all.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    let share = covered as f64 / count as f64;
    println!("{covered} of {count} within their 95 % ellipsoids: {share:.3}");
    // 112 joints: three standard errors about 95 % are 6 %.
    assert!((0.87..=1.0).contains(&share), "{share}");
}

#[test]
fn error_bars_stay_honest_on_moving_skin_and_where_little_moves() {
    for (routine, skin_m) in [(Routine::Rom, 5e-3), (Routine::Walk, 5e-3), (Routine::Walk, 0.0)] {
        let (mut inside, mut count) = (0, 0);
        for seed in 0..6 {
            let options = Options {
                routine,
                seconds: 12.0,
                noise_m: if skin_m > 0.0 { 5e-4 } else { 1e-3 },
                skin_m,
                seed,
                ..Options::default()
            };
            let (covered, joints) = covered(&simulate(&Performer::human(), &options).unwrap());
            (inside, count) = (inside + covered, count + joints);
        }
        println!("{routine:?}: {inside} of {count} within their 95 % ellipsoids");
        assert!(inside as f64 >= 0.88 * count as f64, "{routine:?}: {inside} of {count}");
    }
}

#[test]
fn live_calibration_ends_at_the_batch_answer_and_gets_surer_on_the_way() {
    let simulation = rom(5, 1e-3);
    let (trial, plan) = (&simulation.trial, plan(&simulation));
    let batch = calibrate(plan, &[trial]);
    let mut live = Calibration::new(plan, &trial.labels()).unwrap();
    let mut positions_m = vec![None; trial.markers.len()];
    let mut sds_m = Vec::new();
    for frame in 0..trial.frames {
        trial.positions_m(frame, &mut positions_m);
        live.push(&positions_m);
        if [trial.frames / 4, trial.frames / 2, trial.frames - 1].contains(&frame) {
            let so_far = live.fit().unwrap();
            let mut all: Vec<f64> = so_far.joints().iter().map(|j| j.worst_sd_m()).collect();
            all.sort_by(f64::total_cmp);
            sds_m.push(all[all.len() / 2]);
        }
    }
    let ended = live.fit().unwrap();
    for (a, b) in ended.joints().iter().zip(batch.joints()) {
        assert!((a.centre_in_parent_m - b.centre_in_parent_m).norm() < 1e-9);
        assert!((a.covariance_m2 - b.covariance_m2).norm() < 1e-12);
    }
    assert!(sds_m.windows(2).all(|pair| pair[1] < pair[0]), "{sds_m:?}");
}

#[test]
fn bones_keep_their_lengths_exactly_in_every_frame() {
    let simulation = rom(6, 2e-3);
    let subject = calibrate(plan(&simulation), &[&simulation.trial]);
    let solved = solve::solve_trial(&subject, &simulation.trial).unwrap();
    for (index, joint) in subject.joints().iter().enumerate() {
        let Some(length_m) = subject.bone_length_m(joint.child) else { continue };
        let from = subject.joints().iter().position(|j| j.child == joint.parent).unwrap();
        for frame in 0..solved.frames() {
            let ends = solved.joint_m(frame, index).zip(solved.joint_m(frame, from));
            let Some((far, near)) = ends else { continue };
            assert!(((far - near).norm() - length_m).abs() < 1e-12, "{}", joint.name);
        }
    }
}

#[test]
fn constants_of_one_trial_pose_another_and_several_trials_merge() {
    // Check 23 of the specification.
    let (first, second) = (rom(7, 0.0), rom(8, 0.0));
    let subject = calibrate(plan(&first), &[&first.trial]);
    let errors = world_errors_mm(&second, &subject);
    assert!(errors.iter().all(|error| *error < 1e-3), "{errors:?}");
    let (noisy_a, noisy_b) = (rom(7, 1e-3), rom(8, 1e-3));
    let one = calibrate(plan(&noisy_a), &[&noisy_a.trial]);
    let both = calibrate(plan(&noisy_a), &[&noisy_a.trial, &noisy_b.trial]);
    let total = |subject: &Subject| subject.joints().iter().map(|j| j.worst_sd_m()).sum::<f64>();
    assert!(total(&both) < 0.9 * total(&one), "{} {}", total(&both), total(&one));
}

#[test]
fn a_subject_file_gives_the_same_subject_back() {
    let simulation = rom(9, 1e-3);
    let subject = calibrate(plan(&simulation), &[&simulation.trial]);
    let text = subject.to_json().unwrap();
    let again = Subject::from_json(&text).unwrap();
    assert!(again.segments() == subject.segments(), "segments differ");
    for (a, b) in again.joints().iter().zip(subject.joints()) {
        assert_eq!((a.name.as_str(), a.covariance_m2), (b.name.as_str(), b.covariance_m2));
        assert_eq!(a.centre_in_parent_m, b.centre_in_parent_m);
    }
    let newer = text.replacen("\"version\": 2", "\"version\": 3", 1);
    let error = Subject::from_json(&newer).unwrap_err().to_string();
    assert!(error.contains("need version 1 to 2, got 3"), "{error}");
    for cut in (0..text.len()).step_by(997) {
        assert!(Subject::from_json(&text[..cut]).is_err());
    }
}

#[test]
fn markers_that_are_hidden_leave_the_rest_in_place() {
    // A third of all samples is gone: what can still be placed is where it was.
    let simulation = rom(10, 0.0);
    let subject = calibrate(plan(&simulation), &[&simulation.trial]);
    let trial = &simulation.trial;
    let solver = Solver::new(&subject, &trial.labels()).unwrap();
    let mut pose = solver.pose();
    let mut positions_m = vec![None; trial.markers.len()];
    let (mut placed, mut all) = (0, 0);
    for frame in (0..trial.frames).step_by(7) {
        trial.positions_m(frame, &mut positions_m);
        for (marker, position_m) in positions_m.iter_mut().enumerate() {
            if (marker * 7 + frame * 3) % 10 < 3 {
                *position_m = None;
            }
        }
        solver.solve(&positions_m, &mut pose);
        for (joint_m, joint) in pose.joints_m.iter().zip(subject.joints()) {
            let number =
                simulation.truth.joints.iter().position(|t| t.child == joint.child).unwrap();
            all += 1;
            if let Some(joint_m) = joint_m {
                placed += 1;
                assert!(joint_m.coords.iter().all(|v| v.is_finite()));
                let error_m = (joint_m - simulation.truth.joint_positions_m[frame][number]).norm();
                assert!(error_m < 0.05, "{}: {error_m}", joint.name);
            }
        }
    }
    assert!(10 * placed > 8 * all, "{placed} of {all}");
}

#[test]
fn columns_hold_every_pose_bit_for_bit_and_say_how_it_was_placed() {
    let mut simulation = rom(12, 1e-3);
    let subject = calibrate(plan(&simulation), &[&simulation.trial]);
    let trial = &mut simulation.trial;
    for (index, marker) in trial.markers.iter_mut().enumerate() {
        for frame in (0..trial.frames).filter(|frame| (index * 7 + frame * 3) % 10 < 4) {
            marker.set(frame, None, Origin::Missing);
        }
    }
    let solved = solve::solve_trial(&subject, trial).unwrap();
    assert_eq!(solved.frames(), trial.frames);
    let solver = Solver::new(&subject, &trial.labels()).unwrap();
    let mut pose = solver.pose();
    let mut positions_m = vec![None; trial.markers.len()];
    let mut seen = HashSet::new();
    for frame in 0..trial.frames {
        trial.positions_m(frame, &mut positions_m);
        solver.solve(&positions_m, &mut pose);
        for (index, joint) in subject.joints().iter().enumerate() {
            let track = &solved.joints()[index];
            assert_eq!(track.position_m(frame), pose.joints_m[index]);
            let sides = [pose.placed[joint.parent], pose.placed[joint.child]];
            let present = sides.into_iter().filter(|side| side.is_present());
            assert_eq!(track.placed()[frame], present.min().unwrap_or(PlacedBy::Missing));
        }
        for (index, track) in solved.segments().iter().enumerate() {
            assert_eq!(track.world_from_segment(frame), pose.world_from_segments[index]);
            assert_eq!(track.origin().placed()[frame], pose.placed[index]);
            let wxyz = track.orientations_wxyz()[frame];
            let norm: f64 = wxyz.iter().map(|v| v * v).sum();
            match pose.placed[index].is_present() {
                true => assert!((norm - 1.0).abs() < 1e-12),
                false => assert!(norm.is_nan()),
            }
            seen.insert(pose.placed[index]);
        }
    }
    assert_eq!(seen.len(), 4, "{seen:?}");
    // As other languages look at them: numbers side by side, three and four a frame.
    let track = &solved.segments()[0];
    let numbers: &[f64] = track.origin().positions_m().as_flattened();
    assert_eq!(numbers.len(), 3 * trial.frames);
    // By bits: what is missing is NaN.
    let second = track.origin().positions_m()[1].map(f64::to_bits);
    assert_eq!([3, 4, 5].map(|at| numbers[at].to_bits()), second);
    assert_eq!(track.orientations_wxyz().as_flattened().len(), 4 * trial.frames);
    let counts = [PlacedBy::ByMarkers, PlacedBy::WithJoints, PlacedBy::TwistOpen]
        .map(|how| track.origin().frames_placed(how));
    assert_eq!(counts.iter().sum::<usize>(), track.origin().frames_present());
    // There is nothing beyond the last frame, segment or joint.
    assert_eq!(solved.joint_m(trial.frames, 0), None);
    assert_eq!(solved.joint_m(0, subject.joints().len()), None);
    assert_eq!(solved.world_from_segment(0, subject.segments().len()), None);
}

#[test]
fn nothing_seen_is_nothing_placed() {
    let simulation = rom(11, 0.0);
    let subject = calibrate(plan(&simulation), &[&simulation.trial]);
    let labels = simulation.trial.labels();
    let solver = Solver::new(&subject, &labels).unwrap();
    let mut pose = solver.pose();
    solver.solve(&vec![None; labels.len()], &mut pose);
    assert!(pose.joints_m.iter().all(Option::is_none));
    assert!(pose.world_from_segments.iter().all(Option::is_none));
    let error = Solver::new(&subject, &["a", "b", "c"]).unwrap_err().to_string();
    assert!(error.contains("another performer"), "{error}");
}

#[test]
fn no_movement_is_said_to_be_none() {
    let simulation = rom(12, 1e-3);
    let trial = &simulation.trial;
    let mut calibration = Calibration::new(plan(&simulation), &trial.labels()).unwrap();
    let mut positions_m = vec![None; trial.markers.len()];
    trial.positions_m(0, &mut positions_m);
    for _ in 0..100 {
        calibration.push(&positions_m);
    }
    let subject = calibration.fit().unwrap();
    for joint in subject.joints() {
        assert_eq!(joint.kind, condyle::subject::JointKind::Fixed, "{}", joint.name);
        assert!(joint.advice.is_some() && joint.worst_sd_m() > 0.01, "{}", joint.name);
    }
    let empty = Calibration::new(plan(&simulation), &trial.labels()).unwrap();
    assert!(empty.fit().unwrap_err().to_string().contains("need one with 3 markers"));
}
