//! Inverse kinematics: joints that reach for targets, within limits that hold.
//!
//! ```
//! # fn main() -> condyle::Result<()> {
//! use condyle::ik::{Limit, Linkage, Options, Solver, Target};
//! use nalgebra::Point3;
//!
//! let joints_m: Vec<Point3<f64>> = (0..5).map(|i| Point3::new(0.0, 0.0, f64::from(i))).collect();
//! let mut arm = Linkage::chain(&joints_m)?;
//! for end in 1..5 {
//!     arm.limit(end, Limit::cone(60_f64.to_radians()))?;
//! }
//! let mut solver = Solver::new(arm);
//! let reach = solver.solve(&[Target::at(4, Point3::new(2.0, 0.5, 2.0))], &Options::default())?;
//! assert!(reach.is_reached());
//! assert!(solver.violation_rad() < 1e-9);
//! # Ok(())
//! # }
//! ```
//!
//! | wanted | where |
//! |---|---|
//! | joints, bones, loops | [`Linkage::chain`], [`Linkage::tree`], [`Linkage::close`], [`Linkage::slide`] |
//! | how far a joint may turn | [`Limit`]: cone, ellipse, polygon, hinge, saddle, pivot, gliding, suture |
//! | a pose, and reaching from it | [`Solver`], [`Solver::solve`] |
//! | one of thirteen methods, and its settings | [`Method`], [`Options`] |
//! | what came of it | [`Reach`], [`Outcome`] |
//! | a linkage from a file | [`Model::from_json`] |

mod arc;
mod bounds;
mod ccd;
mod fabrik;
mod follow;
mod gauss_newton;
mod jacobian;
mod json;
pub mod limit;
mod linkage;
mod method;
mod monte_carlo;
mod pose;
mod reach;
mod solver;
mod stall;
mod straight;
mod target;
mod triangulation;
mod turn;

pub use json::Model;
pub(crate) use json::find_name;
pub use limit::Limit;
pub use linkage::{Linkage, ZeroDirection};
pub use method::{Method, Options};
pub use reach::{Outcome, Reach};
pub use solver::Solver;
pub use target::Target;

#[cfg(test)]
mod tests;
