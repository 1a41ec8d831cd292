//! How far a set of markers is from being one rigid segment.

use nalgebra::{Matrix3, Vector3};

use super::sample::{MIN_FRAMES, Sample, evenly};
use super::spread::Spreads;
use crate::rigid::best_rotation;
use crate::statistics::quantile;

/// The misfit of a set of markers to one rigid segment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Misfit {
    /// Σ |residual|² of a frame with all markers seen: the mean of the frames, outliers left out.
    pub square_m2: f64,
    /// Coordinates less those of a pose: 3n - 6 for three or more, 1 for two, 0 for one.
    pub freedom: f64,
}

impl Misfit {
    const UNKNOWN: f64 = 1e6;

    /// That of so many markers that were not compared.
    pub fn unknown(markers: usize) -> Self {
        Self { square_m2: Self::UNKNOWN, freedom: freedom(markers) }
    }
}

/// Frames in which sets are fitted.
const FITTED_FRAMES: usize = 96;
/// The share of frames, the best ones, whose mean is the shape.
const SHAPING: f64 = 0.8;
/// A frame whose misfit is so many times that of its neighbours in time and of the usual one is an outlier.
const OUTLIER: f64 = 9.0;

/// The coordinates of so many markers less those of a pose.
fn freedom(markers: usize) -> f64 {
    let n = markers as f64;
    if markers < 3 { (n - 1.0).max(0.0) } else { 3.0 * n - 6.0 }
}

/// Fits rigid segments to sets of a sample's markers.
pub(super) struct Rigidity<'a> {
    spreads: &'a Spreads,
    markers: usize,
    /// `rows[frame * markers + marker]`.
    rows: Vec<Option<Vector3<f64>>>,
    frames: usize,
    /// Per frame, the misfit and its degrees of freedom.
    misfits: Vec<(f64, f64)>,
    poses: Vec<Option<Matrix3<f64>>>,
}

impl<'a> Rigidity<'a> {
    pub fn new(sample: &Sample, spreads: &'a Spreads) -> Self {
        let frames: Vec<usize> = (0..sample.frames).collect();
        let frames = evenly(&frames, FITTED_FRAMES);
        let markers = sample.markers.len();
        let rows = frames
            .iter()
            .flat_map(|frame| &sample.positions_m[frame * markers..(frame + 1) * markers])
            .copied()
            .collect();
        Self {
            spreads,
            markers,
            rows,
            frames: frames.len(),
            misfits: Vec::new(),
            poses: Vec::new(),
        }
    }

    /// The misfit of a set.
    ///
    /// # Method
    /// Every frame is turned onto the fullest one, the aligned frames are averaged, and every frame is
    /// compared with the average (generalised Procrustes analysis, one round: the error of the first
    /// frame turns all others alike).
    pub fn misfit(&mut self, set: &[u16]) -> Misfit {
        let freedom = freedom(set.len());
        let square_m2 = match set {
            [] | [_] => 0.0,
            [a, b] => self.spreads.spread_m(usize::from(*a), usize::from(*b)).powi(2),
            _ => self.mean_square(set).map_or(Misfit::UNKNOWN, |mean| mean * freedom),
        };
        Misfit { square_m2: square_m2.min(Misfit::UNKNOWN), freedom }
    }

    /// In how many frames sets are fitted.
    pub fn frames(&self) -> usize {
        self.frames
    }

    /// The mean square residual a degree of freedom; `None` if the set is hardly ever seen together.
    fn mean_square(&mut self, set: &[u16]) -> Option<f64> {
        let seen_in = |frame: usize| set.iter().filter(|m| self.at(frame, **m).is_some()).count();
        let middle = self.frames / 2;
        let fullest = (0..self.frames)
            .max_by_key(|frame| (seen_in(*frame), self.frames - frame.abs_diff(middle)))?;
        let first: Vec<_> = set.iter().map(|marker| self.at(fullest, *marker)).collect();
        self.compare(set, &first);
        let shape = self.average(set, &first)?;
        self.compare(set, &shape);
        self.misfits.retain(|(_, freedom)| *freedom > 0.0);
        if self.misfits.len() < MIN_FRAMES / 2 {
            return None;
        }
        let usual = self.limit(0.5)?;
        let ratio = |at: usize| self.misfits[at].0 / self.misfits[at].1;
        let last = self.misfits.len() - 1;
        let (mut square, mut freedom) = (0.0, 0.0);
        for (at, misfit) in self.misfits.iter().enumerate() {
            let before = ratio(if at == 0 { 1 } else { at - 1 });
            let after = ratio(if at == last { last - 1 } else { at + 1 });
            if ratio(at) <= OUTLIER * usual.max(before).max(after) {
                (square, freedom) = (square + misfit.0, freedom + misfit.1);
            }
        }
        Some(square / freedom)
    }

