//! Moments a point, in the axes in which the points spread: what the closed forms work with.

use nalgebra::{SMatrix, SVector};

use super::moments::Moments;
use super::spectrum::Spectrum;

/// Population moments (divided by N, or by the sum of the weights) with the spectrum of C.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shape<const D: usize> {
    pub samples: usize,
    /// N, or the effective number of samples where they are weighted.
    pub n: f64,
    pub mean: SVector<f64, D>,
    /// Ĉ = Σ d dᵀ / N.
    pub c: SMatrix<f64, D, D>,
    /// Ŝ = Σ d |d|² / N.
    pub s: SVector<f64, D>,
    /// z̄ = Σ |d|² / N.
    pub z: f64,
    /// V, the variance of |d|².
    pub v: f64,
    pub spectrum: Spectrum<D>,
    /// Ŝ in the eigenvectors of Ĉ.
    pub s_eigen: SVector<f64, D>,
    /// Eigenvalues below this are rounding.
    pub floor: f64,
}

impl<const D: usize> From<&Moments<D>> for Shape<D> {
    fn from(m: &Moments<D>) -> Self {
        let counts = (m.samples, m.effective_samples());
        Self::new(counts, m.mean, (m.a / m.weight, m.t / m.weight, m.q / m.weight))
    }
}

impl<const D: usize> Shape<D> {
    fn new(
        (samples, n): (usize, f64),
        mean: SVector<f64, D>,
        (c, s, m4): (SMatrix<f64, D, D>, SVector<f64, D>, f64),
    ) -> Self {
        let z = c.trace();
        let spectrum = Spectrum::new(&c);
        let resolution = f64::EPSILON * mean.amax();
        Self {
            samples,
            n,
            mean,
            c,
            s,
            z,
            v: (m4 - z * z).max(0.0),
            s_eigen: spectrum.vectors.tr_mul(&s),
            floor: 32.0 * f64::EPSILON * spectrum.values[D - 1] + 4.0 * resolution * resolution,
            spectrum,
        }
    }

    /// Σ vvᵀ over the directions without any spread once η is taken off.
    pub fn open_directions(&self, eta: f64) -> SMatrix<f64, D, D> {
        let mut open = SMatrix::zeros();
        for (i, value) in self.spectrum.values.iter().enumerate() {
            if value - eta <= self.floor {
                let v = self.spectrum.vector(i);
                open += v * v.transpose();
            }
        }
        open
    }

    /// ½ (Ĉ - ηI)⁻¹ Ŝ, leaving out directions without any spread, as (217) does.
    pub fn offset(&self, eta: f64) -> SVector<f64, D> {
        let mut offset = SVector::zeros();
        for (i, value) in self.spectrum.values.iter().enumerate() {
            if value - eta > self.floor {
                offset += self.spectrum.vector(i) * (0.5 * self.s_eigen[i] / (value - eta));
            }
        }
        offset
    }

    /// (Ĉ - ηI)⁻¹, leaving out directions without any spread.
    pub fn inverse(&self, eta: f64) -> SMatrix<f64, D, D> {
        let mut inverse = SMatrix::zeros();
        for (i, value) in self.spectrum.values.iter().enumerate() {
            if value - eta > self.floor {
                let v = self.spectrum.vector(i);
                inverse += v * v.transpose() / (value - eta);
            }
        }
        inverse
    }

    /// The covariance of a self-calibrated centre, to the second order in the noise.
    ///
    /// # Method
    /// With C' = Ĉ - ηI and δ = c - x̄: σ²/N [(r² + (D/2 + 3)σ²) C'⁻¹ + σ² C'⁻¹(r²I - δδᵀ)C'⁻¹]. Its first
    /// part, σ²r²/N C'⁻¹, is (10) and the Cramér-Rao bound; near the limit (212) that alone would
    /// be too small by a quarter. It is the covariance of Σ ½d(|x - c|² - r²) + ηδ over Gaussian noise, η
    /// itself estimated; ours.
    pub fn covariance(
        &self,
        eta: f64,
        (offset, radius): (&SVector<f64, D>, f64),
        variance: f64,
    ) -> SMatrix<f64, D, D> {
        let r2 = radius * radius;
        let first = r2 + (0.5 * D as f64 + 3.0) * variance;
        let mut covariance = SMatrix::zeros();
        let mut lever = SVector::<f64, D>::zeros();
        for (i, value) in self.spectrum.values.iter().enumerate() {
            let gap = value - eta;
            if gap > self.floor {
                let v = self.spectrum.vector(i);
                covariance += v * v.transpose() * ((first + variance * r2 / gap) / gap);
                lever += v * (v.dot(offset) / gap);
            }
        }
        (covariance - lever * lever.transpose() * variance) * (variance / self.n)
    }

    /// The mean of (|x - c|² - r²)² for a centre at `offset` from the mean.
    pub fn algebraic_residual(&self, offset: &SVector<f64, D>, radius: f64) -> f64 {
        let spread = self.v - 4.0 * offset.dot(&self.s) + 4.0 * offset.dot(&(self.c * offset));
        let level = self.z + offset.norm_squared() - radius * radius;
        spread.max(0.0) + level * level
    }

    /// The noise variance that explains a residual, corrected for the D + 1 fitted parameters.
    ///
    /// # Method
    /// Kåsa's (7) with the next term: residual = 4 r² σ² + 2 D σ⁴.
    pub fn noise_variance(&self, offset: &SVector<f64, D>, radius: f64) -> f64 {
        let residual = self.algebraic_residual(offset, radius);
        let (d, r2) = (D as f64, radius * radius);
        let variance = residual / (2.0 * r2 + (4.0 * r2 * r2 + 2.0 * d * residual).sqrt());
        variance * self.redundancy()
    }

    /// N / (N - D - 1): what the fitted parameters took from the residual; 0 if nothing is left.
    pub fn redundancy(&self) -> f64 {
        let left = self.n - D as f64 - 1.0;
        if left > 0.0 { self.n / left } else { 0.0 }
    }
}

impl Shape<3> {
    /// The same in the plane of the two largest spreads, their axes being those of the plane.
    ///
    /// # Method
    /// What is across the plane is taken for noise: normal, and independent of what is in it. Then
    /// its part in the variance of |d|² is 2λ₀², and it has none in S.
    pub fn flattened(&self) -> Shape<2> {
        let [across, w, u] = self.spectrum.values;
        let z = u + w;
        let v = (self.v - 2.0 * across * across).max(0.0);
        let s = SVector::<f64, 2>::new(self.s_eigen[2], self.s_eigen[1]);
        let c = SMatrix::<f64, 2, 2>::new(u, 0.0, 0.0, w);
        let flat = Shape::new((self.samples, self.n), SVector::zeros(), (c, s, v + z * z));
        Shape { floor: self.floor, ..flat }
    }
}
