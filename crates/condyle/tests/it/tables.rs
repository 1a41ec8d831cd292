//! Every TRC and CSV recording: what is in it, and that writing it and reading it back loses nothing.

use crate::recordings;
use condyle::Trial;
use condyle::format::{ReadOptions, read_bytes, read_path, write};
use condyle::trial::{Axis, Format, LengthUnit};

/// File, markers, bodies, channels, frames, rate, codes of the notes.
type Expected = (&'static str, usize, usize, usize, usize, f64, &'static [&'static str]);

const COUNT: &str = "wrong-count";
const NO_LABEL: &str = "unlabelled-markers";
const NO_RATE: &str = "rate-unknown";

const FILES: &[Expected] = &[
    ("biobuddy/static.trc", 49, 0, 0, 138, 100.0, &[COUNT]),
    // No labels at all: every trajectory is unnamed.
    ("btkdata/trc/10002-20130731010438-Unnamed.trc", 37, 0, 0, 1313, 400.0, &[COUNT, NO_LABEL]),
    ("btkdata/trc/Anto.trc", 34, 0, 0, 128, 100.0, &[]),
    // The header promises 66, names 33, and the rows carry 105 trajectories.
    ("btkdata/trc/Gait.trc", 105, 0, 0, 487, 100.0, &[COUNT, NO_LABEL]),
    ("btkdata/trc/MOTEK_T.trc", 41, 0, 0, 89, 30.0, &[]),
    ("btkdata/trc/Res16bits.trc", 44, 0, 0, 100, 100.0, &[]),
    ("btkdata/trc/SprintCalib.trc", 70, 0, 0, 337, 250.0, &[COUNT, NO_LABEL]),
    ("btkdata/trc/SprintMotion.trc", 59, 0, 0, 788, 250.0, &[]),
    ("btkdata/trc/UpperLimbStatic.trc", 36, 0, 0, 146, 100.0, &[COUNT, NO_LABEL]),
    // DataRate says 1000; CameraRate and the time column say 200.
    ("fjc/TPoseCross_New.trc", 22, 0, 0, 822, 200.0, &["rate-contradiction"]),
    ("markerless/opencap_walk.trc", 63, 0, 0, 222, 60.0, &[]),
    ("markerless/pose2sim_balancing.trc", 21, 0, 0, 100, 60.0, &[]),
    ("markerless/pose2sim_balancing_lstm.trc", 64, 0, 0, 100, 60.0, &[]),
    ("markerless/pose2sim_static.trc", 21, 0, 0, 12, 60.0, &[]),
    ("misc/MStudio_test.trc", 29, 0, 0, 137, 120.0, &[]),
    ("nimble/DetectMarkerFlip_walking2.trc", 51, 0, 0, 136, 100.0, &[]),
    ("nimble_synthetic/subject01/markers.trc", 64, 0, 0, 223, 200.00000000000426, &[]),
    ("nimble_synthetic/subject18/markers.trc", 64, 0, 0, 215, 200.00000000000426, &[]),
    ("opensim/Rajagopal_motion_capture_walk.trc", 41, 0, 0, 238, 100.0, &[]),
    ("opensim/Rajagopal_static_walk_1.trc", 64, 0, 0, 287, 100.0, &[]),
    ("opensim/dataWithBlanksForMissingMarkers.trc", 40, 0, 0, 464, 250.0, &[]),
    ("opensim/dataWithEformat.trc", 14, 0, 0, 5, 119.88012, &[]),
    ("opensim/dataWithNaNsOfDifferentCases.trc", 14, 0, 0, 5, 250.0, &[]),
    ("opensim/exampleFormat.trc", 3, 0, 0, 5, 100.0, &[]),
    ("opensim/gait10dof18musc_walk_CRLF_line_ending.trc", 41, 0, 0, 10, 60.0, &[]),
    // DataRate says 250; the times step by 0.04 s, only the last step by less.
    (
        "opensim/std_walking2_markers.trc",
        44,
        0,
        0,
        126,
        25.0,
        &["rate-contradiction", "time-slips"],
    ),
    ("opensim/subject01_static.trc", 49, 0, 0, 300, 60.0, &[]),
    ("opensim/subject01_synthetic_marker_data.trc", 31, 0, 0, 73, 60.0, &[]),
    ("opensim/subject01_walk1.trc", 41, 0, 0, 151, 60.0, &[]),
    ("bvh/walk01_hierarchy.csv", 1, 0, 0, 24, 0.0, &["text-columns", NO_RATE]),
    ("bvh/walk01_pos.csv", 24, 0, 0, 101, 24.0, &[]),
    ("derived/cmu_01_01_joint_centres.csv", 14, 0, 0, 688, 0.0, &[NO_RATE, "frame-step"]),
    ("derived/cmu_02_01_joint_centres.csv", 14, 0, 0, 343, 0.0, &[NO_RATE]),
    ("derived/cmu_02_05_joint_centres.csv", 14, 0, 0, 927, 0.0, &[NO_RATE, "frame-step"]),
    ("derived/hinge_markers_mm_every2nd_frame.csv", 18, 0, 0, 1971, 0.0, &[NO_RATE, "frame-step"]),
    ("derived/nimble_synthetic_subject01_joint_centres.csv", 22, 0, 0, 223, 200.0, &[]),
    ("derived/nimble_synthetic_subject18_joint_centres.csv", 22, 0, 0, 215, 200.0, &[]),
    ("fjc/RightCross1.csv", 14, 0, 0, 3812, 200.0, &[]),
    ("magnetic/hvr_arm_trackers.csv", 0, 0, 14, 5364, 0.0, &["unknown-layout", NO_RATE]),
    // Two trackables numbered 1 and 2 in the definitions, 0 and 1 in the frames; frames dropped.
    (
        "optitrack_csv/olin_nat.csv",
        9,
        2,
        0,
        104,
        103.88771218965157,
        &["time-not-uniform", "body-ids", "frame-numbers"],
    ),
    // Five markers on the body, and six fragments seen while the body was lost.
    ("optitrack_csv/olin_v1.1.csv", 11, 1, 0, 548, 120.0, &[]),
];

#[test]
fn every_table_holds_what_is_expected() {
    let Some(root) = recordings::folder() else { return };
    for (file, markers, bodies, channels, frames, rate_hz, codes) in FILES {
        let trial = read_path(&root.join(file), &ReadOptions::default()).unwrap();
        let found = (trial.markers.len(), trial.bodies.len(), trial.channels.len(), trial.frames);
        assert_eq!(found, (*markers, *bodies, *channels, *frames), "{file}");
        assert_eq!(trial.rate_hz, *rate_hz, "{file}");
        // What is guessed from the size of the body has a test of its own.
        let codes_found = trial.notes.iter().map(|note| &*note.code);
        let notes: Vec<&str> = codes_found.filter(|c| !["up", "units"].contains(c)).collect();
        assert_eq!(notes, *codes, "{file}");
    }
}

#[test]
fn units_and_up_are_found_from_the_size_of_the_body() {
    let Some(root) = recordings::folder() else { return };
    for (file, unit, up) in [
        ("biobuddy/static.trc", LengthUnit::Metre, Some(Axis::Z)),
        ("btkdata/trc/MOTEK_T.trc", LengthUnit::Millimetre, Some(Axis::Y)),
        ("btkdata/trc/SprintMotion.trc", LengthUnit::Millimetre, None),
        ("bvh/walk01_pos.csv", LengthUnit::Centimetre, Some(Axis::Y)),
        ("derived/cmu_02_01_joint_centres.csv", LengthUnit::Millimetre, Some(Axis::Z)),
        ("derived/hinge_markers_mm_every2nd_frame.csv", LengthUnit::Millimetre, None),
        ("opensim/subject01_walk1.trc", LengthUnit::Millimetre, Some(Axis::Y)),
        ("opensim/std_walking2_markers.trc", LengthUnit::Millimetre, Some(Axis::Z)),
    ] {
        let trial = read_path(&root.join(file), &ReadOptions::default()).unwrap();
        assert_eq!((trial.source.unit, trial.source.up), (unit, up), "{file}");
    }
}

#[test]
fn no_table_is_left_out_of_the_list() {
    let Some(root) = recordings::folder() else { return };
    let refused = ["btkdata/trc/Empty.trc", "btkdata/trc/Truncated.trc"];
    let sensors = ["X(clean)", "Y"]
        .map(|axis| format!("magnetic/polhemus_liberty/Polhemus_90deg{axis}_2data.csv"));
    let mut folders = vec![root.clone()];
    let mut count = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("");
            if path.is_dir() {
                folders.push(path);
            } else if ["trc", "csv"].contains(&extension.to_ascii_lowercase().as_str()) {
                let name = path.strip_prefix(&root).unwrap().to_str().unwrap().replace('\\', "/");
                let listed = FILES.iter().any(|file| file.0 == name)
                    || refused.contains(&name.as_str())
                    || sensors.contains(&name);
                assert!(listed, "{name} is not in the list");
                count += 1;
            }
        }
    }
    assert_eq!(count, FILES.len() + refused.len() + sensors.len());
}

