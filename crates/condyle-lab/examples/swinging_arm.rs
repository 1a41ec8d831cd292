//! Builds a recording from a formula and writes it as TRC to standard output.
//!
//! `cargo run -p condyle-lab --example swinging_arm > examples/data/arm.trc` makes the sample of the README: an
//! upper arm that swings about a fixed shoulder like a pendulum, a forearm that bends at the elbow,
//! three markers on each, one of them hidden for a while.
#![allow(clippy::print_stdout)]

use std::f64::consts::TAU;

use condyle::format;
use condyle::trial::{Axis, Format, LengthUnit, Marker, Trial};
use nalgebra::{Isometry3, Point3, Translation3, UnitQuaternion, Vector3};

const FRAMES: usize = 120;
const RATE_HZ: f64 = 60.0;
const UPPER_ARM_M: f64 = 0.30;
/// The sample has three decimals of a millimetre, as many as a laboratory file.
const STEPS_PER_M: f64 = 1e6;

fn main() -> condyle::Result<()> {
    let mut out = Vec::new();
    format::write(&swinging_arm(), Format::Trc, &mut out)?;
    print!("{}", String::from_utf8_lossy(&out));
    Ok(())
}

fn swinging_arm() -> Trial {
    let mut trial = Trial::new(Format::Trc, RATE_HZ);
    trial.frames = FRAMES;
    trial.source.unit = LengthUnit::Millimetre;
    trial.source.up = Some(Axis::Y);
    trial.markers = vec![
        marker("SHO", |frame| world_from_upper_arm(frame) * Point3::origin()),
        marker("UPA1", |frame| world_from_upper_arm(frame) * Point3::new(0.05, -0.08, 0.02)),
        marker("UPA2", |frame| world_from_upper_arm(frame) * Point3::new(0.04, -0.20, -0.03)),
        marker("UPA3", |frame| world_from_upper_arm(frame) * Point3::new(-0.05, -0.15, 0.03)),
        marker("FOA1", |frame| world_from_forearm(frame) * Point3::new(0.04, -0.06, 0.02)),
        marker("FOA2", |frame| world_from_forearm(frame) * Point3::new(0.03, -0.18, -0.03)),
        marker("FOA3", |frame| world_from_forearm(frame) * Point3::new(-0.04, -0.12, 0.03)),
        marker("WRI", |frame| world_from_forearm(frame) * Point3::new(0.0, -0.25, 0.03)),
    ];
    hide(&mut trial.markers[3], 40..52);
    hide(&mut trial.markers[6], 20..25);
    hide(&mut trial.markers[6], 90..93);
    trial
}

/// The shoulder is a ball joint: it swings forwards and, half as fast, sideways.
fn world_from_upper_arm(frame: usize) -> Isometry3<f64> {
    let time_s = frame as f64 / RATE_HZ;
    let forwards = UnitQuaternion::from_scaled_axis(Vector3::z() * 0.7 * (TAU * time_s).sin());
    let sideways =
        UnitQuaternion::from_scaled_axis(Vector3::x() * 0.4 * (TAU * time_s / 2.0).sin());
    Isometry3::from_parts(Translation3::new(0.0, 1.4, 0.0), sideways * forwards)
}

/// The elbow is a hinge about z.
fn world_from_forearm(frame: usize) -> Isometry3<f64> {
    let time_s = frame as f64 / RATE_HZ;
    let bent = UnitQuaternion::from_scaled_axis(Vector3::z() * (0.6 - 0.6 * (TAU * time_s).cos()));
    let upper_arm_from_forearm =
        Isometry3::from_parts(Translation3::new(0.0, -UPPER_ARM_M, 0.0), bent);
    world_from_upper_arm(frame) * upper_arm_from_forearm
}

fn marker(label: &str, position_m: impl Fn(usize) -> Point3<f64>) -> Marker {
    let rounded = |frame| position_m(frame).map(|v| (v * STEPS_PER_M).round() / STEPS_PER_M);
    Marker::from_positions(label, (0..FRAMES).map(|frame| Some(rounded(frame))))
}

fn hide(marker: &mut Marker, frames: std::ops::Range<usize>) {
    for frame in frames {
        marker.set(frame, None, condyle::trial::Origin::Missing);
    }
}
