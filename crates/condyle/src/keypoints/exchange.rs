//! Legs, or all, taken for those of the other side for a while.

use std::ops::Range;

use nalgebra::Vector3;

use super::tracks::{Joint, bridged, track};
use crate::marker_set::{Side, side_pairs};
use crate::statistics::median;
use crate::trial::Trial;

/// Points of the two sides that were exchanged, and put back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exchanged {
    /// The pairs, as indices into the trial's markers.
    pub pairs: Vec<[usize; 2]>,
    /// In which frames.
    pub frames: Range<usize>,
}

/// How far points move from frame to frame at 60 Hz, one standard deviation, and what a step costs at most.
const STEP_M: f64 = 0.04;
const STEP_RATE_HZ: f64 = 60.0;
const STEP_MOST: f64 = 6.0;
/// How far a thigh's length is from its median, one standard deviation, and what it costs at most.
const LENGTH_M: f64 = 0.04;
const LENGTH_MOST: f64 = 8.0;
/// How far knees go across each other, one standard deviation, and what it costs at most.
const CROSSED_M: f64 = 0.05;
const CROSSED_MOST: f64 = 3.0;
/// What it costs to begin or end an exchange, and every frame of it.
const SWITCH: f64 = 10.0;
const OTHER: f64 = 0.3;

/// A way in which the two sides may be exchanged: which pairs are.
struct Order {
    pairs: Vec<usize>,
}

/// Puts points back whose two sides were exchanged for a while; `markers` are those of one performer.
///
/// # Method
/// In every frame nothing, the legs from the knees down, the legs with the hips, or all are exchanged. The sequence of
/// least cost is found by dynamic programming: steps of points from frame to frame, the length of the thighs, hips
/// against the line of the shoulders, and a price for every change.
///
/// # Reference
/// A. J. Viterbi (1967), *Error bounds for convolutional codes*.
pub fn put_back(trial: &mut Trial, markers: &[usize]) -> Vec<Exchanged> {
    let labels: Vec<&str> = markers.iter().map(|m| trial.markers[*m].label.as_str()).collect();
    let pairs: Vec<[usize; 2]> = side_pairs(&labels);
    let paths: Vec<Option<Vec<Vector3<f64>>>> =
        markers.iter().map(|marker| bridged(&track(trial, *marker))).collect();
    let pairs: Vec<[usize; 2]> =
        pairs.into_iter().filter(|pair| pair.iter().all(|i| paths[*i].is_some())).collect();
    let find = |joint: Joint| {
        pairs.iter().copied().position(|[left, _]| {
            Joint::of_label(labels[left]).is_some_and(|found| found == (joint, Side::Left))
        })
    };
    let (Some(hip), Some(knee)) = (find(Joint::Hip), find(Joint::Knee)) else { return Vec::new() };
    let is_of_foot = |pair: &usize| is_below_the_knee(labels[pairs[*pair][0]]);
    let below: Vec<usize> = (0..pairs.len()).filter(is_of_foot).collect();
    let with_hips: Vec<usize> = below.iter().copied().chain([hip]).collect();
    let orders = [Vec::new(), below, with_hips.clone(), (0..pairs.len()).collect()]
        .map(|pairs| Order { pairs });
    let scene = Scene {
        paths: pairs
            .iter()
            .map(|pair| pair.map(|i| paths[i].clone().unwrap_or_default()))
            .collect(),
        hip,
        knee,
        shoulder: find(Joint::Shoulder),
        step_m: STEP_M * (STEP_RATE_HZ / trial.rate_hz.max(1.0)).clamp(0.75, 4.0),
    };
    let states = scene.best(&orders, trial.frames);
    let mut all = Vec::new();
    let mut from = 0;
    while from < states.len() {
        let to = (from..states.len()).find(|f| states[*f] != states[from]).unwrap_or(states.len());
        let ends: Vec<usize> =
            [from, to].into_iter().filter(|end| (1..states.len()).contains(end)).collect();
        let is_invented = !ends.is_empty()
            && ends.iter().all(|end| {
                let [before, after] = [end - 1, *end].map(|frame| &orders[states[frame]].pairs);
                scene.is_seamless(*end, before, after)
            });
        if states[from] > 0 && !is_invented {
            let exchanged: Vec<[usize; 2]> = orders[states[from]]
                .pairs
                .iter()
                .map(|pair| pairs[*pair].map(|i| markers[i]))
                .collect();
            for &[a, b] in &exchanged {
                for frame in from..to {
                    trial.exchange(frame, [a, b]);
                }
            }
            all.push(Exchanged { pairs: exchanged, frames: from..to });
        }
        from = to;
    }
    all
}

/// Whether a point is of a leg, from the knee down.
fn is_below_the_knee(label: &str) -> bool {
    use crate::marker_set::fits;
    ["?KNEE", "?ANKLE", "?BIGTOE", "?SMALLTOE", "?HEEL", "?FOOTINDEX", "?TOE"]
        .iter()
        .any(|pattern| fits(pattern, label).is_some())
}

struct Scene {
    /// For every pair its two paths, left first.
    paths: Vec<[Vec<Vector3<f64>>; 2]>,
    hip: usize,
    knee: usize,
    shoulder: Option<usize>,
    step_m: f64,
}

