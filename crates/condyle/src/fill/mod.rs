//! Gaps filled: what is missing, estimated from what is seen.
//!
//! [`bridge`] closes short gaps by a cubic and looks at nothing else. [`fill()`] takes any gap, by a [`Method`], and says
//! for each how far from the truth it is expected to be.

mod bridge;
#[cfg(feature = "skeleton")]
mod cholesky;
#[cfg(feature = "skeleton")]
mod deletion;
#[cfg(feature = "skeleton")]
mod extrapolate;
#[cfg(feature = "skeleton")]
mod features;
#[cfg(feature = "skeleton")]
mod kernel;
#[cfg(feature = "skeleton")]
mod lanes;
#[cfg(feature = "skeleton")]
mod local;
#[cfg(feature = "skeleton")]
mod local_frame;
#[cfg(feature = "skeleton")]
mod low_rank;
#[cfg(feature = "skeleton")]
mod maximise;
#[cfg(feature = "skeleton")]
mod method;
#[cfg(feature = "skeleton")]
mod neighbours;
#[cfg(feature = "skeleton")]
mod parts;
#[cfg(feature = "skeleton")]
mod pattern;
#[cfg(feature = "skeleton")]
pub(crate) mod plan;
#[cfg(feature = "skeleton")]
pub(crate) mod predictor;
#[cfg(feature = "skeleton")]
mod process;
#[cfg(feature = "skeleton")]
mod recording;
#[cfg(feature = "skeleton")]
mod rigid_body;
#[cfg(feature = "skeleton")]
mod segment;
#[cfg(feature = "skeleton")]
mod spline;
#[cfg(feature = "skeleton")]
pub(crate) mod tracks;
#[cfg(feature = "skeleton")]
mod training;

pub use bridge::{Bridged, MAX_GAP_S, bridge, bridge_markers};
#[cfg(feature = "skeleton")]
pub use method::Method;
#[cfg(feature = "skeleton")]
pub use recording::{FilledGap, Options, fill, fill_markers};
