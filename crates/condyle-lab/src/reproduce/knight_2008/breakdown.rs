//! Where linear least squares breaks down, section 4.1.1: below 1e-6 and beyond 1e10 radii.

use condyle::centre::linear::lls;
use condyle::centre::{Method, sphere};
use nalgebra::Vector3;
use rand_chacha::ChaCha8Rng;

use super::as_printed;
use super::methods::{GDKE, LLS};
use crate::centre::linear;
use crate::reproduce::lab::{Effort, Lab, Load};
use crate::reproduce::section::{Line, Section};
use crate::reproduce::statistics::median;
use crate::spheres::{Cap, any_direction};
use condyle_page::page::{Axis, Chart, Guide, Ink, Mark, Scale, Series};

const SAMPLES: usize = 100;
/// Decimal logarithms of σ/r.
const EXPONENTS: std::ops::RangeInclusive<i32> = -15..=15;
/// As far from the origin as the median of section 4.1.1: 1.8 of 19 radii.
const DISTANCE: f64 = 0.1;
/// Rounding that is a third of the error has broken the method. It grows tenfold with each power of
/// ten, so that another share would hardly move the end.
const BROKEN: f64 = 0.3;

/// A few trials for every power of ten of σ.
pub fn loads(effort: &Effort) -> Vec<Load> {
    EXPONENTS.map(|_| Load { samples: SAMPLES, trials: effort.trials(40, 200) }).collect()
}

/// Ways to one and the same estimate, which differ by rounding alone.
const WAYS: [(&str, Ink, Way); 4] = [
    ("LLS, double precision", LLS.ink, |points| Some(lls(points)?.0)),
    ("normal equations (4), double", Ink(4), |points| Some(linear::delogne(points)?.0)),
    ("LLS, single precision", Ink(3), as_printed::lls_in_single_precision),
    ("two plain passes (86), double", GDKE.ink, as_printed::gdke),
];

/// Indices into [`WAYS`].
const DOUBLE: usize = 0;
const SINGLE: usize = 2;

type Way = fn([&[f64]; 3]) -> Option<Vector3<f64>>;

/// How far each way is from GDKE, over GDKE's own error.
fn trial(exponent: i32, random: &mut ChaCha8Rng) -> [f64; WAYS.len()] {
    let centre = *any_direction(random) * DISTANCE;
    let sigma = 10f64.powi(exponent);
    let cap =
        Cap { samples: SAMPLES, centre, sigma, axis: any_direction(random), ..Cap::default() };
    let cloud = cap.points_confined_as_measured(random);
    let Ok(best) = sphere(cloud.axes(), Method::Gdke) else { return [f64::NAN; WAYS.len()] };
    let own = (best.centre.coords - centre).norm();
    WAYS.map(|(_, _, way)| {
        way(cloud.axes()).map_or(f64::INFINITY, |found| (found - best.centre.coords).norm() / own)
    })
}

/// Runs the sweep.
pub fn run(lab: &Lab) -> Section {
    let exponents: Vec<i32> = EXPONENTS.collect();
    let trials = lab.trials(&loads(&lab.effort), |load, random| trial(exponents[load], random));
    let medians: Vec<[f64; WAYS.len()]> = trials
        .iter()
        .map(|trials| std::array::from_fn(|way| median(trials.iter().map(|trial| trial[way]))))
        .collect();
    let holds = |way: usize| {
        let held = exponents.iter().zip(&medians).filter(|(_, medians)| medians[way] < BROKEN);
        let held: Vec<i32> = held.map(|(exponent, _)| *exponent).collect();
        held.first().copied().zip(held.last().copied())
    };
    Section {
        text: vec![
            "Linear least squares (62) to (67) and GDKE (86) are one estimate. What differs is \
             rounding: here is how far other ways of computing it are from the library's GDKE, \
             over that one's own error. N = 100, θ = 90°, the centre a tenth of a radius from \
             the origin, the median of section 4.1.1."
                .into(),
        ],
        lines: lines(holds),
        charts: vec![chart(&exponents, &medians)],
        ..Section::default()
    }
}

/// Both ends of the range in which a way of LLS is good.
fn ends(name: &str, held: Option<(i32, i32)>, why: [&str; 2]) -> [Line; 2] {
    let (from, to) = held.unwrap_or((i32::MAX, i32::MIN));
    let end = |what: &str, document: i32, ours: i32, why: &str| {
        let is_beyond = !EXPONENTS.contains(&(ours + 1)) || !EXPONENTS.contains(&(ours - 1));
        let shown = if is_beyond { "not in range".into() } else { format!("1e{ours}") };
        Line::new(format!("{name} breaks {what} σ/r of"), "4.1.1, figure 15")
            .compare(format!("1e{document}"), shown)
            .reproduced((document - ours).abs() <= 1)
            .because(why)
    };
    [end("below", -6, from, why[0]), end("beyond", 10, to, why[1])]
}

fn lines(holds: impl Fn(usize) -> Option<(i32, i32)>) -> Vec<Line> {
    let double = ends(
        WAYS[DOUBLE].0,
        holds(DOUBLE),
        [
            "double precision moves it by eight decades: see the next but one",
            "double precision does not break",
        ],
    );
    let single = ends(
        WAYS[SINGLE].0,
        holds(SINGLE),
        [
            "what the thesis saw is single precision",
            "where the last column of (66) falls below the cut-off of singular values, of which \
             the thesis says nothing",
        ],
    );
    double.into_iter().chain(single).collect()
}

fn chart(exponents: &[i32], medians: &[[f64; WAYS.len()]]) -> Chart {
    let series = WAYS.iter().enumerate().map(|(way, (name, ink, _))| {
        Series::new(
            *name,
            *ink,
            Mark::Line,
            exponents
                .iter()
                .zip(medians)
                .map(|(exponent, medians)| (10f64.powi(*exponent), medians[way], None)),
        )
    });
    Chart {
        name: "breakdown",
        title: "Rounding of linear least squares over its error".into(),
        caption: "Median of the distance to GDKE over GDKE's own error. Above the dashed line \
             rounding spoils the answer. The thesis has LLS break below 1e-6 and beyond 1e10 \
             (section 4.1.1)."
            .into(),
        x: Axis::new("relative noise σ/r", "sigma_over_radius", Scale::Log),
        y: Axis::new("|difference| / error", "difference_over_error", Scale::Log)
            .within(1e-16, 1e6),
        series: series.collect(),
        guides: vec![Guide {
            name: "a third of the error".into(),
            points: vec![(1e-15, BROKEN), (1e15, BROKEN)],
        }],
        ..Chart::default()
    }
}
