//! Figures 8, 13 to 16 and 21.

use super::{Contender, GDKE, LLS, METHODS, MLE, SC_GDK, Trial, UGDK};
use condyle_page::page::{Axis, Chart, Guide, Ink, Mark, Scale, Series};

const RELATIVE_SIGMA: &str = "relative noise σ/r";

pub(super) fn charts(trials: &[Trial]) -> Vec<Chart> {
    let sigma = || Axis::new(RELATIVE_SIGMA, "sigma_over_radius", Scale::Log);
    let theta = || Axis::new("coverage θ, degrees", "theta_deg", Scale::Linear).within(0.0, 180.0);
    let figure = |name, title: &str, method: &Contender| {
        against(trials, (name, title), method, (sigma(), Trial::relative_sigma))
    };
    let coverage = |name, title: &str, method: &Contender| {
        against(trials, (name, title), method, (theta(), |trial| trial.theta_deg))
    };
    vec![
        figure_8(trials),
        figure("figure-13", "Figure 13: MLE against the bound", &MLE),
        coverage("figure-14", "Figure 14: MLE against coverage", &MLE),
        figure("figure-15", "Figure 15: LLS against the bound", &LLS),
        figure("figure-16", "Figure 16: GDKE against the bound", &GDKE),
        figure("figure-21", "Figure 21: UGDK against the bound", &UGDK),
        figure("monte-carlo-sc-gdk", "Ours: SC-GDK against the bound", &SC_GDK),
        coverage("monte-carlo-sc-gdk-coverage", "Ours: SC-GDK against coverage", &SC_GDK),
        coverage("monte-carlo-gdke-coverage", "GDKE against coverage", &GDKE),
    ]
}

fn figure_8(trials: &[Trial]) -> Chart {
    let series = METHODS.iter().map(|method| {
        Series::new(
            method.name,
            method.ink,
            Mark::Dots,
            trials.iter().filter_map(|trial| {
                Some((trial.relative_sigma(), trial.error(method)? / trial.radius, None))
            }),
        )
    });
    Chart {
        name: "figure-08",
        title: "Figure 8: relative error of the centre against relative noise".into(),
        caption: "One dot a trial and method, over 27 decades of σ (section 4.1.1). Dashed: error = σ. Up to the limit \
                  (212) all methods lie on one line, spread by N and θ; beyond it MLE runs off in \
                  some trials."
            .into(),
        x: Axis::new(RELATIVE_SIGMA, "sigma_over_radius", Scale::Log),
        y: Axis::new("relative error |ĉ - c₀| / r", "error_over_radius", Scale::Log),
        series: series.collect(),
        guides: vec![Guide { name: "error = σ".into(), points: vec![(1e-14, 1e-14), (1e15, 1e15)] }],
        ..Chart::default()
    }
}

/// Error over the root of the bound, apart for trials below and above the limit.
fn against(
    trials: &[Trial],
    (name, title): (&'static str, &str),
    method: &Contender,
    (x, of): (Axis, fn(&Trial) -> f64),
) -> Chart {
    let series = |name: &str, ink, is_above: bool| {
        Series::new(
            name,
            ink,
            Mark::Dots,
            trials.iter().filter(|trial| (trial.limit_share() >= 1.0) == is_above).filter_map(
                |trial| Some((of(trial), trial.error(method)? / trial.root_bound, None)),
            ),
        )
    };
    Chart {
        name,
        title: title.into(),
        caption: format!(
            "{}: error of the centre over the root of the Cramér-Rao bound (17), one dot a trial.",
            method.name
        ),
        x,
        y: Axis::new("error / √bound", "error_over_root_bound", Scale::Log).within(1e-3, 1e4),
        series: vec![
            series("σ above the limit (212)", Ink(7), true),
            series("below", Ink(0), false),
        ],
        is_small: true,
        ..Chart::default()
    }
}
