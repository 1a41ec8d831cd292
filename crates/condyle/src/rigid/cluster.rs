//! Markers on one rigid segment: their shape, and where the segment is in every frame.

mod noise;

use nalgebra::{Isometry3, Point3, Vector3};

use super::{Pair, place, triad};
use crate::error::{Error, Result};

/// The mean shape of three or more markers that move together.
///
/// # Method
/// The segment's frame: origin in the first marker, x towards the second, z along
/// (third - first) × x, y = z × x, all of the mean shape. The pose in a frame is the rigid motion that
/// brings the shape nearest to the markers that are seen, at least three of them (Kabsch).
///
/// # Reference
/// W. Kabsch (1976), *A solution for the best rotation to relate two sets of vectors*; the axes
/// follow J. K. Knight (2008), (236), with the origin that (237) forgets.
#[derive(Debug, Clone, PartialEq)]
pub struct Cluster {
    /// The markers in the segment's frame.
    pub markers_in_segment: Vec<Point3<f64>>,
}

/// Rounds of aligning every frame to the mean shape and averaging again.
const ROUNDS: usize = 3;

impl Cluster {
    /// Learns the shape from frames, each with one optional position a marker.
    ///
    /// # Errors
    /// Fewer than three markers, no frame with all of them, or markers on one line.
    pub fn new(frames: &[Vec<Option<Point3<f64>>>]) -> Result<Self> {
        let count = frames.first().map_or(0, Vec::len);
        if count < 3 {
            return Err(Error::undetermined(format!(
                "segment: need at least 3 markers, got {count}"
            )));
        }
        let complete = frames.iter().find_map(|frame| frame.iter().copied().collect());
        let first: Vec<Point3<f64>> = complete.ok_or_else(|| {
            Error::undetermined("segment: need a frame in which all its markers are seen, got none")
        })?;
        let mut cluster = Self { markers_in_segment: first };
        for _ in 0..ROUNDS {
            cluster = cluster.in_own_frame()?;
            let mut sums = vec![(Vector3::zeros(), 0.0); count];
            for frame in frames {
                let Some(world_from_segment) = cluster.pose(frame) else { continue };
                for (sum, marker) in sums.iter_mut().zip(frame) {
                    if let Some(marker) = marker {
                        sum.0 += world_from_segment.inverse_transform_point(marker).coords;
                        sum.1 += 1.0;
                    }
                }
            }
            for (marker, (sum, seen)) in cluster.markers_in_segment.iter_mut().zip(sums) {
                if seen > 0.0 {
                    *marker = Point3::from(sum / seen);
                }
            }
        }
        cluster.in_own_frame()
    }

    /// The shape in the axes that its first three markers define.
    fn in_own_frame(&self) -> Result<Self> {
        let corners = [0, 1, 2].map(|i| self.markers_in_segment[i]);
        let own = triad::from_three(corners).ok_or_else(|| {
            Error::undetermined("segment: need its first 3 markers in a triangle, got a line")
        })?;
        let into = |marker: &Point3<f64>| own.inverse_transform_point(marker);
        Ok(Self { markers_in_segment: self.markers_in_segment.iter().map(into).collect() })
    }

    /// Where the segment is, from the markers seen; `None` if they are fewer than three or on a line.
    pub fn pose(&self, seen: &[Option<Point3<f64>>]) -> Option<Isometry3<f64>> {
        let pair = |(shape, world): (&Point3<f64>, &Option<Point3<f64>>)| {
            Some(Pair { in_segment_m: *shape, in_world_m: (*world)?, weight: 1.0 })
        };
        let pairs = self.markers_in_segment.iter().zip(seen).filter_map(pair);
        place(pairs).map(|placement| placement.world_from_segment)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape() -> Vec<Point3<f64>> {
        [[0.0, 0.0, 0.0], [0.2, 0.0, 0.0], [0.05, 0.1, 0.0], [0.1, 0.05, 0.08]]
            .map(Point3::from)
            .to_vec()
    }

    fn moved(frame: usize) -> (Isometry3<f64>, Vec<Option<Point3<f64>>>) {
        let t = frame as f64 * 0.1;
        let pose = Isometry3::new(Vector3::new(t, 2.0, -t), Vector3::new(t, -0.5 * t, 0.3));
        let seen = shape().iter().map(|p| Some(pose * p)).collect();
        (pose, seen)
    }

    #[test]
    fn finds_the_pose_with_any_three_markers() {
        let frames: Vec<_> = (0..20).map(|frame| moved(frame).1).collect();
        let cluster = Cluster::new(&frames).unwrap();
        for hidden in 0..4 {
            let (_, mut seen) = moved(7);
            let whole = cluster.pose(&seen).unwrap();
            seen[hidden] = None;
            let part = cluster.pose(&seen).unwrap();
            assert!((whole.to_homogeneous() - part.to_homogeneous()).norm() < 1e-12);
        }
    }

    #[test]
    fn a_point_fixed_to_the_segment_stays_where_it_is() {
        let frames: Vec<_> = (0..20).map(|frame| moved(frame).1).collect();
        let cluster = Cluster::new(&frames).unwrap();
        let in_segment = |frame| {
            let (pose, seen) = moved(frame);
            cluster
                .pose(&seen)
                .unwrap()
                .inverse_transform_point(&(pose * Point3::new(1.0, 2.0, 3.0)))
        };
        for frame in 1..20 {
            assert!((in_segment(frame) - in_segment(0)).norm() < 1e-11);
        }
    }

    #[test]
    fn refuses_two_markers_a_line_and_markers_never_seen_together() {
        let two: Vec<_> = (0..5).map(|frame| moved(frame).1[..2].to_vec()).collect();
        assert!(Cluster::new(&two).unwrap_err().to_string().contains("at least 3"));
        let line = vec![[0.0, 1.0, 2.0].map(|x| Some(Point3::new(x, x, x))).to_vec(); 3];
        assert!(Cluster::new(&line).unwrap_err().to_string().contains("line"));
        let mut frames: Vec<_> = (0..4).map(|frame| moved(frame).1).collect();
        frames.iter_mut().enumerate().for_each(|(i, frame)| frame[i] = None);
        assert!(Cluster::new(&frames).unwrap_err().to_string().contains("all its markers"));
    }
}
