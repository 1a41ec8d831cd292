//! Two labels of a limb that are each on the other's marker: ankle and heel, elbow and upper arm.

use nalgebra::{DMatrix, Point3};

use super::choose::Reading;
use super::fit::{Attempt, Input};
use super::guards::{CONTRADICTION, MAY_BE_EXCHANGED, contradiction};
use super::model::Model;
use super::result::Fitted;
use crate::marker_set::{Side, side_pairs};
use crate::rigid::Traces;
use crate::statistics::median;

/// The objective must fall by so much: where two labels of a limb are exchanged it falls by 8 to 45, but for the two sides
/// of a wrist; elsewhere it grows by 1.3 and more.
const MIN_GAIN: f64 = 6.0;
/// And the two markers must then be where the other side has them: differences of distances must fall to this share. Where
/// both sides are alike beforehand, labels mean something else than the knowledge takes them for. Where labels are right an
/// exchange leaves as much and more; where ankle and heel are exchanged, .05 to .7, since nobody wears markers on both
/// sides alike.
const MAX_UNLIKE: f64 = 0.7;

/// Frames in which two markers are read under each other's label.
struct Exchanged<'a> {
    frames: &'a dyn Traces,
    pair: [usize; 2],
}

impl Traces for Exchanged<'_> {
    fn frames(&self) -> usize {
        self.frames.frames()
    }

    fn position_m(&self, frame: usize, marker: usize) -> Option<Point3<f64>> {
        let [a, b] = self.pair;
        let read = match marker {
            marker if marker == a => b,
            marker if marker == b => a,
            marker => marker,
        };
        self.frames.position_m(frame, read)
    }
}

fn is_beside(model: &Model, a: usize, b: usize) -> bool {
    a == b || model.segments[a].parent == Some(b) || model.segments[b].parent == Some(a)
}

/// Pairs of markers of a side, on one segment or on neighbours, one of them on a landmark; and where knowledge contradicts
/// the recording, those of both sides: where arms may cross, directions do not tell.
fn candidates(model: &Model, is_contradicted: bool) -> Vec<[usize; 2]> {
    let labels: Vec<&str> = model.markers.iter().map(|m| m.label.as_str()).collect();
    let mut found = if is_contradicted { side_pairs(&labels) } else { Vec::new() };
    for (index, one) in model.markers.iter().enumerate() {
        for (later, other) in model.markers.iter().enumerate().skip(index + 1) {
            let sides = [one.side, other.side];
            let is_one_side = sides[0] == sides[1] || sides.contains(&Side::Unsaid);
            let is_told = one.landmark != other.landmark && !(one.is_offset && other.is_offset);
            if is_one_side && is_told && is_beside(model, one.segment, other.segment) {
                found.push([index, later]);
            }
        }
    }
    found
}

/// Where markers are on the two sides of a body, by their distances.
struct Likeness<'a> {
    model: &'a Model,
    /// The median distance of every two markers.
    apart_m: DMatrix<Option<f64>>,
    /// The marker of the other side; of those in the middle the marker itself.
    mirrored: Vec<Option<usize>>,
    /// Whether a marker is on a place that is known: wands, clusters and what is put on a back so that programs tell the
    /// sides apart are put on differently.
    is_place: Vec<bool>,
}

impl<'a> Likeness<'a> {
    fn new(model: &'a Model, attempt: &Attempt) -> Self {
        let columns: Vec<usize> = model.markers.iter().map(|marker| marker.column).collect();
        let apart_m = |a: usize, b: usize| {
            let at = |frame: &usize| {
                let [a, b] = [a, b].map(|m| attempt.input.frames.position_m(*frame, columns[m]));
                Some((a? - b?).norm())
            };
            median(attempt.frames.iter().filter_map(at))
        };
        let labels: Vec<&str> = model.markers.iter().map(|m| m.label.as_str()).collect();
        let is_middle = |m: usize| model.markers[m].side == Side::Unsaid;
        let mut mirrored: Vec<Option<usize>> =
            (0..labels.len()).map(|m| is_middle(m).then_some(m)).collect();
        for [left, right] in side_pairs(&labels) {
            (mirrored[left], mirrored[right]) = (Some(right), Some(left));
        }
        let is_known = |l: usize| attempt.knowledge.landmarks[l].start.is_some();
        let markers = model.markers.iter();
        let is_place = markers.map(|m| !m.is_offset && m.landmark.is_some_and(is_known)).collect();
        let apart_m = DMatrix::from_fn(columns.len(), columns.len(), apart_m);
        Self { model, apart_m, mirrored, is_place }
    }

