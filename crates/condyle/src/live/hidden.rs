//! Markers of a stream that are not seen, as far as those that are tell where they are.

use nalgebra::{Point3, Vector3};

use crate::fill::predictor::{Predicted, Predictor};
use crate::fill::tracks::Tracks;
use crate::job::{Fill, MAX_FILL_ERROR_M, Options};
use crate::solve;
use crate::subject::Subject;
use crate::trial::Trial;

/// A segment that shows so many of its markers is placed by them: nothing of it is predicted.
const ENOUGH: usize = 3;

/// What was learnt of every marker.
pub(super) type Learnt = Vec<Marker>;

/// What was learnt of a marker.
#[derive(Debug, Clone, Default)]
pub(super) struct Marker {
    /// From all others, and from those of other segments alone.
    predictors: [Option<Predictor>; 2],
    /// The markers of its segment.
    of_segment: Vec<usize>,
}

/// The last frame with what is predicted in it.
#[derive(Debug, Clone)]
pub(super) struct Hidden {
    learnt: Learnt,
    /// Predictions that are expected to err more are not used, rms in metres.
    max_error_m: f64,
    rate_hz: f64,
    before_m: Vec<Option<Point3<f64>>>,
    unseen: Vec<Unseen>,
    pub(super) positions_m: Vec<Option<Point3<f64>>>,
    /// Zero of markers that are seen.
    pub(super) variances_m2: Vec<f64>,
}

/// A marker since it was last seen.
#[derive(Debug, Clone, Copy, Default)]
struct Unseen {
    frames: usize,
    /// Which predictor was used, and what it left over when the marker was last seen.
    by: Option<usize>,
    left_over_m: Option<Vector3<f64>>,
}

impl Hidden {
    /// So many markers, none of which is predicted yet.
    pub(super) fn new(markers: usize, rate_hz: f64, options: &Options) -> Self {
        Self {
            learnt: Vec::new(),
            max_error_m: max_error_m(options),
            rate_hz,
            before_m: vec![None; markers],
            unseen: vec![Unseen::default(); markers],
            positions_m: vec![None; markers],
            variances_m2: vec![0.0; markers],
        }
    }

    /// Takes over what was learnt.
    pub(super) fn adopt(&mut self, learnt: Learnt) {
        self.learnt = learnt;
        self.unseen.iter_mut().for_each(|unseen| unseen.by = None);
    }

    /// Takes the next frame.
    pub(super) fn push(&mut self, measured_m: &[Option<Point3<f64>>]) {
        self.positions_m.copy_from_slice(measured_m);
        self.variances_m2.fill(0.0);
        for (marker, Marker { predictors, of_segment }) in self.learnt.iter().enumerate() {
            let unseen = &mut self.unseen[marker];
            if measured_m[marker].is_some() {
                *unseen = Unseen::default();
                continue;
            }
            unseen.frames += 1;
            if of_segment.iter().filter(|own| measured_m[**own].is_some()).count() >= ENOUGH {
                continue;
            }
            let since_s = unseen.frames as f64 / self.rate_hz;
            let predicted = predictors.iter().enumerate().find_map(|(index, predictor)| {
                let predictor = predictor.as_ref()?;
                if unseen.by != Some(index) {
                    let last_m = self.before_m[marker];
                    unseen.left_over_m =
                        last_m.and_then(|at_m| predictor.left_over_m(&self.before_m, &at_m));
                    unseen.by = Some(index);
                }
                let left_over = unseen.left_over_m.map(|left_m| (left_m, since_s));
                predictor.predict(measured_m, left_over)
            });
            let is_sure = |p: &Predicted| (3.0 * p.variance_m2).sqrt() <= self.max_error_m;
            if let Some(predicted) = predicted.filter(is_sure) {
                self.positions_m[marker] = Some(predicted.position_m);
                self.variances_m2[marker] = predicted.variance_m2;
            }
        }
        self.before_m.copy_from_slice(measured_m);
    }
}

/// The largest error that may be expected; below zero where nothing is to be predicted.
fn max_error_m(options: &Options) -> f64 {
    match options.fill {
        Fill::Off | Fill::Short => -1.0,
        Fill::Auto => MAX_FILL_ERROR_M,
        Fill::All => f64::INFINITY,
    }
}

/// Whether markers that are not seen are to be predicted.
pub(super) fn is_asked_for(options: &Options) -> bool {
    max_error_m(options) > 0.0
}

/// Learns to predict the markers of subjects from a recording, each subject's from its own.
pub(super) fn learn(trial: &Trial, subjects: &[Subject], options: &Options) -> Learnt {
    let mut learnt: Learnt = vec![Marker::default(); trial.markers.len()];
    if !is_asked_for(options) {
        return learnt;
    }
    for subject in subjects.iter().filter(|subject| !subject.is_of_bodies()) {
        let Ok(columns) = solve::columns(subject, &trial.labels()) else { continue };
        let markers: Vec<usize> = columns.iter().copied().flatten().collect();
        let mut all = columns.iter().copied();
        let segments: Vec<Vec<usize>> = subject
            .segments
            .iter()
            .map(|segment| all.by_ref().take(segment.markers.len()).flatten().collect())
            .collect();
        let tracks = Tracks::from_trial(trial, &(0..trial.markers.len()).collect::<Vec<_>>());
        for own in &segments {
            for marker in own {
                let is_other = |other: usize| markers.contains(&other);
                let is_apart = |other: usize| markers.contains(&other) && !own.contains(&other);
                let predictors = [
                    Predictor::learn(&tracks, *marker, is_other),
                    Predictor::learn(&tracks, *marker, is_apart),
                ];
                learnt[*marker] = Marker { predictors, of_segment: own.clone() };
            }
        }
    }
    learnt
}
