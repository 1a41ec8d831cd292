//! The laboratory: what reproduces documents, compares methods and surveys recordings.
//!
//! It is apart from the product: nothing that users link or install depends on it. Its program
//! `condyle-reproduce` is what `condyle reproduce` runs.
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod bone_lengths;
pub mod centre;
pub mod cga;
pub mod everyday;
pub mod gaps;
pub mod grouping;
pub mod hand;
pub mod mutants;
pub mod reproduce;
pub mod spheres;
pub mod surfaces;
pub mod swaps;
