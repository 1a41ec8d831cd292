//! The accuracy table as page, charts and data.

use condyle::centre::acceptance;

use super::{ALL, Cell, Contender, SAMPLES, SC_GDK};
use crate::reproduce::section::Data;
use crate::reproduce::statistics::Estimate;
use condyle_page::page::{Axis, Chart, Guide, Ink, Mark, Scale, Series, Table, Tone};

pub(super) fn page_table(cells: &[Cell]) -> Table {
    let mut header = vec!["N", "θ, °", "σ/r", "σ/limit"];
    header.extend(ALL.iter().map(|contender| contender.name));
    header.extend(["95 % covers", "ball"]);
    let mut table = Table::new(&header, 0);
    table.is_grouped = true;
    table.caption = "RMSE over the root of the bound. σ/limit: noise over the acceptance limit (212); \
        beyond 1 (grey) nothing works and a fit is to be rejected. * refused in part of the trials; refused: in most. \
        95 % covers: share of error ellipsoids of SC-GDK that hold the true centre; ball: share of \
        its verdicts."
        .into();
    for cell in cells {
        let share = cell.setting.limit_share();
        let tone = if share >= 1.0 { Tone::Faint } else { Tone::Plain };
        let mut row = vec![
            (cell.setting.samples.to_string(), tone),
            (cell.setting.theta_deg.to_string(), tone),
            (cell.setting.sigma.to_string(), tone),
            (format!("{share:.2}"), tone),
        ];
        for (contender, (ratio, refused)) in ALL.iter().zip(&cell.ratios) {
            let star = if *refused > 0 { "*" } else { "" };
            let tone = match contender.name == SC_GDK.name {
                true if share < 1.0 => tone_of(cell, ratio),
                _ => tone,
            };
            let text = match 2 * refused > cell.trials {
                true => "refused".to_owned(),
                false => format!("{}{star}", shortened(ratio.value)),
            };
            row.push((text, tone));
        }
        row.push((format!("{:.1} %", 100.0 * cell.covered.value), tone));
        row.push((format!("{:.0} %", 100.0 * cell.balls), tone));
        table.rows.push(row);
    }
    table
}

/// Green where the wanted limits hold, amber or red where not.
fn tone_of(cell: &Cell, ratio: &Estimate) -> Tone {
    let limit = match (cell.setting.samples, cell.setting.limit_share()) {
        (1000.., share) if share < 1.0 / 3.0 => 1.10,
        (100.., share) if share < 0.8 => 1.20,
        _ => return Tone::Plain,
    };
    match ratio.value {
        value if value <= limit => Tone::Good,
        value if value <= limit + 3.0 * ratio.error => Tone::Open,
        _ => Tone::Bad,
    }
}

fn shortened(value: f64) -> String {
    match value {
        v if v < 10.0 => format!("{v:.2}"),
        v if v < 100.0 => format!("{v:.1}"),
        v if v < 10_000.0 => format!("{v:.0}"),
        v => format!("{v:.0e}"),
    }
}

const PLACE: &str = "samples theta_deg sigma_over_radius sigma_over_limit";

pub(super) fn every_method(cells: &[Cell]) -> Data {
    let header = format!("{PLACE} method rmse_over_root_bound standard_error trials refused");
    let of_cell = |cell: &Cell| {
        let (place, trials) = (place(cell), cell.trials.to_string());
        let row = move |(contender, (ratio, refused)): (&Contender, &(Estimate, usize))| {
            let mut row = place.clone();
            row.extend([
                contender.name.to_owned(),
                ratio.value.to_string(),
                ratio.error.to_string(),
            ]);
            row.extend([trials.clone(), refused.to_string()]);
            row
        };
        ALL.iter().zip(&cell.ratios).map(row).collect::<Vec<_>>()
    };
    Data::new("accuracy", &header, cells.iter().flat_map(of_cell).collect())
}

pub(super) fn coverage(cells: &[Cell]) -> Data {
    let header = format!("{PLACE} ellipsoid_95_covers standard_error called_ball trials");
    let row = |cell: &Cell| {
        let mut row = place(cell);
        row.extend([cell.covered.value, cell.covered.error, cell.balls].map(|v| v.to_string()));
        row.push(cell.trials.to_string());
        row
    };
    Data::new("accuracy-sc-gdk", &header, cells.iter().map(row).collect())
}

fn place(cell: &Cell) -> Vec<String> {
    let setting = cell.setting;
    let numbers = [setting.theta_deg, setting.sigma, setting.limit_share()];
    let mut row = vec![setting.samples.to_string()];
    row.extend(numbers.map(|number| number.to_string()));
    row
}

const RATIO: &str = "RMSE / √bound";
const CHARTED_THETA_DEG: f64 = 60.0;
const CHARTED_SIGMA: f64 = 0.01;
const CHARTED_SAMPLES: usize = 1000;

pub(super) fn charts(cells: &[Cell]) -> Vec<Chart> {
    vec![against_sigma(cells), against_coverage(cells), against_limit(cells), coverage_chart(cells)]
}

