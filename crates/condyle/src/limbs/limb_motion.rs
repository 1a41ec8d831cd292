//! What moved, as the motion of a skeleton: for formats that have joints and turns.

use nalgebra::{Point3, UnitQuaternion, Vector3};

use crate::cardan::Sequence;
use crate::error::{Error, Result};
use crate::ik::{Limit, Linkage, Model, Solver};
use crate::motion::Motion;
use crate::skeleton::{Joint, JointChannel, Skeleton};

/// The poses of a model one after another, in the joints of a skeleton.
///
/// # Method
/// A joint of the skeleton turns what hangs on it as one part. A joint of a linkage with one bone after it
/// turns that bone; where several bones begin that turn on their own, each has a joint `from_to` of its own in
/// the same place.
#[derive(Debug, Clone)]
pub struct LimbMotion {
    skeleton: Skeleton,
    /// The bone whose turn a joint of the skeleton has; 0 for that of the base.
    bone: Vec<usize>,
    world_from_rest: Vec<UnitQuaternion<f64>>,
    angles_rad: Vec<[f64; 3]>,
    values: Vec<f64>,
    frames: usize,
}

impl LimbMotion {
    /// The skeleton of a model, without frames yet.
    ///
    /// # Errors
    /// The skeleton is none, which no linkage leads to.
    pub fn new(model: &Model) -> Result<Self> {
        let Model { linkage, names, .. } = model;
        let mut joints: Vec<Joint> = Vec::new();
        let mut bone: Vec<usize> = Vec::new();
        // The joint of the skeleton that turns the bone to a joint of the linkage.
        let mut turned_by = vec![0; linkage.joints()];
        let turns = Sequence::ZXY.axes().map(JointChannel::Rotation);
        for joint in 0..linkage.joints() {
            let children = linkage.children(joint);
            let parent = (joint > 0).then(|| turned_by[joint]);
            let offset_m = match linkage.parent(joint) {
                Some(before) => linkage.rest_m()[joint] - linkage.rest_m()[before],
                None => linkage.rest_m()[joint].coords,
            };
            let mut here = Joint::new(&names[joint], parent, offset_m);
            let index = joints.len();
            if joint == 0 {
                here.channels.extend([0, 1, 2].map(JointChannel::Translation));
            }
            if !children.is_empty() {
                here.channels.extend(turns);
            }
            joints.push(here);
            bone.push(if let [child] = children { *child } else { joint });
            for child in children {
                turned_by[*child] = index;
                if children.len() > 1 && linkage.limit_of(*child) != Some(&Limit::FIXED) {
                    turned_by[*child] = joints.len();
                    let name = format!("{}_to_{}", names[joint], names[*child]);
                    let mut own = Joint::new(name, Some(index), Vector3::zeros());
                    own.channels.extend(turns);
                    joints.push(own);
                    bone.push(*child);
                }
            }
        }
        Ok(Self {
            world_from_rest: vec![UnitQuaternion::identity(); bone.len()],
            angles_rad: vec![[0.0; 3]; bone.len()],
            skeleton: Skeleton::new(joints)?,
            bone,
            values: Vec::new(),
            frames: 0,
        })
    }

    /// Adds the present pose of a solver as a frame.
    ///
    /// # Errors
    /// A bone is not as long as at rest.
    pub fn push(&mut self, solver: &mut Solver) -> Result<()> {
        let at_m: Vec<Point3<f64>> = solver.positions_m().to_vec();
        let frames = solver.world_from_bones().to_vec();
        let linkage: &Linkage = solver.linkage();
        for joint in 1..linkage.joints() {
            let parent = linkage.parent(joint).unwrap_or(0);
            let length_m = (linkage.rest_m()[joint] - linkage.rest_m()[parent]).norm();
            if ((at_m[joint] - at_m[parent]).norm() - length_m).abs() > 1e-6 * length_m {
                return Err(Error::argument(format!(
                    "joint {joint}: need bones that do not slide for a skeleton, got {} instead of {length_m}",
                    (at_m[joint] - at_m[parent]).norm()
                )));
            }
        }
        self.values.extend(at_m[0].iter());
        for (index, joint) in self.skeleton.joints().iter().enumerate() {
            let bone = self.bone[index];
            self.world_from_rest[index] =
                frames[bone] * linkage.world_from_bone_at_rest(bone).inverse();
            if joint.channels.is_empty() {
                continue;
            }
            let local = match joint.parent {
                Some(parent) => {
                    self.world_from_rest[parent].inverse() * self.world_from_rest[index]
                }
                None => self.world_from_rest[index],
            };
            self.angles_rad[index] = Sequence::ZXY.angles(&local, self.angles_rad[index]);
            self.values.extend(self.angles_rad[index]);
        }
        self.frames += 1;
        Ok(())
    }

    /// The motion of all frames.
    ///
    /// # Errors
    /// A pose that is not finite.
    pub fn into_motion(self) -> Result<Motion> {
        Motion::new(self.skeleton, self.frames, self.values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ik::{Options, Target};

    #[test]
    fn a_skeleton_stands_where_the_linkage_does() {
        for name in ["chain-10-limited", "y-10", "hand-26-limited", "humanoid-13-limited"] {
            let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/ik/");
            let text = std::fs::read_to_string(format!("{folder}{name}.json")).unwrap();
            let model = Model::from_json(&text).unwrap();
            let mut solver = Solver::new(model.linkage.clone());
            let mut moved = LimbMotion::new(&model).unwrap();
            let mut poses = Vec::new();
            for step in 0..5 {
                let by_m =
                    Vector3::new(-0.03, 0.02, -0.04) * f64::from(step) * model.linkage.length_m(2);
                let rest_m = model.linkage.rest_m();
                let targets: Vec<_> = model
                    .effectors
                    .iter()
                    .map(|end| Target::at(*end, rest_m[*end] + by_m))
                    .collect();
                solver.move_base(rest_m[0] + 0.1 * by_m).unwrap();
                solver.solve(&targets, &Options::tracking()).unwrap();
                moved.push(&mut solver).unwrap();
                poses.push(solver.positions_m().to_vec());
            }
            let motion = moved.into_motion().unwrap();
            let skeleton = motion.skeleton();
            for (frame, pose) in poses.iter().enumerate() {
                let at_m = motion.joint_positions_m(frame).unwrap();
                for (joint, name) in model.names.iter().enumerate() {
                    let found = at_m[skeleton.find(name).unwrap()];
                    assert!((found - pose[joint]).norm() < 1e-9, "{name} in {frame}: {found}");
                }
            }
        }
    }

    #[test]
    fn a_bone_that_slides_is_refused() {
        let at_m = [0.0, 1.0, 2.0].map(|z| Point3::new(0.0, 0.0, z));
        let mut linkage = Linkage::chain(&at_m).unwrap();
        linkage.slide(2, [0.5, 3.0]).unwrap();
        let names = ["a", "b", "c"].map(String::from).to_vec();
        let model = Model { linkage, names, effectors: vec![2] };
        let mut solver = Solver::new(model.linkage.clone());
        solver.solve(&[Target::at(2, Point3::new(3.5, 0.0, 0.5))], &Options::default()).unwrap();
        let error = LimbMotion::new(&model).unwrap().push(&mut solver).unwrap_err().to_string();
        assert!(error.contains("need bones that do not slide"), "{error}");
    }
}
