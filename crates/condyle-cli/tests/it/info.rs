//! `condyle info` on files that can be read.
use crate::run::{self, condyle_in, condyle_with_input, folder_with_arm};
use std::io::Read;
use std::process::{Command, Stdio};

/// The fields of the contract, each in every object.
const FIELDS: [&str; 16] = [
    "path",
    "ok",
    "error",
    "format",
    "markers",
    "rigid_bodies",
    "frames",
    "rate_hz",
    "duration_s",
    "labels",
    "missing_fraction",
    "units",
    "up",
    "analog_channels",
    "events",
    "notes",
];

#[test]
fn json_holds_the_contract_for_good_and_bad_files_in_order() {
    let folder = folder_with_arm();
    let args = ["info", "--json", "none.c3d", "arm.trc", "arm.trc"];
    let ran = condyle_in(folder.path(), &args).expect(1);
    let files = ran.json();
    assert_eq!(files.as_array().unwrap().len(), 3);
    for (file, path) in files.as_array().unwrap().iter().zip(&args[2..]) {
        assert_eq!(file["path"], *path);
        for field in FIELDS {
            assert!(file.get(field).is_some(), "{field}");
        }
    }
    let (bad, good) = (&files[0], &files[1]);
    assert_eq!(bad["ok"], false);
    assert!(bad["error"].as_str().unwrap().starts_with("none.c3d: "), "{bad}");
    assert!(FIELDS[3..].iter().all(|field| bad[field].is_null()), "{bad}");
    assert_eq!(good["ok"], true);
    assert!(good["error"].is_null());
    assert_eq!(good["format"], "trc");
    assert_eq!(good["markers"], 8);
    assert_eq!(good["rigid_bodies"], 0);
    assert_eq!(good["frames"], 120);
    assert_eq!((&good["first_frame"], &good["start_s"]), (&1.into(), &0.0.into()));
    assert_eq!(good["rate_hz"], 60.0);
    assert_eq!(good["duration_s"], 2.0);
    assert_eq!(good["labels"][3], "UPA3");
    assert_eq!(good["missing_fraction"], 20.0 / 960.0);
    assert_eq!(good["units"], "mm");
    assert!(good["up"].is_null());
    assert_eq!(good["events"], serde_json::json!([]));
    let gaps = &good["gaps"][3];
    assert_eq!(
        (&gaps["label"], &gaps["missing"], &gaps["gaps"]),
        (&"UPA3".into(), &12.into(), &1.into())
    );
    assert_eq!(
        (&gaps["longest_gap_frames"], &gaps["ranges"]),
        (&12.into(), &serde_json::json!([[41, 52]]))
    );
}

#[test]
fn gaps_are_told_by_the_files_own_frame_numbers() {
    let folder = folder_with_arm();
    let at = folder.path();
    condyle_in(at, &["convert", "arm.trc", "late.c3d", "--frames", "31:"]).expect(0);
    let json = condyle_in(at, &["info", "--json", "late.c3d"]).expect(0).json();
    assert_eq!((&json[0]["first_frame"], &json[0]["frames"]), (&31.into(), &90.into()));
    assert_eq!(json[0]["gaps"][3]["ranges"], serde_json::json!([[41, 52]]));
}

#[test]
fn one_file_is_a_page_with_every_marker() {
    let folder = folder_with_arm();
    let ran = condyle_in(folder.path(), &["info", "arm.trc"]).expect(0);
    assert_eq!(ran.stderr, "");
    for line in
        ["120 at 60 Hz, 2 s", "8, 2.1 % of the samples missing", "unknown (say it with --up)"]
    {
        assert!(ran.stdout.contains(line), "{line}: {}", ran.stdout);
    }
    let row = ran.stdout.lines().find(|line| line.contains("UPA3")).unwrap();
    let cells: Vec<&str> = row.split_whitespace().collect();
    assert_eq!(cells, ["UPA3", "10.0", "1", "12", "0.2"]);
}

#[test]
fn what_the_caller_knows_better_is_shown_as_given() {
    let folder = folder_with_arm();
    let args = ["info", "arm.trc", "--units", "m", "--up", "-y", "--assume-rate", "30"];
    let ran = condyle_in(folder.path(), &args).expect(0);
    for line in ["m, given by --units; the file says 'mm'", "-y, given by --up", "at 30 Hz, 4 s"] {
        assert!(ran.stdout.contains(line), "{line}: {}", ran.stdout);
    }
}

