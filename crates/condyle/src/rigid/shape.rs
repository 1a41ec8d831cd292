//! The shape of a segment: its markers in its own frame, learned from a recording with gaps.

use nalgebra::{Isometry3, Matrix3, Point3, Vector3};

use super::{Pair, Placement, place, triad};
use crate::statistics::quantile_in_place;
use crate::trial::Trial;

/// Markers in every frame: `None` where one is not seen.
pub trait Traces {
    /// How many frames there are.
    fn frames(&self) -> usize;
    /// Where a marker is in a frame, in metres.
    fn position_m(&self, frame: usize, marker: usize) -> Option<Point3<f64>>;
}

impl Traces for Trial {
    fn frames(&self) -> usize {
        self.frames
    }

    fn position_m(&self, frame: usize, marker: usize) -> Option<Point3<f64>> {
        self.markers.get(marker)?.position_m(frame)
    }
}

/// Three or more points fixed to one segment.
#[derive(Debug, Clone, PartialEq)]
pub struct Shape {
    /// The points in the segment's frame: origin in their mean, axes of [`triad::from_three`] on the
    /// three points that span the largest triangle.
    pub points_in_segment_m: Vec<Point3<f64>>,
    /// How much each counts: one over its variance, relative to the others.
    pub weights: Vec<f64>,
    /// How far each is from where the others put it: rms over the frames, in metres.
    pub rms_m: Vec<f64>,
    /// The noise that the disagreement of the points shows: one standard deviation an axis.
    pub sigma_m: f64,
    /// The three points that span the largest triangle.
    pub corners: [usize; 3],
}

/// A marker that a pose follows but for this many coordinates says nothing of its own noise.
const MIN_FREEDOM: f64 = 0.1;
/// Rounds of placing every frame and averaging again.
const ROUNDS: usize = 3;
/// Frames that disagree by so many times the lower quartile, and a millimetre, teach nothing.
const MAX_RELATIVE_RMS: f64 = 4.0;
/// Frames looked at while learning: spread over the recording.
const MAX_FRAMES: usize = 600;

impl Shape {
    /// Learns the shape of `markers` from what is seen of them.
    ///
    /// Frames in which markers have changed places or jumped disagree with the others and are left out.
    /// `None` if no frame shows three of the markers, or they are on a line.
    pub fn learn(traces: &impl Traces, markers: &[usize]) -> Option<Self> {
        let stride = traces.frames().div_ceil(MAX_FRAMES).max(1);
        let frames: Vec<usize> = (0..traces.frames()).step_by(stride).collect();
        let seen_in = |frame: usize| {
            markers.iter().filter(|marker| traces.position_m(frame, **marker).is_some()).count()
        };
        // The first of the fullest frames is the first guess.
        let fullest = frames.iter().copied().rev().max_by_key(|frame| seen_in(*frame))?;
        let mut known: Vec<Option<Point3<f64>>> =
            markers.iter().map(|marker| traces.position_m(fullest, *marker)).collect();
        let mut shape = Self {
            points_in_segment_m: Vec::new(),
            weights: vec![1.0; markers.len()],
            rms_m: vec![0.0; markers.len()],
            sigma_m: 0.0,
            corners: [0, 1, 2],
        };
        // Every round may bring in markers that were never seen together with the first ones.
        let mut complete_rounds = 0;
        for _ in 0..ROUNDS + markers.len() {
            let placed = shape.place_all(traces, markers, &known, &frames);
            if placed.is_empty() {
                return None;
            }
            let was_complete = known.iter().all(Option::is_some);
            shape.average(traces, markers, &mut known, &placed);
            if was_complete && known.iter().all(Option::is_some) && placed.len() > 2 {
                shape.reweigh(traces, markers, &known, &placed);
                complete_rounds += 1;
                if complete_rounds == ROUNDS {
                    break;
                }
            }
        }
        shape.points_in_segment_m = known.into_iter().collect::<Option<_>>()?;
        shape.into_own_frame()
    }