    fn at(&self, frame: usize, marker: u16) -> Option<Vector3<f64>> {
        self.rows[frame * self.markers + usize::from(marker)]
    }

    /// Turns a shape onto every frame and notes how far it is off.
    fn compare(&mut self, set: &[u16], shape: &[Option<Vector3<f64>>]) {
        self.misfits.clear();
        self.poses.clear();
        for frame in 0..self.frames {
            let pairs = set.iter().zip(shape);
            let pairs =
                pairs.filter_map(|(marker, shape)| Some(((*shape)?, self.at(frame, *marker)?)));
            let fit = turned_onto(pairs);
            self.misfits.push(fit.map_or((0.0, 0.0), |fit| (fit.square, fit.freedom)));
            self.poses.push(fit.map(|fit| fit.rotation));
        }
    }

    /// The misfit a degree of freedom that this share of frames does not exceed.
    fn limit(&self, share: f64) -> Option<f64> {
        let known = self.misfits.iter().filter(|(_, freedom)| *freedom > 0.0);
        quantile(known.map(|(square, freedom)| square / freedom), share)
    }

    /// The mean of the frames that agree best, in the axes of the shape they were compared with.
    fn average(
        &self,
        set: &[u16],
        shape: &[Option<Vector3<f64>>],
    ) -> Option<Vec<Option<Vector3<f64>>>> {
        let limit = self.limit(SHAPING)?;
        let mut sums = vec![(Vector3::zeros(), 0.0); set.len()];
        for frame in 0..self.frames {
            let (square, freedom) = self.misfits[frame];
            let Some(rotation) = self.poses[frame].filter(|_| square <= limit * freedom) else {
                continue;
            };
            let (mut here, mut there, mut known) = (Vector3::zeros(), Vector3::zeros(), 0.0);
            for (marker, shape) in set.iter().zip(shape) {
                if let (Some(shape), Some(seen)) = (shape, self.at(frame, *marker)) {
                    (here, there, known) = (here + shape, there + seen, known + 1.0);
                }
            }
            for (sum, marker) in sums.iter_mut().zip(set) {
                if let Some(seen) = self.at(frame, *marker) {
                    sum.0 += rotation.tr_mul(&(seen - there / known)) + here / known;
                    sum.1 += 1.0;
                }
            }
        }
        let enough = (MIN_FRAMES / 2) as f64;
        sums.into_iter().map(|(sum, seen)| (seen >= enough).then(|| Some(sum / seen))).collect()
    }
}

#[derive(Clone, Copy)]
struct Turned {
    rotation: Matrix3<f64>,
    square: f64,
    freedom: f64,
}

/// The rotation that brings shapes onto what is seen, and what is left over.
fn turned_onto(
    pairs: impl Iterator<Item = (Vector3<f64>, Vector3<f64>)> + Clone,
) -> Option<Turned> {
    let (mut here, mut there, mut n) = (Vector3::zeros(), Vector3::zeros(), 0.0);
    for (shape, seen) in pairs.clone() {
        (here, there, n) = (here + shape, there + seen, n + 1.0);
    }
    if n < 3.0 {
        return None;
    }
    let (here, there) = (here / n, there / n);
    let (mut mixed, mut squares) = (Matrix3::zeros(), 0.0);
    for (shape, seen) in pairs {
        let (shape, seen) = (shape - here, seen - there);
        mixed += seen * shape.transpose();
        squares += shape.norm_squared() + seen.norm_squared();
    }
    let rotation = best_rotation(&mixed)?.to_rotation_matrix().into_inner();
    // Σ|seen - R shape|² = Σ|seen|² + Σ|shape|² - 2 tr(Rᵀ mixed).
    let square = (squares - 2.0 * rotation.dot(&mixed)).max(0.0);
    Some(Turned { rotation, square, freedom: 3.0 * n - 6.0 })
}
