//! Centres of rotation in closed form, with their evidence.
//!
//! | what | function |
//! |---|---|
//! | the centre that points rotate about | [`sphere`], [`sphere_from_moments`], [`sphere_weighted`] |
//! | the same in spite of outliers | [`sphere_robust`] |
//! | one centre from several markers | [`sphere_many`] |
//! | a circle in space, a plane, a cylinder | [`circle`], [`plane`], [`cylinder`] |
//! | the axis that several markers of a hinge turn about | [`common_normal`] |
//! | how sure a centre is of markers on skin | [`SphereFit::with_soft_tissue`], [`ManyFit::with_soft_tissue`] |
//! | the moments behind the closed forms, mergeable | [`Moments`] |
//! | when a fit can succeed | [`acceptance`] |
//! | the noise of points on a sphere that is known | [`known_sphere`] |
//! | linear fits, for comparison | [`linear`] |
//!
//! # Units
//! Everything works in the unit of the points.

pub mod acceptance;
mod circle;
mod cylinder;
mod fit;
mod geometric;
mod input;
pub mod known_sphere;
mod lanes;
pub mod linear;
mod many;
mod method;
mod moments;
mod noise_root;
mod points;
mod positive;
mod robust;
mod shape;
pub(crate) mod soft_tissue;
mod spectrum;
mod sphere;
mod verdict;

#[cfg(test)]
mod synthetic;
#[cfg(test)]
mod tests;

pub use circle::{CircleFit, PlaneFit, circle, plane};
pub use cylinder::{CylinderAxis, CylinderFit, common_normal, cylinder};
pub use fit::{Acceptance, Evidence, HingeAxis, Shortfall, SphereFit, Verdict};
pub use many::{Agreement, ManyFit, ManyMethod, sphere_many};
pub use method::{Method, Noise};
pub use moments::Moments;
pub use points::Points;
pub use robust::{RobustFit, sphere_robust};
pub use spectrum::Spectrum;
pub use sphere::{sphere, sphere_from_moments, sphere_weighted};
