//! Solid figures: a node a segment with its outside as a mesh in a colour of its own, moved as a rigid part.

use std::io::Write;

use nalgebra::{Isometry3, Point3, Translation3, UnitQuaternion, Vector3};
use serde_json::{Value, json};

use super::binary;
use super::schema::{ARRAY_BUFFER, ELEMENT_ARRAY_BUFFER, F32, U32};
use crate::error::{Error, Result, check_finite};
use crate::figure::Figure;
use crate::trial::Axis;

/// Colours of segments, by turns: red, green, blue.
const COLOURS: [[f64; 3]; 6] = [
    [0.80, 0.47, 0.40],
    [0.42, 0.62, 0.80],
    [0.55, 0.72, 0.45],
    [0.85, 0.70, 0.40],
    [0.62, 0.52, 0.75],
    [0.45, 0.70, 0.68],
];

/// A figure in every frame.
#[derive(Debug, Clone, Copy)]
pub struct FigureFrames<'a> {
    /// For every frame how every segment moved since it was at rest.
    pub world_from_rest: &'a [Vec<Isometry3<f64>>],
    /// Frames a second.
    pub rate_hz: f64,
}

/// Writes a solid figure as a binary glTF file, at rest, with an animation where there are frames; `up` points up in the
/// axes of the figure, and of the world.
///
/// # Errors
/// A frame has not a pose for every segment, a number is none of 32 bits, or writing fails.
pub fn write_figure(
    figure: &Figure,
    frames: Option<FigureFrames>,
    up: Axis,
    out: &mut impl Write,
) -> Result<()> {
    let segments = figure.segments();
    let frames = frames.filter(|frames| !frames.world_from_rest.is_empty());
    if let Some(wrong) = frames
        .and_then(|frames| frames.world_from_rest.iter().find(|own| own.len() != segments.len()))
    {
        let what = format!("frames: need {} poses, got {}", segments.len(), wrong.len());
        return Err(Error::argument(what));
    }
    // The numbers of the document itself; the others are checked as they are written.
    let centres_m = segments.iter().flat_map(|segment| f32s(&segment.joint.centre_m.coords));
    check_finite("gltf", centres_m.map(f64::from))?;
    let mut file = File::default();
    let mut nodes: Vec<Value> = Vec::new();
    let (mut meshes, mut materials) = (Vec::new(), Vec::new());
    for (at, segment) in segments.iter().enumerate() {
        let centre_m = segment.joint.centre_m;
        let above_m = segment.parent.map_or(Point3::origin(), |at| segments[at].joint.centre_m);
        let [r, g, b] = COLOURS[at % COLOURS.len()];
        materials.push(json!({
            "name": segment.name,
            "pbrMetallicRoughness": { "baseColorFactor": [r, g, b, 1.0], "metallicFactor": 0.0 },
        }));
        meshes.push(file.mesh(segment.solid.vertices_m(), segment.solid.triangles(), centre_m, at));
        meshes[at]["name"] = json!(segment.name);
        let children: Vec<usize> =
            (0..segments.len()).filter(|child| segments[*child].parent == Some(at)).collect();
        let mut node = json!({
            "name": segment.name,
            "mesh": at,
            "translation": f32s(&(centre_m - above_m)),
        });
        if !children.is_empty() {
            node["children"] = json!(children);
        }
        nodes.push(node);
    }
    let turn = UnitQuaternion::rotation_between(&up.direction(), &Vector3::y());
    let turn = turn.unwrap_or_else(|| {
        UnitQuaternion::from_axis_angle(&Vector3::x_axis(), std::f64::consts::PI)
    });
    let q = turn.coords;
    nodes.push(json!({
        "name": figure.name,
        "children": [0],
        "rotation": [q.x as f32, q.y as f32, q.z as f32, q.w as f32],
    }));
    let animations = frames.map(|frames| file.animation(figure, frames));
    let mut root = json!({
        "accessors": file.accessors,
        "asset": { "generator": concat!("condyle ", env!("CARGO_PKG_VERSION")), "version": "2.0" },
        "buffers": [{ "byteLength": file.bytes.len() }],
        "bufferViews": file.views,
        "materials": materials,
        "meshes": meshes,
        "nodes": nodes,
        "scene": 0,
        "scenes": [{ "nodes": [segments.len()] }],
    });
    if let Some(animation) = animations {
        root["animations"] = json!([animation]);
    }
    binary::write(&root, &file.bytes, out)
}

fn f32s(v: &Vector3<f64>) -> [f32; 3] {
    [v.x as f32, v.y as f32, v.z as f32]
}