#[test]
fn broken_files_are_refused_with_their_reason() {
    let Some(root) = recordings::folder() else { return };
    for (file, reason) in [
        ("btkdata/trc/Empty.trc", "the file is empty (0 bytes)"),
        ("btkdata/trc/Truncated.trc", "line 3: need the values of DataRate"),
    ] {
        let error = read_path(&root.join(file), &ReadOptions::default()).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
    }
}

fn assert_same(again: &Trial, trial: &Trial, what: &str) {
    assert_eq!(again.frames, trial.frames, "{what}");
    assert_eq!((again.rate_hz, again.start_s), (trial.rate_hz, trial.start_s), "{what}");
    assert_eq!(again.first_frame, trial.first_frame, "{what}");
    assert!(again.markers == trial.markers, "{what}: markers differ");
}

#[test]
fn every_table_survives_trc_and_csv() {
    let Some(root) = recordings::folder() else { return };
    for (file, ..) in FILES {
        let trial = read_path(&root.join(file), &ReadOptions::default()).unwrap();
        let mut out = Vec::new();
        write(&trial, Format::Csv, &mut out).unwrap();
        let again = read_bytes(&out, &ReadOptions::default()).unwrap();
        assert_same(&again, &trial, &format!("{file} through csv"));
        assert!(again.bodies == trial.bodies, "{file}: bodies differ");
        assert!(again.channels == trial.channels, "{file}: channels differ");
        if !trial.markers.is_empty() {
            out.clear();
            write(&trial, Format::Trc, &mut out).unwrap();
            let again = read_bytes(&out, &ReadOptions::default()).unwrap();
            assert_same(&again, &trial, &format!("{file} through trc"));
            assert_eq!(again.source.unit, trial.source.unit);
        }
    }
}

