//! Options that several commands share.

pub mod format;
pub mod reading;

pub use reading::ReadingArgs;
