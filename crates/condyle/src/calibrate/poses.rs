//! Where a segment of known shape is in every frame, and what each frame shows of it.

use nalgebra::{Isometry3, Point3, Vector3};

use super::SegmentFrame;
use super::body::Points;
use crate::rigid::{Pair, Placement, Shape, Sight, Traces, place};
use crate::statistics::median;

/// Frames that disagree by so many times the median, and three millimetres, are odd.
const MAX_RELATIVE_RMS: f64 = 6.0;
const MIN_ODD_RMS_M: f64 = 3e-3;

/// A frame whose points leave this many times more open of the orientation than all points teaches nothing, unless half
/// of the frames are no better: few points nearly on a line make turns of their noise.
const MAX_SPREAD: f64 = 1.5;

/// The poses of a segment.
pub(super) struct Poses {
    pub world_from_segment: Vec<Option<Isometry3<f64>>>,
    /// The frames whose markers disagree too much to be trusted.
    pub odd_frames: Vec<usize>,
    /// For every frame what the points that it shows tell of the pose; empty if every frame shows them all.
    pub sights: Vec<Sight>,
    /// How many times more than all points those of its frames leave open of its orientation, on average.
    pub by_gaps: f64,
    /// The noise that the disagreement of the points shows: one standard deviation an axis; `None` if there is no more
    /// of them than a pose needs.
    pub sigma_m: Option<f64>,
}

impl Poses {
    /// Places a shape in every frame that shows enough of it; `None` if no frame does.
    pub fn new(points: &Points, shape: &Shape, rule: SegmentFrame, has_gaps: bool) -> Option<Self> {
        let count = shape.points_in_segment_m.len();
        let all = shape.sight(|_| true);
        let (mut placed, mut sights) = (Vec::new(), Vec::new());
        for frame in 0..points.frames() {
            let pairs = (0..count).filter_map(|i| {
                Some(Pair {
                    in_segment_m: shape.points_in_segment_m[i],
                    in_world_m: points.position_m(frame, i)?,
                    weight: shape.weights[i],
                })
            });
            let by_triad = || shape.place_by_triad(|i| points.position_m(frame, i));
            placed.push(match rule {
                SegmentFrame::AllMarkers => place(pairs),
                SegmentFrame::Triads => place(pairs)
                    .and_then(|there| Some(Placement { world_from_segment: by_triad()?, ..there })),
            });
            if has_gaps {
                sights.push(shape.sight(|i| points.has(frame, i)));
            }
        }
        let sight = |frame: usize| sights.get(frame).unwrap_or(&all);
        let turn = |frame: usize| sight(frame).orientation.trace();
        let frames = || placed.iter().enumerate().filter_map(|(i, there)| Some((i, (*there)?)));
        let mut most = MAX_SPREAD * all.orientation.trace();
        if has_gaps {
            most = most.max(median(frames().map(|(frame, _)| turn(frame)))?);
        }
        let kept = || frames().filter(|(frame, _)| turn(*frame) <= most);
        let limit_m =
            (MAX_RELATIVE_RMS * median(frames().map(|(_, there)| there.rms_m))?).max(MIN_ODD_RMS_M);
        let mut poses = Self {
            world_from_segment: vec![None; placed.len()],
            odd_frames: Vec::new(),
            by_gaps: kept().map(|(frame, _)| turn(frame)).sum::<f64>()
                / (all.orientation.trace() * kept().count() as f64),
            sigma_m: None,
            sights: Vec::new(),
        };
        let (mut square, mut freedom) = (0.0, 0.0);
        for (frame, there) in kept() {
            if there.rms_m > limit_m {
                poses.odd_frames.push(frame);
                continue;
            }
            poses.world_from_segment[frame] = Some(there.world_from_segment);
            square += sight(frame).weight * there.rms_m.powi(2);
            freedom += 3.0 * there.points as f64 - 6.0;
        }
        poses.sigma_m = (freedom > 0.0).then(|| (square / freedom).sqrt());
        poses.sights = sights;
        Some(poses)
    }

    /// The shape as the mean over all frames.
    pub fn average(&self, points: &Points, shape: &mut Shape) {
        for (i, own) in shape.points_in_segment_m.iter_mut().enumerate() {
            let (mut sum, mut count) = (Vector3::zeros(), 0.0);
            for (frame, pose) in self.world_from_segment.iter().enumerate() {
                if let (Some(pose), Some(position_m)) = (pose, points.position_m(frame, i)) {
                    sum += pose.inverse_transform_point(&position_m).coords;
                    count += 1.0;
                }
            }
            if count > 0.0 {
                *own = Point3::from(sum / count);
            }
        }
    }
}
