//! Condyle in a browser: a recording's bytes in, its joints out.
//!
//! `condyle.mjs` beside this crate loads the module and calls it; [`run`] is the same job for native code, which
//! the test in Node compares it with.

#[cfg(target_arch = "wasm32")]
mod exports;

use condyle::calibrate::Calibration;
use condyle::format::{ReadOptions, read_bytes};
use condyle::solve::{SolvedMotion, solve_trial};
use condyle::{Trial, marker_set, plan};
use serde::Serialize;

/// What a recording holds, and where the joints of its performers are.
#[derive(Debug, Serialize)]
pub struct Found {
    /// The number of frames.
    pub frames: usize,
    /// Frames a second; 0 where the recording does not say.
    pub rate_hz: f64,
    /// Everyone whose markers were recognised.
    pub performers: Vec<Performer>,
}

/// One performer.
#[derive(Debug, Serialize)]
pub struct Performer {
    /// Its name, or the empty text.
    pub name: String,
    /// The names of its joints.
    pub joints: Vec<String>,
    /// Its motion, for which a page gets pointers.
    #[serde(skip)]
    pub motion: SolvedMotion,
}

/// Reads a recording, fits everyone whose markers are recognised, and places their joints.
///
/// # Errors
/// The bytes are no recording, or a performer cannot be fitted or solved.
pub fn run(recording: &[u8]) -> condyle::Result<Found> {
    let trial = read_bytes(recording, &ReadOptions::default())?;
    let plan = marker_set::recognise_trial(&trial).plan;
    let performers = plan.performers.iter().map(|planned| performer(&trial, planned));
    Ok(Found {
        frames: trial.frames,
        rate_hz: trial.rate_hz,
        performers: performers.collect::<condyle::Result<_>>()?,
    })
}

fn performer(trial: &Trial, planned: &plan::Performer) -> condyle::Result<Performer> {
    let mut calibration = Calibration::new(planned, &trial.labels())?;
    let mut positions_m = vec![None; trial.markers.len()];
    for frame in 0..trial.frames {
        trial.positions_m(frame, &mut positions_m);
        calibration.push(&positions_m);
    }
    let subject = calibration.fit()?;
    let motion = solve_trial(&subject, trial)?;
    let joints = subject.joints.iter().map(|joint| joint.name.clone()).collect();
    Ok(Performer { name: planned.name.clone(), joints, motion })
}