/// One line a method over the cells that are chosen.
fn lines(
    cells: &[Cell],
    is_chosen: impl Fn(&Cell) -> bool,
    x: impl Fn(&Cell) -> f64,
) -> Vec<Series> {
    ALL.iter()
        .enumerate()
        .map(|(method, contender)| {
            let chosen = cells.iter().filter(|cell| is_chosen(cell));
            let points = chosen.map(|cell| {
                let ratio = cell.ratios[method].0;
                (x(cell), ratio.value, Some(ratio.error))
            });
            Series::new(contender.name, contender.ink, Mark::Line, points)
        })
        .collect()
}

fn against_sigma(cells: &[Cell]) -> Chart {
    let is_chosen = |cell: &Cell| {
        cell.setting.samples == CHARTED_SAMPLES && cell.setting.theta_deg == CHARTED_THETA_DEG
    };
    let limit = acceptance::sphere_noise_limit(CHARTED_THETA_DEG.to_radians());
    Chart {
        name: "accuracy-sigma",
        title: format!(
            "Error over the root of the bound: N = {CHARTED_SAMPLES}, θ = {CHARTED_THETA_DEG}°"
        ),
        caption: format!(
            "GDKE and LLS, which are one, leave the bound as their bias (101) outgrows it; methods that take \
             the noise off stay near 1 up to the limit (212), σ/r = {limit:.3}. Bars: one standard error."
        ),
        x: Axis::new("relative noise σ/r", "sigma_over_radius", Scale::Log),
        y: Axis::new(RATIO, "rmse_over_root_bound", Scale::Log),
        series: lines(cells, is_chosen, |cell| cell.setting.sigma),
        guides: vec![Guide {
            name: "limit (212)".into(),
            points: vec![(limit, 1e-3), (limit, 1e6)],
        }],
        ..Chart::default()
    }
}

fn against_coverage(cells: &[Cell]) -> Chart {
    let is_chosen = |cell: &Cell| {
        cell.setting.samples == CHARTED_SAMPLES && cell.setting.sigma == CHARTED_SIGMA
    };
    Chart {
        name: "accuracy-coverage",
        title: format!("Error over the root of the bound: N = {CHARTED_SAMPLES}, σ/r = {CHARTED_SIGMA}"),
        caption: "The less of the sphere is covered, the more the bias of GDKE costs. Gander's fit (8) depends \
                  on where the origin is. Bars: one standard error."
            .into(),
        x: Axis::new("coverage θ, degrees", "theta_deg", Scale::Log).within(17.0, 200.0),
        y: Axis::new(RATIO, "rmse_over_root_bound", Scale::Log),
        series: lines(cells, is_chosen, |cell| cell.setting.theta_deg),
        ..Chart::default()
    }
}

/// One series a number of samples, of the cells below the limit.
fn by_samples(cells: &[Cell], value: impl Fn(&Cell) -> Estimate) -> Vec<Series> {
    SAMPLES
        .iter()
        .enumerate()
        .map(|(index, samples)| {
            let chosen = cells.iter().filter(|cell| {
                cell.setting.samples == *samples && cell.setting.limit_share() < 1.0
            });
            let points = chosen.map(|cell| {
                let value = value(cell);
                (cell.setting.limit_share(), value.value, Some(value.error))
            });
            let mut points: Vec<_> = points.collect();
            points.sort_by(|a, b| a.0.total_cmp(&b.0));
            Series::new(format!("N = {samples}"), Ink(index), Mark::Line, points)
        })
        .collect()
}

fn against_limit(cells: &[Cell]) -> Chart {
    Chart {
        name: "accuracy-limit",
        title: "SC-GDK in every cell below the limit".into(),
        caption: "Dashed: at most 1.10 is wanted below a third of the limit (212) for N ≥ 1000, at most 1.20 below \
                  0.8 of it for N ≥ 100."
            .into(),
        x: Axis::new("σ over the limit (212)", "sigma_over_limit", Scale::Log),
        y: Axis::new(RATIO, "rmse_over_root_bound", Scale::Linear).within(0.95, 1.5),
        series: by_samples(cells, |cell| cell.ratio(&SC_GDK)),
        guides: vec![
            Guide { name: "1.10".into(), points: vec![(0.001, 1.10), (1.0 / 3.0, 1.10)] },
            Guide { name: "1.20".into(), points: vec![(0.001, 1.20), (0.8, 1.20)] },
        ],
        is_small: true,
        ..Chart::default()
    }
}

fn coverage_chart(cells: &[Cell]) -> Chart {
    Chart {
        name: "accuracy-ellipsoid",
        title: "How often the 95 % ellipsoid holds the centre".into(),
        caption: "SC-GDK, with its own estimate of the noise, in every cell below the limit (212). Bars: one \
                  standard error."
            .into(),
        x: Axis::new("σ over the limit (212)", "sigma_over_limit", Scale::Log),
        y: Axis::new("share covered, %", "covered_percent", Scale::Linear).within(84.0, 100.0),
        series: by_samples(cells, |cell| cell.covered.over(0.01)),
        band: Some([92.0, 97.0]),
        is_small: true,
        ..Chart::default()
    }
}
