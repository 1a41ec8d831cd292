//! The methods that chapter 4 compares.

use std::ops::Range;

use condyle::fill::{self, Method};
use condyle::predict::{Body, Options, Predictor, Ray};
use nalgebra::Point3;

use super::scene::{Frames, trial};

/// A method of the tables.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Compared {
    /// The document's predictor, as it is printed.
    Printed,
    /// The same with our settings.
    Ours,
    /// One that knows neither segments nor centres.
    Other(Method),
}

/// In the order of the tables.
pub const ALL: [Compared; 5] = [
    Compared::Printed,
    Compared::Ours,
    Compared::Other(Method::Velocity),
    Compared::Other(Method::Circular),
    Compared::Other(Method::Spline),
];

impl Compared {
    /// As the tables call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Printed => "UKF-VTM as printed",
            Self::Ours => "UKF-VTM, our settings",
            Self::Other(Method::Velocity) => "EKF (constant velocity)",
            Self::Other(Method::Circular) => "extrapolation",
            Self::Other(_) => "interpolation",
        }
    }

    fn options(self) -> Options {
        match self {
            Self::Printed => Options::as_printed(),
            _ => Options::default(),
        }
    }
}

/// Where a centre is, and whether it is observed.
type Centre = (Point3<f64>, bool);

/// Positions of all markers and all centres in the frames of a gap.
pub struct Completed {
    /// `[frame][marker]`.
    pub markers_m: Vec<Vec<Option<Point3<f64>>>>,
    /// `[frame][joint]`.
    pub centres_m: Vec<Vec<Option<Centre>>>,
}

/// Goes through the frames up to the end of a gap; rays of the gap's frames by their place in it.
pub fn complete(
    (body, rate_hz): (&Body, f64),
    holed: &Frames,
    gap: Range<usize>,
    method: Compared,
    rays: impl Fn(usize) -> Vec<Ray>,
) -> Option<Completed> {
    let mut filled;
    let frames = match method {
        Compared::Other(method) => {
            let mut recording = trial(holed, rate_hz);
            fill::fill(&mut recording, &fill::Options { method, ..Default::default() }).ok()?;
            filled = holed.clone();
            for frame in gap.clone() {
                for (at, marker) in filled[frame].iter_mut().zip(&recording.markers) {
                    *at = marker.position_m(frame);
                }
            }
            &filled
        }
        _ => holed,
    };
    let mut predictor = Predictor::new(body, rate_hz, method.options()).ok()?;
    let mut completed = Completed { markers_m: Vec::new(), centres_m: Vec::new() };
    for (frame, seen) in frames[..gap.end].iter().enumerate() {
        let is_within = gap.contains(&frame);
        let seen_by_one = if is_within { rays(frame) } else { Vec::new() };
        let samples = predictor.step(seen, &seen_by_one);
        if is_within {
            // What another method filled is taken as it is, whatever the gate thinks of it.
            let at =
                |(marker, s): (usize, &condyle::predict::Sample)| seen[marker].or(s.position_m);
            completed.markers_m.push(samples.iter().enumerate().map(at).collect());
            let centre =
                |c: Option<condyle::predict::Centre>| c.map(|c| (c.position_m, c.is_observed));
            completed.centres_m.push(predictor.centres().map(centre).collect());
        }
    }
    Some(completed)
}
