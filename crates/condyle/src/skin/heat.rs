//! How much each bone holds each vertex: bone heat.
//!
//! # Method
//! Every bone in turn is hot and all others are cold; a vertex takes on what its neighbours have, and what the bone has
//! that is nearest to it: (L + AH) w_i = AH p_i, with L the cotangent stiffness matrix, A the areas of the vertices,
//! H_jj = 1/d_j² for the distance d_j to the nearest bone that the vertex sees, p_ij = 1 for it, shared equally where
//! several are as near. The matrix is symmetric and positive definite: it is factored once, and solved for each bone.
//! Rows of L sum to 0, so the weights of a vertex sum to 1.
//!
//! Obtuse triangles can make an entry of L have the wrong sign, and weights leave [0, 1]; such edges conduct hardly
//! anything instead, so that the matrix is one of Stieltjes and weights obey the maximum principle.
//!
//! # Reference
//! I. Baran and J. Popović (2007), *Automatic rigging and animation of 3D characters*, section 4.

use std::collections::BTreeMap;

use nalgebra::{DMatrix, Point3, Vector3};
use nalgebra_sparse::factorization::CscCholesky;
use nalgebra_sparse::{CooMatrix, CscMatrix};

use super::bone::Bone;
use super::no_bones;
use super::order::dissect;
use super::sight::Sight;
use super::surface::{Surface, edges};
use crate::error::{Error, Result};

/// An edge conducts at least so much: one between two right angles nearly conducts nothing.
const LEAST_CONDUCTED: f64 = 1e-3;
/// Bones are as near as each other within this share of the distance.
const AS_NEAR: f64 = 1e-4;
/// A vertex does not see what is farther outwards from it than this, as a cosine.
const OUTWARDS: f64 = 0.05;
/// Distances count as at least this share of the surface's size.
const LEAST_DISTANCE: f64 = 1e-6;

/// How much each joint holds each vertex.
#[derive(Debug, Clone, PartialEq)]
pub struct Heat {
    /// The joints that bones go with, one a column.
    pub joints: Vec<usize>,
    /// A row a vertex, a column a joint; rows sum to 1.
    pub weights: DMatrix<f64>,
    /// Pieces of the surface of which no vertex sees a bone; they hang on the nearest.
    pub pieces_without_bone: usize,
}

/// The system of equations of a surface and bones.
pub(super) struct System {
    pub matrix: CscMatrix<f64>,
    /// A row a vertex, a column a joint.
    pub right: DMatrix<f64>,
    pub joints: Vec<usize>,
    pub pieces_without_bone: usize,
    /// The vertex of each row.
    pub order: Vec<usize>,
}

/// Weights by bone heat.
///
/// # Errors
/// No bones, or a matrix that cannot be factored.
pub fn heat(surface: &Surface, bones: &[Bone]) -> Result<Heat> {
    let System { matrix, mut right, joints, pieces_without_bone, order } = system(surface, bones)?;
    let factor = CscCholesky::factor(&matrix).map_err(|_| {
        Error::undetermined("surface: need triangles that conduct, got too thin ones")
    })?;
    factor.solve_mut(&mut right);
    let mut weights = DMatrix::zeros(right.nrows(), right.ncols());
    for (row, vertex) in order.into_iter().enumerate() {
        // Rounding alone is taken off here.
        let own: Vec<f64> = right.row(row).iter().map(|weight| weight.clamp(0.0, 1.0)).collect();
        let sum: f64 = own.iter().sum();
        if !(sum.is_finite() && sum > 0.5) {
            return Err(Error::undetermined(
                "surface: need triangles that conduct, got too thin ones",
            ));
        }
        for (column, weight) in own.into_iter().enumerate() {
            weights[(vertex, column)] = weight / sum;
        }
    }
    Ok(Heat { joints, weights, pieces_without_bone })
}

pub(super) fn system(surface: &Surface, bones: &[Bone]) -> Result<System> {
    let mut joints: Vec<usize> = bones.iter().map(|bone| bone.joint).collect();
    joints.sort_unstable();
    joints.dedup();
    if joints.is_empty() {
        return Err(no_bones());
    }
    let conducted = conducted(surface);
    let (starts, neighbours) = neighbours(surface.vertices_m().len(), &conducted);
    let order = dissect(surface.vertices_m(), &starts, &neighbours);
    let mut row_of = vec![0; order.len()];
    order.iter().enumerate().for_each(|(row, vertex)| row_of[*vertex] = row);
    let Nearness { heating, near, pieces_without_bone } = nearness(surface, bones, &joints);
    let areas_m2 = surface.areas_m2();
    let count = order.len();
    let mut matrix = CooMatrix::new(count, count);
    let mut diagonal: Vec<f64> =
        heating.iter().zip(&areas_m2).map(|(heating, area_m2)| heating * area_m2).collect();
    let mut right = DMatrix::zeros(count, joints.len());
    for (vertex, near) in near.iter().enumerate() {
        for column in near {
            right[(row_of[vertex], *column)] += diagonal[vertex] / near.len() as f64;
        }
    }
    for ([a, b], share) in &conducted {
        let [a, b] = [*a as usize, *b as usize];
        diagonal[a] += share;
        diagonal[b] += share;
        matrix.push(row_of[a], row_of[b], -share);
        matrix.push(row_of[b], row_of[a], -share);
    }
    for (vertex, value) in diagonal.iter().enumerate() {
        matrix.push(row_of[vertex], row_of[vertex], *value);
    }
    let matrix = CscMatrix::from(&matrix);
    Ok(System { matrix, right, joints, pieces_without_bone, order })
}

