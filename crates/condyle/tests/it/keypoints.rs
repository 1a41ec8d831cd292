//! People who were filmed without markers, through the main job.

use condyle::format::{ReadOptions, read_path};
use condyle::job::{self, Performance, RecordingKind, Repair};
use condyle::simulate::{Options, Performer, Routine, Simulation, simulate};
use condyle::statistics::mean;
use condyle::subject::CentreKnown;

use crate::recordings;

fn filmed(routine: Routine, seconds: f64, seed: u64, swaps: usize) -> Simulation {
    let rate_hz = 60.0;
    let options =
        Options { routine, seconds, rate_hz, seed, swaps, keypoints: true, ..Options::default() };
    simulate(&Performer::human(), &options).unwrap()
}

fn solved(simulation: &Simulation) -> Performance {
    job::run(simulation.trial.clone(), &job::Options::default()).unwrap()
}

/// Of all joints of limbs the mean distance from the truth, and the share of coordinates within 1.96 standard errors.
fn against_truth(simulation: &Simulation, performance: &Performance) -> (f64, f64) {
    let performer = &performance.performers[0];
    let (mut off_m, mut inside) = (Vec::new(), Vec::new());
    for (index, joint) in performer.subject.joints().iter().enumerate() {
        let Some(truth) = simulation.truth.joint(&joint.name) else { continue };
        if !joint.name.starts_with("left") && !joint.name.starts_with("right") {
            continue;
        }
        for frame in 0..performer.motion.frames() {
            let Some(at_m) = performer.motion.joint_m(frame, index) else { continue };
            let sd_m = performer.motion.joint_sd_m(frame, index).unwrap();
            let error_m = at_m - simulation.truth.joint_positions_m[frame][truth];
            off_m.push(error_m.norm());
            inside.extend(error_m.iter().map(|e| if e.abs() < 1.96 * sd_m { 1.0 } else { 0.0 }));
        }
    }
    (mean(off_m).unwrap(), mean(inside).unwrap())
}

#[test]
fn a_dozen_keypoints_give_one_person_with_named_joints() {
    let simulation = filmed(Routine::Walk, 4.0, 3, 0);
    let performance = solved(&simulation);
    assert_eq!(performance.kind(), RecordingKind::Keypoints);
    let [performer] = &performance.performers[..] else { panic!("one performer") };
    let names: Vec<&str> = performer.subject.joints().iter().map(|j| j.name.as_str()).collect();
    for joint in ["hip", "knee", "ankle", "shoulder", "elbow", "wrist"] {
        for side in ["left", "right"] {
            assert!(
                names.contains(&format!("{side} {joint}").as_str()),
                "{side} {joint}: {names:?}"
            );
        }
    }
    let (off_m, inside) = against_truth(&simulation, &performance);
    assert!(off_m < 0.035, "{off_m}");
    assert!(inside > 0.85, "{inside}");
}

#[test]
fn exchanged_legs_are_put_back_and_none_is_invented() {
    for seed in 11..15 {
        let simulation = filmed(Routine::Walk, 6.0, seed, 2);
        let performance = solved(&simulation);
        let mut found: Vec<(usize, usize, usize)> = Vec::new();
        for repair in &performance.repairs {
            if let Repair::SidesExchanged { pairs, frame, frames } = repair {
                found.push((*frame, *frames, pairs.len()));
            }
        }
        let mut truth: Vec<(usize, usize, usize)> = Vec::new();
        for swap in &simulation.truth.swaps {
            let (frame, frames) = (swap.frames.start, swap.frames.len());
            match truth.iter_mut().find(|(start, ..)| *start == frame) {
                Some(known) => known.2 += 1,
                None => truth.push((frame, frames, 1)),
            }
        }
        assert_eq!(found, truth, "seed {seed}");
        let clean = solved(&filmed(Routine::Walk, 6.0, seed, 0));
        let is_invented = |repair: &Repair| matches!(repair, Repair::SidesExchanged { .. });
        assert!(!clean.repairs.iter().any(is_invented), "seed {seed}");
    }
}

