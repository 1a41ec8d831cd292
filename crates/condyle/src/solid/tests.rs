use nalgebra::{Isometry3, Matrix3, Point3, Translation3, UnitQuaternion, Vector3};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;

/// The unit cube about the origin as five tetrahedra, stretched.
fn cube(size: [f64; 3]) -> TetrahedralMesh {
    let corner = |at: usize| {
        let side = |bit: usize| (at >> bit & 1) as f64 - 0.5;
        Point3::new(size[0] * side(0), size[1] * side(1), size[2] * side(2))
    };
    let five = [[0, 3, 5, 6], [1, 0, 3, 5], [2, 0, 3, 6], [4, 0, 5, 6], [7, 3, 5, 6]];
    TetrahedralMesh::new((0..8).map(corner).collect(), five.to_vec()).unwrap()
}

fn random_point(random: &mut ChaCha8Rng) -> Point3<f64> {
    Point3::from(Vector3::from_fn(|_, _| random.random_range(-1.0..1.0)))
}

fn random_pose(random: &mut ChaCha8Rng) -> Isometry3<f64> {
    let turn = UnitQuaternion::from_scaled_axis(random_point(random).coords * 3.0);
    Isometry3::from_parts(Translation3::from(random_point(random)), turn)
}

#[test]
fn boxes_and_a_regular_tetrahedron_have_the_inertia_of_textbooks() {
    let unit = cube([1.0; 3]).mass_properties(1.0);
    assert!((unit.inertia_kg_m2 - Matrix3::identity() / 6.0).amax() < 1e-15);
    assert!((unit.volume_m3 - 1.0).abs() < 1e-15 && unit.centre_of_mass_m.coords.amax() < 1e-15);
    let [a, b, c] = [0.3, 2.0, 0.7];
    let brick = cube([a, b, c]).mass_properties(1000.0);
    let m = 1000.0 * a * b * c;
    let expected = Vector3::new(b * b + c * c, a * a + c * c, a * a + b * b) * (m / 12.0);
    assert!((brick.inertia_kg_m2 - Matrix3::from_diagonal(&expected)).amax() < 1e-14 * m);
    let corners = [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]];
    let regular =
        TetrahedralMesh::new(corners.map(Point3::from).to_vec(), vec![[0, 1, 2, 3]]).unwrap();
    let regular = regular.mass_properties(3.0);
    // The edge is √8.
    let expected = Matrix3::identity() * (regular.mass_kg * 8.0 / 20.0);
    assert!((regular.inertia_kg_m2 - expected).amax() < 1e-14 * regular.mass_kg);
}

/// A rule of Grundmann and Möller 1978 that is exact for polynomials of degree 5 on a tetrahedron.
fn quadrature(corners: [Point3<f64>; 4], of: impl Fn([f64; 4]) -> Matrix3<f64>) -> Matrix3<f64> {
    let volume = ((corners[1] - corners[0]).cross(&(corners[2] - corners[0])))
        .dot(&(corners[3] - corners[0]))
        / 6.0;
    let (s, n) = (2_i32, 3_i32);
    let d = 2 * s + 1;
    let factorial = |k: i32| (1..=k).map(f64::from).product::<f64>();
    let mut sum = Matrix3::zeros();
    for i in 0..=s {
        let weight = f64::from((-1_i32).pow(i as u32))
            * 2f64.powi(-2 * s)
            * f64::from(d + n - 2 * i).powi(d)
            / (factorial(i) * factorial(d + n - i));
        let total = s - i;
        for b0 in 0..=total {
            for b1 in 0..=total - b0 {
                for b2 in 0..=total - b0 - b1 {
                    let b = [b0, b1, b2, total - b0 - b1 - b2];
                    let share = b.map(|b| f64::from(2 * b + 1) / f64::from(d + n - 2 * i));
                    sum += of(share) * weight;
                }
            }
        }
    }
    sum * volume.abs() * factorial(n)
}

