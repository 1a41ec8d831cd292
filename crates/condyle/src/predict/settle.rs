//! Places for the markers that are not seen, segment after segment.

use nalgebra::{Matrix3, Point3, Vector3};

use super::estimate::{Estimate, Known, KnownPoints, Missing, estimate, rotation_drift_rad};
use super::nearest::Ray;
use super::options::CentreUse;
use super::predictor::Predictor;
use super::sample::{Case, Sample};

/// What the filter takes the noise of an estimate for: it follows what it is told within a few frames.
const FOLLOWED_SD_M: f64 = 2e-3;
/// How fast a marker goes astray that nothing holds, and how far at most.
const LOST_M_S: f64 = 0.4;
const MOST_LOST_M: f64 = 0.5;
/// The same for one that a neighbouring segment carries along.
const CARRIED_M_S: f64 = 0.15;
const MOST_CARRIED_M: f64 = 0.2;
/// A ray this far from the estimate is of something else.
const RAY_GATE_M: f64 = 0.3;

impl Predictor {
    /// Settles all segments: those that are partly seen first, then those that a neighbour tells about, the rest last.
    pub(super) fn settle(&mut self, rays: &[Ray]) {
        for segment in 0..self.segments.len() {
            if !self.segments[segment].is_settled && self.segments[segment].seen > 0 {
                self.settle_segment(segment, rays, true);
            }
        }
        loop {
            let mut lost = None;
            let mut is_any_settled = false;
            for segment in 0..self.segments.len() {
                if self.segments[segment].is_settled {
                    continue;
                }
                if self.has_settled_neighbour(segment) {
                    self.settle_segment(segment, rays, true);
                    is_any_settled = true;
                } else {
                    lost = lost.or(Some(segment));
                }
            }
            match lost {
                None => break,
                Some(segment) if !is_any_settled => self.settle_segment(segment, rays, false),
                Some(_) => {}
            }
        }
    }

