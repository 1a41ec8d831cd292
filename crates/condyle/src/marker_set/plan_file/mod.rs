//! A plan as a file for people: which markers are on which segment, in TOML.

mod read;
mod write;

pub(super) use read::read;
pub use write::write;

/// The version of the layout that is written, and the only one that is read.
const VERSION: i64 = 1;

#[cfg(test)]
mod tests;
