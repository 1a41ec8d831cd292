//! Tetrahedra that fill a closed surface.

use std::collections::HashMap;
use std::fmt;

use nalgebra::Point3;

use super::crossing::crossings;
use super::delaunay::{Delaunay, GHOST, face};
use super::predicates::volume6;
use super::recover::Surface;
use super::surface::ClosedSurface;
use super::tetrahedra::TetrahedralMesh;

/// So many crossings are named at most.
const NAMED: usize = 8;
/// What tetrahedra fill and what the surface encloses may differ by this share.
const MAX_VOLUME_ERROR: f64 = 1e-9;

/// How tetrahedra are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FillMethod {
    /// A central point where one sees every triangle from within, otherwise Delaunay's.
    #[default]
    Any,
    /// One point that sees every triangle from within, joined to all of them.
    ///
    /// Knight 2005, 3.5.1.2, goes on with further points where one is not enough, and leaves open how what they leave
    /// between them is filled; here such a surface is refused.
    CentralPoint,
    /// Delaunay's tetrahedra; where they do not contain a triangle it is split.
    Delaunay,
}

/// Why a surface was not filled.
#[derive(Debug, Clone, PartialEq)]
pub enum FillFault {
    /// Triangles cross each other; numbers count from 0.
    Crossing {
        /// Pairs of them, some of all.
        triangles: Vec<[usize; 2]>,
    },
    /// No point was found that sees every triangle from within.
    NoCentralPoint {
        /// So many were not seen from the best.
        unseen: usize,
    },
    /// Splitting triangles came to no end.
    NotRecovered,
    /// The tetrahedra do not fill what the surface encloses.
    Volume {
        /// What they fill.
        filled_m3: f64,
        /// What it encloses.
        enclosed_m3: f64,
    },
}

impl fmt::Display for FillFault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Crossing { triangles } => {
                let name = |[a, b]: &[usize; 2]| format!("{} and {}", a + 1, b + 1);
                let names: Vec<String> = triangles.iter().take(NAMED).map(name).collect();
                let more = if triangles.len() > NAMED { ", …" } else { "" };
                let names = names.join(", ");
                write!(out, "surface: need triangles that do not cross, got {names}{more}")
            }
            Self::NoCentralPoint { unseen } => write!(
                out,
                "surface: need a point that sees every triangle from within, got none: {unseen} are not seen"
            ),
            Self::NotRecovered => {
                write!(out, "surface: need edges and faces that splitting recovers, got too many")
            }
            Self::Volume { filled_m3, enclosed_m3 } => write!(
                out,
                "surface: need tetrahedra that fill {enclosed_m3} m³, got {filled_m3} m³"
            ),
        }
    }
}

impl ClosedSurface {
    /// Pairs of triangles that cross or touch each other elsewhere than in what they share, at most `most`; numbers
    /// count from 0. Without any the surface is that of a solid.
    pub fn crossings(&self, most: usize) -> Vec<[usize; 2]> {
        crossings(self.vertices_m(), self.triangles(), most)
    }

    /// Fills it with tetrahedra. Every triangle is a face of them or a union of faces; points may be added, on the
    /// surface and inside.
    ///
    /// # Method
    /// Delaunay: the tetrahedra of all vertices; edges and triangles of the surface that are not among theirs are split
    /// until they are; what is reached from the inner side of the surface without crossing it is kept. All decisions are
    /// exact, and the volume is compared with that of the surface.
    ///
    /// # Errors
    /// Triangles cross, no central point is found where one is asked for, or splitting comes to no end.
    pub fn fill(&self, method: FillMethod) -> Result<TetrahedralMesh, FillFault> {
        let by_point = match method {
            FillMethod::Delaunay => None,
            _ => Some(self.fan()),
        };
        match (by_point, method) {
            (Some(Ok(mesh)), FillMethod::CentralPoint) => return Ok(mesh),
            (Some(Ok(mesh)), _) => return Ok(mesh.improved()),
            (Some(Err(unseen)), FillMethod::CentralPoint) => {
                return Err(FillFault::NoCentralPoint { unseen });
            }
            _ => {}
        }
        let triangles = self.crossings(NAMED + 1);
        if !triangles.is_empty() {
            return Err(FillFault::Crossing { triangles });
        }
        let mut mesh = Delaunay::new(self.vertices_m()).ok_or(FillFault::NotRecovered)?;
        let mut surface = Surface::new(self.triangles(), self.vertices_m().len());
        surface.recover(&mut mesh).ok_or(FillFault::NotRecovered)?;
        let tetrahedra = inside(&mesh, &surface);
        let filled = TetrahedralMesh::new(mesh.points, tetrahedra);
        let filled = filled.map_err(|_| FillFault::NotRecovered)?.improved();
        let filled_m3 = filled.mass_properties(1.0).volume_m3;
        let enclosed_m3 = self.mass_properties(1.0).volume_m3;
        match (filled_m3 - enclosed_m3).abs() <= MAX_VOLUME_ERROR * enclosed_m3 {
            true => Ok(filled),
            false => Err(FillFault::Volume { filled_m3, enclosed_m3 }),
        }
    }

