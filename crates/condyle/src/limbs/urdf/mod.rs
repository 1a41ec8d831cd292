//! A robot arm.

mod read;

use std::collections::HashMap;
use std::f64::consts::PI;

use nalgebra::{Isometry3, Point3, Unit, Vector3};

use crate::error::{Error, ErrorKind, Result};
use crate::ik::limit::{Limit, Swing, Twist};
use crate::ik::{Linkage, Model, ZeroDirection};
use read::{Joint, JointKind, Robot};

/// Nearer than this two places are one.
const SAME_M: f64 = 1e-9;

/// The arm of a URDF with all joints at zero, and their limits. Joints are named as in the file, ends
/// after their links.
///
/// # Method
/// What a joint moves is one rigid part: its limit is that of the bone to the first joint or end on the
/// part, the others are fixed to that bone. A joint may be anywhere on its axis, so one that lies in the
/// same place as the joint before it (a wrist) is moved along its own axis: the bone between them has
/// a length then, and the arm moves exactly as before. An axis along the bone is a pivot. Joints that
/// mimic others stay at zero.
///
/// # Errors
/// Text that is no URDF, a joint that is neither revolute, continuous, prismatic nor fixed, a limit
/// that is none, links that make no tree.
pub fn from_urdf(text: &str) -> Result<Model> {
    let robot = read::read(text)?;
    let tree = Tree::of(&robot)?;
    let mut arm = Arm::at(&tree.root);
    let mut parts = vec![Part { head: 0, link: tree.root.clone(), moved: None }];
    // What a wrist is spread by: a length of the size of the arm's own.
    let lengths =
        robot.joints.iter().map(|joint| joint.parent_from_joint.translation.vector.norm());
    let spread_m = lengths.fold(0.0, f64::max).max(0.1) * 0.5;
    while let Some(part) = parts.pop() {
        let mut outlets = Vec::new();
        let world_from_link = tree.world_from_link(&part.link)?;
        tree.outlets(&part.link, world_from_link, &mut outlets)?;
        let mut first = None;
        for outlet in outlets {
            // A bone to fix others to; until there is one, the joint's own limit is on the next.
            let hook = first.unwrap_or(part.head);
            let end = match &outlet {
                Outlet::End { link, at_m } => arm.bone(hook, *at_m, link),
                Outlet::Moves { joint, world_from_joint } => {
                    let axis = tree.axis(joint, world_from_joint)?;
                    let at_m = Point3::from(world_from_joint.translation.vector);
                    let back_m = match joint.kind {
                        JointKind::Prismatic => {
                            let back_m = (-joint.range[0]).max(0.0) + spread_m;
                            let from_m = at_m - axis.into_inner() * back_m;
                            let is_there = (from_m - arm.at_m[hook]).norm() < SAME_M;
                            if is_there { back_m + spread_m } else { back_m }
                        }
                        _ if (at_m - arm.at_m[hook]).norm() < SAME_M => -spread_m,
                        _ => 0.0,
                    };
                    arm.bone(hook, at_m - axis.into_inner() * back_m, &joint.name)
                }
            };
            if end != hook {
                arm.limits[end] = match (first, &part.moved) {
                    (None, Some(moved)) => moved.clone(),
                    _ => JointFreedom::Stays,
                };
                first = first.or(Some(end));
            }
            match outlet {
                Outlet::End { .. } if end > 0 => arm.effectors.push(end),
                Outlet::End { .. } => {}
                Outlet::Moves { joint, world_from_joint } => {
                    let link = joint.child.clone();
                    let axis = tree.axis(joint, &world_from_joint)?;
                    if joint.kind == JointKind::Prismatic {
                        let at_m = Point3::from(world_from_joint.translation.vector);
                        let slid = arm.bone(end, at_m, &joint.name);
                        let start_m = (at_m - arm.at_m[end]).norm();
                        let range = [joint.range[0] + start_m, joint.range[1] + start_m];
                        arm.limits[slid] = JointFreedom::Slides(range);
                        parts.push(Part { head: slid, link, moved: Some(JointFreedom::Stays) });
                    } else {
                        let moved = Some(JointFreedom::Turns { axis, range_rad: range_rad(joint) });
                        parts.push(Part { head: end, link, moved });
                    }
                }
            }
        }
    }
    arm.model()
}

/// What a joint moves: everything that is fixed to a link.
struct Part {
    /// The joint of the linkage where it begins.
    head: usize,
    link: String,
    moved: Option<JointFreedom>,
}

/// How the bone to a joint of the linkage moves against the one before.
#[derive(Clone)]
enum JointFreedom {
    Stays,
    Turns { axis: Unit<Vector3<f64>>, range_rad: [f64; 2] },
    Slides([f64; 2]),
}

/// What is on a part: the next joint that moves, or a link on which nothing hangs.
enum Outlet<'a> {
    Moves { joint: &'a Joint, world_from_joint: Isometry3<f64> },
    End { link: String, at_m: Point3<f64> },
}

/// The linkage as it grows.
struct Arm {
    at_m: Vec<Point3<f64>>,
    parents: Vec<Option<usize>>,
    names: Vec<String>,
    limits: Vec<JointFreedom>,
    effectors: Vec<usize>,
}

impl Arm {
    fn at(root: &str) -> Self {
        Self {
            at_m: vec![Point3::origin()],
            parents: vec![None],
            names: vec![root.to_owned()],
            limits: vec![JointFreedom::Stays],
            effectors: Vec::new(),
        }
    }

    /// A bone to a place; the hook itself where it is there already.
    fn bone(&mut self, hook: usize, at_m: Point3<f64>, name: &str) -> usize {
        if (at_m - self.at_m[hook]).norm() < SAME_M {
            return hook;
        }
        self.at_m.push(at_m);
        self.parents.push(Some(hook));
        self.names.push(name.to_owned());
        self.limits.push(JointFreedom::Stays);
        self.at_m.len() - 1
    }