#[test]
fn gaps_are_those_the_recordings_are_known_to_have() {
    let Some(root) = recordings::folder() else { return };
    for (file, missing) in [
        ("btkdata/trc/Res16bits.trc", 5),
        ("opensim/dataWithBlanksForMissingMarkers.trc", 15_005),
        ("opensim/dataWithNaNsOfDifferentCases.trc", 5),
        ("opensim/exampleFormat.trc", 2),
        ("opensim/std_walking2_markers.trc", 2809),
    ] {
        let trial = read_path(&root.join(file), &ReadOptions::default()).unwrap();
        let found: usize = trial.markers.iter().map(|marker| marker.missing_samples()).sum();
        assert_eq!(found, missing, "{file}");
    }
}

#[test]
fn magnetic_sensors_give_bodies_and_a_note_on_their_clock() {
    let Some(root) = recordings::folder() else { return };
    let file = root.join("magnetic/polhemus_liberty/Polhemus_90degY_2data.csv");
    let options = ReadOptions { unit: Some(LengthUnit::Centimetre), ..ReadOptions::default() };
    let trial = read_path(&file, &options).unwrap();
    assert_eq!((trial.bodies.len(), trial.channels.len(), trial.frames), (2, 0, 2576));
    assert!(trial.notes.iter().any(|note| note.code == "time-not-uniform"), "{:?}", trial.notes);
    assert_eq!(trial.bodies[0].position_m(0).unwrap().x, 0.30168203353881836);
}

#[test]
fn bodies_of_old_optitrack_exports_carry_their_own_markers() {
    let Some(root) = recordings::folder() else { return };
    for (file, body, marker) in [
        ("optitrack_csv/olin_nat.csv", 0, "rbt-Marker 1"),
        ("optitrack_csv/olin_nat.csv", 1, "slide-Marker 1"),
        ("optitrack_csv/olin_v1.1.csv", 0, "Rigid Body 1-Marker 1"),
    ] {
        let trial = read_path(&root.join(file), &ReadOptions::default()).unwrap();
        assert_eq!((trial.source.up, trial.source.unit), (Some(Axis::Y), LengthUnit::Metre));
        let body = &trial.bodies[body];
        let marker = trial.marker(marker).unwrap();
        let in_body =
            |frame| Some(body.world_from_body(frame)?.inverse() * marker.position_m(frame)?);
        let places: Vec<_> = (0..trial.frames).filter_map(in_body).collect();
        assert!(places.len() > 100, "{file}: {}", places.len());
        let spread = places.iter().map(|p| (p - places[0]).norm()).fold(0.0, f64::max);
        assert!(spread < 0.01, "{file}: {} moves {spread} m in its body", marker.label);
    }
}
