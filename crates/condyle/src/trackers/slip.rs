//! Sensors that slip: a joint that jumps in the frame of its body, and stays there.

use nalgebra::{Matrix3, Vector3};

use super::trouble::{Trouble, TroubleKind};
use crate::calibrate::correlation::inflation;
use crate::marker_set;
use crate::subject::Subject;
use crate::trial::Body;

/// What is reported, per degree of freedom. Of noise the largest in 45 s is below 7.
const THRESHOLD: f64 = 12.0;
/// What noise contributes to every joint of a body.
const BY_CHANCE: f64 = 4.0;
/// Frames on either side of a slip: at least these, and at least a share of all.
const MIN_FRAMES: usize = 15;
const MIN_SHARE: f64 = 0.02;

/// On a person less than this is skin.
const LEAST_ON_SKIN_M: f64 = 2e-3;

/// A change of the mean.
#[derive(Debug, Clone, Copy)]
struct Change {
    /// The index of the first sample after it.
    at: usize,
    statistic: f64,
    shift: Vector3<f64>,
}

/// One joint seen from one of its bodies.
struct Seen {
    joint: usize,
    body: usize,
    change: Change,
    /// The frame of the change, and the last.
    frame: usize,
    end: usize,
}

/// Finds sensors that slipped, the clearest of every body.
///
/// # Method
/// The gap of a joint, seen from one of its bodies, is noise about a mean. If that body's sensor moves on
/// its segment the mean jumps, constant in its own frame and turning in every other. With cs_k the sum of the
/// first k gaps less their mean and V their variance on either side, max_k cs_kᵀV⁻¹cs_k / (3k(n-k)/n) is
/// about 1 by chance; where neighbouring frames are alike it is divided by what they are worth less. The
/// body is that in whose frame its joints jump most.
///
/// # Reference
/// O'Brien (2000), section 5, suggests "large changes in the joint residual"; the statistic is ours.
pub(super) fn find(subject: &Subject, bodies: &[Body]) -> Vec<Trouble> {
    let mut seen = Vec::new();
    for (index, joint) in subject.joints.iter().enumerate() {
        let (mut in_child, mut in_parent, mut frames) = (Vec::new(), Vec::new(), Vec::new());
        let (child, parent) = (&bodies[joint.child], &bodies[joint.parent]);
        for frame in 0..child.frames().min(parent.frames()) {
            let (Some(c), Some(p)) = (child.world_from_body(frame), parent.world_from_body(frame))
            else {
                continue;
            };
            let gap = c * joint.centre_in_child_m - p * joint.centre_in_parent_m;
            in_child.push(c.rotation.inverse_transform_vector(&gap));
            in_parent.push(p.rotation.inverse_transform_vector(&gap));
            frames.push(frame);
        }
        let [one, other] = [joint.child, joint.parent].map(|body| &subject.segments[body].name);
        let is_person = marker_set::joint_between(one, other).is_some();
        let least_m = if is_person { LEAST_ON_SKIN_M } else { 0.0 };
        for (body, series) in [(joint.child, in_child), (joint.parent, in_parent)] {
            if let Some(change) = change(&series).filter(|c| c.shift.norm() >= least_m) {
                let (frame, end) = (frames[change.at], frames[frames.len() - 1] + 1);
                seen.push(Seen { joint: index, body, change, frame, end });
            }
        }
    }
    blame(subject, seen)
}

/// Bodies one after the other, the clearest first; what it explains is not looked at again.
fn blame(subject: &Subject, mut seen: Vec<Seen>) -> Vec<Trouble> {
    let mut slips = Vec::new();
    loop {
        let score = |body: usize| -> f64 {
            let own = seen.iter().filter(|seen| seen.body == body);
            own.map(|seen| (seen.change.statistic - BY_CHANCE).max(0.0)).sum()
        };
        let is_clear = |seen: &&Seen| seen.change.statistic > THRESHOLD;
        let worst = seen.iter().filter(is_clear).max_by(|a, b| {
            let by_body = score(a.body).total_cmp(&score(b.body));
            by_body.then(a.change.statistic.total_cmp(&b.change.statistic))
        });
        let Some(worst) = worst else { return slips };
        let (body, frames) = (worst.body, worst.frame..worst.end);
        slips.push(Trouble {
            kind: TroubleKind::Slip {
                shift_m: worst.change.shift.norm(),
                statistic: worst.change.statistic,
            },
            body: subject.segments[body].name.clone(),
            frames,
        });
        let is_of = |joint: usize| {
            let joint = &subject.joints[joint];
            joint.child == body || joint.parent == body
        };
        seen.retain(|seen| !is_of(seen.joint));
    }
}

