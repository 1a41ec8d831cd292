//! The unit of length of bodies in a table that does not state one.

use crate::format::ReadOptions;
use crate::statistics::median;
use crate::trial::{LengthUnit, Trial};

/// How many frames the check looks at.
const FRAMES_LOOKED_AT: usize = 64;
/// Bodies that are further apart than this are not all tracked by one system; nor is a single one so
/// far from where its system has the origin.
const POSSIBLE_APART_M: f64 = 10.0;
const POSSIBLE_REACH_M: f64 = 20.0;
/// What a tracked body, or several, may span.
const FITTING_M: std::ops::Range<f64> = 0.02..10.0;
/// So many bodies are on a whole person, fewer on a limb.
const WHOLE_PERSON: usize = 5;
const PERSON_M: f64 = 1.2;
const LIMB_M: f64 = 0.5;
/// How far from the origin a single body is held.
const REACH_M: f64 = 1.0;

/// Reads bodies whose metres are impossible in the unit that fits, with a note.
///
/// Only for a table that states no unit, read in metres; the caller's word and the size of markers, where
/// there are enough of them, come first.
pub(super) fn check(trial: &mut Trial, options: &ReadOptions) {
    let is_stated = options.unit.is_some() || trial.source.declared_unit.is_some();
    if is_stated || trial.source.unit != LengthUnit::Metre {
        return;
    }
    let Some(size) = Size::of(trial) else { return };
    if size.span_m <= size.possible_m {
        return;
    }
    let Size { span_m, typical_m, what, .. } = size;
    // Read in metres, so a span in metres is also one in the numbers of the file.
    let fits = |unit: &LengthUnit| FITTING_M.contains(&(span_m * unit.metres()));
    let misfit = |unit: &LengthUnit| (span_m * unit.metres() / typical_m).ln().abs();
    let units = [LengthUnit::Millimetre, LengthUnit::Centimetre];
    let best = units.into_iter().filter(fits).min_by(|a, b| misfit(a).total_cmp(&misfit(b)));
    match best {
        Some(unit) => {
            trial.note(
                "units",
                format!("in m the {what} {span_m:.1} m: read as {unit}, the table does not say"),
            );
            trial.scale_lengths(unit.metres());
            trial.source.unit = unit;
        }
        None => trial.note("units", format!("in m the {what} {span_m:.1} m: is that the unit?")),
    }
}

/// How large the arrangement of the bodies is, and how large it may be.
struct Size {
    span_m: f64,
    possible_m: f64,
    typical_m: f64,
    /// Words between which and the span nothing is missing.
    what: &'static str,
}

impl Size {
    fn of(trial: &Trial) -> Option<Self> {
        let placed = || trial.bodies.iter().filter(|body| body.has_positions);
        let step = trial.frames.div_ceil(FRAMES_LOOKED_AT).max(1);
        let mut apart: Vec<f64> = Vec::new();
        let mut reach: Vec<f64> = Vec::new();
        for frame in (0..trial.frames).step_by(step) {
            let seen: Vec<_> = placed().filter_map(|body| body.position_m(frame)).collect();
            let extent = |axis: usize| {
                let least = seen.iter().map(|p| p[axis]).fold(f64::INFINITY, f64::min);
                seen.iter().map(|p| p[axis]).fold(f64::NEG_INFINITY, f64::max) - least
            };
            if seen.len() > 1 {
                apart.push((0..3).map(extent).fold(0.0, f64::max));
            }
            reach.extend(seen.iter().map(|p| p.coords.norm()));
        }
        let typical_m = if placed().count() < WHOLE_PERSON { LIMB_M } else { PERSON_M };
        match (median(apart), median(reach)) {
            (Some(span_m), _) => Some(Self {
                span_m,
                possible_m: POSSIBLE_APART_M,
                typical_m,
                what: "bodies would span",
            }),
            (None, Some(span_m)) => Some(Self {
                span_m,
                possible_m: POSSIBLE_REACH_M,
                typical_m: REACH_M,
                what: "distance of the body from the origin would be",
            }),
            (None, None) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trial::{Body, Format, pose_from_wxyz};

    /// Bodies along z, a step apart, about one metre from the origin.
    fn bodies(count: usize, step_m: f64, units_in_m: f64) -> Trial {
        let mut trial = Trial::new(Format::Csv, 100.0);
        trial.frames = 3;
        for i in 0..count {
            let mut body = Body::new(format!("S{i}"));
            let position = [0.4, -0.2, 0.8 + step_m * i as f64].map(|v| v * units_in_m);
            (0..3).for_each(|_| body.push(pose_from_wxyz(position, [1.0, 0.0, 0.0, 0.0])));
            trial.bodies.push(body);
        }
        trial
    }

    #[test]
    fn impossible_metres_become_the_unit_that_fits() {
        for (count, step_m) in [(1, 0.0), (2, 0.3), (3, 0.3), (12, 0.13)] {
            for (unit, units_in_m) in [
                (LengthUnit::Metre, 1.0),
                (LengthUnit::Centimetre, 1e2),
                (LengthUnit::Millimetre, 1e3),
            ] {
                let mut trial = bodies(count, step_m, units_in_m);
                check(&mut trial, &ReadOptions::default());
                let z_m = trial.bodies[0].position_m(0).unwrap().z;
                assert_eq!(trial.source.unit, unit, "{count} bodies");
                assert!((z_m - 0.8).abs() < 1e-12, "{count} bodies in {unit}: {z_m}");
                assert_eq!(trial.notes.len(), usize::from(unit != LengthUnit::Metre));
            }
        }
    }

    #[test]
    fn what_is_said_is_not_questioned() {
        let told = bodies(3, 0.3, 1e3);
        let mut trial = told.clone();
        let options = ReadOptions { unit: Some(LengthUnit::Metre), ..ReadOptions::default() };
        check(&mut trial, &options);
        assert_eq!(trial, told);
        trial.source.declared_unit = Some("m".into());
        check(&mut trial, &ReadOptions::default());
        assert_eq!(trial.bodies, told.bodies);
    }

    #[test]
    fn a_size_that_fits_no_unit_is_only_doubted() {
        let mut trial = bodies(1, 0.0, 1e6);
        let before = trial.bodies.clone();
        check(&mut trial, &ReadOptions::default());
        assert_eq!((&trial.bodies, &*trial.notes[0].code), (&before, "units"));
    }
}
