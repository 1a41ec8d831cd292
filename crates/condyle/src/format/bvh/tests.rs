use nalgebra::{UnitQuaternion, Vector3};
use proptest::prelude::*;

use super::{read, write};
use crate::format::ReadOptions;
use crate::motion::{Motion, about};
use crate::skeleton::{Joint, JointChannel, Skeleton};
use crate::trial::{Axis, Format, LengthUnit, Trial};

const ARM: &str = "HIERARCHY\nROOT Hips\n{\n\tOFFSET 0 100 0\n\tCHANNELS 6 Xposition Yposition Zposition \
    Zrotation Xrotation Yrotation\n\tJOINT Left Arm\n\t{\n\t\tOFFSET 10 50 0\n\t\tCHANNELS 1 Zrotation\n\
    \t\tEnd Site\n\t\t{\n\t\t\tOFFSET 20 0 0\n\t\t}\n\t}\n}\nMOTION\nFrames: 2\nFrame Time: .0083333\n\
    1 2 3 0 0 0 90\n4 5 6 0 0 0 -90\n";

fn read_text(text: &str) -> Trial {
    read(text.as_bytes(), &ReadOptions::default()).unwrap()
}

fn codes(trial: &Trial) -> Vec<&str> {
    trial.notes.iter().map(|note| &*note.code).collect()
}

