//! Writing a C3D file.

use std::io::Write;

use nalgebra::Point3;

use super::header::{BLOCK_BYTES, Header};
use super::number::{f32_to, single, u16_to};
use super::{change, channels, describe, estimated, losses, parameters, read, rotation};
use crate::error::{Error, Result, check_finite};
use crate::trial::{Channel, Marker, Note, Processor, Trial};

/// How the samples are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Storage {
    /// 32-bit floats.
    Float,
    /// 16-bit integers: coordinates are rounded to the scale.
    Integer,
}

/// How a C3D file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct WriteOptions {
    /// Whose byte order and float format to use; most programs read only Intel.
    pub processor: Processor,
    /// How to store samples; `None` stores integers if the trial came from integers and still
    /// lies on their grid, floats otherwise.
    pub storage: Option<Storage>,
}

/// The residual unit of files that did not come with one: a tenth of a millimetre.
const DEFAULT_RESIDUAL_M: f64 = 1e-4;
/// The largest distance from the integer grid, in grid steps, that counts as on it.
const ON_GRID: f64 = 1e-6;

/// Writes a trial as a C3D file in Intel byte order; returns notes on what could not be held.
///
/// # Errors
/// The trial has no points, channels or bodies, too many of them for the format, a rate that no 32-bit float holds, or
/// writing fails.
pub fn write(trial: &Trial, out: &mut impl Write) -> Result<Vec<Note>> {
    write_with(trial, WriteOptions::default(), out)
}

/// Writes a trial as a C3D file with a choice of machine and storage.
///
/// # Errors
/// As [`write()`].
pub fn write_with(trial: &Trial, options: WriteOptions, out: &mut impl Write) -> Result<Vec<Note>> {
    let mut notes = Vec::new();
    let (channels, ratio) = channels::writable(trial, &mut notes);
    if trial.markers.is_empty() && channels.is_empty() && trial.bodies.is_empty() {
        return Err(Error::cannot_hold(
            "c3d holds points, analog channels and rotations: got none",
        ));
    }
    let too_many = |what: &str, got: usize| {
        Error::cannot_hold(format!("c3d holds at most 65535 {what}: got {got}"))
    };
    let points =
        u16::try_from(trial.markers.len()).map_err(|_| too_many("points", trial.markers.len()))?;
    let analog = channels.len() * ratio;
    let analog_per_frame =
        u16::try_from(analog).map_err(|_| too_many("analog values a frame", analog))?;
    let rates_hz = [trial.rate_hz, trial.rate_hz * ratio as f64];
    check_finite("c3d", rates_hz.map(|rate_hz| f64::from(rate_hz as f32)))?;
    let encoding = Encoding::choose(trial, options, &channels);
    let (header_events, mut groups) =
        describe::groups(trial, &channels, ratio, &encoding, &mut notes);
    let unlisted = estimated::list(trial, &mut groups, &mut notes);
    let first_frame = trial.first_frame.clamp(0, 65_535);
    let last_frame = (first_frame + trial.frames as i64 - 1).clamp(0, 65_535);

    // The data start where the parameters end, and the parameters say where: sizes do not change.
    let size_only = section(&groups, options.processor)?;
    let data_block = 2 + size_only.len() as u64 / BLOCK_BYTES;
    let data_bytes = trial.frames as u64 * encoding.frame_bytes(trial.markers.len(), analog);
    let rotation_block = data_block + data_bytes.div_ceil(BLOCK_BYTES);
    change::set_data_start(&mut groups, data_block, rotation_block);
    let section = section(&groups, options.processor)?;

    let header = Header {
        points,
        analog_per_frame,
        first_frame: first_frame as u16,
        last_frame: last_frame as u16,
        max_gap_frames: 0,
        scale: encoding.signed_scale(),
        data_start: data_block as u16,
        analog_ratio: describe::analog_ratio(trial.rate_hz, ratio, &groups),
        rate_hz: trial.rate_hz as f32,
        events: header_events,
    };
    out.write_all(&header.to_block(options.processor))?;
    out.write_all(&section)?;
    write_frames(trial, &channels, ratio, &encoding, out)?;
    pad(out, data_bytes)?;
    if rotation::is_writable(trial, rotation_block) {
        rotation::write(trial, options.processor, encoding.metres_per_unit, out)?;
    }
    losses::note(trial, &channels, &encoding, rotation_block, unlisted, &mut notes);
    Ok(notes)
}

fn section(groups: &[crate::trial::Group], processor: Processor) -> Result<Vec<u8>> {
    parameters::to_bytes(groups, processor).ok_or_else(|| {
        Error::cannot_hold(
            "c3d holds 127 groups and 127 KiB of parameters: got more, or a longer name",
        )
    })
}

pub(super) fn pad(out: &mut impl Write, written: u64) -> Result<()> {
    let spare = written.next_multiple_of(BLOCK_BYTES) - written;
    out.write_all(&vec![0; spare as usize])?;
    Ok(())
}

/// How numbers become bytes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Encoding {
    pub processor: Processor,
    pub float: bool,
    /// Whether analog integers are unsigned.
    pub analog_unsigned: bool,
    pub scale: f32,
    pub metres_per_unit: f64,
}

