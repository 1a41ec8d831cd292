//! `condyle groups` through the real binary: segments by names and by files, and bad input.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use crate::run::{Ran, condyle_in};

/// A recording of three frames with these labels, in the project's own layout.
fn recording(labels: &[&str]) -> String {
    let mut text = "frame,time_s".to_owned();
    for label in labels {
        write!(text, ",{label}_x,{label}_y,{label}_z").unwrap();
    }
    for frame in 1..4 {
        write!(text, "\n{frame},{}", f64::from(frame) * 0.01).unwrap();
        for index in 0..labels.len() {
            write!(text, ",{index}.{frame},0.{frame},1.5").unwrap();
        }
    }
    text + "\n"
}

const LEGS: [&str; 12] = [
    "JOE:LASI", "JOE:RASI", "JOE:SACR", "JOE:LTHI", "JOE:LKNE", "JOE:LTIB", "JOE:LANK", "JOE:LHEE",
    "JOE:LTOE", "JOE:hat", "JOE:RHJC", "*7",
];

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("legs.csv"), recording(&LEGS)).unwrap();
    fs::write(folder.path().join("odd.csv"), recording(&["P1", "P2", "P3", "P4"])).unwrap();
    folder
}

fn groups(folder: &Path, args: &[&str]) -> Ran {
    condyle_in(folder, &[&["groups"], args].concat())
}

#[test]
fn a_person_reads_segments_parents_joints_and_markers() {
    let folder = folder();
    let ran = groups(folder.path(), &["legs.csv"]).expect(0);
    let expected = "\
JOE: 4 segments, 9 markers, by names: Plug-in Gait lower body
  segment     parent      joint       markers
  pelvis      -           -           LASI RASI SACR
  left thigh  pelvis      left hip    LTHI LKNE
  left shank  left thigh  left knee   LTIB LANK
  left foot   left shank  left ankle  LHEE LTOE
set aside, no segment claims it: 1: JOE:hat
set aside, it has no name: 1: *7
set aside, a model computed it: 1: JOE:RHJC
";
    assert_eq!(ran.stdout, expected);
    assert_eq!(
        ran.stderr,
        "note: labels-unknown: JOE: 1 of 10 labels match no known marker: JOE:hat\n"
    );
}

#[test]
fn a_program_reads_the_same_as_json() {
    let folder = folder();
    let json = groups(folder.path(), &["legs.csv", "--json"]).expect(0).json();
    assert_eq!((&json["path"], &json["by"]), (&"legs.csv".into(), &"names".into()));
    let joe = &json["performers"][0];
    assert_eq!(
        (&joe["name"], &joe["marker_set"]),
        (&"JOE".into(), &"Plug-in Gait lower body".into())
    );
    let thigh = &joe["segments"][1];
    assert_eq!((&thigh["parent"], &thigh["joint"]), (&"pelvis".into(), &"left hip".into()));
    assert_eq!(thigh["markers"], serde_json::json!(["JOE:LTHI", "JOE:LKNE"]));
    assert_eq!(thigh["marker_indices"], serde_json::json!([3, 4]));
    let reasons: Vec<&str> = json["set_aside"]
        .as_array()
        .unwrap()
        .iter()
        .map(|a| a["reason"].as_str().unwrap())
        .collect();
    assert_eq!(reasons, ["not-claimed", "model-output", "unlabelled"]);
}

