use nalgebra::Vector3;

use super::read;
use crate::format::{ReadOptions, asf};
use crate::trial::{Axis, LengthUnit, Trial};

const SKELETON: &str = "# made up\n:version 1.10\n:name TOY\n:units\n  mass 1.0\n  length 0.45\n  angle deg\n\
    :root\n   order TX TY TZ RX RY RZ\n   axis XYZ\n   position 0 0 0\n   orientation 0 0 0\n\
    :bonedata\n  begin\n   id 1\n   name thigh\n   direction 0 -1 0\n   length 4.5\n   axis 0 90 0 XYZ\n\
       dof rx rz\n   limits (-1 1)\n   (-2 2)\n  end\n\
    begin\n id 2\n name shin\n direction 0 -1 0\n length 4.5\n axis 0 0 0 XYZ\n end\n\
    :hierarchy\n begin\n root thigh\n thigh shin\n end\n";

const MOTION: &str = "#!OML:ASF\n:FULLY-SPECIFIED\n:DEGREES\n1\nroot 9 0 0 0 0 0\nthigh 90 0\n2\nroot 0 9 0 0 0 90\nthigh 0 0\n";

fn read_text(motion: &str, skeleton: &str) -> Trial {
    read(motion.as_bytes(), skeleton.as_bytes(), &ReadOptions::default()).unwrap()
}

fn codes(trial: &Trial) -> Vec<&str> {
    trial.notes.iter().map(|note| &*note.code).collect()
}

#[track_caller]
fn assert_at_inches(trial: &Trial, frame: usize, label: &str, inches: [f64; 3]) {
    let position_m = trial.marker(label).unwrap().position_m(frame).unwrap();
    let wanted = Vector3::from(inches) * 0.0254;
    assert!((position_m.coords - wanted).norm() < 1e-12, "{label} {}", position_m / 0.0254);
}

#[test]
fn a_bone_turns_in_its_own_axes_about_its_start() {
    let trial = read_text(MOTION, SKELETON);
    assert_eq!((trial.frames, trial.rate_hz, trial.first_frame), (2, 120.0, 1));
    assert_eq!((trial.source.up, trial.source.unit), (Some(Axis::Y), LengthUnit::Centimetre));
    // Lengths 4.5 are 10 inches; the thigh's x axis is the world's -z, so -y turns to -x.
    assert_at_inches(&trial, 0, "root", [20.0, 0.0, 0.0]);
    assert_at_inches(&trial, 0, "thigh", [20.0, 0.0, 0.0]);
    assert_at_inches(&trial, 0, "shin", [10.0, 0.0, 0.0]);
    assert_at_inches(&trial, 0, "shin_End", [0.0, 0.0, 0.0]);
    assert_at_inches(&trial, 1, "shin_End", [20.0, 20.0, 0.0]);
    assert_eq!(codes(&trial), ["rate-assumed", "joint-centres"]);
}

#[test]
fn radians_and_units_of_the_caller_are_taken() {
    let quarter = std::f64::consts::FRAC_PI_2.to_string();
    let motion = MOTION.replace(":DEGREES", ":RADIANS").replace("90", &quarter);
    let options = ReadOptions {
        unit: Some(LengthUnit::Metre),
        rate_hz: Some(60.0),
        ..ReadOptions::default()
    };
    let trial = read(motion.as_bytes(), SKELETON.as_bytes(), &options).unwrap();
    let end_m = trial.marker("shin_End").unwrap().position_m(0).unwrap();
    assert!((end_m.coords - Vector3::zeros()).norm() < 1e-12, "{end_m}");
    assert_eq!(trial.rate_hz, 60.0);
}

