//! What the thesis predicts of the spread of its estimators: (10), (106), (183), (111), (190).

use condyle::centre::{Method, Moments, sphere};
use nalgebra::{Matrix3, Point3, Vector3};
use rand_chacha::ChaCha8Rng;

use crate::centre::known_sphere;
use crate::reproduce::lab::{Effort, Lab, Load};
use crate::reproduce::section::{Line, Section};
use crate::reproduce::statistics::{Estimate, controlled_mean};
use crate::spheres::{Cap, Cloud};

/// GDKE on half a sphere.
fn half() -> Cap {
    Cap { samples: 400, theta_deg: 90.0, sigma: 0.05, ..Cap::default() }
}

/// A known sphere to calibrate on.
fn whole() -> Cap {
    Cap { samples: 100, theta_deg: 180.0, sigma: 0.2, ..Cap::default() }
}

/// Both settings.
pub fn loads(effort: &Effort) -> Vec<Load> {
    [half(), whole()]
        .map(|cap| Load { samples: cap.samples, trials: effort.trials(4000, 20_000) })
        .into()
}

/// What is measured in one trial, and what is predicted from its true points.
#[derive(Debug, Clone, Copy, Default)]
struct Trial {
    /// Error of GDKE along the axis, its squared radius, its bias by (101).
    axial: f64,
    ideal: f64,
    squared_radius: f64,
    /// Variances along the axis by (10), (106) and (183).
    variances: [f64; 3],
    /// (111).
    predicted_squared_radius: f64,
    /// σ̂² of a known sphere by (177) and by the distances.
    noise: [f64; 2],
}

fn of_half(random: &mut ChaCha8Rng) -> Option<Trial> {
    let cap = half();
    let truth = Cap { sigma: 0.0, ..cap }.points(&mut random.clone());
    let cloud = cap.points(random);
    let fit = sphere(cloud.axes(), Method::Gdke).ok()?;
    let moments = Moments::<3>::from_points(truth.axes());
    let (c, s) = (moments.covariance(), moments.third());
    let (n, variance) = (cap.samples as f64, cap.sigma * cap.sigma);
    let inverse = c.try_inverse()?;
    let noisy = (c + Matrix3::identity() * variance).try_inverse()?;
    let spread = spread_of_third(&truth, &c);
    let zelniker = inverse * (variance * cap.radius.powi(2) / (n - 1.0));
    let printed_106 = (Matrix3::identity() - noisy * c * c * noisy) * (variance / n)
        + noisy * spread * noisy * (variance / (4.0 * n));
    let printed_183 = inverse * spread * inverse * (variance / n);
    let cross = ((noisy + inverse) * ((noisy - inverse) * s)).dot(&s);
    Some(Trial {
        axial: fit.centre.z - cap.centre.z,
        ideal: cloud.ideal()?.error.z,
        squared_radius: fit.radius.powi(2),
        variances: [zelniker, printed_106, printed_183].map(|covariance| covariance[(2, 2)]),
        predicted_squared_radius: cap.radius.powi(2)
            + (n - 1.0) / n * 3.0 * variance
            + 0.25 * cross,
        ..Trial::default()
    })
}

/// 8F₀ + tr F₀ - 4 tr C₀ C₀ - (tr C₀)², F₀ = N/(N-1)² Σ d dᵀ d dᵀ (348).
fn spread_of_third(truth: &Cloud, c: &Matrix3<f64>) -> Matrix3<f64> {
    let n = truth.axes()[0].len() as f64;
    let mean: Vector3<f64> = truth.rows().sum::<Vector3<f64>>() / n;
    let mut f = Matrix3::zeros();
    for d in truth.rows().map(|x| x - mean) {
        f += d * d.transpose() * d.norm_squared();
    }
    f *= n / (n - 1.0).powi(2);
    f * 8.0 + Matrix3::identity() * (f.trace() - c.trace().powi(2)) - c * (4.0 * c.trace())
}

fn of_whole(random: &mut ChaCha8Rng) -> Trial {
    let cap = whole();
    let cloud = cap.points(random);
    let centre = Point3::from(cap.centre);
    let noise = known_sphere::noise_on_known_sphere(cloud.axes(), &centre, cap.radius);
    let noise = noise.map_or([f64::NAN; 2], |noise| [noise.trace_variance, noise.radial_variance]);
    Trial { noise, ..Trial::default() }
}

