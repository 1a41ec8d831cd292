//! Everyday recordings of many laboratories: whoever was recorded, the bones are those of a person.

use condyle::angles::ZeroPose;
use condyle::format::{ReadOptions, read_path};
use condyle::job::{self, Options, SolvedPerformer};
use condyle::simulate;
use condyle::trial::Origin;

use crate::recordings;

const PEOPLE: [&str; 16] = [
    "cmu/01_01.c3d",
    "cmu/02_01.c3d",
    "cmu/85_02.c3d",
    "hdm05/HDM_dg_06-03_03_120.c3d",
    "btkdata/PiG/PiG_Motion-FlatFoot-Full.c3d",
    "btkdata/PiG/PiG_Motion3_FF.c3d",
    "c3dorg/sample_03/gait-pig.c3d",
    "pycgm/Movement_trial.c3d",
    "wkiro/AJ026_Run_Comfortable1.c3d",
    "nimble/JA1Gait35.c3d",
    "opensim/walking2.c3d",
    "opensim/Rajagopal_motion_capture_walk.trc",
    "opensim/subject01_walk1.trc",
    "millard2017/stoop1.c3d",
    "ezc3d-testFiles/Qualisys.c3d",
    "pyorerun/Running_0002.c3d",
];

/// The distance between two joints in the frame in the middle, if both are placed there.
fn apart_m(performer: &SolvedPerformer, names: [&str; 2]) -> Option<f64> {
    let [a, b] = names.map(|name| performer.subject.joints().iter().position(|j| j.name == name));
    let (a, b) = (a?, b?);
    let motion = &performer.motion;
    (motion.frames() / 2..motion.frames())
        .find_map(|frame| Some((motion.joint_m(frame, a)? - motion.joint_m(frame, b)?).norm()))
}

