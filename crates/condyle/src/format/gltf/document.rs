//! The document: nodes, skin, mesh and animation, and the numbers behind them.

use gltf_json::accessor::{ComponentType, GenericComponentType, Type};
use gltf_json::animation::{Channel, Interpolation, Property, Sampler, Target};
use gltf_json::buffer::{Target as Use, View};
use gltf_json::mesh::{Mode, Primitive, Semantic};
use gltf_json::validation::Checked::Valid;
use gltf_json::{
    Accessor, Animation, Asset, Buffer, Index, Material, Mesh, Node, Root, Scene, Skin, Value,
};
use nalgebra::{Point3, UnitQuaternion, Vector3};

use super::bones::{self, Corner};
use crate::error::{ErrorKind, Result};
use crate::motion::{Motion, parent_from_joint};
use crate::skeleton::{Joint, JointChannel};
use crate::trial::Note;

/// The document of a motion, and its numbers.
pub(super) fn of(motion: &Motion, rate_hz: f64, notes: &[Note]) -> Result<(Root, Vec<u8>)> {
    let joints = motion.skeleton().joints();
    if joints.is_empty() {
        return Err(
            ErrorKind::CannotHold("gltf: need a skeleton with joints, got none".into()).into()
        );
    }
    let mut document = Document { root: Root::default(), bytes: Vec::new() };
    document.root.asset = Asset {
        generator: Some(concat!("condyle ", env!("CARGO_PKG_VERSION")).to_owned()),
        extras: extras(notes),
        ..Asset::default()
    };
    // The one buffer is what follows the document; its length is known at the end.
    document.root.buffers.push(Buffer {
        byte_length: 0u64.into(),
        name: None,
        uri: None,
        extensions: None,
        extras: None,
    });
    let at_rest_m = document.nodes(motion);
    let mesh = document.mesh(&bones::triangles(motion.skeleton(), &at_rest_m));
    let mut nodes: Vec<Index<Node>> = roots(joints).collect();
    if let Some(mesh) = mesh {
        let skin = document.skin(joints, &at_rest_m);
        nodes.push(document.root.push(Node {
            mesh: Some(mesh),
            skin: Some(skin),
            name: Some("bones".to_owned()),
            ..Node::default()
        }));
    }
    document.animation(motion, rate_hz);
    let scene = Scene { name: None, nodes, extensions: None, extras: None };
    document.root.scene = Some(document.root.push(scene));
    document.root.buffers[0].byte_length = document.bytes.len().into();
    Ok((document.root, document.bytes))
}

/// Remarks for whoever opens the file.
fn extras(notes: &[Note]) -> gltf_json::Extras {
    let texts: Vec<String> = notes.iter().map(ToString::to_string).collect();
    if texts.is_empty() {
        return None;
    }
    serde_json::value::to_raw_value(&serde_json::json!({ "notes": texts })).ok()
}

fn index<T>(number: usize) -> Index<T> {
    // A skeleton of four billion joints fits in no memory.
    Index::new(u32::try_from(number).unwrap_or(u32::MAX))
}

fn roots(joints: &[Joint]) -> impl Iterator<Item = Index<Node>> + '_ {
    joints.iter().enumerate().filter(|(_, joint)| joint.parent.is_none()).map(|(i, _)| index(i))
}

fn f32s(v: &Vector3<f64>) -> [f32; 3] {
    [v.x as f32, v.y as f32, v.z as f32]
}

struct Document {
    root: Root,
    bytes: Vec<u8>,
}

impl Document {
    /// A node a joint, at rest; returns where the joints are then.
    fn nodes(&mut self, motion: &Motion) -> Vec<Point3<f64>> {
        let joints = motion.skeleton().joints();
        let mut at_rest_m: Vec<Point3<f64>> =
            motion.skeleton().rest_positions_m().into_iter().map(Point3::from).collect();
        let lift_m = lift_m(joints, &at_rest_m);
        at_rest_m.iter_mut().for_each(|p| p.y += lift_m);
        for joint in joints {
            let mut offset_m = joint.offset_in_parent_m;
            if joint.parent.is_none() {
                offset_m.y += lift_m;
            }
            self.root.nodes.push(Node {
                name: Some(joint.name.clone()),
                translation: Some(f32s(&offset_m)),
                ..Node::default()
            });
        }
        for (child, joint) in joints.iter().enumerate() {
            if let Some(parent) = joint.parent {
                let children = &mut self.root.nodes[parent].children;
                children.get_or_insert_default().push(index(child));
            }
        }
        at_rest_m
    }

