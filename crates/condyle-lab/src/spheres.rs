//! Noisy points on part of a sphere, with the least error that any estimator could make of them.

use std::f64::consts::TAU;

use nalgebra::{Matrix3, Unit, Vector3};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal, UnitSphere};

/// Points within an angle of a point on a sphere (13), with isotropic noise (11).
#[derive(Debug, Clone, Copy)]
pub struct Cap {
    /// How many.
    pub samples: usize,
    /// c₀.
    pub centre: Vector3<f64>,
    /// r₀.
    pub radius: f64,
    /// θ: 180 degrees are the whole sphere.
    pub theta_deg: f64,
    /// Towards p₀.
    pub axis: Unit<Vector3<f64>>,
    /// One standard deviation an axis.
    pub sigma: f64,
}

impl Default for Cap {
    fn default() -> Self {
        Self {
            samples: 100,
            centre: Vector3::new(0.6, -0.2, 0.9),
            radius: 1.0,
            theta_deg: 90.0,
            axis: Vector3::z_axis(),
            sigma: 0.0,
        }
    }
}

/// Points, and what is known of them because they were made.
#[derive(Debug, Clone, Default)]
pub struct Cloud {
    x: Vec<f64>,
    y: Vec<f64>,
    z: Vec<f64>,
    tally: Tally,
    sigma: f64,
}

/// Sums over the true directions u of the points and their noise along them. Directions are taken
/// from the middle of the cap, so that a small cap keeps its digits.
#[derive(Debug, Clone, Default)]
struct Tally {
    u: Vector3<f64>,
    uu: Matrix3<f64>,
    radial: f64,
    u_radial: Vector3<f64>,
}

/// The estimator that knows the truth and corrects it by one linear step. Its covariance is the
/// Cramér-Rao bound (17) to (21), exactly, and its mean error zero.
#[derive(Debug, Clone, Copy)]
pub struct Ideal {
    /// Its error in the centre.
    pub error: Vector3<f64>,
    /// The bound on the covariance of the centre.
    pub bound: Matrix3<f64>,
}

impl Cap {
    /// Points whose true places are uniform on the cap.
    pub fn points(&self, random: &mut ChaCha8Rng) -> Cloud {
        let mut cloud = Cloud::with_room(self);
        let [a, b] = across(&self.axis);
        for _ in 0..self.samples {
            let u = self.direction([&a, &b], random);
            let noise = normal_vector(random, self.sigma);
            cloud.push(self.centre + u * self.radius + noise);
            cloud.tally.add(&(u - *self.axis), u.dot(&noise));
        }
        cloud
    }

    /// Points that are uniform on the cap as measured: (13) with the noisy x, as the thesis has it.
    ///
    /// # Method
    /// A uniform true place plus isotropic noise has a uniform direction from the centre, whatever
    /// its distance. So the direction is drawn from the cap and nothing has to be rejected, which
    /// small caps would do to a million points for each that is kept.
    pub fn points_confined_as_measured(&self, random: &mut ChaCha8Rng) -> Cloud {
        let mut cloud = Cloud::with_room(self);
        let [a, b] = across(&self.axis);
        for _ in 0..self.samples {
            // One point with its true place at the pole; only angles and lengths are taken of it.
            let pole = Vector3::new(0.0, 0.0, self.radius);
            let seen = pole + normal_vector(random, self.sigma);
            let length = seen.norm();
            let (cosine, sine) = (seen.z / length, seen.xy().norm() / length);
            let direction = self.direction([&a, &b], random);
            let [p, q] = across(&Unit::new_unchecked(direction));
            let (s, c) = (TAU * random.random::<f64>()).sin_cos();
            let u = direction * cosine + (p * c + q * s) * sine;
            cloud.push(self.centre + direction * length);
            cloud.tally.add(&(u - *self.axis), length * cosine - self.radius);
        }
        cloud
    }

    /// A direction uniform on the cap, given two directions across its axis.
    fn direction(&self, [a, b]: [&Vector3<f64>; 2], random: &mut ChaCha8Rng) -> Vector3<f64> {
        // 1 - cos θ = 2 sin²(θ/2) keeps its digits at small angles.
        let height = 2.0 * (self.theta_deg.to_radians() / 2.0).sin().powi(2);
        let down = height * random.random::<f64>();
        let out = (down * (2.0 - down)).max(0.0).sqrt();
        let (s, c) = (TAU * random.random::<f64>()).sin_cos();
        *self.axis * (1.0 - down) + (a * c + b * s) * out
    }
}

impl Cloud {
    fn with_room(cap: &Cap) -> Self {
        let room = || Vec::with_capacity(cap.samples);
        Self { x: room(), y: room(), z: room(), tally: Tally::default(), sigma: cap.sigma }
    }

    fn push(&mut self, point: Vector3<f64>) {
        self.x.push(point.x);
        self.y.push(point.y);
        self.z.push(point.z);
    }

