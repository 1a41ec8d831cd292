//! The benchmark files: one recording, stored as each machine and number format stores it.

use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use condyle::format::c3d::{self, Storage, WriteOptions};
use condyle::trial::{C3dStorage, Format, LengthUnit, Marker, Processor, Trial};
use nalgebra::Point3;

const MARKERS: usize = 41;
const FRAMES: usize = 100_000;
const RATE_HZ: f64 = 120.0;

/// The files by name, without their extension.
pub const FILES: [(&str, Processor, Storage); 5] = [
    ("intel_float", Processor::Intel, Storage::Float),
    ("intel_int", Processor::Intel, Storage::Integer),
    ("dec_float", Processor::Dec, Storage::Float),
    ("dec_int", Processor::Dec, Storage::Integer),
    ("sgi_float", Processor::Mips, Storage::Float),
];

/// Writes the files into a folder.
pub fn make(folder: &Path) -> Result<(), Box<dyn Error>> {
    let trial = walk();
    for (name, processor, storage) in FILES {
        let mut out = BufWriter::new(File::create(folder.join(format!("{name}.c3d")))?);
        let options = WriteOptions { processor, storage: Some(storage) };
        c3d::write_with(&trial, options, &mut out)?;
        out.flush()?;
    }
    Ok(())
}

/// Someone walking in circles: every coordinate moves, 1 % of samples are missing, residuals and
/// camera masks are there.
fn walk() -> Trial {
    let mut trial = Trial::new(Format::C3d, RATE_HZ);
    trial.frames = FRAMES;
    trial.source.unit = LengthUnit::Millimetre;
    trial.source.c3d = Some(C3dStorage { processor: Processor::Intel, float: true, scale: 0.1 });
    for m in 0..MARKERS {
        let height_m = 0.05 + 1.7 * m as f64 / MARKERS as f64;
        let at = |frame: usize| {
            let t = frame as f64 / RATE_HZ;
            let (sin, cos) = (0.5 * t + 0.1 * m as f64).sin_cos();
            let seen = !(frame * 7 + m * 131).is_multiple_of(100);
            seen.then(|| Point3::new(1.2 * cos, 1.2 * sin, height_m + 0.03 * (6.0 * t).sin()))
        };
        let mut marker = Marker::from_positions(format!("M{m}"), (0..FRAMES).map(at));
        for frame in 0..FRAMES {
            marker.set_quality(frame, (frame % 9) as u8, (frame % 100) as u8);
        }
        trial.markers.push(marker);
    }
    trial
}
