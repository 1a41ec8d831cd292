//! Rigid segments: where one is, from the points of it that are seen.

mod cluster;
mod placement;
mod rotation;
mod shape;
pub mod triad;

pub use cluster::Cluster;
pub use placement::{Pair, Placement, PlacementSums, Template, place};
pub use rotation::best_rotation;
pub(crate) use shape::Sight;
pub use shape::{Shape, Traces};
