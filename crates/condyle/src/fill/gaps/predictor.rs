//! Markers of a stream that are not seen, predicted from those that are: a line in the pose of their neighbours.
//!
//! The local process looks at every frame that it has learnt from; a stream has no time for that. Here what was learnt
//! is a line, and a step costs a microsecond a hidden marker and allocates nothing.

use nalgebra::{DMatrix, DVector, Isometry3, Matrix3xX, Point3, Vector3};

use super::local_frame::{LocalFrame, SPREAD_FLOOR_M};
use super::neighbours::{Neighbour, Neighbours};
use super::tracks::{Gap, Tracks};
use crate::statistics::mean;

/// Neighbours that make the local frame, and that are looked at in it.
const IN_FRAME: usize = 4;
const INFORMING: usize = 8;
/// At most so many frames are learnt from, and at least.
const MOST_FRAMES: usize = 600;
const MIN_FRAMES: usize = 24;
/// The share of the frames, the last ones, in which the line is tried.
const TRIED: f64 = 0.3;
/// How strongly the line is held flat: those that are tried.
const RIDGES: [f64; 6] = [1e-3, 1e-2, 1e-1, 1.0, 10.0, 100.0];
/// What the line leaves over is forgotten within these bounds, in seconds.
const FORGOTTEN_S: [f64; 2] = [0.02, 2.0];
/// The standard deviation of a sample, in metres.
const NOISE_M: f64 = 3e-4;

/// Where one marker is, given some others.
#[derive(Debug, Clone)]
pub struct Predictor {
    frame: LocalFrame,
    informing: Vec<Neighbour>,
    mean_m: Vector3<f64>,
    feature_means: DVector<f64>,
    /// Metres a feature.
    slope: Matrix3xX<f64>,
    /// The inverse of the information about the slope, over the variance of what is left over.
    open: DMatrix<f64>,
    /// The variance along each axis of what the line leaves over, where it was tried.
    left_m2: f64,
    forgotten_s: f64,
}

/// A prediction in the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Predicted {
    /// Where.
    pub position_m: Point3<f64>,
    /// The variance along each axis, in square metres.
    pub variance_m2: f64,
}

impl Predictor {
    /// Learns where a marker is from the others that `may_use` lets in; `None` if there is too little to learn from.
    ///
    /// # Method
    /// The marker's place y in the frame of its most rigid neighbours is ȳ + B z, z the places of more of them in that
    /// frame, over their spread. B is that of ridge regression; how strongly it is held flat, and how much it leaves
    /// over, is told by the last frames after learning from those before them, for that is what it is used for. What
    /// was left over when the marker was last seen fades as exp(-t / τ), with the τ that the left-over has there.
    pub fn learn(tracks: &Tracks, marker: usize, may_use: impl Fn(usize) -> bool) -> Option<Self> {
        let learnable: Vec<usize> =
            (0..tracks.frames).filter(|t| tracks.seen[marker][*t]).collect();
        // Of a gap without frames every neighbour is seen throughout.
        let nowhere = Gap { marker, frames: 0..0 };
        let neighbours = Neighbours::of(tracks, &nowhere, &learnable, may_use);
        let near = &neighbours.ranked;
        let frame = (IN_FRAME..=near.len().min(IN_FRAME + 2))
            .chain((3..IN_FRAME).filter(|count| *count == near.len()))
            .find_map(|count| LocalFrame::of(tracks, &near[..count], &neighbours.frames))?;
        let informing = near[..near.len().min(INFORMING)].to_vec();
        let stride = neighbours.frames.len().div_ceil(MOST_FRAMES).max(1);
        let mut predictor = Self {
            frame,
            mean_m: Vector3::zeros(),
            feature_means: DVector::zeros(3 * informing.len()),
            slope: Matrix3xX::zeros(3 * informing.len()),
            open: DMatrix::zeros(3 * informing.len(), 3 * informing.len()),
            informing,
            left_m2: 0.0,
            forgotten_s: FORGOTTEN_S[0],
        };
        let rows: Vec<Row> = neighbours
            .frames
            .iter()
            .step_by(stride)
            .filter_map(|t| predictor.row(tracks, marker, *t))
            .collect();
        if rows.len() < MIN_FRAMES {
            return None;
        }
        let tried = rows.len() - (TRIED * rows.len() as f64) as usize;
        let mut best: Option<(f64, f64)> = None;
        for ridge in RIDGES {
            predictor.regress(&rows[..tried], ridge)?;
            let left_m2 =
                mean(rows[tried..].iter().map(|row| predictor.left_m(row).norm_squared()))?;
            if best.is_none_or(|(least_m2, _)| left_m2 < least_m2) {
                best = Some((left_m2, ridge));
            }
        }
        let (left_m2, ridge) = best?;
        predictor.regress(&rows[..tried], ridge)?;
        predictor.forgotten_s = predictor.forgotten(&rows[tried..], tracks.rate_hz);
        predictor.regress(&rows, ridge)?;
        predictor.left_m2 = left_m2 / 3.0 + NOISE_M * NOISE_M;
        predictor.left_m2.is_finite().then_some(predictor)
    }

    /// Whether all that it looks at is seen, and where its frame is.
    fn pose(&self, positions_m: &[Option<Point3<f64>>]) -> Option<Isometry3<f64>> {
        let is_seen = |n: &Neighbour| positions_m.get(n.marker).is_some_and(Option::is_some);
        if !self.informing.iter().all(is_seen) {
            return None;
        }
        self.frame.pose_of(|marker| positions_m.get(marker).copied().flatten())
    }

