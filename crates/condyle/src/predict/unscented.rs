//! The unscented Kalman filter.

use nalgebra::{SMatrix, SVector};

/// How far the sigma points are spread.
///
/// # Reference
/// A. Aristidou (2010), section 4.5.2: κ = 0, 0 ≤ α ≤ 1, β = 2. With α = 1 no weight is negative and the covariance
/// stays positive definite; with 0.5 it was lost on flips.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    /// α.
    pub alpha: f64,
    /// β.
    pub beta: f64,
    /// κ.
    pub kappa: f64,
}

impl Default for Spread {
    fn default() -> Self {
        Self { alpha: 1.0, beta: 2.0, kappa: 0.0 }
    }
}

/// How many states a transition takes at once: their sums do not wait for each other.
pub const LANES: usize = 8;
/// A number of each of them.
pub type Lanes = [f64; LANES];

/// A state and its covariance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StateEstimate<const N: usize> {
    /// The state.
    pub mean: SVector<f64, N>,
    /// Its covariance.
    pub covariance: SMatrix<f64, N, N>,
}

impl<const N: usize> StateEstimate<N> {
    /// The state after a transition with additive noise; whether the covariance was positive definite. The transition
    /// takes several states at once, side by side. The first `shifted` components only add to themselves: the state after
    /// them is that much farther on, and no transition is asked about them.
    ///
    /// # Method
    /// λ = α²(n + κ) - n; points x̄ and x̄ ± √(n + λ) U with UUᵀ = P, upper, so that the first columns hold the first
    /// components alone; weights W₀ = λ/(n + λ), W₀ᶜ = W₀ + 1 - α² + β, Wᵢ = 1/(2(n + λ)). Noise is added: for additive
    /// noise that is the augmented form with fewer points.
    #[inline(always)]
    pub fn predict(
        &mut self,
        spread: &Spread,
        noise: &SMatrix<f64, N, N>,
        shifted: usize,
        transition: impl Fn(&[Lanes; N]) -> [Lanes; N],
    ) -> bool {
        let n = N as f64;
        let square = spread.alpha * spread.alpha;
        let reach = square * (n + spread.kappa);
        let first = (reach - n) / reach;
        let first_of_covariance = first + 1.0 - square + spread.beta;
        let each = 0.5 / reach;
        let Some(root) = upper_root(&self.covariance) else { return false };
        let shifted = shifted.min(N);
        // Of every pair of points half their difference, and how far their middle is from where the centre goes.
        let mut differences = root * reach.sqrt();
        let mut bends = SMatrix::<f64, N, N>::zeros();
        let mut centre = SVector::<f64, N>::zeros();
        let mut bend = SVector::<f64, N>::zeros();
        let mut column = shifted;
        let mut is_first = true;
        // The first lane of all holds the centre, every two others a pair.
        while is_first || column < N {
            let lane = usize::from(is_first);
            let pairs = ((LANES - lane) / 2).min(N - column);
            let mut points = [[0.0; LANES]; N];
            for (row, point) in points.iter_mut().enumerate() {
                *point = [self.mean[row]; LANES];
                for pair in 0..pairs {
                    let off = differences[(row, column + pair)];
                    point[lane + 2 * pair] += off;
                    point[lane + 2 * pair + 1] -= off;
                }
            }
            let after = transition(&points);
            for row in 0..N {
                if is_first {
                    centre[row] = after[row][0];
                }
                for pair in 0..pairs {
                    let [ahead, behind] = [0, 1].map(|side| after[row][lane + 2 * pair + side]);
                    differences[(row, column + pair)] = 0.5 * (ahead - behind);
                    bends[(row, column + pair)] = 0.5 * (ahead + behind) - centre[row];
                    bend[row] += bends[(row, column + pair)];
                }
            }
            column += pairs;
            is_first = false;
        }
        let off = bend * (2.0 * each);
        for column in shifted..N {
            for row in 0..N {
                bends[(row, column)] -= off[row];
            }
        }
        let of_centre = first_of_covariance + 2.0 * each * shifted as f64;
        let mut covariance = *noise;
        for column in 0..N {
            let mut sum = [0.0; N];
            // Columns that are only shifted hold no more than they did.
            for of in column.min(shifted)..N {
                let scale = 2.0 * each * differences[(column, of)];
                for row in 0..N {
                    sum[row] += scale * differences[(row, of)];
                }
            }
            for of in shifted..N {
                let scale = 2.0 * each * bends[(column, of)];
                for row in 0..N {
                    sum[row] += scale * bends[(row, of)];
                }
            }
            let scale = of_centre * off[column];
            for row in 0..N {
                covariance[(row, column)] += sum[row] + scale * off[row];
            }
        }
        mirror(&mut covariance);
        (self.mean, self.covariance) = (centre + off, covariance);
        true
    }

