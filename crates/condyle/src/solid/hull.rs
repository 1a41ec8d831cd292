//! The hull of points.

use nalgebra::Point3;

use super::delaunay::{Delaunay, GHOST, face};
use super::surface::ClosedSurface;

/// The smallest convex surface around points; `None` if they are all in a plane or not finite.
///
/// # Method
/// The faces of Delaunay's tetrahedra that look outwards.
pub fn hull(points_m: &[Point3<f64>]) -> Option<ClosedSurface> {
    if !points_m.iter().all(|p| p.iter().all(|x| x.is_finite())) {
        return None;
    }
    let mesh = Delaunay::new(points_m)?;
    let mut number = vec![u32::MAX; points_m.len()];
    let mut vertices_m = Vec::new();
    let mut triangles = Vec::new();
    for (_, corners) in mesh.all() {
        let Some(ghost) = corners.iter().position(|at| *at == GHOST) else { continue };
        let [x, y, z] = face(corners, ghost);
        // Counter-clockwise from the ghost's side: the other way round than from behind it.
        triangles.push([x, z, y].map(|at| {
            let own = &mut number[at as usize];
            if *own == u32::MAX {
                *own = vertices_m.len() as u32;
                vertices_m.push(points_m[at as usize]);
            }
            *own
        }));
    }
    ClosedSurface::new(vertices_m, triangles).ok()
}
