//! What a frame shows of a segment, and how much each of its markers counts.

use nalgebra::{Point3, Vector3};

use super::Part;
use crate::rigid::{Pair, PlacementSums};

/// How far skin carries markers beyond what calibration takes for noise, where performers move fast, in metres.
pub(super) const SKIN_M: f64 = 5e-3;

/// The samples of one frame.
#[derive(Debug, Clone, Copy)]
pub(super) struct Samples<'a> {
    /// One entry a label.
    pub(super) positions_m: &'a [Option<Point3<f64>>],
    /// The variance of each along each axis, zero of those that were measured; or empty.
    pub(super) variances_m2: &'a [f64],
    /// An estimate that is tried elsewhere.
    pub(super) moved: Option<Moved>,
    /// What becomes of estimates.
    pub(super) estimates: Estimates,
}

/// What becomes of estimates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Estimates {
    /// They count by how certain they are.
    #[default]
    Weighed,
    /// They count as if they were measured.
    AsMeasured,
    /// They are not there.
    LeftOut,
}

/// Where an estimate is tried.
#[derive(Debug, Clone, Copy)]
pub(super) struct Moved {
    pub(super) column: usize,
    pub(super) by_m: Vector3<f64>,
}

impl Samples<'_> {
    /// Where a marker is.
    #[inline]
    pub(super) fn at_m(&self, column: Option<usize>) -> Option<Point3<f64>> {
        let at_m = self.positions_m.get(column?).copied().flatten()?;
        if self.estimates == Estimates::LeftOut && self.own_variance_m2(column) > 0.0 {
            return None;
        }
        match self.moved {
            Some(moved) if column == Some(moved.column) => Some(at_m + moved.by_m),
            _ => Some(at_m),
        }
    }

    /// The same for a segment whose estimates may be left out.
    #[inline]
    pub(super) fn without_estimates(self, are_left_out: bool) -> Self {
        match are_left_out {
            true => Self { estimates: Estimates::LeftOut, ..self },
            false => self,
        }
    }

    /// The same as if estimates were measured; those that are left out stay so.
    pub(super) fn as_measured(self) -> Self {
        match self.estimates {
            Estimates::LeftOut => self,
            _ => Self { estimates: Estimates::AsMeasured, ..self },
        }
    }

    /// Whether a marker of a segment has a place.
    pub(super) fn is_any_seen(&self, part: &Part) -> bool {
        part.markers.iter().any(|(column, ..)| self.at_m(*column).is_some())
    }

    /// Whether a marker of a segment has a place that is an estimate.
    pub(super) fn is_any_estimated(&self, part: &Part) -> bool {
        let is_estimated =
            |column: Option<usize>| self.variance_m2(column) > 0.0 && self.at_m(column).is_some();
        !self.variances_m2.is_empty() && part.markers.iter().any(|(c, ..)| is_estimated(*c))
    }

    /// The variance of a marker's place, zero if it was measured.
    #[inline]
    pub(super) fn variance_m2(&self, column: Option<usize>) -> f64 {
        match self.estimates {
            Estimates::AsMeasured => 0.0,
            Estimates::Weighed | Estimates::LeftOut => self.own_variance_m2(column),
        }
    }

    #[inline]
    fn own_variance_m2(&self, column: Option<usize>) -> f64 {
        column.and_then(|column| self.variances_m2.get(column)).copied().unwrap_or(0.0)
    }

    /// What estimated markers of a segment count.
    ///
    /// # Method
    /// An estimate was learnt from how the marker moves on the skin, and is as good as a measurement up to what skin does:
    /// against a measured marker it counts (σ² + s²) / (σ² + s² + v), with the variance σ² of the segment's markers, the
    /// size s of skin motion and its own variance v.
    #[inline]
    pub(super) fn shares(&self, part: &Part) -> Shares {
        let half_m2 = part.precision_m2.recip() + SKIN_M * SKIN_M;
        Shares { per_m2: if self.is_any_estimated(part) { half_m2.recip() } else { 0.0 } }
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
