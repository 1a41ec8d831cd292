//! Solid figures as pictures.

use anyhow::Context;
use condyle::figure::Figure;
use condyle::marker_set::{Side, body_part};
use nalgebra::{Isometry3, Point3, Vector3};
use resvg::tiny_skia::{ColorU8, Pixmap};

use super::view::{Heading, View};

/// The height of a picture, and its margin, in pixels.
const CELL: f64 = 800.0;
const MARGIN: f64 = 20.0;
/// No picture is wider.
const WIDEST: f64 = 8_000.0;
/// Of a colour in the shade and in the light.
const SHADE: [f64; 2] = [0.5, 1.08];

/// A triangle on the picture: corners to the right, upwards and towards who looks.
struct Facet {
    corners_m: [Vector3<f64>; 3],
    colour: [u8; 3],
}

/// A figure at rest, or where its segments moved to, seen from some sides, as PNG. All are at the same scale.
///
/// The nearest triangle of every pixel is shown, in the colour of its side.
pub fn solids(
    figure: &Figure,
    world_from_rest: Option<&[Isometry3<f64>]>,
    heading: &Heading,
    views: &[View],
) -> anyhow::Result<Vec<u8>> {
    let cells: Vec<(Vec<Facet>, [f64; 4])> = views
        .iter()
        .map(|view| {
            let facets = facets(figure, world_from_rest, &view.axes(heading));
            let frame = frame(&facets);
            (facets, frame)
        })
        .collect();
    let tallest = cells.iter().map(|(_, [_, low, _, high])| high - low).fold(1e-6, f64::max);
    let broad: f64 = cells.iter().map(|(_, [left, _, right, _])| right - left).sum();
    let scale = ((CELL - 2.0 * MARGIN) / tallest).min(WIDEST / broad.max(1e-6));
    let width_of = |[left, _, right, _]: &[f64; 4]| ((right - left) * scale + 2.0 * MARGIN).ceil();
    let width = cells.iter().map(|(_, frame)| width_of(frame)).sum::<f64>() as usize;
    let mut canvas = Canvas::new(width.max(1), CELL as usize);
    let mut at = 0.0;
    for (facets, frame) in &cells {
        let [left, low, ..] = frame;
        for facet in facets {
            canvas.draw(
                facet.corners_m.map(|corner| {
                    let x = at + MARGIN + (corner.x - left) * scale;
                    Vector3::new(x, CELL - MARGIN - (corner.y - low) * scale, corner.z)
                }),
                facet.colour,
            );
        }
        at += width_of(frame);
    }
    canvas.png()
}

fn facets(
    figure: &Figure,
    world_from_rest: Option<&[Isometry3<f64>]>,
    [x, y, towards]: &[Vector3<f64>; 3],
) -> Vec<Facet> {
    // The light comes from above, before and a little aside.
    let light = (towards + y * 0.6 - x * 0.4).normalize();
    let mut facets = Vec::new();
    for (at, segment) in figure.segments().iter().enumerate() {
        let side = body_part(&segment.name).map_or(Side::Unsaid, |(_, side)| side);
        let moved = world_from_rest.and_then(|poses| poses.get(at)).copied().unwrap_or_default();
        let vertices: Vec<Point3<f64>> =
            segment.solid.vertices_m().iter().map(|vertex_m| moved * vertex_m).collect();
        for corners in segment.solid.triangles() {
            let [a, b, c] = corners.map(|corner| vertices[corner as usize]);
            let Some(normal) = (b - a).cross(&(c - a)).try_normalize(1e-15) else { continue };
            // What looks away is behind something of its own.
            if normal.dot(towards) <= 0.0 {
                continue;
            }
            let [dark, bright] = SHADE;
            let bright = dark + (bright - dark) * normal.dot(&light).max(0.0);
            facets.push(Facet {
                corners_m: [a, b, c].map(|at| {
                    Vector3::new(at.coords.dot(x), at.coords.dot(y), at.coords.dot(towards))
                }),
                colour: skin(side).map(|value| (value * bright).clamp(0.0, 255.0) as u8),
            });
        }
    }
    facets
}