    /// How far two markers are from where the other side has them, as labelled and exchanged: differences of distances to
    /// markers nearby, in metres. Nothing where the other side tells nothing.
    fn differences_m(&self, pair: [usize; 2]) -> Option<[f64; 2]> {
        let markers = &self.model.markers;
        let is_near = |other: usize| {
            let is_beside =
                |m: usize| is_beside(self.model, markers[m].segment, markers[other].segment);
            pair.into_iter().any(is_beside)
        };
        let others = (0..markers.len()).filter(|other| self.is_place[*other] && is_near(*other));
        let others: Vec<usize> = others.filter(|other| !pair.contains(other)).collect();
        let mut sums_m = None;
        for (own, exchanged) in [(pair[0], pair[1]), (pair[1], pair[0])] {
            if !self.is_place[own] {
                continue;
            }
            for &other in &others {
                let [Some(mirrored), Some(beside)] = [own, other].map(|m| self.mirrored[m]) else {
                    continue;
                };
                // Whatever wears the label of the middle is its own mirror image.
                let exchanged_mirrored = if mirrored == own { exchanged } else { mirrored };
                let [Some(labelled_m), Some(beside_m), Some(exchanged_m), Some(exchanged_beside_m)] =
                    [
                        (own, other),
                        (mirrored, beside),
                        (exchanged, other),
                        (exchanged_mirrored, beside),
                    ]
                    .map(|at| self.apart_m[at])
                else {
                    continue;
                };
                let [as_labelled, as_exchanged] = sums_m.get_or_insert([0.0; 2]);
                *as_labelled += f64::abs(labelled_m - beside_m);
                *as_exchanged += f64::abs(exchanged_m - exchanged_beside_m);
            }
        }
        sums_m
    }
}

impl Attempt<'_> {
    /// The columns of two markers that bear each other's label: the pair whose exchange explains the recording best, if
    /// that is far better.
    pub(super) fn exchanged(&self, fitted: &Fitted, reading: &Reading) -> Option<[usize; 2]> {
        let (posterior, model) = (&fitted.posterior, &fitted.posterior.problem.model);
        let contradiction = contradiction(posterior);
        let is_contradicted = contradiction > MAY_BE_EXCHANGED;
        // Where knowledge would be refused, whatever is more alike is tried.
        let max_unlike = if contradiction > CONTRADICTION { 1.0 } else { MAX_UNLIKE };
        let likeness = Likeness::new(model, self);
        let mut best = (posterior.misfit() - MIN_GAIN, None);
        for markers in candidates(model, is_contradicted) {
            let are_mirrored = likeness.mirrored[markers[0]] == Some(markers[1]);
            let is_likely = match likeness.differences_m(markers) {
                Some([as_labelled, as_exchanged]) if !are_mirrored => {
                    as_exchanged <= max_unlike * as_labelled
                }
                _ => is_contradicted,
            };
            if !is_likely {
                continue;
            }
            let pair = markers.map(|marker| model.markers[marker].column);
            let frames = Exchanged { frames: self.input.frames, pair };
            let input = Input { frames: &frames, ..*self.input };
            let Ok(other) = (Attempt { input: &input, ..*self }).fit(reading) else { continue };
            let misfit = other.posterior.misfit();
            if misfit < best.0 {
                best = (misfit, Some(pair));
            }
        }
        best.1
    }
}
