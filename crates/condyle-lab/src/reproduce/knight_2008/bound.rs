//! The Cramér-Rao bound and the acceptance conditions in closed form: figures 9 to 12, (53), (54),
//! (203) to (213).

use std::f64::consts::PI;

use condyle::centre::{Moments, acceptance};
use nalgebra::{Matrix3, Vector2};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use crate::centre::bound;
use crate::reproduce::lab::{Effort, Lab, Load};
use crate::reproduce::section::{Line, Section};
use crate::spheres::Cap;
use condyle_page::page::{Axis, Chart, Ink, Mark, Scale, Series, Table};
use condyle_page::terminal::table::short;

const THETA_DEG: [f64; 5] = [30.0, 60.0, 90.0, 120.0, 180.0];
/// Of a spread measured on as many points as [`samples`] says.
const TOLERANCE: f64 = 0.03;

fn samples(effort: &Effort) -> usize {
    if effort.trials.is_some() { 20_000 } else { 100_000 }
}

/// One set of points for every angle.
pub fn loads(effort: &Effort) -> Vec<Load> {
    THETA_DEG.map(|_| Load { samples: samples(effort), trials: 1 }).into()
}

/// The least spread and the best covariance, measured on many points.
struct Measured {
    sphere_least: f64,
    circle_least: f64,
    /// Of the general form (14), along the axis, in units of σ²/N.
    sphere_axial: f64,
}

fn measure(samples: usize, theta_deg: f64, random: &mut ChaCha8Rng) -> Measured {
    let cap = Cap { samples, theta_deg, ..Cap::default() };
    let cloud = cap.points(random);
    let spread = Moments::<3>::from_points(cloud.axes()).a / samples as f64;
    let rows: Vec<_> = cloud.rows().collect();
    let general = bound::general(&rows, &cap.centre, &Matrix3::identity());
    let angle =
        |random: &mut ChaCha8Rng| theta_deg.to_radians() * (2.0 * random.random::<f64>() - 1.0);
    let arc = (0..samples).map(|_| angle(random)).map(|a| Vector2::new(a.sin(), a.cos()));
    let spread_of_arc = Moments::<2>::from_rows(arc).a / samples as f64;
    Measured {
        sphere_least: spread.symmetric_eigenvalues().min(),
        circle_least: spread_of_arc.symmetric_eigenvalues().min(),
        sphere_axial: general.map_or(f64::NAN, |matrix| matrix[(2, 2)] * samples as f64),
    }
}

/// Runs the measurements and tabulates the closed forms.
pub fn run(lab: &Lab) -> Section {
    let samples = samples(&lab.effort);
    let measured =
        lab.trials(&loads(&lab.effort), |load, random| measure(samples, THETA_DEG[load], random));
    let measured: Vec<Measured> = measured.into_iter().flatten().collect();
    let mut lines = Vec::new();
    let mut line =
        |what: &str, source: &str, form: fn(f64) -> f64, of: &dyn Fn(&Measured) -> f64| {
            let document = THETA_DEG.map(|degrees| form(degrees.to_radians()));
            let ours: Vec<f64> = measured.iter().map(of).collect();
            let is_so = document.iter().zip(&ours).all(|(a, b)| (a / b - 1.0).abs() < TOLERANCE);
            let document = document.map(short).join(" ");
            let ours = ours.into_iter().map(short).collect::<Vec<_>>().join(" ");
            lines.push(Line::new(what, source).compare(document, ours).reproduced(is_so));
        };
    line(
        "largest σ/r for a sphere, θ = 30, 60, 90, 120, 180°",
        "(212)",
        acceptance::sphere_noise_limit,
        &|m| m.sphere_least.sqrt(),
    );
    line("largest σ/r for a circle", "(213)", acceptance::circle_noise_limit, &|m| {
        m.circle_least.sqrt()
    });
    line(
        "samples for a sphere as sure as one sample",
        "(54)",
        acceptance::sphere_samples_needed,
        &|m| m.sphere_axial,
    );
    line(
        "samples for a circle as sure as one sample",
        "(53)",
        acceptance::circle_samples_needed,
        &|m| 1.0 / m.circle_least,
    );
    Section {
        text: vec![format!(
            "The document's column is its closed form; ours is measured on {samples} random \
             points: the root of the smallest eigenvalue of their spread, and the axial variance \
             of the general bound (14)."
        )],
        lines,
        tables: vec![table()],
        charts: charts(),
        ..Section::default()
    }
}

