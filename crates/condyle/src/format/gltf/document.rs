//! The document: nodes, skin, mesh and animation, and the numbers behind them.

use nalgebra::{Point3, UnitQuaternion, Vector3};
use serde_json::json;

use super::bones::{self, Corner};
use super::schema::{
    ARRAY_BUFFER, Accessor, Attributes, ELEMENT_ARRAY_BUFFER, F32, Mesh, Node, Primitive, Root,
    Skin, U16, U32, View,
};
use crate::error::{Error, Result};
use crate::motion::{Motion, parent_from_joint};
use crate::skeleton::{Joint, JointChannel};
use crate::trial::Note;

/// The document of a motion, and its numbers.
pub(super) fn of(motion: &Motion, rate_hz: f64, notes: &[Note]) -> Result<(Root, Vec<u8>)> {
    let skeleton = motion.skeleton();
    let joints = skeleton.joints();
    if joints.is_empty() {
        return Err(Error::cannot_hold("gltf: need a skeleton with joints, got none"));
    }
    let mut document = Document::begin(notes);
    let at_rest_m: Vec<Point3<f64>> =
        skeleton.rest_positions_m().into_iter().map(Point3::from).collect();
    let at_rest_m = document.nodes(motion, lift_m(joints, &at_rest_m));
    let corners = bones::triangles(skeleton, &at_rest_m);
    let mut nodes: Vec<usize> = roots(joints).collect();
    if !corners.is_empty() {
        let mesh = document.mesh(&Vertices::of_bones(&corners));
        let skin = document.skin(joints, &at_rest_m);
        nodes.push(document.skinned(mesh, skin, "bones"));
    }
    document.animation(motion, rate_hz);
    Ok(document.finish(&nodes))
}

pub(super) fn roots(joints: &[Joint]) -> impl Iterator<Item = usize> + '_ {
    (0..joints.len()).filter(|joint| joints[*joint].parent.is_none())
}

pub(super) fn f32s(v: &Vector3<f64>) -> [f32; 3] {
    [v.x as f32, v.y as f32, v.z as f32]
}

/// What a mesh is made of; three vertices a triangle, or as its triangles say.
pub(super) struct Vertices<'a> {
    pub name: String,
    pub positions: Vec<[f32; 3]>,
    pub normals: Vec<[f32; 3]>,
    pub joints: Vec<[u16; 4]>,
    pub weights: Vec<[f32; 4]>,
    pub triangles: Option<&'a [[u32; 3]]>,
    pub colour: [f64; 4],
}

impl Vertices<'_> {
    fn of_bones(corners: &[Corner]) -> Self {
        Self {
            name: "bones".to_owned(),
            positions: corners.iter().map(|c| f32s(&c.position_m.coords)).collect(),
            normals: corners.iter().map(|c| f32s(&c.normal)).collect(),
            joints: corners.iter().map(|c| [c.joint as u16, 0, 0, 0]).collect(),
            weights: vec![[1.0, 0.0, 0.0, 0.0]; corners.len()],
            triangles: None,
            colour: [0.85, 0.8, 0.7, 1.0],
        }
    }
}

pub(super) struct Document {
    root: Root,
    bytes: Vec<u8>,
}

impl Document {
    pub fn begin(notes: &[Note]) -> Self {
        let mut document = Self { root: Root::default(), bytes: Vec::new() };
        let generator = concat!("condyle ", env!("CARGO_PKG_VERSION"));
        let texts: Vec<String> = notes.iter().map(ToString::to_string).collect();
        document.root.asset = match notes {
            [] => json!({ "generator": generator, "version": "2.0" }),
            _ => json!({ "extras": { "notes": texts }, "generator": generator, "version": "2.0" }),
        };
        document
    }

    /// With a scene of these nodes; the one buffer is what follows the document.
    pub fn finish(mut self, nodes: &[usize]) -> (Root, Vec<u8>) {
        self.root.scenes.push(json!({ "nodes": nodes }));
        self.root.buffers.push(json!({ "byteLength": self.bytes.len() }));
        (self.root, self.bytes)
    }