#[test]
fn a_subject_that_was_filmed_is_used_again() {
    let first = solved(&filmed(Routine::Rom, 8.0, 5, 0));
    let subject = first.performers[0].subject.clone();
    let again = filmed(Routine::Walk, 3.0, 5, 0);
    let mut options = job::Options::default();
    options.subject = Some(subject);
    let performance = job::run(again.trial.clone(), &options).unwrap();
    assert_eq!(performance.kind(), RecordingKind::Keypoints);
    let (off_m, _) = against_truth(&again, &performance);
    assert!(off_m < 0.04, "{off_m}");
}

#[test]
fn a_body_that_leaps_is_marked_as_bad() {
    let mut simulation = filmed(Routine::Walk, 4.0, 8, 0);
    for marker in &mut simulation.trial.markers {
        for frame in (100..130).filter(|frame| frame % 6 < 3) {
            let at_m =
                marker.position_m(frame).map(|at| at + nalgebra::Vector3::new(0.4, 0.0, 0.0));
            let origin = marker.origin(frame);
            marker.set(frame, at_m, origin);
        }
    }
    let performance = solved(&simulation);
    let bad: Vec<_> = performance
        .repairs
        .iter()
        .filter_map(|repair| match repair {
            Repair::BadStretch { frame, frames, .. } => Some(*frame..frame + frames),
            _ => None,
        })
        .collect();
    assert_eq!(bad.len(), 1, "{bad:?}");
    assert!(bad[0].start >= 90 && bad[0].end <= 140, "{bad:?}");
}

#[test]
fn public_recordings_give_one_person_each() {
    let Some(folder) = recordings::folder() else { return };
    for (file, joints) in [
        ("markerless/pose2sim_balancing.trc", 12),
        ("markerless/pose2sim_balancing_lstm.trc", 12),
        ("markerless/opencap_walk.trc", 12),
    ] {
        let path = folder.join(file);
        if !path.exists() {
            println!("skipped: {file} is not there");
            continue;
        }
        let trial = read_path(&path, &ReadOptions::default()).unwrap();
        let performance = job::run(trial, &job::Options::default()).unwrap();
        assert_eq!(performance.kind(), RecordingKind::Keypoints, "{file}");
        let [performer] = &performance.performers[..] else { panic!("{file}: one performer") };
        assert!(performer.subject.joints().len() >= joints, "{file}");
        let is_undetermined = |note: &condyle::trial::Note| note.code == "joints-undetermined";
        assert!(!performance.all_notes().iter().any(is_undetermined), "{file}");
        // Points of detectors are 30 to 40 mm from hips and shoulders, and so is what was predicted from them.
        for joint in performer.subject.joints() {
            let is_far = ["hip", "shoulder"].iter().any(|name| joint.name.ends_with(name));
            assert!(!is_far || joint.centre_known() != CentreKnown::Well, "{file}: {}", joint.name);
        }
    }
}

type Place = nalgebra::Point3<f64>;

#[test]
fn what_cannot_be_a_person_in_space_says_why() {
    let code = |change: &dyn Fn(usize, &str, Place) -> Option<Place>| {
        let mut trial = filmed(Routine::Walk, 2.0, 4, 0).trial;
        for (index, marker) in trial.markers.iter_mut().enumerate() {
            let label = marker.label.clone();
            for frame in 0..trial.frames {
                let at_m = marker.position_m(frame).and_then(|at| change(index, &label, at));
                let origin = marker.origin(frame);
                marker.set(frame, at_m, origin);
            }
        }
        let error = job::run(trial, &job::Options::default()).unwrap_err();
        error.code().unwrap_or_default().to_owned()
    };
    assert_eq!(code(&|_, _, at| Some(nalgebra::Point3::new(at.x, at.y, 0.0))), "keypoints-flat");
    let aside = nalgebra::Vector3::new(1.5, 0.0, 0.0);
    assert_eq!(
        code(&|index, _, at| Some(if index == 1 || index == 4 { at + aside } else { at })),
        "keypoints-mixed"
    );
    assert_eq!(
        code(&|_, label, at| Some(if label.starts_with('L') { at + aside } else { at })),
        "keypoints-mixed"
    );
    assert_eq!(code(&|_, _, at| Some(at * 0.3)), "keypoints-size");
    assert_eq!(code(&|_, label, at| (!label.ends_with("Shoulder")).then_some(at)), "keypoints-few");
    assert_eq!(code(&|_, label, at| (label != "LHip").then_some(at)), "keypoints-few");
}

