//! Which step each method takes from J and e.

use std::f64::consts::PI;

use super::super::method::{Method, Options};
use super::Jacobian;

/// No angle changes by more in one step: the constants of Buss's own program.
const TRANSPOSE_MOST_RAD: f64 = PI / 6.0;
const PSEUDO_INVERSE_MOST_RAD: f64 = PI / 36.0;
const DAMPED_MOST_RAD: f64 = PI / 4.0;
/// Singular values below this share of the largest count as zero.
const SINGULAR: f64 = 0.01;
/// The same where that would leave no step at all.
const NEARLY_SINGULAR: f64 = 1e-6;
/// The share of what is missing below which a step does nothing about it.
const NOTHING: f64 = 1e-2;

pub(super) fn choose(jacobian: &mut Jacobian, options: &Options, unit_m: f64) {
    jacobian.square_up();
    let lambda2 = (options.damping * unit_m).powi(2);
    match options.method {
        Method::Transpose => {
            transpose(jacobian);
            jacobian.limit_step(TRANSPOSE_MOST_RAD);
        }
        Method::PseudoInverse => {
            pseudo_inverse(jacobian);
            jacobian.limit_step(PSEUDO_INVERSE_MOST_RAD);
        }
        Method::Dls => {
            dls(jacobian, lambda2);
            jacobian.limit_step(DAMPED_MOST_RAD);
        }
        Method::Sdls => sdls(jacobian),
        _ => {
            svd_dls(jacobian, lambda2);
            jacobian.limit_step(DAMPED_MOST_RAD);
        }
    }
}

/// Δθ = αJᵀe with α = ⟨e, JJᵀe⟩/⟨JJᵀe, JJᵀe⟩ (3.13, 3.15).
pub(super) fn transpose(jacobian: &mut Jacobian) {
    jacobian.step_along(|jacobian, row| jacobian.missing[row]);
    let (mut along, mut square) = (0.0, 0.0);
    for row in 0..jacobian.rows {
        let moved: f64 = jacobian.row(row).iter().zip(&jacobian.step_rad).map(|(a, b)| a * b).sum();
        along += moved * jacobian.missing[row];
        square += moved * moved;
    }
    let alpha = if square > 0.0 { along / square } else { 0.0 };
    jacobian.step_rad.iter_mut().for_each(|step| *step *= alpha);
}

/// Δθ = Jᵀ(JJᵀ + λ²I)⁻¹e (3.22).
pub(super) fn dls(jacobian: &mut Jacobian, lambda2: f64) -> bool {
    jacobian.square.add_to_diagonal(lambda2);
    let mut square = std::mem::take(&mut jacobian.square);
    let is_solved = square.solve(&jacobian.missing);
    jacobian.square = square;
    jacobian.step_along(|jacobian, row| jacobian.square.solution[row]);
    is_solved
}

/// Σ g(σᵢ²) (uᵢᵀe) Jᵀuᵢ with the eigenvectors of JJᵀ, which are the left singular vectors of J.
fn along_singular_vectors(jacobian: &mut Jacobian, gain: impl Fn(f64) -> f64) {
    jacobian.square.diagonalise();
    let square = &mut jacobian.square;
    let n = square.size();
    square.solution.clear();
    square.solution.resize(n, 0.0);
    for index in 0..n {
        let factor = gain(square.eigenvalue(index)) * square.project(index, &jacobian.missing);
        for row in 0..n {
            let component = square.eigenvector(index, row);
            square.solution[row] += factor * component;
        }
    }
    jacobian.step_along(|jacobian, row| jacobian.square.solution[row]);
}

/// Δθ = J†e (3.8), with singular values near zero left out.
///
/// A chain that is nearly straight and points at its target misses it along the one direction that was
/// left out, and would stay for ever: there that direction counts. A step against the whole of e is at
/// least |e|/√tr(JJᵀ) long, which tells.
pub(super) fn pseudo_inverse(jacobian: &mut Jacobian) {
    let trace: f64 = (0..jacobian.rows).map(|i| jacobian.square.eigenvalue(i)).sum();
    let above = |share: f64| {
        let least = share * share * trace;
        move |sigma2: f64| if sigma2 > least { 1.0 / sigma2 } else { 0.0 }
    };
    along_singular_vectors(jacobian, above(SINGULAR));
    let square = |values: &[f64]| values.iter().map(|x| x * x).sum::<f64>();
    if square(&jacobian.step_rad) * trace < NOTHING * NOTHING * square(&jacobian.missing) {
        jacobian.square_up();
        along_singular_vectors(jacobian, above(NEARLY_SINGULAR));
    }
}

/// Δθ = Σ σᵢ/(σᵢ²+λ²) vᵢuᵢᵀe (3.27).
pub(super) fn svd_dls(jacobian: &mut Jacobian, lambda2: f64) {
    along_singular_vectors(jacobian, |sigma2| 1.0 / (sigma2 + lambda2));
}

/// Selectively damped least squares: every singular direction has a largest angle of its own.
///
/// With αᵢ = uᵢᵀe, Nᵢ = Σ‖uᵢ,ₗ‖ over the effectors and Mᵢ = σᵢ⁻¹ Σⱼ|vⱼᵢ| Σₗ‖∂sₗ/∂θⱼ‖, the angle is
/// γᵢ = min(1, Nᵢ/Mᵢ) π/4.
pub(super) fn sdls(jacobian: &mut Jacobian) {
    jacobian.square.diagonalise();
    let columns = jacobian.columns();
    let rows = jacobian.rows;
    let mut total = std::mem::take(&mut jacobian.scratch);
    total.clear();
    total.resize(columns, 0.0);
    let largest = (0..rows).map(|i| jacobian.square.eigenvalue(i)).fold(0.0, f64::max);
    for index in 0..rows {
        let sigma2 = jacobian.square.eigenvalue(index);
        if sigma2 <= 1e-14 * largest {
            continue;
        }
        let sigma = sigma2.sqrt();
        let alpha = jacobian.square.project(index, &jacobian.missing);
        // σv = Jᵀu.
        jacobian.step_along(|jacobian, row| jacobian.square.eigenvector(index, row));
        let length = |at: usize, value: &dyn Fn(usize) -> f64| {
            (3 * at..3 * at + 3).map(|row| value(row).powi(2)).sum::<f64>().sqrt()
        };
        let n: f64 = (0..rows / 3)
            .map(|at| length(at, &|row| jacobian.square.eigenvector(index, row)))
            .sum();
        let m: f64 = (0..columns)
            .map(|column| {
                let moved: f64 =
                    (0..rows / 3).map(|at| length(at, &|row| jacobian.row(row)[column])).sum();
                jacobian.step_rad[column].abs() / sigma2 * moved
            })
            .sum();
        let most = if m > 0.0 { (n / m).min(1.0) * DAMPED_MOST_RAD } else { DAMPED_MOST_RAD };
        let factor = alpha / sigma2;
        jacobian.step_rad.iter_mut().for_each(|step| *step *= factor);
        jacobian.limit_step(most);
        debug_assert!(sigma > 0.0);
        for (sum, step) in total.iter_mut().zip(&jacobian.step_rad) {
            *sum += step;
        }
    }
    std::mem::swap(&mut total, &mut jacobian.step_rad);
    jacobian.scratch = total;
    jacobian.limit_step(DAMPED_MOST_RAD);
}
