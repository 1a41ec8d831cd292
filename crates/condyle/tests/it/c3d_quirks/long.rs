//! More than 16 bits can count, or 15 if the sign is taken for one.

use condyle::trial::Parameter;

use super::file::{File, codes, frames};

/// A file of one point in 70,000 frames, whose 16-bit counts are as given.
fn seventy_thousand_frames(counts: u16) -> File {
    let mut file = File::integer(&frames(1, 70_000));
    file.last_frame = counts;
    file.set("POINT", Parameter::integer("FRAMES", counts));
    file
}

#[test]
fn long_frames_counts_more_than_65535_frames() {
    let mut file = seventy_thousand_frames(65_535);
    file.set("POINT", Parameter::real("LONG_FRAMES", 70_000.0));
    let trial = file.read();
    assert_eq!((trial.frames, trial.markers[0].missing_samples()), (70_000, 0));
    assert_eq!(codes(&trial), [""; 0]);
}

#[test]
fn actual_fields_count_more_than_65535_frames() {
    let mut file = seventy_thousand_frames(65_535);
    file.set_integers("TRIAL", "ACTUAL_START_FIELD", &[1, 0]);
    file.set_integers("TRIAL", "ACTUAL_END_FIELD", &[70_000u32 as i16, 1]);
    let trial = file.read();
    assert_eq!((trial.frames, codes(&trial)), (70_000, vec![]));
}

#[test]
fn a_count_that_wrapped_at_65536_is_overruled() {
    let mut file = seventy_thousand_frames(70_000u32 as u16);
    file.set("POINT", Parameter::real("LONG_FRAMES", 70_000.0));
    let trial = file.read();
    assert_eq!((trial.frames, codes(&trial)), (70_000, vec!["wrong-count"]));
}

#[test]
fn a_full_count_with_no_other_takes_the_65535_it_is_sure_of() {
    let trial = seventy_thousand_frames(65_535).read();
    assert_eq!((trial.frames, codes(&trial)), (65_535, vec!["trailing-bytes"]));
}

#[test]
fn frames_are_numbered_beyond_65535() {
    let mut file = File::float(&frames(1, 10));
    (file.first_frame, file.last_frame) = (70_000u32 as u16, 70_009u32 as u16);
    file.set_integers("TRIAL", "ACTUAL_START_FIELD", &[70_000u32 as i16, 1]);
    file.set_integers("TRIAL", "ACTUAL_END_FIELD", &[70_009u32 as i16, 1]);
    let trial = file.read();
    assert_eq!((trial.first_frame, trial.frames), (70_000, 10));
    assert!((trial.start_s - 699.99).abs() < 1e-9);
    assert_eq!(codes(&trial), [""; 0]);
}

#[test]
fn of_two_numbers_of_the_first_frame_the_header_has_the_right_one() {
    let mut file = File::float(&frames(1, 10));
    (file.first_frame, file.last_frame) = (41, 50);
    file.set_integers("TRIAL", "ACTUAL_START_FIELD", &[1, 0]);
    file.set_integers("TRIAL", "ACTUAL_END_FIELD", &[10, 0]);
    let trial = file.read();
    assert_eq!((trial.first_frame, trial.frames), (41, 10));
    assert_eq!(codes(&trial), ["first-frame"]);
}

#[test]
fn counts_of_frames_above_32767_are_not_negative() {
    let mut file = File::integer(&frames(1, 20_000));
    (file.first_frame, file.last_frame) = (40_001, 60_000);
    let trial = file.read();
    assert_eq!((trial.frames, trial.first_frame), (20_000, 40_001));
    assert_eq!(codes(&trial), [""; 0]);

    let trial = File::integer(&frames(1, 40_000)).read();
    assert_eq!((trial.frames, codes(&trial)), (40_000, vec![]));
}

#[test]
fn counts_of_points_above_32767_are_not_negative() {
    let frame = (0..40_000u16).map(|p| [1.0, 10.0, f32::from(p / 40), 0.0]).collect();
    let mut file = File::integer(&[frame]);
    file.set("POINT", Parameter::strings("LABELS", &["FIRST"]));
    let trial = file.read();
    assert_eq!((trial.markers.len(), trial.frames), (40_000, 1));
    assert_eq!(trial.markers[39_999].label, "*40000");
    assert_eq!(codes(&trial), ["labels-missing"]);
}

#[test]
fn counts_stored_as_floats_beyond_reason_are_no_counts() {
    for (group, name) in [
        ("POINT", "USED"),
        ("POINT", "FRAMES"),
        ("POINT", "LONG_FRAMES"),
        ("POINT", "DATA_START"),
        ("ANALOG", "USED"),
        ("ROTATION", "DATA_START"),
    ] {
        for value in [1e30, f32::MAX, f32::INFINITY, f32::NAN, -1.0, 4e9] {
            let mut file = File::float(&frames(2, 100));
            file.set(group, Parameter::real(name, value));
            let trial = file.read();
            assert_eq!((trial.markers.len(), trial.frames), (2, 100), "{group}:{name} {value}");
        }
    }
}
