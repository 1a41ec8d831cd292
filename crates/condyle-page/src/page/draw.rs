//! A chart as SVG, to stand in a page.

use std::fmt::Write;

use super::axis::{Ruler, Tick};
use super::chart::{Chart, Guide, Ink, Mark, Series};
use super::escaped;

/// Widths of a whole chart and of one of two side by side, in the same pixels on the page.
const WIDE: f64 = 940.0;
const SMALL: f64 = 460.0;
const LEGEND_LINE: f64 = 18.0;
/// The mean width of a letter of the legend; a guess, as fonts differ.
const LETTER: f64 = 6.4;

/// The frame that data is drawn in.
struct Frame {
    left: f64,
    top: f64,
    width: f64,
    height: f64,
    x: Ruler,
    y: Ruler,
}

impl Frame {
    fn at(&self, x: f64, y: f64) -> Option<(f64, f64)> {
        Some(self.pixel(self.x.place(x)?, self.y.place(y)?))
    }

    /// The same for lines that may end outside.
    fn at_beyond(&self, x: f64, y: f64) -> Option<(f64, f64)> {
        Some(self.pixel(self.x.place_beyond(x)?, self.y.place_beyond(y)?))
    }

    fn pixel(&self, x: f64, y: f64) -> (f64, f64) {
        (self.left + x * self.width, self.top + (1.0 - y) * self.height)
    }

    fn right(&self) -> f64 {
        self.left + self.width
    }

    fn bottom(&self) -> f64 {
        self.top + self.height
    }
}

/// Writes the chart as an `svg` element; `number` tells it from the others of the page.
pub(super) fn write(chart: &Chart, number: usize, html: &mut String) {
    let width = if chart.is_small { SMALL } else { WIDE };
    let legend = legend(chart, width);
    let legend_lines = legend.last().map_or(0.0, |entry| entry.line + 1.0);
    let points = || chart.series.iter().flat_map(|series| &series.points);
    let guides = || chart.guides.iter().flat_map(|guide| &guide.points);
    let frame = Frame {
        left: 66.0,
        top: 34.0 + legend_lines * LEGEND_LINE,
        width: width - 66.0 - 18.0,
        height: if chart.is_small { 250.0 } else { 380.0 },
        x: Ruler::over(&chart.x, points().map(|p| p.0).chain(guides().map(|p| p.0))),
        y: Ruler::over(&chart.y, chart.series.iter().flat_map(heights)),
    };
    let height = frame.bottom() + 48.0;
    let title = escaped(&chart.title);
    let mut svg = Svg { html };
    svg.add(format_args!(
        "<svg viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{title}\" font-size=\"12\">\n\
         <text x=\"{}\" y=\"18\" font-size=\"14\" font-weight=\"600\">{title}</text>\n",
        frame.left
    ));
    for entry in &legend {
        svg.legend_entry(entry, frame.left);
    }
    svg.axes(chart, &frame);
    let clip = format!("inside-{number}");
    svg.add(format_args!(
        "<clipPath id=\"{clip}\"><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/></clipPath>\n\
         <g clip-path=\"url(#{clip})\" fill=\"none\">\n",
        frame.left, frame.top, frame.width, frame.height
    ));
    for guide in &chart.guides {
        svg.guide(guide, &frame);
    }
    let mut outside = 0;
    for series in &chart.series {
        outside += svg.series(series, &frame);
    }
    svg.add(format_args!("</g>\n"));
    if outside > 0 {
        svg.add(format_args!(
            "<text x=\"{}\" y=\"{}\" font-size=\"11\" text-anchor=\"end\">{outside} outside</text>\n",
            frame.right() - 5.0,
            frame.bottom() - 6.0
        ));
    }
    svg.add(format_args!("</svg>\n"));
}

/// What the points of a series reach to; a curve with the band about it.
fn heights(series: &Series) -> Vec<f64> {
    let is_band = series.mark == Mark::Curve;
    let reach = |(_, y, error): &(f64, f64, Option<f64>)| {
        let error = error.filter(|_| is_band).unwrap_or(0.0);
        [y - error, y + error]
    };
    series.points.iter().flat_map(reach).collect()
}

/// What a legend explains.
enum Sample<'a> {
    Series(&'a Series),
    Guide,
    Band,
}

struct LegendEntry<'a> {
    name: &'a str,
    sample: Sample<'a>,
    x: f64,
    line: f64,
}

