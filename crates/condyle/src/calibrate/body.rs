//! A segment during calibration: its shape and its pose in every frame.

use nalgebra::{Isometry3, Point3, Translation3, Vector3};

use super::FrameRule;
use super::frames::Frames;
use super::range::swing;
use super::two_sided::Side;
use crate::rigid::{Pair, Placement, Shape, Traces, place};
use crate::statistics::median;

/// A segment with a pose in every frame that shows enough of it.
#[derive(Debug, Clone)]
pub(crate) struct Body {
    pub shape: Shape,
    /// How many of the shape's points are markers; the others are joints and axes.
    pub markers: usize,
    pub world_from_segment: Vec<Option<Isometry3<f64>>>,
    /// The frames whose markers disagree too much to be trusted.
    pub odd_frames: Vec<usize>,
    /// How many times more than all points those of its frames leave open of its orientation, on average.
    pub by_gaps: f64,
    /// How far its markers slide against each other as it moves: the variance of one marker along one axis,
    /// without what is new in every frame.
    pub skin_m2: f64,
    /// Whether its turn about the line from the joint to its marker is only supposed.
    pub is_twist_open: bool,
}

/// Frames that disagree by so many times the median, and three millimetres, are odd.
const MAX_RELATIVE_RMS: f64 = 6.0;
const MIN_ODD_RMS_M: f64 = 3e-3;

/// A frame whose points leave this many times more open of the orientation than all points teaches nothing, unless half
/// of the frames are no better: few points nearly on a line make turns of their noise.
const MAX_SPREAD: f64 = 1.5;

/// Every so many frames two neighbours are compared.
const SKIN_STRIDE: usize = 8;

/// The markers of a segment, and points that its neighbours know of: joints, and a step along an axis.
pub(crate) struct Points<'a> {
    pub frames: &'a Frames,
    pub markers: &'a [usize],
    pub known: &'a [Known<'a>],
}

/// A point fixed to a segment whose place is known through a neighbour.
pub(crate) struct Known<'a> {
    pub world_from_neighbour: &'a [Option<Isometry3<f64>>],
    pub in_neighbour_m: Point3<f64>,
}

impl Traces for Points<'_> {
    fn frames(&self) -> usize {
        self.frames.frames()
    }

    #[inline]
    fn position_m(&self, frame: usize, point: usize) -> Option<Point3<f64>> {
        match self.markers.get(point) {
            Some(marker) => self.frames.position_m(frame, *marker),
            None => {
                let known = &self.known[point - self.markers.len()];
                Some(known.world_from_neighbour[frame].as_ref()? * known.in_neighbour_m)
            }
        }
    }
}

impl Body {
    /// Learns a segment from its points; `None` if they do not determine an orientation.
    pub fn learn(points: &Points, rule: FrameRule) -> Option<Self> {
        let count = points.markers.len() + points.known.len();
        let indices: Vec<usize> = (0..count).collect();
        let mut shape = Shape::learn(points, &indices)?;
        for (weight, marker) in shape.weights.iter_mut().zip(points.markers) {
            *weight *= points.frames.weight(*marker);
        }
        let mut rms_m = Vec::new();
        let mut placed: Vec<Option<(Isometry3<f64>, f64)>> = Vec::new();
        let mut turns = Vec::new();
        for frame in 0..points.frames() {
            let pairs = indices.iter().filter_map(|&i| {
                Some(Pair {
                    in_segment_m: shape.points_in_segment_m[i],
                    in_world_m: points.position_m(frame, i)?,
                    weight: shape.weights[i],
                })
            });
            let by_triad = || shape.place_by_triad(|i| points.position_m(frame, i));
            let placement = match rule {
                FrameRule::AllMarkers => place(pairs),
                FrameRule::Triads => place(pairs)
                    .and_then(|there| Some(Placement { world_from_segment: by_triad()?, ..there })),
            };
            rms_m.extend(placement.map(|placement| placement.rms_m));
            turns.push(placement.map(|_| {
                shape.orientation_spread(|i| points.position_m(frame, i).is_some()).trace()
            }));
            placed.push(placement.map(|there| (there.world_from_segment, there.rms_m)));
        }
        let all = shape.orientation_spread(|_| true).trace();
        let most = f64::max(MAX_SPREAD * all, median(turns.iter().flatten().copied())?);
        let kept: Vec<f64> = turns.iter().flatten().copied().filter(|turn| *turn <= most).collect();
        let by_gaps = kept.iter().sum::<f64>() / (all * kept.len() as f64);
        let limit_m = (MAX_RELATIVE_RMS * median(rms_m)?).max(MIN_ODD_RMS_M);
        let mut odd_frames = Vec::new();
        let world_from_segment = placed
            .into_iter()
            .zip(turns)
            .enumerate()
            .map(|(frame, (placed, turn))| {
                let (pose, rms_m) = placed.filter(|_| turn.is_some_and(|turn| turn <= most))?;
                if rms_m > limit_m {
                    odd_frames.push(frame);
                    return None;
                }
                Some(pose)
            })
            .collect();
        let markers = points.markers.len();
        let mut body = Self {
            shape,
            markers,
            world_from_segment,
            odd_frames,
            by_gaps,
            skin_m2: 0.0,
            is_twist_open: false,
        };
        body.skin_m2 = body.skin_m2(points);
        Some(body)
    }

