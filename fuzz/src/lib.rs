//! What must hold of anything a reader returns, whatever it was fed.

use condyle::format::{ReadOptions, read_bytes, write};
use condyle::trial::Format;
use condyle::{Result, Trial};

/// A tiny Acclaim skeleton, for motions that need one.
pub use condyle_lab::mutants::small::ASF as SKELETON;

/// The most samples of a trial that is written again.
const MOST_VALUES_WRITTEN: usize = 500;

/// An error is fine. A trial must be consistent, and what is written of it must read again.
pub fn check(result: Result<Trial>) {
    let Ok(trial) = result else { return };
    assert!(trial.markers.iter().all(|marker| marker.frames() == trial.frames));
    assert!(trial.bodies.iter().all(|body| body.frames() == trial.frames));
    assert!((0.0..=1.0).contains(&trial.missing_fraction()));
    for marker in &trial.markers {
        for frame in [0, trial.frames / 2, trial.frames.saturating_sub(1)] {
            let finite = marker.position_m(frame).is_none_or(|p| p.iter().all(|v| v.is_finite()));
            assert!(finite, "a position that is not finite");
        }
    }
    // Writing costs more than reading: large trials would leave little time for new inputs.
    let values: usize = trial.channels.iter().map(|channel| channel.raw.len()).sum();
    let values = values + (trial.markers.len() + trial.bodies.len()) * trial.frames;
    if values > MOST_VALUES_WRITTEN {
        return;
    }
    for format in [Format::C3d, Format::Trc, Format::Csv, Format::Bvh, Format::Sto] {
        let mut bytes = Vec::new();
        if write(&trial, format, &mut bytes).is_ok() {
            if let Err(error) = read_bytes(&bytes, &ReadOptions::default()) {
                panic!("{format} was written and cannot be read: {error}");
            }
        }
    }
}
