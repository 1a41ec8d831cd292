//! A surface seen from its front and its back, as SVG: flat triangles, the farthest first.

use std::fmt::Write;

use condyle::skin::Surface;
use nalgebra::{Isometry3, Point3, Vector3};

/// The picture of one side.
const WIDTH: f64 = 520.0;
const HEIGHT: f64 = 620.0;
const MARGIN: f64 = 30.0;
/// How dark what faces away from the light is.
const SHADE: f64 = 0.35;

/// A triangle that faces whoever looks.
struct Seen {
    depth: f64,
    corners: [[f64; 2]; 3],
    bright: f64,
    colour: [f64; 3],
}

/// Draws a surface as it is in the frame of a joint: seen along its z axis, then from behind.
pub fn svg(surface: &Surface, joint_from_world: &Isometry3<f64>, colours: &[[f64; 3]]) -> String {
    let at_m: Vec<Point3<f64>> =
        surface.vertices_m().iter().map(|p| joint_from_world * p).collect();
    let start = (Point3::from([f64::INFINITY; 3]), Point3::from([f64::NEG_INFINITY; 3]));
    let (low, high) = at_m.iter().fold(start, |(low, high), p| (low.inf(p), high.sup(p)));
    let middle = nalgebra::center(&low, &high);
    let extent = high - low;
    // Whatever is longer is up: fingers, or a body.
    let (right, up) = match extent.x > extent.y {
        true => (-Vector3::y(), Vector3::x()),
        false => (Vector3::x(), Vector3::y()),
    };
    let across = (extent.dot(&right).abs()).max(1e-9);
    let along = (extent.dot(&up).abs()).max(1e-9);
    let scale = ((WIDTH - 2.0 * MARGIN) / across).min((HEIGHT - 2.0 * MARGIN) / along);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{HEIGHT}\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
        2.0 * WIDTH
    );
    for (number, sign) in [1.0, -1.0].into_iter().enumerate() {
        let (right, towards) = (right * sign, Vector3::z() * sign);
        let light = (towards + 0.4 * up - 0.5 * right).normalize();
        let left = WIDTH * (number as f64 + 0.5);
        let mut seen: Vec<Seen> = Vec::new();
        for corners in surface.triangles() {
            let [a, b, c] = corners.map(|at| at_m[at as usize]);
            let Some(normal) = (b - a).cross(&(c - a)).try_normalize(0.0) else { continue };
            if normal.dot(&towards) <= 0.0 {
                continue;
            }
            let place = |p: &Point3<f64>| {
                let off = p - middle;
                [left + scale * off.dot(&right), 0.5 * HEIGHT - scale * off.dot(&up)]
            };
            let depth = (a.coords + b.coords + c.coords).dot(&towards);
            let bright = SHADE + (1.0 - SHADE) * normal.dot(&light).max(0.0);
            let colour = std::array::from_fn(|i| {
                corners.iter().map(|at| colours[*at as usize][i]).sum::<f64>() / 3.0
            });
            seen.push(Seen { depth, corners: [place(&a), place(&b), place(&c)], bright, colour });
        }
        seen.sort_by(|a, b| a.depth.total_cmp(&b.depth));
        for Seen { corners, bright, colour, .. } in seen {
            let [r, g, b] = colour.map(|x| (255.0 * x * bright).round().clamp(0.0, 255.0) as u8);
            let points: Vec<String> =
                corners.iter().map(|[x, y]| format!("{x:.2},{y:.2}")).collect();
            let fill = format!("#{r:02x}{g:02x}{b:02x}");
            // Edges in the same colour, or the ground shows between triangles.
            let _ = writeln!(
                text,
                "<polygon points=\"{}\" fill=\"{fill}\" stroke=\"{fill}\" stroke-width=\"0.6\"/>",
                points.join(" ")
            );
        }
    }
    text.push_str("</svg>\n");
    text
}
