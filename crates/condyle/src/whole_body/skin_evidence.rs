//! How much of the skin that is assumed a recording shows.

use nalgebra::DMatrix;

use super::gauss_newton::Minimum;
use super::problem::Problem;

/// What is assumed of skin counts for so many amplitudes that the recording determines.
const PRIOR_AMPLITUDES: f64 = 3.0;
/// Skin is taken for less than assumed only where it shows less than this of the variance: a third of the amplitude.
///
/// Walkers of rigid markers show at most 0.08 with 1 mm of noise, people simulated with skin 0.25 to 0.7, most
/// recordings of people 0.16 to 1 (FunctionalLHip 0.09). In between joints gain nothing by it, and bones of one performer
/// in two recordings differ more.
const MAX_SHOWN: f64 = 1.0 / 9.0;

impl Problem {
    /// The variance of the skin's amplitudes against what is assumed of them, if they are clearly smaller.
    ///
    /// # Method
    /// With K amplitudes a, assumed to have the covariance Σ, and their posterior covariance C, a recording determines
    /// γ = K − tr(Σ⁻¹ C) of them, and the variance that makes it most probable is s² = aᵀ Σ⁻¹ a / γ of the assumed one;
    /// what is assumed counts for some amplitudes more. The markers of a segment move against each other or do not:
    /// skin that carries all of them along is not seen, and is taken to be as the rest.
    ///
    /// # Reference
    /// D. J. C. MacKay (1992), *Bayesian interpolation*, equation 4.10 with one scale.
    pub(super) fn shown_skin(&self, minimum: &Minimum) -> Option<f64> {
        let sliding = self.sliding.as_ref()?;
        let amplitudes = &minimum.state.parameters;
        let first = self.model.parameters();
        let count = amplitudes.len() - first;
        // The amplitudes come last: their covariance is that of the last block of the factor.
        let lower = minimum.factor.l_dirty().view((first, first), (count, count));
        let mut white = DMatrix::identity(count, count);
        lower.solve_lower_triangular_mut(&mut white);
        let (mut square, mut open) = (0.0, 0.0);
        for &(row, column, value) in &sliding.expected {
            square += value * amplitudes[row] * amplitudes[column];
            open += value * white.column(row - first).dot(&white.column(column - first));
        }
        let determined = (count as f64 - open).max(0.0);
        let shown = (square + PRIOR_AMPLITUDES) / (determined + PRIOR_AMPLITUDES);
        (shown < MAX_SHOWN).then_some(shown)
    }

    /// Expects so much of the variance of skin that was assumed.
    pub(super) fn shrink_skin(&mut self, shown: f64) {
        let Some(sliding) = &mut self.sliding else { return };
        sliding.shown = shown;
        sliding.expected.iter_mut().for_each(|(_, _, value)| *value /= shown);
        let rest = sliding.rest_m.iter().map(|rest_m| (shown.sqrt() * rest_m).hypot(self.camera_m));
        sliding.sigma_m = rest.collect();
    }
}
