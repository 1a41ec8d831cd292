//! Markers that slip, and clusters that were put on elsewhere.

use nalgebra::Vector3;
use rand::RngExt;

use super::chance::{Purpose, normal_vector, stream};
use super::options::Options;
use super::truth::{MovedCluster, Slip, Truth};

/// Markers slip in the middle of a recording: after this share of its frames, and before the same share of the end.
const NOT_BEFORE: f64 = 0.2;

/// A marker nearer to the axis of its segment is on it, in metres.
const LEAST_M: f64 = 1e-3;

/// Shifts all markers of some segments, each in a direction of its own; tells the truth about it.
pub(super) fn clusters(options: &Options, truth: &mut Truth) {
    let mut rng = stream(options.seed, Purpose::Moved, 0);
    let mut left: Vec<usize> = segments_with_markers(truth);
    for _ in 0..options.moved_clusters.min(left.len()) {
        let segment = left.swap_remove(rng.random_range(0..left.len()));
        let shift_m = way(&mut rng) * options.moved_m;
        for marker in truth.markers.iter_mut().filter(|marker| marker.segment == segment) {
            marker.in_segment_m += shift_m;
        }
        truth.moved.push(MovedCluster { segment, shift_m });
    }
}

/// Markers that slip, at most one of every segment, in the order of their frames.
pub(super) fn markers(options: &Options, truth: &Truth) -> Vec<Slip> {
    let mut rng = stream(options.seed, Purpose::Slip, 0);
    let mut left: Vec<usize> = segments_with_markers(truth);
    let mut slips = Vec::new();
    for _ in 0..options.slips.min(left.len()) {
        let segment = left.swap_remove(rng.random_range(0..left.len()));
        let on_it = truth.markers.iter().enumerate().filter(|(_, at)| at.segment == segment);
        let on_it: Vec<usize> = on_it.map(|(marker, _)| marker).collect();
        let marker = on_it[rng.random_range(0..on_it.len())];
        let share = rng.random_range(NOT_BEFORE..1.0 - NOT_BEFORE);
        let frame = (share * truth.world_from_segment.len() as f64) as usize;
        let along = along_skin(way(&mut rng), truth, marker);
        slips.push(Slip { marker, frame, shift_m: along * options.slip_m });
    }
    slips.sort_by_key(|slip| slip.frame);
    slips
}

fn segments_with_markers(truth: &Truth) -> Vec<usize> {
    let mut segments: Vec<usize> = truth.markers.iter().map(|marker| marker.segment).collect();
    segments.dedup();
    segments
}

/// Any direction.
fn way(rng: &mut impl rand::Rng) -> Vector3<f64> {
    normal_vector(rng, 1.0).try_normalize(0.0).unwrap_or_else(Vector3::x)
}

/// The part of a direction that is along the skin: across the line from the segment's axis to the marker.
fn along_skin(way: Vector3<f64>, truth: &Truth, marker: usize) -> Vector3<f64> {
    let at = &truth.markers[marker];
    let across =
        |direction: Vector3<f64>, from: Vector3<f64>| match direction.try_normalize(LEAST_M) {
            Some(direction) => from - direction * direction.dot(&from),
            None => from,
        };
    let outwards = across(truth.segments[at.segment].middle_m.coords, at.in_segment_m.coords);
    across(outwards, way).try_normalize(0.0).unwrap_or(way)
}
