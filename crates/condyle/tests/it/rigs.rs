//! Real recordings of solved skeletons, suits and tables: BVH, ASF/AMC, STO/MOT, MVNX.

use crate::recordings;
use std::path::Path;

use condyle::Trial;
use condyle::format::{ReadOptions, read_bytes, read_path, write};
use condyle::trial::{Axis, Format, LengthUnit};
use nalgebra::Vector3;

fn read(path: &Path) -> Trial {
    read_path(path, &ReadOptions::default()).unwrap()
}

fn codes(trial: &Trial) -> Vec<&str> {
    trial.notes.iter().map(|note| &*note.code).collect()
}

/// A table of numbers: the column names, then the rows.
fn table(path: &Path) -> (Vec<String>, Vec<Vec<f64>>) {
    let text = std::fs::read_to_string(path).unwrap();
    let mut lines = text.lines();
    let names = lines.next().unwrap().split(',').map(str::to_owned).collect();
    let row = |line: &str| line.split(',').map(|cell| cell.trim().parse().unwrap()).collect();
    (names, lines.map(row).collect())
}

/// The trial before and after a file, notes aside.
fn round_trip(trial: &Trial) -> (Trial, Trial) {
    let mut out = Vec::new();
    write(trial, trial.source.format, &mut out).unwrap();
    let mut again = read_bytes(&out, &ReadOptions::default()).unwrap();
    let mut trial = trial.clone();
    trial.notes.clear();
    again.notes.clear();
    (trial, again)
}

#[test]
fn every_bvh_has_its_joints_frames_and_rate_and_survives_a_round_trip() {
    let Some(data) = recordings::folder() else { return };
    // Joints as listed with the recordings; joints and end sites; frames; rate.
    for (file, joints, points, frames, rate_hz) in [
        ("bvh/ofxMotionMachine_animation.bvh", 35, 42, 110, 30.0),
        ("bvh/sinusoidal.bvh", 4, 4, 120, 60.0),
        ("bvh/test_freebvh.bvh", 55, 70, 69, 30.0),
        ("bvh/walk01.bvh", 19, 24, 101, 24.0),
        ("cmu/02_01.bvh", 31, 38, 344, 120.0),
        ("cmu/60_08.bvh", 31, 38, 3422, 120.0),
        ("mvnx/test_mocap.bvh", 23, 28, 112, 60.0),
    ] {
        let trial = read(&data.join(file));
        let skeleton = trial.motion.as_ref().unwrap().skeleton();
        let moving = skeleton.joints().iter().filter(|joint| !joint.channels.is_empty()).count();
        eprintln!("{file}: {}", trial.notes[0]);
        assert_eq!(
            (moving, trial.markers.len(), trial.frames, trial.rate_hz, trial.source.unit),
            (joints, points, frames, rate_hz, LengthUnit::Centimetre),
            "{file}"
        );
        assert_eq!(codes(&trial), ["units", "joint-centres"], "{file}: {:?}", trial.notes);
        let (trial, again) = round_trip(&trial);
        assert!(trial == again, "{file} changed on the way");
    }
}

#[test]
fn bvh_joint_centres_agree_with_the_reference_positions() {
    let Some(data) = recordings::folder() else { return };
    let trial = read(&data.join("bvh/walk01.bvh"));
    let (names, rows) = table(&data.join("bvh/walk01_pos.csv"));
    assert_eq!(rows.len(), trial.frames);
    let mut worst = 0.0_f64;
    for (column, name) in names.iter().enumerate().skip(1) {
        let (joint, axis) = name.rsplit_once('.').unwrap();
        let axis = ["x", "y", "z"].iter().position(|a| *a == axis).unwrap();
        let marker = trial.marker(joint).unwrap_or_else(|| panic!("no {joint}"));
        for (frame, row) in rows.iter().enumerate() {
            let ours_cm = marker.position_m(frame).unwrap()[axis] * 100.0;
            worst = worst.max((ours_cm - row[column]).abs());
        }
    }
    eprintln!("walk01: largest difference {worst:.6} file units");
    assert!(worst < 1e-3, "{worst}");
}

