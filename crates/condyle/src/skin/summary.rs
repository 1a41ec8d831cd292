//! A skin in words and colours, as docs/skin.md has it.

use nalgebra::Isometry3;
use serde::Serialize;

use super::{Blending, Skin};

/// What came of binding a surface.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Summary {
    /// How many vertices there are.
    pub vertices: usize,
    /// How many triangles.
    pub triangles: usize,
    /// How many bones hold them.
    pub bones: usize,
    /// The most of a vertex that was beyond its four joints.
    pub largest_weight_dropped: f64,
    /// Pieces of the surface that see no bone.
    pub pieces_without_bone: usize,
    /// Edges with one triangle.
    pub open_edges: usize,
    /// What the surface encloses at rest.
    pub volume_cm3: f64,
    /// What it encloses in a pose, of that.
    pub volume_percent: VolumePercent,
}

/// What a surface encloses in a pose, by either way to put bones together.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct VolumePercent {
    /// Linear blending.
    pub linear: f64,
    /// Dual quaternions.
    pub dual_quaternion: f64,
}

impl Skin {
    /// What came of it, in a pose.
    pub fn summary(&self, world_from_joints: &[Isometry3<f64>]) -> Summary {
        let rest_m3 = self.surface().volume_m3();
        let percent = |blending| {
            let moved = self.surface().with_vertices_m(self.pose(world_from_joints, blending));
            100.0 * moved.volume_m3() / rest_m3
        };
        Summary {
            vertices: self.vertices_m().len(),
            triangles: self.surface().triangles().len(),
            bones: self.bones,
            largest_weight_dropped: self.weights().largest_dropped,
            pieces_without_bone: self.pieces_without_bone(),
            open_edges: self.surface().open_edges(),
            volume_cm3: rest_m3 * 1e6,
            volume_percent: VolumePercent {
                linear: percent(Blending::Linear),
                dual_quaternion: percent(Blending::DualQuaternion),
            },
        }
    }

    /// Every vertex in the colours of its joints, mixed by weight: red, green and blue from 0 to 1.
    pub fn colours(&self) -> Vec<[f64; 3]> {
        let weights = self.weights();
        let held = weights.joints.iter().zip(&weights.weights);
        let mixed = held.map(|(joints, shares)| {
            std::array::from_fn(|i| {
                joints.iter().zip(shares).map(|(joint, share)| share * colour(*joint)[i]).sum()
            })
        });
        mixed.collect()
    }
}

/// Neighbouring numbers have colours that are far apart: a third of the circle and a little less.
fn colour(joint: u16) -> [f64; 3] {
    const STEP: f64 = 0.309;
    let turn = f64::from(joint) * STEP * std::f64::consts::TAU;
    [0.0, 1.0, 2.0].map(|part| 0.72 + 0.22 * (turn - part * std::f64::consts::TAU / 3.0).cos())
}
