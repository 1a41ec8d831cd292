//! A segment during calibration: its shape and its pose in every frame.

use nalgebra::{Isometry3, Matrix3, Point3, Translation3, Vector3};

use super::SegmentFrame;
use super::frames::Frames;
use super::poses::Poses;
use super::range::swing;
use super::two_sided::Side;
use crate::rigid::{Shape, Sight, Traces};

/// A segment with a pose in every frame that shows enough of it.
#[derive(Debug, Clone)]
pub(crate) struct Body {
    pub shape: Shape,
    /// How many of the shape's points are markers; the others are joints and axes.
    pub markers: usize,
    pub world_from_segment: Vec<Option<Isometry3<f64>>>,
    /// The frames whose markers disagree too much to be trusted.
    pub odd_frames: Vec<usize>,
    /// For every frame what the points that it shows tell of the pose; empty if every frame shows them all.
    pub sights: Vec<Sight>,
    /// How many times more than all points those of its frames leave open of its orientation, on average.
    pub by_gaps: f64,
    /// How far its markers slide against each other as it moves: the variance of one marker along one axis,
    /// without what is new in every frame.
    pub skin_m2: f64,
    /// Whether its turn about the line from the joint to its marker is only supposed.
    pub is_twist_open: bool,
}

/// Rounds of averaging the shape over all frames, where these show different points.
const GAP_ROUNDS: usize = 2;

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

impl Points<'_> {
    /// Whether a point has a place in a frame.
    pub fn has(&self, frame: usize, point: usize) -> bool {
        match self.markers.get(point) {
            Some(marker) => self.frames.position_m(frame, *marker).is_some(),
            None => self.known[point - self.markers.len()].world_from_neighbour[frame].is_some(),
        }
    }
}

impl Body {
    /// Learns a segment from its points; `None` if they do not determine an orientation.
    pub fn learn(points: &Points, rule: SegmentFrame) -> Option<Self> {
        let count = points.markers.len() + points.known.len();
        let indices: Vec<usize> = (0..count).collect();
        let mut shape = Shape::learn(points, &indices)?;
        for (weight, marker) in shape.weights.iter_mut().zip(points.markers) {
            *weight *= points.frames.weight(*marker);
        }
        let has_gaps =
            (0..points.frames()).any(|frame| indices.iter().any(|i| !points.has(frame, *i)));
        let mut poses = Poses::new(points, &shape, rule, has_gaps)?;
        // Frames that show other points agree about the pose as well as the shape is known.
        for _ in 0..if has_gaps { GAP_ROUNDS } else { 0 } {
            poses.average(points, &mut shape);
            poses = Poses::new(points, &shape, rule, has_gaps)?;
        }
        if let Some(sigma_m) = poses.sigma_m.filter(|_| rule == SegmentFrame::AllMarkers) {
            shape.sigma_m = sigma_m;
        }
        let Poses { world_from_segment, odd_frames, sights, by_gaps, .. } = poses;
        let markers = points.markers.len();
        let mut body = Self {
            shape,
            markers,
            world_from_segment,
            odd_frames,
            sights,
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
            sights: Vec::new(),
            by_gaps: 1.0,
            skin_m2: 0.0,
            is_twist_open: true,
        })
    }

    /// The covariance of the orientation in the segment's axes, by noise and by skin.
    pub fn orientation_rad2(&self) -> Matrix3<f64> {
        let side = self.side(Point3::origin());
        side.orientation_rad2 + side.skin_orientation_rad2
    }

    /// The segment as one side of a joint.
    pub fn side(&self, prior_in_segment_m: Point3<f64>) -> Side<'_> {
        let points = &self.shape.points_in_segment_m;
        let total: f64 = self.shape.weights.iter().sum();
        let weighted = points.iter().zip(&self.shape.weights);
        let mean = weighted.map(|(p, w)| p.coords * *w).sum::<Vector3<f64>>() / total;
        let variance = self.by_gaps * self.shape.sigma_m.powi(2);
        let inverse = self.shape.orientation_spread(|_| true);
        let freedom = (3 * points.len()).saturating_sub(6) * self.world_from_segment.len();
        Side {
            world_from_segment: &self.world_from_segment,
            sights: &self.sights,
            sigma_m2: self.shape.sigma_m.powi(2),
            noise_doubt: (2.0 / freedom.max(1) as f64).sqrt(),
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