/// A column of an OpenSim motion file.
fn column(path: &std::path::Path, name: &str) -> Vec<f64> {
    let text = std::fs::read_to_string(path).unwrap();
    let mut rows = text.lines().skip_while(|line| !line.starts_with("endheader")).skip(1);
    let at = rows.next().unwrap().split('\t').position(|title| title == name).unwrap();
    rows.map(|row| row.split('\t').nth(at).unwrap().trim().parse().unwrap()).collect()
}

/// The correlation of two signals, and the standard deviation of their difference.
fn alike(a: &[f64], b: &[f64]) -> (f64, f64) {
    let spread = |values: &[f64], others: &[f64]| {
        let (own, other) =
            (mean(values.iter().copied()).unwrap(), mean(others.iter().copied()).unwrap());
        mean(values.iter().zip(others).map(|(v, o)| (v - own) * (o - other))).unwrap()
    };
    let off: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).collect();
    (spread(a, b) / (spread(a, a) * spread(b, b)).sqrt(), spread(&off, &off).sqrt())
}

#[test]
fn twenty_keypoints_of_a_walk_bend_knees_as_the_files_own_model_does() {
    let Some(folder) = recordings::folder() else { return };
    let path = folder.join("markerless/opencap_walk.trc");
    if !path.exists() {
        println!("skipped: opencap_walk.trc is not there");
        return;
    }
    let mut trial = read_path(&path, &ReadOptions::default()).unwrap();
    trial.markers.retain(|marker| !marker.label.to_lowercase().ends_with("study"));
    assert_eq!(trial.markers.len(), 20);
    let performance = job::run(trial, &job::Options::default()).unwrap();
    let joints = &performance.performers[0].angles.joints;
    for (side, least, most_deg) in [("right", 0.98, 3.6), ("left", 0.97, 4.35)] {
        let flexion = |joint: &str| -> Vec<f64> {
            let found = joints.iter().find(|own| own.name == format!("{side} {joint}")).unwrap();
            found.angles_rad[60..].iter().map(|angles| angles.unwrap()[0].to_degrees()).collect()
        };
        let own = column(&path.with_extension("mot"), &format!("knee_angle_{}", &side[..1]));
        let (correlation, sd_deg) = alike(&flexion("knee"), &own[60..]);
        assert!(correlation > least && sd_deg < most_deg, "{side}: {correlation} {sd_deg}");
        // No foot is turned over.
        assert!(flexion("ankle").iter().all(|deg| deg.abs() < 60.0), "{side} ankle");
    }
}

#[test]
fn a_filmed_model_has_points_that_hold_its_poses() {
    let performance = solved(&filmed(Routine::Walk, 2.0, 6, 0));
    let performer = &performance.performers[0];
    let trial = condyle::opensim::with_posed_points(&performance);
    let model = condyle::opensim::model(&performance.trial, performer, None).unwrap();
    let added = &trial.markers[performance.trial.markers.len()..];
    // Three a segment that has a pose, all of them in the model, which has no keypoints to pull at them.
    let posed = (0..performer.subject.segments().len())
        .filter(|s| performer.motion.world_from_segment(30, *s).is_some())
        .count();
    assert_eq!(added.len(), 3 * posed, "{:?}", trial.labels());
    assert!(added.iter().all(|m| model.contains(&format!("<Marker name=\"{}\">", m.label))));
    assert!(!model.contains("<Marker name=\"LKnee\">"));
    let knee = performer.subject.joints().iter().position(|j| j.name == "left knee").unwrap();
    let origin = added.iter().find(|m| m.label == "left_shank_origin").unwrap();
    let apart_m = origin.position_m(30).unwrap() - performer.motion.joint_m(30, knee).unwrap();
    assert!(apart_m.norm() < 1e-6, "{apart_m}");
}
