//! What a frame shows of a segment, and how much each of its markers counts.

use nalgebra::Point3;

use super::Part;
use crate::rigid::{Pair, PlacementSums};

/// How far skin carries markers beyond what calibration takes for noise, where performers move fast, in metres.
const SKIN_M: f64 = 5e-3;
/// By so much the variance of estimates counts: chosen on gaps made in public recordings, between regions of joints that
/// hold and joints that do not step where a gap ends.
const TOGETHER: f64 = 1.5;

/// The samples of one frame.
#[derive(Debug, Clone, Copy)]
pub(super) struct Samples<'a> {
    /// One entry a label.
    pub(super) positions_m: &'a [Option<Point3<f64>>],
    /// The variance of each along each axis, zero of those that were measured; or empty.
    pub(super) variances_m2: &'a [f64],
}

impl Samples<'_> {
    /// Where a marker is.
    #[inline]
    pub(super) fn at_m(&self, column: Option<usize>) -> Option<Point3<f64>> {
        self.positions_m.get(column?).copied().flatten()
    }

    /// The variance of a marker's place, zero if it was measured.
    #[inline]
    /// Whether a marker of a segment has a place.
    pub(super) fn is_any_seen(&self, part: &Part) -> bool {
        part.markers.iter().any(|(column, ..)| self.at_m(*column).is_some())
    }

    fn variance_m2(&self, column: Option<usize>) -> f64 {
        column.and_then(|column| self.variances_m2.get(column)).copied().unwrap_or(0.0)
    }

    /// What estimated markers of a segment count, and how much it says with them.
    ///
    /// # Method
    /// An estimate was learnt from how the marker moves on the skin, and is as good as a measurement up to what skin does:
    /// against a measured marker it counts (σ² + s²) / (σ² + s² + v), with the variance σ² of the segment's markers, the
    /// size s of skin motion and its own variance v. Estimates of markers that are missing together err together: the n
    /// markers of the segment that have a place then have the variance σ² + κ (Σ c √v)² / n, c what each counts.
    #[inline]
    pub(super) fn shares(&self, part: &Part) -> Shares {
        let mut shares = Shares { per_m2: 0.0, precision_m2: part.precision_m2 };
        if self.variances_m2.is_empty() {
            return shares;
        }
        let variance_m2 = part.precision_m2.recip();
        let per_m2 = (variance_m2 + SKIN_M * SKIN_M).recip();
        let (mut placed, mut off_m) = (0.0, 0.0);
        for (column, ..) in &part.markers {
            if self.at_m(*column).is_some() {
                let own_m2 = self.variance_m2(*column);
                placed += 1.0;
                off_m += own_m2.sqrt() / (1.0 + own_m2 * per_m2);
            }
        }
        if off_m > 0.0 {
            let together_m2 = TOGETHER * off_m * off_m / placed;
            shares = Shares { per_m2, precision_m2: (variance_m2 + together_m2).recip() };
        }
        shares
    }

    /// The markers of a segment that are seen.
    #[inline]
    pub(super) fn gather(&self, part: &Part) -> PlacementSums {
        let shares = self.shares(part);
        if shares.are_all_one() {
            let all = part.markers.iter().map(|(column, ..)| self.at_m(*column));
            if let Some(gathered) = part.template.gather(all) {
                return gathered;
            }
        }
        let mut gathered = PlacementSums::default();
        for (column, in_segment_m, weight) in &part.markers {
            if let Some(in_world_m) = self.at_m(*column) {
                let weight = weight * shares.of(self, *column);
                gathered.add(&Pair { in_segment_m: *in_segment_m, in_world_m, weight });
            }
        }
        gathered
    }
}

/// How much the estimated markers of a segment count.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shares {
    /// One over the variance of an estimate that counts half; zero where there is none.
    per_m2: f64,
    /// One over the variance of the segment's markers, estimates included.
    pub(super) precision_m2: f64,
}

impl Shares {
    /// Whether all markers were measured.
    fn are_all_one(self) -> bool {
        self.per_m2 == 0.0
    }

    /// What a marker counts, from 0 to 1.
    #[inline]
    pub(super) fn of(self, samples: &Samples, column: Option<usize>) -> f64 {
        match self.are_all_one() {
            true => 1.0,
            false => (1.0 + self.per_m2 * samples.variance_m2(column)).recip(),
        }
    }
}
