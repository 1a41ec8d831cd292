//! Header, parameters and the length of the file disagree: who wins, and that it is noted.

use condyle::error::Place;
use condyle::format::ReadOptions;
use condyle::trial::Parameter;

use super::file::{DATA_BLOCK, File, codes, frames, place_mm};

/// Two points in a hundred frames: wrong counts miss the end of the file by more than a block.
fn hundred_frames() -> File {
    File::float(&frames(2, 100))
}

#[test]
fn a_well_formed_file_reads_without_a_note() {
    for file in [hundred_frames(), File::integer(&frames(2, 100))] {
        let trial = file.read();
        assert_eq!((trial.markers.len(), trial.frames, trial.rate_hz), (2, 100, 100.0));
        assert_eq!(place_mm(&trial, 1, 99), Some([100.0, 20.0, 1000.0]));
        assert_eq!(codes(&trial), [""; 0]);
    }
}

#[test]
fn parameters_may_start_at_any_block() {
    let mut file = hundred_frames();
    (file.parameter_block, file.data_block) = (5, 9);
    let trial = file.read();
    assert_eq!(place_mm(&trial, 1, 99), Some([100.0, 20.0, 1000.0]));
    assert_eq!(codes(&trial), ["parameter-block"]);
}

#[test]
fn of_two_counts_of_points_the_one_that_fills_the_file_is_taken() {
    for (by_header, by_parameter) in [(2, 3), (3, 2), (1, 2), (2, 1)] {
        let mut file = hundred_frames();
        file.points = by_header;
        file.set("POINT", Parameter::integer("USED", by_parameter));
        let trial = file.read();
        assert_eq!((trial.markers.len(), trial.frames), (2, 100));
        assert_eq!(place_mm(&trial, 1, 99), Some([100.0, 20.0, 1000.0]));
        assert_eq!(codes(&trial), ["header-parameters"]);
    }
}

#[test]
fn of_two_counts_of_analog_values_the_one_that_fills_the_file_is_taken() {
    for (by_header, by_parameter) in [(4, 3), (5, 4)] {
        let mut file = File::analog(&[[1, 2, 3, 40_000]; 300]);
        file.analog_per_frame = by_header;
        file.set("ANALOG", Parameter::integer("USED", by_parameter));
        let trial = file.read();
        assert_eq!((trial.channels.len(), trial.frames), (4, 300));
        assert_eq!(trial.channels[3].raw[299], 40_000.0 - 65_536.0);
        assert!(codes(&trial).contains(&"header-parameters"), "{:?}", trial.notes);
    }
}

#[test]
fn analog_values_that_no_count_of_channels_divides_follow_the_header() {
    let mut file = File::analog(&[[1, 2, 3, 4, 5, 6]; 300]);
    file.analog_ratio = 2;
    file.set("ANALOG", Parameter::integer("USED", 4));
    file.set("ANALOG", Parameter::real("RATE", 200.0));
    let trial = file.read();
    assert_eq!((trial.channels.len(), trial.channels[0].raw.len()), (3, 600));
    assert_eq!((trial.channels[0].rate_hz, &trial.channels[0].raw[..2]), (200.0, &[1.0, 4.0][..]));
    assert_eq!(codes(&trial), ["header-parameters", "analog-count", "labels-extra"]);
}

#[test]
fn of_two_counts_of_frames_the_one_that_fills_the_file_is_taken() {
    for (by_header, by_parameter) in [(100, 50), (50, 100), (0, 100)] {
        let mut file = hundred_frames();
        file.last_frame = by_header;
        file.set("POINT", Parameter::integer("FRAMES", by_parameter));
        let trial = file.read();
        assert_eq!((trial.frames, trial.markers[0].missing_samples()), (100, 0));
        assert_eq!(codes(&trial), ["wrong-count"]);
    }
}

#[test]
fn a_count_of_frames_that_is_wrong_everywhere_keeps_the_whole_frames_there_are() {
    for (declared, kept, code) in
        [(120, 100, "truncated"), (50, 50, "trailing-bytes"), (0, 100, "wrong-count")]
    {
        let mut file = hundred_frames();
        file.last_frame = declared;
        file.set("POINT", Parameter::integer("FRAMES", declared));
        let trial = file.read();
        assert_eq!((trial.frames, codes(&trial)), (kept, vec![code]));
        assert_eq!(place_mm(&trial, 1, kept - 1), Some([kept as f64, 20.0, 1000.0]));
    }
}