/// How much every edge conducts: half the cotangents of the angles opposite to it.
fn conducted(surface: &Surface) -> BTreeMap<[u32; 2], f64> {
    let mut conducted: BTreeMap<[u32; 2], f64> = BTreeMap::new();
    for corners in surface.triangles() {
        for ([a, b], opposite) in edges(corners).into_iter().zip([2, 0, 1]) {
            let c = surface.vertices_m()[corners[opposite] as usize];
            let [ca, cb] = [a, b].map(|at| surface.vertices_m()[at as usize] - c);
            let cotangent = ca.dot(&cb) / ca.cross(&cb).norm();
            *conducted.entry([a.min(b), a.max(b)]).or_default() += 0.5 * cotangent;
        }
    }
    conducted.values_mut().for_each(|share| *share = share.max(LEAST_CONDUCTED));
    conducted
}

/// The neighbours of every vertex, one list after the other, and where each begins.
fn neighbours(count: usize, conducted: &BTreeMap<[u32; 2], f64>) -> (Vec<usize>, Vec<u32>) {
    let mut starts = vec![0; count + 1];
    for at in conducted.keys().flatten() {
        starts[*at as usize + 1] += 1;
    }
    for at in 0..count {
        starts[at + 1] += starts[at];
    }
    let mut next = starts.clone();
    let mut all = vec![0; starts[count]];
    for [a, b] in conducted.keys() {
        for [own, other] in [[a, b], [b, a]] {
            all[next[*own as usize]] = *other;
            next[*own as usize] += 1;
        }
    }
    (starts, all)
}

/// For every vertex how much its nearest bone heats it, and the columns of those that are as near.
struct Nearness {
    heating: Vec<f64>,
    near: Vec<Vec<usize>>,
    pieces_without_bone: usize,
}

fn nearness(surface: &Surface, bones: &[Bone], joints: &[usize]) -> Nearness {
    let sight = Sight::of(surface);
    let normals = surface.normals();
    let columns: Vec<usize> =
        bones.iter().map(|bone| joints.partition_point(|joint| *joint < bone.joint)).collect();
    let first = surface.vertices_m()[0];
    let (low, high) = surface
        .vertices_m()
        .iter()
        .fold((first, first), |(low, high), at_m| (low.inf(at_m), high.sup(at_m)));
    let least_m = LEAST_DISTANCE * (high - low).norm();
    let count = surface.vertices_m().len();
    let (mut heating, mut near) = (vec![0.0; count], vec![Vec::new(); count]);
    let (pieces, piece_count) = surface.pieces();
    let mut sees = vec![false; piece_count];
    for (vertex, at_m) in surface.vertices_m().iter().enumerate() {
        let sorted = sorted(bones, at_m);
        let mut nearest_m: Option<f64> = None;
        for (distance_m, bone) in sorted {
            if nearest_m.is_some_and(|nearest_m| distance_m > nearest_m * (1.0 + AS_NEAR)) {
                break;
            }
            let from_m = bones[bone].nearest_m(at_m);
            if is_seen(&sight, &from_m, vertex as u32, &normals[vertex]) {
                nearest_m = nearest_m.or(Some(distance_m));
                near[vertex].push(columns[bone]);
            }
        }
        if let Some(nearest_m) = nearest_m {
            heating[vertex] = 1.0 / nearest_m.max(least_m).powi(2);
            sees[pieces[vertex]] = true;
        }
        near[vertex].sort_unstable();
        near[vertex].dedup();
    }
    for (vertex, at_m) in surface.vertices_m().iter().enumerate() {
        if !sees[pieces[vertex]] {
            let (distance_m, bone) = sorted(bones, at_m)[0];
            heating[vertex] = 1.0 / distance_m.max(least_m).powi(2);
            near[vertex] = vec![columns[bone]];
        }
    }
    let pieces_without_bone = sees.iter().filter(|sees| !**sees).count();
    Nearness { heating, near, pieces_without_bone }
}

/// The bones by their distance from a point.
fn sorted(bones: &[Bone], at_m: &Point3<f64>) -> Vec<(f64, usize)> {
    let distance = |bone: &Bone| (bone.nearest_m(at_m) - at_m).norm();
    let mut all: Vec<(f64, usize)> =
        bones.iter().enumerate().map(|(index, bone)| (distance(bone), index)).collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    all
}

fn is_seen(sight: &Sight, from_m: &Point3<f64>, vertex: u32, normal: &Vector3<f64>) -> bool {
    let to_m = sight.vertex_m(vertex);
    let way = from_m - to_m;
    way.dot(normal) <= OUTWARDS * way.norm() && sight.is_free(from_m, vertex)
}
