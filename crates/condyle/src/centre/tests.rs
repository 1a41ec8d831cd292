//! The acceptance checks and the laws, on synthetic truth. Trials are seeded: the same on every
//! machine. `accuracy_table` (ignored, in release) goes over the whole range.

use super::*;
use nalgebra::{Point3, Vector3};
use synthetic::{Arc, Cap, Cloud, direction, example_1, example_2, generator, noise, uniform};

mod accuracy_table;
mod at_the_bound;
mod bad_input;
mod bias;
mod examples_of_2005;
mod hinge;
mod laws;
mod likelihood;
mod linear_forms;
mod many_markers;
mod outliers;
mod predictions;
mod range;
mod shapes;
mod trials;
mod verdicts;

const DEGREE: f64 = std::f64::consts::PI / 180.0;

const METHODS: [Method; 13] = [
    Method::Gdke,
    Method::Ugdk(Noise::Sigma(0.01)),
    Method::ScGdk,
    Method::ScGdkPolished,
    Method::Sgdk,
    Method::SgdkPrinted,
    Method::Taubin,
    Method::Pratt,
    Method::Hyper,
    Method::Gander,
    Method::Lls,
    Method::Mle,
    Method::Igdk,
];

fn cloud(rows: &[[f64; 3]]) -> Cloud {
    Cloud::from_rows(rows.iter().map(|row| Vector3::from(*row)))
}

fn cap(samples: usize, degrees: f64, sigma: f64) -> Cap {
    Cap { samples, theta_rad: degrees * DEGREE, sigma, ..Cap::default() }
}

/// The hinge of the documents, in millimetres.
fn hinge_of(degrees: f64, wobble_degrees: f64) -> Arc {
    Arc {
        samples: 1000,
        radius: 300.0,
        axial_offset: 50.0,
        half_angle_rad: degrees * DEGREE,
        wobble_rad: wobble_degrees * DEGREE,
        sigma: 1.0,
    }
}
