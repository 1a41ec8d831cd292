//! Knowledge tested against the motion: blocks that contradict it are widened, markers that are not where their
//! label says are dropped, exchanged sides are tried.

use nalgebra::{DMatrix, DVector};

use super::choose::Reading;
use super::fit::Attempt;
use super::gauss_newton;
use super::posterior::Posterior;
use super::result::Fitted;
use super::rows::BlockKind;
use super::skin::Skin;
use crate::error::{Error, ErrorKind, Result};
use crate::note::Note;
use crate::order;

/// A normal person has any block doubted with this probability: it is shared among all blocks.
pub(super) const FALSE_ALARM: f64 = 0.02;
/// What a doubted block's deviations are multiplied by.
const WIDENING: f64 = 4.0;
const ROUNDS: usize = 3;
/// A block is tested where the rest tells of every direction of it, as a share of what it tells itself, the square root:
/// below, only rounding contradicts it.
const LEAST_TOLD: f64 = 1e-3;
/// No more than this share of the markers may be misplaced.
const MAX_ASTRAY: f64 = 0.5;
/// A marker this many times noisier than assumed is not where its label says; normal ones stay below 1.1.
const MISPLACED: f64 = 1.4;
const DROP_ROUNDS: usize = 3;
/// All knowledge together is doubted when its χ² is so many times its count.
pub(super) const CONTRADICTION: f64 = 2.0;
/// Beyond this no label that is put elsewhere can make a body of it, and none is tried: one, two or three exchanged pairs
/// have 0.1 to 3, a walk whose labels are all moved on by 29 has 19, and 67 fits for each pair that would be tried.
const HOPELESS: f64 = 10.0;
/// From here on exchanged sides are tried; normal people stay below 0.6.
pub(super) const MAY_BE_EXCHANGED: f64 = 0.8;

/// What was believed of the knowledge.
#[derive(Debug, Clone, PartialEq)]
pub struct KnowledgeBlock {
    /// What it says: `length of the thigh`.
    pub name: String,
    /// Whether it was used.
    pub status: BlockStatus,
    /// Why it was not used as it is, or where a measured size is from; empty otherwise.
    pub why: String,
}

/// How far a block of knowledge was believed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum BlockStatus {
    /// As it is.
    Used,
    /// With its standard deviations multiplied.
    Widened(f64),
    /// Not at all.
    Dropped,
}

/// What the guards did.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Guarded {
    pub blocks: Vec<KnowledgeBlock>,
    pub is_exchanged: bool,
    pub labels_exchanged: Option<[usize; 2]>,
    pub notes: Vec<Note>,
}

