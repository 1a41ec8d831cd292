//! Least squares by Levenberg and Marquardt with differences for derivatives: few parameters, many residuals.

use nalgebra::{DMatrix, DVector};

/// Steps at most.
const MOST_STEPS: usize = 40;
/// A step that lowers the cost by less than this share is the last.
const LEAST_GAIN: f64 = 1e-6;
/// By how much a parameter is changed for its derivative, in standard deviations of its prior.
const DIFFERENCE: f64 = 1e-4;

/// What came of it: parameters are in standard deviations of their prior, from its mean.
#[derive(Debug, Clone)]
pub(super) struct Solution {
    pub parameters: Vec<f64>,
    pub cost: f64,
    /// The covariance, prior included, residuals taken as having variance 1.
    pub covariance: DMatrix<f64>,
}

/// Minimises the residuals and the parameters' own squares.
pub(super) fn solve(start: Vec<f64>, mut residuals: impl FnMut(&[f64], &mut Vec<f64>)) -> Solution {
    let count = start.len();
    let mut at = start;
    let (mut now, mut moved) = (Vec::new(), Vec::new());
    residuals(&at, &mut now);
    let own = |at: &[f64]| at.iter().map(|x| x * x).sum::<f64>();
    let square = |values: &[f64]| values.iter().map(|value| value * value).sum::<f64>();
    let mut cost = square(&now) + own(&at);
    let mut damping = 1e-3;
    let mut normal = DMatrix::identity(count, count);
    for _ in 0..MOST_STEPS {
        let rows = now.len();
        let mut jacobian = DMatrix::zeros(rows, count);
        for parameter in 0..count {
            let mut there = at.clone();
            there[parameter] += DIFFERENCE;
            moved.clear();
            residuals(&there, &mut moved);
            for row in 0..rows.min(moved.len()) {
                jacobian[(row, parameter)] = (moved[row] - now[row]) / DIFFERENCE;
            }
        }
        normal = jacobian.tr_mul(&jacobian) + DMatrix::identity(count, count);
        let down =
            jacobian.tr_mul(&DVector::from_column_slice(&now)) + DVector::from_column_slice(&at);
        let mut is_better = false;
        for _ in 0..8 {
            let mut damped = normal.clone();
            (0..count).for_each(|i| damped[(i, i)] *= 1.0 + damping);
            let Some(root) = damped.cholesky() else { break };
            let step = root.solve(&down);
            let there: Vec<f64> = at.iter().zip(step.iter()).map(|(x, by)| x - by).collect();
            moved.clear();
            residuals(&there, &mut moved);
            let cost_there = square(&moved) + own(&there);
            if cost_there < cost {
                is_better = cost - cost_there > LEAST_GAIN * cost;
                (at, cost) = (there, cost_there);
                std::mem::swap(&mut now, &mut moved);
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
    Solution { parameters: at, cost, covariance }
}
