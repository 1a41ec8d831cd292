//! All gaps of a recording, one after the other: which way, how sure, and why.

use crate::order;
use std::ops::Range;

use nalgebra::Vector3;

use super::extrapolate::{self, Going};
use super::method::Method;
use super::neighbours::Neighbours;
use super::tracks::{Estimate, Gap, Tracks};
use super::{deletion, local, low_rank, pattern, rigid_body, segment, spline};

/// A gap this short that was filled this well tells about longer ones of its neighbours, in seconds and metres.
const SHORT_S: f64 = 0.25;
const SURE_M: f64 = 3e-3;
/// Where no process tells, a gap stays if a simple method errs by more than this, in metres.
const MAX_ERROR_M: f64 = 0.05;
/// Gaps up to this long are mixed with a spline, in seconds.
const SPLINE_S: f64 = 0.15;
/// Standard deviations of the mixture are this much larger: a few gaps made nearby tell a spline's error roughly.
const MIXED_WIDER: f64 = 1.1;
/// In the mixture a spline counts as if its variance were this share of what gaps made nearby say: chosen on CMU 02_05,
/// where markers are smooth and the process adds noise.
const SPLINE_SHARE: f64 = 0.75;
/// The share of a spline's error that is the same throughout the gap, and the variance of a sample.
const SPLINE_FLOOR: f64 = 0.2;
const NOISE_M2: f64 = 1e-8;
/// Gaps made nearby are few and overlap: how far a spline is from the process in the gap itself counts this much beside
/// them. Chosen on PiG_Motion3_FF, CMU 02_01 and 01_01 with gaps that are not the protocol's (its seeds 100 to 107).
const SURPRISE: f64 = 0.33;
/// A process needs so many neighbours.
const MIN_NEIGHBOURS: usize = 3;

/// What came of one gap.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The way that was taken, or asked for if none was.
    pub method: Method,
    /// Why this way, or why none.
    pub reason: String,
    /// The positions, and how far from the truth they are expected to be, root mean square.
    pub found: Option<Found>,
}

/// Positions in a gap.
#[derive(Debug, Clone)]
pub struct Found {
    /// One position a frame, in metres.
    pub positions_m: Vec<Vector3<f64>>,
    /// The expected distance from the truth, in metres, where it can be told.
    pub rms_m: Option<f64>,
    /// The variance of each position along each axis, in square metres, where the method tells.
    pub variances_m2: Option<Vec<f64>>,
}

impl Found {
    /// Some frames of it.
    pub fn part(&self, frames: Range<usize>) -> Self {
        let positions_m = self.positions_m[frames.clone()].to_vec();
        let Some(variances_m2) = &self.variances_m2 else {
            return Self { positions_m, ..self.clone() };
        };
        let part = Estimate { positions_m, variances_m2: variances_m2[frames].to_vec() };
        let rms_m = Some(part.rms_m());
        Self { positions_m: part.positions_m, rms_m, variances_m2: Some(part.variances_m2) }
    }
}

/// Estimates all gaps by a method; one outcome a gap, in their order.
pub fn outcomes(tracks: &mut Tracks, gaps: &[Gap], method: Method) -> Vec<Outcome> {
    let mut order: Vec<usize> = (0..gaps.len()).collect();
    order::by_key(&mut order, |i| gaps[*i].len());
    let mut outcomes: Vec<Option<Outcome>> = vec![None; gaps.len()];
    let short = (SHORT_S * tracks.rate_hz) as usize;
    for i in order {
        let gap = &gaps[i];
        let outcome = one(tracks, gap, method);
        let is_sure = |found: &&Found| {
            found.variances_m2.is_some() && found.rms_m.is_some_and(|rms_m| rms_m <= SURE_M)
        };
        if let Some(found) = outcome.found.as_ref().filter(is_sure)
            && gap.len() <= short
            && !method.is_causal()
        {
            tracks.positions_m[gap.marker][gap.frames.clone()].copy_from_slice(&found.positions_m);
            tracks.seen[gap.marker][gap.frames.clone()].fill(true);
        }
        outcomes[i] = Some(outcome);
    }
    let mut outcomes: Vec<Outcome> = outcomes.into_iter().flatten().collect();
    if matches!(method, Method::Auto | Method::Local | Method::Causal) {
        keep_shapes(tracks, gaps, &mut outcomes, method.is_causal());
    }
    outcomes
}

