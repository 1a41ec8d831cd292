//! Gaps of any length, by several methods, each with what is expected of it.

mod cholesky;
mod deletion;
mod extrapolate;
mod features;
mod kernel;
mod lanes;
mod local;
mod local_frame;
mod low_rank;
mod maximise;
mod method;
mod neighbours;
mod parts;
mod pattern;
pub(crate) mod plan;
pub(crate) mod predictor;
mod process;
mod recording;
mod rigid_body;
mod segment;
mod spline;
pub(crate) mod tracks;
mod training;
mod ukf;

pub use method::Method;
pub use recording::{FilledGap, Options, fill, fill_markers};
pub use ukf::{KnownBesides, fill_by_prediction};
