//! Where a figure is seen from.

use nalgebra::{Point3, Vector3};

/// Which way a figure faces, and which way is up.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Heading {
    /// Up, of length 1.
    pub up: Vector3<f64>,
    /// Forwards, level, of length 1.
    pub ahead: Vector3<f64>,
}

/// A side to look from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, clap::ValueEnum)]
pub enum View {
    /// From ahead
    Front,
    /// From its right
    Side,
    /// From ahead, its right and above
    Oblique,
    /// From above
    Top,
}

impl View {
    /// The name on the command line and under a picture.
    pub fn name(self) -> &'static str {
        match self {
            Self::Front => "front",
            Self::Side => "side",
            Self::Oblique => "oblique",
            Self::Top => "top",
        }
    }

    /// To the right of the picture, up in it, and towards who looks at it.
    pub fn axes(self, heading: &Heading) -> [Vector3<f64>; 3] {
        let Heading { up, ahead } = *heading;
        let right = ahead.cross(&up);
        match self {
            Self::Front => [-right, up, ahead],
            Self::Side => [ahead, up, right],
            Self::Top => [right, ahead, up],
            Self::Oblique => {
                let towards = (ahead + right * 0.75 + up * 0.5).normalize();
                let across = up.cross(&towards).normalize();
                [across, towards.cross(&across), towards]
            }
        }
    }
}

impl Heading {
    /// By what is named left and right: a figure's left is to the left of where it faces.
    pub fn by_sides(
        names: &[&str],
        frames: usize,
        point_m: impl Fn(usize, usize) -> Option<Point3<f64>>,
        up: Vector3<f64>,
    ) -> Option<Self> {
        let lower: Vec<String> = names.iter().map(|name| name.to_lowercase()).collect();
        let pairs: Vec<(usize, usize)> = lower
            .iter()
            .enumerate()
            .filter_map(|(left, name)| {
                let other = mirrored(name)?;
                Some((left, lower.iter().position(|name| *name == other)?))
            })
            .collect();
        let mut sum = Vector3::zeros();
        for frame in 0..frames {
            for &(left, right) in &pairs {
                if let (Some(left), Some(right)) = (point_m(frame, left), point_m(frame, right)) {
                    sum += left - right;
                }
            }
        }
        Self::level(sum.cross(&up), up)
    }

    /// Across the way that points are spread most: whoever stands is wider than deep.
    pub fn by_extent(points_m: &[Vec<Point3<f64>>], up: Vector3<f64>) -> Self {
        let aside = if up.x.abs() < 0.5 { Vector3::x() } else { Vector3::y() };
        let (x, y) = (aside, up.cross(&aside));
        // Within frames, so that where it walks to does not count.
        let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
        for points_m in points_m.iter().filter(|points_m| !points_m.is_empty()) {
            let sum: Vector3<f64> = points_m.iter().map(|p| p.coords).sum();
            let mean = sum / points_m.len() as f64;
            for p in points_m {
                let (px, py) = ((p.coords - mean).dot(&x), (p.coords - mean).dot(&y));
                (xx, xy, yy) = (xx + px * px, xy + px * py, yy + py * py);
            }
        }
        let angle = 0.5 * f64::atan2(2.0 * xy, xx - yy);
        let across = x * angle.cos() + y * angle.sin();
        let ahead = Self::level(across.cross(&up), up);
        ahead.unwrap_or(Self { up, ahead: aside })
    }

    fn level(ahead: Vector3<f64>, up: Vector3<f64>) -> Option<Self> {
        let level = ahead - up * ahead.dot(&up);
        let length = level.norm();
        (length.is_finite() && length > 1e-9).then(|| Self { up, ahead: level / length })
    }
}

/// The right-hand twin of a name on the left: `left hip` has `right hip`, `lknee` has `rknee`.
fn mirrored(name: &str) -> Option<String> {
    if name.contains("left") {
        return Some(name.replace("left", "right"));
    }
    let rest = name.strip_prefix('l')?;
    Some(format!("r{rest}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn left_is_to_the_left_of_where_one_faces() {
        let hips = ["left hip", "right hip"];
        let points = [0.2, -0.2].map(|y| Point3::new(0.0, y, 1.0));
        let heading = Heading::by_sides(&hips, 1, |_, i| Some(points[i]), Vector3::z()).unwrap();
        assert!((heading.ahead - Vector3::x()).norm() < 1e-12);
        // Seen from ahead, the left is on the right of the picture.
        let [right, up, towards] = View::Front.axes(&heading);
        assert!((right - Vector3::y()).norm() < 1e-12);
        assert!((right.cross(&up) - towards).norm() < 1e-12);
        for view in [View::Front, View::Side, View::Oblique, View::Top] {
            let [right, up, towards] = view.axes(&heading);
            assert!((right.cross(&up) - towards).norm() < 1e-12, "{view:?}");
        }
    }

    #[test]
    fn without_names_the_wide_side_is_the_front() {
        let wide = vec![vec![Point3::new(0.0, 1.0, 0.0), Point3::new(0.1, -1.0, 0.0)]];
        let heading = Heading::by_extent(&wide, Vector3::z());
        assert!(heading.ahead.x.abs() > 0.99, "{heading:?}");
        let nothing = Heading::by_extent(&[], Vector3::z());
        assert!(nothing.ahead.norm() > 0.9);
    }
}
