//! Least squares by Levenberg and Marquardt with differences for derivatives, of parts that share some parameters: few
//! parameters, many residuals.

use nalgebra::{DMatrix, DVector};

/// Steps at most.
const MOST_STEPS: usize = 40;
/// A step that lowers the cost by less than this share is the last.
const LEAST_GAIN: f64 = 1e-5;
/// By how much a parameter is changed for its derivative, in standard deviations of its prior.
const DIFFERENCE: f64 = 1e-4;

/// Parameters in standard deviations of their prior, from its mean.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Parameters {
    /// Those that all parts share.
    pub common: Vec<f64>,
    /// Those of every part.
    pub own: Vec<Vec<f64>>,
}

/// What came of it.
#[derive(Debug, Clone)]
pub(super) struct Solution {
    pub parameters: Parameters,
    /// Of every part, its own prior included.
    pub costs: Vec<f64>,
    /// The covariance, prior included, residuals taken as having variance 1: the common parameters, then part by part.
    pub covariance: DMatrix<f64>,
}

impl Parameters {
    /// All of them at the mean of their prior.
    pub fn usual(common: usize, own: impl Iterator<Item = usize>) -> Self {
        Self { common: vec![0.0; common], own: own.map(|count| vec![0.0; count]).collect() }
    }

    /// Where the parameters of a part begin.
    fn starts(&self) -> Vec<usize> {
        let mut next = self.common.len();
        let place = |own: &Vec<f64>| {
            next += own.len();
            next - own.len()
        };
        self.own.iter().map(place).collect()
    }

    fn all_mut(&mut self) -> impl Iterator<Item = &mut f64> {
        self.common.iter_mut().chain(self.own.iter_mut().flatten())
    }
}

impl Solution {
    /// The covariance of the common parameters, then those of one part.
    pub fn covariance_of(&self, part: usize) -> DMatrix<f64> {
        let common = self.parameters.common.len();
        let start = self.parameters.starts()[part];
        let count = common + self.parameters.own[part].len();
        let at = |index: usize| if index < common { index } else { start + index - common };
        DMatrix::from_fn(count, count, |row, column| self.covariance[(at(row), at(column))])
    }
}

/// Minimises the residuals of all parts and the parameters' own squares; `residuals` appends those of a part for the
/// common parameters and its own, as many each time.
pub(super) fn solve(
    start: Parameters,
    residuals: impl Fn(usize, &[f64], &[f64], &mut Vec<f64>),
) -> Solution {
    let parts = start.own.len();
    let shared = start.common.len();
    let starts = start.starts();
    let count = shared + start.own.iter().map(Vec::len).sum::<usize>();
    let own_square = |values: &[f64]| values.iter().map(|value| value * value).sum::<f64>();
    let evaluate = |at: &Parameters| -> (Vec<Vec<f64>>, Vec<f64>) {
        let all: Vec<Vec<f64>> = (0..parts)
            .map(|part| {
                let mut out = Vec::new();
                residuals(part, &at.common, &at.own[part], &mut out);
                out
            })
            .collect();
        let costs = (all.iter().zip(&at.own)).map(|(all, own)| own_square(all) + own_square(own));
        let costs = costs.collect();
        (all, costs)
    };
    let total = |costs: &[f64], at: &Parameters| costs.iter().sum::<f64>() + own_square(&at.common);
    let mut at = start;
    let (mut now, mut costs) = evaluate(&at);
    let mut damping = 1e-3;
    let mut normal = DMatrix::identity(count, count);
    for _ in 0..MOST_STEPS {
        normal = DMatrix::identity(count, count);
        let values = at.common.iter().chain(at.own.iter().flatten()).copied();
        let mut down = DVector::from_iterator(count, values);
        let mut moved = Vec::new();
        for part in 0..parts {
            let rows = now[part].len();
            let own = at.own[part].len();
            let mut jacobian = DMatrix::zeros(rows, shared + own);
            for parameter in 0..shared + own {
                let (mut common, mut other) = (at.common.clone(), at.own[part].clone());
                match parameter < shared {
                    true => common[parameter] += DIFFERENCE,
                    false => other[parameter - shared] += DIFFERENCE,
                }
                moved.clear();
                residuals(part, &common, &other, &mut moved);
                for row in 0..rows.min(moved.len()) {
                    jacobian[(row, parameter)] = (moved[row] - now[part][row]) / DIFFERENCE;
                }
            }
            let square = jacobian.tr_mul(&jacobian);
            let slope = jacobian.tr_mul(&DVector::from_column_slice(&now[part]));
            let place = |index: usize| match index < shared {
                true => index,
                false => starts[part] + index - shared,
            };
            for row in 0..shared + own {
                down[place(row)] += slope[row];
                for column in 0..shared + own {
                    normal[(place(row), place(column))] += square[(row, column)];
                }
            }
        }
        let before = total(&costs, &at);
        let mut is_better = false;
        for _ in 0..8 {
            let mut damped = normal.clone();
            (0..count).for_each(|i| damped[(i, i)] *= 1.0 + damping);
            let Some(root) = damped.cholesky() else { break };
            let step = root.solve(&down);
            let mut there = at.clone();
            there.all_mut().zip(step.iter()).for_each(|(value, by)| *value -= by);
            let (all, own) = evaluate(&there);
            let after = total(&own, &there);
            if after < before {
                is_better = before - after > LEAST_GAIN * before;
                (at, now, costs) = (there, all, own);
                damping = (damping * 0.2).max(1e-9);
                break;
            }
            damping *= 6.0;
        }
        if !is_better {
            break;
        }
    }
    let covariance =
        normal.cholesky().map_or_else(|| DMatrix::identity(count, count), |root| root.inverse());
    Solution { parameters: at, costs, covariance }
}
