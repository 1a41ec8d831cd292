//! The library from outside: one program, so that it is linked once.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a test may stop at the first surprise and say what it saw"
)]

mod angles;
mod architecture;
mod bad_bodies;
mod c3d_quirks;
mod c3d_round_trip;
mod centre_recordings;
mod corpus;
mod error_bars;
mod everyday;
mod exports;
mod fill;
mod fitted;
mod flights;
mod gait;
mod gaps;
mod grouping_recordings;
mod guarded;
mod hinge_recording;
mod job;
mod joint_choice;
mod joint_errors;
mod keypoints;
mod live;
mod marker_sets;
mod measured;
mod names;
mod nimble;
mod notes;
mod performers;
mod recordings;
mod resting;
mod reuse;
mod rigs;
mod skeleton;
mod slips;
mod tables;
mod tracker_recordings;