/// Runs both settings.
pub fn run(lab: &Lab) -> Section {
    let trials = lab.trials(&loads(&lab.effort), |load, random| match load {
        0 => of_half(random),
        _ => Some(of_whole(random)),
    });
    let [half, whole]: [Vec<Trial>; 2] =
        [0, 1].map(|load: usize| trials[load].iter().flatten().copied().collect());
    let mut lines = centre_lines(&half);
    lines.push(radius_line(&half));
    lines.extend(noise_lines(&whole));
    Section {
        text: vec![
            "GDKE with N = 400, θ = 90°, σ/r = 0.05: the standard deviation of the centre along \
             the axis, measured, beside the formulas evaluated at the true points. Then the \
             noise of a known sphere, N = 100, σ/r = 0.2."
                .into(),
        ],
        lines,
        ..Section::default()
    }
}

fn mean(values: impl Iterator<Item = f64>) -> Estimate {
    controlled_mean(&values.map(|value| (value, 0.0)).collect::<Vec<_>>())
}

/// The variance about the mean, with its standard error.
fn variance(values: impl Iterator<Item = f64> + Clone) -> Estimate {
    let middle = mean(values.clone()).value;
    mean(values.map(|value| (value - middle).powi(2)))
}

fn centre_lines(trials: &[Trial]) -> Vec<Line> {
    // The square of the ideal's error, less the bound it has in the mean, is the control.
    let bias = mean(trials.iter().map(|t| t.axial - t.ideal)).value;
    let pairs = trials.iter().map(|t| ((t.axial - bias).powi(2), t.ideal.powi(2) - t.variances[0]));
    let found = controlled_mean(&pairs.collect::<Vec<_>>()).root();
    let names = ["(10)", "(106)", "(183)"];
    let lines = names.iter().enumerate().map(|(index, name)| {
        let predicted = mean(trials.iter().map(|t| t.variances[index])).root().value;
        let ratio = predicted / found.value;
        let ours = format!("{:.5} ± {:.5}", found.value, found.error);
        let line = Line::new(format!("deviation of GDKE by {name}"), *name)
            .compare(format!("{predicted:.5}"), ours);
        match index {
            0 => line.reproduced((ratio - 1.0).abs() < 0.03),
            1 => line
                .reproduced((ratio - 1.0).abs() < 0.05)
                .because("leaves out how C⁻¹ varies: near enough here, 15 % off at θ = 60°"),
            _ => line
                .corrected((ratio / 2.0 - 1.0).abs() < 0.05)
                .because("lacks a factor 1/4: the deviation printed is twice the true one"),
        }
    });
    lines.collect()
}

fn radius_line(trials: &[Trial]) -> Line {
    let found = mean(trials.iter().map(|t| t.squared_radius));
    let predicted = mean(trials.iter().map(|t| t.predicted_squared_radius)).value;
    let is_so = (found.value - predicted).abs() < 4.0 * found.error + 2e-3;
    let ours = format!("{:.5} ± {:.5}", found.value, found.error);
    let texts = [format!("{predicted:.5}"), ours];
    Line::new("mean squared radius of GDKE, r = 1", "(111)").texts(texts).reproduced(is_so)
}

fn noise_lines(trials: &[Trial]) -> Vec<Line> {
    let cap = whole();
    let predicted = known_sphere::trace_variance_of_variance(cap.sigma, cap.radius, cap.samples);
    let [trace, radial] = [0, 1].map(|index| variance(trials.iter().map(move |t| t.noise[index])));
    let is_so = (trace.value / predicted - 1.0).abs() < 0.10;
    let shown = |e: Estimate| format!("{:.3e} ± {:.1e}", e.value, e.error);
    vec![
        Line::new("variance of σ̂² from a known sphere", "(190)")
            .compare(format!("{predicted:.3e}"), shown(trace))
            .reproduced(is_so),
        Line::new("the same from the distances alone", "ours")
            .compare("-", shown(radial))
            .holds(radial.value < trace.value)
            .because("mean(|x-c|-r)² does not drown in the radius, as (177) does"),
    ]
}
