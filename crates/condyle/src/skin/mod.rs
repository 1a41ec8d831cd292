//! Skin: a surface that goes with a skeleton, bent where its joints are.
//!
//! ```
//! # fn main() -> condyle::Result<()> {
//! use condyle::skeleton::{Joint, JointChannel, Skeleton};
//! use condyle::skin::{Blending, Coat, Skin, bones};
//! use nalgebra::{Isometry3, Vector3};
//!
//! let forearm = Vector3::new(0.25, 0.0, 0.0);
//! let turns = vec![JointChannel::Rotation(2)];
//! let shoulder = Joint { channels: turns.clone(), ..Joint::new("shoulder", None, Vector3::zeros()) };
//! let elbow = Joint { channels: turns, ..Joint::new("elbow", Some(0), Vector3::new(0.3, 0.0, 0.0)) };
//! let skeleton = Skeleton::new(vec![shoulder, elbow, Joint::new("wrist", Some(1), forearm)])?;
//! let surface = Coat::usual(&bones(&skeleton), 500).surface()?;
//! let skin = Skin::bind(surface, &skeleton)?;
//! let mut world_from_joints = vec![Isometry3::identity(); skeleton.joints().len()];
//! for (pose, rest_m) in world_from_joints.iter_mut().zip(skeleton.rest_positions_m()) {
//!     pose.translation.vector = rest_m;
//! }
//! let moved_m = skin.pose(&world_from_joints, Blending::Linear);
//! assert!((moved_m[0] - skin.vertices_m()[0]).norm() < 1e-12);
//! # Ok(())
//! # }
//! ```
//!
//! | file | holds |
//! |---|---|
//! | `bone` | the bones of a skeleton at rest |
//! | `surface` | a surface checked: its normals, areas, pieces, volume |
//! | `sight` | which bones a vertex sees without leaving the surface |
//! | `heat` | how much each bone holds each vertex: bone heat |
//! | `order` | an order of unknowns in which a factorisation stays sparse |
//! | `weights` | four bones a vertex |
//! | `blend` | where vertices go: linear and dual quaternion blending |
//! | `coat` | a surface of our own about a skeleton |
//! | `summary` | what came of it, in numbers and colours |
//!
//! # Reference
//! I. Baran and J. Popović (2007), *Automatic rigging and animation of 3D characters*, section 4; L. Kavan and others
//! (2008), *Geometric skinning with approximate dual quaternion blending*.

mod blend;
mod bone;
mod coat;
mod heat;
mod order;
mod sight;
mod summary;
mod surface;
mod weights;

pub use blend::Blending;
pub use bone::{Bone, bones};
pub use coat::{Coat, Thickness};
pub use heat::{Heat, heat};
pub use summary::{Summary, VolumePercent};
pub use surface::Surface;
pub use weights::{AT_MOST, Weights};

use nalgebra::{Isometry3, Point3};

use crate::error::{Error, Result};
use crate::skeleton::Skeleton;

/// A surface bound to a skeleton at rest, where all joints have the axes of the world.
#[derive(Debug, Clone, PartialEq)]
pub struct Skin {
    surface: Surface,
    weights: Weights,
    rest_m: Vec<Point3<f64>>,
    bones: usize,
    pieces_without_bone: usize,
}

impl Skin {
    /// Binds a surface to a skeleton by bone heat.
    ///
    /// # Errors
    /// A skeleton without bones, or one that is far from the surface.
    pub fn bind(surface: Surface, skeleton: &Skeleton) -> Result<Self> {
        let bones = bones(skeleton);
        let heat = heat(&surface, &bones)?;
        let rest_m = skeleton.rest_positions_m().into_iter().map(Point3::from).collect();
        Ok(Self {
            weights: Weights::of(&heat),
            surface,
            rest_m,
            bones: bones.len(),
            pieces_without_bone: heat.pieces_without_bone,
        })
    }

    /// The vertices at rest.
    pub fn vertices_m(&self) -> &[Point3<f64>] {
        self.surface.vertices_m()
    }

    /// The surface at rest.
    pub fn surface(&self) -> &Surface {
        &self.surface
    }

    /// How much each joint holds each vertex.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// Pieces of the surface that see no bone, and hang on the nearest.
    pub fn pieces_without_bone(&self) -> usize {
        self.pieces_without_bone
    }

    /// Where the vertices are for the poses of all joints; a joint that is missing is at rest.
    pub fn pose(
        &self,
        world_from_joints: &[Isometry3<f64>],
        blending: Blending,
    ) -> Vec<Point3<f64>> {
        let mut moved_m = Vec::new();
        self.pose_into(world_from_joints, blending, &mut moved_m);
        moved_m
    }

    /// The same into a list that is kept.
    pub fn pose_into(
        &self,
        world_from_joints: &[Isometry3<f64>],
        blending: Blending,
        moved_m: &mut Vec<Point3<f64>>,
    ) {
        let world_from_rest: Vec<Isometry3<f64>> = (self.rest_m.iter().enumerate())
            .map(|(joint, rest_m)| match world_from_joints.get(joint) {
                Some(pose) => pose * nalgebra::Translation3::from(-rest_m.coords),
                None => Isometry3::identity(),
            })
            .collect();
        blend::pose(self.vertices_m(), &self.weights, &world_from_rest, blending, moved_m);
    }
}

fn no_bones() -> Error {
    Error::argument("skeleton: need a bone, got joints in one place or none").with_code("no-bones")
}

#[cfg(test)]
use heat::System;
#[cfg(test)]
mod tests;
