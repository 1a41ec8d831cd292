//! Gaps filled by the document's predictor, frame after frame.

use std::collections::HashMap;
use std::ops::Range;

use nalgebra::{Point3, Vector3};

use super::method::Method;
use super::recording::{FilledGap, Options, check, markers};
use crate::error::Result;
use crate::marker_set::recognise_trial;
use crate::order;
use crate::predict::{self, Body, Case, Predictor, Ray, Sample};
use crate::subject::Subject;
use crate::trial::{CameraRay, Origin, Trial};

/// Markers whose distance varies by less are on one segment, where names tell nothing: as in the digest of the
/// document, which gives no figure.
const SEGMENT_SPREAD_M: f64 = 8e-3;
/// So long from the start of a recording segments are looked for.
const LOOKED_AT_S: f64 = 10.0;

/// What is known besides the recording.
#[derive(Debug, Clone, Copy, Default)]
pub struct KnownBesides<'a> {
    /// Whose markers these are.
    pub subject: Option<&'a Subject>,
    /// What single cameras saw.
    pub rays: &'a [CameraRay],
    /// Settings of the predictor.
    pub options: predict::Options,
}

/// A gap that is being gone through.
struct Open {
    marker: usize,
    frames: Range<usize>,
    variance_m2: f64,
    cases: HashMap<Case, usize>,
    positions_m: Vec<Point3<f64>>,
}

/// Fills gaps by the predictor, which knows nothing that comes later; what was measured stays as it is.
///
/// Segments are those of the subject, else those of the marker set, else markers whose distances hardly change in the
/// first seconds.
///
/// # Errors
/// As [`fill`](super::fill()), and of a subject without markers in the recording.
pub fn fill_by_prediction(
    trial: &mut Trial,
    options: &Options,
    told: &KnownBesides,
) -> Result<Vec<FilledGap>> {
    check(trial, options)?;
    let body = body(trial, told)?;
    let mut predictor = Predictor::new(&body, trial.rate_hz, told.options)?;
    let mut rays: HashMap<usize, Vec<Ray>> = HashMap::new();
    for ray in told.rays {
        let line = Ray::new(ray.marker, ray.origin_m.coords, ray.direction)?;
        rays.entry(ray.frame).or_default().push(line);
    }
    let mut gaps: Vec<Open> = Vec::new();
    for marker in markers(trial) {
        gaps.extend(trial.markers[marker].gaps().into_iter().map(|frames| Open {
            marker,
            positions_m: Vec::with_capacity(frames.len()),
            frames,
            variance_m2: 0.0,
            cases: HashMap::new(),
        }));
    }
    order::by_key(&mut gaps, |gap| gap.frames.start);
    let (mut begun, mut running) = (0, Vec::new());
    let mut seen = vec![None; trial.markers.len()];
    for frame in 0..trial.frames {
        for (seen, marker) in seen.iter_mut().zip(&trial.markers) {
            *seen = marker.position_m(frame);
        }
        let samples = predictor.step(&seen, rays.get(&frame).map_or(&[], Vec::as_slice));
        while begun < gaps.len() && gaps[begun].frames.start == frame {
            running.push(begun);
            begun += 1;
        }
        running.retain(|gap| gaps[*gap].frames.contains(&frame));
        for gap in &running {
            let gap = &mut gaps[*gap];
            gap.take(&samples[gap.marker]);
        }
    }
    order::by_key(&mut gaps, |gap| (gap.marker, gap.frames.start));
    Ok(gaps.into_iter().map(|gap| gap.close(trial, options)).collect())
}

/// What the predictor works on.
fn body(trial: &Trial, told: &KnownBesides) -> Result<Body> {
    let labels = trial.labels();
    if let Some(subject) = told.subject {
        return Body::of_subject(subject, &labels);
    }
    let recognised = recognise_trial(trial);
    if recognised.is_good() {
        return Ok(Body::of_performers(&recognised.plan.performers, labels.len()));
    }
    let most = ((LOOKED_AT_S * trial.rate_hz) as usize).min(trial.frames);
    let frame = |frame: usize| -> Vec<Option<Vector3<f64>>> {
        trial.markers.iter().map(|marker| marker.position_m(frame).map(|at| at.coords)).collect()
    };
    Ok(Body::of_distances(&(0..most).map(frame).collect::<Vec<_>>(), SEGMENT_SPREAD_M))
}

impl Open {
    fn take(&mut self, sample: &Sample) {
        *self.cases.entry(sample.case).or_default() += 1;
        if let Some(at) = sample.position_m {
            self.positions_m.push(at);
            self.variance_m2 += sample.covariance_m2.trace();
        }
    }

    fn close(self, trial: &mut Trial, options: &Options) -> FilledGap {
        let length_s = self.frames.len() as f64 / trial.rate_hz;
        let is_short = length_s <= options.max_gap_s + 1e-9;
        let is_whole = self.positions_m.len() == self.frames.len();
        let usual = self.cases.iter().max_by_key(|(case, count)| (**count, case.name()));
        let reason = match usual {
            _ if !is_short => {
                format!("{length_s:.2} s is longer than the {} s asked for", options.max_gap_s)
            }
            _ if !is_whole => "the marker is not seen before the gap".to_owned(),
            Some((case, _)) => case.name().to_owned(),
            None => String::new(),
        };
        let is_filled = is_short && is_whole;
        if is_filled {
            for (frame, at) in self.frames.clone().zip(&self.positions_m) {
                trial.markers[self.marker].set(frame, Some(*at), Origin::Predicted);
            }
        }
        let mean_m2 = self.variance_m2 / self.frames.len().max(1) as f64;
        FilledGap {
            marker: self.marker,
            frames: self.frames,
            method: Method::Ukf,
            reason,
            predicted_error_m: is_filled.then(|| mean_m2.sqrt()),
            is_filled,
        }
    }
}