#[test]
fn everyone_has_the_bones_of_a_person() {
    let Some(folder) = recordings::folder() else { return };
    let mut wrong = Vec::new();
    for name in PEOPLE {
        let trial = read_path(&folder.join(name), &ReadOptions::default()).unwrap();
        let performance = job::run(trial, &Options::default()).unwrap();
        let performer = &performance.performers[0];
        let between = |what: &str, value: Option<f64>, least: f64, most: f64| {
            let value = value?;
            (!(least..=most).contains(&value)).then(|| format!("{name}: {what} {value:.3}"))
        };
        let [thighs, shanks] = [["hip", "knee"], ["knee", "ankle"]].map(|ends| {
            ["left", "right"].map(|side| {
                let [a, b] = ends.map(|end| format!("{side} {end}"));
                apart_m(performer, [&a, &b])
            })
        });
        let ratio = |a: Option<f64>, b: Option<f64>| Some(a? / b?);
        let hips_m = apart_m(performer, ["left hip", "right hip"]);
        wrong.extend(between("m between the hips", hips_m, 0.12, 0.24));
        wrong.extend(between("left over right thigh", ratio(thighs[0], thighs[1]), 0.93, 1.07));
        wrong.extend(between("left over right shank", ratio(shanks[0], shanks[1]), 0.93, 1.07));
        wrong.extend(between("thigh over shank", ratio(thighs[0], shanks[0]), 0.85, 1.18));
        wrong.extend(between("m of thigh", thighs[0], 0.30, 0.55));
        println!("{name}: hips {hips_m:?}, thighs {thighs:?}, shanks {shanks:?}");
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_wrist_marker_is_at_the_end_of_its_forearm_whatever_it_is_called() {
    let Some(folder) = recordings::folder() else { return };
    // Its wrist markers are called WR: on a line with the elbow, they lay 100 mm beside a bone that nothing else held.
    let path = folder.join("nimble/JA1Gait35.c3d");
    let performance =
        job::run(read_path(&path, &ReadOptions::default()).unwrap(), &Options::default()).unwrap();
    let segments = performance.performers[0].subject.segments().iter();
    let forearms: Vec<_> = segments.filter(|own| own.name.ends_with("forearm")).collect();
    assert_eq!(forearms.len(), 2);
    for marker in forearms.iter().flat_map(|forearm| &forearm.markers) {
        let beside_m = marker.position_in_segment_m.coords.xy().norm();
        assert!(beside_m < 0.06, "{}: {beside_m} m beside the bone", marker.label);
    }
}

/// Feet whose heel, toe and ankle are nearly on a line, and one that has a toe alone.
const NARROW_FEET: [&str; 3] = [
    "c3dorg/sample_09/PlugInC3D.c3d",
    "c3dorg/sample_04/sub_labels.c3d",
    "pycgm/Movement_trial.c3d",
];

#[test]
fn feet_do_not_roll_over() {
    let Some(folder) = recordings::folder() else { return };
    for name in NARROW_FEET {
        let trial = read_path(&folder.join(name), &ReadOptions::default()).unwrap();
        let performance = job::run(trial, &Options::default()).unwrap();
        let angles = &performance.performers[0].angles;
        for ankle in angles.joints.iter().filter(|joint| joint.name.ends_with("ankle")) {
            let [_, [least, most], _] = ankle.range_rad.unwrap();
            let joint = &ankle.name;
            assert!(most - least < 2.0, "{name}: {joint} inverts by {least} to {most} rad");
        }
    }
}

/// A person who walks, with the markers of a set.
fn walker(seed: u64) -> condyle::Trial {
    let options = simulate::Options {
        routine: simulate::Routine::Walk,
        seconds: 5.0,
        marker_set: Some("cmu41".into()),
        noise_m: 5e-4,
        seed,
        ..Default::default()
    };
    simulate::simulate(&simulate::Performer::human(), &options).unwrap().trial
}

fn mean_deg(performance: &job::Performance, joint: &str) -> f64 {
    let joint = performance.performers[0].angles.joint(joint).unwrap();
    assert_eq!(joint.zero, ZeroPose::Anatomical, "{}", joint.name);
    let flexion = joint.angles_rad.iter().flatten().map(|angles| angles[0].to_degrees());
    let all: Vec<f64> = flexion.collect();
    all.iter().sum::<f64>() / all.len() as f64
}

#[test]
fn angles_do_not_depend_on_what_markers_are_called() {
    let trial = walker(5);
    let mut renamed = trial.clone();
    for marker in &mut renamed.markers {
        for (from, to) in [("FWT", "IAS"), ("BWT", "IPS")] {
            marker.label = marker.label.replace(from, to);
        }
    }
    let [one, other] = [trial, renamed].map(|trial| job::run(trial, &Options::default()).unwrap());
    for joint in ["left hip", "right hip", "left knee", "left ankle", "right elbow"] {
        let apart_deg = mean_deg(&one, joint) - mean_deg(&other, joint);
        // A belt's labels are believed a little less.
        assert!(apart_deg.abs() < 1.5, "{joint}: {apart_deg}");
    }
}

#[test]
fn a_joint_that_a_gap_hides_in_the_middle_is_known_as_well_as_elsewhere() {
    let mut trial = walker(6);
    let frames = trial.frames;
    let is_hidden = |label: &str| ["RSHN", "RANK", "RHEE", "RTOE", "RMT5"].contains(&label);
    for marker in trial.markers.iter_mut().filter(|marker| is_hidden(&marker.label)) {
        for frame in frames / 2 - 40..frames / 2 + 40 {
            marker.set(frame, None, Origin::Missing);
        }
    }
    let performance = job::run(trial, &Options::default()).unwrap();
    let joints = performance.performers[0].subject.joints();
    let ankle = |side: &str| {
        joints.iter().find(|joint| joint.name == format!("{side} ankle")).unwrap().worst_sd_m()
    };
    assert!(ankle("right") < 1.5 * ankle("left"), "{} {}", ankle("right"), ankle("left"));
}
