//! Rigid segments: where one is, from the points of it that are seen.

mod placement;
mod rotation;
mod shape;
pub mod triad;

pub use placement::{Gathered, Pair, Placement, Template, place};
pub use rotation::best_rotation;
pub use shape::{Shape, Traces};
