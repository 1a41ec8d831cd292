//! Taking part of a trial, or turning it: pure functions from a trial to a trial.
//!
//! | wanted | function |
//! |---|---|
//! | some of the markers | [`with_markers`] |
//! | some of the frames | [`with_frames`] |
//! | another axis up | [`with_up`] |
//! | another unit when written | [`with_unit`] |
//! | left-handed axes made right-handed | [`mirrored`] |
//! | all lengths by a factor | [`scaled`] |
//!
//! A change of rate is [`resample`](crate::resample).

mod force_plates;
mod frames;
mod markers;
mod mirror;
mod motion;
mod nearest;
mod scale;
mod turn;
mod unit;
mod up;

pub use frames::with_frames;
pub use markers::with_markers;
pub use mirror::mirrored;
pub(crate) use nearest::nearest;
pub use scale::scaled;
pub use turn::Turn;
pub use unit::with_unit;
pub use up::with_up;