    fn neighbours(&self, segment: usize) -> impl Iterator<Item = (usize, usize, usize)> + '_ {
        self.segments[segment]
            .joints
            .iter()
            .map(move |(joint, side)| (*joint, *side, self.joints[*joint].segments[1 - side]))
    }

    /// Whether a neighbour is settled by something that is seen.
    fn has_settled_neighbour(&self, segment: usize) -> bool {
        self.neighbours(segment)
            .any(|(_, _, other)| self.segments[other].is_settled && self.segments[other].seen > 0)
    }

    /// The points of a segment that are known in this frame: markers first, then centres from neighbours.
    fn known(&self, segment: usize) -> KnownPoints {
        let mut known = KnownPoints::NONE;
        let at = &self.segments[segment];
        for (slot, marker) in at.markers.iter().enumerate() {
            if let Some(at_m) = self.now_m[*marker] {
                known.push(Known {
                    at_m,
                    before_m: self.tracks[*marker].at_m,
                    in_segment_m: at.place_of(slot),
                    slot: Some(slot),
                    distance_m: None,
                });
            }
        }
        if at.seen > 0 && self.options.centres == CentreUse::WholeSegments {
            return known;
        }
        for (joint, side, other) in self.neighbours(segment) {
            let joint = &self.joints[joint];
            if let (Some(pose), Some(centres_m)) = (self.segments[other].pose, joint.centres_m) {
                known.push(Known {
                    at_m: (pose * Point3::from(centres_m[1 - side])).coords,
                    before_m: joint.before_m,
                    in_segment_m: Some(centres_m[side]),
                    slot: None,
                    distance_m: None,
                });
            }
        }
        known
    }

    /// The same with their distances to a marker.
    fn with_distances(&self, segment: usize, slot: usize, mut known: KnownPoints) -> KnownPoints {
        let at = &self.segments[segment];
        let mine = at.place_of(slot);
        for point in known.iter_mut() {
            point.distance_m = match point.slot {
                Some(other) => at.distance_m(slot, other),
                None => mine.zip(point.in_segment_m).map(|(a, b)| (a - b).norm()),
            };
        }
        known
    }

    /// Gives every marker of a segment a place; markers that a camera sees first, which then are known to the others.
    fn settle_segment(&mut self, segment: usize, rays: &[Ray], is_told: bool) {
        for is_on_ray in [true, false] {
            let known = self.known(segment);
            for slot in 0..self.segments[segment].markers.len() {
                let marker = self.segments[segment].markers[slot];
                let of_marker = rays.iter().filter(|ray| ray.marker == marker);
                if self.seen_m[marker].is_some() || self.now_m[marker].is_some() {
                    continue;
                }
                if is_on_ray && of_marker.clone().next().is_none() {
                    continue;
                }
                let known = self.with_distances(segment, slot, known);
                let Some((estimate, case)) = self.estimate(segment, slot, &known, is_told) else {
                    if !is_on_ray {
                        let is_rejected = self.samples[marker].is_rejected;
                        self.samples[marker] = Sample { is_rejected, ..Sample::UNSEEN };
                    }
                    continue;
                };
                let options = &self.options;
                let gate_m = RAY_GATE_M + 3.0 * estimate.covariance_m2.trace().sqrt();
                let on_ray = estimate.on_rays(of_marker, options.rays, options.noise_m, gate_m);
                let (estimate, case) = match on_ray {
                    Some(on_ray) => (on_ray, Case::Ray),
                    None if is_on_ray => continue,
                    None => (estimate, case),
                };
                self.filter(marker, &estimate, case);
            }
        }
        let at = &mut self.segments[segment];
        at.is_settled = true;
        // A place by markers of which some are estimated, for the segments beyond.
        if at.pose.is_none() {
            at.pose = at.placed(|marker| self.now_m[marker]);
        }
    }

    /// What stands for an observation of a marker, by the case it is in.
    fn estimate(
        &self,
        segment: usize,
        slot: usize,
        known: &KnownPoints,
        is_told: bool,
    ) -> Option<(Estimate, Case)> {
        let at = &self.segments[segment];
        let marker = at.markers[slot];
        let track = &self.tracks[marker];
        let elapsed_s = (track.missing + 1) as f64 * self.step_s;
        let missing = Missing { before_m: track.at_m, in_segment_m: at.place_of(slot), elapsed_s };
        let turn = self.turn_of(segment);
        let case = match at.seen {
            0 if is_told => Case::SegmentMissing,
            0 => Case::NeighboursMissing,
            seen if seen + 1 == at.markers.len() => Case::OneMissing,
            _ => Case::SeveralMissing,
        };
        if let Some(found) = estimate(known, &missing, &turn, self.options.centres) {
            return Some((found, case));
        }
        let before_m = track.at_m?;
        if let Some(at_m) = self.carried(segment, &before_m).filter(|_| is_told) {
            let sd_m = (CARRIED_M_S * elapsed_s).min(MOST_CARRIED_M);
            return Some((Estimate::carried(at_m, sd_m), case));
        }
        // The last motion goes on: about the mean of the segment, not about the origin of the world.
        let middle = at.markers.iter().filter_map(|marker| self.tracks[*marker].at_m);
        let count = middle.clone().count().max(1) as f64;
        let middle = middle.sum::<Vector3<f64>>() / count;
        let arm = before_m - middle;
        let sd_m =
            (LOST_M_S * elapsed_s).min(MOST_LOST_M) + arm.norm() * rotation_drift_rad(elapsed_s);
        Some((Estimate::carried(middle + at.shift_m + turn * arm, sd_m), case))
    }

    /// Where a neighbouring segment takes a point along, if there is one and no centre is known.
    fn carried(&self, segment: usize, before_m: &Vector3<f64>) -> Option<Vector3<f64>> {
        let told =
            |other: &usize| self.segments[*other].is_settled && self.segments[*other].seen > 0;
        let others = || self.neighbours(segment).map(|(_, _, other)| other).filter(told);
        let by_pose = others().find_map(|other| {
            let at = &self.segments[other];
            let moved = at.pose? * at.pose_before?.inverse();
            Some((moved * Point3::from(*before_m)).coords)
        });
        by_pose.or_else(|| {
            let at = &self.segments[others().next()?];
            let step = |marker: &usize| Some(self.seen_m[*marker]? - self.tracks[*marker].at_m?);
            let steps = at.markers.iter().filter_map(step);
            let count = steps.clone().count();
            (count > 0).then(|| before_m + steps.sum::<Vector3<f64>>() / count as f64)
        })
    }

    /// One step of a marker's filter.
    fn filter(&mut self, marker: usize, estimate: &Estimate, case: Case) {
        let (step_s, noise_m) = (self.step_s, self.options.noise_m);
        let track = &mut self.tracks[marker];
        let start_m = track.at_m.unwrap_or(estimate.at_m);
        if track.filter.is_none() {
            track.filter = Some(track.start(start_m, step_s, noise_m));
        }
        let Some(filter) = &mut track.filter else { return };
        let sd_m = if case == Case::Ray { noise_m } else { FOLLOWED_SD_M };
        let at_m = filter.step(step_s, &estimate.at_m, &(Matrix3::identity() * (sd_m * sd_m)));
        let covariance_m2 = filter.covariance_m2() + estimate.covariance_m2;
        track.missing += 1;
        track.held_m = None;
        self.now_m[marker] = Some(at_m);
        let sample = &mut self.samples[marker];
        sample.position_m = Some(Point3::from(at_m));
        sample.case = case;
        sample.covariance_m2 = covariance_m2;
    }
}
