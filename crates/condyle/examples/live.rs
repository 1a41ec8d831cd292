//! A stream of markers: the skeleton is calibrated as frames come in, and every frame is placed at once.
//!
//! `cargo run --release --example live`
#![allow(clippy::print_stdout)]

use condyle::job;
use condyle::live::Live;
use condyle::simulate::{self, Performer};

fn main() -> condyle::Result<()> {
    // Stands in for a camera system: frames come from here one by one.
    let options = simulate::Options { seconds: 10.0, noise_m: 1e-3, ..Default::default() };
    let cameras = simulate::simulate(&Performer::human(), &options)?.trial;

    let mut live = Live::new(&cameras.labels(), cameras.rate_hz, &job::Options::default())?;
    let mut positions_m = vec![None; cameras.markers.len()];
    for frame in 0..cameras.frames {
        cameras.positions_m(frame, &mut positions_m);
        for performer in live.push(&positions_m)? {
            let Some(knee) = performer.joints().find(|joint| joint.name == "left knee") else {
                continue;
            };
            if let (Some(at_m), Some(angles_rad), 0) =
                (knee.position_m, knee.angles_rad, frame % 100)
            {
                let (flexion_deg, height_m) = (angles_rad[0].to_degrees(), at_m.z);
                let known = knee.certainty.centre_known.map_or("not yet", |known| known.name());
                println!(
                    "{frame:4}: flexion {flexion_deg:5.1} degrees, {height_m:.3} m up, {known} known"
                );
            }
        }
    }
    // What needs the whole recording comes last: repairs, gaps, smoothing.
    let performance = live.finish()?;
    println!("{} joints", performance.performers[0].subject.joints().len());
    Ok(())
}