/// The clearest change of the mean; `None` of too few samples, or of samples that are all alike.
fn change(series: &[Vector3<f64>]) -> Option<Change> {
    let n = series.len();
    let margin = MIN_FRAMES.max((MIN_SHARE * n as f64) as usize);
    if n < 4 * margin {
        return None;
    }
    let mean = series.iter().sum::<Vector3<f64>>() / n as f64;
    let total: Matrix3<f64> = series.iter().map(|x| (x - mean) * (x - mean).transpose()).sum();
    let weight = floored(total / n as f64)?.try_inverse()?;
    let mut sum = Vector3::zeros();
    let mut best = (0, 0.0);
    for (k, x) in series.iter().enumerate().take(n - margin) {
        sum += x - mean;
        let count = (k + 1) as f64;
        let statistic = sum.dot(&(weight * sum)) * n as f64 / (count * (n as f64 - count));
        if k + 1 >= margin && statistic > best.1 {
            best = (k + 1, statistic);
        }
    }
    let (before, after) = series.split_at(best.0);
    let mean_of =
        |part: &[Vector3<f64>]| part.iter().sum::<Vector3<f64>>() / part.len().max(1) as f64;
    let means = [mean_of(before), mean_of(after)];
    let rest = |at: usize| series[at] - means[usize::from(at >= best.0)];
    let (mut within, mut alike) = (Matrix3::zeros(), 0.0);
    for at in 0..n {
        let x = rest(at);
        within += x * x.transpose();
        if at > 0 {
            alike += x.dot(&rest(at - 1));
        }
    }
    let again = inflation(alike / within.trace().max(f64::MIN_POSITIVE), n as f64);
    let slow = Slow::of(n, rest, within.trace() / n as f64);
    let again = again.max(slow.inflation);
    let shift = means[1] - means[0];
    if shift.norm() < BEYOND_SLOW * slow.wander_m {
        return None;
    }
    let weight = floored(within / (n as f64 - 2.0))?.try_inverse()?;
    let (k, m) = (before.len() as f64, after.len() as f64);
    let statistic = shift.dot(&(weight * shift)) * k * m / (n as f64 * 3.0 * again);
    Some(Change { at: best.0, statistic, shift })
}

/// Stretches that are looked at as wholes.
const STRETCHES: usize = 24;
/// Their means vary by chance up to so many times more than they should.
const MOST_BY_CHANCE: f64 = 1.6;

/// A slip is so many times what wanders anyway.
const BEYOND_SLOW: f64 = 3.0;

/// What wanders beside noise: skin that slides while a joint is moved shifts the mean for a while, and is no slip.
struct Slow {
    /// How much more the means of stretches vary than those of noise would.
    inflation: f64,
    /// How far they wander, noise taken off.
    wander_m: f64,
}

impl Slow {
    fn of(n: usize, rest: impl Fn(usize) -> Vector3<f64>, variance: f64) -> Self {
        let none = Self { inflation: 1.0, wander_m: 0.0 };
        let length = n / STRETCHES;
        if length < 2 {
            return none;
        }
        let mean = |stretch: usize| {
            let frames = stretch * length..(stretch + 1) * length;
            frames.map(&rest).sum::<Vector3<f64>>() / length as f64
        };
        let square: f64 = (0..STRETCHES).map(|stretch| mean(stretch).norm_squared()).sum();
        // Two means are taken off.
        let of_means = square / (STRETCHES - 2) as f64;
        let of_noise = (variance / length as f64).max(f64::MIN_POSITIVE);
        match of_means / of_noise {
            inflation if inflation > MOST_BY_CHANCE => {
                Self { inflation, wander_m: (of_means - of_noise).sqrt() }
            }
            _ => none,
        }
    }
}

/// Gaps smaller than this are rounding.
const LEAST_M: f64 = 1e-7;

/// A variance of which no direction is below a thousandth of the whole, or of rounding.
fn floored(variance: Matrix3<f64>) -> Option<Matrix3<f64>> {
    let whole = variance.trace();
    let floor = 1e-3 * whole + LEAST_M * LEAST_M;
    whole.is_finite().then(|| variance + Matrix3::identity() * floor)
}
