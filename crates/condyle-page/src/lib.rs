//! What the programs of Condyle show and write: pages with charts that need no network, and the edge
//! to the user: tables, progress, one line an error, and files that are written whole or not at all.
//!
//! Shared by the command line and the laboratory.
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod page;
pub mod terminal;
