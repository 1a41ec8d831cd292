//! Samples that the recording system misses.

use std::ops::Range;

use rand::RngExt;
use rand_distr::{Distribution, Exp1};

use super::chance::{Purpose, stream};
use super::options::Options;
use super::performer::Performer;
use super::truth::Truth;
use crate::trial::{Marker, Origin, Trial};

/// How long a marker is hidden on average.
const BURST_S: f64 = 0.2;

/// Hides samples in bursts and one by one.
pub(super) fn samples(options: &Options, trial: &mut Trial) {
    let tracks = trial.markers.len().max(trial.bodies.len());
    let mut is_hidden = vec![false; tracks * trial.frames];
    occlude(options, trial.frames, &mut is_hidden);
    drop_out(options, &mut is_hidden);
    for (track, frames) in is_hidden.chunks(trial.frames.max(1)).enumerate() {
        for (frame, _) in frames.iter().enumerate().filter(|(_, is_hidden)| **is_hidden) {
            if let Some(marker) = trial.markers.get_mut(track) {
                marker.set(frame, None, Origin::Missing);
            }
            if let Some(body) = trial.bodies.get_mut(track) {
                body.set(frame, None, Origin::Missing);
            }
        }
    }
}

/// Bursts of exponential length anywhere, until the share is met to the sample.
fn occlude(options: &Options, frames: usize, is_hidden: &mut [bool]) {
    let mut rng = stream(options.seed, Purpose::Occlusion, 0);
    let mut wanted = (options.occlusion * is_hidden.len() as f64).round() as usize;
    while wanted > 0 {
        let start = rng.random_range(0..is_hidden.len());
        let length: f64 = Exp1.sample(&mut rng);
        let length = (length * BURST_S * options.rate_hz).ceil() as usize;
        // A burst ends with its track.
        let end = (start + length).min((start / frames + 1) * frames);
        for sample in is_hidden[start..end].iter_mut().filter(|is_hidden| !**is_hidden) {
            if wanted > 0 {
                *sample = true;
                wanted -= 1;
            }
        }
    }
}

/// Single samples, each by chance.
fn drop_out(options: &Options, is_hidden: &mut [bool]) {
    if options.dropout > 0.0 {
        let mut rng = stream(options.seed, Purpose::Dropout, 0);
        is_hidden.iter_mut().for_each(|sample| *sample |= rng.random::<f64>() < options.dropout);
    }
}

/// The nail of a finger that is bent so far, all joints together, faces the palm.
const FACES_PALM_RAD: f64 = 2.9;

/// Hides the tips of fingers that are closed over the palm.
pub(super) fn closed_tips(
    performer: &Performer,
    options: &Options,
    trial: &mut Trial,
    truth: &Truth,
) {
    if !options.palm_hides_tips {
        return;
    }
    let angles = performer.angle_count();
    for (number, digits) in (0..options.performers).map(|number| (number, &performer.digits)) {
        let first_segment = number * performer.segments.len();
        for digit in digits.iter().filter(|digit| digit.is_finger()) {
            let is_tip = |at: &super::TrueMarker| at.segment == first_segment + digit.tip_segment;
            for (marker, _) in truth.markers.iter().enumerate().filter(|(_, at)| is_tip(at)) {
                for (frame, values) in truth.angles_rad.iter().enumerate() {
                    let own = &values[number * angles..];
                    let followers = digit.followers.iter().map(|follower| own[follower.angle]);
                    let bent = own[digit.flexion] + own[digit.drive] + followers.sum::<f64>();
                    if bent > FACES_PALM_RAD {
                        trial.markers[marker].set(frame, None, Origin::Missing);
                    }
                }
            }
        }
    }
}

/// The frames in which each marker, or each sensor, is not seen.
pub(super) fn gaps(trial: &Trial) -> Vec<Vec<Range<usize>>> {
    if trial.bodies.is_empty() {
        return trial.markers.iter().map(Marker::gaps).collect();
    }
    let of_body = |body: &crate::trial::Body| {
        let seen = (0..body.frames()).map(|frame| body.position_m(frame));
        Marker::from_positions("", seen).gaps()
    };
    trial.bodies.iter().map(of_body).collect()
}
