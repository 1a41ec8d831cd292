//! The edits that `condyle convert` was asked for, in the order in which they make sense.

use condyle::trial::edit::{with_frames, with_markers, with_unit, with_up};
use condyle::{Error, Result, Trial};

use super::ConvertArgs;
use super::frame_span::FrameSpan;

/// Takes part of the trial first, then changes what is left.
pub fn apply(args: &ConvertArgs, mut trial: Trial) -> Result<Trial> {
    if !args.markers.is_empty() {
        let patterns: Vec<&str> = args.markers.iter().map(|pattern| pattern.trim()).collect();
        trial = with_markers(trial, &patterns)?;
    }
    if let Some(span) = args.frames {
        trial = keep(trial, span)?;
    }
    if let Some(rate_hz) = args.rate {
        let is_rate_known = trial.rate_hz > 0.0;
        trial = condyle::resample::resample(trial, rate_hz)
            .map_err(|error| if is_rate_known { error } else { hint(&error, "--assume-rate") })?;
    }
    if let Some(up) = args.out_up {
        trial = with_up(trial, up).map_err(|error| hint(&error, "--up"))?;
    }
    if let Some(unit) = args.out_units {
        trial = with_unit(trial, unit);
    }
    Ok(trial)
}

fn keep(trial: Trial, span: FrameSpan) -> Result<Trial> {
    let first = span.first.unwrap_or(1);
    let last = span.last.unwrap_or(trial.frames);
    with_frames(trial, first - 1..last)
}

/// Names the option that would have helped.
fn hint(error: &Error, option: &str) -> Error {
    Error::argument(format!("{error} (say it with {option})"))
}
