//! The bias of GDKE and of UGDK: (101), (182).

use condyle::centre::{Moments, sphere};
use nalgebra::{Matrix3, Vector3};
use rand_chacha::ChaCha8Rng;

use super::methods::{Contender, GDKE, MLE, SC_GDK, UGDK};
use crate::reproduce::lab::{Effort, Lab, Load};
use crate::reproduce::section::{Line, Section};
use crate::reproduce::statistics::{Estimate, controlled_mean, power};
use crate::spheres::Cap;
use condyle_page::page::{Axis, Chart, Guide, Mark, Scale, Series};

const METHODS: [Contender; 4] = [GDKE, UGDK, SC_GDK, MLE];
const THETA_DEG: f64 = 30.0;
const SIGMA: f64 = 0.01;
const SAMPLES: [usize; 7] = [50, 100, 200, 400, 1000, 3000, 10_000];
/// A bias within so many standard errors of zero says nothing of a law.
const CHANCE: f64 = 4.0;

fn cap(samples: usize) -> Cap {
    Cap { samples, theta_deg: THETA_DEG, sigma: SIGMA, ..Cap::default() }
}

/// One size after the other.
pub fn loads(effort: &Effort) -> Vec<Load> {
    let trials = |samples| match samples {
        ..=400 => effort.trials(6000, 40_000),
        401..=1000 => effort.trials(2000, 10_000),
        _ => effort.trials(300, 2000),
    };
    SAMPLES.map(|samples| Load { samples, trials: trials(samples) }).into()
}

/// Errors along the axis, where the bias is.
struct Trial {
    errors: [Option<f64>; METHODS.len()],
    ideal: f64,
    /// The bias of GDKE by (101), from the true points.
    predicted: f64,
}

fn trial(cap: &Cap, random: &mut ChaCha8Rng) -> Option<Trial> {
    // The same random numbers without noise give the true points.
    let truth = Cap { sigma: 0.0, ..*cap }.points(&mut random.clone());
    let cloud = cap.points(random);
    let ideal = cloud.ideal()?;
    Some(Trial {
        errors: METHODS.map(|contender| {
            let fit = sphere(cloud.axes(), contender.method(cap.sigma)).ok()?;
            Some(fit.centre.z - cap.centre.z)
        }),
        ideal: ideal.error.z,
        predicted: predicted(&Moments::<3>::from_points(truth.axes()), cap.sigma)?.z,
    })
}

/// ½[(C₀ + Σ)⁻¹ - C₀⁻¹]S₀, (101).
fn predicted(truth: &Moments<3>, sigma: f64) -> Option<Vector3<f64>> {
    let c = truth.covariance();
    let noisy = c + Matrix3::identity() * (sigma * sigma);
    Some((noisy.try_inverse()? - c.try_inverse()?) * truth.third() * 0.5)
}

/// Runs the sizes.
pub fn run(lab: &Lab) -> Section {
    let caps = SAMPLES.map(cap);
    let trials = lab.trials(&loads(&lab.effort), |load, random| trial(&caps[load], random));
    let bias = |trials: &[Option<Trial>], method: usize| {
        let pairs = trials.iter().flatten().filter_map(|t| Some((t.errors[method]?, t.ideal)));
        controlled_mean(&pairs.collect::<Vec<_>>()).over(SIGMA)
    };
    let biases: Vec<[Estimate; METHODS.len()]> =
        trials.iter().map(|t| std::array::from_fn(|method| bias(t, method))).collect();
    let predicted: Vec<f64> = trials
        .iter()
        .map(|trials| {
            let all: Vec<(f64, f64)> =
                trials.iter().flatten().map(|t| (t.predicted, 0.0)).collect();
            controlled_mean(&all).value / SIGMA
        })
        .collect();
    Section {
        text: vec![format!(
            "The mean error along the axis of the cap, in σ: θ = {THETA_DEG}°, σ/r = {SIGMA}, \
             about a quarter of the limit (212). The control variate of the accuracy table makes \
             it visible."
        )],
        lines: lines(&biases, &predicted),
        charts: vec![chart(&biases, &predicted)],
        ..Section::default()
    }
}