fn keep_shapes(tracks: &Tracks, gaps: &[Gap], outcomes: &mut [Outcome], is_causal: bool) {
    let mut of_process: Vec<(&Gap, &mut Found, Estimate)> = Vec::new();
    for (gap, outcome) in gaps.iter().zip(outcomes) {
        if let Some(found) = &mut outcome.found
            && let Some(variances_m2) = found.variances_m2.clone()
        {
            let estimate = Estimate { positions_m: found.positions_m.clone(), variances_m2 };
            of_process.push((gap, found, estimate));
        }
    }
    let gaps: Vec<&Gap> = of_process.iter().map(|(gap, ..)| *gap).collect();
    let mut estimates: Vec<&mut Estimate> = of_process.iter_mut().map(|(.., e)| e).collect();
    segment::keep_shapes(tracks, &gaps, &mut estimates, is_causal);
    for (_, found, estimate) in of_process {
        found.positions_m = estimate.positions_m;
    }
}

/// Estimates one gap by a method.
fn one(tracks: &mut Tracks, gap: &Gap, method: Method) -> Outcome {
    let end = if method.is_causal() { gap.frames.start } else { tracks.frames };
    let learnable: Vec<usize> = (0..end).filter(|t| tracks.seen[gap.marker][*t]).collect();
    let none = |reason: String| Outcome { method, reason, found: None };
    if learnable.is_empty() {
        let when = if method.is_causal() { "before the gap" } else { "in any frame" };
        return none(format!("the marker is not seen {when}"));
    }
    match method {
        Method::Auto => auto(tracks, gap, &learnable),
        Method::Local | Method::Causal => match process(tracks, gap, &learnable) {
            Ok((found, reason)) => Outcome { method, reason, found: Some(found) },
            Err(reason) => none(reason),
        },
        _ => match simple(tracks, gap, &learnable, method) {
            Some(found) => {
                let reason = "asked for; error by gaps made nearby".to_owned();
                Outcome { method, reason, found: Some(found) }
            }
            None => none(lacking(method).to_owned()),
        },
    }
}

/// What a simple method lacked.
fn lacking(method: Method) -> &'static str {
    match method {
        Method::Spline => "a spline needs a sample on both sides of the gap",
        Method::Pattern => {
            "a pattern needs a marker that is seen throughout the gap and at one end with this one"
        }
        Method::Rigid => "a rigid body needs three markers off a line, seen throughout the gap",
        Method::LowRank => {
            "needs three markers seen throughout the gap, and ten frames with all of them"
        }
        _ => "needs three samples right before the gap",
    }
}

/// The local process, and what it rests on; or why there is none.
fn process(tracks: &Tracks, gap: &Gap, learnable: &[usize]) -> Result<(Found, String), String> {
    let neighbours = Neighbours::of(tracks, gap, learnable, |_| true);
    let count = neighbours.ranked.len();
    if count < MIN_NEIGHBOURS {
        return Err(format!(
            "need {MIN_NEIGHBOURS} other markers seen throughout the gap, got {count}"
        ));
    }
    let Some(estimate) = local::estimate(tracks, gap, &neighbours) else {
        let frames = neighbours.frames.len();
        return Err(format!(
            "the {count} markers seen throughout the gap are on a line, or seen with this one in \
             too few frames: {frames}"
        ));
    };
    let ends = match (gap.frames.start == 0, gap.frames.end >= tracks.frames) {
        (false, false) => "",
        _ => "; only one end of the gap is known",
    };
    let frames = neighbours.frames.len();
    let reason = format!("{count} markers tell, learnt from {frames} frames{ends}");
    let rms_m = Some(estimate.rms_m());
    let Estimate { positions_m, variances_m2 } = estimate;
    Ok((Found { positions_m, rms_m, variances_m2: Some(variances_m2) }, reason))
}

/// A method that says nothing of its error, which gaps made nearby tell.
fn simple(tracks: &mut Tracks, gap: &Gap, learnable: &[usize], method: Method) -> Option<Found> {
    let run = |tracks: &Tracks, gap: &Gap| {
        let end = if method.is_causal() { gap.frames.start } else { tracks.frames };
        let is_learnable = |t: &&usize| tracks.seen[gap.marker][**t] && **t < end;
        let learnable: Vec<usize> = learnable.iter().filter(is_learnable).copied().collect();
        let neighbours = || Neighbours::of(tracks, gap, &learnable, |_| true);
        match method {
            Method::Spline => spline::estimate(tracks, gap),
            Method::Pattern => pattern::estimate(tracks, gap, &neighbours()),
            Method::Rigid => rigid_body::estimate(tracks, gap, &neighbours()),
            Method::LowRank => low_rank::estimate(tracks, gap, &neighbours()),
            Method::Velocity => extrapolate::estimate(tracks, gap, &neighbours(), Going::Velocity),
            Method::Linear => extrapolate::estimate(tracks, gap, &neighbours(), Going::Linear),
            Method::Circular => extrapolate::estimate(tracks, gap, &neighbours(), Going::Circular),
            Method::Auto | Method::Local | Method::Causal | Method::Ukf => None,
        }
    };
    let positions_m = run(tracks, gap)?;
    let rms_m = deletion::expected_rms_m(tracks, gap, learnable, run);
    Some(Found { positions_m, rms_m, variances_m2: None })
}

