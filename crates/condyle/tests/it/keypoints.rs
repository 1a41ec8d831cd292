//! People who were filmed without markers, through the main job.

use condyle::format::{ReadOptions, read_path};
use condyle::gait::{self, EventsFrom};
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
    // Bones are constant, and it is said how far the keypoints would have them vary.
    let knee = names.iter().position(|name| *name == "left knee").unwrap();
    let varies_m = performer.motion.evidence().bone_sd_m[knee].unwrap();
    assert!((0.005..0.06).contains(&varies_m), "{varies_m}");
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
    assert_eq!(code(&|_, _, at| Some(at * 0.1)), "keypoints-size");
    let is_trunk = |label: &str| label.ends_with("Hip");
    assert_eq!(code(&|_, label, at| is_trunk(label).then_some(at)), "keypoints-few");
    assert_eq!(code(&|_, label, at| (label != "LHip").then_some(at)), "keypoints-few");
    let pixel = |at: Place| Place::new(960.0 + 300.0 * at.x, 1080.0 - 300.0 * at.z, at.y);
    assert_eq!(code(&|_, _, at| Some(pixel(at))), "keypoints-size");
}

#[test]
fn one_joint_alone_is_none_of_a_body() {
    for labels in [&["RKnee"][..], &["RKnee", "RAnkle"], &["RHip", "RKnee", "RAnkle"]] {
        let mut trial = filmed(Routine::Walk, 2.0, 4, 0).trial;
        trial.markers.retain(|marker| labels.contains(&marker.label.as_str()));
        let error = job::run(trial, &job::Options::default()).unwrap_err();
        assert_eq!(error.code(), Some("keypoints-few"), "{error}");
    }
}

#[test]
fn points_that_change_between_two_people_all_the_time_are_refused() {
    let [mut trial, other] = [4, 5].map(|seed| filmed(Routine::Walk, 2.0, seed, 0).trial);
    let aside = nalgebra::Vector3::new(0.8, 0.0, 0.0);
    for (index, marker) in trial.markers.iter_mut().enumerate() {
        for frame in (0..trial.frames).filter(|frame| (frame * 7 + index * 5) % 4 < 2) {
            let at_m = other.markers[index].position_m(frame).map(|at| at + aside);
            let origin = marker.origin(frame);
            marker.set(frame, at_m, origin);
        }
    }
    let error = job::run(trial, &job::Options::default()).unwrap_err();
    assert_eq!(error.code(), Some("keypoints-mixed"), "{error}");
}

