//! Distances between markers, at a rate that is enough to see a step.

use std::ops::Range;

use nalgebra::{Point3, Vector3};

use super::step::Stepper;
use crate::statistics::{median, median_in_place, quantile_in_place, sd_by_median};
use crate::trial::Trial;

/// Blocks of frames a second, about: the mean of each is looked at.
const BLOCKS_PER_S: f64 = 50.0;
/// A step is looked for within so long, in seconds either way: where skin moves less, longer is surer.
const WINDOWS_S: [f64; 4] = [0.16, 0.24, 0.4, 0.6];
/// Shorter gaps are bridged for that, in seconds.
const BRIDGED_S: f64 = 0.2;
/// This quantile of the steps, as so many standard deviations, tells what is usual, if the median does not tell more:
/// some joints move for a short time only.
const TAIL: (f64, f64) = (0.97, 2.17);
/// What steps do around an instant, but for the window itself: for so long, in seconds either way.
const AROUND_S: f64 = 1.0;
/// Steps of distances vary by so much at least, in metres.
const FLOOR_M: f64 = 2e-4;
/// Distances that vary by more than skin does, in metres from quantile to quantile, are across a joint.
const RANGE: [f64; 2] = [0.002, 0.998];
const ON_SKIN_M: f64 = 0.025;
/// Steps of so few blocks do not tell what is usual.
const LEAST_STEPS: usize = 25;

/// The places of markers, means over blocks of frames.
pub(super) struct Blocks {
    length: usize,
    per_s: f64,
    places_m: Vec<Vec<Option<Point3<f64>>>>,
}

impl Blocks {
    pub fn of(trial: &Trial, markers: &[usize]) -> Self {
        let length = ((trial.rate_hz / BLOCKS_PER_S) as usize).max(1);
        let mean = |marker: usize, block: usize| {
            let frames = block * length..((block + 1) * length).min(trial.frames);
            let seen = frames.filter_map(|frame| trial.markers[marker].position_m(frame));
            let add = |(sum, count), place_m: Point3<f64>| (sum + place_m.coords, count + 1.0);
            let (sum, count) = seen.fold((Vector3::zeros(), 0.0), add);
            (count > 0.0).then(|| Point3::from(sum / count))
        };
        let count = trial.frames.div_ceil(length);
        let places_m = markers
            .iter()
            .map(|marker| (0..count).map(|block| mean(*marker, block)).collect())
            .collect();
        Self { length, per_s: trial.rate_hz / length as f64, places_m }
    }

    pub fn count(&self) -> usize {
        self.places_m.first().map_or(0, Vec::len)
    }

    /// So many blocks are in a time, at least one.
    pub fn count_in(&self, seconds: f64) -> usize {
        ((seconds * self.per_s) as usize).max(1)
    }

    pub fn frame(&self, block: usize) -> usize {
        block * self.length
    }

    pub fn place_m(&self, label: usize, block: usize) -> Option<Point3<f64>> {
        self.places_m[label][block]
    }
}

/// The distance to one marker.
pub(super) struct Distance {
    pub mate: usize,
    apart_m: Vec<Option<f64>>,
    /// The step at every block, and how much steps vary as a rule, or around it if that is more: one standard deviation.
    pub steps: Vec<Option<(f64, f64)>>,
    /// How much the distance itself varies.
    pub spread_m: f64,
}

