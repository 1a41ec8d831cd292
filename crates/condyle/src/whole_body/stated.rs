//! Sizes of the body that were stated, held against what the recording says of them without any.

use super::choose::Reading;
use super::fit::Attempt;
use super::guards::{BlockStatus, FALSE_ALARM, KnowledgeBlock, chi_square_tail};

/// A stated size, in metres, and its standard deviation.
pub(super) type Stated = Option<(f64, f64)>;

impl Attempt<'_> {
    /// The stated sizes without those that the body contradicts, and what is to be said of these.
    ///
    /// This comes before sides, labels and places of markers are doubted: a height that is far off makes every one of
    /// them look wrong, and in the end the knowledge itself.
    ///
    /// # Method
    /// The body is fitted without any stated size. Its logarithm of a size has a standard deviation of its own, so
    /// that d² = (ln stated − ln fitted)² / (sd_stated² + sd_fitted²) is of χ² with one degree of freedom. What is
    /// so far off in one of fifty people, shared among all pieces of knowledge, is left out as if it had not been stated.
    pub(super) fn believable(&self, reading: &Reading) -> (Vec<Stated>, Vec<KnowledgeBlock>) {
        let mut believed = self.measured.to_vec();
        let mut left_out = Vec::new();
        let stated = believed.iter().flatten().count();
        let nothing = vec![None; believed.len()];
        let without = Attempt { measured: &nothing, ..*self };
        let Some(fitted) = (stated > 0).then(|| without.fit(reading).ok()).flatten() else {
            return (believed, left_out);
        };
        // As any other piece of knowledge is doubted, the stated ones among them.
        let pieces = fitted.posterior.problem.rows.blocks.len() + stated;
        let least = FALSE_ALARM / pieces as f64;
        for (index, size) in believed.iter_mut().enumerate() {
            let Some((value_m, sd_m)) = *size else { continue };
            let (fitted_m, fitted_sd) = fitted.posterior.size(index);
            let own_sd = sd_m / value_m;
            let square = (value_m / fitted_m).ln().powi(2) / (own_sd.powi(2) + fitted_sd.powi(2));
            let probability = chi_square_tail(square, 1.0);
            if probability >= least {
                continue;
            }
            *size = None;
            left_out.push(KnowledgeBlock {
                name: format!("measured {}", self.knowledge.sizes[index].name),
                status: BlockStatus::Dropped,
                why: format!(
                    "{:.0} mm is left out: by everything else it is {:.0} mm, one standard deviation {:.0} \
                     (p = {probability:.1e})",
                    1e3 * value_m,
                    1e3 * fitted_m,
                    1e3 * fitted_m * fitted_sd
                ),
            });
        }
        (believed, left_out)
    }
}
