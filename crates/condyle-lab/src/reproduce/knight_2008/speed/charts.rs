//! Figures 26 and 27, and the tables of times and operations.

use super::lines::{gdke_operations, igdk_operations, lls_operations};
use super::{LIBRARY, PLAIN, RUNNERS, SIGMAS_AT, Timing};
use condyle_page::page::{Axis, Chart, Mark, Scale, Series, Table};
use condyle_page::terminal::table::short;

pub(super) fn table(by_size: &[Timing]) -> Table {
    let mut header = vec!["N"];
    header.extend(RUNNERS.iter().map(|runner| runner.name));
    let mut table = Table::new(&header, 0);
    table.caption = "Nanoseconds a point, whole fit included.".into();
    for timing in by_size {
        let each = timing.seconds.map(|seconds| short(seconds / timing.at * 1e9));
        table.row(std::iter::once(timing.at.to_string()).chain(each));
    }
    table
}

pub(super) fn operations() -> Table {
    let mut table = Table::new(&["D", "LLS (71)", "GDKE (89)", "IGDK (233), a point"], 0);
    table.caption =
        "Floating-point operations (+, -, ×, ÷, √) for N points in D dimensions.".into();
    for d in [2.0, 3.0] {
        let sum = |[each, once]: [f64; 2]| format!("{each} N + {once:.0}");
        table.row([
            d.to_string(),
            sum(lls_operations(d)),
            sum(gdke_operations(d)),
            igdk_operations(d).to_string(),
        ]);
    }
    table
}

pub(super) fn charts(by_size: &[Timing], by_sigma: &[Timing]) -> Vec<Chart> {
    vec![figure_26(by_size), ratios(by_size), figure_27(by_sigma)]
}

fn series(
    timings: &[Timing],
    of: impl Fn(&Timing, usize) -> f64,
    is_shown: fn(usize) -> bool,
) -> Vec<Series> {
    let shown = RUNNERS.iter().enumerate().filter(|(index, _)| is_shown(*index));
    shown
        .map(|(index, runner)| {
            Series::new(
                runner.name,
                runner.ink,
                Mark::Line,
                timings.iter().map(|t| (t.at, of(t, index), None)),
            )
        })
        .collect()
}

fn figure_26(by_size: &[Timing]) -> Chart {
    Chart {
        name: "figure-26",
        title: "Figure 26: time of one fit".into(),
        caption: "All are O(N). Fastest of all rounds, one thread.".into(),
        x: Axis::new("samples N", "samples", Scale::Log),
        y: Axis::new("seconds", "seconds", Scale::Log),
        series: series(by_size, |t, runner| t.seconds[runner], |_| true),
        is_small: true,
        ..Chart::default()
    }
}

fn ratios(by_size: &[Timing]) -> Chart {
    Chart {
        name: "timing-ratios",
        title: "Times over that of plain GDKE".into(),
        caption: "Against GDKE in two plain passes, which is what the thesis compared: LLS 11.05, IGDK 2.17, MLE \
                  about 80 (section 6.4)."
            .into(),
        x: Axis::new("samples N", "samples", Scale::Log),
        y: Axis::new("time / time of plain GDKE", "time_over_plain_gdke", Scale::Log),
        series: series(by_size, |t, runner| t.seconds[runner] / t.seconds[PLAIN], |r| r != PLAIN),
        is_small: true,
        ..Chart::default()
    }
}

fn figure_27(by_sigma: &[Timing]) -> Chart {
    Chart {
        name: "figure-27",
        title: format!("Figure 27: times over that of GDKE, N = {SIGMAS_AT}"),
        caption: "Only the iterated MLE depends on the noise; the closed forms do the same work whatever the points \
                  are."
            .into(),
        x: Axis::new("relative noise σ/r", "sigma_over_radius", Scale::Log),
        y: Axis::new("time / time of GDKE", "time_over_gdke", Scale::Log),
        series: series(by_sigma, |t, runner| t.seconds[runner] / t.seconds[LIBRARY], |r| r != LIBRARY),
        ..Chart::default()
    }
}