#[derive(Default)]
struct File {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl File {
    fn add(&mut self, words: impl Iterator<Item = [u8; 4]>, count: usize, kind: Value) -> usize {
        let start = self.bytes.len();
        self.bytes.extend(words.flatten());
        let mut view =
            json!({ "buffer": 0, "byteLength": self.bytes.len() - start, "byteOffset": start });
        let mut accessor = kind;
        if let Some(target) = accessor.get("target").cloned() {
            view["target"] = target;
            accessor.as_object_mut().map(|own| own.remove("target"));
        }
        accessor["bufferView"] = json!(self.views.len());
        accessor["count"] = json!(count);
        self.views.push(view);
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    /// The outside of a segment, about its joint.
    fn mesh(
        &mut self,
        vertices_m: &[Point3<f64>],
        triangles: &[[u32; 3]],
        origin_m: Point3<f64>,
        material: usize,
    ) -> Value {
        // Corners that several triangles share have a mean normal, so that limbs look round.
        let mut normals = vec![Vector3::zeros(); vertices_m.len()];
        for corners in triangles {
            let [a, b, c] = corners.map(|at| vertices_m[at as usize]);
            let normal = (b - a).cross(&(c - a));
            corners.iter().for_each(|at| normals[*at as usize] += normal);
        }
        let mut number = vec![u32::MAX; vertices_m.len()];
        let (mut points, mut ways) = (Vec::new(), Vec::new());
        let indices: Vec<u32> = triangles
            .iter()
            .flatten()
            .map(|at| {
                let own = &mut number[*at as usize];
                if *own == u32::MAX {
                    *own = points.len() as u32;
                    points.push(f32s(&(vertices_m[*at as usize] - origin_m)));
                    let way = normals[*at as usize].try_normalize(0.0).unwrap_or(Vector3::x());
                    ways.push(f32s(&way));
                }
                *own
            })
            .collect();
        let edge = |pick: fn(f32, f32) -> f32, from: f32| -> Vec<f32> {
            (0..3).map(|axis| points.iter().map(|p| p[axis]).fold(from, pick)).collect()
        };
        let (min, max) = (edge(f32::min, f32::INFINITY), edge(f32::max, f32::NEG_INFINITY));
        let words = |of: &[[f32; 3]]| -> Vec<[u8; 4]> {
            of.iter().flatten().map(|x| x.to_le_bytes()).collect()
        };
        let position = self.add(
            words(&points).into_iter(),
            points.len(),
            json!({ "componentType": F32, "type": "VEC3", "min": min, "max": max, "target": ARRAY_BUFFER }),
        );
        let normal = self.add(
            words(&ways).into_iter(),
            ways.len(),
            json!({ "componentType": F32, "type": "VEC3", "target": ARRAY_BUFFER }),
        );
        let index = self.add(
            indices.iter().map(|at| at.to_le_bytes()),
            indices.len(),
            json!({ "componentType": U32, "type": "SCALAR", "target": ELEMENT_ARRAY_BUFFER }),
        );
        json!({ "primitives": [{
            "attributes": { "POSITION": position, "NORMAL": normal },
            "indices": index,
            "material": material,
        }] })
    }

    /// A key a frame for every segment: its turn and its place against its parent.
    fn animation(&mut self, figure: &Figure, frames: FigureFrames) -> Value {
        let FigureFrames { world_from_rest, rate_hz } = frames;
        let count = world_from_rest.len();
        let time = |frame: usize| (frame as f64 / rate_hz) as f32;
        let input = self.add(
            (0..count).map(|frame| time(frame).to_le_bytes()),
            count,
            json!({ "componentType": F32, "type": "SCALAR", "min": [0.0], "max": [time(count - 1)] }),
        );
        let (mut channels, mut samplers) = (Vec::new(), Vec::new());
        let segments = figure.segments();
        let world_from_node = |frame: usize, at: usize| {
            let centre = Translation3::from(segments[at].joint.centre_m.coords);
            world_from_rest[frame][at] * centre
        };
        for (at, segment) in segments.iter().enumerate() {
            let (mut places, mut turns) = (Vec::new(), Vec::new());
            let mut last = UnitQuaternion::identity();
            for frame in 0..count {
                let own = world_from_node(frame, at);
                let local = match segment.parent {
                    Some(parent) => world_from_node(frame, parent).inverse() * own,
                    None => own,
                };
                places.extend(f32s(&local.translation.vector).map(f32::to_le_bytes));
                // Both signs are the same rotation; neighbours shall be near each other.
                let near = local.rotation.coords.dot(&last.coords) >= 0.0;
                let sign = if near { 1.0 } else { -1.0 };
                last = UnitQuaternion::new_unchecked(local.rotation.into_inner() * sign);
                let q = last.coords;
                turns.extend([q.x, q.y, q.z, q.w].map(|x| (x as f32).to_le_bytes()));
            }
            for (path, words, kind) in
                [("translation", places, "VEC3"), ("rotation", turns, "VEC4")]
            {
                let kind = json!({ "componentType": F32, "type": kind });
                let output = self.add(words.into_iter(), count, kind);
                let target = json!({ "node": at, "path": path });
                channels.push(json!({ "sampler": samplers.len(), "target": target }));
                samplers
                    .push(json!({ "input": input, "interpolation": "LINEAR", "output": output }));
            }
        }
        json!({ "channels": channels, "name": "motion", "samplers": samplers })
    }
}