/// The local process where there is one; else what errs least in gaps made nearby.
fn auto(tracks: &mut Tracks, gap: &Gap, learnable: &[usize]) -> Outcome {
    let why_not = match process(tracks, gap, learnable) {
        Ok((found, reason)) => return with_spline(tracks, gap, learnable, found, reason),
        Err(why_not) => why_not,
    };
    let candidates = [Method::Spline, Method::Rigid, Method::Pattern];
    let all = candidates.map(|method| (method, simple(tracks, gap, learnable, method)));
    let error = |found: &Found| found.rms_m.unwrap_or(f64::INFINITY);
    let best = all
        .into_iter()
        .filter_map(|(method, found)| Some((method, found?)))
        .min_by(|(_, a), (_, b)| error(a).total_cmp(&error(b)));
    match best {
        Some((method, found)) if error(&found) <= MAX_ERROR_M => {
            let reason = format!(
                "{why_not}; of spline, rigid body and pattern, {} errs least in gaps made nearby",
                method.name()
            );
            Outcome { method, reason, found: Some(found) }
        }
        Some((_, found)) => {
            let reason = match found.rms_m {
                Some(rms_m) => format!(
                    "{why_not}; spline, rigid body and pattern err by {:.0} mm or more in gaps made \
                     nearby, and at most {:.0} are good enough",
                    1e3 * rms_m,
                    1e3 * MAX_ERROR_M
                ),
                None => format!("{why_not}; nothing tells how far anything else would be off"),
            };
            Outcome { method: Method::Auto, reason, found: None }
        }
        None => Outcome { method: Method::Auto, reason: why_not, found: None },
    }
}

/// Of short gaps a spline knows as much: both, mixed by how far each is expected to err.
fn with_spline(
    tracks: &mut Tracks,
    gap: &Gap,
    learnable: &[usize],
    found: Found,
    reason: String,
) -> Outcome {
    let local =
        |found| Outcome { method: Method::Local, reason: reason.clone(), found: Some(found) };
    if gap.len() as f64 > SPLINE_S * tracks.rate_hz {
        return local(found);
    }
    let spline = simple(tracks, gap, learnable, Method::Spline);
    let (Some(Found { positions_m, rms_m: Some(rms_m), .. }), Some(variances_m2)) =
        (spline, found.variances_m2.clone())
    else {
        return local(found);
    };
    // A cubic errs as t² (1 - t)², whose square has the mean 1 / 630.
    let length = (gap.len() + 1) as f64;
    let variance = |i: usize| {
        let t = (i + 1) as f64 / length;
        let profile = 630.0 * (t * (1.0 - t)).powi(4);
        SPLINE_SHARE * (SPLINE_FLOOR + (1.0 - SPLINE_FLOOR) * profile) * rms_m.powi(2) / 3.0
            + NOISE_M2
    };
    let mut spline = Estimate { positions_m, variances_m2: (0..gap.len()).map(variance).collect() };
    let process = Estimate { positions_m: found.positions_m, variances_m2 };
    let wider = (1.0 + SURPRISE * surprise(&spline, &process)) / (1.0 + SURPRISE);
    spline.variances_m2.iter_mut().for_each(|v_m2| *v_m2 *= wider.max(1.0));
    let is_spline = spline.rms_m() < process.rms_m();
    match local::mixed(&[process, spline], MIXED_WIDER) {
        Some(mixed) => {
            let rms_m = Some(mixed.rms_m());
            let Estimate { positions_m, variances_m2 } = mixed;
            let found = Some(Found { positions_m, rms_m, variances_m2: Some(variances_m2) });
            let (method, other) = match is_spline {
                true => (Method::Spline, "the process"),
                false => (Method::Local, "a spline"),
            };
            Outcome {
                method,
                reason: format!("{reason}; mixed with {other}, for the gap is short"),
                found,
            }
        }
        None => Outcome { method: Method::Local, reason, found: None },
    }
}

/// How far a spline is from the process, beyond what the process says of itself, in what the spline is expected to err;
/// squares.
fn surprise(spline: &Estimate, process: &Estimate) -> f64 {
    let apart = spline.positions_m.iter().zip(&process.positions_m);
    let apart_m2: f64 = apart.map(|(a, b)| (a - b).norm_squared() / 3.0).sum();
    let of_process_m2: f64 = process.variances_m2.iter().sum();
    let of_spline_m2: f64 = spline.variances_m2.iter().sum();
    ((apart_m2 - of_process_m2) / of_spline_m2).max(0.0)
}