#[test]
fn a_file_cut_in_the_middle_of_a_frame_keeps_the_frames_before() {
    let mut file = hundred_frames();
    file.data.truncate(57 * 32 + 20);
    let trial = file.read();
    assert_eq!((trial.frames, codes(&trial)), (57, vec!["truncated"]));
    assert_eq!(place_mm(&trial, 1, 56), Some([57.0, 20.0, 1000.0]));
}

#[test]
fn the_header_says_the_scale_if_it_says_one() {
    for (by_header, by_parameter, height_mm, note) in [
        (0.5, Some(0.5), 500.0, None),
        (0.5, Some(0.25), 500.0, Some("scale")),
        (0.5, None, 500.0, None),
        (f32::NAN, Some(0.25), 250.0, None),
        (f32::INFINITY, None, 1000.0, Some("scale")),
    ] {
        let mut file = File::integer(&frames(2, 100));
        file.scale = by_header;
        file.remove("POINT", "SCALE");
        by_parameter.into_iter().for_each(|s| file.set("POINT", Parameter::real("SCALE", s)));
        let trial = file.read();
        assert_eq!(place_mm(&trial, 0, 0).map(|p| p[2]), Some(height_mm));
        assert_eq!(codes(&trial), Vec::from_iter(note));
    }
}

#[test]
fn a_scale_whose_sign_contradicts_the_data_is_overruled_by_the_length_of_the_file() {
    for float in [true, false] {
        for (header_sign, parameter_sign) in [(1.0, -1.0), (-1.0, 1.0)] {
            let make = if float { File::float } else { File::integer };
            let mut file = make(&frames(2, 100));
            file.scale = header_sign;
            file.set("POINT", Parameter::real("SCALE", parameter_sign));
            let trial = file.read();
            assert_eq!(trial.source.c3d.map(|stored| stored.float), Some(float));
            assert_eq!(place_mm(&trial, 1, 99), Some([100.0, 20.0, 1000.0]));
            assert_eq!(codes(&trial), ["header-parameters"]);
        }
    }
}

#[test]
fn the_rate_is_that_of_the_parameters_if_they_say_one() {
    for (by_header, by_parameter, rate_hz, note) in [
        (60.0, Some(59.94), 59.94, Some("rate-contradiction")),
        (60.0, None, 60.0, None),
        (0.0, Some(50.0), 50.0, None),
        (f32::NAN, Some(-1.0), 0.0, Some("rate-unknown")),
    ] {
        let mut file = hundred_frames();
        file.rate_hz = by_header;
        file.remove("POINT", "RATE");
        by_parameter.into_iter().for_each(|r| file.set("POINT", Parameter::real("RATE", r)));
        let trial = file.read();
        assert!((trial.rate_hz - rate_hz).abs() < 1e-4, "{}", trial.rate_hz);
        assert_eq!(codes(&trial), Vec::from_iter(note));
    }
}

#[test]
fn the_callers_rate_is_that_of_frames_and_analog_samples() {
    let mut file = File::analog(&[[1, 2], [3, 4]]);
    file.analog_ratio = 2;
    file.set("ANALOG", Parameter::integer("USED", 1));
    file.set("ANALOG", Parameter::real("RATE", 200.0));
    let options = ReadOptions { rate_hz: Some(120.0), ..ReadOptions::default() };
    let trial = file.read_with(&options);
    assert_eq!((trial.rate_hz, trial.channels[0].rate_hz), (120.0, 240.0));
}

#[test]
fn the_data_start_where_the_header_says_or_else_the_parameters_or_else_after_them() {
    for (by_header, by_parameter) in [(DATA_BLOCK, Some(5)), (0, Some(DATA_BLOCK)), (1, None)] {
        let mut file = hundred_frames();
        file.data_block = by_header;
        by_parameter
            .into_iter()
            .for_each(|block| file.set("POINT", Parameter::integer("DATA_START", block)));
        let trial = file.read();
        assert_eq!(place_mm(&trial, 1, 99), Some([100.0, 20.0, 1000.0]));
        assert_eq!(codes(&trial), ["data-start"]);
    }
}

#[test]
fn data_that_start_beyond_the_file_are_refused() {
    let mut file = hundred_frames();
    file.data_block = 900;
    let error = file.last_fit_error();
    assert_eq!(error.place(), Some(Place::Byte(16)));
    assert!(error.to_string().contains("got block 900"), "{error}");
}
