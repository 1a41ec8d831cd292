#![no_main]

use condyle::Trial;
use condyle::marker_set::{from_text, recognise_trial, to_toml};
use condyle::trial::{Format, Marker};
use condyle::nalgebra::Point3;

/// Labels that the seeds speak of, each seen once.
const LABELS: [&str; 8] =
    ["JOE:LASI", "JOE:RASI", "JOE:SACR", "JOE:LTHI", "JOE:LKNE", "JOE:LKNE", "SUE:LKNE", "*3"];

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let mut trial = Trial::new(Format::C3d, 100.0);
    trial.frames = 1;
    // Labels of the input too, so that they are as wild as its plan.
    let labels = LABELS.into_iter().chain(text.lines().take(20));
    let seen = |label| Marker::from_positions(label, [Some(Point3::origin())]);
    trial.markers = labels.map(seen).collect();
    let _ = recognise_trial(&trial);
    let Ok((plan, _)) = from_text(&text.into(), &trial) else { return };
    for performer in &plan.performers {
        performer.check().unwrap();
    }
    if let Err(error) = from_text(&to_toml(&plan, &trial).as_str().into(), &trial) {
        panic!("a plan was written and cannot be read: {error}");
    }
});