    fn model(self) -> Result<Model> {
        let mut linkage = Linkage::tree(&self.at_m, &self.parents, ZeroDirection::Rest)?;
        for (end, moved) in self.limits.iter().enumerate().skip(1) {
            let named = |error: Error| {
                ErrorKind::Argument(format!("bone to '{}': {error}", self.names[end]))
            };
            let limit = match moved {
                JointFreedom::Stays => Limit::FIXED,
                JointFreedom::Slides(range) => {
                    linkage.slide(end, *range).map_err(named)?;
                    Limit::FIXED
                }
                JointFreedom::Turns { axis, range_rad } => {
                    let axis = linkage.world_from_zero_at_rest(end).inverse() * axis.into_inner();
                    turning(axis, *range_rad).map_err(named)?
                }
            };
            linkage.limit(end, limit).map_err(named)?;
        }
        let mut effectors = self.effectors;
        effectors.sort_unstable();
        effectors.dedup();
        Ok(Model { linkage, names: self.names, effectors })
    }
}

/// A hinge, or a pivot where the axis is along the bone.
fn turning(axis: Vector3<f64>, range_rad: [f64; 2]) -> Result<Limit> {
    if axis.z.abs() < 1.0 - 1e-9 {
        return Limit::hinge(axis, range_rad);
    }
    let [min_rad, max_rad] = range_rad;
    if max_rad - min_rad >= 2.0 * PI {
        return Ok(Limit { swing: Swing::Fixed, twist: Twist::Free });
    }
    Ok(Limit::pivot(if axis.z > 0.0 { range_rad } else { [-max_rad, -min_rad] }))
}

fn range_rad(joint: &Joint) -> [f64; 2] {
    let [smallest, largest] = joint.range;
    let is_bounded = joint.kind == JointKind::Revolute && largest - smallest < 2.0 * PI;
    if is_bounded { joint.range } else { [-PI, PI] }
}

/// The links and what hangs on each.
struct Tree<'a> {
    root: String,
    joints: HashMap<&'a str, Vec<&'a Joint>>,
    /// The joint that each link hangs on.
    above: HashMap<&'a str, &'a Joint>,
}

impl<'a> Tree<'a> {
    fn of(robot: &'a Robot) -> Result<Self> {
        let mut tree = Self { root: String::new(), joints: HashMap::new(), above: HashMap::new() };
        for joint in &robot.joints {
            tree.joints.entry(joint.parent.as_str()).or_default().push(joint);
            if tree.above.insert(joint.child.as_str(), joint).is_some() {
                return Err(Error::malformed(format!(
                    "link '{}': need one joint above it, got two",
                    joint.child
                )));
            }
        }
        let mut roots = robot.links.iter().filter(|link| !tree.above.contains_key(link.as_str()));
        match (roots.next(), roots.next()) {
            (Some(root), None) => tree.root.clone_from(root),
            (None, _) => return Err(Error::malformed("links: need one at the base, got none")),
            (Some(one), Some(other)) => {
                return Err(Error::malformed(format!(
                    "links: need one at the base, got '{one}' and '{other}'"
                )));
            }
        }
        Ok(tree)
    }

    fn axis(&self, joint: &Joint, world_from_joint: &Isometry3<f64>) -> Result<Unit<Vector3<f64>>> {
        let axis = world_from_joint.rotation * joint.axis;
        Unit::try_new(axis, 1e-12).filter(|axis| axis.iter().all(|x| x.is_finite())).ok_or_else(
            || {
                let [x, y, z]: [f64; 3] = joint.axis.into();
                Error::malformed(format!("joint '{}': need an axis, got {x} {y} {z}", joint.name))
            },
        )
    }

    /// Where a link is with all joints at zero.
    fn world_from_link(&self, link: &str) -> Result<Isometry3<f64>> {
        let mut world_from_link = Isometry3::identity();
        let mut at = link;
        let mut steps = 0;
        while let Some(joint) = self.above.get(at) {
            world_from_link = joint.parent_from_joint * world_from_link;
            at = joint.parent.as_str();
            steps += 1;
            if steps > self.above.len() {
                return Err(Error::malformed(format!("link '{link}': need a tree, got a cycle")));
            }
        }
        Ok(world_from_link)
    }

    /// The joints and ends that are fixed to a link.
    fn outlets(
        &self,
        link: &str,
        world_from_link: Isometry3<f64>,
        outlets: &mut Vec<Outlet<'a>>,
    ) -> Result<()> {
        let mut links = vec![(link.to_owned(), world_from_link)];
        while let Some((link, world_from_link)) = links.pop() {
            let joints = self.joints.get(link.as_str()).map_or(&[][..], Vec::as_slice);
            if joints.is_empty() {
                let at_m = Point3::from(world_from_link.translation.vector);
                outlets.push(Outlet::End { link, at_m });
                continue;
            }
            for joint in joints {
                let world_from_joint = world_from_link * joint.parent_from_joint;
                match &joint.kind {
                    _ if joint.is_mimic => {
                        links.push((joint.child.clone(), world_from_joint));
                    }
                    JointKind::Fixed => links.push((joint.child.clone(), world_from_joint)),
                    JointKind::Revolute | JointKind::Continuous | JointKind::Prismatic => {
                        outlets.push(Outlet::Moves { joint, world_from_joint });
                    }
                    JointKind::Other(kind) => {
                        return Err(Error::malformed(format!(
                            "joint '{}': need revolute, continuous, prismatic or fixed, got {kind}",
                            joint.name
                        )));
                    }
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