    /// A node a joint, at rest and so much higher; returns where the joints are then.
    pub fn nodes(&mut self, motion: &Motion, lift_m: f64) -> Vec<Point3<f64>> {
        let joints = motion.skeleton().joints();
        let mut at_rest_m: Vec<Point3<f64>> =
            motion.skeleton().rest_positions_m().into_iter().map(Point3::from).collect();
        at_rest_m.iter_mut().for_each(|p| p.y += lift_m);
        for joint in joints {
            let mut offset_m = joint.offset_in_parent_m;
            if joint.parent.is_none() {
                offset_m.y += lift_m;
            }
            self.root.nodes.push(Node {
                name: joint.name.clone(),
                translation: Some(f32s(&offset_m)),
                ..Node::default()
            });
        }
        for (child, joint) in joints.iter().enumerate() {
            if let Some(parent) = joint.parent {
                self.root.nodes[parent].children.push(child);
            }
        }
        at_rest_m
    }

    /// A node that shows a mesh on its skin.
    pub fn skinned(&mut self, mesh: usize, skin: usize, name: &str) -> usize {
        let name = name.to_owned();
        self.root.nodes.push(Node { mesh: Some(mesh), skin: Some(skin), name, ..Node::default() });
        self.root.nodes.len() - 1
    }

    /// A node above others, turned.
    pub fn node_above(
        &mut self,
        children: Vec<usize>,
        name: &str,
        turn: &UnitQuaternion<f64>,
    ) -> usize {
        let q = turn.coords;
        let rotation = Some([q.x as f32, q.y as f32, q.z as f32, q.w as f32]);
        self.root.nodes.push(Node { children, name: name.to_owned(), rotation, ..Node::default() });
        self.root.nodes.len() - 1
    }

    pub fn mesh(&mut self, vertices: &Vertices) -> usize {
        let target = Some(ARRAY_BUFFER);
        let position = self.accessor(&vertices.positions, (F32, "VEC3"), target);
        let accessor = &mut self.root.accessors[position];
        (accessor.min, accessor.max) = bounds(&vertices.positions);
        let attributes = Attributes {
            position,
            normal: self.accessor(&vertices.normals, (F32, "VEC3"), target),
            joints: self.accessor(&vertices.joints, (U16, "VEC4"), target),
            weights: self.accessor(&vertices.weights, (F32, "VEC4"), target),
        };
        let indices = vertices.triangles.map(|triangles| {
            let all: Vec<u32> = triangles.iter().flatten().copied().collect();
            self.accessor(&all, (U32, "SCALAR"), Some(ELEMENT_ARRAY_BUFFER))
        });
        self.root.materials.push(json!({
            "name": vertices.name,
            "pbrMetallicRoughness": { "baseColorFactor": vertices.colour, "metallicFactor": 0.0 },
        }));
        let primitives = vec![Primitive { attributes, indices, material: 0 }];
        self.root.meshes.push(Mesh { name: vertices.name.clone(), primitives });
        0
    }

    /// All joints, each undoing its place at rest.
    pub fn skin(&mut self, joints: &[Joint], at_rest_m: &[Point3<f64>]) -> usize {
        let undo = |p: &Point3<f64>| -> [f32; 16] {
            let [x, y, z] = f32s(&p.coords);
            [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, -x, -y, -z, 1.0]
        };
        let matrices: Vec<[f32; 16]> = at_rest_m.iter().map(undo).collect();
        let matrices = self.accessor(&matrices, (F32, "MAT4"), None);
        // The node that all joints hang on, if it is one.
        let mut tops = roots(joints);
        let only = tops.next().filter(|_| tops.next().is_none());
        self.root.skins.push(Skin {
            inverse_bind_matrices: matrices,
            joints: (0..joints.len()).collect(),
            skeleton: only,
        });
        0
    }

