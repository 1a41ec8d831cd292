//! A shape for every bone: an octahedron from joint to joint, thickest near its beginning.

use nalgebra::{Point3, Vector3};

use crate::skeleton::Skeleton;

/// Where along the bone it is thickest, and how thick it is there, both as shares of its length.
const THICKEST_AT: f64 = 0.15;
const THICKNESS: f64 = 0.08;
/// Shorter bones have no shape.
const SHORTEST_M: f64 = 1e-3;

/// A corner of a triangle.
pub(super) struct Corner {
    pub position_m: Point3<f64>,
    pub normal: Vector3<f64>,
    /// The joint it moves with.
    pub joint: usize,
}

/// Three corners a triangle, eight triangles a bone, in the rest pose.
pub(super) fn triangles(skeleton: &Skeleton, at_rest_m: &[Point3<f64>]) -> Vec<Corner> {
    let mut corners = Vec::new();
    for (index, joint) in skeleton.joints().iter().enumerate() {
        let Some(parent) = joint.parent else { continue };
        let (from_m, to_m) = (at_rest_m[parent], at_rest_m[index]);
        let along = to_m - from_m;
        if along.norm() > SHORTEST_M {
            octahedron(from_m, along, parent, &mut corners);
        }
    }
    corners
}

fn octahedron(from_m: Point3<f64>, along: Vector3<f64>, joint: usize, corners: &mut Vec<Corner>) {
    let smallest = along.map(f64::abs).imin();
    let across = along.cross(&Vector3::ith(smallest, 1.0)).normalize();
    let other = along.normalize().cross(&across);
    let half_m = THICKNESS * along.norm();
    let ring: [Point3<f64>; 4] =
        [across, other, -across, -other].map(|side| from_m + along * THICKEST_AT + side * half_m);
    let to_m = from_m + along;
    for side in 0..4 {
        let (a, b) = (ring[side], ring[(side + 1) % 4]);
        // Counter-clockwise from outside: `other` is a quarter turn from `across` about the bone.
        for triangle in [[a, b, to_m], [b, a, from_m]] {
            let normal =
                (triangle[1] - triangle[0]).cross(&(triangle[2] - triangle[0])).normalize();
            corners.extend(triangle.map(|position_m| Corner { position_m, normal, joint }));
        }
    }
}
