//! Closed surfaces filled with tetrahedra, and what is to be seen of each.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::f64::consts::TAU;
use std::time::Instant;

use anyhow::{Context, anyhow};
use condyle::solid::{ClosedSurface, FillMethod, TetrahedralMesh};
use nalgebra::{Point3, Vector3};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Points that are looked for inside and outside of each.
const POINTS: usize = 10_000;
/// A surface is filled so often at least, and for so long.
const ROUNDS: usize = 3;
const LEAST_S: f64 = 0.2;

/// What this thread had of the processor, in seconds; where the system says it. On a machine that others use too it tells
/// more than a clock.
pub fn processor_s() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: f64 = text.split_whitespace().next()?.parse().ok()?;
    Some(nanoseconds * 1e-9)
}

/// A surface that was filled.
#[derive(Debug, Clone)]
pub struct Filled {
    /// Triangles of the surface.
    pub faces: usize,
    /// Those that are faces of the result as they are; the others are unions of faces.
    pub whole_faces: usize,
    /// Tetrahedra of the result.
    pub tetrahedra: usize,
    /// Vertices that were added.
    pub added: usize,
    /// Tetrahedra whose corners are not right-handed.
    pub inverted: usize,
    /// The smallest angle between two faces of a tetrahedron.
    pub smallest_dihedral_deg: f64,
    /// What the tetrahedra fill and the surface encloses differ by, of what it encloses.
    pub volume_error: f64,
    /// The same of the areas of the outside and of the surface.
    pub area_error: f64,
    /// Points of ten thousand of which surface and tetrahedra say the same.
    pub points_right: usize,
    /// The mean time of the processor.
    pub mean_ms: f64,
}

impl Filled {
    /// Fills a surface, and checks the result against it.
    ///
    /// # Errors
    /// The surface cannot be filled.
    pub fn of(surface: &ClosedSurface) -> anyhow::Result<Self> {
        let (mesh, mean_ms) = timed(surface)?;
        let outside = mesh.outside_faces().map_err(|fault| anyhow!("{fault}"))?;
        let key = |corners: &[u32; 3]| {
            let mut corners = *corners;
            corners.sort_unstable();
            corners
        };
        let outer: HashSet<[u32; 3]> = outside.iter().map(key).collect();
        let [own, enclosed] = [mesh.mass_properties(1.0), surface.mass_properties(1.0)];
        let corners = mesh.tetrahedra().iter().map(|own| at(mesh.vertices_m(), *own));
        let areas =
            [area(mesh.vertices_m(), &outside), area(surface.vertices_m(), surface.triangles())];
        Ok(Self {
            faces: surface.triangles().len(),
            whole_faces: surface.triangles().iter().filter(|own| outer.contains(&key(own))).count(),
            tetrahedra: mesh.tetrahedra().len(),
            added: mesh.vertices_m().len().saturating_sub(surface.vertices_m().len()),
            inverted: corners
                .filter(|[a, b, c, d]| (b - a).cross(&(c - a)).dot(&(d - a)) <= 0.0)
                .count(),
            smallest_dihedral_deg: mesh.smallest_dihedral_rad().to_degrees(),
            volume_error: (own.volume_m3 / enclosed.volume_m3 - 1.0).abs(),
            area_error: (areas[0] / areas[1] - 1.0).abs(),
            points_right: points_right(surface, &mesh),
            mean_ms,
        })
    }
}

fn timed(surface: &ClosedSurface) -> anyhow::Result<(TetrahedralMesh, f64)> {
    let (start, before) = (Instant::now(), processor_s());
    let mut rounds = 0.0;
    loop {
        let mesh = surface.fill(FillMethod::Any).map_err(|fault| anyhow!("{fault}"))?;
        rounds += 1.0;
        let took_s = start.elapsed().as_secs_f64();
        if rounds >= ROUNDS as f64 && took_s > LEAST_S {
            let used_s = before.zip(processor_s()).map(|(before, after)| after - before);
            return Ok((mesh, 1e3 * used_s.unwrap_or(took_s) / rounds));
        }
    }
}

