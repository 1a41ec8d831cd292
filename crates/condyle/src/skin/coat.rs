//! A surface of our own about a skeleton, so that nobody needs another.
//!
//! # Method
//! Every bone is a round cone. Its distance is negative inside; cones that belong together melt into each other by a
//! polynomial minimum, others hardly. The surface where the distance is 0 is meshed on a grid: a vertex in every cell
//! that it crosses, a quadrilateral for every edge of the grid, and vertices brought onto the surface along its gradient.
//!
//! # Reference
//! S. Gibson (1998), *Constrained elastic surface nets*.

use nalgebra::{Point3, Vector3};

use super::bone::Bone;
use super::no_bones;
use super::surface::Surface;
use crate::error::{Error, Result};

/// A grid has at most so many points.
const MOST_POINTS: usize = 20_000_000;
/// So much cells go beyond the cones.
const BEYOND: f64 = 2.0;
/// Steps that bring a vertex onto the surface.
const STEPS: usize = 3;
/// So thick a bone is whose skeleton says nothing else, as a share of its length: one of a limb, and one of several
/// that begin at the same joint, as in a trunk.
const LIMB: f64 = 0.16;
const TRUNK: f64 = 0.30;
/// At least and at most so thick, as shares of the longest bone.
const THINNEST: f64 = 0.05;
const THICKEST: f64 = 0.30;

/// How thick a bone is, and with which others it melts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Thickness {
    /// Its ends.
    pub ends_m: [Point3<f64>; 2],
    /// The radii there.
    pub radii_m: [f64; 2],
    /// Bones of one number melt into each other ...
    pub group: usize,
    /// ... so far.
    pub melt_m: f64,
}

/// A surface to be made.
#[derive(Debug, Clone, PartialEq)]
pub struct Coat {
    /// The grid.
    pub cell_m: f64,
    /// How far groups melt into each other.
    pub melt_m: f64,
    /// The bones.
    pub bones: Vec<Thickness>,
}

impl Coat {
    /// About any skeleton, with about so many vertices.
    pub fn usual(bones: &[Bone], vertices: usize) -> Self {
        let length_m = |bone: &Bone| (bone.to_m - bone.from_m).norm();
        let longest_m = bones.iter().map(length_m).fold(0.0, f64::max);
        let fans = |joint: usize| bones.iter().filter(|bone| bone.ends[0] == joint).count() > 1;
        let own = bones.iter().map(|bone| {
            let is_fan = fans(bone.ends[0]);
            let share = if is_fan { TRUNK } else { LIMB };
            let radius_m =
                (share * length_m(bone)).clamp(THINNEST * longest_m, THICKEST * longest_m);
            let ends_m = [bone.from_m, bone.to_m];
            Thickness {
                ends_m,
                radii_m: [radius_m; 2],
                group: bone.ends[0],
                melt_m: if is_fan { 0.3 * longest_m } else { 0.0 },
            }
        });
        let coat = Self { cell_m: 0.0, melt_m: 0.05 * longest_m, bones: own.collect() };
        coat.with_vertices(vertices)
    }

    /// With a grid for about so many vertices.
    #[must_use]
    pub fn with_vertices(mut self, vertices: usize) -> Self {
        // What cones have around them; where they meet there is less.
        let area_m2: f64 = self
            .bones
            .iter()
            .map(|bone| {
                let [a, b] = bone.ends_m;
                std::f64::consts::TAU * 0.5 * (bone.radii_m[0] + bone.radii_m[1]) * (b - a).norm()
            })
            .sum();
        self.cell_m = (area_m2 / vertices.max(1) as f64).sqrt();
        self
    }

    /// How far a place is from the surface, negative inside.
    fn distance_m(&self, at_m: &Point3<f64>) -> f64 {
        let mut all = f64::INFINITY;
        let mut group: Option<(usize, f64)> = None;
        for bone in &self.bones {
            let own = bone.distance_m(at_m);
            group = Some(match group {
                Some((number, least)) if number == bone.group => {
                    (number, melt(least, own, bone.melt_m))
                }
                Some((_, least)) => {
                    all = melt(all, least, self.melt_m);
                    (bone.group, own)
                }
                None => (bone.group, own),
            });
        }
        group.map_or(all, |(_, least)| melt(all, least, self.melt_m))
    }

    /// Makes the surface.
    ///
    /// # Errors
    /// No bones, or a grid that is too fine.
    pub fn surface(&self) -> Result<Surface> {
        if self.bones.is_empty() {
            return Err(no_bones());
        }
        let (mut low, mut high) =
            (Point3::from([f64::INFINITY; 3]), Point3::from([f64::NEG_INFINITY; 3]));
        for bone in &self.bones {
            for (end_m, radius_m) in bone.ends_m.iter().zip(bone.radii_m) {
                let out = Vector3::repeat(radius_m + bone.melt_m + BEYOND * self.cell_m);
                low = low.inf(&(end_m - out));
                high = high.sup(&(end_m + out));
            }
        }
        let counts = (high - low).map(|extent_m| (extent_m / self.cell_m).ceil() + 1.0);
        let points = counts.product();
        if !(self.cell_m > 0.0 && points.is_finite() && points <= MOST_POINTS as f64) {
            return Err(Error::argument(format!(
                "surface: need a grid of at most {MOST_POINTS} points, got {points:.0}"
            )));
        }
        let grid =
            Grid { low, cell_m: self.cell_m, counts: [0, 1, 2].map(|axis| counts[axis] as usize) };
        let mut values = Vec::with_capacity(points as usize);
        for index in 0..grid.counts.iter().product() {
            values.push(self.distance_m(&grid.at_m(grid.place(index))));
        }
        let (vertices_m, triangles) = net(&grid, &values, |at_m| self.distance_m(at_m));
        Surface::new(&vertices_m, &triangles)
    }
}