    /// Tetrahedra from one point to all triangles; how many it does not see, if none was found that sees them all.
    fn fan(&self) -> Result<TetrahedralMesh, usize> {
        let sees = |point_m: &Point3<f64>, [a, b, c]: &[u32; 3]| {
            let [a, b, c] = [a, b, c].map(|at| &self.vertices_m()[*at as usize]);
            volume6(a, c, b, point_m) > 0.0
        };
        let mut point_m = self.mass_properties(1.0).centroid_m;
        let unseen = |point_m: &Point3<f64>| {
            self.triangles().iter().filter(|own| !sees(point_m, own)).count()
        };
        let mut least = unseen(&point_m);
        // A few steps towards the inner sides of those that are not seen.
        for _ in 0..STEPS {
            if least == 0 || !point_m.iter().all(|x| x.is_finite()) {
                break;
            }
            let mut step = nalgebra::Vector3::zeros();
            for own in self.triangles().iter().filter(|own| !sees(&point_m, own)) {
                let [a, b, c] = own.map(|at| self.vertices_m()[at as usize]);
                let out = (b - a).cross(&(c - a)).normalize();
                step -= out * ((point_m - a).dot(&out) + 1e-3 * (b - a).norm());
            }
            point_m += step / least as f64;
            least = unseen(&point_m);
        }
        let pieces_wind = || self.contains(&point_m);
        if least > 0 || !pieces_wind() {
            return Err(least);
        }
        let mut vertices_m = self.vertices_m().to_vec();
        let apex = vertices_m.len() as u32;
        vertices_m.push(point_m);
        let fan = self.triangles().iter().map(|&[a, b, c]| [a, c, b, apex]).collect();
        let mesh = TetrahedralMesh::new(vertices_m, fan).map_err(|_| least)?;
        Ok(mesh.without_unused_vertices())
    }
}

/// Steps towards a central point at most.
const STEPS: usize = 20;

/// The tetrahedra that are reached from the inner side of a surface.
fn inside(mesh: &Delaunay, surface: &Surface) -> Vec<[u32; 4]> {
    let first = |[a, b, c]: [u32; 3]| match a.min(b).min(c) {
        least if least == a => [a, b, c],
        least if least == b => [b, c, a],
        _ => [c, a, b],
    };
    // Turned so that the least comes first: what is left is the orientation.
    let mut parts: HashMap<[u32; 3], ()> = HashMap::with_capacity(2 * surface.parts.len());
    parts.extend(surface.parts.iter().map(|(corners, _)| (first(*corners), ())));
    let is_part = |[a, b, c]: [u32; 3]| {
        let own = first([a, b, c]);
        (parts.contains_key(&own), parts.contains_key(&[own[0], own[2], own[1]]))
    };
    let mut is_inside = vec![false; mesh.numbers()];
    let mut waiting: Vec<(u32, [u32; 4])> = Vec::new();
    let of: HashMap<u32, [u32; 4]> = mesh.all().collect();
    for (at, corners) in mesh.all() {
        let behind = (0..4).any(|opposite| is_part(face(corners, opposite)).0);
        if behind && !corners.contains(&GHOST) && !is_inside[at as usize] {
            is_inside[at as usize] = true;
            waiting.push((at, corners));
        }
    }
    while let Some((at, corners)) = waiting.pop() {
        for (opposite, other) in mesh.neighbours(at).into_iter().enumerate() {
            let (out, back) = is_part(face(corners, opposite));
            if out || back || is_inside[other as usize] {
                continue;
            }
            let Some(own) = of.get(&other) else { continue };
            if !own.contains(&GHOST) {
                is_inside[other as usize] = true;
                waiting.push((other, *own));
            }
        }
    }
    mesh.all().filter(|(at, _)| is_inside[*at as usize]).map(|(_, corners)| corners).collect()
}
