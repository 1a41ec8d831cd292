//! What the accuracy table must show.

use super::{Cell, SC_GDK};
use crate::reproduce::knight_2008::methods::{GDKE, LLS};
use crate::reproduce::section::{BEYOND_CHANCE, Line, Verdict};
use crate::reproduce::statistics::Estimate;

pub(super) fn lines(cells: &[Cell]) -> Vec<Line> {
    let below = |samples, share| {
        cells.iter().filter(move |cell: &&Cell| {
            cell.setting.samples >= samples && cell.setting.limit_share() < share
        })
    };
    let ratio = |cell: &Cell| cell.ratio(&SC_GDK);
    let covered = |cell: &Cell| cell.covered;
    vec![
        at_most("SC-GDK, N ≥ 1000, σ below a third of (212)", 1.10, below(1000, 1.0 / 3.0), ratio),
        at_most("SC-GDK, N ≥ 100, σ below 0.8 of (212)", 1.20, below(100, 0.8), ratio),
        at_most(
            "SC-GDK over MLE, N ≥ 100, σ below 0.8 of (212)",
            1.03,
            below(100, 0.8),
            |cell| cell.over_mle,
        ),
        within(
            "its 95 % ellipsoid holds the centre, %, N ≥ 100",
            [0.92, 0.97],
            below(100, 0.8),
            covered,
        ),
        within(
            "RMSE with one polishing step, % of SC-GDK's, N ≥ 100",
            [0.90, 1.01],
            below(100, 0.8),
            |cell| cell.polished,
        ),
        twins(cells),
    ]
}

/// The largest must not be above a limit.
fn at_most<'a>(
    what: &str,
    limit: f64,
    cells: impl Iterator<Item = &'a Cell>,
    of: impl Fn(&Cell) -> Estimate,
) -> Line {
    let values: Vec<(Estimate, &Cell)> = cells.map(|cell| (of(cell), cell)).collect();
    let excess = |estimate: &Estimate| estimate.value - limit;
    let worst = values.iter().max_by(|a, b| a.0.value.total_cmp(&b.0.value));
    let ours = worst.map_or("no cells".into(), |(worst, cell)| {
        format!("at most {:.3} ± {:.3} ({})", worst.value, worst.error, place(cell))
    });
    let line = Line::new(what, "wanted")
        .compare(format!("at most {limit:.2}"), ours)
        .verdict(Verdict::Holds);
    judged(line, &values, excess)
}

/// The smallest and the largest must both be within limits.
fn within<'a>(
    what: &str,
    [low, high]: [f64; 2],
    cells: impl Iterator<Item = &'a Cell>,
    of: impl Fn(&Cell) -> Estimate,
) -> Line {
    let values: Vec<(Estimate, &Cell)> = cells.map(|cell| (of(cell), cell)).collect();
    let excess = |estimate: &Estimate| (estimate.value - high).max(low - estimate.value);
    let least = values.iter().min_by(|a, b| a.0.value.total_cmp(&b.0.value));
    let most = values.iter().max_by(|a, b| a.0.value.total_cmp(&b.0.value));
    let shown = |found: Option<&(Estimate, &Cell)>| {
        found.map_or("-".into(), |(e, cell)| {
            format!("{:.1} ± {:.1} ({})", 100.0 * e.value, 100.0 * e.error, place(cell))
        })
    };
    let ours = format!("{} to {}", shown(least), shown(most));
    let document = format!("{:.0} to {:.0}", 100.0 * low, 100.0 * high);
    judged(
        Line::new(what, "wanted").compare(document, ours).verdict(Verdict::Holds),
        &values,
        excess,
    )
}

/// Holds if no cell exceeds, fails if one does beyond chance, else stays undecided.
fn judged(mut line: Line, values: &[(Estimate, &Cell)], excess: impl Fn(&Estimate) -> f64) -> Line {
    let outside: Vec<&(Estimate, &Cell)> = values.iter().filter(|(e, _)| excess(e) > 0.0).collect();
    let beyond: Vec<&&(Estimate, &Cell)> =
        outside.iter().filter(|(e, _)| excess(e) > BEYOND_CHANCE * e.error).collect();
    if values.is_empty() {
        line.verdict = Verdict::Undecided;
    } else if let Some((_, cell)) = beyond.first() {
        line.verdict = Verdict::Fails;
        let (count, of) = (beyond.len(), values.len());
        line.why = format!("outside beyond chance in {count} of {of} cells, first {}", place(cell));
    } else if !outside.is_empty() {
        line.verdict = Verdict::Undecided;
        let (count, of) = (outside.len(), values.len());
        line.why = format!(
            "outside in {count} of {of} cells, by less than {BEYOND_CHANCE} standard errors: more \
             trials decide (--full, --trials)"
        );
    }
    line
}

fn place(cell: &Cell) -> String {
    let setting = cell.setting;
    format!("N {}, θ {}°, σ/r {}", setting.samples, setting.theta_deg, setting.sigma)
}

/// LLS is GDKE by other means.
fn twins(cells: &[Cell]) -> Line {
    let difference = |cell: &Cell| {
        let [one, other] = [GDKE, LLS].map(|method| cell.ratio(&method).value);
        (one / other - 1.0).abs()
    };
    let most = cells.iter().map(difference).fold(0.0, f64::max);
    Line::new("LLS and GDKE differ by, at most", "(62) to (67), (86)")
        .compare("nothing but rounding", format!("{most:.1e} of their RMSE"))
        .reproduced(most < 1e-6)
}