    /// The frames that agree with what is known so far, each with its pose.
    fn place_all(
        &self,
        traces: &impl Traces,
        markers: &[usize],
        known: &[Option<Point3<f64>>],
        frames: &[usize],
    ) -> Vec<(usize, Placement)> {
        let mut placed: Vec<(usize, Placement)> = frames
            .iter()
            .filter_map(|&frame| {
                let pairs = markers.iter().enumerate().filter_map(|(i, marker)| {
                    Some(Pair {
                        in_segment_m: known[i]?,
                        in_world_m: traces.position_m(frame, *marker)?,
                        weight: self.weights[i],
                    })
                });
                Some((frame, place(pairs)?))
            })
            .collect();
        let mut rms_m: Vec<f64> = placed.iter().map(|(_, placement)| placement.rms_m).collect();
        if rms_m.len() >= 4
            && let Some(lower_quartile_m) = quantile_in_place(&mut rms_m, 0.25)
        {
            let limit_m = MAX_RELATIVE_RMS * lower_quartile_m + 1e-3;
            placed.retain(|(_, placement)| placement.rms_m <= limit_m);
        }
        placed
    }

    /// Replaces what is known by the mean over the frames.
    fn average(
        &self,
        traces: &impl Traces,
        markers: &[usize],
        known: &mut [Option<Point3<f64>>],
        placed: &[(usize, Placement)],
    ) {
        for (known, marker) in known.iter_mut().zip(markers) {
            let (mut sum, mut count) = (Vector3::zeros(), 0.0);
            for (frame, placement) in placed {
                if let Some(position_m) = traces.position_m(*frame, *marker) {
                    let pose = &placement.world_from_segment;
                    sum += pose.inverse_transform_point(&position_m).coords;
                    count += 1.0;
                }
            }
            if count > 0.0 {
                *known = Some(Point3::from(sum / count));
            }
        }
    }

    /// Lets markers count by how still they are: those on loose skin count less.
    ///
    /// The variance of each marker is mixed evenly with the mean of all, because with few markers the
    /// fit spreads the motion of one over its neighbours.
    fn reweigh(
        &mut self,
        traces: &impl Traces,
        markers: &[usize],
        known: &[Option<Point3<f64>>],
        placed: &[(usize, Placement)],
    ) {
        let everyone = Leverage::new(known, &self.weights, |_| true);
        let (mut total, mut freedom) = (0.0, 0.0);
        let mut squares = vec![(0.0, 0.0, 0.0); markers.len()];
        for (frame, placement) in placed {
            let seen = |i: usize| traces.position_m(*frame, markers[i]);
            let own = (placement.points < markers.len())
                .then(|| Leverage::new(known, &self.weights, |i| seen(i).is_some()));
            let leverage = own.as_ref().unwrap_or(&everyone);
            for (i, (square, free, count)) in squares.iter_mut().enumerate() {
                if let (Some(known), Some(position_m)) = (known[i], seen(i)) {
                    let there = placement.world_from_segment * known;
                    *square += (position_m - there).norm_squared();
                    *free += 3.0 - leverage.of(&known, self.weights[i]);
                    *count += 1.0;
                }
            }
            freedom += 3.0 * placement.points as f64 - 6.0;
        }
        for (rms_m, (square, _, count)) in self.rms_m.iter_mut().zip(&squares) {
            *rms_m = if *count > 0.0 { f64::sqrt(square / count) } else { 0.0 };
            total += square;
        }
        self.sigma_m = (total / freedom.max(1.0)).sqrt();
        // What the pose takes up of a marker's noise does not show in its residual.
        let least = MIN_FREEDOM * placed.len() as f64;
        let squares = squares.iter().map(|(square, free, _)| square / free.max(least));
        let mean = squares.clone().sum::<f64>() / markers.len() as f64;
        if mean > 0.0 {
            self.weights = squares.map(|square| 2.0 * mean / (square + mean)).collect();
        }
    }

    /// The covariance of the orientation, by the points that are seen, where their weights are information; zero if they
    /// leave it open.
    pub fn orientation_spread(&self, is_seen: impl Fn(usize) -> bool) -> Matrix3<f64> {
        self.sight(is_seen).orientation
    }