#[test]
fn a_plan_is_written_edited_and_read() {
    let folder = folder();
    let plan = folder.path().join("legs.toml");
    let ran = groups(folder.path(), &["legs.csv", "--write-plan", "legs.toml"]).expect(0);
    assert!(ran.stderr.ends_with("wrote legs.toml\n"), "{}", ran.stderr);
    let error =
        groups(folder.path(), &["legs.csv", "--write-plan", "legs.toml"]).expect_one_error();
    assert!(error.contains("--force"), "{error}");
    let text = fs::read_to_string(&plan).unwrap();
    fs::write(&plan, text.replace("\"SACR\"]", "\"SACR\", \"hat\"]")).unwrap();
    let json =
        groups(folder.path(), &["legs.csv", "--plan", "legs.toml", "--json"]).expect(0).json();
    assert_eq!((&json["by"], &json["performers"][0]["found"]), (&"file".into(), &"file".into()));
    assert_eq!(json["performers"][0]["segments"][0]["markers"].as_array().unwrap().len(), 4);
    fs::write(&plan, text.replace("\"SACR\"", "\"SACRUM\"")).unwrap();
    let error = groups(folder.path(), &["legs.csv", "--plan", "legs.toml"]).expect_one_error();
    assert!(error.starts_with("error: legs.toml: line "), "{error}");
    assert!(error.ends_with("got 'SACRUM'; close to it: SACR"), "{error}");
}

