//! A trajectory as smooth motion with noise: what is expected of the next sample, forwards and backwards.

use nalgebra::{Matrix3, Point3, Vector3};

/// Nothing is known at first: one standard deviation of place, velocity and acceleration, in metres and seconds.
const AT_FIRST: [f64; 3] = [1.0, 10.0, 100.0];
/// The filter is steady where its covariance changes by less than this share.
const STEADY: f64 = 1e-4;
/// And it is that after so many samples.
const MAX_ROUNDS: usize = 2_000;

/// Place, velocity and acceleration (rows) along three axes (columns).
pub(super) type State = Matrix3<f64>;

/// A Kalman filter of a point whose jerk is white noise.
///
/// # Method
/// x(t+dt) = F x(t) + w, w ~ N(0, Q), y = x₀ + e, e ~ N(0, r²), the same along every axis.
///
/// # Reference
/// Y. Bar-Shalom, X. R. Li, T. Kirubarajan (2001), Estimation with Applications to Tracking and Navigation, 6.2.3: the
/// continuous white-noise acceleration model, here one order higher (jerk).
pub(super) struct Smooth {
    transition: Matrix3<f64>,
    driven: Matrix3<f64>,
    noise2_m2: f64,
    /// The predicted covariance that samples in every frame lead to.
    steady: Matrix3<f64>,
}

/// What is known at one frame.
#[derive(Clone, Copy)]
pub(super) struct Known {
    pub state: State,
    pub covariance: Matrix3<f64>,
    /// Whether the covariance is what samples in every frame lead to.
    pub is_steady: bool,
}

/// A pass over the frames.
#[derive(Default)]
pub(super) struct Pass {
    /// Before the sample of every frame.
    pub predicted: Vec<Known>,
    /// After it.
    pub filtered: Vec<Known>,
    /// The log-likelihood of every sample, given those before; 0 of none.
    pub log_likelihood: Vec<f64>,
}

impl Smooth {
    /// `jerk` is its spectral density, in m²/s⁵.
    pub fn new(dt_s: f64, jerk: f64, noise_m: f64) -> Self {
        let dt = dt_s;
        let transition = Matrix3::new(1.0, dt, dt * dt / 2.0, 0.0, 1.0, dt, 0.0, 0.0, 1.0);
        #[rustfmt::skip]
        let driven = jerk * Matrix3::new(
            dt.powi(5) / 20.0, dt.powi(4) / 8.0, dt.powi(3) / 6.0,
            dt.powi(4) / 8.0, dt.powi(3) / 3.0, dt.powi(2) / 2.0,
            dt.powi(3) / 6.0, dt.powi(2) / 2.0, dt,
        );
        let mut smooth = Self {
            transition,
            driven,
            noise2_m2: noise_m * noise_m,
            steady: Matrix3::from_diagonal_element(f64::INFINITY),
        };
        let mut covariance = at_first();
        for _ in 0..MAX_ROUNDS {
            let next = smooth.predicted(&smooth.filtered(&covariance).1);
            let is_steady = is_near(&next, &covariance);
            covariance = next;
            if is_steady {
                break;
            }
        }
        smooth.steady = covariance;
        smooth
    }

    fn predicted(&self, covariance: &Matrix3<f64>) -> Matrix3<f64> {
        self.transition * covariance * self.transition.transpose() + self.driven
    }

    /// The gain of a sample, and the covariance after it.
    fn filtered(&self, covariance: &Matrix3<f64>) -> (Vector3<f64>, Matrix3<f64>) {
        let gain = covariance.column(0) / (covariance[(0, 0)] + self.noise2_m2);
        (gain, covariance - gain * covariance.row(0))
    }

    /// The covariances before and after a sample where every frame has one.
    pub fn steady(&self) -> [Matrix3<f64>; 2] {
        [self.steady, self.filtered(&self.steady).1]
    }

    /// Filters the samples in the order given, into `pass`: its room is used again.
    pub fn filter(&self, samples_m: impl Iterator<Item = Option<Point3<f64>>>, pass: &mut Pass) {
        let (gain_steady, filtered_steady) = self.filtered(&self.steady);
        pass.predicted.clear();
        pass.filtered.clear();
        pass.log_likelihood.clear();
        let mut known: Option<Known> = None;
        for sample_m in samples_m {
            let before = match (&known, sample_m) {
                (Some(known), _) => {
                    let covariance = match known.is_steady {
                        true => self.steady,
                        false => self.predicted(&known.covariance),
                    };
                    let is_steady = known.is_steady || is_near(&covariance, &self.steady);
                    Known { state: self.transition * known.state, covariance, is_steady }
                }
                (None, first_m) => {
                    let mut state = State::zeros();
                    state.set_row(0, &first_m.unwrap_or_else(Point3::origin).coords.transpose());
                    Known { state, covariance: at_first(), is_steady: false }
                }
            };
            let (after, log_likelihood) = match sample_m {
                None => (Known { is_steady: false, ..before }, 0.0),
                Some(sample_m) => {
                    let off_m = sample_m.coords.transpose() - before.state.row(0);
                    let (gain, covariance) = match before.is_steady {
                        true => (gain_steady, filtered_steady),
                        false => self.filtered(&before.covariance),
                    };
                    let variance = before.covariance[(0, 0)] + self.noise2_m2;
                    let log_likelihood =
                        -0.5 * (3.0 * variance.ln() + off_m.norm_squared() / variance);
                    let state = before.state + gain * off_m;
                    (Known { state, covariance, is_steady: before.is_steady }, log_likelihood)
                }
            };
            pass.predicted.push(before);
            pass.filtered.push(after);
            pass.log_likelihood.push(log_likelihood);
            known = Some(after);
        }
    }
}

fn at_first() -> Matrix3<f64> {
    Matrix3::from_diagonal(&Vector3::from(AT_FIRST.map(|sd| sd * sd)))
}

fn is_near(one: &Matrix3<f64>, other: &Matrix3<f64>) -> bool {
    one.iter().zip(other.iter()).all(|(a, b)| (a - b).abs() <= STEADY * b.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_smooth_curve_is_predicted_through_a_short_gap() {
        let place = |at: usize| {
            let t = at as f64 / 100.0;
            Point3::new((3.0 * t).sin(), t, 0.5 * t * t)
        };
        let samples = (0..200).map(|at| (!(150..155).contains(&at)).then(|| place(at)));
        let mut pass = Pass::default();
        Smooth::new(0.01, 100.0, 1e-3).filter(samples, &mut pass);
        let off_m = pass.predicted[154].state.row(0).transpose() - place(154).coords;
        assert!(off_m.norm() < 1e-3, "{off_m}");
        assert!(pass.predicted[149].is_steady && !pass.predicted[154].is_steady);
        assert!(pass.predicted[154].covariance[(0, 0)] > pass.predicted[149].covariance[(0, 0)]);
        assert_eq!(pass.log_likelihood[152], 0.0);
    }
}