    /// A key a frame for everything that moves.
    pub fn animation(&mut self, motion: &Motion, rate_hz: f64) {
        if motion.frames() == 0 {
            return;
        }
        let times: Vec<f32> =
            (0..motion.frames()).map(|frame| (frame as f64 / rate_hz) as f32).collect();
        let input = self.accessor(&times, (F32, "SCALAR"), None);
        let last = times[times.len() - 1];
        let accessor = &mut self.root.accessors[input];
        (accessor.min, accessor.max) = (vec![0.0], vec![f64::from(last)]);
        let (mut channels, mut samplers) = (Vec::new(), Vec::new());
        let mut add = |output: usize, node: usize, path: &str| {
            let target = json!({ "node": node, "path": path });
            channels.push(json!({ "sampler": samplers.len(), "target": target }));
            samplers.push(json!({ "input": input, "interpolation": "LINEAR", "output": output }));
        };
        for (number, joint) in motion.skeleton().joints().iter().enumerate() {
            let of = motion.skeleton().channels_of(number);
            let poses = || {
                let values = |frame| motion.frame_values(frame).map_or(&[][..], |v| &v[of.clone()]);
                (0..motion.frames()).map(move |frame| parent_from_joint(joint, values(frame)))
            };
            let moves = |c: &JointChannel| matches!(c, JointChannel::Translation(_));
            if joint.channels.iter().any(moves) {
                let keys: Vec<[f32; 3]> =
                    poses().map(|pose| f32s(&pose.translation.vector)).collect();
                let output = self.accessor(&keys, (F32, "VEC3"), None);
                add(output, number, "translation");
            }
            if !joint.channels.iter().all(moves) {
                let mut last = UnitQuaternion::identity();
                let keys: Vec<[f32; 4]> = poses()
                    .map(|pose| {
                        // Both signs are the same rotation; neighbours shall be near each other.
                        let near = pose.rotation.coords.dot(&last.coords) >= 0.0;
                        let sign = if near { 1.0 } else { -1.0 };
                        last = UnitQuaternion::new_unchecked(pose.rotation.quaternion() * sign);
                        let q = last.coords;
                        [q.x as f32, q.y as f32, q.z as f32, q.w as f32]
                    })
                    .collect();
                let output = self.accessor(&keys, (F32, "VEC4"), None);
                add(output, number, "rotation");
            }
        }
        if !channels.is_empty() {
            let motion = json!({ "channels": channels, "name": "motion", "samplers": samplers });
            self.root.animations.push(motion);
        }
    }

    /// Adds numbers to the buffer.
    fn accessor<T: bytemuck::Pod>(
        &mut self,
        items: &[T],
        (component_type, shape): (u32, &'static str),
        target: Option<u32>,
    ) -> usize {
        let start = self.bytes.len();
        // Little-endian whatever the machine; every accessor is a multiple of 4 bytes long.
        if component_type == U16 {
            let words = bytemuck::cast_slice::<T, u16>(items);
            self.bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        } else {
            let words = bytemuck::cast_slice::<T, u32>(items);
            self.bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        }
        self.root.buffer_views.push(View {
            buffer: 0,
            byte_length: self.bytes.len() - start,
            byte_offset: start,
            target,
        });
        self.root.accessors.push(Accessor {
            buffer_view: self.root.buffer_views.len() - 1,
            count: items.len(),
            component_type,
            shape,
            min: Vec::new(),
            max: Vec::new(),
        });
        self.root.accessors.len() - 1
    }
}

/// How far a figure whose roots move freely is raised so that it stands on the ground at rest.
fn lift_m(joints: &[Joint], at_rest_m: &[Point3<f64>]) -> f64 {
    let is_free = |joint: &Joint| {
        (0..3).all(|axis| joint.channels.contains(&JointChannel::Translation(axis)))
    };
    if !joints.iter().filter(|joint| joint.parent.is_none()).all(is_free) {
        return 0.0;
    }
    -at_rest_m.iter().map(|p| p.y).fold(0.0, f64::min)
}

fn bounds(positions: &[[f32; 3]]) -> (Vec<f64>, Vec<f64>) {
    let fold = |pick: fn(f32, f32) -> f32, start: f32| {
        (0..3).map(|axis| positions.iter().map(|p| p[axis]).fold(start, pick).into()).collect()
    };
    (fold(f32::min, f32::INFINITY), fold(f32::max, f32::NEG_INFINITY))
}
