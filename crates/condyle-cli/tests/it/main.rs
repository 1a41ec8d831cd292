//! The command line from outside: one program, so that it is linked once.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a test may stop at the first surprise and say what it saw"
)]

mod bad_input;
mod centre;
mod centre_bad_input;
mod centre_on_skin;
mod centre_shape;
mod convert;
mod exports;
mod fill;
mod gait;
mod groups;
mod hand;
mod ik;
mod info;
mod label;
mod main_job;
mod one_answer;
mod people;
mod points;
mod readme;
#[cfg(unix)]
mod reproduce;
mod run;
mod sessions;
mod simulate;
mod skeleton;
mod skin;
mod solid_figure;
mod trackers;
mod transactions;
mod usage;
mod view;