#[test]
fn an_association_is_written_and_read() {
    let folder = folder();
    let ran = groups(folder.path(), &["legs.csv", "--write-plan", "legs.txt"]).expect(0);
    assert!(ran.stderr.contains("standard-names: 8 of 11 labels"), "{}", ran.stderr);
    let text = fs::read_to_string(folder.path().join("legs.txt")).unwrap();
    assert!(
        text.starts_with("11 WANDS\nMARKERSET vicon512.txt\n\nJOE:LASI = LFWT Hips\n"),
        "{text}"
    );
    let ran = groups(folder.path(), &["legs.csv", "--plan", "legs.txt"]).expect(0);
    assert!(ran.stdout.starts_with("JOE: 4 segments, 8 markers, from a file\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains("Upper Left Leg"), "{}", ran.stdout);
    fs::write(folder.path().join("vicon512.txt"), "1 WANDS\nWAND LFWT\nSEGMENT Bowl\n").unwrap();
    let ran = groups(folder.path(), &["legs.csv", "--plan", "legs.txt"]).expect(0);
    assert!(ran.stdout.contains("Bowl"), "the file beside it is read: {}", ran.stdout);
}

#[test]
fn labels_that_match_nothing_end_in_one_line_that_says_what_to_do() {
    let folder = folder();
    let error = groups(folder.path(), &["odd.csv", "--by", "names"]).expect_one_error();
    for word in ["error: odd.csv: labels: ", "P1, P2, P3, P4", "--by motion", "--plan FILE"] {
        assert!(error.contains(word), "{word}: {error}");
    }
    let error = groups(folder.path(), &["odd.csv"]).expect_one_error();
    assert!(error.contains("labels: ") && error.contains("; by motion: "), "{error}");
    fs::write(folder.path().join("none.csv"), recording(&["*1", "*2"])).unwrap();
    let error = groups(folder.path(), &["none.csv", "--by", "names"]).expect_one_error();
    assert!(error.contains("got none among 2 trajectories"), "{error}");
    let unseen = "frame,time_s,A_x,A_y,A_z,B_x,B_y,B_z\n1,0,,,,,,\n2,0.01,,,,,,\n";
    fs::write(folder.path().join("unseen.csv"), unseen).unwrap();
    let error = groups(folder.path(), &["unseen.csv"]).expect_one_error();
    assert!(error.contains("got 2 without a sample"), "{error}");
}

#[test]
fn what_has_no_names_is_grouped_by_motion_and_points_of_a_model_are_set_aside() {
    // Two rods that turn against each other about z, and a joint centre where they meet.
    let mut text = "frame,time_s".to_owned();
    for label in ["P1", "P2", "P3", "Q1", "Q2", "Q3", "RKJC"] {
        write!(text, ",{label}_x,{label}_y,{label}_z").unwrap();
    }
    for frame in 0..200 {
        let t = f64::from(frame) * 0.05;
        write!(text, "\n{},{}", frame + 1, f64::from(frame) * 0.01).unwrap();
        for (turn, side) in [(0.3 * t.sin(), -1.0), (0.9 * (1.7 * t).cos(), 1.0)] {
            let (sin, cos) = f64::sin_cos(turn);
            for (x, y, z) in [(0.1, 0.05, 0.0), (0.3, -0.04, 0.05), (0.2, 0.0, -0.06)] {
                let x = side * x;
                write!(text, ",{},{},{}", cos * x - sin * y, sin * x + cos * y, z + 1.0).unwrap();
            }
        }
        text.push_str(",0,0,1");
    }
    let folder = folder();
    fs::write(folder.path().join("rods.csv"), text + "\n").unwrap();
    let json = groups(folder.path(), &["rods.csv", "--json"]).expect(0).json();
    assert_eq!(json["by"], "motion");
    let segments = json["performers"][0]["segments"].as_array().unwrap();
    let mut markers: Vec<String> = segments.iter().map(|s| s["markers"].to_string()).collect();
    markers.sort();
    assert_eq!(markers, [r#"["P1","P2","P3"]"#, r#"["Q1","Q2","Q3"]"#]);
    assert_eq!(json["set_aside"][0]["reason"], "model-output");
    groups(folder.path(), &["rods.csv", "--write-plan", "rods.toml"]).expect(0);
    let again =
        groups(folder.path(), &["rods.csv", "--plan", "rods.toml", "--json"]).expect(0).json();
    assert_eq!(again["performers"][0]["segments"], json["performers"][0]["segments"]);
}

#[test]
fn plans_that_cannot_be_read_say_so_in_one_line() {
    let folder = folder();
    let path = folder.path();
    fs::write(path.join("bytes.toml"), [0xff, 0xfe, 0x00]).unwrap();
    fs::write(path.join("other.txt"), "3 WANDS\nMARKERSET own.txt\nA = B\n").unwrap();
    for (plan, why) in [
        ("missing.toml", "missing.toml"),
        ("bytes.toml", "need a text in UTF-8"),
        ("other.txt", "need the file 'own.txt' beside this one"),
        ("legs.csv", "line 1: "),
    ] {
        let error = groups(path, &["legs.csv", "--plan", plan]).expect_one_error();
        assert!(error.contains(plan) && error.contains(why), "{error}");
    }
}

#[test]
fn a_wrong_command_line_is_exit_code_2() {
    let folder = folder();
    for args in [
        vec![],
        vec!["legs.csv", "--by", "magic"],
        vec!["legs.csv", "--by", "names", "--plan", "a.toml"],
        vec!["legs.csv", "--write-plan", "plan.c3d"],
        vec!["legs.csv", "--force"],
    ] {
        let ran = groups(folder.path(), &args).expect(2);
        assert!(ran.stderr.contains("--help"), "{args:?}: {}", ran.stderr);
    }
    let help = groups(folder.path(), &["--help"]).expect(0).stdout;
    assert!(help.contains("Examples:") && help.lines().all(|line| line.chars().count() <= 100));
    let known = condyle::marker_set::built_in().count();
    assert!(help.contains(&format!("{known} marker sets are known")), "{known}");
}

#[test]
fn doubts_of_the_motion_are_listed_with_their_odds() {
    let folder = tempfile::tempdir().unwrap();
    let made = ["simulate", "-o", "s", "--routine", "walk", "--seconds", "8", "--noise-mm", "1"];
    condyle_in(folder.path(), &made).expect(0);
    let recording = "s/recording.c3d";
    let json = groups(folder.path(), &[recording, "--by", "motion", "--json"]).expect(0).json();
    let doubts = json["doubts"].as_array().unwrap();
    assert!(!doubts.is_empty(), "{json}");
    for doubt in doubts {
        assert!(doubt["what"].as_str().is_some_and(|what| !what.is_empty()), "{doubt}");
        assert!((0.0..19.0).contains(&doubt["odds"].as_f64().unwrap()), "{doubt}");
        assert!(!doubt["alternatives"].as_array().unwrap().is_empty(), "{doubt}");
    }
    let page = groups(folder.path(), &[recording, "--by", "motion"]).expect(0).stdout;
    assert!(page.contains("doubtful, "), "{page}");
    let json = groups(folder.path(), &[recording, "--by", "names", "--json"]).expect(0).json();
    assert_eq!(json["doubts"].as_array().map(Vec::len), Some(0));
}