    /// What the points that are seen tell of the pose, where their weights are information.
    pub(crate) fn sight(&self, is_seen: impl Fn(usize) -> bool) -> Sight {
        let points = self.points_in_segment_m.iter().zip(&self.weights).enumerate();
        sight(points.filter(|(i, _)| is_seen(*i)).map(|(_, (point, weight))| (*point, *weight)))
    }

    /// The same shape in the axes of its largest triangle, about its mean.
    fn into_own_frame(self) -> Option<Self> {
        let (corners, frame) = own_frame(&self.points_in_segment_m)?;
        let own_from_learned = frame.inverse();
        let points_in_segment_m =
            self.points_in_segment_m.iter().map(|p| own_from_learned * p).collect();
        Some(Self { points_in_segment_m, corners, ..self })
    }

    /// The pose by the triad of the three corners alone, as the documents have it; the other points, and the
    /// noise of these, are not looked at. `None` unless all three are seen.
    pub fn place_by_triad(
        &self,
        mut seen_m: impl FnMut(usize) -> Option<Point3<f64>>,
    ) -> Option<Isometry3<f64>> {
        let [a, b, c] = self.corners;
        let world_from_triad = triad::from_three([seen_m(a)?, seen_m(b)?, seen_m(c)?])?;
        let own = |corner: usize| self.points_in_segment_m.get(corner).copied();
        let segment_from_triad = triad::from_three([own(a)?, own(b)?, own(c)?])?;
        Some(world_from_triad * segment_from_triad.inverse())
    }
}

/// What points tell of the pose of their segment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Sight {
    /// Their mean, whose position does not depend on the orientation's error.
    pub mean_m: Point3<f64>,
    /// The information about that position.
    pub weight: f64,
    /// The covariance of the orientation; zero if they leave it open.
    pub orientation: Matrix3<f64>,
}

fn sight(seen: impl Iterator<Item = (Point3<f64>, f64)> + Clone) -> Sight {
    let weight: f64 = seen.clone().map(|(_, weight)| weight).sum();
    let mean = seen.clone().map(|(p, w)| p.coords * w).sum::<Vector3<f64>>() / weight;
    let information: Matrix3<f64> = seen
        .map(|(point, weight)| {
            let arm = point.coords - mean;
            (Matrix3::identity() * arm.norm_squared() - arm * arm.transpose()) * weight
        })
        .sum();
    let orientation = information.try_inverse().unwrap_or_else(Matrix3::zeros);
    Sight { mean_m: Point3::from(mean), weight, orientation }
}

/// How much of the noise of points the pose takes up.
struct Leverage(Sight);

impl Leverage {
    fn new(
        known: &[Option<Point3<f64>>],
        weights: &[f64],
        is_seen: impl Fn(usize) -> bool + Clone,
    ) -> Self {
        let points = known.iter().zip(weights).enumerate().filter(|(i, _)| is_seen(*i));
        Self(sight(points.filter_map(|(_, (point, weight))| Some(((*point)?, *weight)))))
    }

    /// Of the three coordinates of a point.
    fn of(&self, point: &Point3<f64>, weight: f64) -> f64 {
        let cross = (point - self.0.mean_m).cross_matrix();
        let turned = -(cross * self.0.orientation * cross).trace();
        (weight * (3.0 / self.0.weight + turned)).clamp(0.0, 3.0)
    }
}

