//! When each marker was seen: a line a marker, time from left to right.

use std::fmt::Write;

use super::results::PerformerResult;
use condyle_page::page::escaped;

const LEFT: f64 = 130.0;
const WIDTH: f64 = 940.0;
const ROW: f64 = 13.0;

/// The map as an `svg` element.
pub fn svg(performer: &PerformerResult, duration_s: f64) -> String {
    let height = performer.markers.len() as f64 * ROW + 22.0;
    let mut svg = format!(
        "<svg viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"when markers were seen\" font-size=\"10\">\n"
    );
    for (row, marker) in performer.markers.iter().enumerate() {
        let top = row as f64 * ROW;
        let label = escaped(&marker.label);
        let _ = write!(
            svg,
            "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>\
             <rect x=\"{LEFT}\" y=\"{:.1}\" width=\"{}\" height=\"{}\" fill=\"#dfe7ee\"/>",
            LEFT - 8.0,
            top + 10.0,
            top + 2.0,
            WIDTH - LEFT,
            ROW - 4.0
        );
        let stretches = marker.seen.chars().count().max(1) as f64;
        let width = (WIDTH - LEFT) / stretches;
        for (k, sign) in marker.seen.chars().enumerate().filter(|(_, sign)| *sign != '.') {
            let colour = if sign == 'x' { "#a8321a" } else { "#e6a23c" };
            let _ = write!(
                svg,
                "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{}\" fill=\"{colour}\"/>",
                LEFT + k as f64 * width,
                top + 2.0,
                width + 0.2,
                ROW - 4.0
            );
        }
        svg.push('\n');
    }
    let _ = writeln!(
        svg,
        "<text x=\"{LEFT}\" y=\"{:.1}\">0 s</text><text x=\"{WIDTH}\" y=\"{:.1}\" text-anchor=\"end\">{duration_s:.1} s</text></svg>",
        height - 6.0,
        height - 6.0
    );
    svg
}
