//! `condyle simulate`: what it writes, and what it refuses.
use crate::run::{self, condyle_in, files};
use condyle::format::{ReadOptions, read_path};
use condyle::trial::Axis;
use nalgebra::Point3;
use std::fs;
use std::path::Path;

const FILES: [&str; 4] = ["recording.c3d", "truth.json", "truth_joints.csv", "truth_poses.csv"];

fn read(path: &Path) -> condyle::Trial {
    read_path(path, &ReadOptions::default()).unwrap()
}

/// A short walk in the folder `walk`, with further arguments.
fn walk(folder: &Path, more: &[&str]) -> run::Ran {
    let args = ["simulate", "-o", "walk", "--routine", "walk", "--seconds", "2", "--rate", "50"];
    condyle_in(folder, &[&args, more].concat())
}

fn truth(folder: &Path) -> serde_json::Value {
    serde_json::from_str(&fs::read_to_string(folder.join("walk/truth.json")).unwrap()).unwrap()
}

#[test]
fn writes_a_recording_and_its_truth() {
    let folder = tempfile::tempdir().unwrap();
    let ran = walk(folder.path(), &[]).expect(0);
    assert!(ran.stderr.starts_with("wrote walk: recording.c3d (48 markers, 100 frames at 50 Hz)"));
    assert_eq!(files(&folder.path().join("walk")), FILES);
    let recording = read(&folder.path().join("walk/recording.c3d"));
    assert_eq!((recording.markers.len(), recording.frames, recording.rate_hz), (48, 100, 50.0));
    assert_eq!(recording.source.up, Some(Axis::Z));
    assert!(recording.events.iter().any(|event| event.label == "Foot Strike"));
    let joints = fs::read_to_string(folder.path().join("walk/truth_joints.csv")).unwrap();
    assert!(joints.starts_with("frame,time_s,waist_x,waist_y,waist_z,neck_x,"), "{joints}");
    assert_eq!(joints.lines().count(), 101);
    assert_eq!(read(&folder.path().join("walk/truth_joints.csv")).markers.len(), 14);
    assert_eq!(read(&folder.path().join("walk/truth_poses.csv")).bodies.len(), 15);
}

#[test]
fn the_files_agree_with_each_other_to_the_last_digit_in_csv() {
    let folder = tempfile::tempdir().unwrap();
    walk(folder.path(), &["--to", "csv", "--performers", "2"]).expect(0);
    let recording = read(&folder.path().join("walk/recording.csv"));
    let joints = read(&folder.path().join("walk/truth_joints.csv"));
    let poses = read(&folder.path().join("walk/truth_poses.csv"));
    let truth = truth(folder.path());
    let pose = |name: &serde_json::Value, frame: usize| {
        let name = name.as_str().unwrap();
        *poses.bodies.iter().find(|b| b.name == name).unwrap().world_from_body(frame).unwrap()
    };
    let point = |value: &serde_json::Value| {
        let [x, y, z] = [0, 1, 2].map(|axis| value[axis].as_f64().unwrap());
        Point3::new(x, y, z)
    };
    let mut compared = 0;
    for segment in truth["segments"].as_array().unwrap() {
        for marker in segment["markers"].as_array().unwrap() {
            let seen = recording.marker(marker["label"].as_str().unwrap()).unwrap();
            for frame in [0, 50, 99] {
                let expected = pose(&segment["name"], frame) * point(&marker["position_m"]);
                assert!((seen.position_m(frame).unwrap() - expected).norm() < 1e-12);
                compared += 1;
            }
        }
    }
    assert_eq!(compared, 2 * 48 * 3);
    for joint in truth["joints"].as_array().unwrap() {
        let seen = joints.marker(joint["name"].as_str().unwrap()).unwrap();
        for (segment, centre) in [("parent", "centre_in_parent_m"), ("child", "centre_in_child_m")]
        {
            let expected = pose(&joint[segment], 42) * point(&joint[centre]);
            assert!((seen.position_m(42).unwrap() - expected).norm() < 1e-12);
        }
    }
}

#[test]
fn the_same_seed_writes_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let disturbed = ["--noise-mm", "1", "--skin-mm", "5", "--occlusion", "0.1", "--swaps", "2"];
    let bytes = |more: &[&str]| {
        walk(folder.path(), &[&disturbed, more, &["--force"]].concat()).expect(0);
        FILES.map(|name| fs::read(folder.path().join("walk").join(name)).unwrap())
    };
    let once = bytes(&["--seed", "3"]);
    assert_eq!(once, bytes(&["--seed", "3"]));
    assert_ne!(once[0], bytes(&["--seed", "4"])[0]);
}

