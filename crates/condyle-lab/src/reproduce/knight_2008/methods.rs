//! The methods that are compared.

use condyle::centre::{Method, Noise, SphereFit};
use nalgebra::Vector3;

use condyle_page::page::Ink;

/// A method with its name and its colour, the same in every chart.
#[derive(Clone, Copy)]
pub struct Contender {
    /// Its name in tables and legends.
    pub name: &'static str,
    /// Its colour.
    pub ink: Ink,
    method: fn(f64) -> Method,
}

impl Contender {
    /// The method, told the noise if it needs that.
    pub fn method(&self, sigma: f64) -> Method {
        (self.method)(sigma)
    }
}

/// Whether the ellipsoid that should hold the centre with 95 % probability does, as the library
/// draws it.
pub fn ellipsoid_holds(fit: &SphereFit, error: &Vector3<f64>) -> bool {
    let along = |axis: &Vector3<f64>| (error.dot(axis) / axis.norm_squared()).powi(2);
    fit.error_ellipsoid_95().iter().map(along).sum::<f64>() < 1.0
}

/// GDKE (86).
pub const GDKE: Contender = Contender { name: "GDKE", ink: Ink(1), method: |_| Method::Gdke };
/// UGDK (171) to (176), told the true noise.
pub const UGDK: Contender =
    Contender { name: "UGDK", ink: Ink(2), method: |sigma| Method::Ugdk(Noise::Sigma(sigma)) };
/// SC-GDK, ours.
pub const SC_GDK: Contender = Contender { name: "SC-GDK", ink: Ink(0), method: |_| Method::ScGdk };
/// SC-GDK and one step of an iteration over the points, ours.
pub const SC_POLISHED: Contender =
    Contender { name: "SC polished", ink: Ink(9), method: |_| Method::ScGdkPolished };
/// Taubin.
pub const TAUBIN: Contender = Contender { name: "Taubin", ink: Ink(3), method: |_| Method::Taubin };
/// Pratt.
pub const PRATT: Contender = Contender { name: "Pratt", ink: Ink(4), method: |_| Method::Pratt };
/// Hyper.
pub const HYPER: Contender = Contender { name: "Hyper", ink: Ink(5), method: |_| Method::Hyper };
/// Gander (8).
pub const GANDER: Contender = Contender { name: "Gander", ink: Ink(7), method: |_| Method::Gander };
/// Linear least squares (62) to (67).
pub const LLS: Contender = Contender { name: "LLS", ink: Ink(8), method: |_| Method::Lls };
/// Maximum likelihood (55) to (59).
pub const MLE: Contender = Contender { name: "MLE", ink: Ink(6), method: |_| Method::Mle };

/// All of them, in the order of the tables.
pub const ALL: [Contender; 10] =
    [GDKE, UGDK, SC_GDK, SC_POLISHED, TAUBIN, PRATT, HYPER, GANDER, LLS, MLE];