/// Between the dark and the pale colour of a side.
fn skin(side: Side) -> [f64; 3] {
    match side {
        Side::Left => [201.0, 141.0, 177.0],
        Side::Right => [116.0, 181.0, 160.0],
        Side::Unsaid => [150.0, 165.0, 182.0],
    }
}

/// Left, low, right, high.
fn frame(facets: &[Facet]) -> [f64; 4] {
    let mut frame = [f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY];
    for corner in facets.iter().flat_map(|facet| facet.corners_m) {
        let [left, low, right, high] = frame;
        frame = [left.min(corner.x), low.min(corner.y), right.max(corner.x), high.max(corner.y)];
    }
    if frame[0] > frame[2] { [0.0; 4] } else { frame }
}

/// Pixels, with how near what they show is.
struct Canvas {
    width: usize,
    near: Vec<f64>,
    colours: Vec<[u8; 3]>,
}

impl Canvas {
    fn new(width: usize, height: usize) -> Self {
        let pixels = width * height;
        Self { width, near: vec![f64::NEG_INFINITY; pixels], colours: vec![[255; 3]; pixels] }
    }

    /// The pixels whose middle is in a triangle, where it is the nearest so far.
    fn draw(&mut self, [a, b, c]: [Vector3<f64>; 3], colour: [u8; 3]) {
        let area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
        if area == 0.0 || !area.is_finite() {
            return;
        }
        let span = |p: f64, q: f64, r: f64, most: usize| {
            let (low, high) = (p.min(q).min(r).floor(), p.max(q).max(r).ceil());
            low.max(0.0) as usize..(high.max(0.0) as usize).min(most)
        };
        let height = self.near.len() / self.width;
        for row in span(a.y, b.y, c.y, height) {
            for column in span(a.x, b.x, c.x, self.width) {
                let (x, y) = (column as f64 + 0.5, row as f64 + 0.5);
                let u = ((b.x - x) * (c.y - y) - (b.y - y) * (c.x - x)) / area;
                let v = ((c.x - x) * (a.y - y) - (c.y - y) * (a.x - x)) / area;
                let w = 1.0 - u - v;
                let near = u * a.z + v * b.z + w * c.z;
                let pixel = row * self.width + column;
                if u >= 0.0 && v >= 0.0 && w >= 0.0 && near > self.near[pixel] {
                    self.near[pixel] = near;
                    self.colours[pixel] = colour;
                }
            }
        }
    }

    fn png(&self) -> anyhow::Result<Vec<u8>> {
        let height = self.near.len() / self.width;
        let mut pixmap =
            Pixmap::new(self.width as u32, height as u32).context("the picture is empty")?;
        for (pixel, [red, green, blue]) in pixmap.pixels_mut().iter_mut().zip(&self.colours) {
            *pixel = ColorU8::from_rgba(*red, *green, *blue, 255).premultiply();
        }
        pixmap.encode_png().context("the picture cannot be encoded")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_nearer_hides_what_is_behind_in_whichever_order_they_are_drawn() {
        let triangle =
            |near: f64| [[0.0, 0.0], [9.0, 0.0], [0.0, 9.0]].map(|[x, y]| Vector3::new(x, y, near));
        for order in [[1.0, 2.0], [2.0, 1.0]] {
            let mut canvas = Canvas::new(10, 10);
            for near in order {
                canvas.draw(triangle(near), [near as u8; 3]);
            }
            assert_eq!(canvas.colours[11], [2; 3]);
            assert_eq!(canvas.colours[99], [255; 3]);
        }
        let mut canvas = Canvas::new(4, 4);
        canvas.draw([Vector3::repeat(f64::NAN); 3], [0; 3]);
        assert!(canvas.colours.iter().all(|colour| *colour == [255; 3]));
    }
}
