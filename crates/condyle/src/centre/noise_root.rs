//! The noise variance at which a centred algebraic fit explains itself.

use super::shape::Shape;

/// What distinguishes the fits of one family.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Family {
    /// The coefficient of η².
    pub q: f64,
    /// r² = z̄ + kη + |c - x̄|².
    pub k: f64,
}

/// SC-GDK in D dimensions.
pub(super) const fn self_calibrated<const D: usize>() -> Family {
    Family { q: -2.0 * D as f64, k: -(D as f64) }
}
pub(super) const TAUBIN: Family = Family { q: 0.0, k: 0.0 };
pub(super) const PRATT: Family = Family { q: 4.0, k: 2.0 };
/// Hyper-accurate, D = 3.
pub(super) const HYPER: Family = Family { q: 9.0, k: -3.0 };

const MAX_STEPS: usize = 100;

/// The root η of f in 0 ≤ η < λ_min; 0 if the points are better than any noise would make them.
///
/// # Method
/// f(η) = V - Σ s_i² / (λ_i - η) - 4 η z̄ - q η², with λ_i the eigenvalues of Ĉ and s the third
/// moment in its eigenvectors. f falls over the whole bracket, so the root is the only one: Newton's
/// step where it stays in the bracket, bisection where it does not. With q = -2D this is the exact
/// identity Var(|d|²) - S₀ᵀC₀⁻¹S₀ = 4σ²z̄ - 2Dσ⁴ of points on a sphere with Gaussian noise; q = 0, 4
/// and D² give the fits of Taubin, Pratt and the hyper-accurate one.
///
/// # Reference
/// q = 0: G. Taubin (1991); q = 4: V. Pratt (1987); q = D²: A. Al-Sharadqah and N. Chernov (2009);
/// q = -2D: ours.
pub(super) fn noise_root<const D: usize>(shape: &Shape<D>, family: Family) -> f64 {
    let smallest = shape.spectrum.values[0];
    let f = |eta: f64| {
        let (mut value, mut slope) = (shape.v, -4.0 * shape.z);
        for (lambda, s) in shape.spectrum.values.iter().zip(shape.s_eigen.iter()) {
            let gap = lambda - eta;
            if gap > shape.floor {
                let ratio = s / gap;
                value -= s * ratio;
                slope -= ratio * ratio;
            }
        }
        (value - eta * (4.0 * shape.z + family.q * eta), slope - 2.0 * family.q * eta)
    };
    let pole = smallest - shape.floor;
    let (mut low, mut high) = (0.0, pole);
    let mut eta = 0.0;
    for _ in 0..MAX_STEPS {
        let (value, slope) = f(eta);
        if eta == 0.0 && (pole <= 0.0 || value <= 0.0) {
            return 0.0;
        }
        if value > 0.0 {
            low = eta;
        } else {
            high = eta;
        }
        let newton = eta - value / slope;
        let is_inside = newton >= low && newton <= high && newton < pole;
        let next = if is_inside { newton } else { 0.5 * (low + high) };
        let step = next - eta;
        eta = next;
        // What Newton's step leaves is about step²/(λ_min - η), the curvature of the nearest pole.
        let left = if is_inside { step * step / (smallest - eta) } else { high - low };
        if left <= 2.0 * f64::EPSILON * eta {
            break;
        }
    }
    eta
}