impl Scene {
    /// The order of least cost in every frame.
    fn best(&self, orders: &[Order; 4], frames: usize) -> Vec<usize> {
        let thigh_m = median((0..frames).flat_map(|frame| {
            let [l, r] = [0, 1].map(|side| self.thigh_m(frame, side, side));
            [l, r]
        }))
        .unwrap_or(0.4);
        let has = |order: usize, pair: usize| orders[order].pairs.contains(&pair);
        let mut cost = [0.0; 4];
        let mut back: Vec<[usize; 4]> = Vec::with_capacity(frames);
        for frame in 0..frames {
            let own: [f64; 4] = std::array::from_fn(|order| {
                self.own(frame, thigh_m, has(order, self.hip), has(order, self.knee))
                    + if order > 0 { OTHER } else { 0.0 }
            });
            if frame == 0 {
                cost = std::array::from_fn(|o| own[o] + if o > 0 { SWITCH } else { 0.0 });
                back.push([0, 1, 2, 3]);
                continue;
            }
            // Of every pair what it costs to go on as it was, and to change sides.
            let mut steps = [[0.0; 4]; 4];
            for pair in 0..self.paths.len() {
                let [same, other] = self.step(frame, pair);
                for (from, row) in steps.iter_mut().enumerate() {
                    for (to, step) in row.iter_mut().enumerate() {
                        *step += if has(from, pair) == has(to, pair) { same } else { other };
                    }
                }
            }
            let mut next = [f64::INFINITY; 4];
            let mut came = [0; 4];
            for to in 0..4 {
                for from in 0..4 {
                    let switch = if from == to { 0.0 } else { SWITCH };
                    let sum = cost[from] + steps[from][to] + switch + own[to];
                    if sum < next[to] {
                        (next[to], came[to]) = (sum, from);
                    }
                }
            }
            cost = next;
            back.push(came);
        }
        cost.iter_mut().skip(1).for_each(|cost| *cost += SWITCH);
        let mut state = (0..4).min_by(|a, b| cost[*a].total_cmp(&cost[*b])).unwrap_or(0);
        let mut states = vec![0; frames];
        for frame in (0..frames).rev() {
            states[frame] = state;
            state = back[frame][state];
        }
        states
    }

    fn thigh_m(&self, frame: usize, hip_side: usize, knee_side: usize) -> f64 {
        (self.paths[self.hip][hip_side][frame] - self.paths[self.knee][knee_side][frame]).norm()
    }

    /// What a frame costs by itself.
    fn own(&self, frame: usize, thigh_m: f64, hips: bool, knees: bool) -> f64 {
        let mut sum = 0.0;
        for side in 0..2 {
            let other = usize::from(hips != knees);
            let off = (self.thigh_m(frame, side, (side + other) % 2) - thigh_m) / LENGTH_M;
            sum += (off * off / 2.0).min(LENGTH_MOST);
        }
        // Knees hardly cross.
        let across = |pair: usize| {
            let [l, r] = &self.paths[pair];
            r[frame] - l[frame]
        };
        let hips_m = if hips { -across(self.hip) } else { across(self.hip) };
        let knees_m = if knees { -across(self.knee) } else { across(self.knee) };
        let apart_m = hips_m.try_normalize(1e-6).map_or(0.0, |unit| knees_m.dot(&unit));
        if apart_m < 0.0 {
            sum += ((apart_m / CROSSED_M).powi(2) / 2.0).min(CROSSED_MOST);
        }
        // Exchanged with the shoulders is not exchanged: all are.
        if let Some(shoulder) = self.shoulder {
            let [l, r] = &self.paths[shoulder];
            let across = (r[frame] - l[frame]).try_normalize(1e-6).unwrap_or_default();
            let [l, r] = &self.paths[self.hip];
            let sign = if hips { -1.0 } else { 1.0 };
            let along_m = sign * (r[frame] - l[frame]).dot(&across);
            if along_m < 0.0 {
                sum += (along_m / LENGTH_M).powi(2).min(LENGTH_MOST);
            }
        }
        sum
    }

    /// Whether points go on as they are called, where they are said to change sides: whoever crosses the legs widely looks
    /// exchanged in every frame but these.
    fn is_seamless(&self, frame: usize, before: &[usize], after: &[usize]) -> bool {
        let changes = (0..self.paths.len()).filter(|p| before.contains(p) != after.contains(p));
        let (same, other) = changes.fold((0.0, 0.0), |(same, other), pair| {
            let [own_same, own_other] = self.step(frame, pair);
            (same + own_same, other + own_other)
        });
        same + STEP_MOST < other
    }

    /// What the step of a pair costs if sides stay, and if they change.
    fn step(&self, frame: usize, pair: usize) -> [f64; 2] {
        let [l, r] = &self.paths[pair];
        let cost = |a: &Vector3<f64>, b: &Vector3<f64>| {
            ((a - b).norm_squared() / (self.step_m * self.step_m) / 2.0).min(STEP_MOST)
        };
        let same = cost(&l[frame - 1], &l[frame]) + cost(&r[frame - 1], &r[frame]);
        let other = cost(&l[frame - 1], &r[frame]) + cost(&r[frame - 1], &l[frame]);
        [same, other]
    }
}
