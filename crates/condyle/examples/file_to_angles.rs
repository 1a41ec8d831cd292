//! From a file to joint angles.
//!
//! `cargo run --example file_to_angles -- walk.c3d`; without a file it takes the project's sample.
#![allow(clippy::print_stdout)]

use std::path::PathBuf;

use condyle::format::{ReadOptions, read_path};
use condyle::job;

fn main() -> condyle::Result<()> {
    let sample = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/data/arm.trc");
    let path = std::env::args_os().nth(1).map_or(sample, PathBuf::from);
    let trial = read_path(&path, &ReadOptions::default())?;

    let performance = job::run(trial, &job::Options::default())?;
    for performer in &performance.performers {
        for (joint, angles) in performer.subject.joints().iter().zip(&performer.angles.joints) {
            let (kind, known) = (joint.kind.name(), joint.centre_known().name());
            let sd_mm = 1e3 * joint.worst_sd_m();
            println!("{}: {kind}, centre {known} known ({sd_mm:.1} mm)", joint.name);
            for (component, range_rad) in
                angles.components.iter().zip(angles.range_rad.iter().flatten())
            {
                let [least, most] = range_rad.map(f64::to_degrees);
                println!("  {}: {least:.1} to {most:.1} degrees", component.name);
            }
        }
    }
    for note in performance.all_notes() {
        println!("note: {note}");
    }
    Ok(())
}
