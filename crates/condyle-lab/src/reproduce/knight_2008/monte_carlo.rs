//! The Monte-Carlo experiment of section 4.1.1: figures 8, 13 to 16 and 21.

use condyle::centre::{Moments, acceptance, sphere};
use nalgebra::Vector3;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::as_printed;
use super::methods::{Contender, GDKE, LLS, MLE, SC_GDK, UGDK};
use crate::reproduce::lab::{Effort, Lab, Load};
use crate::reproduce::section::{Data, Section};
use crate::spheres::{Cap, any_direction};

mod charts;
mod lines;

/// The four of the thesis, then ours.
const METHODS: [Contender; 5] = [MLE, LLS, GDKE, UGDK, SC_GDK];
/// The columns of their errors in the data file, and of UGDK as the program has it.
const COLUMNS: [&str; 6] =
    ["mle_error", "lls_error", "gdke_error", "ugdk_error", "sc_gdk_error", "ugdk_program_error"];

/// The ranges of section 4.1.1.
const LEAST_SAMPLES: f64 = 4.0;
const SIGMA: [f64; 2] = [1e-13, 1e14];
const RADIUS: [f64; 2] = [0.06, 38.5];
const CENTRE: f64 = 3.6;

fn most_samples(effort: &Effort) -> f64 {
    // A thousand trials of up to a million samples took the author a week.
    match effort.trials {
        Some(..100) => 1e3,
        _ => effort.either(1e5, 1e6),
    }
}

/// A thousand trials, as in the thesis.
pub fn loads(effort: &Effort) -> Vec<Load> {
    let most = most_samples(effort);
    let mean = most / (most / LEAST_SAMPLES).ln();
    vec![Load { samples: mean as usize, trials: effort.trials(1000, 1000) }]
}

/// One trial, as it was drawn, and how far off each method was.
struct Trial {
    samples: usize,
    sigma: f64,
    theta_deg: f64,
    radius: f64,
    /// How far the centre is from the origin.
    distance: f64,
    /// √ of the trace of the bound on the centre.
    root_bound: f64,
    /// Nothing where a method has no answer.
    errors: [Option<f64>; METHODS.len()],
    /// Of UGDK as the program of 7.6.1 has it.
    program_error: Option<f64>,
}

impl Trial {
    fn of(most_samples: f64, random: &mut ChaCha8Rng) -> Option<Self> {
        let samples = between([LEAST_SAMPLES, most_samples].map(f64::ln), random).exp().round();
        let cap = Cap {
            samples: samples as usize,
            centre: *any_direction(random) * between([0.0, CENTRE], random),
            radius: between(RADIUS, random),
            theta_deg: between([0.0, 180.0], random),
            axis: any_direction(random),
            sigma: between(SIGMA.map(f64::ln), random).exp(),
        };
        let cloud = cap.points_confined_as_measured(random);
        let root_bound = cloud.ideal()?.bound.trace().sqrt();
        let points = cloud.axes();
        let moments = Moments::<3>::from_points(points);
        let off = |centre: Vector3<f64>| (centre - cap.centre).norm();
        let errors = METHODS.map(|contender| {
            let centre = match contender.name == UGDK.name {
                // As printed: the library would refuse most of what makes figure 21.
                true => as_printed::ugdk(&moments, cap.sigma),
                false => sphere(points, contender.method(cap.sigma)).ok().map(|f| f.centre.coords),
            };
            centre.map(off)
        });
        let program_error = as_printed::ugdk_of_the_program(&moments, cap.sigma).map(off);
        Some(Self {
            samples: cap.samples,
            sigma: cap.sigma,
            theta_deg: cap.theta_deg,
            radius: cap.radius,
            distance: cap.centre.norm(),
            root_bound,
            errors,
            program_error,
        })
    }

    /// σ/r.
    fn relative_sigma(&self) -> f64 {
        self.sigma / self.radius
    }

    /// σ over the limit (212).
    fn limit_share(&self) -> f64 {
        self.relative_sigma() / acceptance::sphere_noise_limit(self.theta_deg.to_radians())
    }

    fn error(&self, method: &Contender) -> Option<f64> {
        let index = METHODS.iter().position(|contender| contender.name == method.name)?;
        self.errors[index]
    }
}

fn between([low, high]: [f64; 2], random: &mut ChaCha8Rng) -> f64 {
    low + (high - low) * random.random::<f64>()
}

/// Runs the experiment.
pub fn run(lab: &Lab) -> Section {
    let most = most_samples(&lab.effort);
    let drawn = lab.trials(&loads(&lab.effort), |_, random| Trial::of(most, random));
    let trials: Vec<Trial> = drawn.into_iter().flatten().flatten().collect();
    Section {
        text: vec![
            format!(
                "{} trials drawn as in section 4.1.1: 4 to {most:.0e} samples and σ from 1e-13 to 1e14, evenly \
                 in their logarithms; θ from 0 to 180°, r from 0.06 to 38.5, the centre up to 3.6 from \
                 the origin, evenly; samples are confined as measured, by (13).",
                trials.len()
            ),
            "MLE here begins at SC-GDK; UGDK is the printed formula \
             with the true σ and no guard. SC-GDK, ours, is told nothing."
                .into(),
        ],
        lines: lines::lines(&trials),
        charts: charts::charts(&trials),
        data: vec![data(&trials)],
        ..Section::default()
    }
}

fn data(trials: &[Trial]) -> Data {
    let mut header =
        vec!["samples", "sigma", "theta_deg", "radius", "centre_distance", "root_bound"];
    header.extend(COLUMNS);
    let row = |trial: &Trial| {
        let numbers =
            [trial.sigma, trial.theta_deg, trial.radius, trial.distance, trial.root_bound];
        let mut row = vec![trial.samples.to_string()];
        row.extend(numbers.map(|number| number.to_string()));
        let errors = trial.errors.iter().chain([&trial.program_error]);
        row.extend(errors.map(|e| e.map_or_else(String::new, |e| e.to_string())));
        row
    };
    let header = header.into_iter().map(str::to_owned).collect();
    Data { name: "monte-carlo", header, rows: trials.iter().map(row).collect() }
}