#[test]
fn ten_thousand_tetrahedra_of_linear_density_agree_with_quadrature() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut printed_off: f64 = 0.0;
    for _ in 0..10_000 {
        let corners = [(); 4].map(|()| random_point(&mut random));
        let densities = [(); 4].map(|()| random.random_range(0.5..3.0));
        let mesh = TetrahedralMesh::new(corners.to_vec(), vec![[0, 1, 2, 3]]).unwrap();
        let body = mesh.mass_properties_by_vertex(&densities).unwrap();
        let at = |share: [f64; 4]| -> (Vector3<f64>, f64) {
            let place = (0..4).map(|i| corners[i].coords * share[i]).sum::<Vector3<f64>>();
            (place, (0..4).map(|i| densities[i] * share[i]).sum())
        };
        let centre = body.centre_of_mass_m.coords;
        let expected = quadrature(corners, |share| {
            let (place, density) = at(share);
            let off = place - centre;
            (Matrix3::identity() * off.norm_squared() - off * off.transpose()) * density
        });
        // By volume: that of a nearly flat tetrahedron is itself known to fewer digits.
        let volume = quadrature(corners, |_| Matrix3::identity())[(0, 0)];
        assert!((body.volume_m3 - volume).abs() < 1e-14);
        let scale = expected.amax() / volume;
        let apart = body.inertia_kg_m2 / body.volume_m3 - expected / volume;
        assert!(apart.amax() < 1e-12 * scale, "{} of {scale}, {volume}", apart.amax());
        let mass = quadrature(corners, |share| Matrix3::identity() * at(share).1)[(0, 0)];
        let density = mass / volume;
        assert!((body.mass_kg / body.volume_m3 - density).abs() < 1e-12 * density);
        // The printed form, with the centre of mass of linear density in the place of the centroid.
        let q = |v: Vector3<f64>| Matrix3::identity() * v.norm_squared() - v * v.transpose();
        let printed = corners.iter().map(|v| q(v.coords - centre)).sum::<Matrix3<f64>>();
        let printed = printed * (body.mass_kg / 20.0);
        printed_off = printed_off.max((printed - expected).amax() / expected.amax());
    }
    println!("the printed form is off by up to {:.1} %", 100.0 * printed_off);
    assert!(printed_off > 0.01);
}

#[test]
fn mass_and_inertia_move_with_the_body() {
    let mut random = ChaCha8Rng::seed_from_u64(2);
    for _ in 0..200 {
        let corners: Vec<Point3<f64>> = (0..4).map(|_| random_point(&mut random)).collect();
        let densities: Vec<f64> = (0..4).map(|_| random.random_range(0.5..3.0)).collect();
        let pose = random_pose(&mut random);
        let mesh = |corners: Vec<Point3<f64>>| {
            let mesh = TetrahedralMesh::new(corners, vec![[0, 1, 2, 3]]).unwrap();
            mesh.mass_properties_by_vertex(&densities).unwrap()
        };
        let there = mesh(corners.iter().map(|corner| pose * corner).collect());
        let moved = mesh(corners).moved(&pose);
        assert!((there.inertia_kg_m2 - moved.inertia_kg_m2).amax() < 1e-12);
        assert!((there.centre_of_mass_m - moved.centre_of_mass_m).amax() < 1e-12);
        assert!((there.mass_kg - moved.mass_kg).abs() < 1e-12);
    }
}

