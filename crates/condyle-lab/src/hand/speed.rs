//! How long a frame takes.

use std::time::Instant;

use condyle::Result;
use condyle::hand::{Assignment, Model, Options, Side, Tracker};
use condyle::simulate::Routine;

use super::simulated::{Conditions, frames, perform};

/// The median, the 99th in 100 and the longest, in microseconds.
///
/// # Errors
/// The hand cannot be simulated or followed.
pub fn frame_us(lost_tips: usize) -> Result<[f64; 3]> {
    let model = Model::standard(Side::Right, 0.19)?;
    let conditions = Conditions { seconds: 40.0, ..Conditions::default() };
    let simulation = perform(&model, Routine::Grasp, &conditions, 3)?;
    let labels = simulation.trial.labels();
    let assignment = Assignment::by_model(&model, &labels)?;
    let tips: Vec<usize> = assignment.tips.iter().copied().flatten().collect();
    let mut tracker = Tracker::new(&model, assignment, conditions.rate_hz, Options::default())?;
    let mut times_us = Vec::new();
    for (frame, seen_m) in frames(&simulation.trial).into_iter().enumerate() {
        let mut seen_m = seen_m;
        // Lost for one second in two, so that they are predicted and not held.
        if frame > 500 && frame / 100 % 2 == 0 {
            tips.iter().take(lost_tips).for_each(|tip| seen_m[*tip] = None);
        }
        let start = Instant::now();
        std::hint::black_box(tracker.step(&seen_m));
        let took_us = start.elapsed().as_secs_f64() * 1e6;
        if frame > 500 && (lost_tips == 0 || frame / 100 % 2 == 0) {
            times_us.push(took_us);
        }
    }
    times_us.sort_by(f64::total_cmp);
    let at = |share: f64| times_us[((times_us.len() - 1) as f64 * share) as usize];
    Ok([at(0.5), at(0.99), at(1.0)])
}
