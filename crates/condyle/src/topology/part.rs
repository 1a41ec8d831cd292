//! The parts that a tree is made of: segments with markers.

use nalgebra::{Point3, Vector3};

use crate::joint::Poses;
use crate::rigid::{Pair, Shape, Traces, place};
use crate::statistics::centroid;
use crate::trial::Trial;

/// A rigid part in some frames of a recording.
pub(crate) struct Part {
    /// Its pose in every frame, if it can have one: from three markers off a line, or a sensor.
    pub poses: Option<Poses>,
    /// The points known of it, in its own frame, if it has one.
    pub points_in_part_m: Vec<Point3<f64>>,
    /// The same points in the world: `[point][frame]`.
    pub tracks_m: Vec<Vec<Option<Vector3<f64>>>>,
}

/// Some frames of a trial.
struct Frames<'a> {
    trial: &'a Trial,
    frames: &'a [usize],
}

impl Traces for Frames<'_> {
    fn frames(&self) -> usize {
        self.frames.len()
    }

    fn position_m(&self, frame: usize, marker: usize) -> Option<Point3<f64>> {
        self.trial.markers[marker].position_m(self.frames[frame])
    }
}

impl Part {
    /// The part that carries these markers of a trial.
    pub fn of_markers(trial: &Trial, markers: &[usize], frames: &[usize]) -> Self {
        let traces = Frames { trial, frames };
        let track = |marker: &usize| {
            let positions = (0..frames.len()).map(|frame| traces.position_m(frame, *marker));
            positions.map(|position| position.map(|p| p.coords)).collect()
        };
        let tracks_m = markers.iter().map(track).collect();
        let shape = if markers.len() < 3 { None } else { Shape::learn(&traces, markers) };
        let Some(shape) = shape else {
            return Self { poses: None, points_in_part_m: Vec::new(), tracks_m };
        };
        let pose = |frame: usize| {
            let points = shape.points_in_segment_m.iter().zip(&shape.weights).zip(markers);
            let pairs = points.filter_map(|((point, weight), marker)| {
                let in_world_m = traces.position_m(frame, *marker)?;
                Some(Pair { in_segment_m: *point, in_world_m, weight: *weight })
            });
            Some(place(pairs)?.world_from_segment)
        };
        let poses = Poses::from_frames((0..frames.len()).map(pose));
        Self { poses: Some(poses), points_in_part_m: shape.points_in_segment_m, tracks_m }
    }

    /// The mean of the points that are seen in a frame.
    pub fn middle_m(&self, frame: usize) -> Option<Vector3<f64>> {
        let seen = self.tracks_m.iter().filter_map(|track| track[frame]);
        centroid(seen.map(Point3::from)).map(|middle| middle.coords)
    }

    /// How far a point in the part's frame is from the nearest of its points.
    pub fn nearest_m(&self, point_in_part_m: &Point3<f64>) -> f64 {
        let distances = self.points_in_part_m.iter().map(|point| (point - point_in_part_m).norm());
        distances.fold(f64::INFINITY, f64::min)
    }
}

/// At most `most` of a trial's frames, evenly spread.
pub(crate) fn spread_frames(frames: usize, most: usize) -> Vec<usize> {
    let step = frames.div_ceil(most.max(1)).max(1);
    (0..frames).step_by(step).collect()
}
