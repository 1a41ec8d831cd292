//! Frames in, whole frames out.

use nalgebra::{Matrix3, Point3, UnitQuaternion, Vector3};

use super::body::Body;
use super::nearest::Ray;
use super::options::Options;
use super::rotation_centre::RotationSums;
use super::sample::{Case, Sample};
use super::segment::Segment;
use super::track::Track;
use crate::error::{Error, Result};

/// A marker that is seen farther than this from where it should be was not there, in metres.
const GATE_M: f64 = 0.05;
/// No marker is accelerated by more, in metres a second squared.
const GATE_M_S2: f64 = 300.0;
/// Nor drifts away from its prediction faster, in metres a second.
const GATE_M_S: f64 = 2.0;
/// After so many rejections in a row it is there after all.
const MOST_REJECTED: usize = 5;
/// A centre is computed again after so many more frames.
const CENTRE_EVERY: usize = 16;
/// The share of what is left that a marker returns by in a frame, and the least step for it.
const RETURN_SHARE: f64 = 0.25;
const RETURN_STEP_M: f64 = 1e-4;

/// The centre of rotation of two segments.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Centre {
    /// Where it is.
    pub position_m: Point3<f64>,
    /// Whether some segment of the two is placed by markers that are seen.
    pub is_observed: bool,
}

/// A joint: what is learnt of its centre.
#[derive(Debug, Clone)]
pub(super) struct Joint {
    pub segments: [usize; 2],
    sums: RotationSums,
    is_given: bool,
    /// The centre in the frame of each segment.
    pub centres_m: Option<[Vector3<f64>; 2]>,
    /// Where it was in the last frame, and is in this.
    pub before_m: Option<Vector3<f64>>,
    centre: Option<Centre>,
}

/// Predicts markers that are not seen from those that are, frame by frame.
#[derive(Debug, Clone)]
pub struct Predictor {
    pub(super) options: Options,
    pub(super) step_s: f64,
    pub(super) segments: Vec<Segment>,
    pub(super) joints: Vec<Joint>,
    pub(super) tracks: Vec<Track>,
    /// What is accepted of this frame's observations.
    pub(super) seen_m: Vec<Option<Vector3<f64>>>,
    /// Where every marker is in this frame, as far as it is settled.
    pub(super) now_m: Vec<Option<Vector3<f64>>>,
    pub(super) samples: Vec<Sample>,
}

impl Predictor {
    /// A predictor for frames at a rate.
    ///
    /// # Errors
    /// A rate that is not positive, a body whose parts are not there, or settings out of their range.
    pub fn new(body: &Body, rate_hz: f64, options: Options) -> Result<Self> {
        if !(rate_hz.is_finite() && rate_hz > 0.0) {
            return Err(Error::argument(format!(
                "rate: need frames a second above 0, got {rate_hz}"
            )));
        }
        options.check()?;
        body.check()?;
        let mut on_segment = vec![false; body.markers];
        let of_segment = |index: usize| {
            let joints = body.joints.iter().enumerate();
            let sides = joints.flat_map(move |(joint, at)| {
                (0..2)
                    .filter(move |side| at.segments[*side] == index)
                    .map(move |side| (joint, side))
            });
            sides.collect()
        };
        let mut segments: Vec<Segment> = Vec::with_capacity(body.segments.len());
        for (index, segment) in body.segments.iter().enumerate() {
            segment.markers.iter().for_each(|marker| on_segment[*marker] = true);
            segments.push(Segment::new(segment, of_segment(index)));
        }
        // A marker on no segment is one of its own.
        for marker in (0..body.markers).filter(|marker| !on_segment[*marker]) {
            let alone = super::body::BodySegment { markers: vec![marker], in_segment_m: None };
            segments.push(Segment::new(&alone, Vec::new()));
        }
        let joints = body.joints.iter().map(|joint| Joint {
            segments: joint.segments,
            sums: RotationSums::default(),
            is_given: joint.centres_m.is_some(),
            centres_m: joint.centres_m,
            before_m: None,
            centre: None,
        });
        Ok(Self {
            options,
            step_s: rate_hz.recip(),
            joints: joints.collect(),
            segments,
            tracks: vec![Track::default(); body.markers],
            seen_m: vec![None; body.markers],
            now_m: vec![None; body.markers],
            samples: vec![Sample::UNSEEN; body.markers],
        })
    }

