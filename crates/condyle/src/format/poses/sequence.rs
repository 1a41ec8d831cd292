//! The tracker transforms of a MetaImage sequence, as PLUS writes them.

use std::collections::BTreeMap;

use super::pose;
use crate::error::{Error, Result};
use crate::format::rotation::MatrixTally;
use crate::format::{ReadOptions, text, timing};
use crate::trial::{Body, Format, LengthUnit, Trial};

/// The key after which pixels may follow.
const LAST_KEY: &[u8] = b"ElementDataFile";

/// The bytes that are text: up to the line that says where the pixels are.
pub(super) fn head(bytes: &[u8]) -> &[u8] {
    let mut from = 0;
    while let Some(end) = bytes[from..].iter().position(|b| *b == b'\n') {
        if bytes[from..].starts_with(LAST_KEY) {
            return &bytes[..from + end + 1];
        }
        from += end + 1;
    }
    bytes
}

/// One frame as it is gathered.
#[derive(Default)]
struct PlacementSums<'a> {
    stamp_s: Option<f64>,
    /// Transforms and whether they are valid, by name.
    transforms: BTreeMap<&'a str, (Option<[f64; 16]>, bool)>,
}

pub(super) fn read(text: &str, options: &ReadOptions) -> Result<Trial> {
    let unit = options.unit.unwrap_or(LengthUnit::Millimetre);
    // Keyed by the frame's number, so that a large one takes no room.
    let mut frames: BTreeMap<u64, PlacementSums> = BTreeMap::new();
    let mut names: Vec<&str> = Vec::new();
    for line in text.lines() {
        let Some((key, value)) = line.split_once('=') else { continue };
        let Some((number, field)) = field(key.trim()) else { continue };
        let frame = frames.entry(number).or_default();
        if field == "Timestamp" {
            frame.stamp_s = text::number(value.trim());
        } else if let Some(name) = field.strip_suffix("TransformStatus") {
            frame.transforms.entry(name).or_insert((None, true)).1 =
                value.trim().eq_ignore_ascii_case("OK");
        } else if let Some(name) = field.strip_suffix("Transform") {
            if !names.contains(&name) {
                names.push(name);
            }
            frame.transforms.entry(name).or_insert((None, true)).0 = matrix(value);
        }
    }
    if names.is_empty() {
        return Err(Error::malformed(
            "image: need tracker transforms (Seq_Frame0000_…Transform), got none",
        ));
    }
    crate::format::table::check_size(frames.len(), names.len() * 8, text.len())?;
    let mut tally = MatrixTally::default();
    let mut trial = Trial::new(Format::Poses, 0.0);
    for name in &names {
        let mut body = Body::new(name.strip_suffix("ToTracker").unwrap_or(name));
        for frame in frames.values() {
            let found = frame.transforms.get(name);
            let valid = found.and_then(|(matrix, is_valid)| matrix.filter(|_| *is_valid));
            body.push(valid.and_then(|matrix| pose(&matrix, unit.metres(), &mut tally)));
        }
        trial.bodies.push(body);
    }
    let stamps: Vec<Option<f64>> = frames.values().map(|frame| frame.stamp_s).collect();
    let timing = timing::timing(stamps.iter().copied());
    trial.rate_hz = timing::choose_rate(options.rate_hz, None, &timing, &mut trial.notes);
    trial.start_s = timing.start_s(trial.rate_hz);
    trial.notes.extend(timing.notes);
    trial.notes.extend(tally.notes());
    trial.frames = frames.len();
    trial.source.unit = unit;
    trial.source.up = options.up;
    trial.source.variant = "MetaImage sequence".into();
    Ok(trial)
}

/// The number and the field of a key such as `Seq_Frame0012_Timestamp`.
fn field(key: &str) -> Option<(u64, &str)> {
    let rest = key.strip_prefix("Seq_Frame")?;
    let (number, field) = rest.split_once('_')?;
    Some((number.parse().ok()?, field))
}

fn matrix(text: &str) -> Option<[f64; 16]> {
    let mut matrix = [0.0; 16];
    let mut words = text.split_whitespace();
    for value in &mut matrix {
        *value = text::number(words.next()?)?;
    }
    words.next().is_none().then_some(matrix)
}
