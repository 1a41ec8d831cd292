//! A written file, looked into.

use nalgebra::{Isometry3, Vector3};
use serde_json::Value;

use super::*;
use crate::motion::Motion;
use crate::skeleton::{Joint, JointChannel, Skeleton};

/// Two bones that turn, the root moving freely.
fn arm() -> Trial {
    let turns = [JointChannel::Rotation(2), JointChannel::Rotation(0), JointChannel::Rotation(1)];
    let mut root = Joint::new("root", None, Vector3::zeros());
    root.channels = (0..3).map(JointChannel::Translation).chain(turns).collect();
    let mut elbow = Joint::new("elbow", Some(0), Vector3::new(0.0, -0.3, 0.0));
    elbow.channels = turns.to_vec();
    let end = Joint::new("elbow_End", Some(1), Vector3::new(0.0, -0.2, 0.1));
    let skeleton = Skeleton::new(vec![root, elbow, end]).unwrap();
    let values = (0..4)
        .flat_map(|frame| {
            let t = f64::from(frame);
            [0.1 * t, 1.0, -0.2 * t, 0.5 * t, -0.3, 0.1, 0.0, 1.5 * t, 0.2]
        })
        .collect();
    let mut trial = Trial::new(Format::C3d, 50.0);
    trial.frames = 4;
    trial.source.up = Some(Axis::Y);
    trial.motion = Some(Motion::new(skeleton, 4, values).unwrap());
    trial
}

/// The document and the numbers of a file.
fn opened(bytes: &[u8]) -> (Value, Vec<u8>) {
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    assert_eq!(&bytes[..4], b"glTF");
    assert_eq!((word(4), word(8)), (2, bytes.len()));
    let text = &bytes[20..20 + word(12)];
    let binary = &bytes[20 + word(12) + 8..];
    assert_eq!(binary.len(), word(20 + word(12)));
    (serde_json::from_slice(text).unwrap(), binary.to_vec())
}

fn floats(document: &Value, binary: &[u8], accessor: &Value) -> Vec<f64> {
    let accessor = &document["accessors"][accessor.as_u64().unwrap() as usize];
    let view = &document["bufferViews"][accessor["bufferView"].as_u64().unwrap() as usize];
    let start = view["byteOffset"].as_u64().unwrap_or(0) as usize;
    let length = view["byteLength"].as_u64().unwrap() as usize;
    let words = binary[start..start + length].chunks_exact(4);
    words.map(|word| f64::from(f32::from_le_bytes(word.try_into().unwrap()))).collect()
}

#[test]
fn the_joints_of_the_file_are_where_forward_kinematics_has_them() {
    let trial = arm();
    let mut bytes = Vec::new();
    assert!(write(&trial, &mut bytes).unwrap().is_empty());
    let (document, binary) = opened(&bytes);
    let animation = &document["animations"][0];
    let motion = trial.motion.as_ref().unwrap();
    for frame in 0..4 {
        let mut local: Vec<Isometry3<f64>> = document["nodes"]
            .as_array()
            .unwrap()
            .iter()
            .take(3)
            .map(|node| {
                let t: Vec<f64> = serde_json::from_value(node["translation"].clone()).unwrap();
                Isometry3::translation(t[0], t[1], t[2])
            })
            .collect();
        for channel in animation["channels"].as_array().unwrap() {
            let sampler = &animation["samplers"][channel["sampler"].as_u64().unwrap() as usize];
            let keys = floats(&document, &binary, &sampler["output"]);
            let node = &mut local[channel["target"]["node"].as_u64().unwrap() as usize];
            if channel["target"]["path"] == "translation" {
                node.translation.vector = Vector3::from_row_slice(&keys[frame * 3..frame * 3 + 3]);
            } else {
                let q = &keys[frame * 4..frame * 4 + 4];
                let q = nalgebra::Quaternion::new(q[3], q[0], q[1], q[2]);
                node.rotation = nalgebra::UnitQuaternion::from_quaternion(q);
            }
        }
        let elbow = local[0] * local[1];
        let ends = [local[0], elbow, elbow * local[2]];
        for (ours, there) in motion.joint_positions_m(frame).unwrap().iter().zip(&ends) {
            assert!((ours.coords - there.translation.vector).norm() < 1e-6, "frame {frame}");
        }
    }
}