#[test]
fn every_acclaim_pair_has_its_bones_and_frames() {
    let Some(data) = recordings::folder() else { return };
    for (file, frames) in [
        ("cmu/01_01.amc", 2751),
        ("cmu/02_01.amc", 343),
        ("cmu/02_05.amc", 1854),
        ("cmu/05_05.amc", 915),
        ("cmu/60_08.amc", 3421),
        ("cmu/85_02.amc", 810),
        ("cmu/85_14.amc", 2969),
        ("hdm05/HDM_dg_06-03_03_120.amc", 202),
    ] {
        let trial = read(&data.join(file));
        assert_eq!((trial.frames, trial.rate_hz), (frames, 120.0), "{file}");
        assert_eq!(trial.source.up, Some(Axis::Y));
        // The root and 30 bones; the ends of the head, both toes, fingers and thumbs.
        let ends = trial.markers.iter().filter(|m| m.label.ends_with("_End")).count();
        assert_eq!((trial.markers.len(), ends), (38, 7), "{file}");
        assert_eq!(codes(&trial), ["rate-assumed", "joint-centres"], "{file}: {:?}", trial.notes);
    }
    for stem in ["cmu/01", "cmu/02", "cmu/05", "cmu/60", "cmu/85", "hdm05/HDM_dg"] {
        let trial = read(&data.join(format!("{stem}.asf")));
        assert_eq!((trial.source.format, trial.frames), (Format::Asf, 0), "{stem}");
        assert_eq!(trial.motion.unwrap().skeleton().joints().len(), 38, "{stem}");
    }
}

#[test]
fn acclaim_joint_centres_agree_with_the_reference_centres() {
    let Some(data) = recordings::folder() else { return };
    // A centre is where the named bone starts.
    let bone = |centre: &str| match centre {
        "root" => "root",
        "lhip" => "lfemur",
        "lknee" => "ltibia",
        "lankle" => "lfoot",
        "rhip" => "rfemur",
        "rknee" => "rtibia",
        "rankle" => "rfoot",
        "lshoulder" => "lhumerus",
        "lelbow" => "lradius",
        "lwrist" => "lwrist",
        "rshoulder" => "rhumerus",
        "relbow" => "rradius",
        "rwrist" => "rwrist",
        "neck_top" => "head",
        other => panic!("unknown centre {other}"),
    };
    for take in ["01_01", "02_01", "02_05"] {
        let trial = read(&data.join(format!("cmu/{take}.amc")));
        let (names, rows) = table(&data.join(format!("derived/cmu_{take}_joint_centres.csv")));
        let mut worst_mm = 0.0_f64;
        for row in &rows {
            let frame = row[0] as usize - 1;
            for (column, name) in names.iter().enumerate().skip(1).step_by(3) {
                let centre = name.strip_suffix("_x").unwrap();
                let p = trial.marker(bone(centre)).unwrap().position_m(frame).unwrap() * 1000.0;
                let ours_mm = Vector3::new(p.z, p.x, p.y);
                let theirs_mm = Vector3::new(row[column], row[column + 1], row[column + 2]);
                let apart_mm = (ours_mm - theirs_mm).amax();
                assert!(apart_mm < 0.02, "{take} frame {frame} {centre}: {apart_mm} mm");
                worst_mm = worst_mm.max(apart_mm);
            }
        }
        eprintln!("{take}: {} frames, largest difference {worst_mm:.4} mm", rows.len());
    }
}

#[test]
fn acclaim_written_as_bvh_keeps_every_joint_centre() {
    let Some(data) = recordings::folder() else { return };
    let trial = read(&data.join("cmu/02_01.amc"));
    let mut out = Vec::new();
    write(&trial, Format::Bvh, &mut out).unwrap();
    let again = read_bytes(&out, &ReadOptions::default()).unwrap();
    assert_eq!((again.source.unit, again.rate_hz), (LengthUnit::Centimetre, 120.0));
    for marker in &trial.markers {
        let twin = again.marker(&marker.label).unwrap();
        for frame in 0..trial.frames {
            let apart_m = marker.position_m(frame).unwrap() - twin.position_m(frame).unwrap();
            assert!(apart_m.norm() < 1e-9, "{} frame {frame}", marker.label);
        }
    }
}

#[test]
fn the_same_walk_as_bvh_and_as_amc_has_the_same_hips_and_knees() {
    let Some(data) = recordings::folder() else { return };
    let amc = read(&data.join("cmu/02_01.amc"));
    // The conversion kept Acclaim's numbers, so its unit is none that has a name.
    let bvh = read(&data.join("cmu/02_01.bvh"));
    let scale = 0.0254 / 0.45 / bvh.source.unit.metres();
    let mut worst_m = 0.0_f64;
    for (bone, joint) in [("ltibia", "LeftLeg"), ("rtibia", "RightLeg"), ("root", "Hips")] {
        for frame in 0..amc.frames {
            let a = amc.marker(bone).unwrap().position_m(frame).unwrap();
            // Frame 0 of the BVH is an added T-pose.
            let b = bvh.marker(joint).unwrap().position_m(frame + 1).unwrap() * scale;
            worst_m = worst_m.max((a - b).norm());
        }
    }
    eprintln!("02_01: largest difference of hips and knees {:.4} mm", worst_m * 1000.0);
    assert!(worst_m < 0.001, "{worst_m}");
}