#[test]
fn notes_missing_bones_unknown_bones_and_jumping_numbers() {
    let motion =
        MOTION.replace("thigh 90 0\n2\n", "tail 1\n7\n") + "8\nroot 0 0 0 0 0 0\nthigh 1 1\n";
    let trial = read_text(&motion, SKELETON);
    assert_eq!(trial.frames, 3);
    for code in ["bones-missing", "bones-unknown", "frame-numbers"] {
        assert!(codes(&trial).contains(&code), "{code}");
    }
}

#[test]
fn leaves_out_a_last_frame_that_was_cut() {
    for cut in ["thigh 0 0\n", " 0\n", "gh 0 0\n"] {
        let trial = read_text(MOTION.strip_suffix(cut).unwrap(), SKELETON);
        assert_eq!(trial.frames, 1, "{cut}");
        assert!(codes(&trial).contains(&"truncated"));
    }
}

#[test]
fn a_skeleton_alone_is_a_trial_without_frames() {
    let trial = asf::read(SKELETON.as_bytes(), &ReadOptions::default()).unwrap();
    assert_eq!(trial.frames, 0);
    assert_eq!(trial.motion.as_ref().unwrap().skeleton().joints().len(), 4);
    assert_eq!(codes(&trial), ["skeleton-only"]);
}

#[test]
fn refuses_broken_skeletons_with_the_reason() {
    for (from, to, reason) in [
        ("root thigh", "root tail", "need a bone of :bonedata, got 'tail'"),
        ("thigh shin\n end", "thigh shin\n shin thigh\n end", "need one parent for 'thigh'"),
        ("name shin", "name thigh", "got 'thigh' twice"),
        ("axis 0 90 0 XYZ", "axis 0 90 0 XYW", "need an order such as XYZ, got 'XYW'"),
        ("direction 0 -1 0", "direction 0 down", "direction: need 3 numbers, got 'down'"),
        ("dof rx rz", "dof rx rq", "got 'rq'"),
        ("length 0.45", "length 0", "need a positive number, got 0"),
        (":bonedata", ":something", "need bones in :bonedata, got none"),
    ] {
        let text = SKELETON.replacen(from, to, 1);
        let error = asf::read(text.as_bytes(), &ReadOptions::default()).unwrap_err().to_string();
        assert!(error.contains(reason), "{error} / {reason}");
    }
}

#[test]
fn refuses_broken_motions_with_line_and_reason() {
    for (motion, reason) in [
        (MOTION.replace("root 9", "root nine"), "line 5: bone root: need numbers, got 'nine'"),
        (
            MOTION.replacen("1\n", "", 1),
            "line 4: frame: need its number before the bones, got 'root'",
        ),
        (":DEGREES\n".to_owned(), "need at least one frame"),
    ] {
        let read = read(motion.as_bytes(), SKELETON.as_bytes(), &ReadOptions::default());
        let error = read.unwrap_err().to_string();
        assert!(error.contains(reason), "{error} / {reason}");
    }
}

#[test]
fn frames_without_bones_do_not_fill_memory() {
    let many: String = (0..20_000)
        .map(|i| format!("begin\nname b{i}\ndirection 0 1 0\nlength 1\ndof rx ry rz\nend\n"))
        .collect();
    let below: String = (0..20_000).map(|i| format!(" b{i}")).collect();
    let skeleton = format!(
        ":units\nlength 0.45\n:root\norder TX TY TZ\n:bonedata\n{many}:hierarchy\nroot{below}\n"
    );
    let motion: String = (0..50_000).map(|i| format!("{i}\n")).collect();
    let read = read(motion.as_bytes(), skeleton.as_bytes(), &ReadOptions::default());
    assert!(read.unwrap_err().to_string().contains("nearly without"));
}

#[test]
fn files_cut_anywhere_are_errors_or_trials() {
    for end in 0..SKELETON.len() {
        let _ = asf::read(&SKELETON.as_bytes()[..end], &ReadOptions::default());
    }
    for end in 0..MOTION.len() {
        let _ = read(&MOTION.as_bytes()[..end], SKELETON.as_bytes(), &ReadOptions::default());
    }
}
