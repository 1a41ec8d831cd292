//! A figure through time, small enough to stand in a page.

use condyle::marker_set::Side;
use condyle::stick::Limb;
use condyle::subject::CentreKnown;
use nalgebra::{Point3, Vector3};
use serde::{Deserialize, Serialize};

use crate::figure::{Dot, Heading, Scene};

/// Points in whole millimetres: x ahead, y to the figure's left, z up.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Moving {
    /// Pictures a second, at the speed of the recording.
    pub rate_hz: f64,
    /// From point to point.
    pub lines: Vec<[usize; 2]>,
    /// For every line 0 (the middle), 1 (left) or 2 (right).
    #[serde(default)]
    pub sides: Vec<u8>,
    /// For every line how thick the limb about it is drawn.
    #[serde(default)]
    pub widths_mm: Vec<f32>,
    /// The points round every trunk.
    #[serde(default)]
    pub trunks: Vec<Vec<usize>>,
    /// For every point 0 (no joint), or how well its centre is known: 1 (well), 2 (fairly), 3 (barely).
    pub known: Vec<u8>,
    /// For every point its standard error in millimetres.
    pub sd_mm: Vec<f32>,
    /// For every picture x, y, z of every point; null where one is not placed.
    pub points_mm: Vec<Vec<Option<i32>>>,
    /// For every picture x, y, z of every marker that is seen.
    pub markers_mm: Vec<Vec<i32>>,
    /// The same of those whose place was filled in.
    #[serde(default)]
    pub filled_mm: Vec<Vec<i32>>,
}

/// Pictures at most, and a second.
const MAX_PICTURES: usize = 300;
const MAX_RATE_HZ: f64 = 30.0;

impl Moving {
    /// A scene thinned out.
    pub fn of(scene: &Scene) -> Self {
        let by_count = scene.frames().div_ceil(MAX_PICTURES);
        let by_rate = (scene.rate_hz / MAX_RATE_HZ).round();
        let by_rate = if by_rate.is_finite() { by_rate.clamp(1.0, 1e6) as usize } else { 1 };
        let stride = by_count.max(by_rate).max(1);
        let Heading { up, ahead } = scene.heading;
        let axes = [ahead, up.cross(&ahead), up];
        let millimetres = |p: &Point3<f64>| {
            axes.map(|axis| (p.coords.dot(&axis) * 1e3).round().clamp(-1e9, 1e9) as i32)
        };
        let pictures = || (0..scene.frames()).step_by(stride);
        let of_points = |frame: usize| {
            let points = scene.points_m[frame].iter();
            let places = points.map(|point| point.as_ref().map(millimetres));
            places.flat_map(|place| place.map_or([None; 3], |place| place.map(Some))).collect()
        };
        let known = |dot: &Dot| match dot.known {
            None => 0,
            Some(CentreKnown::Well) => 1,
            Some(CentreKnown::Fairly) => 2,
            Some(CentreKnown::Barely) => 3,
        };
        let flat = |markers_m: &[Point3<f64>]| markers_m.iter().flat_map(millimetres).collect();
        Self {
            rate_hz: scene.rate_hz / stride as f64,
            lines: scene.limbs.iter().map(|limb| limb.ends).collect(),
            sides: scene.limbs.iter().map(|limb| side_code(limb.side)).collect(),
            widths_mm: scene.limbs.iter().map(|limb| (limb.width_m * 1e3) as f32).collect(),
            trunks: scene.trunks.clone(),
            known: scene.dots.iter().map(known).collect(),
            sd_mm: scene.dots.iter().map(|dot| (dot.sd_m * 1e3) as f32).collect(),
            points_mm: pictures().map(of_points).collect(),
            markers_mm: pictures().map(|frame| flat(&scene.markers_m[frame])).collect(),
            filled_mm: pictures().map(|frame| flat(&scene.filled_m[frame])).collect(),
        }
    }

    /// Its lines between so many points; older results say nothing of sides.
    fn limbs(&self, points: usize) -> Vec<Limb> {
        let limb = |(index, ends): (usize, &[usize; 2])| Limb {
            ends: *ends,
            side: match self.sides.get(index) {
                Some(1) => Side::Left,
                Some(2) => Side::Right,
                _ => Side::Unsaid,
            },
            width_m: self.widths_mm.get(index).map_or(0.0, |mm| f64::from(*mm) * 1e-3),
        };
        let limbs = self.lines.iter().enumerate().map(limb);
        limbs.filter(|limb| limb.ends.iter().all(|point| *point < points)).collect()
    }

    /// The same as a scene to draw.
    pub fn scene(&self) -> Scene {
        let place = |mm: &[Option<i32>]| match mm {
            [Some(x), Some(y), Some(z)] => Some(metres([*x, *y, *z])),
            _ => None,
        };
        let known = |code: u8| match code {
            1 => Some(CentreKnown::Well),
            2 => Some(CentreKnown::Fairly),
            3 => Some(CentreKnown::Barely),
            _ => None,
        };
        let points = self.known.len();
        let dots = self.known.iter().zip(&self.sd_mm);
        Scene {
            points_m: self
                .points_mm
                .iter()
                .map(|picture| {
                    let mut places: Vec<_> = picture.chunks(3).map(place).collect();
                    places.resize(points, None);
                    places
                })
                .collect(),
            dots: dots
                .map(|(code, sd)| Dot { known: known(*code), sd_m: f64::from(*sd) * 1e-3 })
                .collect(),
            limbs: self.limbs(points),
            trunks: self.trunks.iter().filter(|t| t.iter().all(|p| *p < points)).cloned().collect(),
            markers_m: unflattened(&self.markers_mm),
            filled_m: unflattened(&self.filled_mm),
            heading: Heading { up: Vector3::z(), ahead: Vector3::x() },
            rate_hz: self.rate_hz,
        }
    }
}

fn side_code(side: Side) -> u8 {
    match side {
        Side::Unsaid => 0,
        Side::Left => 1,
        Side::Right => 2,
    }
}

fn unflattened(all_mm: &[Vec<i32>]) -> Vec<Vec<Point3<f64>>> {
    let picture = |mm: &Vec<i32>| mm.as_chunks::<3>().0.iter().map(|p| metres(*p)).collect();
    all_mm.iter().map(picture).collect()
}

fn metres(mm: [i32; 3]) -> Point3<f64> {
    Point3::from(mm.map(|v| f64::from(v) * 1e-3))
}
