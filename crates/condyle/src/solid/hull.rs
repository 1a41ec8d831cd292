//! The hull of points.

use std::collections::HashMap;

use nalgebra::Point3;

use super::delaunay::{Delaunay, GHOST, face};
use super::shape::TriangleMesh;
use super::surface::ClosedSurface;

/// What points extend times this is nothing.
const SAME: f64 = 1e-6;

/// The smallest convex surface around points; `None` if they are all in a plane or not finite.
///
/// # Method
/// The faces of Delaunay's tetrahedra that look outwards. Points that are nearer than a millionth of what all extend to
/// another, or to the line between two, are left out, which puts the surface inwards by that much at most: with points
/// that rounding alone tells from such there are triangles without an area, and no tetrahedron on one of them outlives a
/// turn of the body.
pub fn hull(points_m: &[Point3<f64>]) -> Option<ClosedSurface> {
    let first = points_m.first()?;
    if !points_m.iter().all(|p| p.iter().all(|x| x.is_finite())) {
        return None;
    }
    let (low, high) = points_m.iter().fold((*first, *first), |own, p| (own.0.inf(p), own.1.sup(p)));
    let least_m = SAME * (high - low).amax();
    if least_m <= 0.0 {
        return None;
    }
    let mut points_m = apart(points_m, low, least_m);
    loop {
        let TriangleMesh { vertices_m, triangles } = outer_faces(&points_m)?;
        let mut is_left = vec![true; vertices_m.len()];
        for own in &triangles {
            if let Some(corner) = on_line(own.map(|at| vertices_m[at as usize]), least_m) {
                is_left[own[corner] as usize] = false;
            }
        }
        if is_left.iter().all(|is_left| *is_left) {
            return ClosedSurface::new(vertices_m, triangles).ok();
        }
        // What is within stays within, but for what a line is off.
        points_m =
            vertices_m.into_iter().zip(is_left).filter(|own| own.1).map(|own| own.0).collect();
    }
}

/// Which corner of a triangle is on the line between the two others.
fn on_line(corners_m: [Point3<f64>; 3], least_m: f64) -> Option<usize> {
    let side = |at: usize| corners_m[(at + 2) % 3] - corners_m[(at + 1) % 3];
    let longest =
        (0..3).max_by(|a, b| side(*a).norm_squared().total_cmp(&side(*b).norm_squared()))?;
    let area = side(0).cross(&side(1)).norm();
    (area <= least_m * side(longest).norm()).then_some(longest)
}

fn outer_faces(points_m: &[Point3<f64>]) -> Option<TriangleMesh> {
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
    Some(TriangleMesh { vertices_m, triangles })
}

/// Points of which no two are nearer to each other than they may be: each is compared with those in its cell of a grid
/// and in the cells around it.
fn apart(points_m: &[Point3<f64>], low_m: Point3<f64>, least_m: f64) -> Vec<Point3<f64>> {
    let mut cells: HashMap<[i64; 3], Vec<Point3<f64>>> = HashMap::new();
    let around = |at: i64| at - 1..=at + 1;
    let mut kept = Vec::with_capacity(points_m.len());
    for point_m in points_m {
        let [x, y, z]: [i64; 3] = ((point_m - low_m) / least_m).map(|x| x as i64).into();
        let mut near = around(x).flat_map(|x| {
            let cells = &cells;
            around(y).flat_map(move |y| around(z).filter_map(move |z| cells.get(&[x, y, z])))
        });
        if !near.any(|cell| cell.iter().any(|own| (point_m - own).norm() <= least_m)) {
            cells.entry([x, y, z]).or_default().push(*point_m);
            kept.push(*point_m);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solid::{FillMethod, RoundCone};
    use nalgebra::{Isometry3, Vector3};

    #[test]
    fn points_that_rounding_tells_apart_are_one() {
        let cone =
            RoundCone { ends_m: [Point3::origin(), Point3::new(0.3, 0.1, 0.0)], radii_m: [0.1; 2] };
        let own = cone.surface(12).unwrap();
        let beside = own.vertices_m().iter().map(|p| p + Vector3::repeat(1e-16));
        let points: Vec<Point3<f64>> = own.vertices_m().iter().copied().chain(beside).collect();
        let both = hull(&points).unwrap();
        assert_eq!(both.vertices_m().len(), own.vertices_m().len());
        // Its tetrahedra are as right-handed elsewhere.
        let mesh = both.fill(FillMethod::Any).unwrap();
        let pose = Isometry3::new(Vector3::new(0.4, 1.1, -0.7), Vector3::new(1.0, 0.3, -2.0));
        let moved = mesh.vertices_m().iter().map(|p| pose * p).collect();
        let tetrahedra = mesh.tetrahedra().to_vec();
        assert_eq!(
            crate::solid::TetrahedralMesh::new(moved, tetrahedra.clone()).unwrap().tetrahedra(),
            tetrahedra
        );
    }

    #[test]
    fn points_on_a_line_between_others_are_left_out() {
        // Three balls in a row, moved so that rounding puts the middle ones a little out or in.
        let ball = RoundCone { ends_m: [Point3::origin(); 2], radii_m: [0.1; 2] }.surface(12);
        let ball = ball.unwrap();
        let pose = Isometry3::new(Vector3::new(0.4, 1.1, -0.7), Vector3::new(1.0, 0.3, -2.0));
        let row = [0.0, 0.07, 0.21].map(|x| Vector3::new(x, 0.0, 0.0));
        let points: Vec<Point3<f64>> = row
            .iter()
            .flat_map(|off| ball.vertices_m().iter().map(move |p| pose * (p + off)))
            .collect();
        let mesh = hull(&points).unwrap().fill(FillMethod::Any).unwrap();
        assert!(mesh.smallest_dihedral_rad() > 0.02, "{}", mesh.smallest_dihedral_rad());
    }

    #[test]
    fn points_that_share_a_coordinate_are_compared_with_their_neighbours_alone() {
        // A hundred thousand in a plane, and each again a little beside itself: with all that share x it were 10^10 pairs.
        let side = 316;
        let plane = (0..side * side).map(|at| {
            Point3::new(0.0, f64::from(at / side), f64::from(at % side)) / f64::from(side)
        });
        let points: Vec<Point3<f64>> =
            plane.flat_map(|p| [p, p + Vector3::new(0.0, 0.0, 1e-9)]).collect();
        let kept = apart(&points, Point3::origin(), 1e-6);
        assert_eq!(kept.len(), (side * side) as usize);
        // Beside a border between two cells.
        let pair = [1.0 - 1e-8, 1.0 + 1e-8].map(|x| Point3::new(x * 1e-6, 0.0, 0.0));
        assert_eq!(apart(&pair, Point3::origin(), 1e-6).len(), 1);
        assert_eq!(hull(&[Point3::origin(); 5]), None);
    }
}
