//! Solid figures: rigid segments in a tree, each with a joint whose freedoms have axes and limits.
//!
//! | file | holds |
//! |---|---|
//! | `tree` | segments, joints, freedoms, and what a figure must be |
//! | `pose` | where segments are, from the values of the freedoms |
//! | `incremental` | the same by differences to the frame before, as it was printed: for comparison |
//! | `taylor` | freedoms as polynomials of time |
//! | `window` | polynomials fitted to a window, and how well they predict the next |
//! | `follow` | the freedoms of a figure that follows poses |
//! | `whole` | its height, its outside, its segments filled, its motion in frames |
//! | `summary` | masses, moments and freedoms in words |
//!
//! Everything is in metres and radians, in the axes of the figure. The pose in which all freedoms are 0 is at rest: there
//! segments are as their solids have them.
//!
//! # Reference
//! J. Knight 2005, *Tetrahedral articulated motion*, sections 2.4, 3 and 8; J. Knight 2008, sections 7.2 to 7.5.

mod follow;
mod incremental;
mod pose;
mod summary;
mod taylor;
mod tree;
mod whole;
mod window;

pub use follow::{Followed, Follower};
pub use incremental::IncrementalPose;
pub use pose::Pose;
pub use summary::{FreedomSummary, SegmentSummary};
pub use taylor::{FigureMotion, TaylorWindow, coefficient_count};
pub use tree::{Figure, Freedom, FreedomKind, Joint, Segment};
pub use whole::MovedFigure;
pub use window::{WindowFit, fit_window, prediction_rms};

/// What a segment weighs a cubic metre if nothing is said: as much as water.
pub const DENSITY_KG_M3: f64 = 1000.0;

#[cfg(test)]
mod tests;
