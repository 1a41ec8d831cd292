//! The accuracy table: how far every method is from the Cramér-Rao bound.

use condyle::centre::{Verdict as Motion, acceptance, sphere};

use super::methods::{ALL, Contender, MLE, SC_GDK, SC_POLISHED, ellipsoid_holds};
use crate::reproduce::lab::{Effort, Lab, Load};
use crate::reproduce::section::Section;
use crate::reproduce::statistics::{Estimate, controlled_mean, ratio_of_means};
use crate::spheres::Cap;

mod lines;
mod tables;

const SAMPLES: [usize; 4] = [30, 100, 1000, 10_000];
const THETA_DEG: [f64; 5] = [20.0, 30.0, 60.0, 90.0, 180.0];
const SIGMA: [f64; 5] = [0.001, 0.003, 0.01, 0.03, 0.1];
const SIGMA_FULL: [f64; 9] = [0.001, 0.002, 0.003, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1];

/// The 95 % quantile of chi-square with three degrees of freedom, for the ideal, which knows σ.
const CHI_SQUARE_3_95: f64 = 7.814_727_903_251_179;

/// One setting of the table.
#[derive(Debug, Clone, Copy)]
struct Setting {
    samples: usize,
    theta_deg: f64,
    /// Over the radius, which is 1.
    sigma: f64,
}

impl Setting {
    /// σ as a share of the limit (212).
    fn limit_share(&self) -> f64 {
        self.sigma / acceptance::sphere_noise_limit(self.theta_deg.to_radians())
    }
}

fn settings(effort: &Effort) -> Vec<Setting> {
    let sigmas: &[f64] = effort.either(&SIGMA, &SIGMA_FULL);
    let mut settings = Vec::new();
    for samples in SAMPLES {
        for theta_deg in THETA_DEG {
            settings.extend(sigmas.iter().map(|sigma| Setting {
                samples,
                theta_deg,
                sigma: *sigma,
            }));
        }
    }
    settings
}

fn load(setting: &Setting, effort: &Effort) -> Load {
    let trials = match setting.samples {
        ..=999 => effort.trials(3000, 20_000),
        1000..=9999 => effort.trials(700, 4000),
        _ => effort.trials(200, 2000),
    };
    Load { samples: setting.samples, trials }
}

/// The trials of every setting.
pub fn loads(effort: &Effort) -> Vec<Load> {
    settings(effort).iter().map(|setting| load(setting, effort)).collect()
}

/// What one trial came to.
struct Trial {
    /// Squared errors of the centre, one a method; nothing where it refused.
    squares: [Option<f64>; ALL.len()],
    /// Of the ideal estimator, and the bound it has in the mean.
    ideal_square: f64,
    bound: f64,
    /// Whether the 95 % ellipsoid of SC-GDK held the centre, and that of the ideal.
    is_covered: bool,
    is_ideal_covered: bool,
    is_ball: bool,
}

/// What the trials of one setting came to.
struct Cell {
    setting: Setting,
    trials: usize,
    /// RMSE over the root of the bound, and how often the method refused.
    ratios: [(Estimate, usize); ALL.len()],
    /// RMSE of SC-GDK over that of MLE, on the same points.
    over_mle: Estimate,
    /// RMSE with one polishing step over that without.
    polished: Estimate,
    /// The share of 95 % ellipsoids of SC-GDK that held the centre.
    covered: Estimate,
    /// The share of trials that SC-GDK called a ball.
    balls: f64,
}

impl Cell {
    fn of(setting: Setting, trials: &[Trial]) -> Self {
        let n = trials.len() as f64;
        let bound = trials.iter().map(|trial| trial.bound).sum::<f64>() / n;
        let ratios = std::array::from_fn(|method| {
            let answered = trials.iter().filter_map(|trial| {
                Some((trial.squares[method]?, trial.ideal_square - trial.bound))
            });
            let answered: Vec<(f64, f64)> = answered.collect();
            let ratio = controlled_mean(&answered).over(bound).root();
            (ratio, trials.len() - answered.len())
        });
        let over = |one: &Contender, other: &Contender| {
            let [one, other] = [one, other].map(index_of);
            let both = trials.iter().filter_map(|t| Some((t.squares[one]?, t.squares[other]?)));
            ratio_of_means(&both.collect::<Vec<_>>()).root()
        };
        let share = |is_so: bool| f64::from(u8::from(is_so));
        let covered: Vec<(f64, f64)> = trials
            .iter()
            .map(|trial| (share(trial.is_covered), share(trial.is_ideal_covered) - 0.95))
            .collect();
        let balls = trials.iter().map(|trial| share(trial.is_ball)).sum::<f64>() / n;
        Self {
            setting,
            trials: trials.len(),
            ratios,
            over_mle: over(&SC_GDK, &MLE),
            polished: over(&SC_POLISHED, &SC_GDK),
            covered: controlled_mean(&covered),
            balls,
        }
    }

    fn ratio(&self, method: &Contender) -> Estimate {
        self.ratios[index_of(method)].0
    }
}

fn index_of(method: &Contender) -> usize {
    ALL.iter().position(|contender| contender.name == method.name).unwrap_or_default()
}

fn trial(setting: &Setting, random: &mut rand_chacha::ChaCha8Rng) -> Option<Trial> {
    let Setting { samples, theta_deg, sigma } = *setting;
    let cap = Cap { samples, theta_deg, sigma, ..Cap::default() };
    let cloud = cap.points(random);
    let ideal = cloud.ideal()?;
    let inverse = ideal.bound.try_inverse()?;
    let mut trial = Trial {
        squares: [None; ALL.len()],
        ideal_square: ideal.error.norm_squared(),
        bound: ideal.bound.trace(),
        is_covered: false,
        is_ideal_covered: ideal.error.dot(&(inverse * ideal.error)) < CHI_SQUARE_3_95,
        is_ball: false,
    };
    for (contender, square) in ALL.iter().zip(&mut trial.squares) {
        let Ok(fit) = sphere(cloud.axes(), contender.method(sigma)) else { continue };
        let error = fit.centre.coords - cap.centre;
        *square = Some(error.norm_squared());
        if contender.name == SC_GDK.name {
            trial.is_covered = ellipsoid_holds(&fit, &error);
            trial.is_ball = fit.verdict == Motion::Ball;
        }
    }
    Some(trial)
}

/// Runs the table.
pub fn run(lab: &Lab) -> Section {
    let settings = settings(&lab.effort);
    let trials = lab.trials(&loads(&lab.effort), |load, random| trial(&settings[load], random));
    let cells: Vec<Cell> = settings
        .iter()
        .zip(trials)
        .map(|(setting, trials)| {
            Cell::of(*setting, &trials.into_iter().flatten().collect::<Vec<_>>())
        })
        .collect();
    Section {
        text: vec![
            "Points uniform on a cap of half-angle θ of a sphere with r = 1, isotropic normal noise. \
             Every number is the root-mean-square error of the centre over the root of the trace of \
             the Cramér-Rao bound (17) to (21) of the very points of each trial: 1 is the best that \
             can be done."
                .into(),
            "Chance is mostly taken out by a control variate: an estimator that knows the truth \
             and corrects it by one linear step sees the same noise, and its mean squared error is \
             the bound exactly. What chance did to it is taken off the others. UGDK is told the \
             true sigma; the others are told nothing."
                .into(),
        ],
        lines: lines::lines(&cells),
        tables: vec![tables::page_table(&cells)],
        charts: tables::charts(&cells),
        data: vec![tables::every_method(&cells), tables::coverage(&cells)],
    }
}
