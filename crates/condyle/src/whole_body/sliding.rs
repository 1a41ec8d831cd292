//! Skin as part of the fit: how far the skin under every marker slides with the joints beside it.
//!
//! What is expected of it is what the error bars assume, so that motion is believed where skin cannot imitate it.

use nalgebra::DMatrix;

use super::problem::Problem;
use super::skin::{COMMON, Skin};
use super::tree::{SharedNormal, Structure};

/// What of a marker's noise is left once its skin is fitted, as a share of its standard deviation: skin also slides in
/// ways that no joint angle tells.
///
/// Smaller is better where skin is linear in the angles, and worse where it is not: at 0.3 walks with skin that wobbles
/// with the step are 0.4 mm farther off than without a fit of skin, at 0.5 as far. Bones of one performer in two
/// recordings differ by 10.9 mm at 0.4, 10.4 at 0.5, 9.9 without.
const REST: f64 = 0.5;
/// The main directions of the joint angles beside a segment that its skin follows in the fit. 5 are no better; with 2
/// bones of one performer in two recordings differ by 0.5 mm more.
const MAIN_SIGNALS: usize = 3;

/// Displacements `Σ_k s_k(t) a_mk` of the markers m of a segment, in its frame; the vectors a are fitted.
#[derive(Debug, Clone)]
pub(super) struct Sliding {
    /// For every frame that is fitted and every segment, its signals s.
    pub signals: Vec<Vec<Vec<f64>>>,
    /// For every marker, where its vectors begin among the parameters.
    pub at: Vec<usize>,
    /// Of every marker, what is left beside: sd a coordinate.
    pub sigma_m: Vec<f64>,
    /// The part of it that is no noise of cameras, as it was assumed at first.
    pub rest_m: Vec<f64>,
    /// The share of the assumed variance that the recording shows; 1 where that is not said.
    pub shown: f64,
    /// What is expected of the vectors: the inverse of their covariance, row, column and value.
    pub expected: Vec<(usize, usize, f64)>,
}

impl Problem {
    /// Makes the skin part of the problem; nothing slides yet.
    pub(super) fn slide(&mut self, skin: &Skin, parameters: &mut Vec<f64>) {
        let signals = skin.main_signals(MAIN_SIGNALS);
        let count = |segment: usize| signals.first().map_or(0, |s| s[segment].len());
        let (mut at, mut next) = (Vec::new(), self.model.parameters());
        for marker in &self.model.markers {
            at.push(next);
            next += 3 * count(marker.segment);
        }
        let ends = at.iter().copied().skip(1).chain([next]);
        let ranges: Vec<_> = at.iter().copied().zip(ends).map(|(start, end)| start..end).collect();
        let mut expected = Vec::new();
        for segment in 0..self.model.segments.len() {
            let markers = self.model.markers.iter().enumerate();
            let own: Vec<usize> =
                markers.filter(|(_, m)| m.segment == segment).map(|(index, _)| index).collect();
            let covariance = DMatrix::from_fn(own.len(), own.len(), |i, j| {
                let share = if i == j { 1.0 } else { COMMON };
                share * self.skin_m[own[i]] * self.skin_m[own[j]]
            });
            let Some(inverse) = covariance.try_inverse() else { continue };
            for (i, a) in own.iter().enumerate() {
                for (j, b) in own.iter().enumerate() {
                    for k in 0..3 * count(segment) {
                        expected.push((at[*a] + k, at[*b] + k, inverse[(i, j)]));
                    }
                }
            }
        }
        parameters.resize(next, 0.0);
        self.structure = Structure::with_skin(&self.model, &ranges);
        let rest_m: Vec<f64> = self.sigma_m.iter().map(|m| REST * m).collect();
        let sigma_m = rest_m.iter().map(|m| m.hypot(self.camera_m)).collect();
        self.sliding = Some(Sliding { signals, at, sigma_m, rest_m, shown: 1.0, expected });
    }
}

impl Sliding {
    /// The normal equations of what is expected.
    pub(super) fn add_expected(&self, parameters: &[f64], shared: &mut SharedNormal) {
        let size = shared.parameters();
        for &(row, column, value) in &self.expected {
            shared.gradient[row] += value * parameters[column];
            if column <= row {
                shared.matrix[row * size + column] += value;
            }
        }
    }

    /// Half of the squares of what is expected.
    pub(super) fn energy(&self, parameters: &[f64]) -> f64 {
        let term = |(row, column, value): &(usize, usize, f64)| {
            0.5 * value * parameters[*row] * parameters[*column]
        };
        self.expected.iter().map(term).sum()
    }
}
