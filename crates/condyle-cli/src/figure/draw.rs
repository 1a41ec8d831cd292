//! Frames of a scene as one picture: a row for every view, a column for every frame.

use std::fmt::Write;

use condyle::marker_set::Side;
use condyle::stick::Limb;
use condyle::subject::CentreKnown;
use nalgebra::{Point3, Vector3};

use super::colour::colours;
use super::scene::{Dot, Scene};
use super::view::View;

/// The height of one figure, in pixels; its width follows from the figure.
const CELL: f64 = 320.0;
const MARGIN: f64 = 14.0;
const LABEL: f64 = 20.0;
/// The size of letters; pages are this wide, and what is wider is drawn smaller there, letters and all.
const LETTERS: f64 = 12.0;
const PAGE: f64 = 990.0;
/// Bones and joints, in pixels.
const BONE: f64 = 1.8;
const DOT: f64 = 2.4;
/// How far the trunk goes beyond shoulders and hips, twice, in metres.
const TRUNK_EDGE_M: f64 = 0.1;
/// The colour of markers whose place was filled in.
const FILLED: &str = "#e6a23c";

/// Draws frames from views as SVG.
///
/// Limbs have the colours of their sides. Dots are joints: black where they are well known, white where fairly, red
/// where barely; a thin circle about them is one standard error. Small grey dots are markers, orange ones markers
/// whose place was filled in. All cells are at the same scale.
pub fn strip(scene: &Scene, frames: &[usize], views: &[View]) -> String {
    let cells: Vec<Vec<Cell>> = views
        .iter()
        .map(|view| {
            let axes = view.axes(&scene.heading);
            frames.iter().map(|frame| Cell::of(scene, *frame, &axes)).collect()
        })
        .collect();
    let tallest = fold(cells.iter().flatten().map(Cell::height_m)).max(1e-6);
    let widest: Vec<f64> = (0..frames.len())
        .map(|column| fold(cells.iter().map(|row| row[column].width_m())))
        .collect();
    let scale = (CELL - 2.0 * MARGIN) / tallest;
    let widths: Vec<f64> =
        widest.iter().map(|width_m| (width_m * scale).max(40.0) + 2.0 * MARGIN).collect();
    let width = widths.iter().sum::<f64>().max(120.0);
    let (letters, label) = [LETTERS, LABEL].map(|size| size * (width / PAGE).max(1.0)).into();
    let height = views.len() as f64 * (CELL + label);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         width=\"{width:.0}\" height=\"{height:.0}\" role=\"img\" font-family=\"sans-serif\" \
         font-size=\"{letters:.0}\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
    );
    for (row, (view, cells)) in views.iter().zip(&cells).enumerate() {
        let top = row as f64 * (CELL + label);
        let mut left = 0.0;
        for (column, cell) in cells.iter().enumerate() {
            let place = Place {
                left: left + 0.5 * widths[column],
                bottom: top + label + CELL - MARGIN,
                scale,
                middle_m: cell.middle_m(),
                lowest_m: cell.low_m[1],
            };
            let time_s = frames[column] as f64 / scene.rate_hz;
            let when = if time_s.is_finite() { format!(" {time_s:.2} s") } else { String::new() };
            let text = match column {
                0 => format!("{}{when}", view.name()),
                _ => when.trim().to_owned(),
            };
            let _ = writeln!(
                svg,
                "<text x=\"{:.1}\" y=\"{:.1}\" fill=\"#555\">{text}</text>",
                left + 6.0,
                top + 0.7 * label
            );
            cell.draw(scene, &place, &mut svg);
            left += widths[column];
        }
    }
    svg.push_str("</svg>\n");
    svg
}

/// One frame from one side, in metres of the picture.
struct Cell {
    points: Vec<Option<Vector3<f64>>>,
    markers: Vec<Vector3<f64>>,
    filled: Vec<Vector3<f64>>,
    low_m: [f64; 2],
    high_m: [f64; 2],
}

/// Where a cell is on the page.
struct Place {
    left: f64,
    bottom: f64,
    scale: f64,
    middle_m: f64,
    lowest_m: f64,
}

impl Place {
    fn pixel(&self, p: &Vector3<f64>) -> (f64, f64) {
        (
            self.left + (p.x - self.middle_m) * self.scale,
            self.bottom - (p.y - self.lowest_m) * self.scale,
        )
    }
}