/// Entries from left to right, in as many lines as they need; a lone series needs none.
fn legend(chart: &Chart, width: f64) -> Vec<LegendEntry<'_>> {
    let mut samples: Vec<(&str, Sample)> = Vec::new();
    if chart.series.len() + chart.guides.len() > 1 {
        samples.extend(chart.series.iter().map(|s| (s.name.as_str(), Sample::Series(s))));
        samples.extend(chart.guides.iter().map(|g| (g.name.as_str(), Sample::Guide)));
    }
    samples.extend(chart.band.map(|_| ("wanted", Sample::Band)));
    let (mut x, mut line) = (0.0, 0.0);
    let mut entries = Vec::new();
    for (name, sample) in samples {
        let room = 30.0 + LETTER * name.chars().count() as f64 + 14.0;
        if x > 0.0 && x + room > width - 84.0 {
            (x, line) = (0.0, line + 1.0);
        }
        entries.push(LegendEntry { name, sample, x, line });
        x += room;
    }
    entries
}

/// The SVG written so far.
struct Svg<'a> {
    html: &'a mut String,
}

impl Svg<'_> {
    fn add(&mut self, text: std::fmt::Arguments) {
        // Writing to a string does not fail.
        let _ = self.html.write_fmt(text);
    }

    fn legend_entry(&mut self, entry: &LegendEntry, left: f64) {
        let (x, y) = (left + entry.x, 36.0 + entry.line * LEGEND_LINE);
        match entry.sample {
            Sample::Series(series) => {
                let colour = series.ink.colour();
                if series.mark != Mark::Dots {
                    self.add(format_args!(
                        "<path d=\"M{x} {y}h22\" stroke=\"{colour}\" stroke-width=\"1.6\"/>"
                    ));
                }
                if series.mark != Mark::Curve {
                    let ink = if series.mark == Mark::Dots { Ink::DOT } else { series.ink };
                    let sign = ink.sign(x + 11.0, y);
                    self.add(format_args!("<path d=\"{sign}\" fill=\"{colour}\"/>"));
                }
            }
            Sample::Guide => self.add(format_args!(
                "<path d=\"M{x} {y}h22\" stroke=\"#555\" stroke-dasharray=\"5 4\"/>"
            )),
            Sample::Band => self.add(format_args!(
                "<rect x=\"{x}\" y=\"{}\" width=\"22\" height=\"10\" fill=\"#e3efe6\"/>",
                y - 5.0
            )),
        }
        let name = escaped(entry.name);
        self.add(format_args!("<text x=\"{}\" y=\"{}\">{name}</text>\n", x + 28.0, y + 4.0));
    }

    fn axes(&mut self, chart: &Chart, frame: &Frame) {
        let Frame { left, top, width, height, .. } = *frame;
        if let Some([low, high]) = chart.band {
            let place = |value| frame.y.place(value);
            let (low, high) = (place(low).unwrap_or(0.0), place(high).unwrap_or(1.0));
            self.add(format_args!(
                "<rect x=\"{left}\" y=\"{:.1}\" width=\"{width}\" height=\"{:.1}\" fill=\"#e3efe6\"/>\n",
                top + (1.0 - high) * height,
                (high - low) * height
            ));
        }
        for Tick { place, label } in frame.x.ticks(width / 75.0) {
            let x = left + place * width;
            let Some(label) = label else {
                self.add(format_args!(
                    "<path d=\"M{x:.1} {:.1}v-4\" stroke=\"#888\"/>",
                    top + height
                ));
                continue;
            };
            self.add(format_args!(
                "<path d=\"M{x:.1} {top}v{height}\" stroke=\"#e6e6e6\"/>\
                 <text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{label}</text>\n",
                frame.bottom() + 17.0
            ));
        }
        for Tick { place, label } in frame.y.ticks(height / 45.0) {
            let y = top + (1.0 - place) * height;
            let Some(label) = label else {
                self.add(format_args!("<path d=\"M{left} {y:.1}h4\" stroke=\"#888\"/>"));
                continue;
            };
            self.add(format_args!(
                "<path d=\"M{left} {y:.1}h{width}\" stroke=\"#e6e6e6\"/>\
                 <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>\n",
                left - 7.0,
                y + 4.0
            ));
        }
        let middle = top + height / 2.0;
        self.add(format_args!(
            "<rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" fill=\"none\" stroke=\"#888\"/>\n\
             <text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n\
             <text transform=\"translate(15 {middle}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
            left + width / 2.0,
            frame.bottom() + 38.0,
            escaped(&chart.x.title),
            escaped(&chart.y.title)
        ));
    }

    fn guide(&mut self, guide: &Guide, frame: &Frame) {
        let path = polyline(guide.points.iter().map(|(x, y)| frame.at_beyond(*x, *y)));
        self.add(format_args!("<path d=\"{path}\" stroke=\"#555\" stroke-dasharray=\"5 4\"/>\n"));
    }

    /// Draws the points and says how many are outside.
    fn series(&mut self, series: &Series, frame: &Frame) -> usize {
        let colour = series.ink.colour();
        let places = series.points.iter().map(|(x, y, _)| frame.at(*x, *y));
        let line = series.points.iter().map(|(x, y, _)| frame.at_beyond(*x, *y));
        if series.mark == Mark::Dots {
            // A dot is a stroke without length, which is a sixth of what a circle takes.
            let mut path = String::new();
            for (x, y) in places.clone().flatten() {
                let _ = write!(path, "M{x:.1} {y:.1}h0");
            }
            self.add(format_args!(
                "<path d=\"{path}\" stroke=\"{colour}\" stroke-width=\"3.2\" stroke-linecap=\"round\" stroke-opacity=\".55\"/>\n"
            ));
        } else {
            let path = polyline(line);
            self.add(format_args!(
                "<path d=\"{path}\" stroke=\"{colour}\" stroke-width=\"1.6\"/>\n"
            ));
        }
        if series.mark == Mark::Line {
            let signs: String =
                places.clone().flatten().map(|(x, y)| series.ink.sign(x, y)).collect();
            self.add(format_args!("<path d=\"{signs}\" fill=\"{colour}\"/>\n"));
        }
        self.error_bars(series, frame);
        if series.mark != Mark::Dots {
            // A line shows by itself where it leaves.
            return 0;
        }
        let is_lost = |(x, y, _): &&(f64, f64, Option<f64>)| {
            x.is_finite() && y.is_finite() && frame.at(*x, *y).is_none()
        };
        series.points.iter().filter(is_lost).count()
    }

    /// One standard error up and down, shaded along a curve.
    fn error_band(&mut self, series: &Series, frame: &Frame) {
        let edge = |sign: f64| {
            series.points.iter().filter_map(move |(x, y, error)| {
                let error = error.filter(|error| *error > 0.0)?;
                frame.at_beyond(*x, y + sign * error)
            })
        };
        let mut back: Vec<(f64, f64)> = edge(-1.0).collect();
        back.reverse();
        let path = polyline(edge(1.0).chain(back).map(Some));
        if !path.is_empty() {
            let colour = series.ink.colour();
            self.add(format_args!(
                "<path d=\"{path}Z\" fill=\"{colour}\" fill-opacity=\".15\"/>\n"
            ));
        }
    }

    /// One standard error up and down.
    fn error_bars(&mut self, series: &Series, frame: &Frame) {
        if series.mark == Mark::Curve {
            return self.error_band(series, frame);
        }
        let mut bars = String::new();
        for (x, y, error) in &series.points {
            let Some(error) = error.filter(|error| *error > 0.0) else { continue };
            let [low, high] = [y - error, y + error].map(|end| frame.at_beyond(*x, end));
            let Some((x, high)) = high else { continue };
            // On a logarithmic axis zero is below any bottom.
            let low = low.map_or(frame.bottom(), |(_, low)| low);
            let _ = write!(bars, "M{x:.1} {low:.1}V{high:.1}");
        }
        if !bars.is_empty() {
            let colour = series.ink.colour();
            self.add(format_args!("<path d=\"{bars}\" stroke=\"{colour}\"/>\n"));
        }
    }
}