    /// What neighbouring frames have in common of how the points stray from their places: the noise of
    /// cameras is new in every frame, skin is not.
    fn skin_m2(&self, points: &Points) -> f64 {
        let count = self.shape.points_in_segment_m.len();
        let stray = |frame: usize, i: usize| {
            let there = self.world_from_segment[frame].as_ref()?;
            let seen = there.inverse_transform_point(&points.position_m(frame, i)?);
            Some(seen - self.shape.points_in_segment_m[i])
        };
        let (mut alike, mut square, mut freedom) = (0.0, 0.0, 0.0);
        for frame in (1..points.frames()).step_by(SKIN_STRIDE) {
            let mut seen = 0.0;
            for i in 0..count {
                if let (Some(a), Some(b)) = (stray(frame - 1, i), stray(frame, i)) {
                    alike += a.dot(&b);
                    square += 0.5 * (a.norm_squared() + b.norm_squared());
                    seen += 1.0;
                }
            }
            freedom += f64::max(3.0 * seen - 6.0, 0.0);
        }
        let by_chance = 3.0 * square / f64::max(freedom, 1.0).sqrt();
        if freedom < 30.0 || alike <= by_chance { 0.0 } else { alike / freedom }
    }

    /// A segment of one marker on a joint: it swings after its marker the shortest way from how it
    /// hangs on its neighbour on average. Origin in the joint, x towards the marker.
    pub fn swinging(points: &Points) -> Option<Self> {
        let (marker, known) = (*points.markers.first()?, points.known.first()?);
        let arm = |frame: usize| {
            let pose = known.world_from_neighbour[frame]?;
            let position_m = points.frames.position_m(frame, marker)?;
            Some((pose, pose.inverse_transform_point(&position_m) - known.in_neighbour_m))
        };
        let frames = points.frames();
        let (mut sum, mut length_m, mut count) = (Vector3::zeros(), 0.0, 0.0);
        for (_, arm) in (0..frames).filter_map(arm) {
            sum += arm;
            length_m += arm.norm();
            count += 1.0;
        }
        if count == 0.0 || sum.norm() <= 0.0 {
            return None;
        }
        let along = sum.normalize();
        let rest = swing(&Vector3::x(), &along);
        let place = |frame: usize| {
            let (pose, arm) = arm(frame)?;
            let turn = swing(&along, &arm) * rest;
            let joint = Translation3::from(known.in_neighbour_m.coords);
            Some(pose * Isometry3::from_parts(joint, turn))
        };
        let others = points.markers.len() - 1;
        let mut points_in_segment_m = vec![Point3::new(length_m / count, 0.0, 0.0)];
        points_in_segment_m.extend(std::iter::repeat_n(Point3::origin(), others));
        Some(Self {
            shape: Shape {
                weights: vec![1.0; points_in_segment_m.len()],
                rms_m: vec![0.0; points_in_segment_m.len()],
                points_in_segment_m,
                sigma_m: 0.0,
                corners: [0; 3],
            },
            markers: points.markers.len(),
            world_from_segment: (0..frames).map(place).collect(),
            odd_frames: Vec::new(),
            by_gaps: 1.0,
            skin_m2: 0.0,
            is_twist_open: true,
        })
    }

    /// How far off the orientation is about an axis, by noise and by skin: one standard deviation.
    pub fn orientation_error_rad(&self) -> f64 {
        let side = self.side(Point3::origin());
        ((side.orientation_rad2 + side.skin_orientation_rad2).trace() / 3.0).sqrt()
    }

    /// The segment as one side of a joint.
    pub fn side(&self, prior_in_segment_m: Point3<f64>) -> Side<'_> {
        let points = &self.shape.points_in_segment_m;
        let total: f64 = self.shape.weights.iter().sum();
        let weighted = points.iter().zip(&self.shape.weights);
        let mean = weighted.map(|(p, w)| p.coords * *w).sum::<Vector3<f64>>() / total;
        let variance = self.by_gaps * self.shape.sigma_m.powi(2);
        let inverse = self.shape.orientation_spread(|_| true);
        Side {
            world_from_segment: &self.world_from_segment,
            mean_in_segment_m: Point3::from(mean),
            orientation_rad2: inverse * variance,
            mean_m2: variance / total,
            skin_orientation_rad2: inverse * self.skin_m2,
            // Half of what skin does is common to all markers, and moves their mean as a whole.
            skin_mean_m2: self.skin_m2 * (1.0 + 1.0 / total),
            prior_in_segment_m,
        }
    }
}
