//! Conformal geometric algebra, as small as possible: points, lines, planes, circles and spheres as
//! elements of one algebra, and what they have in common as a product.
//!
//! It is here to be read and to be compared with: the solvers of [`condyle::ik`] use plain vectors, which
//! are several times faster.
//!
//! # Reference
//! A. Aristidou (2010), *Tracking and modelling motion for biomechanical analysis*, chapter 2 and appendix A.
//! Where a printed formula is wrong the corrected one is used, and said so.

mod fabrik;
mod meet;
mod multivector;
mod nearest;
mod objects;

pub use fabrik::reach_in_spheres;
pub use meet::{Points, line_line, meet, points_of};
pub use multivector::Multivector;
pub use nearest::{circle_to_line, point_to_circle, point_to_sphere, sphere_to_line};
pub use objects::{
    circle, circle_of, dilator, line, plane, plane_of, point, position, project_on, rotor, sphere,
    sphere_of, translator,
};

#[cfg(test)]
mod tests;
