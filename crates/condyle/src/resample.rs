//! A trial at another rate.
//!
//! # Method
//! New samples lie at `j / rate_hz` seconds after the first frame, up to the last frame.
//! - A new sample that coincides with an old one (within a millionth of a frame) **is** the old
//!   one, untouched.
//! - Between two frames that both have a position, the position follows a cubic: Hermite's with
//!   central differences as tangents (Catmull and Rom), where a neighbour beyond a gap or the end
//!   is continued by the parabola through the three nearest samples, or by the straight line
//!   where there are but two. The sample's origin is [`Origin::Filled`](crate::trial::Origin).
//! - Orientations follow the great arc (slerp, Shoemake 1985) between the two frames.
//! - Between two frames of which one is missing there is no sample: a gap stays a gap.
//!
//! Channels at the rate of the frames, and the values of a solved skeleton (angles taken the short
//! way round), follow the same cubic. Channels that have several samples in each frame follow it to
//! the next whole multiple of the new rate, unless theirs is one already: a whole number of samples
//! a frame stays one, and a rate that does not fall folds nothing back. Other channels, and events,
//! stay.
//!
//! No low-pass filter is applied: when the rate falls, movement faster than half the new rate
//! folds back, and a note says so.
//!
//! # Reference
//! E. Catmull and R. Rom, *A class of local interpolating splines*, Computer Aided Geometric
//! Design, 1974; K. Shoemake, *Animating rotation with quaternion curves*, SIGGRAPH 1985.

mod clock;
mod cubic;
mod series;

use crate::error::{Error, Result};
use crate::trial::{Channel, Note, Trial};
use clock::Clock;

/// The most by which a rate may rise: beyond it the request is a slip, and memory would not do.
const MOST_TIMES: f64 = 1000.0;

/// The most samples, of all trajectories and channels together, that a trial may grow to.
const MOST_SAMPLES: f64 = 200e6;

/// How far, relative to it, a ratio of rates may be from the whole number that it means.
const WHOLE: f64 = 1e-9;

/// The trial at another rate; see the [module](self) for the method.
///
/// # Errors
/// The new rate is not a positive number, is over a thousand times the old one, would make more
/// than 200 million samples, or the recording does not say its own.
pub fn resample(mut trial: Trial, rate_hz: f64) -> Result<Trial> {
    let refuse = |what: String| Err(Error::argument(what));
    if !(rate_hz.is_finite() && rate_hz > 0.0) {
        return refuse(format!("rate: need a positive number of hertz, got {rate_hz}"));
    }
    if !(trial.rate_hz.is_finite() && trial.rate_hz > 0.0) {
        return refuse(
            "rate: need a recording that says its own rate, got one that does not".into(),
        );
    }
    if rate_hz / trial.rate_hz > MOST_TIMES {
        return refuse(format!(
            "rate: need at most {MOST_TIMES} times the recording's {} Hz, got {rate_hz} Hz",
            trial.rate_hz
        ));
    }
    if rate_hz == trial.rate_hz || trial.frames == 0 {
        trial.rate_hz = rate_hz;
        return Ok(trial);
    }
    let clock = Clock::new(trial.rate_hz, rate_hz, trial.frames);
    let samples = samples_at(&trial, rate_hz, clock.frames());
    if rate_hz > trial.rate_hz && samples > MOST_SAMPLES {
        return refuse(format!(
            "rate: need one that makes at most {MOST_SAMPLES} samples, got {rate_hz} Hz, which \
             makes {samples:.0}: take part of the markers or frames first"
        ));
    }
    trial.markers = trial.markers.iter().map(|marker| series::marker(marker, &clock)).collect();
    trial.bodies = trial.bodies.iter().map(|body| series::body(body, &clock)).collect();
    let mut moved = 0;
    for channel in &mut trial.channels {
        if channel.rate_hz == trial.rate_hz && channel.raw.len() == trial.frames {
            channel.raw = series::numbers(&channel.raw, &clock);
            channel.rate_hz = rate_hz;
        } else if is_whole(channel.rate_hz / trial.rate_hz) {
            moved += usize::from(keep_whole_number_a_frame(channel, rate_hz));
        }
    }
    if let Some(motion) = trial.motion.as_ref().filter(|motion| motion.frames() == trial.frames) {
        trial.motion = Some(series::motion(motion, &clock)?);
    }
    say_how(&mut trial, rate_hz);
    let text = format!("channels too, to the next whole multiple of {rate_hz} Hz");
    trial.notes.extend(Note::counted(moved, "channels-resampled", &text));
    let number = (trial.first_frame.saturating_sub(1)) as f64 * rate_hz / trial.rate_hz;
    trial.first_frame = (number.round() as i64).saturating_add(1);
    trial.frames = clock.frames();
    trial.rate_hz = rate_hz;
    Ok(trial)
}

/// How many samples the trajectories and the channels that move will have together.
fn samples_at(trial: &Trial, rate_hz: f64, frames: usize) -> f64 {
    let angles = trial.motion.as_ref().map_or(0, |motion| motion.skeleton().channel_count());
    let trajectories = trial.markers.len() + trial.bodies.len() + angles;
    let moving = trial.channels.iter().filter(|c| is_whole(c.rate_hz / trial.rate_hz));
    let channels = moving.map(|channel| {
        let new_hz = (channel.rate_hz / rate_hz).ceil() * rate_hz;
        channel.raw.len() as f64 * new_hz / channel.rate_hz
    });
    trajectories as f64 * frames as f64 + channels.sum::<f64>()
}

/// Whether a ratio of two rates is a whole number, but for rounding.
fn is_whole(ratio: f64) -> bool {
    ratio.round() >= 1.0 && (ratio - ratio.round()).abs() <= WHOLE * ratio
}

/// Brings a channel to the next whole multiple of the frame rate; whether it was not at one.
fn keep_whole_number_a_frame(channel: &mut Channel, frame_rate_hz: f64) -> bool {
    let per_frame = channel.rate_hz / frame_rate_hz;
    if is_whole(per_frame) || channel.raw.is_empty() {
        return false;
    }
    let rate_hz = per_frame.ceil() * frame_rate_hz;
    let clock = Clock::new(channel.rate_hz, rate_hz, channel.raw.len());
    channel.raw = series::numbers(&channel.raw, &clock);
    channel.rate_hz = rate_hz;
    true
}

fn say_how(trial: &mut Trial, rate_hz: f64) {
    let old_hz = trial.rate_hz;
    trial.note(
        "resampled",
        format!(
            "from {old_hz} Hz to {rate_hz} Hz: cubic between neighbouring samples, slerp for \
             orientations, gaps kept, coinciding samples untouched"
        ),
    );
    if rate_hz < old_hz {
        trial.note(
            "no-low-pass",
            format!(
                "no low-pass filter before the rate fell: movement faster than {} Hz folds back",
                rate_hz / 2.0
            ),
        );
    }
}

#[cfg(test)]
mod tests;
