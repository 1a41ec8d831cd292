//! A trajectory without the noise that is faster than the point.

use std::ops::Range;

use nalgebra::{Point3, Vector3};

use super::bandwidth::{Bandwidth, bandwidth};
use super::tracks::{Track, bridged, track};
use crate::trial::{Origin, Trial};

/// How far beyond the first and the last sight of a point it is said where it is, in seconds.
const BEYOND_S: f64 = 0.15;
/// Gaps longer than this are not bridged: nobody knows where the point went.
const LONGEST_GAP_S: f64 = 1.0;
/// Fewer samples than this are left as they are.
const MIN_SAMPLES: usize = 8;

/// A recording with some of its points smoothed, their gaps bridged, and bad stretches left out.
pub fn smoothed_trial(trial: &Trial, markers: &[usize], bad: &[Range<usize>]) -> Trial {
    let mut smooth = trial.clone();
    for &marker in markers {
        let (track, _) = smoothed(&track(trial, marker), trial.rate_hz, bad);
        for (frame, at_m) in track.into_iter().enumerate() {
            let at_m = at_m.filter(|_| bad.iter().all(|range| !range.contains(&frame)));
            let origin = if at_m.is_some() { Origin::Measured } else { Origin::Missing };
            smooth.markers[marker].set(frame, at_m.map(Point3::from), origin);
        }
    }
    smooth
}

/// A trajectory smoothed as its own motion allows; `None` far from any sample.
///
/// Bad stretches are smoothed by themselves: they tell nothing of the rest.
pub(super) fn smoothed(
    track: &Track,
    rate_hz: f64,
    bad: &[Range<usize>],
) -> (Track, Option<Bandwidth>) {
    let samples = track.iter().flatten().count();
    let path_m = bridged(track).filter(|_| samples >= MIN_SAMPLES && rate_hz > 0.0);
    let Some(path_m) = path_m else { return (track.clone(), None) };
    let weights: Vec<f64> = track.iter().map(|at| if at.is_some() { 1.0 } else { 0.0 }).collect();
    let gaps = long_gaps(track, (LONGEST_GAP_S * rate_hz) as usize);
    let away: Vec<&Range<usize>> = bad.iter().chain(&gaps).collect();
    let found = bandwidth(&path_m[longest_good(&away, path_m.len())], rate_hz);
    let is_cut = |frame: usize| {
        bad.iter().any(|r| r.start == frame || r.end == frame)
            || gaps.iter().any(|gap| (gap.start + gap.end) / 2 == frame)
    };
    let cuts: Vec<bool> = (0..path_m.len()).map(is_cut).collect();
    let smooth_m = penalised(&path_m, &weights, found.lambda, &cuts);
    let beyond = (BEYOND_S * rate_hz) as usize;
    let first = track.iter().position(Option::is_some).unwrap_or(0);
    let last = track.iter().rposition(Option::is_some).unwrap_or(0);
    let is_far = |gap: &Range<usize>, f: usize| f >= gap.start + beyond && f + beyond < gap.end;
    let is_near = |frame: usize| {
        frame + beyond >= first
            && frame <= last + beyond
            && gaps.iter().all(|gap| !is_far(gap, frame))
    };
    let kept = smooth_m.into_iter().enumerate().map(|(f, at)| is_near(f).then_some(at));
    (kept.collect(), Some(found))
}

/// The gaps between samples that have more frames than this.
fn long_gaps(track: &Track, frames: usize) -> Vec<Range<usize>> {
    let seen: Vec<usize> = (0..track.len()).filter(|frame| track[*frame].is_some()).collect();
    let between = seen.windows(2).map(|pair| pair[0] + 1..pair[1]);
    between.filter(|gap| gap.len() > frames).collect()
}

/// The longest stretch that is not bad; all if there is none.
fn longest_good(bad: &[&Range<usize>], frames: usize) -> Range<usize> {
    let is_good = |frame: &usize| bad.iter().all(|range| !range.contains(frame));
    let good: Vec<usize> = (0..frames).filter(is_good).collect();
    let stretches = good.chunk_by(|a, b| a + 1 == *b).filter(|own| own.len() > MIN_SAMPLES);
    // Of equals the last.
    let longest = stretches.max_by_key(|own| own.len());
    longest.map_or(0..frames, |own| own[0]..own[0] + own.len())
}