fn table() -> Table {
    let mut table = Table::columns(
        "θ, ° | sphere: σ/r below (212) | N (54) | λ_m (45) | λ_M (47) | λ_r (50) | α (49) | \
         circle: σ/r below (213) | N (53)",
        0,
    );
    table.caption = "Acceptance limits, the samples at which the centre is as sure as one \
         sample, and the eigenvalues of the bound in units of σ²/N, with (49) corrected."
        .into();
    for degrees in [20.0, 30.0, 45.0, 60.0, 90.0, 120.0, 150.0, 180.0f64] {
        let theta = degrees.to_radians();
        let (cap, eigen) = (bound::cap(theta), bound::cap(theta).eigen());
        let numbers = [
            acceptance::sphere_noise_limit(theta),
            acceptance::sphere_samples_needed(theta),
            cap.x,
            eigen.largest,
            eigen.smallest,
            eigen.alpha,
            acceptance::circle_noise_limit(theta),
            acceptance::circle_samples_needed(theta),
        ];
        let cells =
            numbers.map(|number| if number.abs() < 1e-12 { "0".into() } else { short(number) });
        table.row(std::iter::once(degrees.to_string()).chain(cells));
    }
    table
}

/// From 2 to 180 degrees.
fn angles() -> impl Iterator<Item = f64> {
    (1..=90).map(|step| f64::from(step) * 2.0 * PI / 180.0)
}

fn curve(name: &str, ink: usize, of: impl Fn(f64) -> f64) -> Series {
    let points = angles().map(|theta| (theta.to_degrees(), of(theta), None));
    Series::new(name, Ink(ink), Mark::Curve, points)
}

fn charts() -> Vec<Chart> {
    let theta = || Axis::new("coverage θ, degrees", "theta_deg", Scale::Linear).within(0.0, 180.0);
    let alpha = || Axis::new("α", "alpha", Scale::Linear).within(0.0, 1.0);
    let eigenvalue = || Axis::new("eigenvalue / (σ²/N)", "eigenvalue", Scale::Log).within(0.3, 1e5);
    let chart = |name, title: &str, caption: &str, y, series| Chart {
        name,
        title: title.into(),
        caption: caption.into(),
        x: theta(),
        y,
        series,
        is_small: true,
        ..Chart::default()
    };
    vec![
        chart(
            "figure-09",
            "Figure 9: eigenvectors, circle",
            "How much axis and radius mix, (35).",
            alpha(),
            vec![curve("α", 0, |theta| bound::arc(theta).eigen().alpha)],
        ),
        chart(
            "figure-10",
            "Figure 10: eigenvalues, circle",
            "(31), (33) and (36): the centre is lost as θ goes to 0.",
            eigenvalue(),
            vec![
                curve("λ_M (33)", 1, |theta| bound::arc(theta).eigen().largest),
                curve("λ_m (31)", 2, |theta| bound::arc(theta).x),
                curve("λ_r (36)", 0, |theta| bound::arc(theta).eigen().smallest),
            ],
        ),
        chart(
            "figure-11",
            "Figure 11: eigenvectors, sphere",
            "(49) with its denominator corrected to 24 cos²(θ/2).",
            alpha(),
            vec![curve("α", 0, |theta| bound::cap(theta).eigen().alpha)],
        ),
        chart(
            "figure-12",
            "Figure 12: eigenvalues, sphere",
            "(45), (47) and (50).",
            eigenvalue(),
            vec![
                curve("λ_M (47)", 1, |theta| bound::cap(theta).eigen().largest),
                curve("λ_m (45)", 2, |theta| bound::cap(theta).x),
                curve("λ_r (50)", 0, |theta| bound::cap(theta).eigen().smallest),
            ],
        ),
    ]
}
