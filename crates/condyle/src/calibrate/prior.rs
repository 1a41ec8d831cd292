//! Where a joint is supposed to be before any motion is looked at.

use nalgebra::{Isometry3, Point3};

use super::frames::Frames;
use super::two_sided::Supposed;
use crate::rigid::Traces;
use crate::statistics::{centroid, mean};

/// Halfway between the nearest markers of two segments.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Prior {
    /// The two markers, one of each segment.
    markers: [usize; 2],
    /// How far off it may well be: half the distance between the two markers.
    pub sd_m: f64,
    /// The mean distance between markers of the one segment and of the other.
    pub reach_m: f64,
}

/// No guess is better than this.
const MIN_SD_M: f64 = 0.02;
/// How much it counts against skin. Simulated hips and knees are best between a third and one.
const SHARE_AGAINST_SKIN: f64 = 0.5;
/// Frames looked at.
const MAX_FRAMES: usize = 100;

impl Prior {
    /// The prior between two segments; `None` if no frame shows a marker of each.
    pub fn between(frames: &Frames, first: &[usize], second: &[usize]) -> Option<Self> {
        let stride = frames.frames().div_ceil(MAX_FRAMES).max(1);
        let sampled = || (0..frames.frames()).step_by(stride);
        let mean_distance_m = |a: usize, b: usize| {
            mean(sampled().filter_map(|frame| {
                Some((frames.position_m(frame, a)? - frames.position_m(frame, b)?).norm())
            }))
        };
        let mut nearest: Option<([usize; 2], f64)> = None;
        let (mut total_m, mut pairs) = (0.0, 0.0);
        for &a in first {
            for &b in second {
                let Some(distance_m) = mean_distance_m(a, b) else { continue };
                total_m += distance_m;
                pairs += 1.0;
                if nearest.is_none_or(|(_, least)| distance_m < least) {
                    nearest = Some(([a, b], distance_m));
                }
            }
        }
        let (markers, nearest_m) = nearest?;
        let reach_m = total_m / pairs;
        Some(Self { markers, sd_m: (0.5 * nearest_m).max(MIN_SD_M), reach_m })
    }

    /// How far it may be off, and how much it counts.
    pub fn supposed(&self) -> Supposed {
        let (sd_m, share_against_skin) = (self.sd_m, SHARE_AGAINST_SKIN);
        Supposed { sd_m, share_against_skin, distance_m: self.reach_m }
    }

    /// The mean of the point in a segment's frame.
    pub fn in_segment_m(
        &self,
        frames: &Frames,
        world_from_segment: &[Option<Isometry3<f64>>],
    ) -> Option<Point3<f64>> {
        let stride = frames.frames().div_ceil(4 * MAX_FRAMES).max(1);
        let posed = world_from_segment.iter().enumerate().step_by(stride);
        centroid(posed.filter_map(|(frame, pose)| {
            let [a, b] = self.markers.map(|marker| frames.position_m(frame, marker));
            Some(pose.as_ref()?.inverse_transform_point(&nalgebra::center(&a?, &b?)))
        }))
    }
}
