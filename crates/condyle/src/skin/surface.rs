//! A surface of triangles, closed or nearly closed.

use std::collections::BTreeMap;

use nalgebra::{Point3, Vector3};

use crate::error::{Error, Result};
use crate::skeleton::Skeleton;

/// A surface is at most so many times as large as its skeleton, and as much smaller.
const MOST_LARGER: f64 = 20.0;

/// Triangles with their vertices, all turned one way as far as they are given so, their outside outwards.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Surface {
    vertices_m: Vec<Point3<f64>>,
    triangles: Vec<[u32; 3]>,
}

impl Surface {
    /// Vertices and triangles; corners in one place become one vertex, triangles without an area are left out, vertices
    /// of no triangle too, and a surface that is inside out is turned.
    ///
    /// # Errors
    /// A vertex that is not finite, an index beyond the vertices, or no triangle that has an area.
    pub fn new(vertices_m: &[Point3<f64>], triangles: &[[u32; 3]]) -> Result<Self> {
        if let Some(at) = vertices_m.iter().position(|p| !p.iter().all(|x| x.abs() < 1e9)) {
            let what = format!("vertex {}: need finite coordinates, got others", at + 1);
            return Err(Error::malformed(what));
        }
        let count = vertices_m.len();
        let beyond = |corners: &&[u32; 3]| corners.iter().any(|at| *at as usize >= count);
        if let Some(wrong) = triangles.iter().find(beyond) {
            let what = format!("triangle: need vertices below {count}, got {wrong:?}");
            return Err(Error::malformed(what));
        }
        let mut surface = Self::default();
        let mut numbers: BTreeMap<[u64; 3], u32> = BTreeMap::new();
        for corners in triangles {
            let [a, b, c] = corners.map(|at| vertices_m[at as usize]);
            if (b - a).cross(&(c - a)).norm() <= 1e-14 * (b - a).norm() * (c - a).norm() {
                continue;
            }
            let own = [a, b, c].map(|p| {
                // Zero has two signs.
                let key = [p.x, p.y, p.z].map(|x| (x + 0.0).to_bits());
                *numbers.entry(key).or_insert_with(|| {
                    surface.vertices_m.push(p);
                    surface.vertices_m.len() as u32 - 1
                })
            });
            if own[0] != own[1] && own[1] != own[2] && own[2] != own[0] {
                surface.triangles.push(own);
            }
        }
        if surface.triangles.is_empty() {
            let got = triangles.len();
            let what = format!("surface: need a triangle with an area, got {got} without");
            return Err(Error::malformed(what));
        }
        if surface.volume_m3() < 0.0 {
            surface.triangles.iter_mut().for_each(|corners| corners.swap(1, 2));
        }
        Ok(surface)
    }

    /// Checks that it is about as large as a skeleton at rest.
    ///
    /// # Errors
    /// It is twenty times as large, or as small: it is in another unit.
    pub fn check_size(&self, skeleton: &Skeleton) -> Result<()> {
        let own_m = extent_m(self.vertices_m.iter().map(|p| p.coords));
        let bones_m = extent_m(skeleton.rest_positions_m().into_iter());
        if (1.0 / MOST_LARGER..=MOST_LARGER).contains(&(own_m / bones_m)) {
            return Ok(());
        }
        let what = format!(
            "need a surface about as large as the skeleton ({bones_m:.3} m), got {own_m:.3} m: is it in metres?"
        );
        Err(Error::argument(what))
    }

    /// The vertices.
    pub fn vertices_m(&self) -> &[Point3<f64>] {
        &self.vertices_m
    }

    /// Three vertices each, counter-clockwise from outside.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The same triangles with their vertices elsewhere.
    #[must_use]
    pub fn with_vertices_m(&self, vertices_m: Vec<Point3<f64>>) -> Self {
        Self { vertices_m, triangles: self.triangles.clone() }
    }

    /// What it encloses; of one with holes as if each were closed by a fan about the middle of all vertices.
    pub fn volume_m3(&self) -> f64 {
        let count = self.vertices_m.len().max(1) as f64;
        let middle = self.vertices_m.iter().fold(Vector3::zeros(), |sum, p| sum + p.coords) / count;
        let sixfold = self.triangles.iter().map(|corners| {
            let [a, b, c] = self.corners_m(corners).map(|p| p.coords - middle);
            a.dot(&b.cross(&c))
        });
        sixfold.sum::<f64>() / 6.0
    }

    /// How many edges have one triangle only.
    pub fn open_edges(&self) -> usize {
        let mut counts: BTreeMap<[u32; 2], usize> = BTreeMap::new();
        for corners in &self.triangles {
            for [a, b] in edges(corners) {
                *counts.entry([a.min(b), a.max(b)]).or_default() += 1;
            }
        }
        counts.values().filter(|count| **count == 1).count()
    }

    pub(super) fn corners_m(&self, corners: &[u32; 3]) -> [Point3<f64>; 3] {
        corners.map(|at| self.vertices_m[at as usize])
    }

    /// The normal of every vertex, its triangles counted by their area.
    pub fn normals(&self) -> Vec<Vector3<f64>> {
        let mut normals = vec![Vector3::zeros(); self.vertices_m.len()];
        for corners in &self.triangles {
            let [a, b, c] = self.corners_m(corners);
            let normal = (b - a).cross(&(c - a));
            corners.iter().for_each(|at| normals[*at as usize] += normal);
        }
        normals.iter().map(|normal| normal.try_normalize(0.0).unwrap_or(Vector3::x())).collect()
    }

    /// A third of the area of every triangle, given to each of its vertices.
    pub(super) fn areas_m2(&self) -> Vec<f64> {
        let mut areas_m2 = vec![0.0; self.vertices_m.len()];
        for corners in &self.triangles {
            let [a, b, c] = self.corners_m(corners);
            let third_m2 = (b - a).cross(&(c - a)).norm() / 6.0;
            corners.iter().for_each(|at| areas_m2[*at as usize] += third_m2);
        }
        areas_m2
    }

    /// For every vertex the number of the piece that it belongs to, and how many pieces there are.
    pub(super) fn pieces(&self) -> (Vec<usize>, usize) {
        let mut above: Vec<usize> = (0..self.vertices_m.len()).collect();
        fn top(above: &mut [usize], mut at: usize) -> usize {
            while above[at] != at {
                above[at] = above[above[at]];
                at = above[at];
            }
            at
        }
        for corners in &self.triangles {
            for [a, b] in edges(corners) {
                let [a, b] = [a, b].map(|at| top(&mut above, at as usize));
                above[a.max(b)] = a.min(b);
            }
        }
        let mut numbers = BTreeMap::new();
        let of = (0..above.len()).map(|at| {
            let own = top(&mut above, at);
            let next = numbers.len();
            *numbers.entry(own).or_insert(next)
        });
        let of: Vec<usize> = of.collect();
        (of, numbers.len())
    }
}

pub(super) fn edges(&[a, b, c]: &[u32; 3]) -> [[u32; 2]; 3] {
    [[a, b], [b, c], [c, a]]
}

/// The longest side of the box around places.
fn extent_m(places_m: impl Iterator<Item = Vector3<f64>>) -> f64 {
    let start = (Vector3::repeat(f64::INFINITY), Vector3::repeat(f64::NEG_INFINITY));
    let (low, high) = places_m.fold(start, |(low, high), p| (low.inf(&p), high.sup(&p)));
    (high - low).max()
}
