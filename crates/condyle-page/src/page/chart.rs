//! What a chart shows, apart from how it is drawn.

use super::axis::Axis;

/// A chart with its data.
#[derive(Debug, Clone, Default)]
pub struct Chart {
    /// The name of its data file, without extension.
    pub name: &'static str,
    /// Above it.
    pub title: String,
    /// Below it: what is shown, with its source.
    pub caption: String,
    /// From left to right.
    pub x: Axis,
    /// From bottom to top.
    pub y: Axis,
    /// What is drawn, the first at the bottom.
    pub series: Vec<Series>,
    /// Lines to compare with.
    pub guides: Vec<Guide>,
    /// A stretch of y to compare with, shaded.
    pub band: Option<[f64; 2]>,
    /// Whether two such charts stand side by side.
    pub is_small: bool,
}

/// Points that belong together.
#[derive(Debug, Clone)]
pub struct Series {
    /// Its name in the legend and in the data file.
    pub name: String,
    /// Its colour and its sign.
    pub ink: Ink,
    /// How it is drawn.
    pub mark: Mark,
    /// x, y and, if known, the standard error of y.
    pub points: Vec<(f64, f64, Option<f64>)>,
}

/// How points are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// Small dots, for many points.
    Dots,
    /// A line with a sign at each point.
    Line,
    /// A line alone, for curves.
    Curve,
}

/// A colour with a sign that tells it apart without colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ink(pub usize);

/// A line to compare with.
#[derive(Debug, Clone)]
pub struct Guide {
    /// What it means, in the legend.
    pub name: String,
    /// From point to point.
    pub points: Vec<(f64, f64)>,
}

/// Colours that people with any colour vision can tell apart, by M. Okabe and K. Ito (2008), then
/// greys and what is left.
const COLOURS: [&str; 10] = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#222222", "#7a7a7a",
    "#9a6a00", "#7b4fb0",
];

impl Ink {
    /// The one whose sign is a round dot.
    pub(super) const DOT: Self = Self(0);

    pub(super) fn colour(self) -> &'static str {
        COLOURS[self.0 % COLOURS.len()]
    }

    /// The sign as a path around a place, about six pixels wide.
    pub(super) fn sign(self, x: f64, y: f64) -> String {
        match self.0 % 6 {
            0 => format!("M{:.1} {y:.1}a3 3 0 1 0 6 0a3 3 0 1 0 -6 0z", x - 3.0),
            1 => format!("M{:.1} {:.1}h5.4v5.4h-5.4z", x - 2.7, y - 2.7),
            2 => format!("M{x:.1} {:.1}l3.5 6h-7z", y - 3.6),
            3 => format!("M{x:.1} {:.1}l3.7 3.7l-3.7 3.7l-3.7 -3.7z", y - 3.7),
            4 => format!("M{x:.1} {:.1}l-3.5 -6h7z", y + 3.6),
            _ => format!("M{:.1} {:.1}h2v-2h2v2h2v2h-2v2h-2v-2h-2z", x - 3.0, y - 1.0),
        }
    }
}

impl Series {
    /// Points that belong together.
    pub fn new(
        name: impl Into<String>,
        ink: Ink,
        mark: Mark,
        points: impl IntoIterator<Item = (f64, f64, Option<f64>)>,
    ) -> Self {
        Self { name: name.into(), ink, mark, points: points.into_iter().collect() }
    }
}

impl Chart {
    /// The data behind the chart: a header, then one row a point.
    pub fn rows(&self) -> (Vec<String>, Vec<Vec<String>>) {
        let has_errors = self.series.iter().flat_map(|s| &s.points).any(|p| p.2.is_some());
        let mut header = vec!["series".to_owned(), self.x.column.into(), self.y.column.into()];
        if has_errors {
            header.push("standard_error".to_owned());
        }
        let mut rows = Vec::new();
        for series in &self.series {
            for (x, y, error) in &series.points {
                let mut row = vec![series.name.clone(), x.to_string(), y.to_string()];
                if has_errors {
                    row.push(error.map_or_else(String::new, |error| error.to_string()));
                }
                rows.push(row);
            }
        }
        (header, rows)
    }
}
