//! Many seeded trials of one experiment, and what they come to.

use super::*;

/// What the trials of one method came to.
#[derive(Debug, Clone, Copy, Default)]
pub struct Trials {
    pub count: f64,
    /// The mean error of the centre.
    pub bias: Vector3<f64>,
    /// The sum of the squared errors of the centre.
    pub square: f64,
    /// The mean of the trace of the bound.
    pub bound: f64,
    /// The mean of the noise found.
    pub sigma: f64,
    pub radius_bias: f64,
    /// The share of ellipsoids that hold the true centre.
    pub covered: f64,
    pub failed: usize,
}

impl Trials {
    pub fn of(cap: Cap, trials: u64, method: Method) -> Self {
        let [result] = Self::of_all(cap, trials, [method]);
        result
    }

    /// The same points for every method.
    pub fn of_all<const M: usize>(cap: Cap, trials: u64, methods: [Method; M]) -> [Self; M] {
        let mut all = [Self::default(); M];
        let mut bound = 0.0;
        for seed in 0..trials {
            let cloud = cap.points(seed);
            // The same seed without noise gives the true points, and with them the bound.
            let truth = Moments::<3>::from_points(Cap { sigma: 0.0, ..cap }.points(seed).axes());
            bound += truth.a.try_inverse().unwrap().trace() * (cap.sigma * cap.radius).powi(2);
            for (sums, method) in all.iter_mut().zip(methods) {
                match sphere(cloud.axes(), method) {
                    Ok(fit) => sums.add(&cap, &fit),
                    Err(_) => sums.failed += 1,
                }
            }
        }
        all.map(|sums| sums.divided(bound / trials as f64))
    }

    fn add(&mut self, cap: &Cap, fit: &SphereFit) {
        let off = fit.centre.coords - cap.centre;
        self.count += 1.0;
        self.bias += off;
        self.square += off.norm_squared();
        self.sigma += fit.sigma;
        self.radius_bias += fit.radius - cap.radius;
        let inverse = fit.covariance.try_inverse().unwrap_or_default();
        self.covered += f64::from(u8::from(off.dot(&(inverse * off)) < 7.814_727_903));
    }

    fn divided(self, bound: f64) -> Self {
        Self {
            bound,
            bias: self.bias / self.count,
            sigma: self.sigma / self.count,
            radius_bias: self.radius_bias / self.count,
            covered: self.covered / self.count,
            ..self
        }
    }

    /// The root of the mean squared error.
    pub fn rmse(&self) -> f64 {
        (self.square / self.count).sqrt()
    }

    /// RMSE over the square root of the bound.
    pub fn ratio(&self) -> f64 {
        self.rmse() / self.bound.sqrt()
    }
}