/// Minimises Σ w (x − y)² + λ Σ (Δ³x)², without differences across cuts, each before its frame.
///
/// # Reference
/// E. T. Whittaker (1923), *On a new method of graduation*.
pub(super) fn penalised(
    path_m: &[Vector3<f64>],
    weights: &[f64],
    lambda: f64,
    cuts: &[bool],
) -> Vec<Vector3<f64>> {
    const DIFFERENCE: [f64; 4] = [-1.0, 3.0, -3.0, 1.0];
    let frames = path_m.len();
    // For every row the diagonal and the three before it.
    let mut rows = vec![[0.0_f64; 4]; frames];
    for first in 0..frames.saturating_sub(3) {
        if cuts[first + 1..first + 4].contains(&true) {
            continue;
        }
        for a in 0..4 {
            for b in 0..=a {
                rows[first + a][a - b] += lambda * DIFFERENCE[a] * DIFFERENCE[b];
            }
        }
    }
    // A trace of ridge: gaps at an end would leave a parabola open.
    for (row, weight) in rows.iter_mut().zip(weights) {
        row[0] += weight + 1e-9;
    }
    // L D Lᵀ in the band, and both substitutions.
    let mut solved: Vec<Vector3<f64>> =
        path_m.iter().zip(weights).map(|(at, weight)| at * (weight + 1e-9)).collect();
    for i in 0..frames {
        for back in (1..=i.min(3)).rev() {
            let j = i - back;
            let mut sum = rows[i][back];
            for k in i.saturating_sub(3)..j {
                sum -= rows[i][i - k] * rows[j][j - k] * rows[k][0];
            }
            rows[i][back] = sum / rows[j][0];
        }
        for back in 1..=i.min(3) {
            let factor = rows[i][back];
            rows[i][0] -= factor * factor * rows[i - back][0];
            let before = solved[i - back];
            solved[i] -= before * factor;
        }
    }
    for i in (0..frames).rev() {
        solved[i] /= rows[i][0];
        for ahead in 1..=3.min(frames - 1 - i) {
            let after = solved[i + ahead];
            solved[i] -= after * rows[i + ahead][ahead];
        }
    }
    solved
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parabola_stays_as_it_is_and_gaps_are_bridged() {
        let at = |frame: usize| {
            let t = frame as f64 * 0.01;
            Vector3::new(1.0 + t, t * t, -2.0 * t + 3.0 * t * t)
        };
        let path_m: Vec<_> = (0..200).map(at).collect();
        let weights: Vec<f64> =
            (0..200).map(|f| if (50..70).contains(&f) { 0.0 } else { 1.0 }).collect();
        let mut broken = path_m.clone();
        broken[50..70].fill(Vector3::zeros());
        for (frame, smooth) in penalised(&broken, &weights, 1e4, &[false; 200]).iter().enumerate() {
            assert!((smooth - at(frame)).norm() < 1e-5, "{frame}: {smooth}");
        }
    }

    #[test]
    fn a_point_that_was_away_for_long_is_nowhere_meanwhile() {
        let walk =
            |frame: usize| (!(100..200).contains(&frame)).then(|| Vector3::x() * frame as f64);
        let track: Track = (0..300).map(walk).collect();
        let (smooth, _) = smoothed(&track, 60.0, &[]);
        assert!(smooth[120..180].iter().all(Option::is_none));
        assert!(smooth[..100].iter().chain(&smooth[200..]).all(Option::is_some));
        let (bridged, _) = smoothed(&track, 120.0, &[]);
        assert!(bridged.iter().all(Option::is_some));
    }

    #[test]
    fn noise_goes_and_steps_round_off() {
        let path_m: Vec<_> = (0..300)
            .map(|f| Vector3::new(if f % 2 == 0 { 0.01 } else { -0.01 }, 0.0, 0.0))
            .collect();
        let smooth = penalised(&path_m, &[1.0; 300], 1e3, &[false; 300]);
        assert!(smooth[20..280].iter().all(|at| at.x.abs() < 1e-3));
    }
}