    fn mesh(&mut self, corners: &[Corner]) -> Option<Index<Mesh>> {
        if corners.is_empty() {
            return None;
        }
        let positions: Vec<[f32; 3]> = corners.iter().map(|c| f32s(&c.position_m.coords)).collect();
        let normals: Vec<[f32; 3]> = corners.iter().map(|c| f32s(&c.normal)).collect();
        let joints: Vec<[u16; 4]> = corners.iter().map(|c| [c.joint as u16, 0, 0, 0]).collect();
        let weights = vec![[1f32, 0.0, 0.0, 0.0]; corners.len()];
        let vertices = Some(Use::ArrayBuffer);
        let position = self.accessor(&positions, (ComponentType::F32, Type::Vec3), vertices);
        let (low, high) = bounds(&positions);
        let accessor = &mut self.root.accessors[position.value()];
        (accessor.min, accessor.max) = (Some(Value::from(low)), Some(Value::from(high)));
        let attributes = [
            (Valid(Semantic::Positions), position),
            (
                Valid(Semantic::Normals),
                self.accessor(&normals, (ComponentType::F32, Type::Vec3), vertices),
            ),
            (
                Valid(Semantic::Joints(0)),
                self.accessor(&joints, (ComponentType::U16, Type::Vec4), vertices),
            ),
            (
                Valid(Semantic::Weights(0)),
                self.accessor(&weights, (ComponentType::F32, Type::Vec4), vertices),
            ),
        ];
        let mut material = Material { name: Some("bone".to_owned()), ..Material::default() };
        material.pbr_metallic_roughness.base_color_factor.0 = [0.85, 0.8, 0.7, 1.0];
        material.pbr_metallic_roughness.metallic_factor.0 = 0.0;
        let material = self.root.push(material);
        let primitive = Primitive {
            attributes: attributes.into_iter().collect(),
            material: Some(material),
            mode: Valid(Mode::Triangles),
            indices: None,
            targets: None,
            extensions: None,
            extras: None,
        };
        Some(self.root.push(Mesh {
            name: Some("bones".to_owned()),
            primitives: vec![primitive],
            weights: None,
            extensions: None,
            extras: None,
        }))
    }

    /// All joints, each undoing its place at rest.
    fn skin(&mut self, joints: &[Joint], at_rest_m: &[Point3<f64>]) -> Index<Skin> {
        let undo = |p: &Point3<f64>| -> [f32; 16] {
            let [x, y, z] = f32s(&p.coords);
            [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, -x, -y, -z, 1.0]
        };
        let matrices: Vec<[f32; 16]> = at_rest_m.iter().map(undo).collect();
        let matrices = self.accessor(&matrices, (ComponentType::F32, Type::Mat4), None);
        // The node that all joints hang on, if it is one.
        let mut tops = roots(joints);
        let only = tops.next().filter(|_| tops.next().is_none());
        self.root.push(Skin {
            inverse_bind_matrices: Some(matrices),
            joints: (0..joints.len()).map(index).collect(),
            skeleton: only,
            name: None,
            extensions: None,
            extras: None,
        })
    }

    /// A key a frame for everything that moves.
    fn animation(&mut self, motion: &Motion, rate_hz: f64) {
        if motion.frames() == 0 {
            return;
        }
        let times: Vec<f32> =
            (0..motion.frames()).map(|frame| (frame as f64 / rate_hz) as f32).collect();
        let input = self.accessor(&times, (ComponentType::F32, Type::Scalar), None);
        let last = times[times.len() - 1];
        let accessor = &mut self.root.accessors[input.value()];
        (accessor.min, accessor.max) =
            (Some(Value::from(vec![0f32])), Some(Value::from(vec![last])));
        let (mut channels, mut samplers) = (Vec::new(), Vec::new());
        let mut add = |output, node: usize, path| {
            samplers.push(Sampler {
                input,
                interpolation: Valid(Interpolation::Linear),
                output,
                extensions: None,
                extras: None,
            });
            let target =
                Target { node: index(node), path: Valid(path), extensions: None, extras: None };
            let sampler = index(samplers.len() - 1);
            channels.push(Channel { sampler, target, extensions: None, extras: None });
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
                let output = self.accessor(&keys, (ComponentType::F32, Type::Vec3), None);
                add(output, number, Property::Translation);
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
                let output = self.accessor(&keys, (ComponentType::F32, Type::Vec4), None);
                add(output, number, Property::Rotation);
            }
        }
        if !channels.is_empty() {
            let name = Some("motion".to_owned());
            self.root.push(Animation { name, channels, samplers, extensions: None, extras: None });
        }
    }

    /// Adds numbers to the buffer.
    fn accessor<T: bytemuck::Pod>(
        &mut self,
        items: &[T],
        (component, type_): (ComponentType, Type),
        target: Option<Use>,
    ) -> Index<Accessor> {
        let start = self.bytes.len();
        // Little-endian whatever the machine; every accessor is a multiple of 4 bytes long.
        if component == ComponentType::U16 {
            let words = bytemuck::cast_slice::<T, u16>(items);
            self.bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        } else {
            let words = bytemuck::cast_slice::<T, u32>(items);
            self.bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        }
        let view = self.root.push(View {
            buffer: index(0),
            byte_length: (self.bytes.len() - start).into(),
            byte_offset: Some(start.into()),
            byte_stride: None,
            target: target.map(Valid),
            name: None,
            extensions: None,
            extras: None,
        });
        self.root.push(Accessor {
            buffer_view: Some(view),
            byte_offset: None,
            count: items.len().into(),
            component_type: Valid(GenericComponentType(component)),
            type_: Valid(type_),
            min: None,
            max: None,
            name: None,
            normalized: false,
            sparse: None,
            extensions: None,
            extras: None,
        })
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

fn bounds(positions: &[[f32; 3]]) -> (Vec<f32>, Vec<f32>) {
    let fold = |pick: fn(f32, f32) -> f32, start: f32| {
        (0..3).map(|axis| positions.iter().map(|p| p[axis]).fold(start, pick)).collect()
    };
    (fold(f32::min, f32::INFINITY), fold(f32::max, f32::NEG_INFINITY))
}