#[test]
fn the_up_axis_is_shown_as_found_and_as_taken() {
    let folder = folder_with_arm();
    condyle_in(folder.path(), &["convert", "arm.trc", "arm.c3d", "--up", "-z"]).expect(0);
    let found = condyle_in(folder.path(), &["info", "arm.c3d"]).expect(0);
    assert!(found.stdout.contains("-z; the file says '-z'"), "{}", found.stdout);
    let told = condyle_in(folder.path(), &["info", "arm.c3d", "--up", "y"]).expect(0);
    assert!(told.stdout.contains("y, given by --up; the file says '-z'"), "{}", told.stdout);
    let json = condyle_in(folder.path(), &["info", "--json", "arm.c3d", "--up", "y"]).json();
    assert_eq!((&json[0]["up"], &json[0]["declared_up"]), (&"y".into(), &"-z".into()));
}

#[test]
fn several_files_are_rows_and_failures_are_rows_too() {
    let folder = folder_with_arm();
    let ran = condyle_in(folder.path(), &["info", "arm.trc", "none.c3d"]).expect(1);
    let rows: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!(rows.len(), 3, "{}", ran.stdout);
    assert!(rows[1].starts_with("arm.trc") && rows[1].contains("trc"), "{}", rows[1]);
    assert!(rows[2].starts_with("none.c3d") && rows[2].contains("error"), "{}", rows[2]);
    assert_eq!(ran.stderr.lines().count(), 1);
}

#[test]
fn a_dash_is_standard_input() {
    let folder = folder_with_arm();
    let bytes = std::fs::read(run::arm()).unwrap();
    let ran = condyle_with_input(folder.path(), &["info", "--json", "-"], &bytes).expect(0);
    assert_eq!(ran.json()[0]["path"], "-");
    assert_eq!(ran.json()[0]["markers"], 8);
}

#[test]
fn a_motion_from_standard_input_takes_the_skeleton_it_is_given() {
    let folder = folder_with_arm();
    let skeleton = ":version 1.10\n:name a\n:units\n  mass 1.0\n  length 1.0\n  angle deg\n\
        :root\n  order TX TY TZ RX RY RZ\n  axis XYZ\n  position 0 0 0\n  orientation 0 0 0\n\
        :bonedata\n  begin\n    id 1\n    name arm\n    direction 1 0 0\n    length 1\n\
        axis 0 0 0 XYZ\n    dof rz\n    limits (-180 180)\n  end\n\
        :hierarchy\n  begin\n    root arm\n  end\n";
    std::fs::write(folder.path().join("a.asf"), skeleton).unwrap();
    let motion = b":FULLY-SPECIFIED\n:DEGREES\n1\nroot 0 0 0 0 0 0\narm 10\n";
    let args = ["info", "--json", "-", "--skeleton", "a.asf"];
    let ran = condyle_with_input(folder.path(), &args, motion).expect(0);
    assert_eq!((&ran.json()[0]["format"], &ran.json()[0]["frames"]), (&"amc".into(), &1.into()));
    let alone = condyle_with_input(folder.path(), &["info", "-"], motion).expect_one_error();
    assert!(alone.contains("need its ASF skeleton"), "{alone}");
}

#[test]
fn nothing_is_coloured_when_nobody_looks() {
    let folder = folder_with_arm();
    let ran = condyle_in(folder.path(), &["info", "arm.trc", "none.c3d"]);
    assert!(!ran.stdout.contains('\u{1b}') && !ran.stderr.contains('\u{1b}'));
}

#[test]
fn a_reader_that_has_seen_enough_ends_it_quietly() {
    let folder = folder_with_arm();
    let mut child = Command::new(env!("CARGO_BIN_EXE_condyle"))
        .arg("info")
        .arg("--json")
        .args(vec!["arm.trc"; 400])
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = [0; 1];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}

#[test]
fn angles_and_forces_among_the_points_are_no_markers() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let args = ["simulate", "-o", "walk", "--routine", "walk", "--markers", "plug-in-gait"];
    condyle_in(at, &[&args[..], &["--seconds", "1", "--to", "trc"]].concat()).expect(0);
    let text = std::fs::read_to_string(at.join("walk/recording.trc")).unwrap();
    let with = text.replace("LFHD", "LKneeAngles").replace("RFHD", "RGroundReactionForce");
    std::fs::write(at.join("a.trc"), with).unwrap();
    let one = condyle_in(at, &["info", "a.trc"]).expect(0);
    assert!(one.stdout.contains("markers   37\n"), "{}", one.stdout);
    let both = condyle_in(at, &["info", "a.trc", "walk/recording.trc"]).expect(0);
    let counts: Vec<&str> =
        both.stdout.lines().skip(1).filter_map(|line| line.split_whitespace().nth(2)).collect();
    assert_eq!(counts, ["37", "39"], "{}", both.stdout);
}
