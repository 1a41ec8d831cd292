//! Markers in, skeleton out.
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod centre;
pub mod error;
pub mod format;
pub mod motion;
pub mod resample;
pub mod skeleton;
pub mod trial;

pub use error::{Error, ErrorKind, Result};
pub use trial::Trial;
