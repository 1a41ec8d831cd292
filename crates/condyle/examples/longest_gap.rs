//! Reads a recording, whatever its format, and says which marker was hidden longest.
//!
//! `cargo run --example longest_gap -- walk.c3d`; without a file it takes the project's sample.
#![allow(clippy::print_stdout)]

use std::path::PathBuf;

use condyle::format::{ReadOptions, read_path};

fn main() -> condyle::Result<()> {
    let sample = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/data/arm.trc");
    let path = std::env::args_os().nth(1).map_or(sample, PathBuf::from);
    let trial = read_path(&path, &ReadOptions::default())?;

    println!("{} markers, {} frames at {} Hz", trial.markers.len(), trial.frames, trial.rate_hz);
    let longest = trial
        .markers
        .iter()
        .flat_map(|marker| marker.gaps().into_iter().map(move |gap| (gap.len(), gap, marker)))
        .max_by_key(|(length, ..)| *length);
    match longest {
        Some((length, gap, marker)) => {
            let from_s = trial.time_s(gap.start);
            println!("{} is missing for {length} frames from {from_s:.2} s", marker.label);
        }
        None => println!("no marker is ever missing"),
    }
    Ok(())
}
