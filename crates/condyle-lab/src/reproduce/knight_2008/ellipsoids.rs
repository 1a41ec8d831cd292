//! Whether the truth is within the error ellipsoid: figures 17, 18 and 20.

use condyle::centre::{Moments, acceptance, sphere};
use nalgebra::{Matrix3, Vector3};
use rand_chacha::ChaCha8Rng;

use super::methods::{Contender, GDKE, MLE, SC_GDK, UGDK, ellipsoid_holds};
use crate::reproduce::lab::{Effort, Lab, Load};
use crate::reproduce::section::{Line, Section};
use crate::spheres::Cap;
use condyle_page::page::{Axis, Chart, Ink, Mark, Scale, Series};

const METHODS: [Contender; 4] = [GDKE, UGDK, MLE, SC_GDK];
/// Figure 17 and 18: 100 points, σ = 0.05, and this spectral radius (194).
const SAMPLES: usize = 100;
const SIGMA: f64 = 0.05;
const SPECTRAL_RADIUS: f64 = 0.557238;
/// Figure 20 shows so many answers.
const SHOWN: usize = 100;
/// The 95 % quantile of chi-square with three degrees of freedom.
const CHI_SQUARE_3_95: f64 = 7.814_727_903_251_179;

/// The cap on which σ²/λ_min is the spectral radius of the figures.
fn cap() -> Cap {
    let theta = acceptance::sphere_coverage_rad(SIGMA * SIGMA / SPECTRAL_RADIUS);
    Cap { samples: SAMPLES, theta_deg: theta.to_degrees(), sigma: SIGMA, ..Cap::default() }
}

/// One setting.
pub fn loads(effort: &Effort) -> Vec<Load> {
    vec![Load { samples: SAMPLES, trials: effort.trials(2000, 10_000) }]
}

/// Errors of the centre, and whether the ellipsoids of GDKE, UGDK and SC-GDK hold it.
struct Trial {
    errors: [Option<Vector3<f64>>; METHODS.len()],
    gdke_holds: bool,
    ugdk_holds: bool,
    sc_gdk_holds: bool,
}

fn trial(cap: &Cap, random: &mut ChaCha8Rng) -> Trial {
    let cloud = cap.points(random);
    let fits = METHODS.map(|contender| sphere(cloud.axes(), contender.method(cap.sigma)).ok());
    let c = Moments::<3>::from_points(cloud.axes()).covariance();
    let variance = cap.sigma * cap.sigma;
    let errors = fits.map(|fit| fit.map(|fit| fit.centre.coords - cap.centre));
    // (10): σ²r²/(N-1) C⁻¹; its inverse is what is needed.
    let holds = |error: &Option<Vector3<f64>>, c: Matrix3<f64>, radius: Option<f64>| {
        let (Some(error), Some(radius)) = (error, radius) else { return false };
        let information = c * ((cap.samples - 1) as f64 / (variance * radius * radius));
        error.dot(&(information * error)) < CHI_SQUARE_3_95
    };
    let radius = |index: usize| fits[index].map(|fit| fit.radius);
    Trial {
        errors,
        gdke_holds: holds(&errors[0], c, radius(0)),
        ugdk_holds: holds(&errors[1], c - Matrix3::identity() * variance, radius(1)),
        sc_gdk_holds: fits[3]
            .zip(errors[3])
            .is_some_and(|(fit, error)| ellipsoid_holds(&fit, &error)),
    }
}

/// Runs the trials.
pub fn run(lab: &Lab) -> Section {
    let cap = cap();
    let trials = lab.trials(&loads(&lab.effort), |_, random| trial(&cap, random));
    let trials: Vec<Trial> = trials.into_iter().flatten().collect();
    let percent = |is_so: fn(&Trial) -> bool| {
        100.0 * trials.iter().filter(|t| is_so(t)).count() as f64 / trials.len() as f64
    };
    let (gdke, ugdk) = (percent(|t| t.gdke_holds), percent(|t| t.ugdk_holds));
    let ours = percent(|t| t.sc_gdk_holds);
    let line = |what: &str, source: &str, document: &str, found: f64, is_so: bool| {
        let ours = format!("holds it in {found:.1} % of {} trials", trials.len());
        Line::new(what, source).compare(document, ours).reproduced(is_so)
    };
    Section {
        text: vec![format!(
            "100 points with σ = 0.05 on a cap of θ = {:.1}°, where the spectral radius σ²/λ_min \
             (194) is the {SPECTRAL_RADIUS} of figures 17 and 18. The thesis shows one set of \
             points; here is how often it comes out so.",
            cap.theta_deg
        )],
        lines: vec![
            line(
                "the ellipsoid of GDKE",
                "figure 17",
                "does not hold the truth",
                gdke,
                gdke < 50.0,
            ),
            line("the ellipsoid of UGDK", "figure 18", "holds the truth", ugdk, ugdk > 50.0),
            ours_line(ours, trials.len()),
        ],
        charts: vec![chart(&trials, &cap)],
        ..Section::default()
    }
}

/// The ellipsoid of SC-GDK, from its own estimate of the noise.
fn ours_line(percent: f64, trials: usize) -> Line {
    let error = (percent * (100.0 - percent) / trials as f64).sqrt();
    Line::new("the 95 % ellipsoid of SC-GDK", "wanted")
        .compare("92 to 97 %", format!("holds it in {percent:.1} ± {error:.1} %"))
        .wanted((92.0 - percent).max(percent - 97.0), error)
}

fn chart(trials: &[Trial], cap: &Cap) -> Chart {
    let mut series: Vec<Series> = METHODS
        .iter()
        .enumerate()
        .map(|(index, method)| {
            let errors = trials.iter().take(SHOWN).filter_map(|trial| trial.errors[index]);
            let points = errors.map(|error| (error.x / cap.radius, error.z / cap.radius, None));
            Series::new(method.name, method.ink, Mark::Dots, points)
        })
        .collect();
    let truth = vec![(0.0, 0.0, None)];
    series.push(Series::new("truth", Ink(5), Mark::Line, truth));
    Chart {
        name: "figure-20",
        title: "Figure 20: a hundred answers of MLE, UGDK and GDKE, and of SC-GDK".into(),
        caption: "Errors of the centre along the axis of the cap, towards the points, and \
             across. GDKE is drawn to the points by its bias; UGDK, MLE and SC-GDK lie around \
             the truth. UGDK scatters furthest."
            .into(),
        x: Axis::new("error across / r", "error_across_over_radius", Scale::Linear)
            .within(-0.1, 0.1),
        y: Axis::new("error along the axis / r", "error_along_over_radius", Scale::Linear)
            .within(-0.5, 0.5),
        series,
        ..Chart::default()
    }
}
