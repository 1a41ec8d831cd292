//! A text with one 4 × 4 matrix a frame.

use super::pose;
use crate::error::{Error, Result};
use crate::format::rotation::MatrixTally;
use crate::format::{ReadOptions, text};
use crate::trial::{Body, Format, LengthUnit, Trial};

pub(super) fn read(text: &str, options: &ReadOptions) -> Result<Trial> {
    let unit = options.unit.unwrap_or(LengthUnit::Metre);
    let mut trial = Trial::new(Format::Poses, options.rate_hz.unwrap_or(0.0));
    let mut body = Body::new("sensor");
    let mut tally = MatrixTally::default();
    let mut matrix = [0.0; 16];
    let mut filled = 0;
    for (at, line) in text.lines().enumerate() {
        for word in line.split_whitespace() {
            let number = text::number(word);
            // A word that is no number makes its pose a missing one.
            matrix[filled] = number.unwrap_or(f64::NAN);
            filled += 1;
            if filled == 16 {
                body.push(pose(&matrix, unit.metres(), &mut tally));
                filled = 0;
            }
        }
        if filled % 4 != 0 {
            return Err(Error::at_line(
                at + 1,
                format!("matrix: need 4 numbers a line, got {}", filled % 4),
            ));
        }
    }
    if body.frames() == 0 {
        return Err(Error::malformed("poses: need 4 lines of 4 numbers, got fewer"));
    }
    if filled > 0 {
        trial.note("truncated", "the last matrix is not whole: the whole ones before are kept");
    }
    if trial.rate_hz <= 0.0 {
        trial.note("rate-unknown", "a list of poses has no rate");
    }
    trial.notes.extend(tally.notes());
    trial.frames = body.frames();
    trial.bodies = vec![body];
    trial.source.unit = unit;
    trial.source.up = options.up;
    trial.source.variant = "matrices".into();
    Ok(trial)
}
