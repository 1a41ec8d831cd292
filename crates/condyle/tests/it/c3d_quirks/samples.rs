//! Samples that are flagged, at the origin, no numbers, or carry camera masks.

use condyle::format::ReadOptions;
use condyle::trial::{Origin, Parameter};

use super::file::{File, codes, frames, place_mm};

/// One good sample and one with coordinates and fourth word of one's own.
fn second(sample: [f32; 4]) -> File {
    let mut frames = frames(1, 2);
    frames[1][0] = sample;
    File::float(&frames)
}

#[test]
fn residual_minus_one_without_coordinates_is_plainly_missing() {
    for make in [File::float, File::integer] {
        let mut frames = frames(1, 2);
        frames[1][0] = [0.0, 0.0, 0.0, -1.0];
        let trial = make(&frames).read();
        assert_eq!(trial.markers[0].origin(1), Origin::Missing);
        assert_eq!((trial.markers[0].position_m(1), codes(&trial)), (None, vec![]));
    }
}

#[test]
fn residual_minus_one_with_coordinates_is_missing_unless_they_are_asked_for() {
    let file = second([5.0, 6.0, 7.0, -1.0]);
    let trial = file.read();
    assert_eq!((place_mm(&trial, 0, 1), codes(&trial)), (None, vec!["invalid"]));

    let trial = file.read_with(&ReadOptions { keep_invalid: true, ..ReadOptions::default() });
    assert_eq!(place_mm(&trial, 0, 1), Some([5.0, 6.0, 7.0]));
    assert_eq!((trial.markers[0].origin(1), codes(&trial)), (Origin::Measured, vec!["invalid"]));
}

#[test]
fn a_file_with_every_sample_flagged_says_how_to_get_at_them() {
    let mut frames = frames(2, 3);
    frames.iter_mut().flatten().for_each(|sample| sample[3] = -1.0);
    let trial = File::float(&frames).read();
    assert_eq!((trial.missing_fraction(), codes(&trial)), (1.0, vec!["all-invalid"]));
    assert!(trial.notes[0].text.contains("every one is flagged invalid"), "{}", trial.notes[0]);
}

#[test]
fn a_residual_written_unsigned_is_minus_one_all_the_same() {
    let trial = second([0.0, 0.0, 0.0, 65_535.0]).read();
    assert_eq!((place_mm(&trial, 0, 1), codes(&trial)), (None, vec!["residual-unsigned"]));

    let trial = second([5.0, 6.0, 7.0, 65_535.0]).read();
    assert_eq!(place_mm(&trial, 0, 1), None);
    assert_eq!(codes(&trial), ["residual-unsigned", "invalid"]);
}

#[test]
fn a_fourth_word_that_can_be_no_residual_is_ignored() {
    for word in [70_000.0, f32::INFINITY, f32::NAN] {
        let trial = second([5.0, 6.0, 7.0, word]).read();
        assert_eq!(place_mm(&trial, 0, 1), Some([5.0, 6.0, 7.0]));
        assert_eq!((trial.markers[0].residual_m(1), codes(&trial)), (None, vec!["residual"]));
    }
}

#[test]
fn a_sample_at_exactly_the_origin_is_missing() {
    let trial = second([0.0; 4]).read();
    assert_eq!((place_mm(&trial, 0, 1), codes(&trial)), (None, vec!["zero-coordinates"]));
    let trial = second([0.0, 0.0, 1.0, 0.0]).read();
    assert_eq!((place_mm(&trial, 0, 1), codes(&trial)), (Some([0.0, 0.0, 1.0]), vec![]));
}

#[test]
fn a_sample_that_is_no_number_is_missing() {
    for value in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let trial = second([1.0, value, 1.0, 0.0]).read();
        assert_eq!((place_mm(&trial, 0, 1), codes(&trial)), (None, vec!["not-finite"]));
        let options = ReadOptions { keep_invalid: true, ..ReadOptions::default() };
        assert_eq!(place_mm(&second([1.0, value, 1.0, -1.0]).read_with(&options), 0, 1), None);
    }
}

#[test]
fn residuals_and_camera_masks_come_from_the_fourth_word() {
    for make in [File::float, File::integer] {
        let mut frames = frames(1, 2);
        frames[1][0][3] = f32::from(0b101u16 << 8 | 12);
        let mut file = make(&frames);
        file.scale *= 0.5;
        file.set("POINT", Parameter::real("SCALE", file.scale));
        let trial = file.read();
        let marker = &trial.markers[0];
        assert_eq!((marker.cameras(1), marker.residual_m(1)), (Some(0b101), Some(0.006)));
        assert_eq!((marker.cameras(0), codes(&trial)), (Some(0), vec![]));
    }
}
