//! The two text files that J. K. Knight's program reads: which marker of a recording is which
//! marker of a standard set, and where on the body those are.
//!
//! # Reference
//! J. K. Knight (2008), Rotation Points From Motion Capture Data Using a Closed Form Solution,
//! 5.5.2 and 7.3.1; (2005) 2.3.3.

mod association;
mod count;
mod locations;
mod marker_set_file;
mod plan;

pub(super) use association::TABLE_1_FILE;
pub use association::{Association, Pair};
pub use locations::Location;
pub use marker_set_file::{MarkerSetFile, Wand};
pub(super) use plan::{from_association, from_marker_set};

/// Whether a text is one of the two: it begins with a number and the word `WANDS`.
pub(super) fn is_knight_file(text: &str) -> bool {
    let first = text.lines().find(|line| !line.trim().is_empty());
    first.is_some_and(|line| count::wands(line).is_some())
}

/// Whether such a text is an association: its next line names a marker set.
pub(super) fn is_association(text: &str) -> bool {
    let second = text.lines().filter(|line| !line.trim().is_empty()).nth(1);
    second.is_some_and(|line| count::after(line, "MARKERSET").is_some())
}
