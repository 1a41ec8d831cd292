//! Synthetic truth for the tests: noisy points on a cap of a sphere or on an arc, seeded.

use nalgebra::{Rotation3, Vector3};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal, UnitSphere};

/// A cap of a sphere about an axis, seen with isotropic noise.
#[derive(Debug, Clone, Copy)]
pub struct Cap {
    pub samples: usize,
    pub centre: Vector3<f64>,
    pub radius: f64,
    /// The confinement angle, pi for the whole sphere.
    pub theta_rad: f64,
    pub axis: Vector3<f64>,
    pub sigma: f64,
}

impl Default for Cap {
    fn default() -> Self {
        Self {
            samples: 100,
            centre: Vector3::new(0.6, -0.2, 0.9),
            radius: 1.0,
            theta_rad: std::f64::consts::FRAC_PI_2,
            axis: Vector3::new(0.0, 0.0, 1.0),
            sigma: 0.0,
        }
    }
}

/// Points with one slice an axis.
#[derive(Debug, Clone, Default)]
pub struct Cloud {
    pub x: Vec<f64>,
    pub y: Vec<f64>,
    pub z: Vec<f64>,
}

impl Cloud {
    pub fn axes(&self) -> [&[f64]; 3] {
        [&self.x, &self.y, &self.z]
    }

    pub fn rows(&self) -> Vec<Vector3<f64>> {
        (0..self.x.len()).map(|i| Vector3::new(self.x[i], self.y[i], self.z[i])).collect()
    }

    pub fn from_rows(rows: impl IntoIterator<Item = Vector3<f64>>) -> Self {
        let mut cloud = Self::default();
        for row in rows {
            cloud.x.push(row.x);
            cloud.y.push(row.y);
            cloud.z.push(row.z);
        }
        cloud
    }

    pub fn map(&self, f: impl Fn(Vector3<f64>) -> Vector3<f64>) -> Self {
        Self::from_rows(self.rows().into_iter().map(f))
    }
}

/// A generator that gives the same numbers for the same seed, on every machine.
pub fn generator(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

/// A normal vector of a given standard deviation an axis.
pub fn noise(rng: &mut ChaCha8Rng, sigma: f64) -> Vector3<f64> {
    Vector3::from_fn(|_, _| {
        let value: f64 = StandardNormal.sample(rng);
        value * sigma
    })
}

/// A number from 0 to 1.
pub fn uniform(rng: &mut ChaCha8Rng) -> f64 {
    rng.random()
}

/// A direction uniform on the sphere.
pub fn direction(rng: &mut ChaCha8Rng) -> Vector3<f64> {
    let direction: [f64; 3] = UnitSphere.sample(rng);
    direction.into()
}

impl Cap {
    /// The points, uniform on the cap, for a seed.
    pub fn points(&self, seed: u64) -> Cloud {
        let mut rng = generator(seed);
        let upright = Rotation3::rotation_between(&Vector3::z(), &self.axis)
            .unwrap_or_else(|| Rotation3::new(Vector3::x() * std::f64::consts::PI));
        Cloud::from_rows((0..self.samples).map(|_| {
            let z = 1.0 - (1.0 - self.theta_rad.cos()) * rng.random::<f64>();
            let phi = std::f64::consts::TAU * rng.random::<f64>();
            let across = (1.0 - z * z).max(0.0).sqrt();
            let on = upright * Vector3::new(across * phi.cos(), across * phi.sin(), z);
            self.centre + on * self.radius + noise(&mut rng, self.sigma)
        }))
    }
}

/// A hinge: points on an arc about an axis, optionally wobbling off it.
#[derive(Debug, Clone, Copy)]
pub struct Arc {
    pub samples: usize,
    pub radius: f64,
    /// How far the plane of the arc is from the joint, along the axis.
    pub axial_offset: f64,
    /// The arc reaches from minus to plus this angle.
    pub half_angle_rad: f64,
    /// Root-mean-square rotation about each of the other two axes.
    pub wobble_rad: f64,
    pub sigma: f64,
}

impl Arc {
    /// The points for a seed; the joint is at the origin, its axis is z.
    pub fn points(&self, seed: u64) -> Cloud {
        let mut rng = generator(seed);
        Cloud::from_rows((0..self.samples).map(|_| {
            let angle = self.half_angle_rad * (2.0 * rng.random::<f64>() - 1.0);
            let turn = Rotation3::from_axis_angle(&Vector3::z_axis(), angle);
            let tilt = noise(&mut rng, self.wobble_rad);
            let wobble = Rotation3::new(Vector3::new(tilt.x, tilt.y, 0.0));
            let on = wobble * (turn * Vector3::new(self.radius, 0.0, self.axial_offset));
            on + noise(&mut rng, self.sigma)
        }))
    }
}

/// Example 1 of the 2005 draft: a sphere, with centre (.6, -.2, .9), radius 1.2, sigma .01.
pub fn example_1() -> Cloud {
    Cloud::from_rows(
        [
            [1.71641, 0.0532489, 0.534942],
            [-0.257165, -0.984895, 0.59321],
            [-0.0154738, 0.0295651, 1.90681],
            [1.19134, -0.00156902, 1.9146],
            [1.31147, 0.607414, 0.374474],
            [1.2274, -0.0905109, 1.91278],
            [1.62875, -0.631279, 0.507247],
            [0.367905, 0.908098, 0.472217],
            [1.74362, -0.526356, 0.621037],
            [0.510973, -1.29795, 0.495898],
        ]
        .map(Vector3::from),
    )
}

/// Example 2 of the 2005 draft: the same on a circle with normal (.1, .2, .974679).
pub fn example_2() -> Cloud {
    Cloud::from_rows(
        [
            [0.965464, 0.896476, 0.641555],
            [1.68157, 0.248753, 0.703445],
            [1.61990, -0.871485, 0.930594],
            [-0.592497, -0.0747179, 1.01050],
            [-0.402654, -0.818748, 1.12976],
            [-0.0912121, -1.14638, 1.16056],
            [0.117659, -1.26534, 1.16835],
            [-0.569521, -0.403927, 1.06119],
            [1.69910, -0.702110, 0.889177],
            [1.67226, -0.724973, 0.891406],
        ]
        .map(Vector3::from),
    )
}