fn at<const N: usize>(vertices_m: &[Point3<f64>], corners: [u32; N]) -> [Point3<f64>; N] {
    corners.map(|at| vertices_m[at as usize])
}

fn area(vertices_m: &[Point3<f64>], triangles: &[[u32; 3]]) -> f64 {
    let of = |corners: &[u32; 3]| {
        let [a, b, c] = at(vertices_m, *corners);
        0.5 * (b - a).cross(&(c - a)).norm()
    };
    triangles.iter().map(of).sum()
}

/// Of how many random points around a surface the surface says what its tetrahedra say.
fn points_right(surface: &ClosedSurface, mesh: &TetrahedralMesh) -> usize {
    let own = surface.vertices_m();
    let (low, high) = own.iter().fold((own[0], own[0]), |own, p| (own.0.inf(p), own.1.sup(p)));
    let all: Vec<_> = mesh
        .tetrahedra()
        .iter()
        .map(|own| {
            let [a, b, c, d] = at(mesh.vertices_m(), *own);
            ([a, b, c, d], [a.inf(&b).inf(&c.inf(&d)), a.sup(&b).sup(&c.sup(&d))])
        })
        .collect();
    let holds = |p: &Point3<f64>, [a, b, c, d]: &[Point3<f64>; 4]| {
        [[b, d, c], [a, c, d], [a, d, b], [a, b, c]]
            .iter()
            .all(|[x, y, z]| (*y - *x).cross(&(*z - *x)).dot(&(p - *x)) >= 0.0)
    };
    let mut random = ChaCha8Rng::seed_from_u64(20);
    let is_right = |_: &usize| {
        let p = low + (high - low).map(|x| x * random.random_range(-0.05..1.05));
        let is_within = all.iter().any(|(corners, [low, high])| {
            (0..3).all(|k| low[k] <= p[k] && p[k] <= high[k]) && holds(&p, corners)
        });
        surface.contains(&p) == is_within
    };
    (0..POINTS).filter(is_right).count()
}

/// The surfaces of the table by their names: without a hole, with one, with two, not convex, with a cavity.
///
/// # Errors
/// Never: they are closed.
pub fn shapes() -> anyhow::Result<Vec<(&'static str, ClosedSurface)>> {
    // Each cell is so many wide.
    let n = 8;
    let within = |cell: [i32; 3], low: [i32; 3], high: [i32; 3]| {
        (0..3).all(|k| (n * low[k]..n * high[k]).contains(&cell[k]))
    };
    Ok(vec![
        ("sphere", icosphere(4)?),
        ("L", block([2 * n, 2 * n, n], |own| !within(own, [1, 1, 0], [2, 2, 1]))?),
        ("torus", torus(64, 32)?),
        (
            "double torus",
            block([3 * n, 5 * n, n], |own| {
                !within(own, [1, 1, 0], [2, 2, 1]) && !within(own, [1, 3, 0], [2, 4, 1])
            })?,
        ),
        ("cavity", block([3 * n; 3], |own| !within(own, [1; 3], [2; 3]))?),
    ])
}

