//! The laboratory from outside: one program, so that it is linked once.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test may stop at the first surprise and say what it saw"
)]

mod reproduce;
mod run;
