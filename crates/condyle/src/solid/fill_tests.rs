use std::collections::{BTreeMap, BTreeSet};
use std::f64::consts::TAU;

use nalgebra::{Point3, Vector3};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;

/// The surface of unit cells, each face cut in two.
fn cells(cells: &[[i32; 3]]) -> ClosedSurface {
    let all: BTreeSet<[i32; 3]> = cells.iter().copied().collect();
    let mut numbers: BTreeMap<[i32; 3], u32> = BTreeMap::new();
    let mut vertices = Vec::new();
    let mut triangles = Vec::new();
    for cell in &all {
        for axis in 0..3 {
            for side in 0..2 {
                let mut other = *cell;
                other[axis] += 2 * side - 1;
                if all.contains(&other) {
                    continue;
                }
                let corner = |u: i32, v: i32| {
                    let mut at = *cell;
                    at[axis] += side;
                    at[(axis + 1) % 3] += u;
                    at[(axis + 2) % 3] += v;
                    at
                };
                let square = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)].map(|at| {
                    *numbers.entry(at).or_insert_with(|| {
                        vertices.push(Point3::from(at.map(f64::from)));
                        vertices.len() as u32 - 1
                    })
                });
                let [a, b, c, d] = square;
                triangles.extend([[a, b, c], [a, c, d]]);
            }
        }
    }
    ClosedSurface::new(vertices, triangles).unwrap()
}

/// A torus, whose tube may be flattened.
fn torus(n: usize, m: usize) -> ClosedSurface {
    let vertices = (0..n * m).map(|k| {
        let [u, v] = [(k / m, n), (k % m, m)].map(|(k, of)| TAU * k as f64 / of as f64);
        let out = 1.0 + 0.35 * v.cos();
        Point3::new(out * u.cos(), out * u.sin(), 0.35 * v.sin())
    });
    let vertices = vertices.collect();
    let at = |i: usize, j: usize| ((i % n) * m + j % m) as u32;
    let squares = (0..n * m).map(|k| {
        let [i, j] = [k / m, k % m];
        [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]
    });
    let triangles = squares.flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    ClosedSurface::new(vertices, triangles).unwrap()
}

fn sphere(around: usize) -> ClosedSurface {
    RoundCone { ends_m: [Point3::origin(); 2], radii_m: [1.0; 2] }.surface(around).unwrap()
}

/// A ring of two holes, an L, a hollow cube.
fn block(size: [i32; 3], without: &[[i32; 3]]) -> ClosedSurface {
    let mut all = Vec::new();
    for x in 0..size[0] {
        for y in 0..size[1] {
            all.extend((0..size[2]).map(|z| [x, y, z]));
        }
    }
    all.retain(|cell| !without.contains(cell));
    cells(&all)
}

/// Whether every triangle of a surface is covered by faces of the outside that lie in it.
fn check(name: &str, surface: &ClosedSurface) {
    let start = std::time::Instant::now();
    let mesh = surface.fill(FillMethod::Delaunay).unwrap_or_else(|fault| panic!("{name}: {fault}"));
    let took = start.elapsed();
    let volume = surface.mass_properties(1.0).volume_m3;
    let sum: f64 = mesh
        .tetrahedra()
        .iter()
        .map(|corners| {
            let [a, b, c, d] = corners.map(|at| mesh.vertices_m()[at as usize]);
            let volume6 = predicates::volume6(&a, &b, &c, &d);
            assert!(volume6 > 0.0, "{name}: inverted");
            volume6 / 6.0
        })
        .sum();
    assert!((sum - volume).abs() < 1e-9 * volume, "{name}: {sum} of {volume}");
    // The outside has the area of the surface, and every corner of it is on the surface.
    let outside = mesh.outside_faces().unwrap();
    let area = |vertices: &[Point3<f64>], triangles: &[[u32; 3]]| -> f64 {
        let of = |corners: &[u32; 3]| {
            let [a, b, c] = corners.map(|at| vertices[at as usize]);
            0.5 * (b - a).cross(&(c - a)).norm()
        };
        triangles.iter().map(of).sum()
    };
    let areas =
        [area(mesh.vertices_m(), &outside), area(surface.vertices_m(), surface.triangles())];
    assert!((areas[0] - areas[1]).abs() < 1e-9 * areas[1], "{name}: {areas:?}");
    let input: BTreeSet<[u32; 3]> = surface
        .triangles()
        .iter()
        .map(|corners| {
            let mut corners = *corners;
            corners.sort_unstable();
            corners
        })
        .collect();
    let kept = outside.iter().filter(|face| {
        let mut corners = **face;
        corners.sort_unstable();
        input.contains(&corners)
    });
    let angle_deg = mesh.smallest_dihedral_rad().to_degrees();
    // None of these has a sharper edge than this by itself; flat ones come of four points on a circle.
    assert!(angle_deg > 1.0, "{name}: {angle_deg}°");
    println!(
        "{name}: {} faces ({} kept whole), {} tetrahedra, {} vertices added, smallest angle {angle_deg:.3}°, {took:?}",
        input.len(),
        kept.count(),
        mesh.tetrahedra().len(),
        mesh.vertices_m().len() - surface.vertices_m().len(),
    );
    inside(name, surface, &mesh);
}