/// The corners of the largest triangle among points, and their frame: axes from that triangle, origin in
/// the mean of all.
fn own_frame(points_m: &[Point3<f64>]) -> Option<([usize; 3], Isometry3<f64>)> {
    let mut best = ([0, 1, 2], 0.0);
    for a in 0..points_m.len() {
        for b in a + 1..points_m.len() {
            for c in b + 1..points_m.len() {
                let area = (points_m[b] - points_m[a]).cross(&(points_m[c] - points_m[a])).norm();
                // A little larger is not worth another choice: it has to be the same for every trial.
                if area > 1.05 * best.1 {
                    best = ([a, b, c], area);
                }
            }
        }
    }
    let (corners, area) = best;
    if area <= 0.0 {
        return None;
    }
    let mut frame = triad::from_three(corners.map(|i| points_m[i]))?;
    let mean = points_m.iter().map(|p| p.coords).sum::<Vector3<f64>>() / points_m.len() as f64;
    frame.translation.vector = mean;
    Some((corners, frame))
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Table(Vec<Vec<Option<Point3<f64>>>>);

    impl Traces for Table {
        fn frames(&self) -> usize {
            self.0.len()
        }
        fn position_m(&self, frame: usize, marker: usize) -> Option<Point3<f64>> {
            self.0[frame][marker]
        }
    }

    const POINTS: [[f64; 3]; 5] =
        [[0.0, 0.0, 0.0], [0.2, 0.0, 0.0], [0.05, 0.1, 0.0], [0.1, 0.05, 0.08], [-0.05, 0.02, 0.1]];

    fn table(frames: usize, is_seen: impl Fn(usize, usize) -> bool) -> Table {
        Table(
            (0..frames)
                .map(|frame| {
                    let t = frame as f64 * 0.1;
                    let turn = Vector3::new(t, -0.5 * t, 0.3);
                    let pose = Isometry3::new(Vector3::new(t, 2.0, -t), turn);
                    let point =
                        |m: usize| is_seen(frame, m).then(|| pose * Point3::from(POINTS[m]));
                    (0..5).map(point).collect()
                })
                .collect(),
        )
    }

    fn distances(points: &[Point3<f64>]) -> Vec<f64> {
        let pairs = (0..points.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
        pairs.map(|(a, b)| (points[a] - points[b]).norm()).collect()
    }

    #[test]
    fn learns_the_shape_though_no_frame_shows_all_markers() {
        let holed = table(50, |frame, marker| (frame + marker) % 5 != 0);
        let shape = Shape::learn(&holed, &[0, 1, 2, 3, 4]).unwrap();
        let truth = POINTS.map(Point3::from);
        for (found, truth) in distances(&shape.points_in_segment_m).iter().zip(distances(&truth)) {
            assert!((found - truth).abs() < 1e-12);
        }
        assert!(shape.sigma_m < 1e-9);
    }

    #[test]
    fn frames_with_exchanged_markers_teach_nothing() {
        let mut table = table(60, |_, _| true);
        for frame in &mut table.0[35..] {
            frame.swap(0, 3);
        }
        let shape = Shape::learn(&table, &[0, 1, 2, 3, 4]).unwrap();
        let truth = POINTS.map(Point3::from);
        for (found, truth) in distances(&shape.points_in_segment_m).iter().zip(distances(&truth)) {
            assert!((found - truth).abs() < 1e-9, "{found} {truth}");
        }
    }

    #[test]
    fn a_loose_marker_counts_less() {
        let mut table = table(200, |_, _| true);
        for (k, frame) in table.0.iter_mut().enumerate() {
            if let Some(p) = &mut frame[4] {
                p.x += 0.01 * (k as f64).sin();
                p.y += 0.01 * (1.7 * k as f64).cos();
            }
        }
        let shape = Shape::learn(&table, &[0, 1, 2, 3, 4]).unwrap();
        assert!(shape.weights[4] < 0.6 * shape.weights[0], "{:?}", shape.weights);
        assert!(shape.rms_m[4] > 2.0 * shape.rms_m[0], "{:?}", shape.rms_m);
    }

    #[test]
    fn too_few_or_on_a_line_has_no_shape() {
        let pairs = table(20, |frame, marker| (marker + frame) % 5 < 2);
        assert_eq!(Shape::learn(&pairs, &[0, 1, 2, 3, 4]), None);
        assert_eq!(Shape::learn(&table(20, |_, _| true), &[0, 1]), None);
        assert_eq!(Shape::learn(&table(0, |_, _| true), &[0, 1, 2]), None);
    }
}