    /// The state after its first components were observed, with the covariance of the observation.
    ///
    /// # Method
    /// The unscented transform of a linear observation is exact: K = PHᵀ(HPHᵀ + R)⁻¹ with H = (I 0). `false` if that
    /// cannot be inverted.
    #[inline(always)]
    pub fn observe<const M: usize>(
        &mut self,
        observed: &SVector<f64, M>,
        noise: &SMatrix<f64, M, M>,
    ) -> bool {
        let mut cross = SMatrix::<f64, N, M>::zeros();
        let (mut seen, mut off) = (*noise, *observed);
        for column in 0..M {
            cross.data.0[column] = self.covariance.data.0[column];
            for row in 0..M {
                seen[(row, column)] += cross[(row, column)];
            }
            off[column] -= self.mean[column];
        }
        let Some(inverse) = seen.try_inverse() else { return false };
        let gain = cross * inverse;
        self.mean += gain * off;
        for column in 0..N {
            for of in 0..M {
                let factor = cross[(column, of)];
                for row in 0..N {
                    self.covariance[(row, column)] -= gain[(row, of)] * factor;
                }
            }
        }
        mirror(&mut self.covariance);
        true
    }
}

/// Makes the matrix symmetric to the last bit.
#[inline(always)]
fn mirror<const N: usize>(matrix: &mut SMatrix<f64, N, N>) {
    for column in 0..N {
        for row in column + 1..N {
            matrix[(column, row)] = matrix[(row, column)];
        }
    }
}

/// U with UUᵀ = the matrix, upper; `None` unless it is positive definite.
#[inline(always)]
fn upper_root<const N: usize>(matrix: &SMatrix<f64, N, N>) -> Option<SMatrix<f64, N, N>> {
    let mut root = SMatrix::<f64, N, N>::zeros();
    let mut left = *matrix;
    for column in (0..N).rev() {
        let diagonal = left[(column, column)];
        if !(diagonal > 0.0 && diagonal < f64::MAX) {
            return None;
        }
        // The next column waits for the reciprocal alone, not for the root.
        let inverse = diagonal.recip();
        let scale = diagonal.sqrt() * inverse;
        let own = left.data.0[column];
        for row in 0..N {
            root[(row, column)] = if row <= column { own[row] * scale } else { 0.0 };
        }
        for other in 0..column {
            let factor = own[other] * inverse;
            for row in 0..N {
                left[(row, other)] -= own[row] * factor;
            }
        }
    }
    Some(root)
}

#[cfg(test)]
mod tests {
    use nalgebra::{Matrix2, Matrix3, Matrix4, Vector2, Vector4};
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;
    use rand_distr::{Distribution, StandardNormal};

    use super::*;
    use crate::predict::turn_model::Turn;

    #[test]
    fn check_19_it_is_the_linear_filter_where_the_model_is_linear() {
        let f = Matrix4::new(
            1.0, 0.0, 0.1, 0.0, 0.0, 1.0, 0.0, 0.1, 0.0, 0.0, 0.9, 0.05, 0.0, 0.0, -0.05, 0.9,
        );
        let q = Matrix4::from_diagonal(&Vector4::new(1e-4, 2e-4, 1e-2, 2e-2));
        let r = Matrix2::new(0.02, 0.004, 0.004, 0.01);
        let start = StateEstimate {
            mean: Vector4::new(0.1, -0.2, 1.0, 0.5),
            covariance: Matrix4::identity(),
        };
        for alpha in [0.5, 1.0] {
            let spread = Spread { alpha, ..Spread::default() };
            let (mut ours, mut plain) = (start, start);
            let mut random = ChaCha8Rng::seed_from_u64(3);
            for _ in 0..500 {
                let z = Vector2::from_fn(|_, _| StandardNormal.sample(&mut random));
                assert!(
                    ours.predict(&spread, &q, 0, |states| {
                        std::array::from_fn(|row| {
                            std::array::from_fn(|lane| {
                                (0..4).map(|i| f[(row, i)] * states[i][lane]).sum()
                            })
                        })
                    }) && ours.observe(&z, &r)
                );
                plain.mean = f * plain.mean;
                plain.covariance = f * plain.covariance * f.transpose() + q;
                let h = SMatrix::<f64, 2, 4>::identity();
                let gain = plain.covariance
                    * h.transpose()
                    * (h * plain.covariance * h.transpose() + r).try_inverse().unwrap();
                plain.mean += gain * (z - h * plain.mean);
                plain.covariance = (Matrix4::identity() - gain * h) * plain.covariance;
                assert!((ours.mean - plain.mean).amax() < 1e-8);
                assert!((ours.covariance - plain.covariance).amax() < 1e-8);
            }
        }
    }

    #[test]
    fn check_19_the_covariance_stays_positive_definite_for_ten_thousand_frames() {
        let (t, mut random) = (0.01, ChaCha8Rng::seed_from_u64(5));
        let mut belief =
            StateEstimate::<9> { mean: SVector::zeros(), covariance: SMatrix::identity() * 1e-2 };
        let noise = super::super::filter::noise_of(&Turn::default(), t);
        for frame in 0..10_000 {
            // Flips: a fast circle whose sense changes all the time.
            let angle = 9.0 * (f64::from(frame) * 0.013).sin();
            let jitter =
                nalgebra::Vector3::from_fn(|_, _| StandardNormal.sample(&mut random)) * 1e-3;
            let z = nalgebra::Vector3::new(angle.cos(), angle.sin(), 0.3 * (2.0 * angle).sin())
                + jitter;
            assert!(
                belief.predict(&Spread::default(), &noise, 3, |states| {
                    super::super::filter::moved(states, t)
                }),
                "{frame}"
            );
            assert!(belief.observe(&z, &(Matrix3::identity() * 1e-5)), "{frame}");
            assert!(belief.covariance.symmetric_eigenvalues().min() > 0.0, "{frame}");
        }
    }
}
