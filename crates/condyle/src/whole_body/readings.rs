//! Markers that sit across the joint from where their label says: on the inner epicondyle instead of the outer.

use super::choose::Reading;
use super::fit::Attempt;
use super::guards::{MAY_BE_EXCHANGED, contradiction};
use super::knowledge::Knowledge;
use super::model::Model;
use super::posterior::Posterior;
use super::result::Fitted;
use crate::marker_set::Side;
use crate::note::Note;

/// The squares of the postures beside a segment, in standard deviations, from which its markers are doubted.
///
/// A centre on the wrong side of its marker bends the bones on both sides of the joint against its hinge: people of two
/// generators have 2.3 to 10 then, unless all of their knowledge contradicts the recording, and hardly ever more than 2.2
/// with the elbow marker, 2.9 with the knee marker where its label says.
const MIN_STRAIN: f64 = 2.2;
/// The objective must fall by so much: the posterior densities at the two minima are e⁴ to one, both readings taken for
/// equally likely beforehand.
///
/// Where the marker does sit across, it falls by 7 to 18 for knees, 1 to 10 for elbows; where not, it grows by 5 in the
/// mean (sd 3) for an elbow, 13 for a knee.
const MIN_GAIN: f64 = 4.0;
/// If it falls by so much, that is not sure, and said: odds of 4 to one.
const MIN_DOUBT: f64 = 1.4;
/// How likely a marker sits across its joint before anything is seen, against where its label says.
const PRIOR_ODDS: f64 = 0.05;

/// The markers whose landmark has another across the same joint that wears none, each with that landmark: one, or those of
/// both sides, since whoever puts markers on does the same on both.
fn candidates(model: &Model, knowledge: &Knowledge) -> Vec<Vec<(usize, usize)>> {
    let mut found = Vec::new();
    for (marker, this) in model.markers.iter().enumerate() {
        let Some(own) = this.landmark else { continue };
        let Some(offset) = knowledge.offset_of(own) else { continue };
        let is_free = |other: usize, side: Side| model.marker(other, side).is_none();
        for &other in knowledge.offsets[offset].landmarks.iter().filter(|other| **other != own) {
            if !is_free(other, this.side) {
                continue;
            }
            found.push(vec![(marker, other)]);
            if this.side == Side::Left
                && is_free(other, Side::Right)
                && let Some(right) = model.marker(own, Side::Right)
            {
                found.push(vec![(marker, other), (right, other)]);
            }
        }
    }
    found
}

impl Posterior {
    /// The objective with the noise that is assumed, so that two readings compare.
    pub(super) fn misfit(&self) -> f64 {
        let mut problem = self.problem.clone();
        let assumed = problem.model.markers.iter().map(|m| m.sigma_m / m.weight.sqrt());
        problem.sigma_m = assumed.collect();
        problem.closure_m = problem.model.joints.iter().map(|joint| joint.closure_m).collect();
        problem.energy(&self.minimum.state.poses, &self.minimum.state.parameters)
    }

    /// How far the postures beside a segment are from what is expected: squares, in standard deviations.
    fn strain(&self, segment: usize) -> f64 {
        let angles = &self.problem.model.angles;
        let beside = || angles.iter().filter(|a| a.parent == segment || a.child == segment);
        let square = |(residual, _, weight): (f64, _, f64)| weight * residual * residual;
        let of_frame = |poses| beside().filter_map(move |a| self.problem.angle(a, poses));
        self.minimum.state.poses.iter().flat_map(|poses| of_frame(poses).map(square)).sum()
    }
}

/// Another reading: how much the objective falls, the fit, and the columns with their landmarks.
struct Across {
    gain: f64,
    fitted: Fitted,
    moved: Vec<(usize, usize)>,
}

impl Attempt<'_> {
    /// Reads markers as sitting across their joint where that explains the recording clearly better; says so, and where
    /// it may be so.
    pub(super) fn read_across(&self, fitted: &mut Fitted, reading: &mut Reading) -> Vec<Note> {
        let mut notes = Vec::new();
        // Every round moves markers that were not moved before: there are as many rounds at most.
        while let Some(across) = self.best_across(fitted, reading) {
            let is_clear = across.gain >= MIN_GAIN;
            let markers = &across.fitted.posterior.problem.model.markers;
            for &(column, landmark) in &across.moved {
                let marker = markers.iter().find(|marker| marker.column == column);
                let label = marker.map_or("a marker", |marker| &marker.label);
                let landmark = self.knowledge.landmarks[landmark].name.replace('_', " ");
                let (code, text) = match is_clear {
                    true => (
                        "marker-across",
                        format!(
                            "{label} is taken to sit across its joint: the recording fits it as {landmark}, not as its \
                             label says"
                        ),
                    ),
                    false => (
                        "marker-maybe-across",
                        format!(
                            "{label} may sit across its joint, as {landmark}: the recording fits that better, if \
                             not clearly; the error bar holds both"
                        ),
                    ),
                };
                notes.push(Note::new(code, text));
            }
            if !is_clear {
                fitted.doubt(&across.fitted, PRIOR_ODDS * across.gain.exp());
                break;
            }
            reading.moved.extend(across.moved);
            *fitted = across.fitted;
        }
        notes
    }

    fn best_across(&self, fitted: &Fitted, reading: &Reading) -> Option<Across> {
        let (posterior, model) = (&fitted.posterior, &fitted.posterior.problem.model);
        let is_contradicted = contradiction(posterior) > MAY_BE_EXCHANGED;
        let misfit = posterior.misfit();
        let mut best: Option<Across> = None;
        for markers in candidates(model, self.knowledge) {
            let is_moved = |column: usize| reading.moved.iter().any(|(moved, _)| *moved == column);
            let strained = |(marker, _): &(usize, usize)| {
                is_contradicted || posterior.strain(model.markers[*marker].segment) > MIN_STRAIN
            };
            if markers.iter().any(|(marker, _)| is_moved(model.markers[*marker].column))
                || !markers.iter().any(strained)
            {
                continue;
            }
            let moved = markers.iter().map(|(marker, to)| (model.markers[*marker].column, *to));
            let moved: Vec<(usize, usize)> = moved.collect();
            let mut other = reading.clone();
            other.moved.extend(&moved);
            let Ok(fitted) = self.fit(&other) else { continue };
            let gain = misfit - fitted.posterior.misfit();
            if gain > best.as_ref().map_or(MIN_DOUBT, |best| best.gain) {
                best = Some(Across { gain, fitted, moved });
            }
        }
        best
    }
}
