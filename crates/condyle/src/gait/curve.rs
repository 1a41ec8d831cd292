//! Extremes and crossings of a signal, between frames.

use std::ops::RangeInclusive;

/// A number in every frame; nothing where it is not known.
pub(super) type Curve = Vec<Option<f64>>;

/// The local maxima that stand out by at least `prominence`, between frames.
///
/// # Method
/// A maximum stands out on one side as far as the curve falls before it rises above the maximum again. It must do so
/// on both sides; where the curve ends first, on one.
pub(super) fn maxima(curve: &Curve, prominence: f64) -> Vec<f64> {
    let mut found = Vec::new();
    let mut start = 0;
    for run in curve.split(Option::is_none) {
        let values: Vec<f64> = run.iter().flatten().copied().collect();
        for at in 1..values.len().saturating_sub(1) {
            let is_peak = values[at] > values[at - 1] && values[at] >= values[at + 1];
            if is_peak && stands_out(&values, at, prominence) {
                found.push((start + at) as f64 + vertex(&values[at - 1..=at + 1]));
            }
        }
        start += run.len() + 1;
    }
    found
}

fn stands_out(values: &[f64], at: usize, prominence: f64) -> bool {
    let peak = values[at];
    // How far it falls, and whether the curve ends before it rises above the peak.
    let fall = |side: &mut dyn Iterator<Item = &f64>| {
        let mut least = peak;
        for value in side {
            if *value > peak {
                return (peak - least, false);
            }
            least = least.min(*value);
        }
        (peak - least, true)
    };
    let before = fall(&mut values[..at].iter().rev());
    let after = fall(&mut values[at + 1..].iter());
    let is_enough = |(fall, is_end): (f64, bool)| fall >= prominence || is_end;
    is_enough(before) && is_enough(after) && before.0.max(after.0) >= prominence
}

/// Where the parabola through three neighbours has its extreme, from the middle one.
fn vertex(values: &[f64]) -> f64 {
    let curvature = values[0] - 2.0 * values[1] + values[2];
    if curvature == 0.0 {
        0.0
    } else {
        ((values[0] - values[2]) / (2.0 * curvature)).clamp(-0.5, 0.5)
    }
}

/// Where the curve is largest in a window, if that is not at its edge.
pub(super) fn largest(curve: &Curve, window: RangeInclusive<f64>) -> Option<f64> {
    let (first, last) = (window.start().ceil().max(0.0) as usize, window.end().floor());
    if last < 0.0 {
        return None;
    }
    let last = (last as usize).min(curve.len().checked_sub(1)?);
    let inside = (first..=last).filter_map(|frame| Some((frame, curve[frame]?)));
    let (at, _) = inside.max_by(|a, b| a.1.total_cmp(&b.1))?;
    if at == 0 || at + 1 >= curve.len() || at == first || at == last {
        return None;
    }
    let near = [curve[at - 1]?, curve[at]?, curve[at + 1]?];
    (near[1] >= near[0] && near[1] >= near[2]).then(|| at as f64 + vertex(&near))
}

/// The curve the other way up.
pub(super) fn turned_over(curve: &Curve) -> Curve {
    curve.iter().map(|value| value.map(|value| -value)).collect()
}

/// Where the curve first rises through zero in a window.
pub(super) fn first_rise(curve: &Curve, window: RangeInclusive<f64>) -> Option<f64> {
    rises(curve, window).next()
}

/// Where the curve last rises through zero in a window.
pub(super) fn last_rise(curve: &Curve, window: RangeInclusive<f64>) -> Option<f64> {
    rises(curve, window).last()
}

fn rises(curve: &Curve, window: RangeInclusive<f64>) -> impl Iterator<Item = f64> + '_ {
    let first = window.start().floor().max(0.0) as usize;
    let last = (window.end().ceil().max(0.0) as usize).min(curve.len().saturating_sub(1));
    (first..last).filter_map(move |frame| {
        let (low, high) = (curve[frame]?, curve[frame + 1]?);
        let at = frame as f64 + low / (low - high);
        (low < 0.0 && high >= 0.0 && window.contains(&at)).then_some(at)
    })
}

/// The smallest value in a window.
pub(super) fn least_value(curve: &Curve, window: RangeInclusive<f64>) -> Option<f64> {
    let first = window.start().ceil().max(0.0) as usize;
    let last = (window.end().floor().max(0.0) as usize).min(curve.len().checked_sub(1)?);
    (first..=last).filter_map(|frame| curve[frame]).min_by(f64::total_cmp)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wave(frames: usize, gap: Option<usize>) -> Curve {
        let value = |frame: usize| (frame as f64 * 0.2 - 1.0).sin();
        (0..frames).map(|frame| (Some(frame) != gap).then(|| value(frame))).collect()
    }

    #[test]
    fn maxima_are_found_between_frames_also_beside_gaps_and_ends() {
        let peak = |k: f64| (1.0 + std::f64::consts::FRAC_PI_2 + k * std::f64::consts::TAU) / 0.2;
        let found = maxima(&wave(50, None), 0.3);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!((found[0] - peak(0.0)).abs() < 0.01 && (found[1] - peak(1.0)).abs() < 0.01);
        assert_eq!(maxima(&wave(50, Some(20)), 0.3).len(), 2);
        assert_eq!(maxima(&wave(50, None), 2.5).len(), 0);
        assert!(maxima(&Vec::new(), 0.1).is_empty() && maxima(&vec![None; 4], 0.1).is_empty());
    }

    #[test]
    fn crossings_lie_on_the_line_between_frames() {
        let curve: Curve = [-1.0, -0.5, 0.5, -0.25, 0.75].map(Some).to_vec();
        assert_eq!(first_rise(&curve, 0.0..=4.0), Some(1.5));
        assert_eq!(last_rise(&curve, 0.0..=4.0), Some(3.25));
        assert_eq!(first_rise(&curve, 2.0..=3.0), None);
        assert_eq!(largest(&curve, 0.0..=3.0).map(f64::round), Some(2.0));
        assert_eq!(largest(&curve, 3.0..=9.0), None);
        assert_eq!(least_value(&curve, -3.0..=2.0), Some(-1.0));
    }
}
