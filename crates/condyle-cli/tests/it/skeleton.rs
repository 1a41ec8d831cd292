//! `condyle simulate`, `fit`, `solve` and `groups` as users run them.

use std::fs;
use std::path::Path;

use crate::run::condyle_in;
use condyle::format::{ReadOptions, read_path};

/// A simulated calibration trial in a folder of its own.
fn simulated(folder: &Path) {
    condyle_in(folder, &["simulate", "-o", "rom", "--seconds", "8", "--noise-mm", "1"]).expect(0);
}

#[test]
fn a_simulated_performer_is_fitted_and_solved_within_two_millimetres() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    simulated(at);
    // Its markers sit on bones.
    let fit = ["fit", "rom/recording.c3d", "-o", "joe.json", "--soft-tissue", "none"];
    let fitted = condyle_in(at, &fit).expect(0);
    assert!(fitted.stdout.contains("left hip"), "{}", fitted.stdout);
    let json = fs::read_to_string(at.join("joe.json")).unwrap();
    let subject: serde_json::Value = serde_json::from_str(&json).unwrap();
    for key in ["version", "segments", "joints"] {
        assert!(!subject[key].is_null(), "{key}");
    }
    let joint = &subject["joints"][0];
    for key in [
        "name",
        "parent",
        "child",
        "kind",
        "centre_in_parent_m",
        "centre_in_child_m",
        "covariance_m2",
        "axis_in_parent",
        "range_rad",
        "centre",
        "samples",
    ] {
        assert!(!joint[key].is_null(), "{key}");
    }
    let solve = ["solve", "rom/recording.c3d", "--subject", "joe.json", "-o", "joints.csv"];
    condyle_in(at, &solve).expect(0);
    let again = condyle_in(at, &solve).expect(1);
    assert!(again.stderr.contains("--force"), "{}", again.stderr);

    let ours = table(&at.join("joints.csv"));
    let truth = table(&at.join("rom/truth_joints.csv"));
    assert_eq!(ours.1.len(), truth.1.len());
    let mut errors_mm: Vec<f64> = Vec::new();
    let places = ours.0.iter().enumerate().skip(2).filter(|(_, name)| !name.ends_with("_sd_m"));
    for (column, name) in places {
        let true_column = truth.0.iter().position(|other| other == name).unwrap();
        for (a, b) in ours.1.iter().zip(&truth.1) {
            if let (Some(a), Some(b)) = (a[column], b[true_column]) {
                errors_mm.push((a - b).abs() * 1e3);
            }
        }
    }
    errors_mm.sort_by(f64::total_cmp);
    let median_mm = errors_mm[errors_mm.len() / 2];
    assert!(median_mm < 2.0, "{median_mm}");
}

type Rows = Vec<Vec<Option<f64>>>;

fn table(path: &Path) -> (Vec<String>, Rows) {
    let text = fs::read_to_string(path).unwrap();
    let mut lines = text.lines();
    let header = lines.next().unwrap().split(',').map(str::to_owned).collect();
    (header, lines.map(|line| line.split(',').map(|field| field.parse().ok()).collect()).collect())
}

#[test]
fn a_subject_of_another_performer_is_refused_with_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    simulated(at);
    condyle_in(at, &["fit", "rom/recording.c3d", "-o", "joe.json"]).expect(0);
    let dog = ["simulate", "-o", "dog", "--performer", "dog", "--seconds", "4"];
    condyle_in(at, &dog).expect(0);
    let other = ["solve", "dog/recording.c3d", "--subject", "joe.json", "-o", "dog.csv"];
    let refused = condyle_in(at, &other).expect(1);
    assert!(refused.stderr.contains("another performer"), "{}", refused.stderr);
    assert!(!at.join("dog.csv").exists());

    let text = fs::read_to_string(at.join("joe.json")).unwrap();
    fs::write(at.join("new.json"), text.replacen("\"version\": 2", "\"version\": 7", 1)).unwrap();
    let newer = ["solve", "rom/recording.c3d", "--subject", "new.json", "-o", "x.csv"];
    let refused = condyle_in(at, &newer).expect(1);
    assert!(refused.stderr.contains("need version 1 to 2, got 7"), "{}", refused.stderr);
}

#[test]
fn trials_that_say_nothing_end_in_a_line_that_says_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let mut still = String::from("frame,time_s");
    for label in ["RTHI", "LTHI", "RASI", "LASI", "LPSI", "RPSI"] {
        still += &format!(",{label}_x,{label}_y,{label}_z");
    }
    let header = still.clone();
    for frame in 0..50 {
        still += &format!("\n{},{}", frame + 1, f64::from(frame) * 0.01);
        for marker in 0..6 {
            still += &format!(",{},{},{}", 0.1 * f64::from(marker), f64::from(marker % 2), 1.0);
        }
    }
    fs::write(at.join("still.csv"), &still).unwrap();
    let none = format!("{header}\n1,0,,,,,,,,,,,,,,,,,,\n2,0.01,,,,,,,,,,,,,,,,,,\n");
    fs::write(at.join("none.csv"), none).unwrap();
    fs::write(at.join("one.csv"), "frame,time_s,a_x,a_y,a_z\n1,0,1,2,3\n2,0.01,1,2,3\n").unwrap();
    for (file, by) in [("none.csv", "auto"), ("one.csv", "auto"), ("still.csv", "motion")] {
        let ran = condyle_in(at, &["fit", file, "-o", "s.json", "--by", by]).expect(1);
        assert_eq!(ran.stderr.lines().filter(|line| line.starts_with("error:")).count(), 1);
        assert!(ran.stderr.contains(file), "{}", ran.stderr);
        assert!(!at.join("s.json").exists(), "{file}");
    }
    let ran = condyle_in(at, &["fit", "still.csv", "-o", "s.json", "--by", "names"]).expect(0);
    assert!(ran.stdout.contains("hardly moved") && ran.stdout.contains("move"), "{}", ran.stdout);
}

#[test]
fn exchanged_labels_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let args = ["simulate", "-o", "rom", "--seconds", "8", "--noise-mm", "1", "--swaps", "1"];
    condyle_in(at, &args).expect(0);
    let ran = condyle_in(at, &["fit", "rom/recording.c3d", "-o", "joe.json"]).expect(0);
    assert!(ran.stderr.contains("labels-exchanged"), "{}", ran.stderr);
    assert!(ran.stderr.contains("exchanged back"), "{}", ran.stderr);
    let args = ["solve", "rom/recording.c3d", "--subject", "joe.json", "-o", "joints.csv"];
    let ran = condyle_in(at, &args).expect(0);
    assert!(ran.stderr.contains("exchanged back"), "{}", ran.stderr);
    // Nothing of the exchange is left in the joints.
    let read = |path: &str| read_path(&at.join(path), &ReadOptions::default()).unwrap();
    let (found, truth) = (read("joints.csv"), read("rom/truth_joints.csv"));
    for joint in &truth.markers {
        let twin = found.marker(&joint.label).unwrap();
        for frame in 0..truth.frames {
            let off_m = (twin.position_m(frame).unwrap() - joint.position_m(frame).unwrap()).norm();
            assert!(off_m < 0.02, "{} in frame {frame}: {off_m}", joint.label);
        }
    }
}