    /// The line at a pose, in the frame, and how far the pose is from those that were learnt from.
    fn line(
        &self,
        pose: &Isometry3<f64>,
        positions_m: &[Option<Point3<f64>>],
    ) -> (Vector3<f64>, f64) {
        let mut y = self.mean_m;
        let mut features = [0.0; 3 * INFORMING];
        for (index, neighbour) in self.informing.iter().enumerate() {
            let at_m = positions_m[neighbour.marker].unwrap_or_default();
            let local = pose.inverse_transform_point(&at_m).coords * scale(neighbour);
            for axis in 0..3 {
                let place = 3 * index + axis;
                features[place] = local[axis] - self.feature_means[place];
                y += self.slope.column(place) * features[place];
            }
        }
        let mut open = 0.0;
        for i in 0..3 * self.informing.len() {
            let column = self.open.column(i);
            let product: f64 = column.iter().zip(&features).map(|(a, b)| a * b).sum();
            open += features[i] * product;
        }
        (y, open.max(0.0))
    }

    /// What the line leaves over in a frame that shows the marker; `None` if it does not show all that is looked at.
    pub fn left_over_m(
        &self,
        positions_m: &[Option<Point3<f64>>],
        marker_m: &Point3<f64>,
    ) -> Option<Vector3<f64>> {
        let pose = self.pose(positions_m)?;
        let (line, _) = self.line(&pose, positions_m);
        Some(pose.inverse_transform_point(marker_m).coords - line)
    }

    /// Where the marker is in a frame, `since_s` after what was left over was seen; `None` if the frame does not show all
    /// that is looked at.
    pub fn predict(
        &self,
        positions_m: &[Option<Point3<f64>>],
        left_over: Option<(Vector3<f64>, f64)>,
    ) -> Option<Predicted> {
        let pose = self.pose(positions_m)?;
        let (line, open) = self.line(&pose, positions_m);
        let (left_m, share) = left_over.map_or((Vector3::zeros(), 0.0), |(left_m, since_s)| {
            let kept = (-since_s / self.forgotten_s).exp();
            (left_m * kept, kept * kept)
        });
        let variance_m2 = self.left_m2 * (1.0 - share + open) + NOISE_M * NOISE_M;
        let position_m = pose * Point3::from(line + left_m);
        Some(Predicted { position_m, variance_m2 })
    }

    /// What a frame of a recording tells.
    fn row(&self, tracks: &Tracks, marker: usize, frame: usize) -> Option<Row> {
        let pose = self.frame.pose(tracks, frame)?;
        let local = |m: usize| pose.inverse_transform_point(&tracks.positions_m[m][frame].into());
        let places = self.informing.iter().map(|n| local(n.marker).coords * scale(n));
        let features = DVector::from_iterator(
            3 * self.informing.len(),
            places.flat_map(|place| [place.x, place.y, place.z]),
        );
        Some(Row { frame, features, y_m: local(marker).coords })
    }

    /// The line through rows; `None` if it cannot be found.
    fn regress(&mut self, rows: &[Row], ridge: f64) -> Option<()> {
        let (size, count) = (self.feature_means.len(), rows.len() as f64);
        let mut means = DVector::zeros(size);
        rows.iter().for_each(|row| means += &row.features / count);
        self.mean_m = rows.iter().map(|row| row.y_m / count).sum();
        let mut square = DMatrix::identity(size, size) * ridge;
        let mut mixed = Matrix3xX::zeros(size);
        for row in rows {
            let z = &row.features - &means;
            mixed += (row.y_m - self.mean_m) * z.transpose();
            square.ger(1.0, &z, &z, 1.0);
        }
        self.open = square.cholesky()?.inverse();
        self.slope = &mixed * &self.open;
        self.feature_means = means;
        Some(())
    }

    fn left_m(&self, row: &Row) -> Vector3<f64> {
        row.y_m - self.mean_m - &self.slope * (&row.features - &self.feature_means)
    }

    /// Over which time the left-over is forgotten, by its correlation from row to row.
    fn forgotten(&self, rows: &[Row], rate_hz: f64) -> f64 {
        let (mut together, mut alone, mut lag_s, mut pairs) = (0.0, 0.0, 0.0, 0.0);
        for pair in rows.windows(2) {
            let [a, b] = [&pair[0], &pair[1]].map(|row| self.left_m(row));
            together += a.dot(&b);
            alone += 0.5 * (a.norm_squared() + b.norm_squared());
            lag_s += (pair[1].frame - pair[0].frame) as f64 / rate_hz;
            pairs += 1.0;
        }
        let correlation = together / alone;
        let forgotten_s = -(lag_s / pairs) / correlation.ln();
        match forgotten_s.is_finite() && correlation > 0.0 {
            true => forgotten_s.clamp(FORGOTTEN_S[0], FORGOTTEN_S[1]),
            false => FORGOTTEN_S[0],
        }
    }
}

/// A frame that is learnt from.
struct Row {
    frame: usize,
    features: DVector<f64>,
    y_m: Vector3<f64>,
}

fn scale(neighbour: &Neighbour) -> f64 {
    (neighbour.spread_m + SPREAD_FLOOR_M).recip()
}