#[test]
fn a_tetrahedron_that_is_split_keeps_mass_centre_and_inertia() {
    let mut random = ChaCha8Rng::seed_from_u64(3);
    for _ in 0..200 {
        let mut corners: Vec<Point3<f64>> = (0..4).map(|_| random_point(&mut random)).collect();
        let mut densities: Vec<f64> = (0..4).map(|_| random.random_range(0.5..3.0)).collect();
        let of = |corners: &[Point3<f64>], densities: &[f64], tetrahedra| {
            let mesh = TetrahedralMesh::new(corners.to_vec(), tetrahedra).unwrap();
            mesh.mass_properties_by_vertex(densities).unwrap()
        };
        let whole = of(&corners, &densities, vec![[0, 1, 2, 3]]);
        let share: f64 = random.random_range(0.1..0.9);
        corners.push(corners[0] + (corners[1] - corners[0]) * share);
        densities.push(densities[0] + (densities[1] - densities[0]) * share);
        let split = of(&corners, &densities, vec![[0, 4, 2, 3], [4, 1, 2, 3]]);
        assert!((whole.inertia_kg_m2 - split.inertia_kg_m2).amax() < 1e-12);
        assert!((whole.centre_of_mass_m - split.centre_of_mass_m).amax() < 1e-11);
    }
}

#[test]
fn principal_axes_give_moments_and_momentum_about_any_point() {
    let mut random = ChaCha8Rng::seed_from_u64(4);
    let pose = random_pose(&mut random);
    let body = cube([0.3, 0.5, 1.0]).mass_properties(900.0).moved(&pose);
    let principal = body.principal_axes();
    assert!(!principal.are_chosen && principal.axes.matrix().determinant() > 0.999);
    let (axis, point) = (random_point(&mut random).coords, random_point(&mut random));
    let unit = axis.normalize();
    let off = body.centre_of_mass_m - point;
    let by_axes: f64 = (0..3)
        .map(|i| unit.dot(&principal.axes.matrix().column(i)).powi(2) * principal.moments_kg_m2[i])
        .sum::<f64>()
        + body.mass_kg * unit.cross(&off).norm_squared();
    assert!((body.moment_about_axis_kg_m2(&axis, &point) - by_axes).abs() < 1e-12);
    let momentum = body.angular_momentum_kg_m2_s(&axis, &point);
    let expected = body.inertia_kg_m2 * axis + off.cross(&axis.cross(&off)) * body.mass_kg;
    assert!((momentum - expected).amax() < 1e-12);
    // A cube has no axes of its own.
    let chosen = cube([1.0; 3]).mass_properties(1.0).principal_axes();
    assert!(chosen.are_chosen && chosen.axes.angle() < 1e-12);
}

#[test]
fn the_outside_of_a_mesh_encloses_what_the_mesh_fills() {
    let mesh = cube([1.0, 2.0, 3.0]);
    let outside = mesh.outside_faces().unwrap();
    assert_eq!(outside.len(), 12);
    let surface = ClosedSurface::new(mesh.vertices_m().to_vec(), outside.clone()).unwrap();
    assert_eq!(surface.triangles(), outside);
    let [by_mesh, by_surface] = [mesh.mass_properties(2.0), surface.mass_properties(2.0)];
    assert!((by_mesh.inertia_kg_m2 - by_surface.inertia_kg_m2).amax() < 1e-12);
    assert!((by_mesh.volume_m3 - by_surface.volume_m3).abs() < 1e-14);
    // Neighbours are mutual.
    let neighbours = mesh.neighbours().unwrap();
    for (own, of) in neighbours.iter().enumerate() {
        for other in of.iter().flatten() {
            assert!(neighbours[*other as usize].contains(&Some(own as u32)));
        }
    }
}

/// A torus about z, as a grid of quadrilaterals cut in two.
fn torus(major: f64, minor: f64, [n, m]: [usize; 2]) -> (Vec<Point3<f64>>, Vec<[u32; 3]>) {
    let at = |i: usize, j: usize| {
        let [u, v] = [(i, n), (j, m)].map(|(k, of)| std::f64::consts::TAU * k as f64 / of as f64);
        let out = major + minor * v.cos();
        Point3::new(out * u.cos(), out * u.sin(), minor * v.sin())
    };
    let index = |i: usize, j: usize| ((i % n) * m + j % m) as u32;
    let vertices = (0..n * m).map(|k| at(k / m, k % m)).collect();
    let cut = |k: usize| {
        let [i, j] = [k / m, k % m];
        let [a, b, c, d] = [index(i, j), index(i + 1, j), index(i + 1, j + 1), index(i, j + 1)];
        [[a, b, c], [a, c, d]]
    };
    (vertices, (0..n * m).flat_map(cut).collect())
}

