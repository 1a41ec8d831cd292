//! Recordings of bodies with six degrees of freedom: magnetic sensors, VR trackers, rigid bodies, suits.
//!
//! | wanted | where |
//! |---|---|
//! | a subject from the motion of its sensors, with no tape measure | [`fit`](fit()) |
//! | the same recording played back through it, joints together | [`playback`](playback()) |
//! | frames placed as they come in | [`Player`] |
//! | sensors that slipped, changed names, froze or fell silent | [`trouble`] |
//! | the scale of a tracking system from two sensors at a known distance | [`scale_factor`] |
//! | the tip of a tracked pointer | [`pivot`](pivot()) |
//!
//! # Reference
//! J. F. O'Brien, R. E. Bodenheimer, G. J. Brostow, J. K. Hodgins (2000), *Automatic Joint Parameter
//! Estimation from Magnetic Motion Capture Data*, Graphics Interface.

mod doubts;
mod exchange;
mod fit;
mod joint;
mod pivot;
mod playback;
mod scale;
mod silence;
mod slip;
pub mod trouble;

pub use fit::{Fitted, Hierarchy, Options, fit};
pub use pivot::{Pivot, pivot};
pub use playback::{Playback, Player, playback};
pub use scale::{Scale, scale_factor};

/// After so many frames in which nothing is seen, nothing is taken for a step: what to put between recordings.
pub const FRAMES_BETWEEN_RECORDINGS: usize = exchange::MAX_AGE + 1;

#[cfg(test)]
mod tests;