impl Attempt<'_> {
    /// Fits with all guards.
    pub(super) fn fit_guarded(&self, mut reading: Reading) -> Result<(Fitted, Guarded)> {
        let mut guarded = Guarded::default();
        let mut fitted = self.fit(&reading)?;
        let sides = Reading { are_sides_exchanged: true, ..reading.clone() };
        if contradiction(&fitted.posterior) > MAY_BE_EXCHANGED
            && let Ok(exchanged) = self.fit(&sides)
            && 2.0 * contradiction(&exchanged.posterior) < contradiction(&fitted.posterior)
        {
            (fitted, reading) = (exchanged, sides);
            guarded.is_exchanged = true;
            let text = "left and right are exchanged: labels were read with sides swapped; left-handed axes look the same";
            guarded.notes.push(Note::new("all-sides-exchanged", text));
        }
        let (astray, all) =
            (misplaced(&fitted.posterior).len(), fitted.posterior.problem.model.markers.len());
        if astray as f64 > MAX_ASTRAY * all as f64 {
            // Nothing that follows could put so much right, and all of it would be tried.
            return Err(Error::undetermined(format!(
                "knowledge '{}': need markers where their labels say, got {astray} of {all} that stray too far",
                self.knowledge.name
            )));
        }
        let is_hopeless = contradiction(&fitted.posterior) > HOPELESS;
        if !is_hopeless && let Some(pair) = self.exchanged(&fitted, &reading) {
            guarded.labels_exchanged = Some(pair);
            let [one, other] = pair.map(|column| self.input.labels[column]);
            let text =
                format!("{one} and {other} bear each other's label: nothing else was looked at");
            guarded.notes.push(Note::new("labels-exchanged", text));
            return Ok((fitted, guarded));
        }
        if !is_hopeless {
            guarded.notes.extend(self.read_across(&mut fitted, &mut reading));
        }
        let mut dropped = Vec::new();
        for _ in 0..DROP_ROUNDS {
            let misplaced = misplaced(&fitted.posterior);
            if misplaced.is_empty() {
                break;
            }
            reading.without.extend(misplaced.iter().map(|(column, ..)| *column));
            let Ok(again) = self.fit(&reading) else { break };
            fitted = again;
            dropped.extend(misplaced);
        }
        for (_, label, factor) in dropped {
            guarded.blocks.push(KnowledgeBlock {
                name: format!("marker {label}"),
                status: BlockStatus::Dropped,
                why: format!("it strays {factor:.1} times farther than its label lets expect"),
            });
        }
        let mut doubts = vec![0.0; fitted.posterior.problem.rows.blocks.len()];
        for _ in 0..ROUNDS {
            if !self.widen(&mut fitted, &mut doubts)? {
                break;
            }
        }
        let factor = contradiction(&fitted.posterior);
        if factor > CONTRADICTION {
            return Err(Error::undetermined(format!(
                "knowledge '{}': need a body that it fits, got one that contradicts it {factor:.1} times more \
                 than people do",
                self.knowledge.name
            )));
        }
        for (block, probability) in fitted.posterior.problem.rows.blocks.iter().zip(&doubts) {
            if block.kind == BlockKind::Frame {
                continue;
            }
            let is_widened = block.widening > 1.0;
            guarded.blocks.push(KnowledgeBlock {
                name: block.name.clone(),
                status: if is_widened {
                    BlockStatus::Widened(block.widening)
                } else {
                    BlockStatus::Used
                },
                why: match is_widened {
                    true => {
                        format!("the rest of the recording contradicts it (p = {probability:.1e})")
                    }
                    false => String::new(),
                },
            });
        }
        Ok((fitted, guarded))
    }

    /// Widens the worst half of the blocks that the rest contradicts, and fits on; whether there were any.
    fn widen(&self, fitted: &mut Fitted, doubts: &mut [f64]) -> Result<bool> {
        let mut doubtful = doubtful(&fitted.posterior);
        if doubtful.is_empty() {
            return Ok(false);
        }
        // A short bone makes its landmarks doubtful too: bones go first.
        let is_bone =
            |block: usize| fitted.posterior.problem.rows.blocks[block].kind == BlockKind::Bone;
        order::by(&mut doubtful, |a, b| is_bone(b.0).cmp(&is_bone(a.0)).then(a.1.total_cmp(&b.1)));
        let Posterior { problem, minimum, skin, .. } = &mut fitted.posterior;
        for &(block, probability) in &doubtful[..doubtful.len().div_ceil(2)] {
            problem.rows.blocks[block].widening *= WIDENING;
            doubts[block] = probability;
        }
        let noise = self.noise_rule();
        let again = gauss_newton::minimise(problem, minimum.state.clone(), &noise, 3);
        *minimum = again.ok_or_else(|| {
            ErrorKind::Undetermined(
                "whole body: need every part observable, got a singular fit".into(),
            )
        })?;
        *skin = Skin::new(&problem.model, &minimum.state.poses);
        Ok(true)
    }
}

/// χ² of all knowledge over its count.
pub(super) fn contradiction(posterior: &Posterior) -> f64 {
    let (problem, parameters) = (&posterior.problem, &posterior.minimum.state.parameters);
    let rows = problem.rows.rows.iter();
    let own = rows.filter(|row| problem.rows.blocks[row.block].kind != BlockKind::Frame);
    let (mut sum, mut count) = (0.0, 0.0);
    for row in own {
        sum += (row.at(parameters).value / problem.rows.sd(row)).powi(2);
        count += 1.0;
    }
    sum / f64::max(count, 1.0)
}

/// The markers that stray too far: place in a frame, label, how many times.
fn misplaced(posterior: &Posterior) -> Vec<(usize, String, f64)> {
    let problem = &posterior.problem;
    let markers = problem.model.markers.iter().zip(&problem.sigma_m);
    markers
        .map(|(marker, sigma_m)| {
            let factor = sigma_m * marker.weight.sqrt() / marker.sigma_m;
            (marker.column, marker.label.clone(), factor)
        })
        .filter(|(.., factor)| *factor > MISPLACED)
        .collect()
}