#[test]
fn the_truth_lists_swaps_and_gaps() {
    let folder = tempfile::tempdir().unwrap();
    walk(folder.path(), &["--swaps", "2", "--occlusion", "0.1", "--seed", "5"]).expect(0);
    let truth = truth(folder.path());
    assert_eq!(truth["version"], 1);
    assert_eq!(truth["options"]["seed"], 5);
    assert_eq!(truth["options"]["marker_set"], "clusters");
    let recording = read(&folder.path().join("walk/recording.c3d"));
    let swaps = truth["swaps"].as_array().unwrap();
    assert_eq!(swaps.len(), 2);
    for swap in swaps {
        assert!(swap["first_frame"].as_u64() <= swap["last_frame"].as_u64());
        assert!(swap["to_s"].as_f64().unwrap() < 2.0);
        for label in swap["labels"].as_array().unwrap() {
            assert!(recording.marker(label.as_str().unwrap()).is_some(), "{label}");
        }
    }
    let mut missing = 0;
    for hidden in truth["hidden"].as_array().unwrap() {
        let marker = recording.marker(hidden["label"].as_str().unwrap()).unwrap();
        let ranges: Vec<[usize; 2]> = serde_json::from_value(hidden["ranges"].clone()).unwrap();
        let gaps: Vec<[usize; 2]> =
            marker.gaps().iter().map(|gap| [gap.start + 1, gap.end]).collect();
        assert_eq!(ranges, gaps);
        missing += marker.missing_samples();
    }
    assert_eq!(missing, 480);
}

#[test]
fn never_overwrites_without_being_told() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("walk")).unwrap();
    fs::write(folder.path().join("walk/truth.json"), "precious").unwrap();
    let error = walk(folder.path(), &[]).expect_one_error();
    assert!(error.contains("truth.json: the file exists: need --force"), "{error}");
    assert_eq!(files(&folder.path().join("walk")), ["truth.json"]);
    walk(folder.path(), &["--force"]).expect(0);
    assert_eq!(files(&folder.path().join("walk")), FILES);
    fs::write(folder.path().join("file"), "").unwrap();
    let ran = condyle_in(folder.path(), &["simulate", "-o", "file", "--force"]);
    assert!(ran.expect_one_error().contains("file: need a folder to write in, got a file"));
}

#[test]
fn a_description_can_be_printed_changed_and_performed() {
    let folder = tempfile::tempdir().unwrap();
    let printed = condyle_in(folder.path(), &["simulate", "--describe", "arm"]).expect(0).stdout;
    fs::write(folder.path().join("own.toml"), printed.replace("\"arm\"", "\"own\"")).unwrap();
    let args = [
        "simulate",
        "-o",
        "own",
        "--performer",
        "own.toml",
        "--seconds",
        "3",
        "--json",
        "--to",
        "trc",
    ];
    let ran = condyle_in(folder.path(), &args).expect(0);
    let json = ran.json();
    assert_eq!((&json["performer"], &json["format"]), (&"own".into(), &"trc".into()));
    assert_eq!(
        (&json["segments"], &json["joints"], &json["markers"]),
        (&5.into(), &4.into(), &15.into())
    );
    assert_eq!((&json["frames"], &json["missing_fraction"]), (&300.into(), &0.0.into()));
    assert_eq!(read(&folder.path().join("own/recording.trc")).markers.len(), 15);
}

#[test]
fn a_wrong_description_is_refused_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let printed = condyle_in(folder.path(), &["simulate", "--describe", "arm"]).expect(0).stdout;
    let refused = |text: String| {
        fs::write(folder.path().join("own.toml"), text).unwrap();
        let args = ["simulate", "-o", "own", "--performer", "own.toml"];
        condyle_in(folder.path(), &args).expect_one_error()
    };
    let error = refused(printed.replacen("\"hinge\"", "\"slider\"", 1));
    assert!(error.contains("own.toml: line "), "{error}");
    assert!(error.contains("need fixed, hinge, universal or ball, got \"slider\""), "{error}");
    let error = refused("name = [".into());
    assert!(error.starts_with("error: own.toml: line 1: "), "{error}");
    let none = condyle_in(folder.path(), &["simulate", "-o", "own", "--performer", "cat"]);
    let error = none.expect_one_error();
    assert!(error.contains("cat: need human, dog, arm or a description in TOML"), "{error}");
    let args = ["simulate", "-o", "own", "--performer", "arm", "--routine", "walk"];
    let error = condyle_in(folder.path(), &args).expect_one_error();
    assert!(error.contains("need a performer with legs"), "{error}");
    let error = condyle_in(folder.path(), &["simulate", "-o", "own", "--occlusion", "2"]);
    assert!(error.expect_one_error().contains("occlusion: need a share from 0 to 0.95, got 2"));
    assert_eq!(files(folder.path()), ["own.toml"]);
}

#[test]
fn sensors_go_into_a_csv_with_poses() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["--sensors", "--noise-mm", "4", "--noise-deg", "0.3"];
    walk(folder.path(), &args).expect(0);
    let recording = read(&folder.path().join("walk/recording.csv"));
    assert_eq!((recording.markers.len(), recording.bodies.len()), (0, 15));
    let truth = truth(folder.path());
    let quaternion = &truth["segments"][0]["sensor"]["quaternion_wxyz"];
    let norm: f64 =
        quaternion.as_array().unwrap().iter().map(|q| q.as_f64().unwrap().powi(2)).sum();
    assert!((norm - 1.0).abs() < 1e-12);
    assert_eq!(truth["options"]["marker_set"], serde_json::Value::Null);
}

#[test]
fn a_routine_with_too_little_time_is_noted() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["simulate", "-o", "a", "--routine", "exercise", "--seconds", "5", "--rate", "20"];
    let ran = condyle_in(folder.path(), &args).expect(0);
    assert!(ran.stderr.contains("note: routine-too-short: human: each motion"), "{}", ran.stderr);
    let quiet = condyle_in(folder.path(), &[&args[..], &["--force", "--quiet"]].concat()).expect(0);
    assert_eq!(quiet.stderr, "");
}
