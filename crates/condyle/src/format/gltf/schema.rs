//! The part of the glTF schema that is written, in its words; an index is a place in the list of its kind.

use serde::Serialize;
use serde_json::Value;

/// `componentType`: 16-bit unsigned.
pub(super) const U16: u32 = 5123;
/// `componentType`: 32-bit unsigned.
pub(super) const U32: u32 = 5125;
/// `componentType`: 32-bit floating point.
pub(super) const F32: u32 = 5126;
/// `target` of a view: what vertices are made of.
pub(super) const ARRAY_BUFFER: u32 = 34962;
/// `target` of a view: indices of vertices.
pub(super) const ELEMENT_ARRAY_BUFFER: u32 = 34963;

#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Root {
    pub accessors: Vec<Accessor>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub animations: Vec<Value>,
    pub asset: Value,
    pub buffers: Vec<Value>,
    pub buffer_views: Vec<View>,
    pub scene: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub materials: Vec<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub meshes: Vec<Mesh>,
    pub nodes: Vec<Node>,
    pub scenes: Vec<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub skins: Vec<Skin>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct View {
    pub buffer: usize,
    pub byte_length: usize,
    pub byte_offset: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<u32>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Accessor {
    pub buffer_view: usize,
    pub count: usize,
    pub component_type: u32,
    #[serde(rename = "type")]
    pub shape: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub min: Vec<f64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub max: Vec<f64>,
}

#[derive(Serialize)]
pub(super) struct Mesh {
    pub name: String,
    pub primitives: Vec<Primitive>,
}

#[derive(Serialize)]
pub(super) struct Primitive {
    pub attributes: Attributes,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub indices: Option<usize>,
    pub material: usize,
}

#[derive(Serialize)]
pub(super) struct Attributes {
    #[serde(rename = "POSITION")]
    pub position: usize,
    #[serde(rename = "NORMAL")]
    pub normal: usize,
    #[serde(rename = "JOINTS_0")]
    pub joints: usize,
    #[serde(rename = "WEIGHTS_0")]
    pub weights: usize,
}

#[derive(Default, Serialize)]
pub(super) struct Node {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mesh: Option<usize>,
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub translation: Option<[f32; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rotation: Option<[f32; 4]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skin: Option<usize>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Skin {
    pub inverse_bind_matrices: usize,
    pub joints: Vec<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skeleton: Option<usize>,
}
