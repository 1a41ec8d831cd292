//! Gaps filled: what is missing, estimated from what is seen.
//!
//! [`bridge`] closes short gaps by a cubic and looks at nothing else. [`fill()`] takes any gap, by a [`Method`], and says
//! for each how far from the truth it is expected to be.

mod bridge;
#[cfg(feature = "skeleton")]
mod gaps;

pub use bridge::{Bridged, MAX_GAP_S, bridge, bridge_markers};
#[cfg(feature = "skeleton")]
pub use gaps::{FilledGap, KnownBesides, Method, Options, fill, fill_by_prediction, fill_markers};
#[cfg(feature = "skeleton")]
pub(crate) use gaps::{predictor, tracks};