#[test]
fn a_filmed_walk_has_its_strides() {
    for seed in [31, 32] {
        let simulation = filmed(Routine::Walk, 8.0, seed, 2);
        let performance = solved(&simulation);
        let of = |from| {
            gait::of_performance(&simulation.trial, Some(&performance), from)
                .unwrap()
                .remove(0)
                .gait
        };
        let (own, true_events) = (of(EventsFrom::Markers), of(EventsFrom::File).events);
        let strides = own.strides.len();
        assert!(strides >= 7, "{strides} strides, {:?}", own.notes);
        let off_s = own.events.iter().map(|event| {
            let same = true_events.iter().filter(|t| (t.side, t.kind) == (event.side, event.kind));
            let off_s = same.map(|t| (t.time_s - event.time_s).abs());
            (off_s.min_by(f64::total_cmp).unwrap(), event.sd_s)
        });
        let off_s: Vec<(f64, f64)> = off_s.collect();
        let inside = off_s.iter().filter(|(off_s, sd_s)| *off_s < 1.96 * sd_s).count();
        assert!(10 * inside >= 9 * off_s.len(), "{off_s:?}");
    }
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

/// The bad stretches of a recording, and why.
fn bad_stretches(performance: &Performance) -> Vec<(std::ops::Range<usize>, String)> {
    let of_repair = |repair: &Repair| match repair {
        Repair::BadStretch { frame, frames, why, .. } => {
            Some((*frame..frame + frames, why.clone()))
        }
        _ => None,
    };
    performance.repairs.iter().filter_map(of_repair).collect()
}

#[test]
fn two_seconds_of_another_person_are_bad_from_end_to_end() {
    let mut simulation = filmed(Routine::Walk, 8.0, 8, 0);
    for marker in &mut simulation.trial.markers {
        for frame in 200..320 {
            let aside = nalgebra::Vector3::new(0.3, 0.9, 0.0);
            let at_m = marker.position_m(frame).map(|at| at + aside);
            let origin = marker.origin(frame);
            marker.set(frame, at_m, origin);
        }
    }
    let bad = bad_stretches(&solved(&simulation));
    assert_eq!(bad.len(), 1, "{bad:?}");
    assert!((190..=200).contains(&bad[0].0.start), "{bad:?}");
    assert!((320..=330).contains(&bad[0].0.end), "{bad:?}");
}

#[test]
fn half_a_second_that_repeats_is_said_and_missing() {
    let mut simulation = filmed(Routine::Walk, 4.0, 8, 0);
    assert!(bad_stretches(&solved(&simulation)).is_empty());
    for marker in &mut simulation.trial.markers {
        let held_m = marker.position_m(100).or_else(|| marker.position_m(99));
        for frame in 100..130 {
            let origin = condyle::trial::Origin::Measured;
            marker.set(frame, held_m, origin);
        }
    }
    let performance = solved(&simulation);
    let bad = bad_stretches(&performance);
    assert!(
        bad.iter().any(|(frames, why)| {
            frames.start <= 101 && frames.end >= 130 && why.contains("repeat the frame before")
        }),
        "{bad:?}"
    );
    assert!(performance.trial.markers.iter().all(|m| m.position_m(115).is_none()));
}

#[test]
fn points_of_two_people_under_the_same_names_are_refused() {
    for suffix in ["", "_2"] {
        let mut trial = filmed(Routine::Walk, 2.0, 4, 0).trial;
        let mut other = trial.markers.clone();
        for marker in &mut other {
            marker.label.push_str(suffix);
            for frame in 0..trial.frames {
                let aside = nalgebra::Vector3::new(0.0, 1.2, 0.0);
                let at_m = marker.position_m(frame).map(|at| at + aside);
                let origin = marker.origin(frame);
                marker.set(frame, at_m, origin);
            }
        }
        trial.markers.extend(other);
        let error = job::run(trial, &job::Options::default()).unwrap_err();
        assert_eq!(error.code(), Some("keypoints-mixed"), "{error}");
    }
}

#[test]
fn a_recording_that_freezes_for_good_is_bad_from_then_on() {
    let mut simulation = filmed(Routine::Walk, 4.0, 8, 0);
    for marker in &mut simulation.trial.markers {
        let held_m = marker.position_m(80).or_else(|| marker.position_m(79));
        for frame in 80..240 {
            marker.set(frame, held_m, condyle::trial::Origin::Measured);
        }
    }
    let bad = bad_stretches(&solved(&simulation));
    assert!(
        bad.iter().any(|(frames, why)| {
            frames.start <= 81 && frames.end == 240 && why.contains("repeat the frame before")
        }),
        "{bad:?}"
    );
}

#[test]
fn one_frame_over_and_over_is_said() {
    let mut trial = filmed(Routine::Walk, 2.0, 4, 0).trial;
    for marker in &mut trial.markers {
        let held_m = (0..trial.frames).find_map(|frame| marker.position_m(frame));
        for frame in 0..trial.frames {
            marker.set(frame, held_m, condyle::trial::Origin::Measured);
        }
    }
    let performance = job::run(trial, &job::Options::default()).unwrap();
    let is_said = |note: &condyle::trial::Note| note.code == "keypoints-frozen";
    assert!(performance.all_notes().iter().any(is_said));
}

#[test]
fn two_names_of_one_hip_are_one_hip() {
    let mut trial = filmed(Routine::Walk, 2.0, 4, 0).trial;
    trial.markers.retain(|marker| marker.label != "RHip");
    let mut again = trial.markers.iter().find(|m| m.label == "LHip").unwrap().clone();
    again.label = "left_hip".into();
    trial.markers.push(again);
    let error = job::run(trial, &job::Options::default()).unwrap_err();
    assert_eq!(error.code(), Some("keypoints-few"), "{error}");
}

#[test]
fn keypoints_without_a_rate_need_one() {
    let mut trial = filmed(Routine::Walk, 2.0, 4, 0).trial;
    trial.rate_hz = 0.0;
    let error = job::run(trial, &job::Options::default()).unwrap_err();
    assert_eq!(error.code(), Some("rate-missing"), "{error}");
}

#[test]
fn legs_alone_give_a_skeleton_of_legs() {
    let mut simulation = filmed(Routine::Walk, 4.0, 4, 0);
    let is_leg = |label: &str| ["Hip", "Knee", "Ankle"].iter().any(|end| label.ends_with(end));
    simulation.trial.markers.retain(|marker| is_leg(&marker.label));
    let performance = solved(&simulation);
    let names: Vec<&str> =
        performance.performers[0].subject.joints().iter().map(|j| j.name.as_str()).collect();
    for joint in ["left hip", "right hip", "left knee", "right knee", "left ankle"] {
        assert!(names.contains(&joint), "{joint}: {names:?}");
    }
    let is_said = |note: &condyle::trial::Note| note.code == "pelvis-tilt-assumed";
    assert!(performance.all_notes().iter().any(is_said));
    let (off_m, _) = against_truth(&simulation, &performance);
    assert!(off_m < 0.045, "{off_m}");
}

#[test]
fn a_small_body_is_no_picture() {
    let simulation = filmed(Routine::Walk, 3.0, 4, 0);
    let mut trial = simulation.trial.clone();
    for marker in &mut trial.markers {
        for frame in 0..trial.frames {
            let at_m = marker.position_m(frame).map(|at| at * 0.3);
            let origin = marker.origin(frame);
            marker.set(frame, at_m, origin);
        }
    }
    let performance = job::run(trial, &job::Options::default()).unwrap();
    let is_said = |note: &condyle::trial::Note| note.code == "keypoints-small";
    assert!(performance.all_notes().iter().any(is_said));
    let mut scaled = simulation;
    for joints in &mut scaled.truth.joint_positions_m {
        joints.iter_mut().for_each(|at| *at *= 0.3);
    }
    let (off_m, _) = against_truth(&scaled, &performance);
    assert!(off_m < 0.02, "{off_m}");
}

#[test]
fn points_under_the_names_of_another_set_are_refused() {
    let trial = filmed(Routine::Walk, 2.0, 4, 0).trial;
    let place = |label: &str, frame: usize| {
        let marker = trial.markers.iter().find(|marker| marker.label == label).unwrap();
        (0..trial.frames).map(|f| (frame + f) % trial.frames).find_map(|f| marker.position_m(f))
    };
    // What is not simulated is put where it is about: the face above the shoulders, feet in front of ankles.
    let at = |name: &str, frame: usize| -> nalgebra::Point3<f64> {
        let (side, rest) = name.split_at(1);
        let of = |joint: &str| place(&format!("{side}{joint}"), frame).unwrap();
        let middle = |joint: &str| {
            let [l, r] = ["L", "R"].map(|side| place(&format!("{side}{joint}"), frame).unwrap());
            nalgebra::center(&l, &r)
        };
        let apart = if side == "L" { 0.03 } else { -0.03 };
        match rest {
            "Hip" | "Knee" | "Ankle" | "Shoulder" | "Elbow" | "Wrist" => of(rest),
            "BigToe" | "SmallToe" | "FootIndex" => {
                of("Ankle") + nalgebra::Vector3::new(0.15, 0.0, -0.06)
            }
            "Heel" => of("Ankle") + nalgebra::Vector3::new(-0.05, 0.0, -0.05),
            "Pinky" | "Index" | "Thumb" => of("Wrist") + nalgebra::Vector3::new(0.0, apart, -0.08),
            "eck" => middle("Shoulder"),
            "ip" | "idHip" => middle("Hip"),
            _ => middle("Shoulder") + nalgebra::Vector3::new(0.1, apart, 0.2),
        }
    };
    let both = |word: &str| match word.strip_prefix('?') {
        Some(name) => vec![format!("L{name}"), format!("R{name}")],
        None => vec![word.to_owned()],
    };
    let sets = [
        ("coco17", "Nose ?Eye ?Ear ?Shoulder ?Elbow ?Wrist ?Hip ?Knee ?Ankle"),
        (
            "halpe26",
            "Nose ?Eye ?Ear ?Shoulder ?Elbow ?Wrist ?Hip ?Knee ?Ankle Xead Neck Hip ?BigToe ?SmallToe ?Heel",
        ),
        (
            "body25",
            "Nose Neck RShoulder RElbow RWrist LShoulder LElbow LWrist midHip RHip RKnee RAnkle LHip LKnee \
          LAnkle REye LEye REar LEar LBigToe LSmallToe LHeel RBigToe RSmallToe RHeel",
        ),
        (
            "mediapipe",
            "Nose LEye LEye LEye REye REye REye ?Ear ?Mouth ?Shoulder ?Elbow ?Wrist ?Pinky ?Index ?Thumb \
          ?Hip ?Knee ?Ankle ?Heel ?FootIndex",
        ),
        (
            "opencap20",
            "Neck RShoulder RElbow RWrist LShoulder LElbow LWrist midHip RHip RKnee RAnkle LHip LKnee LAnkle \
          LBigToe LSmallToe LHeel RBigToe RSmallToe RHeel",
        ),
    ];
    for (own, words) in sets {
        let names: Vec<String> = words.split_whitespace().flat_map(both).collect();
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        let header = format!(
            "{{'descr': '<f8', 'fortran_order': False, 'shape': ({}, {}, 3), }}\n",
            trial.frames,
            names.len()
        );
        bytes.extend(u16::try_from(header.len()).unwrap().to_le_bytes());
        bytes.extend(header.as_bytes());
        for frame in 0..trial.frames {
            for name in &names {
                at(name, frame).iter().for_each(|value| bytes.extend(value.to_le_bytes()));
            }
        }
        for (set, _) in sets {
            let options = ReadOptions {
                point_set: Some(set.into()),
                rate_hz: Some(60.0),
                ..ReadOptions::default()
            };
            let outcome = condyle::format::npy::read(&bytes, &options)
                .and_then(|trial| job::run(trial, &job::Options::default()));
            // The first 17 of HALPE_26 are COCO-17.
            let is_right = own == set || (own, set) == ("halpe26", "coco17");
            let what = outcome.as_ref().err().map(ToString::to_string);
            assert_eq!(outcome.is_ok(), is_right, "{own} as {set}: {what:?}");
        }
    }
}
