//! Tips that are deleted for a while: how far off they are predicted, beside simpler ways.

use condyle::Result;
use condyle::hand::{Assignment, Model, Options, Tracker};
use nalgebra::{Isometry3, Point3};

use super::{Tally, WITHIN};

/// What is deleted.
#[derive(Debug, Clone, Copy)]
pub struct Deletion {
    /// For how long, in frames.
    pub frames: usize,
    /// How many tips at a time.
    pub tips: usize,
}

/// How predictions of deleted tips came out, frame by frame.
#[derive(Debug, Clone, Default)]
pub struct Score {
    /// How many gaps there were.
    pub gaps: usize,
    /// Ours; ellipsoids are those of 95 %.
    pub ours: Tally,
    /// The same, tip by tip.
    pub tips: Vec<Tally>,
    /// Held still in the hand.
    pub held: Tally,
    /// A cubic through the ends of the gap in the hand; it knows what comes after.
    pub spline: Tally,
    /// The largest step at the end of a gap, as a multiple of the local one.
    pub largest_jump: f64,
}

impl Score {
    /// Adds that of another recording.
    pub fn join(&mut self, other: &Self) {
        self.gaps += other.gaps;
        self.ours.join(&other.ours);
        self.held.join(&other.held);
        self.spline.join(&other.spline);
        self.tips.resize(self.tips.len().max(other.tips.len()), Tally::default());
        self.tips.iter_mut().zip(&other.tips).for_each(|(own, other)| own.join(other));
        self.largest_jump = self.largest_jump.max(other.largest_jump);
    }
}

/// Before the first gap, so that there is something to learn.
const LEAD_S: f64 = 5.0;
/// Between gaps.
const REST_S: f64 = 1.5;
/// The local step is taken over so many frames, and is noise below this.
const LOCAL: usize = 20;
const NOISE_STEP_M: f64 = 5e-4;

/// Deletes tips again and again, by turns, and follows the hand.
///
/// # Errors
/// The hand cannot be followed.
pub fn score(
    all: &[Vec<Option<Point3<f64>>>],
    (labels, rate_hz): (&[&str], f64),
    model: &Model,
    deletion: Deletion,
) -> Result<Score> {
    let assignment = Assignment::by_model(model, labels)?;
    let columns: Vec<usize> = assignment.tips.iter().copied().flatten().collect();
    let mut tracker = Tracker::new(model, assignment, rate_hz, Options::default())?;
    // Where the hand is with nothing deleted, for the simpler ways.
    let mut free = tracker.clone();
    let hands: Vec<Option<Isometry3<f64>>> =
        all.iter().map(|seen_m| free.step(seen_m).world_from_hand).collect();
    let in_hand = |frame: usize, column: usize| Some(hands[frame]?.inverse() * all[frame][column]?);
    let mut score = Score { tips: vec![Tally::default(); columns.len()], ..Score::default() };
    let lead = (LEAD_S * rate_hz) as usize;
    let every = deletion.frames + (REST_S * rate_hz) as usize;
    let mut before: Vec<Option<Point3<f64>>> = vec![None; columns.len()];
    for (frame, seen_m) in all.iter().enumerate() {
        let number = frame.saturating_sub(lead) / every;
        let start = lead + number * every;
        let end = start + deletion.frames;
        let is_gap = (start..end).contains(&frame) && end + LOCAL < all.len() && frame >= lead;
        let gone: Vec<usize> = (0..deletion.tips.min(columns.len()))
            .map(|offset| (number + 2 * offset) % columns.len())
            .collect();
        let mut left_m = seen_m.clone();
        if is_gap {
            gone.iter().for_each(|tip| left_m[columns[*tip]] = None);
            score.gaps += usize::from(frame == start) * gone.len();
        }
        let pose = tracker.step(&left_m);
        for (tip, column) in columns.iter().enumerate() {
            let now_m = pose.fingers[tip].tip_marker_m;
            let last_m = before[tip].replace(now_m);
            if !gone.contains(&tip) || frame < lead {
                continue;
            }
            if frame == end && end + LOCAL < all.len() {
                let steps = (end.saturating_sub(LOCAL)..end + LOCAL)
                    .filter_map(|at| Some((all[at + 1][*column]? - all[at][*column]?).norm()));
                let local_m = steps.fold(NOISE_STEP_M, f64::max);
                if let Some(last_m) = last_m {
                    score.largest_jump = score.largest_jump.max((now_m - last_m).norm() / local_m);
                }
            }
            let (Some(true_m), true) = (seen_m[*column], is_gap) else { continue };
            let off = now_m - true_m;
            let inverse = pose.fingers[tip].tip_covariance_m2.try_inverse();
            let is_inside = inverse.is_some_and(|inverse| off.dot(&(inverse * off)) <= WITHIN);
            let ends = [start.checked_sub(2), start.checked_sub(1), Some(end), Some(end + 1)];
            let ends = ends.map(|at| at.and_then(|at| in_hand(at, *column)));
            let (Some(hand), [Some(a), Some(b), Some(c), Some(d)]) = (hands[frame], ends) else {
                continue;
            };
            score.ours.add(off.norm() * 1e3, is_inside);
            score.tips[tip].add(off.norm() * 1e3, is_inside);
            score.held.add((hand * b - true_m).norm() * 1e3, false);
            let span = (deletion.frames + 1) as f64;
            let t = (frame + 1 - start) as f64 / span;
            let (slope_b, slope_c) = ((b - a) * span, (d - c) * span);
            let cubic = b.coords * (2.0 * t.powi(3) - 3.0 * t * t + 1.0)
                + slope_b * (t.powi(3) - 2.0 * t * t + t)
                + c.coords * (3.0 * t * t - 2.0 * t.powi(3))
                + slope_c * (t.powi(3) - t * t);
            score.spline.add((hand * Point3::from(cubic) - true_m).norm() * 1e3, false);
        }
    }
    Ok(score)
}