/// An icosahedron whose faces were divided by four so many times.
///
/// # Errors
/// Never: it is closed.
pub fn icosphere(times: u32) -> anyhow::Result<ClosedSurface> {
    let g = 0.5 * (1.0 + 5f64.sqrt());
    let mut vertices: Vec<Vector3<f64>> = Vec::new();
    for (a, b) in [(1.0, g), (-1.0, g), (1.0, -g), (-1.0, -g)] {
        vertices.extend([
            Vector3::new(0.0, a, b),
            Vector3::new(a, b, 0.0),
            Vector3::new(b, 0.0, a),
        ]);
    }
    let points: Vec<Point3<f64>> =
        vertices.iter().map(|own| Point3::from(own.normalize())).collect();
    let hull = condyle::solid::hull(&points).context("icosahedron")?;
    let (mut vertices_m, mut triangles) = (hull.vertices_m().to_vec(), hull.triangles().to_vec());
    for _ in 0..times {
        let mut middles = HashMap::new();
        let mut split = Vec::with_capacity(4 * triangles.len());
        for [a, b, c] in triangles {
            let mut middle = |a: u32, b: u32| {
                *middles.entry((a.min(b), a.max(b))).or_insert_with(|| {
                    let sum = vertices_m[a as usize].coords + vertices_m[b as usize].coords;
                    vertices_m.push(Point3::from(sum.normalize()));
                    vertices_m.len() as u32 - 1
                })
            };
            let [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
            split.extend([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]);
        }
        triangles = split;
    }
    closed(vertices_m, triangles)
}

/// A torus of so many quadrilaterals, each cut in two.
///
/// # Errors
/// Never: it is closed.
pub fn torus(around: u32, across: u32) -> anyhow::Result<ClosedSurface> {
    let at = |i: u32, j: u32| (i % around) * across + j % across;
    let (mut vertices_m, mut triangles) = (Vec::new(), Vec::new());
    for i in 0..around {
        for j in 0..across {
            let [u, v] =
                [TAU * f64::from(i) / f64::from(around), TAU * f64::from(j) / f64::from(across)];
            let out = 1.0 + 0.3 * v.cos();
            vertices_m.push(Point3::new(out * u.cos(), out * u.sin(), 0.3 * v.sin()));
            let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    closed(vertices_m, triangles)
}

/// The surface of those cells of a grid that are there, each side cut in two.
fn block(size: [i32; 3], is_there: impl Fn([i32; 3]) -> bool) -> anyhow::Result<ClosedSurface> {
    let mut cells = BTreeSet::new();
    for x in 0..size[0] {
        for y in 0..size[1] {
            cells.extend((0..size[2]).map(|z| [x, y, z]).filter(|cell| is_there(*cell)));
        }
    }
    let mut numbers: BTreeMap<[i32; 3], u32> = BTreeMap::new();
    let (mut vertices_m, mut triangles) = (Vec::new(), Vec::new());
    for cell in &cells {
        for (axis, side) in (0..3).flat_map(|axis| [(axis, 0), (axis, 1)]) {
            let mut other = *cell;
            other[axis] += 2 * side - 1;
            if cells.contains(&other) {
                continue;
            }
            let corners = [[0, 0], [1, 0], [1, 1], [0, 1]].map(|[u, v]| {
                let mut at = *cell;
                at[axis] += side;
                at[(axis + 1) % 3] += u;
                at[(axis + 2) % 3] += v;
                *numbers.entry(at).or_insert_with(|| {
                    vertices_m.push(Point3::from(at.map(|x| 0.1 * f64::from(x))));
                    vertices_m.len() as u32 - 1
                })
            });
            let [a, b, c, d] = corners;
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    closed(vertices_m, triangles)
}

fn closed(vertices_m: Vec<Point3<f64>>, triangles: Vec<[u32; 3]>) -> anyhow::Result<ClosedSurface> {
    ClosedSurface::new(vertices_m, triangles).map_err(|fault| anyhow!("{fault}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hollow_block_is_filled_as_its_surface_says() {
        let hollow = block([3; 3], |cell| cell != [1; 3]).unwrap();
        let own = Filled::of(&hollow).unwrap();
        assert_eq!((own.faces, own.inverted, own.points_right), (120, 0, POINTS));
        assert!(own.volume_error < 1e-12 && own.area_error < 1e-12, "{own:?}");
        // Most faces are split: their parts cover them.
        assert!(own.smallest_dihedral_deg > 1.0, "{own:?}");
    }
}
