//! How well a trajectory goes on from one frame to a later one, against how it usually does.

use nalgebra::{Point3, Vector3};

use super::tracks::Tracks;
use crate::statistics::quantile_in_place;

/// Lengths of steps for which it is known what is usual: 1, 2, 4 … frames.
const LENGTHS: usize = 8;
/// So many steps of every length are looked at.
const SAMPLES: usize = 200;
/// What the noise of a step is at least, in metres.
const FLOOR_M: f64 = 5e-4;
/// This share of the steps of a marker is within the square root of 3, that of a coordinate's, standard deviations.
const SHARE: f64 = 0.9;
const SHARE_SDS: f64 = 2.5;
/// Velocities are differences over so many frames.
const VELOCITY_FRAMES: usize = 3;
/// Degrees of freedom of the t distribution of steps: feet that strike the floor are not normal.
const FREEDOM: f64 = 3.0;
/// No step is less likely than this.
const MOST: f64 = 20.0;
/// A step so unlikely is a jump, if it is so long, in metres.
const JUMP: f64 = 6.0;
const MIN_JUMP_M: f64 = 5e-3;

/// What is usual of every trajectory.
pub(super) struct Steps {
    /// For every label the standard deviation of a coordinate over 1, 2, 4 … frames.
    sd_m: Vec<[f64; LENGTHS]>,
    /// For every label the frames at which it may have become another.
    pub cuts: Vec<Vec<usize>>,
}

/// One end of a trajectory: a frame, and where the marker was there and how fast, in metres a frame.
#[derive(Clone, Copy)]
struct End {
    frame: usize,
    place_m: Point3<f64>,
    per_frame_m: Option<Vector3<f64>>,
}

impl Steps {
    pub fn of(tracks: &Tracks) -> Self {
        let sd_m = (0..tracks.count()).map(|label| usual_sd_m(tracks, label)).collect();
        let mut steps = Self { sd_m, cuts: Vec::new() };
        steps.cuts = (0..tracks.count()).map(|label| steps.cuts_of(tracks, label)).collect();
        steps
    }

    /// How unlikely it is that what one label has before a frame is what another has from it on; 0 if either has
    /// nothing.
    pub fn cost(&self, tracks: &Tracks, [before, after]: [usize; 2], frame: usize) -> f64 {
        self.step(tracks, [before, after], frame).map_or(0.0, |(cost, _)| cost)
    }

    /// The cost, and how far off the step is.
    fn step(
        &self,
        tracks: &Tracks,
        [before, after]: [usize; 2],
        frame: usize,
    ) -> Option<(f64, f64)> {
        let longest = 1 << (LENGTHS - 1);
        let from = last_end(tracks, before, frame, longest)?;
        let to = first_end(tracks, after, frame, longest)?;
        let length = to.frame - from.frame;
        if length > longest {
            return None;
        }
        let off_m = off_m(&from, &to);
        let sd_m = self.usual_m(before, length).max(self.usual_m(after, length));
        let cost = 0.5 * (FREEDOM + 3.0) * (off_m / sd_m).powi(2).mul_add(1.0 / FREEDOM, 1.0).ln();
        Some((cost.min(MOST), off_m))
    }

    fn usual_m(&self, label: usize, length: usize) -> f64 {
        let above = length.next_power_of_two().trailing_zeros() as usize;
        self.sd_m[label][above.min(LENGTHS - 1)]
    }

    /// Where a trajectory jumps, and where it is seen again.
    fn cuts_of(&self, tracks: &Tracks, label: usize) -> Vec<usize> {
        let is_seen = |frame: usize| tracks.place_m(label, frame).is_some();
        let jump_m = |frame: usize| {
            if frame == 0 || !is_seen(frame - 1) || !is_seen(frame) {
                return 0.0;
            }
            let step = self.step(tracks, [label, label], frame);
            let jump = step.filter(|(cost, off_m)| *cost > JUMP && *off_m > MIN_JUMP_M);
            jump.map_or(0.0, |(_, off_m)| off_m)
        };
        let jumps_m: Vec<f64> = (0..tracks.frames).map(jump_m).collect();
        // The velocities beside a jump are wrong by it, and make its neighbours look like jumps.
        let is_jump = |frame: usize| {
            let beside = frame.saturating_sub(VELOCITY_FRAMES)..(frame + VELOCITY_FRAMES + 1);
            let largest_m = jumps_m[beside.start..beside.end.min(tracks.frames)].iter();
            jumps_m[frame] > 0.0 && largest_m.copied().fold(0.0, f64::max) <= jumps_m[frame]
        };
        let is_cut = |frame: &usize| (is_seen(*frame) && !is_seen(frame - 1)) || is_jump(*frame);
        (1..tracks.frames).filter(is_cut).collect()
    }
}

/// How far apart the two ends meet half-way, each going on as it went.
fn off_m(from: &End, to: &End) -> f64 {
    let half = 0.5 * (to.frame - from.frame) as f64;
    let still = Vector3::zeros();
    let forth_m = from.place_m + from.per_frame_m.or(to.per_frame_m).unwrap_or(still) * half;
    let back_m = to.place_m - to.per_frame_m.or(from.per_frame_m).unwrap_or(still) * half;
    (forth_m - back_m).norm()
}

/// The last sample before a frame.
fn last_end(tracks: &Tracks, label: usize, frame: usize, longest: usize) -> Option<End> {
    let mut earlier = (frame.saturating_sub(longest)..frame).rev();
    let at = earlier.find(|frame| tracks.place_m(label, *frame).is_some())?;
    let place_m = tracks.place_m(label, at)?;
    let before = at.checked_sub(VELOCITY_FRAMES).and_then(|at| tracks.place_m(label, at));
    let per_frame_m = before.map(|before_m| (place_m - before_m) / VELOCITY_FRAMES as f64);
    Some(End { frame: at, place_m, per_frame_m })
}

/// The first sample from a frame on.
fn first_end(tracks: &Tracks, label: usize, frame: usize, longest: usize) -> Option<End> {
    let mut later = frame..(frame + longest).min(tracks.frames);
    let at = later.find(|frame| tracks.place_m(label, *frame).is_some())?;
    let place_m = tracks.place_m(label, at)?;
    let next = at + VELOCITY_FRAMES;
    let after = (next < tracks.frames).then(|| tracks.place_m(label, next)).flatten();
    let per_frame_m = after.map(|after_m| (after_m - place_m) / VELOCITY_FRAMES as f64);
    Some(End { frame: at, place_m, per_frame_m })
}

/// The standard deviation of a coordinate of the steps of a marker over 1, 2, 4 … frames.
fn usual_sd_m(tracks: &Tracks, label: usize) -> [f64; LENGTHS] {
    let stride = tracks.frames.div_ceil(SAMPLES).max(1);
    let mut least_m = FLOOR_M;
    std::array::from_fn(|power| {
        let length = 1 << power;
        let off = |frame: usize| {
            let from = last_end(tracks, label, frame + 1, 1)?;
            let to = first_end(tracks, label, frame + length, 1)?;
            Some(off_m(&from, &to))
        };
        let last = tracks.frames.saturating_sub(length);
        let mut all_m: Vec<f64> = (0..last).step_by(stride).filter_map(off).collect();
        let usual_m = quantile_in_place(&mut all_m, SHARE).unwrap_or(0.0) / SHARE_SDS;
        // Longer steps are no surer.
        least_m = least_m.max(usual_m);
        least_m
    })
}
