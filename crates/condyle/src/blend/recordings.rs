//! One recording after another, as one motion.

use std::ops::Range;

use nalgebra::Unit;

use super::blend;
use crate::error::{Error, Result};
use crate::job::{self, Options, Recording};
use crate::resample::resample;
use crate::rig::Rig;
use crate::subject::Subject;
use crate::trial::{Axis, Trial, edit};

/// A motion made of two.
#[derive(Debug, Clone, PartialEq)]
pub struct Blended {
    /// The skeleton and its motion, y up, at the rate of the first.
    pub trial: Trial,
    /// The frames in which it is neither of the two.
    pub passage: Range<usize>,
}

/// Blends the end of one recording into the begin of another, over so many seconds.
///
/// A recording that holds no motion is solved: with the subject, or with the one that is fitted to the first of the two.
///
/// # Errors
/// A recording without a rate or without a performer, different skeletons, or a motion shorter than the passage.
pub fn recordings(
    first: Recording,
    second: Recording,
    over_s: f64,
    subject: Option<Subject>,
) -> Result<Blended> {
    if !(over_s.is_finite() && over_s >= 0.0) {
        return Err(Error::argument(format!("over: need a time from 0 s up, got {over_s}")));
    }
    let mut subject = subject;
    let first = moving(first, &mut subject)?;
    let second = moving(second, &mut subject)?;
    let rate_hz = first.rate_hz;
    let second = resample(second, rate_hz)?;
    let frames = (over_s * rate_hz).round() as usize;
    let (Some(one), Some(other)) = (&first.motion, &second.motion) else {
        return Err(Error::argument("blend: need two motions, got none"));
    };
    let own = blend(one, other, frames, &Unit::new_unchecked(Axis::Y.direction()))?;
    let mut trial = Trial::new(first.source.format, rate_hz);
    trial.frames = own.motion.frames();
    trial.source.up = Some(Axis::Y);
    trial.motion = Some(own.motion);
    Ok(Blended { trial, passage: own.passage })
}

/// The motion of a recording, y up: its own, or that of the subject in it. The subject of the first serves the second.
fn moving(recording: Recording, subject: &mut Option<Subject>) -> Result<Trial> {
    let name = recording.name.clone();
    if recording.trial.rate_hz <= 0.0 || !recording.trial.rate_hz.is_finite() {
        let what = format!("{name}: need frames a second, got none");
        return Err(Error::argument(what).with_code("rate-unknown"));
    }
    if recording.trial.motion.is_some() {
        return match recording.trial.source.up {
            None | Some(Axis::Y) => Ok(recording.trial),
            Some(_) => edit::with_up(recording.trial, Axis::Y),
        };
    }
    let mut options = Options::default();
    options.subject.clone_from(subject);
    let performance = job::run(recording, &options)?;
    let performer = performance.performers.first();
    let performer = performer
        .ok_or_else(|| Error::undetermined(format!("{name}: performers: need one, got none")))?;
    let rig = Rig::new(&performer.subject, &performance.trial, &performer.motion)?;
    subject.get_or_insert_with(|| performer.subject.clone());
    Ok(rig.into_trial(&performance.trial))
}