fn written(trial: &Trial) -> String {
    let mut out = Vec::new();
    write(trial, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// The trial as it comes back from a file, notes aside.
fn round_trip(trial: &Trial) -> (Trial, Trial) {
    let options = ReadOptions { unit: Some(trial.source.unit), ..ReadOptions::default() };
    let mut again = read(written(trial).as_bytes(), &options).unwrap();
    let mut trial = trial.clone();
    trial.notes.clear();
    again.notes.clear();
    (trial, again)
}

fn refusal(text: &str) -> String {
    read(text.as_bytes(), &ReadOptions::default()).unwrap_err().to_string()
}

#[test]
fn reads_joints_end_sites_rate_and_unit() {
    let trial = read_text(ARM);
    assert_eq!((trial.frames, trial.rate_hz), (2, 120.0));
    assert_eq!((trial.source.unit, trial.source.up), (LengthUnit::Centimetre, Some(Axis::Y)));
    let labels: Vec<_> = trial.markers.iter().map(|marker| marker.label.as_str()).collect();
    assert_eq!(labels, ["Hips", "Left Arm", "Left Arm_End"]);
    // The position channels replace the root's offset; the arm turns z by a quarter.
    let end_m = trial.markers[2].position_m(0).unwrap();
    assert!((end_m.coords - Vector3::new(0.11, 0.72, 0.03)).norm() < 1e-12, "{end_m}");
    assert_eq!(codes(&trial), ["units", "joint-centres"]);
}

#[test]
fn takes_any_line_ends_marks_blanks_and_letter_case() {
    let plain = read_text(ARM);
    let crlf = format!("\u{feff}{}", ARM.replace('\n', "\r\n").replace(' ', " \t "));
    let glued = ARM
        .replace("\n\t{", "{")
        .replace("Frames: 2", "frames :2")
        .replace("Frame Time:", "FrameTime :");
    let shouted = ARM.replace("Zrotation", "ZROTATION").replace("JOINT", "joint");
    for text in [crlf.replace("Left \t Arm", "Left Arm"), glued, shouted] {
        let trial = read_text(&text);
        assert_eq!(trial.motion, plain.motion, "{text}");
        assert_eq!(trial.rate_hz, 120.0);
    }
}

#[test]
fn numbers_split_over_lines_are_taken_in_order_and_noted() {
    let trial = read_text(&ARM.replace("1 2 3 0", "1 2\n3\n0"));
    assert_eq!(trial.motion, read_text(ARM).motion);
    assert!(codes(&trial).contains(&"row-length"));
}

#[test]
fn keeps_the_whole_rows_there_are_and_notes_the_count() {
    let more = read_text(&ARM.replace("Frames: 2", "Frames: 1"));
    assert_eq!(more.frames, 2);
    assert!(codes(&more).contains(&"wrong-count"));
    for cut in ["4 5 6 0 0 0 -90\n", " -90\n", "90\n"] {
        let fewer = read_text(ARM.strip_suffix(cut).unwrap());
        assert_eq!(fewer.frames, 1, "{cut}");
        assert!(codes(&fewer).contains(&"wrong-count"));
    }
}

#[test]
fn several_roots_and_duplicate_names_are_kept() {
    let one = "ROOT a { OFFSET 0 0 0 CHANNELS 1 Xrotation }";
    let trial = read_text(&format!("HIERARCHY {one} {one} MOTION Frames: 1 Frame Time: 1\n 10 20"));
    assert_eq!(trial.markers.len(), 2);
    assert!(codes(&trial).contains(&"duplicate-labels"));
}

#[test]
fn writing_some_joint_centres_says_that_all_joints_are_written() {
    let mut trial = read_text(ARM);
    assert_eq!(write(&trial, &mut Vec::new()).unwrap(), []);
    trial.markers.truncate(1);
    let notes = write(&trial, &mut Vec::new()).unwrap();
    assert_eq!(notes[0].text, "bvh holds the whole skeleton: all 3 joints were written");
    assert_eq!((notes.len(), read_text(&written(&trial)).markers.len()), (1, 3));
}

#[test]
fn the_caller_knows_unit_up_and_rate_better() {
    let options = ReadOptions {
        unit: Some(LengthUnit::Inch),
        up: Some(Axis::Z),
        rate_hz: Some(50.0),
        ..ReadOptions::default()
    };
    let trial = read(ARM.as_bytes(), &options).unwrap();
    assert_eq!((trial.rate_hz, trial.source.up), (50.0, Some(Axis::Z)));
    assert_eq!(trial.markers[0].position_m(0).unwrap().x, 0.0254);
}

#[test]
fn refuses_broken_files_with_line_and_reason() {
    for (text, reason) in [
        (
            ARM.replace("OFFSET 10 50 0", "OFFSET 10 fifty 0"),
            "line 8: OFFSET: need three numbers, got 'fifty'",
        ),
        (ARM.replace("OFFSET 10 50 0", ""), "line 14: joint 'Left Arm': need an OFFSET, got none"),
        (
            ARM.replace("1 Zrotation", "1 Zscale"),
            "channel: need Xposition … Zrotation, got 'Zscale'",
        ),
        (ARM.replace("4 5 6", "4 x 6"), "line 20: channel value: need a number, got 'x'"),
        (ARM.split("CHANNELS 1").next().unwrap().to_owned(), "got end of file"),
        ("HIERARCHY MOTION".to_owned(), "need at least one ROOT"),
        ("HIERARCHY\nROOT a {}}".to_owned(), "need an OFFSET"),
        ("HIERARCHY\nROOT a {OFFSET 0 0 0}}".to_owned(), "need ROOT or MOTION, got '}'"),
    ] {
        let error = refusal(&text);
        assert!(error.contains(reason), "{error} / {reason}");
    }
}

#[test]
fn a_file_cut_anywhere_is_an_error_or_a_trial() {
    for end in 0..ARM.len() {
        let _ = read(&ARM.as_bytes()[..end], &ReadOptions::default());
    }
}

#[test]
fn nesting_a_hundred_thousand_deep_neither_recurses_nor_explodes() {
    let depth = 100_000;
    let text = format!(
        "HIERARCHY\n{}{}MOTION\nFrames: 1\nFrame Time: 1\n",
        "JOINT a{OFFSET 0 0 0 CHANNELS 0 ".repeat(depth),
        "}".repeat(depth)
    );
    let trial = read_text(&text);
    assert_eq!(trial.motion.as_ref().unwrap().skeleton().joints().len(), depth);
    assert!(written(&trial).len() < 300 * depth);
    assert!(
        read("JOINT a{OFFSET 0 0 0 ".repeat(depth).as_bytes(), &ReadOptions::default()).is_err()
    );
}

#[test]
fn many_still_joints_in_many_frames_do_not_fill_memory() {
    let joints = "End Site{OFFSET 0 0 0}".repeat(20_000);
    let rows = "0\n".repeat(200_000);
    let text = format!(
        "HIERARCHY ROOT a{{OFFSET 0 1 0 CHANNELS 1 Xrotation {joints}}} MOTION\nFrames: 200000\nFrame Time: 1\n{rows}"
    );
    let trial = read_text(&text);
    assert_eq!((trial.frames, trial.markers.len()), (200_000, 0));
    assert!(codes(&trial).contains(&"joint-centres-left-out"));
}

#[test]
fn refuses_to_write_markers_without_a_skeleton() {
    let error = write(&Trial::new(Format::Trc, 100.0), &mut Vec::new()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "bvh holds a skeleton's motion; this recording has 0 markers and no skeleton yet: fit one first"
    );
}

#[test]
fn joints_with_axes_of_their_own_keep_their_positions() {
    let mut root = Joint::new("root", None, Vector3::zeros());
    root.channels = vec![JointChannel::Translation(1), JointChannel::Rotation(2)];
    let mut bone = Joint::new("bone", Some(0), Vector3::new(0.0, 1.0, 0.3));
    bone.joint_from_axes = about(0, 0.7) * about(1, -0.4);
    bone.channels = vec![JointChannel::Rotation(1), JointChannel::Rotation(0)];
    let tip = Joint::new("bone_End", Some(1), Vector3::new(0.5, 0.2, 0.0));
    let skeleton = Skeleton::new(vec![root, bone, tip]).unwrap();
    let values = (0..40).flat_map(|i| [0.1, 0.3, 0.2 * f64::from(i), 0.5]).collect();
    let mut trial = Trial::new(Format::Amc, 120.0);
    trial.frames = 40;
    trial.motion = Some(Motion::new(skeleton, 40, values).unwrap());
    trial.source.unit = LengthUnit::Centimetre;
    let again = round_trip(&trial).1.motion.unwrap();
    assert!(
        again.skeleton().joints().iter().all(|j| j.joint_from_axes == UnitQuaternion::identity())
    );
    for frame in 0..40 {
        let before = trial.motion.as_ref().unwrap().joint_positions_m(frame).unwrap();
        let after = again.joint_positions_m(frame).unwrap();
        for (a, b) in before.iter().zip(&after) {
            assert!((a - b).norm() < 1e-12, "frame {frame} {a} {b}");
        }
    }
    for frame in 1..40 {
        let (one, two) =
            (again.frame_values(frame - 1).unwrap(), again.frame_values(frame).unwrap());
        assert!(one.iter().zip(two).all(|(a, b)| (a - b).abs() < 1.0), "jump at {frame}");
    }
}

fn a_file() -> impl Strategy<Value = String> {
    let channel = prop::sample::select(vec![
        "Xposition",
        "Yposition",
        "Zposition",
        "Xrotation",
        "Yrotation",
        "Zrotation",
    ]);
    let joint =
        (0usize..5, prop::array::uniform3(-50.0..50.0f64), prop::collection::vec(channel, 1..7));
    let joints = prop::collection::vec(joint, 1..6);
    (joints, 0usize..4, 0.001..0.1f64, prop::collection::vec(-400.0..400.0f64, 200)).prop_map(
        |(joints, frames, frame_time, numbers)| {
            let mut text = String::from("HIERARCHY\n");
            let mut open = 0;
            let mut columns = 0;
            for (index, (pops, [x, y, z], channels)) in joints.iter().enumerate() {
                for _ in 0..(*pops).min(open) {
                    text.push('}');
                    open -= 1;
                }
                columns += channels.len();
                let word = if open == 0 { "ROOT" } else { "JOINT" };
                text += &format!(
                    "{word} j{index}\n{{ OFFSET {x} {y} {z}\nCHANNELS {} {}\nEnd Site {{ OFFSET {z} 0 0 }}\n",
                    channels.len(),
                    channels.join(" ")
                );
                open += 1;
            }
            text += &"}".repeat(open);
            text += &format!("MOTION\nFrames: {frames}\nFrame Time: {frame_time:.5}\n");
            for frame in 0..frames {
                for column in 0..columns {
                    let places = column % 7;
                    text += &format!("{:.places$} ", numbers[(frame * columns + column) % numbers.len()]);
                }
                text.push('\n');
            }
            text
        },
    )
}

proptest! {
    #[test]
    fn what_was_read_is_read_again_after_writing(
        text in a_file(),
        unit in prop::sample::select(vec![
            LengthUnit::Metre, LengthUnit::Centimetre, LengthUnit::Millimetre, LengthUnit::Inch,
        ]),
    ) {
        let options = ReadOptions { unit: Some(unit), ..ReadOptions::default() };
        let (trial, again) = round_trip(&read(text.as_bytes(), &options).unwrap());
        prop_assert_eq!(trial, again);
    }

    #[test]
    fn any_text_is_an_error_or_a_trial(
        words in prop::collection::vec(prop::sample::select(vec![
            "HIERARCHY", "ROOT", "JOINT", "End Site", "{", "}", "OFFSET", "CHANNELS", "1", "-2e300",
            "Xrotation", "MOTION", "Frames:", "Frame Time:", "\n", "é", "99999999999",
        ]), 0..60),
    ) {
        let _ = read(words.join(" ").as_bytes(), &ReadOptions::default());
    }
}
