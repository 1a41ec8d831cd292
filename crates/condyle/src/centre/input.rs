//! Points as they come: counted, checked, and brought to a scale that four powers can stand.

use std::borrow::Cow;

use nalgebra::{Matrix3, SVector};

use super::moments::Moments;
use super::shape::Shape;
use crate::error::{Error, Result};

/// Points in units of `unit`, with their moments.
pub(super) struct Scaled<'a> {
    axes: [Cow<'a, [f64]>; 3],
    /// Multiplies lengths back into the caller's unit; 1 unless the points are absurdly large or small.
    pub unit: f64,
    moments: Moments<3>,
}

impl Scaled<'_> {
    pub fn moments(&self) -> Moments<3> {
        self.moments
    }

    pub fn points(&self) -> [&[f64]; 3] {
        [&self.axes[0], &self.axes[1], &self.axes[2]]
    }
}

/// Fourth powers of spreads between these neither overflow nor vanish.
const SAFE_SPREADS: std::ops::Range<f64> = 1e-60..1e60;

/// Counts and checks the points and takes their moments.
pub(super) fn scaled(points: [&[f64]; 3], needed: usize) -> Result<Scaled<'_>> {
    let [x, y, z] = points.map(<[f64]>::len);
    if x != y || y != z {
        return Err(Error::argument(format!(
            "points: need as many x as y and z, got {x}, {y} and {z}"
        )));
    }
    if x < needed {
        return Err(Error::undetermined(format!("points: need {needed}, got {x}")));
    }
    let moments = Moments::<3>::from_points(points);
    let spread = moments.a.trace().sqrt();
    if SAFE_SPREADS.contains(&spread) && moments.mean.iter().all(|m| m.abs() < SAFE_SPREADS.end) {
        return Ok(Scaled { axes: points.map(Cow::Borrowed), unit: 1.0, moments });
    }
    if let Some(at) = (0..x).find(|&i| points.iter().any(|axis| !axis[i].is_finite())) {
        let [x, y, z] = points.map(|axis| axis[at]);
        return Err(Error::undetermined(format!(
            "points: need finite numbers, got ({x}, {y}, {z}) at sample {}",
            at + 1
        )));
    }
    rescaled(points)
}

/// The same for forms that take the points as they are.
pub(super) fn as_they_are(points: [&[f64]; 3], needed: usize) -> Result<Moments<3>> {
    let scaled = scaled(points, needed)?;
    match scaled.unit {
        1.0 => Ok(scaled.moments),
        unit => Err(out_of_range(scaled.moments.a.trace().sqrt() * unit)),
    }
}

/// Refuses moments, of points long gone, whose powers have overflowed or vanished.
pub(super) fn in_range<const D: usize>(shape: &Shape<D>) -> Result<()> {
    let spread = shape.z.sqrt();
    let is_finite = |v: &SVector<f64, D>| v.iter().all(|v| v.is_finite());
    if !(is_finite(&shape.mean) && is_finite(&shape.s) && shape.v.is_finite()) {
        return Err(Error::undetermined(
            "moments: need finite numbers, got points that are not, or whose fourth powers are not",
        ));
    }
    if SAFE_SPREADS.contains(&spread) { Ok(()) } else { Err(out_of_range(spread)) }
}

fn out_of_range(spread: f64) -> Error {
    let why = match spread < SAFE_SPREADS.start {
        true => "all in one place, or in far too large a unit",
        false => "in far too small a unit",
    };
    Error::undetermined(format!(
        "points: need a spread from 1e-60 to 1e60, got {spread:.3e}: {why}"
    ))
}

/// Divides by a power of two, which rounds nothing, so that the largest deviation is about 1.
fn rescaled(points: [&[f64]; 3]) -> Result<Scaled<'_>> {
    let deviation = |axis: &[f64]| {
        let first = axis.first().copied().unwrap_or(0.0) / 4.0;
        axis.iter().map(|v| (v / 4.0 - first).abs()).fold(0.0, f64::max)
    };
    // Deviations below the smallest normal number are as good as none.
    let largest = points.iter().map(|axis| deviation(axis)).fold(0.0, f64::max);
    if largest < f64::MIN_POSITIVE {
        return Err(all_in_one_place());
    }
    let unit = largest.log2().floor().clamp(-1000.0, 1000.0).exp2();
    let axes = points.map(|axis| Cow::Owned(axis.iter().map(|v| v / unit).collect::<Vec<_>>()));
    let moments = Moments::<3>::from_points([&axes[0], &axes[1], &axes[2]]);
    Ok(Scaled { axes, unit, moments })
}

/// A covariance in the caller's unit. What is too small for a number is rounded up to the smallest,
/// since no uncertainty at all would be a claim.
pub(super) fn covariance_in(unit: f64, covariance: &Matrix3<f64>) -> Matrix3<f64> {
    let mut scaled = covariance * unit * unit;
    for i in 0..3 {
        if covariance[(i, i)] > 0.0 {
            scaled[(i, i)] = scaled[(i, i)].max(f64::MIN_POSITIVE);
        }
    }
    scaled
}

fn all_in_one_place() -> Error {
    Error::undetermined("points: need a motion, got all points in one place")
}

/// Refuses points in one place or on one line.
pub(super) fn spread_out(shape: &Shape<3>) -> Result<Shape<3>> {
    let [_, middle, largest] = shape.spectrum.values;
    let resolution = f64::EPSILON * shape.mean.amax();
    if largest.is_nan() || largest <= 16.0 * resolution * resolution {
        return Err(all_in_one_place());
    }
    if middle <= shape.floor {
        return Err(Error::undetermined("points: need an arc or a surface, got a straight line"));
    }
    Ok(*shape)
}