/// Indices of the sizes that the lines speak of.
const OF_1000: usize = 4;

fn lines(biases: &[[Estimate; METHODS.len()]], predicted: &[f64]) -> Vec<Line> {
    let at_1000 = |method: usize| biases[OF_1000][method];
    let shown = |e: Estimate| format!("{:+.3} ± {:.3} σ", e.value, e.error);
    let gdke = at_1000(0);
    let ratio = gdke.value / predicted[OF_1000];
    let clear = SAMPLES.iter().zip(biases).filter(|(_, b)| b[1].value.abs() > CHANCE * b[1].error);
    let falls = power(clear.map(|(n, b)| (*n as f64, b[1].value.abs())));
    let stays = power(SAMPLES.iter().zip(biases).map(|(n, b)| (*n as f64, b[0].value.abs())));
    let is_unbiased = |e: Estimate| e.value.abs() < (3.0 * e.error).max(0.03);
    vec![
        Line::new("bias of GDKE, N = 1000", "(101)")
            .compare(format!("{:+.3} σ", predicted[OF_1000]), shown(gdke))
            .reproduced((ratio - 1.0).abs() < 0.03),
        Line::new("power of N in the bias of GDKE", "table 4")
            .compare("0", format!("{:+.3} ± {:.3}", stays.value, stays.error))
            .reproduced(stays.value.abs() < 0.05),
        Line::new("power of N in the bias of UGDK", "(182)")
            .compare("-1/2", format!("{:+.2} ± {:.2}", falls.value, falls.error))
            .corrected((falls.value + 1.0).abs() < (3.0 * falls.error).clamp(0.15, 0.4))
            .because("the bias is of order σ²/N, smaller than printed"),
        Line::new("bias of UGDK, N = 1000", "wanted")
            .compare("below 0.1 σ", shown(at_1000(1)))
            .holds(at_1000(1).value.abs() < 0.1),
        Line::new("bias of SC-GDK, N = 1000", "wanted")
            .compare("none beyond chance", shown(at_1000(2)))
            .holds(is_unbiased(at_1000(2))),
    ]
}

fn chart(biases: &[[Estimate; METHODS.len()]], predicted: &[f64]) -> Chart {
    let series = METHODS.iter().enumerate().map(|(index, method)| {
        Series::new(
            method.name,
            method.ink,
            Mark::Line,
            SAMPLES
                .iter()
                .zip(biases)
                .map(|(n, b)| (*n as f64, b[index].value.abs(), Some(b[index].error))),
        )
    });
    let line = SAMPLES.iter().zip(predicted).map(|(n, bias)| (*n as f64, bias.abs()));
    let (first, least) = (biases[0][1].value.abs(), SAMPLES[0] as f64);
    let falls = |power: f64| SAMPLES.map(|n| (n as f64, first * (n as f64 / least).powf(power)));
    Chart {
        name: "bias",
        title: format!("Bias along the axis, θ = {THETA_DEG}°, σ/r = {SIGMA}"),
        caption: "That of GDKE is the predicted one (101) and does not fall with N; that of UGDK \
             falls with 1/N, not 1/√N as (182) has it. Those of SC-GDK and MLE are lost in \
             chance (bars: one standard error)."
            .into(),
        x: Axis::new("samples N", "samples", Scale::Log),
        y: Axis::new("|bias| / σ", "bias_over_sigma", Scale::Log).within(1e-4, 10.0),
        series: series.collect(),
        guides: vec![
            Guide { name: "(101)".into(), points: line.collect() },
            Guide { name: "1/N".into(), points: falls(-1.0).into() },
            Guide { name: "1/√N".into(), points: falls(-0.5).into() },
        ],
        ..Chart::default()
    }
}