#[test]
fn at_rest_the_figure_stands_on_the_ground_and_the_skin_undoes_it() {
    let mut bytes = Vec::new();
    write(&arm(), &mut bytes).unwrap();
    let (document, binary) = opened(&bytes);
    let height = document["nodes"][0]["translation"][1].as_f64().unwrap();
    assert!((height - 0.5).abs() < 1e-6, "{height}");
    let matrices = floats(&document, &binary, &document["skins"][0]["inverseBindMatrices"]);
    assert!((matrices[2 * 16 + 13]).abs() < 1e-6, "the end is on the ground");
    assert!((matrices[16 + 13] + 0.2).abs() < 1e-6, "the elbow is 0.2 m above it");
    let lowest = &document["accessors"][0]["min"][1];
    assert!(lowest.as_f64().unwrap() > -0.05, "{lowest}");
}

#[test]
fn refuses_a_recording_without_a_skeleton_and_turns_one_with_z_up() {
    let mut trial = arm();
    trial.source.up = Some(Axis::Z);
    let notes = write(&trial, &mut Vec::new()).unwrap();
    assert!(notes.iter().any(|note| note.code == "turned"), "{notes:?}");
    trial.motion = None;
    assert!(write(&trial, &mut Vec::new()).is_err());
}

#[test]
fn a_skinned_surface_has_four_weights_a_vertex_and_its_skeleton_below_a_turn() {
    let trial = arm();
    let motion = trial.motion.unwrap();
    let corners = [[0.0, 0.0, 0.0], [0.1, 0.0, 0.0], [0.0, 0.1, 0.0], [0.0, 0.0, 0.1]];
    let vertices_m = corners.map(nalgebra::Point3::from);
    let surface = SkinnedSurface {
        name: "skin",
        vertices_m: &vertices_m,
        normals: &[Vector3::x(); 4],
        triangles: &[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
        joints: &[[0, 1, 0, 0]; 4],
        weights: &[[0.7, 0.3, 0.0, 0.0]; 4],
    };
    let mut bytes = Vec::new();
    write_skin(&motion, 50.0, &surface, Axis::Z, &mut bytes).unwrap();
    let (document, binary) = opened(&bytes);
    let primitive = &document["meshes"][0]["primitives"][0];
    assert_eq!(document["accessors"][primitive["indices"].as_u64().unwrap() as usize]["count"], 12);
    let weights = floats(&document, &binary, &primitive["attributes"]["WEIGHTS_0"]);
    assert!(weights.chunks(4).all(|own| (own.iter().sum::<f64>() - 1.0).abs() < 1e-7));
    // What is up there is up here: z becomes y.
    let nodes = document["nodes"].as_array().unwrap();
    let above = nodes.iter().find(|node| node["name"] == "upright").unwrap();
    let q: Vec<f64> =
        above["rotation"].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect();
    let turn = nalgebra::Quaternion::new(q[3], q[0], q[1], q[2]);
    let turn = nalgebra::UnitQuaternion::new_normalize(turn);
    assert!((turn * Vector3::z() - Vector3::y()).norm() < 1e-6);
    assert_eq!(above["children"], serde_json::json!([0]));
    let wrong = SkinnedSurface { weights: &[[1.0, 0.0, 0.0, 0.0]; 3], ..surface };
    let error = write_skin(&motion, 50.0, &wrong, Axis::Z, &mut Vec::new()).unwrap_err();
    assert!(error.to_string().contains("need 4 rows"), "{error}");
}
