//! Files that are hardly C3D files: an error with a place, or whole frames, and never a panic.

use std::path::PathBuf;

use condyle::error::Place;
use condyle::format::{ReadOptions, read_path};
use condyle::trial::{Event, Parameter, Trial};
use condyle::{Error, ErrorKind};

use super::file::{BLOCK, File, codes, frames, place_mm, read};

/// A file on disk that goes when the test does.
struct OnDisk(PathBuf);

impl OnDisk {
    fn new(name: &str, bytes: &[u8]) -> Self {
        let name = format!("condyle-quirks-{}-{name}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::write(&path, bytes).unwrap();
        Self(path)
    }

    fn last_fit_error(&self) -> Error {
        read_path(&self.0, &ReadOptions::default()).unwrap_err()
    }
}

impl Drop for OnDisk {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[test]
fn a_text_file_named_c3d_is_told_by_its_content() {
    let file = OnDisk::new("text.c3d", b"hello, this is no recording\n");
    let error = file.last_fit_error().to_string();
    assert!(error.contains("text.c3d"), "{error}");
    let error = read(b"hello, this is no recording").unwrap_err();
    assert_eq!(error.place(), Some(Place::Byte(1)));
    assert_eq!(error.to_string(), "byte 1: C3D key: need 0x50, got 0x65");
}

#[test]
fn an_empty_file_is_called_empty() {
    let error = OnDisk::new("empty.c3d", b"").last_fit_error();
    assert!(matches!(error.kind(), ErrorKind::Empty), "{error}");
    assert!(matches!(read(b"").unwrap_err().kind(), ErrorKind::Empty));
}

#[test]
fn zeros_before_the_header_are_skipped() {
    for leading_zeros in [1, 512, 5000] {
        let mut file = File::float(&frames(2, 3));
        file.leading_zeros = leading_zeros;
        let trial = file.read();
        assert_eq!(place_mm(&trial, 1, 2), Some([3.0, 20.0, 1000.0]));
        assert_eq!(codes(&trial), ["leading-zeros"]);
    }
}

#[test]
fn an_unknown_processor_is_guessed_from_the_header() {
    for processor in [0, 1, 83, 87, 255] {
        let mut file = File::float(&frames(2, 3));
        file.processor = processor;
        let trial = file.read();
        assert_eq!(place_mm(&trial, 1, 2), Some([3.0, 20.0, 1000.0]));
        assert_eq!(codes(&trial), ["processor"]);
    }
}

#[test]
fn an_unknown_processor_with_a_header_that_makes_no_sense_is_refused() {
    let mut file = File::float(&frames(2, 3));
    (file.processor, file.rate_hz) = (0, 0.0);
    let error = file.last_fit_error();
    assert_eq!(error.place(), Some(Place::Byte(BLOCK as u64 + 3)));
    assert!(error.to_string().contains("got 0"), "{error}");
}

#[test]
fn parameters_beyond_the_file_are_refused() {
    for block in [0, 1, 200] {
        let mut bytes = File::float(&frames(2, 3)).bytes();
        bytes[0] = block;
        // A zero first looks like one before the header: the key is missing then.
        let error = read(&bytes).unwrap_err();
        assert!(matches!(error.place(), Some(Place::Byte(0 | 2))), "{block}: {error}");
    }
}

/// A file of everything: points, analog samples, events and rotations.
fn everything() -> File {
    let mut file = File::float(&frames(3, 40));
    let frame_bytes = 3 * 16;
    file.data =
        file.data.chunks(frame_bytes).flat_map(|frame| [frame, &[0; 16][..]].concat()).collect();
    (file.analog_per_frame, file.analog_ratio) = (4, 2);
    file.set("ANALOG", Parameter::integer("USED", 2));
    file.set("ANALOG", Parameter::real("RATE", 200.0));
    file.set("ANALOG", Parameter::strings("LABELS", &["Fx", "Fz"]));
    file.events = vec![("RTO ", 0.25)];
    file.add_rotations(2, &[[0.0; 17]; 80]);
    file
}

fn assert_whole(trial: &Trial) {
    assert!(trial.markers.iter().all(|marker| marker.frames() == trial.frames));
    assert!(trial.bodies.iter().all(|body| body.frames() == trial.frames));
    let ratio = trial.channels.first().map_or(0, |c| c.raw.len() / trial.frames.max(1));
    assert!(trial.channels.iter().all(|c| c.raw.len() == ratio * trial.frames));
    assert!(trial.events.iter().all(|event: &Event| event.time_s.is_finite()));
}

#[test]
fn a_file_cut_anywhere_gives_whole_frames_or_an_error_with_a_place() {
    let bytes = everything().bytes();
    assert_eq!(codes(&read(&bytes).unwrap()), ["rotation-crooked"]);
    let data_at = 5 * BLOCK;
    for length in (0..bytes.len()).step_by(64).chain([1, 511, 513, data_at + 1]) {
        match read(&bytes[..length]) {
            Ok(trial) => {
                assert_whole(&trial);
                assert_eq!(trial.frames, ((length - data_at) / 64).min(40), "cut at {length}");
                assert!(!trial.notes.is_empty(), "cut at {length}");
            }
            Err(error) if length == 0 => assert!(matches!(error.kind(), ErrorKind::Empty)),
            Err(error) => assert!(error.place().is_some(), "cut at {length}: {error}"),
        }
    }
}

#[test]
fn any_byte_of_header_and_parameters_may_be_wrong() {
    let bytes = everything().bytes();
    for at in 0..2 * BLOCK {
        for value in [0, 0x7f, 0xff] {
            let mut wrong = bytes.clone();
            wrong[at] = value;
            match read(&wrong) {
                Ok(trial) => assert_whole(&trial),
                Err(error) => assert!(error.place().is_some(), "byte {at} = {value}: {error}"),
            }
        }
    }
}