/// The blocks that the rest contradicts, and how probable that would be by chance.
///
/// # Method
/// With r the standardised residuals of a block, J their Jacobian and A = J C Jᵀ for the covariance C of the
/// parameters, the residuals without the block are (I − A)⁻¹ r, with covariance (I − A)⁻¹, and
/// d² = rᵀ (I − A)⁻¹ r has a χ² distribution.
fn doubtful(posterior: &Posterior) -> Vec<(usize, f64)> {
    let (problem, minimum) = (&posterior.problem, &posterior.minimum);
    let blocks = &problem.rows.blocks;
    let tested = blocks.iter().filter(|block| block.kind != BlockKind::Frame).count();
    let least = FALSE_ALARM / tested.max(1) as f64;
    let mut found = Vec::new();
    for (index, block) in blocks.iter().enumerate() {
        if block.kind == BlockKind::Frame {
            continue;
        }
        let (mut residuals, mut white) = (Vec::new(), Vec::new());
        for row in problem.rows.rows.iter().filter(|row| row.block == index) {
            let slope = row.at(&minimum.state.parameters);
            let sd = problem.rows.sd(row);
            let root = problem.row_weight(index, slope.value / sd).sqrt() / sd;
            let mut gradient = DVector::zeros(problem.structure.parameters);
            slope.gradient.iter().for_each(|(at, d)| gradient[*at] += d * root);
            minimum.factor.l_dirty().solve_lower_triangular_mut(&mut gradient);
            residuals.push(slope.value * root);
            white.push(gradient);
        }
        let size = residuals.len();
        let without = DMatrix::from_fn(size, size, |i, j| {
            f64::from(u8::from(i == j)) - white[i].dot(&white[j])
        });
        let residuals = DVector::from_vec(residuals);
        let Some(factor) = without.cholesky() else { continue };
        if factor.l_dirty().diagonal().min() < LEAST_TOLD {
            continue;
        }
        let solved = factor.solve(&residuals);
        let probability = chi_square_tail(residuals.dot(&solved), size as f64);
        if probability < least {
            found.push((index, probability));
        }
    }
    found
}

/// The probability that χ² with so many degrees of freedom is larger.
///
/// # Reference
/// E. B. Wilson, M. M. Hilferty (1931), *The distribution of chi-square*.
pub(super) fn chi_square_tail(square: f64, freedom: f64) -> f64 {
    let spread = 2.0 / (9.0 * freedom);
    let z = ((square.max(0.0) / freedom).cbrt() - (1.0 - spread)) / spread.sqrt();
    0.5 * erfc(z / std::f64::consts::SQRT_2)
}

/// The complementary error function, to 1e-7 of itself for what matters here.
///
/// # Reference
/// W. H. Press et al., *Numerical Recipes*, erfcc: a Chebyshev fit with a fractional error below 1.2e-7.
fn erfc(x: f64) -> f64 {
    const COEFFICIENTS: [f64; 10] = [
        -1.265_512_23,
        1.000_023_68,
        0.374_091_96,
        0.096_784_18,
        -0.186_288_06,
        0.278_868_07,
        -1.135_203_98,
        1.488_515_87,
        -0.822_152_23,
        0.170_872_77,
    ];
    let t = 1.0 / (1.0 + 0.5 * x.abs());
    let polynomial = COEFFICIENTS.iter().rev().fold(0.0, |sum, coefficient| sum * t + coefficient);
    let tail = t * (-x * x + polynomial).exp();
    if x >= 0.0 { tail } else { 2.0 - tail }
}

#[cfg(test)]
mod tests {
    use super::chi_square_tail;

    #[test]
    fn tails_of_chi_square_are_those_of_the_tables() {
        for (square, freedom, probability) in
            [(3.841, 1.0, 0.05), (7.815, 3.0, 0.05), (16.812, 6.0, 0.01), (27.877, 9.0, 0.001)]
        {
            let found = chi_square_tail(square, freedom);
            assert!((found / probability - 1.0).abs() < 0.12, "{square} {freedom}: {found}");
        }
    }
}