/// A line through the places, interrupted where one is missing.
fn polyline(places: impl Iterator<Item = Option<(f64, f64)>>) -> String {
    let mut path = String::new();
    let mut is_begun = false;
    for place in places {
        if let Some((x, y)) = place {
            let _ = write!(path, "{}{x:.1} {y:.1}", if is_begun { 'L' } else { 'M' });
        }
        is_begun = place.is_some();
    }
    path
}

#[cfg(test)]
mod tests {
    use super::super::{Axis, Scale};
    use super::*;

    #[test]
    fn a_line_breaks_where_a_value_is_missing() {
        let places = [Some((0.0, 0.0)), Some((1.0, 2.0)), None, Some((3.0, 4.0))];
        assert_eq!(polyline(places.into_iter()), "M0.0 0.0L1.0 2.0M3.0 4.0");
    }

    #[test]
    fn what_is_outside_is_counted_and_what_is_no_number_is_not_drawn() {
        let points = vec![(1.0, 1.0, None), (2.0, 100.0, None), (3.0, f64::NAN, Some(0.1))];
        let series = Series { name: "a<b".into(), ink: Ink(0), mark: Mark::Dots, points };
        let chart = Chart {
            name: "test",
            title: "Title".into(),
            caption: String::new(),
            x: Axis::new("x", "x", Scale::Linear),
            y: Axis::new("y", "y", Scale::Log).within(0.1, 10.0),
            series: vec![series.clone(), series],
            ..Chart::default()
        };
        let mut html = String::new();
        write(&chart, 1, &mut html);
        assert!(html.contains("2 outside") && html.contains("a&lt;b"), "{html}");
        assert!(!html.contains("NaN") && !html.contains("inf"), "{html}");
    }
}
