//! Fits a subject once and uses it for every other recording of the same person.
//!
//! `cargo run --example batch_with_subject -- calibration.c3d walk1.c3d walk2.c3d`; without files a person is simulated.
#![allow(clippy::print_stdout)]

use condyle::format::{ReadOptions, read_path};
use condyle::job::{self, Recording};
use condyle::simulate::{self, Performer, Routine};

fn main() -> condyle::Result<()> {
    let mut recordings = Vec::new();
    for path in std::env::args().skip(1) {
        let trial = read_path(path.as_ref(), &ReadOptions::default())?;
        recordings.push(Recording::new(path, trial));
    }
    if recordings.is_empty() {
        for (name, routine) in [("range of motion", Routine::Rom), ("walk", Routine::Walk)] {
            let options =
                simulate::Options { routine, seconds: 8.0, noise_m: 1e-3, ..Default::default() };
            let trial = simulate::simulate(&Performer::human(), &options)?.trial;
            recordings.push(Recording::new(name, trial));
        }
    }

    let mut options = job::Options::default();
    options.subject = job::fit(vec![recordings.remove(0)], &options)?.subjects.pop();
    for recording in recordings {
        let name = recording.name.clone();
        // A recording of somebody else is an error, not a bad answer.
        let performance = job::run(recording, &options)?;
        for joint in &performance.performers[0].angles.joints {
            let degrees = joint.range_of_motion_rad(0).unwrap_or(0.0).to_degrees();
            println!(
                "{name}: {}: {degrees:.0} degrees of {}",
                joint.name, joint.components[0].name
            );
        }
    }
    Ok(())
}