impl Cell {
    fn of(scene: &Scene, frame: usize, [x, y, z]: &[Vector3<f64>; 3]) -> Self {
        let seen =
            |p: &Point3<f64>| Vector3::new(p.coords.dot(x), p.coords.dot(y), p.coords.dot(z));
        let points: Vec<Option<Vector3<f64>>> =
            scene.points_m.get(frame).map_or_else(Vec::new, |points| {
                points.iter().map(|point| point.as_ref().map(seen)).collect()
            });
        let all = |markers_m: &[Vec<Point3<f64>>]| -> Vec<Vector3<f64>> {
            markers_m.get(frame).map_or_else(Vec::new, |m| m.iter().map(seen).collect())
        };
        let (markers, filled) = (all(&scene.markers_m), all(&scene.filled_m));
        let (mut low_m, mut high_m) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        // A marker that has strayed does not make the figure small.
        let is_figure = points.iter().any(Option::is_some);
        let mut frame = |p: &Vector3<f64>, beyond_m: f64| {
            for axis in 0..2 {
                low_m[axis] = low_m[axis].min(p[axis] - beyond_m);
                high_m[axis] = high_m[axis].max(p[axis] + beyond_m);
            }
        };
        points.iter().flatten().for_each(|p| frame(p, 0.0));
        markers.iter().filter(|_| !is_figure).for_each(|p| frame(p, 0.0));
        for limb in &scene.limbs {
            let ends = limb.ends.map(|end| points.get(end).copied().flatten());
            if let [Some(a), Some(b)] = ends {
                [a, b].iter().for_each(|p| frame(p, 0.5 * limb.width_m));
            }
        }
        if low_m[0] > high_m[0] {
            (low_m, high_m) = ([0.0; 2], [0.0; 2]);
        }
        Self { points, markers, filled, low_m, high_m }
    }

    fn width_m(&self) -> f64 {
        self.high_m[0] - self.low_m[0]
    }

    fn height_m(&self) -> f64 {
        self.high_m[1] - self.low_m[1]
    }

    fn middle_m(&self) -> f64 {
        0.5 * (self.low_m[0] + self.high_m[0])
    }

    fn draw(&self, scene: &Scene, place: &Place, svg: &mut String) {
        for trunk in &scene.trunks {
            let corners: Option<Vec<Vector3<f64>>> =
                trunk.iter().map(|point| self.points[*point]).collect();
            let corners = corners.unwrap_or_default();
            let corners: Vec<String> = corners
                .iter()
                .map(|p| place.pixel(p))
                .map(|(x, y)| format!("{x:.1},{y:.1}"))
                .collect();
            let [_, pale] = colours(Side::Unsaid);
            let width = TRUNK_EDGE_M * place.scale;
            let _ = writeln!(
                svg,
                "<polygon points=\"{}\" fill=\"{pale}\" stroke=\"{pale}\" stroke-width=\"{width:.1}\" \
                 stroke-linejoin=\"round\"/>",
                corners.join(" ")
            );
        }
        // What is far is drawn first.
        let mut limbs: Vec<(&Limb, [Vector3<f64>; 2])> = scene
            .limbs
            .iter()
            .filter_map(|limb| {
                Some((limb, [self.points[limb.ends[0]]?, self.points[limb.ends[1]]?]))
            })
            .collect();
        limbs.sort_by(|(_, a), (_, b)| (a[0].z + a[1].z).total_cmp(&(b[0].z + b[1].z)));
        for (limb, [a, b]) in &limbs {
            let ((x1, y1), (x2, y2)) = (place.pixel(a), place.pixel(b));
            let [dark, pale] = colours(limb.side);
            let thick = limb.width_m * place.scale;
            for (colour, width) in [(pale, thick), (dark, BONE)].iter().filter(|(_, w)| *w > 0.0) {
                let _ = writeln!(
                    svg,
                    "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" \
                     stroke=\"{colour}\" stroke-width=\"{width:.1}\" stroke-linecap=\"round\"/>"
                );
            }
        }
        let measured = self.markers.iter().map(|p| (p, "#8a8a8a"));
        let filled = self.filled.iter().map(|p| (p, FILLED));
        for (p, ink) in measured.chain(filled) {
            let (x, y) = place.pixel(p);
            let _ = writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"1.3\" fill=\"{ink}\"/>");
        }
        for (dot, p) in scene.dots.iter().zip(&self.points) {
            if let Some(p) = p {
                draw_dot(dot, place.pixel(p), place.scale, svg);
            }
        }
    }
}

fn draw_dot(dot: &Dot, (x, y): (f64, f64), scale: f64, svg: &mut String) {
    let (fill, line) = match dot.known {
        Some(CentreKnown::Well) => ("#1c1c1c", "#1c1c1c"),
        Some(CentreKnown::Fairly) => ("#fff", "#1c1c1c"),
        Some(CentreKnown::Barely) => ("#fff", "#c0392b"),
        None => return,
    };
    let sd = dot.sd_m * scale;
    // A circle about a guess would hide the figure.
    if sd > DOT && dot.known != Some(CentreKnown::Barely) {
        let _ = writeln!(
            svg,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{sd:.1}\" fill=\"none\" stroke=\"{line}\" \
             stroke-width=\"0.7\" stroke-opacity=\"0.5\"/>"
        );
    }
    let _ = writeln!(
        svg,
        "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{DOT}\" fill=\"{fill}\" stroke=\"{line}\" stroke-width=\"1.2\"/>"
    );
}

fn fold(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(0.0, f64::max)
}