#[test]
fn surfaces_are_oriented_and_tell_inside_from_outside() {
    let mut random = ChaCha8Rng::seed_from_u64(5);
    let (vertices, mut triangles) = torus(1.0, 0.3, [64, 32]);
    let right = ClosedSurface::new(vertices.clone(), triangles.clone()).unwrap();
    for triangle in &mut triangles {
        if random.random_bool(0.5) {
            triangle.swap(0, 1);
        }
    }
    let turned = ClosedSurface::new(vertices, triangles).unwrap();
    let volume = right.mass_properties(1.0).volume_m3;
    assert!((turned.mass_properties(1.0).volume_m3 - volume).abs() < 1e-12);
    let smooth = 2.0 * std::f64::consts::PI.powi(2) * 0.09;
    assert!(volume > 0.98 * smooth && volume < smooth, "{volume} {smooth}");
    for _ in 0..2_000 {
        let point = random_point(&mut random) * 1.4;
        let across = f64::hypot(point.x.hypot(point.y) - 1.0, point.z);
        // Near the surface the triangles are not the torus.
        if (across - 0.3).abs() > 0.01 {
            assert_eq!(turned.contains(&point), across < 0.3, "{point}");
        }
    }
}

#[test]
fn a_cavity_is_taken_off() {
    let outer = cube([2.0; 3]);
    let inner = cube([1.0; 3]);
    let mut triangles = outer.outside_faces().unwrap();
    triangles.extend(inner.outside_faces().unwrap().iter().map(|face| face.map(|at| at + 8)));
    let vertices = [outer.vertices_m(), inner.vertices_m()].concat();
    let hollow = ClosedSurface::new(vertices, triangles).unwrap();
    assert!((hollow.mass_properties(1.0).volume_m3 - 7.0).abs() < 1e-12);
    assert!(!hollow.contains(&Point3::origin()));
    assert!(hollow.contains(&Point3::new(0.75, 0.0, 0.0)));
    assert!(!hollow.contains(&Point3::new(1.25, 0.0, 0.0)));
}

#[test]
fn what_is_wrong_with_a_surface_is_named() {
    let mesh = cube([1.0; 3]);
    let vertices = mesh.vertices_m().to_vec();
    let faces = mesh.outside_faces().unwrap();
    let fault = |vertices: &[Point3<f64>], triangles: Vec<[u32; 3]>| {
        ClosedSurface::new(vertices.to_vec(), triangles).unwrap_err()
    };
    let SurfaceFault::Open { edges } = fault(&vertices, faces[1..].to_vec()) else { panic!() };
    assert_eq!(edges.len(), 3);
    let twice = [&faces[..], &faces[..1]].concat();
    assert!(matches!(fault(&vertices, twice), SurfaceFault::NotManifold { .. }));
    let beyond = fault(&vertices, vec![[0, 1, u32::MAX]]);
    assert_eq!(beyond.to_string(), "triangle 1: need vertices 1 to 8, got 4294967296");
    assert_eq!(fault(&vertices, vec![[0, 1, 1]]), SurfaceFault::Flat { triangle: 0 });
    assert_eq!(fault(&vertices, Vec::new()), SurfaceFault::Empty);
    let odd = [Point3::new(f64::NAN, 0.0, 0.0)];
    assert_eq!(fault(&odd, vec![[0, 0, 0]]), SurfaceFault::NotFinite { vertex: 0 });
    // Klein's bottle: the torus's grid glued with a flip.
    let n = 8;
    let index = |i: usize, j: usize| {
        let (wraps, i) = (i / n, i % n);
        let j = if wraps % 2 == 1 { (2 * n - j) % n } else { j % n };
        (i * n + j) as u32
    };
    let bottle = (0..n * n).flat_map(|k| {
        let [i, j] = [k / n, k % n];
        let [a, b, c, d] = [index(i, j), index(i + 1, j), index(i + 1, j + 1), index(i, j + 1)];
        [[a, b, c], [a, c, d]]
    });
    let mut random = ChaCha8Rng::seed_from_u64(6);
    let vertices: Vec<Point3<f64>> = (0..n * n).map(|_| random_point(&mut random)).collect();
    assert!(matches!(fault(&vertices, bottle.collect()), SurfaceFault::OneSided { .. }));
    let flat = TetrahedralMesh::new(vec![Point3::origin(); 4], vec![[0, 1, 2, 3]]).unwrap_err();
    assert_eq!(flat.to_string(), "tetrahedron 1: need four corners off a plane");
}

