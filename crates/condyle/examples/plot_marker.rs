//! Reads a C3D file and plots the height of one marker as SVG.
//!
//! `cargo run --example plot_marker -- walk.c3d LKNE > knee.svg`; without a file it takes the project's sample.
#![allow(clippy::print_stdout)]

use std::path::PathBuf;

use condyle::format::{ReadOptions, read_path};
use condyle::trial::Axis;

fn main() -> condyle::Result<()> {
    let sample = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/data/arm.trc");
    let path = std::env::args_os().nth(1).map_or(sample, PathBuf::from);
    let label = std::env::args().nth(2).unwrap_or("UPA3".into());
    let trial = read_path(&path, &ReadOptions::default())?;
    let Some(marker) = trial.marker(&label) else {
        println!("need one of {}, got {label}", trial.labels().join(", "));
        return Ok(());
    };

    // Up is y where the file does not say which axis is.
    let up = trial.source.up.unwrap_or(Axis::Y).direction();
    let width_px = 8 * trial.frames;
    println!(r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 -2000 {width_px} 2000">"#);
    println!("<title>{label}: millimetres above the ground, 8 pixels a frame</title>");
    for frame in 0..trial.frames {
        // Frames in which the marker is hidden have no position, and no dot.
        let Some(position_m) = marker.position_m(frame) else { continue };
        let height_mm = 1e3 * position_m.coords.dot(&up);
        println!(r#"<circle cx="{}" cy="{:.1}" r="4"/>"#, 8 * frame, -height_mm);
    }
    println!("</svg>");
    Ok(())
}