    /// One slice an axis.
    pub fn axes(&self) -> [&[f64]; 3] {
        [&self.x, &self.y, &self.z]
    }

    /// One vector a point.
    pub fn rows(&self) -> impl Iterator<Item = Vector3<f64>> + Clone {
        let rest = self.y.iter().zip(&self.z);
        self.x.iter().zip(rest).map(|(x, (y, z))| Vector3::new(*x, *y, *z))
    }

    /// The best that could be done with these points; nothing if they determine no sphere.
    pub fn ideal(&self) -> Option<Ideal> {
        let (n, tally) = (self.x.len() as f64, &self.tally);
        let information = tally.uu - tally.u * tally.u.transpose() / n;
        let inverse = information.try_inverse()?;
        let error = inverse * (tally.u_radial - tally.u * (tally.radial / n));
        Some(Ideal { error, bound: inverse * (self.sigma * self.sigma) })
    }
}

impl Tally {
    fn add(&mut self, u: &Vector3<f64>, radial: f64) {
        self.u += u;
        self.uu += u * u.transpose();
        self.radial += radial;
        self.u_radial += u * radial;
    }
}

/// Two directions that stand on a direction and on each other.
fn across(axis: &Unit<Vector3<f64>>) -> [Vector3<f64>; 2] {
    let least = axis.iamin();
    let a = axis.cross(&Vector3::ith(least, 1.0)).normalize();
    [a, axis.cross(&a)]
}

/// A vector of independent normal numbers.
pub fn normal_vector(random: &mut ChaCha8Rng, sd: f64) -> Vector3<f64> {
    Vector3::from_fn(|_, _| sd * Distribution::<f64>::sample(&StandardNormal, random))
}

/// A direction uniform on the sphere.
pub fn any_direction(random: &mut ChaCha8Rng) -> Unit<Vector3<f64>> {
    let direction: [f64; 3] = UnitSphere.sample(random);
    Unit::new_normalize(direction.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_chacha::rand_core::SeedableRng;

    #[test]
    fn both_ways_keep_within_the_angle_and_fill_it() {
        let cap = Cap { samples: 4000, theta_deg: 40.0, sigma: 0.2, ..Cap::default() };
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let cosine = |x: Vector3<f64>| (x - cap.centre).normalize().dot(&cap.axis);
        let measured = cap.points_confined_as_measured(&mut random);
        let edge = 40f64.to_radians().cos();
        assert!(measured.rows().all(|x| cosine(x) > edge));
        // Uniform on a cap is uniform in the cosine.
        let mean = measured.rows().map(cosine).sum::<f64>() / 4000.0;
        assert!((mean - (1.0 + edge) / 2.0).abs() < 0.005, "{mean}");
        let exact = Cap { sigma: 0.0, ..cap }.points(&mut random);
        assert!(exact.rows().all(|x| cosine(x) > edge));
    }

    #[test]
    fn points_confined_as_measured_are_as_noisy_as_the_others() {
        // |x - c|² has mean r² + 3σ².
        let cap = Cap { samples: 20_000, theta_deg: 30.0, sigma: 0.3, ..Cap::default() };
        let mut random = ChaCha8Rng::seed_from_u64(2);
        let cloud = cap.points_confined_as_measured(&mut random);
        let mean = cloud.rows().map(|x| (x - cap.centre).norm_squared()).sum::<f64>() / 20_000.0;
        assert!((mean - 1.27).abs() < 0.02, "{mean}");
    }

    #[test]
    fn the_ideal_has_the_covariance_it_says() {
        let cap = Cap { samples: 50, theta_deg: 60.0, sigma: 0.1, ..Cap::default() };
        let mut random = ChaCha8Rng::seed_from_u64(3);
        let (mut square, mut bound, mut sum) = (0.0, 0.0, Vector3::zeros());
        for _ in 0..2000 {
            let ideal = cap.points(&mut random).ideal().unwrap();
            square += ideal.error.norm_squared();
            bound += ideal.bound.trace();
            sum += ideal.error;
        }
        assert!((square / bound - 1.0).abs() < 0.06, "{}", square / bound);
        assert!(sum.norm_squared() / 2000.0 < 15.0 * bound / 2000.0, "{sum}");
    }

    #[test]
    fn the_ideal_scales_with_the_radius_as_the_bound_does() {
        // In lengths the bound does not depend on the radius, only on the angles.
        let cap = Cap { samples: 50, theta_deg: 60.0, sigma: 0.1, ..Cap::default() };
        let bound = |radius| {
            let mut random = ChaCha8Rng::seed_from_u64(4);
            Cap { radius, ..cap }.points(&mut random).ideal().unwrap().bound.trace()
        };
        assert!((bound(1.0) - bound(7.0)).abs() < 1e-12 * bound(1.0));
    }
}