impl Thickness {
    /// How far a place is from the round cone, negative inside.
    fn distance_m(&self, at_m: &Point3<f64>) -> f64 {
        let [a, b] = self.ends_m;
        let [r0, r1] = self.radii_m;
        let along = b - a;
        let square = along.norm_squared();
        let difference = r0 - r1;
        let flat = square - difference * difference;
        let arm = at_m - a;
        if flat <= 1e-18 {
            // One sphere holds the other.
            let other = at_m - b;
            return (arm.norm() - r0).min(other.norm() - r1);
        }
        let y = arm.dot(&along);
        let z = y - square;
        let x2 = (arm * square - along * y).norm_squared();
        let (y2, z2) = (y * y * square, z * z * square);
        let k = difference.signum() * difference * difference * x2;
        if z.signum() * flat * z2 > k {
            return (x2 + z2).sqrt() / square - r1;
        }
        if y.signum() * flat * y2 < k {
            return (x2 + y2).sqrt() / square - r0;
        }
        ((x2 * flat / square).sqrt() + y * difference) / square - r0
    }
}

/// A minimum that melts where both are nearly the same.
fn melt(a: f64, b: f64, within_m: f64) -> f64 {
    let near = (within_m - (a - b).abs()).max(0.0);
    match near > 0.0 && within_m > 0.0 {
        true => a.min(b) - 0.25 * near * near / within_m,
        false => a.min(b),
    }
}

struct Grid {
    low: Point3<f64>,
    cell_m: f64,
    counts: [usize; 3],
}

impl Grid {
    fn place(&self, index: usize) -> [usize; 3] {
        let [x, y, _] = self.counts;
        [index % x, index / x % y, index / (x * y)]
    }

    fn index(&self, [x, y, z]: [usize; 3]) -> usize {
        x + self.counts[0] * (y + self.counts[1] * z)
    }

    fn at_m(&self, place: [usize; 3]) -> Point3<f64> {
        self.low + Vector3::from_fn(|axis, _| place[axis] as f64 * self.cell_m)
    }
}

/// The corners of a cell and its edges.
const CORNERS: [[usize; 3]; 8] =
    [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0], [0, 0, 1], [1, 0, 1], [0, 1, 1], [1, 1, 1]];
const EDGES: [[usize; 2]; 12] = [
    [0, 1],
    [2, 3],
    [4, 5],
    [6, 7],
    [0, 2],
    [1, 3],
    [4, 6],
    [5, 7],
    [0, 4],
    [1, 5],
    [2, 6],
    [3, 7],
];

fn net(
    grid: &Grid,
    values: &[f64],
    distance_m: impl Fn(&Point3<f64>) -> f64,
) -> (Vec<Point3<f64>>, Vec<[u32; 3]>) {
    let mut numbers = vec![u32::MAX; values.len()];
    let mut vertices_m = Vec::new();
    for (index, number) in numbers.iter_mut().enumerate() {
        let place = grid.place(index);
        if (0..3).any(|axis| place[axis] + 1 >= grid.counts[axis]) {
            continue;
        }
        let corner = |at: usize| [0, 1, 2].map(|axis| place[axis] + CORNERS[at][axis]);
        let own: [f64; 8] = std::array::from_fn(|at| values[grid.index(corner(at))]);
        let (mut sum, mut count) = (Vector3::zeros(), 0.0);
        for [a, b] in EDGES {
            if (own[a] < 0.0) != (own[b] < 0.0) {
                let share = own[a] / (own[a] - own[b]);
                let (from_m, to_m) = (grid.at_m(corner(a)), grid.at_m(corner(b)));
                sum += from_m.coords + (to_m - from_m) * share;
                count += 1.0;
            }
        }
        if count > 0.0 {
            *number = vertices_m.len() as u32;
            vertices_m.push(onto(Point3::from(sum / count), grid.cell_m, &distance_m));
        }
    }
    let mut triangles = Vec::new();
    for index in 0..values.len() {
        let place = grid.place(index);
        for axis in 0..3 {
            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
            if place[axis] + 1 >= grid.counts[axis] || place[u] == 0 || place[v] == 0 {
                continue;
            }
            let mut next = place;
            next[axis] += 1;
            let ends = [values[index], values[grid.index(next)]].map(|value| value < 0.0);
            if ends[0] == ends[1] {
                continue;
            }
            let cell = |back: [bool; 2]| {
                let mut place = place;
                place[u] -= usize::from(back[0]);
                place[v] -= usize::from(back[1]);
                numbers[grid.index(place)]
            };
            // Around the edge, counter-clockwise as seen from its end.
            let mut around = [[false, false], [true, false], [true, true], [false, true]].map(cell);
            if !ends[0] {
                around.reverse();
            }
            let [a, b, c, d] = around;
            if around.contains(&u32::MAX) {
                continue;
            }
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    (vertices_m, triangles)
}

/// Brings a place onto the surface, within its cell.
fn onto(
    start_m: Point3<f64>,
    cell_m: f64,
    distance_m: &impl Fn(&Point3<f64>) -> f64,
) -> Point3<f64> {
    let by = 1e-3 * cell_m;
    let mut at_m = start_m;
    for _ in 0..STEPS {
        let gradient = Vector3::from_fn(|axis, _| {
            let out = Vector3::ith(axis, by);
            (distance_m(&(at_m + out)) - distance_m(&(at_m - out))) / (2.0 * by)
        });
        let square = gradient.norm_squared();
        if square < 1e-6 {
            break;
        }
        at_m -= gradient * (distance_m(&at_m) / square);
    }
    if (at_m - start_m).norm() < 0.5 * cell_m { at_m } else { start_m }
}
