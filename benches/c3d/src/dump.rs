//! What Condyle holds after reading a file, as little-endian binary that needs no parser.
//!
//! Nine doubles: points, frames, channels, samples a channel, bodies, frames a second, metres in
//! the file's unit, whether the file stores floats, the first frame's number. Then the labels of
//! points, channels and bodies, each a double with its length and that many bytes. Then doubles:
//! `[point][frame][x y z]` in metres, `[channel][sample]` in the channel's unit, and
//! `[body][frame][16]` homogeneous matrices column by column in metres. NaN means missing.

use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use condyle::format::{ReadOptions, read_path};

/// Reads a recording and writes what is in it.
pub fn dump(file: &Path, out: &Path) -> Result<(), Box<dyn Error>> {
    let trial = read_path(file, &ReadOptions::default())?;
    let mut out = BufWriter::new(File::create(out)?);
    let samples = trial.channels.first().map_or(0, |channel| channel.raw.len());
    let is_float = trial.source.c3d.is_none_or(|storage| storage.float);
    let counts = [
        trial.markers.len() as f64,
        trial.frames as f64,
        trial.channels.len() as f64,
        samples as f64,
        trial.bodies.len() as f64,
        trial.rate_hz,
        trial.source.unit.metres(),
        f64::from(u8::from(is_float)),
        trial.first_frame as f64,
    ];
    put(&mut out, counts)?;
    let labels = trial.markers.iter().map(|marker| &marker.label);
    let labels = labels.chain(trial.channels.iter().map(|channel| &channel.label));
    for label in labels.chain(trial.bodies.iter().map(|body| &body.name)) {
        put(&mut out, [label.len() as f64])?;
        out.write_all(label.as_bytes())?;
    }
    for marker in &trial.markers {
        for frame in 0..trial.frames {
            let position_m = marker.position_m(frame);
            put(&mut out, position_m.map_or([f64::NAN; 3], |p| [p.x, p.y, p.z]))?;
        }
    }
    for channel in &trial.channels {
        put(&mut out, channel.values().take(samples))?;
    }
    for body in &trial.bodies {
        for frame in 0..trial.frames {
            let world_from_body = body.world_from_body(frame).map(|pose| pose.to_homogeneous());
            let column_major =
                world_from_body.as_ref().map_or(&[f64::NAN; 16][..], |m| m.as_slice());
            put(&mut out, column_major.iter().copied())?;
        }
    }
    out.flush()?;
    Ok(())
}

fn put(out: &mut impl Write, values: impl IntoIterator<Item = f64>) -> std::io::Result<()> {
    values.into_iter().try_for_each(|value| out.write_all(&value.to_le_bytes()))
}