    /// One frame on: what is seen, and the rays of cameras that see a marker alone; what is made of it. Markers beyond
    /// those that are given are missing.
    pub fn step(&mut self, seen_m: &[Option<Point3<f64>>], rays: &[Ray]) -> &[Sample] {
        self.accept(seen_m);
        self.settle(rays);
        self.give_back();
        self.learn();
        &self.samples
    }

    /// The samples of the last frame.
    pub fn samples(&self) -> &[Sample] {
        &self.samples
    }

    /// Where the centres of rotation are, in the order of the body's joints; `None` where too little turned so far.
    pub fn centres(&self) -> impl Iterator<Item = Option<Centre>> + '_ {
        self.joints.iter().map(|joint| joint.centre)
    }

    /// Takes observations that can be true.
    fn accept(&mut self, seen_m: &[Option<Point3<f64>>]) {
        for (marker, track) in self.tracks.iter_mut().enumerate() {
            let reported = seen_m.get(marker).copied().flatten().map(|at| at.coords);
            let reported = reported.filter(|at| at.iter().all(|v| v.is_finite()));
            let elapsed_s = (track.missing + 1) as f64 * self.step_s;
            let gate_m = GATE_M
                + GATE_M_S2 * self.step_s * self.step_s.min(0.02)
                + GATE_M_S * track.missing as f64 * elapsed_s;
            let is_there = |at: &Vector3<f64>| match track.at_m {
                Some(last) if track.missing > 0 => (at - last).norm() < gate_m,
                Some(last) => {
                    let step = track.last_step_m();
                    (at - last - step).norm() < gate_m + step.norm()
                }
                None => true,
            };
            let accepted = reported.filter(|at| is_there(at) || track.rejected >= MOST_REJECTED);
            let is_rejected = reported.is_some() && accepted.is_none();
            track.rejected = if is_rejected { track.rejected + 1 } else { 0 };
            self.seen_m[marker] = accepted;
            self.now_m[marker] = accepted;
            self.samples[marker].is_rejected = is_rejected;
        }
        for segment in &mut self.segments {
            segment.seen = segment.markers.iter().filter(|m| self.seen_m[**m].is_some()).count();
            segment.is_settled = segment.seen == segment.markers.len();
            segment.pose_before = segment.pose;
            segment.pose = match segment.seen >= 3 {
                true => segment.placed(|marker| self.seen_m[marker]),
                false => None,
            };
        }
    }

    /// Samples of markers that are seen; those that were not are brought back.
    fn give_back(&mut self) {
        let noise_m2 = Matrix3::identity() * (self.options.noise_m * self.options.noise_m);
        for (marker, track) in self.tracks.iter_mut().enumerate() {
            let Some(seen) = self.seen_m[marker] else { continue };
            let held = match (track.held_m, track.at_m) {
                (Some(held), _) => held,
                (None, Some(last)) if track.missing > 0 && self.options.returns_smoothly => {
                    last + track.step_m - seen
                }
                _ => Vector3::zeros(),
            };
            let step_m = match track.seen_before(0) {
                Some(last) if track.missing == 0 => (seen - last).norm(),
                _ => track.step_m.norm(),
            };
            let far_m = held.norm();
            let back_m = (RETURN_SHARE * far_m).clamp(0.0, step_m.max(RETURN_STEP_M));
            let held = if far_m > RETURN_STEP_M {
                held * (1.0 - back_m / far_m)
            } else {
                Vector3::zeros()
            };
            let is_returning = held != Vector3::zeros();
            let at = seen + held;
            track.held_m = is_returning.then_some(held);
            self.now_m[marker] = Some(at);
            let sample = &mut self.samples[marker];
            sample.position_m = Some(Point3::from(at));
            sample.case = if is_returning { Case::Returning } else { Case::Observed };
            sample.covariance_m2 = noise_m2 + held * held.transpose();
        }
    }

    /// Shapes, distances, turns and centres after a frame.
    fn learn(&mut self) {
        let (seen, now) = (&self.seen_m, &self.now_m);
        let tracks = &mut self.tracks;
        for (marker, track) in tracks.iter_mut().enumerate() {
            if let Some(seen) = seen[marker] {
                track.see(seen);
            }
        }
        let (over, memory) = (self.options.turn_over_frames, self.options.turn_memory_s);
        let fading = (-self.step_s / memory).exp();
        for segment in &mut self.segments {
            let is_whole = segment.seen == segment.markers.len();
            segment.learn_distances(|marker| seen[marker]);
            if is_whole {
                segment.learn_shape(|marker| seen[marker]);
                let before = |marker: usize| tracks[marker].seen_before(over);
                if let Some((turn, shift)) = segment.motion(before, |marker| seen[marker]) {
                    let share = (over as f64).recip();
                    segment.turn = if over == 1 { turn } else { turn.powf(share) };
                    segment.shift_m = shift * share;
                }
            } else if memory.is_infinite() {
                let motion = segment.motion(|marker| tracks[marker].at_m, |marker| now[marker]);
                if let Some((turn, shift)) = motion {
                    (segment.turn, segment.shift_m) = (turn, shift);
                }
            } else {
                segment.turn = segment.turn.powf(fading);
                segment.shift_m *= fading;
            }
            if segment.pose.is_none() && segment.is_settled {
                segment.pose = segment.placed(|marker| now[marker]);
            }
        }
        for (track, now) in tracks.iter_mut().zip(now) {
            track.step_m =
                now.zip(track.at_m).map_or_else(Vector3::zeros, |(now, last)| now - last);
            track.at_m = *now;
        }
        self.learn_centres();
    }

    fn learn_centres(&mut self) {
        for joint in &mut self.joints {
            let [x, y] = joint.segments.map(|segment| &self.segments[segment]);
            let is_whole = |segment: &Segment| segment.seen == segment.markers.len();
            let is_learnable = self.options.learns_from_predictions || (is_whole(x) && is_whole(y));
            let middles = [x.middle_m(), y.middle_m()];
            if let (Some(px), Some(py), [Some(mx), Some(my)]) = (x.pose, y.pose, middles)
                && is_learnable
                && !joint.is_given
            {
                let b_m = (px * Point3::from(mx)) - (py * Point3::from(my));
                joint.sums.push(&px.rotation, &py.rotation, &b_m);
                if joint.sums.frames() % CENTRE_EVERY == 0 {
                    let centre = joint.sums.centre();
                    joint.centres_m = centre
                        .map(|c| [mx - c.from_centre_x_m, my - c.from_centre_y_m])
                        .or(joint.centres_m);
                }
            }
            joint.centre = None;
            let Some(centres_m) = joint.centres_m else { continue };
            let (mut sum, mut weights, mut is_observed) = (Vector3::zeros(), 0.0, false);
            for (segment, centre_m) in [x, y].into_iter().zip(centres_m) {
                let Some(pose) = segment.pose else { continue };
                let is_seen = segment.seen >= 3;
                // What is predicted counts little beside what is seen.
                let weight = if is_seen { 1.0 } else { 1e-3 };
                sum += (pose * Point3::from(centre_m)).coords * weight;
                weights += weight;
                is_observed |= is_seen;
            }
            if weights > 0.0 {
                let position_m = Point3::from(sum / weights);
                joint.centre = Some(Centre { position_m, is_observed });
            }
            joint.before_m = joint.centre.map(|centre| centre.position_m.coords);
        }
    }

    /// The rotation that a segment made from the last frame to this, supposed to go on.
    pub(super) fn turn_of(&self, segment: usize) -> UnitQuaternion<f64> {
        self.segments[segment].turn
    }
}
