//! What inverse kinematics moves: joints in a tree, bones between them, limits, loops.

use nalgebra::{Point3, UnitQuaternion, Vector3};

use super::limit::{Limit, Swing, swing_to};
use crate::error::{Error, Result};

/// A tree of joints with bones of fixed length between them; a chain is a tree without branches.
///
/// Joint 0 is the base; every other joint ends one bone, whose limit is against the bone before it.
#[derive(Debug, Clone, PartialEq)]
pub struct Linkage {
    pub(super) bones: Vec<Bone>,
    pub(super) rest_m: Vec<Point3<f64>>,
    /// The frames of the bones at rest, carried out from the base without spin.
    rest_frames: Vec<UnitQuaternion<f64>>,
    /// Joints whose positions must coincide: the loops.
    pub(super) closures: Vec<[usize; 2]>,
    children: Vec<Vec<usize>>,
    is_chain: bool,
    has_limits: bool,
    is_conic_only: bool,
}

/// The bone that ends at a joint. That of the base is none: length 0.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Bone {
    pub(super) parent: usize,
    pub(super) length_m: f64,
    /// The frame of no turn, in the frame of the bone before: z is where the bone then points.
    pub(super) parent_from_zero: UnitQuaternion<f64>,
    pub(super) limit: Limit,
    /// The shortest and longest of a bone that slides.
    pub(super) slide_m: Option<[f64; 2]>,
    /// cos of a cone that has nothing but itself, for the quick pass; -1 for none.
    pub(super) cone_cos: f64,
    pub(super) cone_sin: f64,
}

/// Where a bone points when its joint is not turned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ZeroDirection {
    /// Straight on from the bone before; for bones at the base as at rest.
    Straight,
    /// As at rest.
    Rest,
}

impl Linkage {
    /// A chain from its joints, base first, without limits.
    ///
    /// # Errors
    /// Fewer than two joints, one that is not finite, or two in the same place.
    pub fn chain(joints_m: &[Point3<f64>]) -> Result<Self> {
        let parents: Vec<Option<usize>> = (0..joints_m.len()).map(|i| i.checked_sub(1)).collect();
        Self::tree(joints_m, &parents, ZeroDirection::Straight)
    }

    /// A tree from its joints at rest and the parent of each, parents first; one has none.
    ///
    /// # Errors
    /// Fewer than two joints, lists of different length, a parent after its child, a second root, a
    /// joint that is not finite or in the same place as its parent.
    pub fn tree(
        rest_m: &[Point3<f64>],
        parents: &[Option<usize>],
        zero: ZeroDirection,
    ) -> Result<Self> {
        if rest_m.len() < 2 {
            return Err(Error::argument(format!("joints: need 2, got {}", rest_m.len())));
        }
        if rest_m.len() != parents.len() {
            return Err(Error::argument(format!(
                "parents: need one a joint, {}, got {}",
                rest_m.len(),
                parents.len()
            )));
        }
        let mut children = vec![Vec::new(); rest_m.len()];
        let mut bones: Vec<Bone> = Vec::with_capacity(rest_m.len());
        let mut frames: Vec<UnitQuaternion<f64>> = Vec::with_capacity(rest_m.len());
        for (index, (at_m, parent)) in rest_m.iter().zip(parents).enumerate() {
            if at_m.iter().any(|x| !x.is_finite()) {
                return Err(Error::argument(format!(
                    "joint {index}: need finite coordinates, got {at_m}"
                )));
            }
            let parent = match (*parent, index) {
                (None, 0) => {
                    bones.push(Bone::base());
                    frames.push(UnitQuaternion::identity());
                    continue;
                }
                (Some(parent), 1..) if parent < index => parent,
                (None, _) => {
                    return Err(Error::argument(format!("joint {index}: need a parent, got none")));
                }
                (Some(parent), _) => {
                    return Err(Error::argument(format!(
                        "joint {index}: need a parent before it, got {parent}"
                    )));
                }
            };
            let along_m = at_m - rest_m[parent];
            let length_m = along_m.norm();
            if !(length_m.is_finite() && length_m > 1e-9 * (1.0 + at_m.coords.amax())) {
                return Err(Error::argument(format!(
                    "joint {index}: need a bone with a length, got {length_m} from joint {parent}"
                )));
            }
            let in_parent = frames[parent].inverse() * (along_m / length_m);
            let turn = swing_to(&in_parent);
            let is_straight = zero == ZeroDirection::Straight && parent > 0;
            let parent_from_zero = if is_straight { UnitQuaternion::identity() } else { turn };
            frames.push(frames[parent] * turn);
            children[parent].push(index);
            bones.push(Bone { parent, length_m, parent_from_zero, ..Bone::base() });
        }
        let is_chain = bones.iter().enumerate().skip(1).all(|(i, bone)| bone.parent + 1 == i);
        Ok(Self {
            bones,
            rest_m: rest_m.to_vec(),
            rest_frames: frames,
            closures: Vec::new(),
            children,
            is_chain,
            has_limits: false,
            is_conic_only: true,
        })
    }

