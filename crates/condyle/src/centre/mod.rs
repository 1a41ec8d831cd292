//! Centres of rotation in closed form, with their evidence.
//!
//! | what | function |
//! |---|---|
//! | the centre that points rotate about | [`sphere`], [`sphere_from_moments`], [`sphere_weighted`] |
//! | a circle in space, a plane | [`circle`], [`plane`] |
//! | the moments behind the closed forms, mergeable | [`Moments`] |
//! | when a fit can succeed | [`acceptance`] |
//! | the older linear forms, for comparison | [`linear`] |
//!
//! # Units
//! Everything works in the unit of the points.

pub mod acceptance;
mod circle;
mod fit;
mod geometric;
mod input;
pub mod linear;
mod method;
mod moments;
mod noise_root;
mod shape;
mod spectrum;
mod sphere;

#[cfg(test)]
mod synthetic;
#[cfg(test)]
mod tests;

pub use circle::{CircleFit, PlaneFit, circle, plane};
pub use fit::{Acceptance, HingeAxis, SphereFit, Verdict};
pub use method::{Method, Noise};
pub use moments::{Moments, WeightedMoments};
pub use spectrum::Spectrum;
pub use sphere::{sphere, sphere_from_moments, sphere_weighted};
