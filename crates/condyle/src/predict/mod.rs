//! Markers that are not seen, predicted while frames come in: the document's filter.
//!
//! [`Predictor::step`] takes a frame and gives it back whole: every marker observed or predicted, by which case, and how
//! sure. Nothing that comes later is looked at, and nothing is allocated.
//!
//! # Reference
//! A. Aristidou (2010), *Tracking and modelling motion for biomechanical analysis*, chapter 4.

mod body;
mod clusters;
mod estimate;
pub(crate) mod filter;
pub mod nearest;
mod options;
mod predictor;
mod rotation_centre;
mod sample;
mod segment;
mod settle;
pub(crate) mod track;
pub mod turn_model;
pub mod unscented;

pub use body::{Body, BodyJoint, BodySegment};
pub use nearest::Ray;
pub use options::{CentreUse, Options, RayRule};
pub use predictor::{Centre, Predictor};
pub use rotation_centre::{RotationCentre, RotationSums};
pub use sample::{Case, Sample};

#[cfg(test)]
mod tests;
