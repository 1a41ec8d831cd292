//! A cubic between both ends of a gap, and nothing but the marker itself.

use nalgebra::{Point3, Vector3};

use super::tracks::{Gap, Tracks};
use crate::fill::bridge::cubic;

/// The cubic with the velocities at both ends; `None` where a gap has only one.
pub fn estimate(tracks: &Tracks, gap: &Gap) -> Option<Vec<Vector3<f64>>> {
    let at = |frame: usize| {
        (frame < tracks.frames).then(|| tracks.at(gap.marker, frame).map(Point3::from)).flatten()
    };
    let positions_m = cubic(gap.frames.clone(), at, at)?;
    Some(positions_m.into_iter().map(|position_m| position_m.coords).collect())
}