#[test]
fn a_limb_is_as_large_as_its_spheres_say() {
    // Two caps and a cylinder.
    let limb = |ends_m, radii_m| RoundCone { ends_m, radii_m };
    let [from, to] = [Point3::new(0.1, 0.2, 0.3), Point3::new(0.1, -0.2, 0.3)];
    let capsule = limb([from, to], [0.05, 0.05]);
    let volume = std::f64::consts::PI * 0.05_f64.powi(2) * (0.4 + 4.0 / 3.0 * 0.05);
    let found = capsule.surface(96).unwrap().mass_properties(1000.0);
    assert!((found.volume_m3 / volume - 1.0).abs() < 3e-3, "{} {volume}", found.volume_m3);
    assert!((found.centroid_m - Point3::new(0.1, 0.0, 0.3)).norm() < 1e-9);
    // A cone with r(z) = r0 - z·k between the circles where it touches; compared with slices.
    let (r0, r1, length) = (0.08, 0.03, 0.4);
    let cone = limb([Point3::origin(), Point3::new(0.0, 0.0, length)], [r0, r1]);
    let sin = (r0 - r1) / length;
    let cos = f64::sqrt(1.0 - sin * sin);
    let radius = |z: f64| {
        let cap = |r: f64, off: f64| (r * r - off * off).max(0.0).sqrt();
        if z < r0 * sin {
            cap(r0, z)
        } else if z > length + r1 * sin {
            cap(r1, z - length)
        } else {
            (r0 - z * sin) / cos
        }
    };
    let steps = 100_000_u32;
    let dz = (length + r0 + r1) / f64::from(steps);
    let slices: f64 = (0..steps)
        .map(|k| radius((f64::from(k) + 0.5) * dz - r0).powi(2) * std::f64::consts::PI * dz)
        .sum();
    let found = cone.surface(128).unwrap().mass_properties(1.0);
    assert!((found.volume_m3 / slices - 1.0).abs() < 2e-3, "{} {slices}", found.volume_m3);
    let solid = cone.tetrahedra(24).unwrap();
    let [by_mesh, by_surface] =
        [solid.mass_properties(1.0), cone.surface(24).unwrap().mass_properties(1.0)];
    assert!((by_mesh.volume_m3 - by_surface.volume_m3).abs() < 1e-9 * by_mesh.volume_m3);
    assert_eq!(solid.outside_faces().unwrap().len(), cone.surface(24).unwrap().triangles().len());
    // One sphere inside the other, and what is none.
    let ball = limb([from, from], [0.1, 0.02]).surface(64).unwrap().mass_properties(1.0);
    let volume = 4.0 / 3.0 * std::f64::consts::PI * 1e-3;
    assert!((ball.volume_m3 / volume - 1.0).abs() < 1e-2, "{} {volume}", ball.volume_m3);
    assert_eq!(limb([from, to], [0.0, 0.1]).surface(8), None);
    assert_eq!(limb([from, to], [f64::NAN, 0.1]).surface(8), None);
}