/// Whether a surface says of ten thousand points what its tetrahedra say.
fn inside(name: &str, surface: &ClosedSurface, mesh: &TetrahedralMesh) {
    let own = surface.vertices_m();
    let (low, high) = own.iter().fold((own[0], own[0]), |own, p| (own.0.inf(p), own.1.sup(p)));
    let corners = |corners: &[u32; 4]| corners.map(|at| mesh.vertices_m()[at as usize]);
    let boxes: Vec<[Point3<f64>; 6]> = mesh
        .tetrahedra()
        .iter()
        .map(|own| {
            let [a, b, c, d] = corners(own);
            [a, b, c, d, a.inf(&b).inf(&c).inf(&d), a.sup(&b).sup(&c).sup(&d)]
        })
        .collect();
    let mut random = ChaCha8Rng::seed_from_u64(3);
    let mut count = 0;
    for _ in 0..10_000 {
        let p = low + (high - low).map(|x| x * random.random_range(-0.05..1.05));
        let is_within = boxes.iter().any(|[a, b, c, d, low, high]| {
            (0..3).all(|k| low[k] <= p[k] && p[k] <= high[k])
                && [[b, d, c], [a, c, d], [a, d, b], [a, b, c]]
                    .iter()
                    .all(|[x, y, z]| predicates::volume6(x, y, z, &p) >= 0.0)
        });
        assert_eq!(surface.contains(&p), is_within, "{name}: {p}");
        count += usize::from(is_within);
    }
    assert!((1_000..9_500).contains(&count), "{name}: {count}");
}

#[test]
fn surfaces_of_any_genus_are_filled() {
    check("sphere", &sphere(24));
    check("L", &block([2, 2, 1], &[[1, 1, 0]]));
    check("long L", &block([5, 4, 2], &[[1, 1, 0], [1, 1, 1]]));
    check("torus", &torus(40, 20));
    check("double torus", &block([3, 5, 1], &[[1, 1, 0], [1, 3, 0]]));
    check("cavity", &block([3, 3, 3], &[[1, 1, 1]]));
    let cone =
        RoundCone { ends_m: [Point3::origin(), Point3::new(0.1, 0.2, 0.9)], radii_m: [0.1, 0.04] };
    check("limb", &cone.surface(16).unwrap());
}

#[test]
fn a_central_point_fills_what_it_sees_and_nothing_else() {
    let ball = sphere(16);
    let mesh = ball.fill(FillMethod::CentralPoint).unwrap();
    assert_eq!(mesh.tetrahedra().len(), ball.triangles().len());
    let volume = ball.mass_properties(1.0).volume_m3;
    assert!((mesh.mass_properties(1.0).volume_m3 - volume).abs() < 1e-12 * volume);
    let ring = torus(24, 12);
    assert!(matches!(ring.fill(FillMethod::CentralPoint), Err(FillFault::NoCentralPoint { .. })));
    assert!(ring.fill(FillMethod::Any).is_ok());
    // A plate is flat as seen from its middle; that is mended, and its outside stays.
    let plate = block([14, 14, 1], &[]);
    let [by_point, any] = [FillMethod::CentralPoint, FillMethod::Any].map(|method| {
        let mesh = plate.fill(method).unwrap();
        let mut outside = mesh.outside_faces().unwrap();
        outside.iter_mut().for_each(|face| face.sort_unstable());
        outside.sort_unstable();
        (mesh.smallest_dihedral_rad(), outside, mesh.mass_properties(1.0).volume_m3)
    });
    assert!(any.0 > 1.5 * by_point.0, "{} {}", any.0, by_point.0);
    assert_eq!(any.1, by_point.1);
    assert!((any.2 / by_point.2 - 1.0).abs() < 1e-12);
}

#[test]
fn points_of_any_kind_have_right_handed_tetrahedra() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    for round in 0..20 {
        // On a grid four points in a plane, and eight on a sphere, are everywhere.
        let points: Vec<Point3<f64>> = match round % 2 {
            0 => {
                (0..64).map(|k| Point3::from([k & 3, k >> 2 & 3, k >> 4].map(f64::from))).collect()
            }
            _ => (0..200)
                .map(|_| Point3::from(Vector3::from_fn(|_, _| random.random_range(-1.0..1.0f64))))
                .collect(),
        };
        let mesh = delaunay::Delaunay::new(&points).unwrap();
        let own: Vec<[u32; 4]> = mesh
            .all()
            .map(|(_, corners)| corners)
            .filter(|corners| !corners.contains(&delaunay::GHOST))
            .collect();
        let mesh = TetrahedralMesh::new(points.clone(), own.clone()).unwrap();
        assert_eq!(mesh.tetrahedra(), own, "one was left-handed");
        if round % 2 == 0 {
            assert!((mesh.mass_properties(1.0).volume_m3 - 27.0).abs() < 1e-12);
        }
        // No point is in the sphere of another's tetrahedron.
        for corners in own.iter().take(100) {
            let four = corners.each_ref().map(|at| &points[*at as usize]);
            assert!(points.iter().all(|p| predicates::in_sphere(four, p) <= 0.0));
        }
    }
}

#[test]
fn triangles_that_cross_are_named() {
    let one = sphere(8);
    assert!(one.crossings(10).is_empty());
    assert!(torus(16, 8).crossings(10).is_empty());
    assert!(block([3, 5, 1], &[[1, 1, 0], [1, 3, 0]]).crossings(10).is_empty());
    let shifted = one.vertices_m().iter().map(|v| v + Vector3::new(1.1, 0.03, 0.02));
    let vertices: Vec<Point3<f64>> = one.vertices_m().iter().copied().chain(shifted).collect();
    let count = one.vertices_m().len() as u32;
    let more = one.triangles().iter().map(|corners| corners.map(|at| at + count));
    let triangles: Vec<[u32; 3]> = one.triangles().iter().copied().chain(more).collect();
    let two = ClosedSurface::new(vertices, triangles).unwrap();
    let fault = two.fill(FillMethod::Delaunay).unwrap_err();
    assert!(matches!(fault, FillFault::Crossing { .. }));
    assert!(fault.to_string().contains(" and "), "{fault}");
}