    /// Limits the joint at which the bone to `end` begins.
    ///
    /// # Errors
    /// There is no such bone, or the limit is invalid.
    pub fn limit(&mut self, end: usize, limit: Limit) -> Result<()> {
        limit.check()?;
        let bone = self.bone_mut(end)?;
        (bone.cone_cos, bone.cone_sin) = match &limit.swing {
            Swing::Cone { half_rad } => (half_rad.cos(), half_rad.sin()),
            _ => (-1.0, 0.0),
        };
        bone.limit = limit;
        self.has_limits = self.bones.iter().any(|bone| !bone.limit.is_free());
        self.note_shape();
        Ok(())
    }

    /// Lets the bone to `end` slide between two lengths: a prismatic joint.
    ///
    /// # Errors
    /// There is no such bone, or the lengths are not positive and in order.
    pub fn slide(&mut self, end: usize, [min_m, max_m]: [f64; 2]) -> Result<()> {
        if !(min_m > 0.0 && min_m <= max_m && max_m.is_finite()) {
            return Err(Error::argument(format!(
                "slide: need positive lengths in order, got {min_m} to {max_m} m"
            )));
        }
        let bone = self.bone_mut(end)?;
        bone.slide_m = Some([min_m, max_m]);
        bone.length_m = bone.length_m.clamp(min_m, max_m);
        self.note_shape();
        Ok(())
    }

    /// Closes a loop: two joints that must coincide.
    ///
    /// # Errors
    /// There are no such joints, or they are one.
    pub fn close(&mut self, one: usize, other: usize) -> Result<()> {
        if one == other || one.max(other) >= self.bones.len() {
            return Err(Error::argument(format!(
                "loop: need two of {} joints, got {one} and {other}",
                self.bones.len()
            )));
        }
        self.closures.push([one, other]);
        Ok(())
    }

    /// The zero frame of the bone to `end` at rest: what turns its limit's axes into those of the
    /// positions.
    pub fn world_from_zero_at_rest(&self, end: usize) -> UnitQuaternion<f64> {
        let Some(bone) = self.bones.get(end) else { return UnitQuaternion::identity() };
        self.rest_frames[bone.parent] * bone.parent_from_zero
    }

    /// The frame of the bone to `end` at rest, z along it.
    pub fn world_from_bone_at_rest(&self, end: usize) -> UnitQuaternion<f64> {
        self.rest_frames.get(end).copied().unwrap_or_else(UnitQuaternion::identity)
    }

    /// How many loops there are.
    pub fn loops(&self) -> usize {
        self.closures.len()
    }

    /// How many joints there are.
    pub fn joints(&self) -> usize {
        self.bones.len()
    }