impl Encoding {
    fn choose(trial: &Trial, options: WriteOptions, channels: &[&Channel]) -> Self {
        let metres_per_unit = trial.source.unit.metres();
        let stored = trial.source.c3d;
        let scale = stored.map_or((DEFAULT_RESIDUAL_M / metres_per_unit) as f32, |s| s.scale);
        let was_integer = stored.is_some_and(|s| !s.float);
        let any = |wanted: fn(f64) -> bool| {
            channels.iter().any(|channel| channel.raw.iter().any(|&raw| wanted(raw)))
        };
        let was_unsigned = read::is_unsigned(&trial.parameters);
        let mut encoding = Self {
            processor: options.processor,
            float: true,
            analog_unsigned: any(|raw| raw > 32_767.0) || (was_unsigned && !any(|raw| raw < 0.0)),
            scale,
            metres_per_unit,
        };
        encoding.float = match options.storage {
            Some(storage) => storage == Storage::Float,
            None => !(was_integer && encoding.is_on_grid(trial, channels)),
        };
        encoding
    }

    fn is_on_grid(&self, trial: &Trial, channels: &[&Channel]) -> bool {
        let whole = |value: f64, limits: std::ops::RangeInclusive<f64>| {
            (value - value.round()).abs() < ON_GRID && limits.contains(&value.round())
        };
        let step_m = self.step_m();
        let analog_limits = read::integer_limits(self.analog_unsigned);
        let points = |marker: &Marker| {
            marker.coordinates_m().iter().all(|axis| {
                axis.iter().all(|&v| v.is_nan() || whole(v / step_m, -32_768.0..=32_767.0))
            })
        };
        trial.markers.iter().all(points)
            && channels.iter().all(|c| c.raw.iter().all(|&v| whole(v, analog_limits.clone())))
    }

    /// Metres in one stored integer.
    pub(super) fn step_m(&self) -> f64 {
        self.metres_per_unit * f64::from(self.scale)
    }

    pub(super) fn signed_scale(&self) -> f32 {
        if self.float { -self.scale } else { self.scale }
    }

    fn frame_bytes(&self, points: usize, analog_per_frame: usize) -> u64 {
        (points * 4 + analog_per_frame) as u64 * if self.float { 4 } else { 2 }
    }

    /// The place of a sample, unless it is missing or farther away than a 32-bit float counts.
    pub(super) fn place_m(&self, marker: &Marker, frame: usize) -> Option<Point3<f64>> {
        let is_held = |metres: &f64| single(metres / self.metres_per_unit).is_some();
        marker.position_m(frame).filter(|place_m| !self.float || place_m.iter().all(is_held))
    }

    fn coordinate(&self, metres: f64, buffer: &mut Vec<u8>) {
        if self.float {
            buffer.extend(f32_to(self.processor, (metres / self.metres_per_unit) as f32));
        } else {
            let steps = (metres / self.step_m()).round().clamp(-32_768.0, 32_767.0) as i16;
            buffer.extend(u16_to(self.processor, steps.cast_unsigned()));
        }
    }

    /// The fourth word: residual in the low byte, cameras in the high one, -1 if missing.
    fn quality(&self, marker: &Marker, frame: usize, is_held: bool, buffer: &mut Vec<u8>) {
        let word = if is_held {
            let residual_m = f64::from(marker.residual_m(frame).unwrap_or(0.0));
            let residual = (residual_m / self.step_m()).round().clamp(0.0, 255.0) as i16;
            residual | i16::from(marker.cameras(frame).unwrap_or(0) & 0x7f) << 8
        } else {
            -1
        };
        if self.float {
            buffer.extend(f32_to(self.processor, f32::from(word)));
        } else {
            buffer.extend(u16_to(self.processor, word.cast_unsigned()));
        }
    }

    /// C3D has no mark for an analog value that is missing: it is written as nothing measured, the offset.
    fn analog(&self, raw: f64, offset: f64, buffer: &mut Vec<u8>) {
        let held = single(raw).or_else(|| single(offset)).unwrap_or(0.0);
        if self.float {
            buffer.extend(f32_to(self.processor, held));
        } else {
            let limits = read::integer_limits(self.analog_unsigned);
            let raw = if raw.is_nan() { offset } else { raw };
            let bits = raw.round().clamp(*limits.start(), *limits.end()) as i32 as u16;
            buffer.extend(u16_to(self.processor, bits));
        }
    }
}

fn write_frames(
    trial: &Trial,
    channels: &[&Channel],
    ratio: usize,
    encoding: &Encoding,
    out: &mut impl Write,
) -> Result<()> {
    let mut buffer = Vec::new();
    for frame in 0..trial.frames {
        for marker in &trial.markers {
            let place_m = encoding.place_m(marker, frame);
            for coordinate_m in place_m.unwrap_or_default().iter() {
                encoding.coordinate(*coordinate_m, &mut buffer);
            }
            encoding.quality(marker, frame, place_m.is_some(), &mut buffer);
        }
        for sample in frame * ratio..(frame + 1) * ratio {
            for channel in channels {
                let raw = channels::sample_or_last(channel, sample);
                encoding.analog(raw, channel.offset, &mut buffer);
            }
        }
        out.write_all(&buffer)?;
        buffer.clear();
    }
    Ok(())
}
