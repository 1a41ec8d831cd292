//! A skinned surface: its vertices go with the joints of a skeleton.

use std::io::Write;

use nalgebra::{Point3, UnitQuaternion, Vector3};

use super::document::{Document, Vertices};
use super::{binary, document};
use crate::error::{Error, Result};
use crate::motion::Motion;
use crate::trial::Axis;

/// A surface whose vertices go with joints, four at most.
#[derive(Debug, Clone, Copy)]
pub struct SkinnedSurface<'a> {
    /// Its name.
    pub name: &'a str,
    /// Where the vertices are when the skeleton is at rest.
    pub vertices_m: &'a [Point3<f64>],
    /// Their normals.
    pub normals: &'a [Vector3<f64>],
    /// Three vertices each, counter-clockwise from outside.
    pub triangles: &'a [[u32; 3]],
    /// The joints of every vertex.
    pub joints: &'a [[u16; 4]],
    /// How much each holds it; they sum to 1.
    pub weights: &'a [[f64; 4]],
}

/// Writes a surface on a skeleton as a binary glTF file, with its motion if that has frames; `up` points up in the axes
/// of both.
///
/// # Errors
/// Lists of different lengths, a joint that is not there, or writing fails.
pub fn write_skin(
    motion: &Motion,
    rate_hz: f64,
    surface: &SkinnedSurface,
    up: Axis,
    out: &mut impl Write,
) -> Result<()> {
    let count = surface.vertices_m.len();
    let lengths = [surface.normals.len(), surface.joints.len(), surface.weights.len()];
    if let Some(wrong) = lengths.into_iter().find(|length| *length != count) {
        return Err(Error::argument(format!("skin: need {count} rows, got {wrong}")));
    }
    let skeleton = motion.skeleton().joints();
    let is_there = |joint: &u16| usize::from(*joint) < skeleton.len();
    let has_corners = |corners: &[u32; 3]| corners.iter().all(|at| (*at as usize) < count);
    if !surface.joints.iter().flatten().all(is_there) || !surface.triangles.iter().all(has_corners)
    {
        return Err(Error::argument("skin: need joints and vertices that are there, got others"));
    }
    let mut document = Document::begin(&[]);
    let at_rest_m = document.nodes(motion, 0.0);
    let mesh = document.mesh(&Vertices {
        name: surface.name.to_owned(),
        positions: surface.vertices_m.iter().map(|p| document::f32s(&p.coords)).collect(),
        normals: surface.normals.iter().map(document::f32s).collect(),
        joints: surface.joints.to_vec(),
        weights: surface.weights.iter().map(to_f32).collect(),
        triangles: Some(surface.triangles),
        colour: [0.87, 0.68, 0.58, 1.0],
    });
    let skin = document.skin(skeleton, &at_rest_m);
    let mut roots: Vec<usize> = document::roots(skeleton).collect();
    let turn =
        UnitQuaternion::rotation_between(&up.direction(), &Vector3::y()).unwrap_or_else(|| {
            UnitQuaternion::from_axis_angle(&Vector3::x_axis(), std::f64::consts::PI)
        });
    roots = vec![document.node_above(roots, "upright", &turn)];
    roots.push(document.skinned(mesh, skin, surface.name));
    document.animation(motion, rate_hz);
    let (root, bytes) = document.finish(&roots);
    binary::write(&root, &bytes, out)
}

/// Weights in single precision, the first of which takes what rounding leaves of 1.
fn to_f32(weights: &[f64; 4]) -> [f32; 4] {
    let mut own = weights.map(|weight| weight as f32);
    own[0] = 1.0 - own[1] - own[2] - own[3];
    own
}