    /// The joints at rest.
    pub fn rest_m(&self) -> &[Point3<f64>] {
        &self.rest_m
    }

    /// The joint before another; `None` for the base.
    pub fn parent(&self, joint: usize) -> Option<usize> {
        (joint > 0).then(|| self.bones.get(joint).map(|bone| bone.parent)).flatten()
    }

    /// The joints that hang on a joint.
    pub fn children(&self, joint: usize) -> &[usize] {
        self.children.get(joint).map_or(&[], Vec::as_slice)
    }

    /// The length of the bone that ends at a joint; 0 for the base.
    pub fn length_m(&self, joint: usize) -> f64 {
        self.bones.get(joint).map_or(0.0, |bone| bone.length_m)
    }

    /// The limit at the beginning of the bone that ends at a joint.
    pub fn limit_of(&self, joint: usize) -> Option<&Limit> {
        self.bones.get(joint).filter(|_| joint > 0).map(|bone| &bone.limit)
    }

    /// The joints without children: the natural end effectors.
    pub fn leaves(&self) -> impl Iterator<Item = usize> + '_ {
        self.children.iter().enumerate().filter(|(_, c)| c.is_empty()).map(|(joint, _)| joint)
    }

    /// The joints where chains meet.
    pub fn sub_bases(&self) -> impl Iterator<Item = usize> + '_ {
        self.children.iter().enumerate().filter(|(_, c)| c.len() > 1).map(|(joint, _)| joint)
    }

    /// The joints from one up to the base, both included.
    pub fn path_to_base(&self, joint: usize) -> impl Iterator<Item = usize> + '_ {
        let start = (joint < self.bones.len()).then_some(joint);
        std::iter::successors(start, |joint| self.parent(*joint))
    }

    /// Whether no joint has two children.
    pub fn is_chain(&self) -> bool {
        self.is_chain
    }

    /// Whether any joint is limited.
    pub fn has_limits(&self) -> bool {
        self.has_limits
    }

    /// A chain whose limits, if any, are cones about the bone before: no frames are needed.
    pub(super) fn is_quick(&self) -> bool {
        self.is_chain && self.is_conic_only && self.closures.is_empty()
    }

    pub(super) fn mean_length_m(&self) -> f64 {
        self.bones.iter().map(|bone| bone.length_m).sum::<f64>() / (self.bones.len() - 1) as f64
    }

    fn bone_mut(&mut self, end: usize) -> Result<&mut Bone> {
        let joints = self.bones.len();
        match self.bones.get_mut(end) {
            Some(bone) if end > 0 => Ok(bone),
            _ => Err(Error::argument(format!(
                "bone: need a joint from 1 to {}, got {end}",
                joints - 1
            ))),
        }
    }

    fn note_shape(&mut self) {
        self.is_conic_only = self.bones.iter().skip(1).enumerate().all(|(index, bone)| {
            let is_cone = matches!(bone.limit.swing, Swing::Cone { .. });
            let is_straight = bone.parent_from_zero == UnitQuaternion::identity() || index == 0;
            bone.slide_m.is_none() && (bone.limit.swing == Swing::Free || is_cone && is_straight)
        });
    }
}

impl Bone {
    fn base() -> Self {
        Self {
            parent: 0,
            length_m: 0.0,
            parent_from_zero: UnitQuaternion::identity(),
            limit: Limit::FREE,
            slide_m: None,
            cone_cos: -1.0,
            cone_sin: 0.0,
        }
    }

    /// Where the bone points unturned, in the frame of the bone before.
    pub(super) fn zero_in_parent(&self) -> Vector3<f64> {
        self.parent_from_zero * Vector3::z()
    }

    /// The length it takes for a wanted one.
    pub(super) fn length_for(&self, wanted_m: f64) -> f64 {
        match self.slide_m {
            Some([min_m, max_m]) => wanted_m.clamp(min_m, max_m),
            None => self.length_m,
        }
    }
}
