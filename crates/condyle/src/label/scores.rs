//! How well tracklets fit labels over all frames in which they are looked at.

use super::body_shape::BodyShape;
use super::given_others::{self, Distances};
use super::tracklet::Look;

/// A mean over fewer mates than this counts as one over so many.
const FEW_MATES: f64 = 4.0;

/// The mean score of every tracklet for every label.
pub(super) struct Scores {
    labels: usize,
    means: Vec<f64>,
}

impl Scores {
    pub(super) fn zero(tracklets: usize, labels: usize) -> Self {
        Self { labels, means: vec![0.0; tracklets * labels] }
    }

    pub(super) fn labels(&self) -> usize {
        self.labels
    }

    pub(super) fn at(&self, tracklet: usize, label: usize) -> f64 {
        self.means[tracklet * self.labels + label]
    }

    pub(super) fn add(&mut self, tracklet: usize, label: usize, score: f64) {
        self.means[tracklet * self.labels + label] += score;
    }

    /// The scores that follow from a body's shape, given the labels of others.
    pub(super) fn given(shape: &BodyShape, looks: &[Look], label_of: &[Option<usize>]) -> Self {
        let labels = shape.labels;
        let mut scores = Self::zero(label_of.len(), labels);
        let mut count = vec![0.0_f64; label_of.len()];
        let mut holder = vec![None; labels];
        for look in looks {
            holder.fill(None);
            for (point, tracklet) in look.tracklets.iter().enumerate() {
                count[*tracklet] += 1.0;
                if let Some(label) = label_of[*tracklet] {
                    holder[label] = Some(point);
                }
            }
            let distances = Distances::new(&look.positions_m);
            given_others::each(shape, &look.positions_m, &distances, &holder, |point, i, fit| {
                let score = fit.distances / fit.mates.max(FEW_MATES) + fit.sides;
                scores.add(look.tracklets[point], i, score);
            });
        }
        for (means, count) in scores.means.chunks_mut(labels.max(1)).zip(count) {
            means.iter_mut().for_each(|mean| *mean /= count.max(1.0));
        }
        scores
    }
}