#[test]
fn every_opensim_table_has_its_columns_rows_and_rate_and_survives_a_round_trip() {
    let Some(data) = recordings::folder() else { return };
    for (file, channels, bodies, frames, rate_hz, start_s) in [
        ("nimble/JA1Gait35_ik.mot", 33, 0, 322, 250.0, 0.0),
        ("nimble_synthetic/subject01/coordinates.sto", 33, 0, 223, 200.0, 3.38),
        ("nimble_synthetic/subject18/coordinates.sto", 33, 0, 215, 200.0, 2.44),
        ("opensim/gait10dof18musc_ik_CRLF_line_ending.mot", 10, 0, 15, 60.0, 0.0),
        ("opensim/std_subject01_walk1_ik.mot", 23, 0, 73, 60.0, 0.4),
        ("opensim/orientation_quats.sto", 0, 7, 6, 100.0, 0.0),
    ] {
        let trial = read(&data.join(file));
        eprintln!("{file}: {:?}", trial.notes);
        assert_eq!(
            (trial.channels.len(), trial.bodies.len(), trial.frames, trial.rate_hz, trial.start_s),
            (channels, bodies, frames, rate_hz, start_s),
            "{file}"
        );
        let (trial, again) = round_trip(&trial);
        assert!(trial == again, "{file} changed on the way");
    }
}

#[test]
fn degrees_are_told_from_radians() {
    let Some(data) = recordings::folder() else { return };
    let value = |file: &str, label: &str| {
        let trial = read(&data.join(file));
        let channel = trial.channels.iter().find(|channel| channel.label == label).unwrap();
        channel.value(0).unwrap()
    };
    let simm = value("opensim/std_subject01_walk1_ik.mot", "pelvis_tilt");
    assert!((simm - 5.21211788_f64.to_radians()).abs() < 1e-12);
    assert_eq!(value("opensim/std_subject01_walk1_ik.mot", "pelvis_ty"), 1.04547006);
    assert_eq!(value("nimble/JA1Gait35_ik.mot", "pelvis_tilt"), -0.333669);
    let crlf = value("opensim/gait10dof18musc_ik_CRLF_line_ending.mot", "pelvis_tilt");
    assert!((crlf - 10.32995988_f64.to_radians()).abs() < 1e-12);
}

#[test]
fn the_suit_has_its_segments_and_frames() {
    let Some(data) = recordings::folder() else { return };
    let trial = read(&data.join("mvnx/test_mocap.mvnx"));
    assert_eq!((trial.bodies.len(), trial.frames, trial.rate_hz), (23, 112, 60.0));
    assert_eq!(trial.source.up, Some(Axis::Z));
    assert_eq!(codes(&trial), ["calibration-frames"]);
    assert!(trial.bodies.iter().all(|body| body.missing_samples() == 0));
    let pelvis_m = trial.bodies[0].position_m(0).unwrap();
    assert_eq!([pelvis_m.x, pelvis_m.y, pelvis_m.z], [-0.0, 0.0, -0.000657]);
}

#[test]
fn the_suit_and_its_bvh_twin_have_the_same_joints() {
    let Some(data) = recordings::folder() else { return };
    let suit = read(&data.join("mvnx/test_mocap.mvnx"));
    let bvh = read(&data.join("mvnx/test_mocap.bvh"));
    let joints: Vec<_> = bvh.markers.iter().filter(|m| !m.label.ends_with("_End")).collect();
    assert_eq!(joints.len(), suit.bodies.len());
    // The BVH starts the collar bones 1.9 mm elsewhere, so the arms are seen from their shoulders.
    let shoulder = |segment: usize| match segment {
        7..=10 => 7,
        11..=14 => 11,
        _ => 0,
    };
    let mut worst_m = 0.0_f64;
    // Row 0 of the BVH is a T-pose in the place of the first frame.
    for frame in 1..suit.frames {
        for segment in 0..joints.len() {
            let seen_from = shoulder(segment);
            let body_m = |i: usize| suit.bodies[i].position_m(frame).unwrap();
            let joint_m = |i: usize| joints[i].position_m(frame).unwrap();
            let ours_m = body_m(segment) - body_m(seen_from);
            let theirs_m = joint_m(segment) - joint_m(seen_from);
            // The suit has z up, the BVH y.
            let ours_m = Vector3::new(ours_m.y, ours_m.z, ours_m.x);
            worst_m = worst_m.max((ours_m - theirs_m).norm());
        }
    }
    eprintln!("suit and bvh: largest difference {:.3} mm", worst_m * 1000.0);
    assert!(worst_m < 0.0003, "{worst_m}");
}