impl Distance {
    /// `None` of two markers that are not on one segment, or too seldom seen.
    pub fn of(blocks: &Blocks, own: usize, mate: usize) -> Option<Self> {
        let apart = |block: usize| {
            Some((blocks.place_m(own, block)? - blocks.place_m(mate, block)?).norm())
        };
        let apart_m: Vec<Option<f64>> = (0..blocks.count()).map(apart).collect();
        let bridged_m = bridged(&apart_m, blocks.count_in(BRIDGED_S));
        let mut all_m: Vec<f64> = apart_m.iter().flatten().copied().collect();
        let usual_m = median_in_place(&mut all_m)?;
        let [low_m, high_m] = RANGE.map(|share| quantile_in_place(&mut all_m, share));
        let spread_m = sd_by_median(all_m.iter().map(|apart_m| apart_m - usual_m))?;
        if high_m? - low_m? > ON_SKIN_M {
            return None;
        }
        let by_window = |window_s: f64| {
            let steps_m = Stepper::new(blocks.count_in(window_s)).steps(&bridged_m);
            let sd_m = usual_step_m(&steps_m)?;
            let [near, far] = [window_s, window_s + AROUND_S].map(|s| blocks.count_in(s));
            let sds_m = around(&steps_m, near..far).into_iter().map(move |m| m.max(sd_m));
            let steps = steps_m.iter().zip(sds_m).map(|(step_m, sd_m)| Some(((*step_m)?, sd_m)));
            Some((sd_m, steps.collect::<Vec<_>>()))
        };
        let mut windows: Vec<_> = WINDOWS_S.into_iter().filter_map(by_window).collect();
        windows.sort_by(|a, b| a.0.total_cmp(&b.0));
        // The surest window that nothing is missing in.
        let step = |block: usize| windows.iter().find_map(|(_, steps)| steps[block]);
        let steps: Vec<Option<(f64, f64)>> = (0..blocks.count()).map(step).collect();
        if steps.iter().flatten().count() < LEAST_STEPS {
            return None;
        }
        Some(Self { mate, apart_m, steps, spread_m: spread_m.max(FLOOR_M) })
    }

    /// From so many blocks before one to as many after: the change of the median.
    pub fn change_m(&self, block: usize, count: usize) -> Option<f64> {
        let before = self.apart_m[block.saturating_sub(count)..block].iter().flatten();
        let end = (block + 1 + count).min(self.apart_m.len());
        let after = self.apart_m[(block + 1).min(end)..end].iter().flatten();
        Some(median(after.copied())? - median(before.copied())?)
    }
}

/// The root mean square of a series about every instant, on the side where it is larger.
fn around(series: &[Option<f64>], far: Range<usize>) -> Vec<f64> {
    let mut sums = vec![(0.0, 0.0)];
    for value in series {
        let (square, count) = sums[sums.len() - 1];
        sums.push(value.map_or((square, count), |value| (square + value * value, count + 1.0)));
    }
    let rms = |from: usize, to: usize| {
        let [from, to] = [from, to].map(|at| sums[at.min(series.len())]);
        ((to.0 - from.0) / f64::max(to.1 - from.1, 1.0)).sqrt()
    };
    let about = |at: usize| {
        let before = rms(at.saturating_sub(far.end), at.saturating_sub(far.start));
        before.max(rms(at + far.start + 1, at + far.end + 1))
    };
    (0..series.len()).map(about).collect()
}

/// How much steps vary as a rule, one standard deviation; `None` of too few.
fn usual_step_m(steps_m: &[Option<f64>]) -> Option<f64> {
    let mut sizes_m: Vec<f64> = steps_m.iter().flatten().map(|step_m| step_m.abs()).collect();
    if sizes_m.len() < LEAST_STEPS {
        return None;
    }
    let tail_m = quantile_in_place(&mut sizes_m, TAIL.0)? / TAIL.1;
    Some(sd_by_median(sizes_m)?.max(tail_m).max(FLOOR_M))
}

/// The series with short gaps bridged on a straight line.
fn bridged(series: &[Option<f64>], longest: usize) -> Vec<Option<f64>> {
    let mut bridged = series.to_vec();
    let seen = series.iter().enumerate().filter_map(|(at, value)| Some((at, (*value)?)));
    let mut last: Option<(usize, f64)> = None;
    for (at, value) in seen {
        if let Some((from, start)) = last.filter(|(from, _)| at - from <= longest) {
            for (step, gap) in bridged[from + 1..at].iter_mut().enumerate() {
                let share = (step + 1) as f64 / (at - from) as f64;
                *gap = Some(start + share * (value - start));
            }
        }
        last = Some((at, value));
    }
    bridged
}
