//! One frame as a stream gives it.

use nalgebra::{Isometry3, Point3};

/// One frame of a stream, in the order of the names that it was begun with.
///
/// Slices, arrays and vectors of positions or poses turn into it: `live.push(&positions_m)`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Frame<'a> {
    /// The position of every marker in metres; `None` where one is not seen.
    Markers(&'a [Option<Point3<f64>>]),
    /// The pose `world_from_sensor` of every sensor; `None` where one is not seen.
    Sensors(&'a [Option<Isometry3<f64>>]),
}

impl Frame<'_> {
    /// What it holds, in words.
    pub(super) fn what(&self) -> String {
        match self {
            Self::Markers(positions_m) => format!("{} positions of markers", positions_m.len()),
            Self::Sensors(poses) => format!("{} poses of sensors", poses.len()),
        }
    }
}

/// A frame that is remembered.
#[derive(Debug, Clone)]
pub(super) enum OwnedFrame {
    Markers(Vec<Option<Point3<f64>>>),
    Sensors(Vec<Option<Isometry3<f64>>>),
}

impl OwnedFrame {
    pub(super) fn as_frame(&self) -> Frame<'_> {
        match self {
            Self::Markers(positions_m) => Frame::Markers(positions_m),
            Self::Sensors(poses) => Frame::Sensors(poses),
        }
    }
}

impl<'a> From<&'a [Option<Point3<f64>>]> for Frame<'a> {
    fn from(positions_m: &'a [Option<Point3<f64>>]) -> Self {
        Self::Markers(positions_m)
    }
}

impl<'a> From<&'a Vec<Option<Point3<f64>>>> for Frame<'a> {
    fn from(positions_m: &'a Vec<Option<Point3<f64>>>) -> Self {
        Self::Markers(positions_m)
    }
}

impl<'a> From<&'a [Option<Isometry3<f64>>]> for Frame<'a> {
    fn from(poses: &'a [Option<Isometry3<f64>>]) -> Self {
        Self::Sensors(poses)
    }
}

impl<'a> From<&'a Vec<Option<Isometry3<f64>>>> for Frame<'a> {
    fn from(poses: &'a Vec<Option<Isometry3<f64>>>) -> Self {
        Self::Sensors(poses)
    }
}
