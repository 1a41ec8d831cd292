//! A subject as bodies with masses and joints with three turns each: what models of other programs are made of.
//!
//! Bodies have the frames of the subject's segments. Every joint has its centre where the subject has it, and three
//! coordinates with the order, signs and zero of [`super::coordinates`]. Their ranges are what the joint's kind leaves
//! and what was recorded.

use nalgebra::{Isometry3, Matrix3, Point3, UnitQuaternion, Vector3};

use super::coordinates::Body;
use super::masses;
use crate::anatomy::Anatomy;
use crate::cardan::Sequence;
use crate::error::{Result, check_finite};
use crate::job::SolvedPerformer;
use crate::marker_set::Side;
use crate::statistics::centroid;
use crate::subject::{Joint, JointKind, Subject};
use crate::trial::edit::Turn;
use crate::trial::{Axis, Trial};

/// What a person weighs if nothing is said, in kilograms.
pub const USUAL_WEIGHT_KG: f64 = 70.0;
/// Bodies weigh at least this, so that the model can be simulated.
const LEAST_KG: f64 = 0.05;
/// A body that no two joints tell the length of is this long.
const SHORT_M: f64 = 0.15;
/// A joint turns by this much at most, in radians.
const HALF_TURN: f64 = std::f64::consts::PI;

/// The coordinates of a joint by its distal part, turns about z, x and y; the sign of the first.
const NAMES: [(&str, [&str; 3], f64); 9] = [
    ("thigh", ["hip_flexion", "hip_adduction", "hip_rotation"], 1.0),
    ("shank", ["knee_angle", "knee_adduction", "knee_rotation"], -1.0),
    ("foot", ["ankle_angle", "subtalar_angle", "ankle_rotation"], 1.0),
    ("toes", ["mtp_angle", "mtp_inversion", "mtp_rotation"], 1.0),
    ("chest", ["lumbar_extension", "lumbar_bending", "lumbar_rotation"], 1.0),
    ("upper arm", ["arm_flex", "arm_add", "arm_rot"], 1.0),
    ("forearm", ["elbow_flex", "elbow_adduction", "pro_sup"], 1.0),
    ("hand", ["wrist_flex", "wrist_dev", "wrist_rotation"], 1.0),
    ("head", ["neck_extension", "neck_bending", "neck_rotation"], 1.0),
];

/// The bodies and joints of a performer.
pub(crate) struct Linkage {
    /// The performer's name, or `subject`.
    pub name: String,
    /// What it weighs.
    pub weight_kg: f64,
    /// A name for every segment.
    pub names: Vec<String>,
    /// A mass for every segment.
    pub masses: Vec<BodyMass>,
    /// Whether masses are those of people; else all segments weigh the same, for want of better.
    pub has_masses_of_people: bool,
    /// For every segment the joint to its parent, or to the ground.
    pub joints: Vec<LinkageJoint>,
}

impl Linkage {
    /// The same, to be written as a model: those have no mark for what nobody knows.
    ///
    /// # Errors
    /// A number is not finite.
    pub fn finite(
        trial: &Trial,
        performer: &SolvedPerformer,
        weight_kg: Option<f64>,
    ) -> Result<Self> {
        let linkage = Self::new(trial, performer, weight_kg);
        let markers = performer.subject.segments().iter().flat_map(|segment| &segment.markers);
        let places =
            markers.flat_map(|marker| <[f64; 3]>::from(marker.position_in_segment_m.coords));
        check_finite("model", linkage.numbers().chain(places))?;
        Ok(linkage)
    }

    /// The bodies and joints of a solved performer.
    pub fn new(trial: &Trial, performer: &SolvedPerformer, weight_kg: Option<f64>) -> Self {
        let subject = &performer.subject;
        let body = Body::new(trial, performer);
        let names: Vec<String> =
            subject.segments().iter().map(|segment| plain(&segment.name)).collect();
        let joint = |(segment, name): (usize, &String)| match subject.joint_of(segment) {
            Some(joint) => between(&body, joint, &names),
            None => root(
                &body,
                segment,
                name,
                Turn::between(trial.source.up.unwrap_or(Axis::Y), Axis::Y),
            ),
        };
        let weight_kg = weight_kg.unwrap_or(USUAL_WEIGHT_KG);
        let (masses, has_masses_of_people) = bodies(&body, weight_kg);
        Self {
            name: if subject.name.is_empty() { "subject".to_owned() } else { plain(&subject.name) },
            weight_kg,
            masses,
            has_masses_of_people,
            joints: names.iter().enumerate().map(joint).collect(),
            names,
        }
    }

    /// Every number of masses and joints.
    fn numbers(&self) -> impl Iterator<Item = f64> + '_ {
        let masses = self.masses.iter().flat_map(|mass| {
            let inertia = mass.inertia_kg_m2.iter().copied();
            inertia.chain(mass.centre_m.iter().copied()).chain([mass.kg]).collect::<Vec<_>>()
        });
        let joints = self.joints.iter().flat_map(|joint| {
            let ends = [&joint.parent, &joint.child].into_iter();
            let ends = ends.flat_map(|(_, at_m, axes)| {
                at_m.iter().copied().chain(axes.coords.iter().copied()).collect::<Vec<_>>()
            });
            let turns = joint.turns.iter().flat_map(|(_, axis, limits)| {
                axis.iter().copied().chain(*limits).collect::<Vec<_>>()
            });
            ends.chain(turns).collect::<Vec<_>>()
        });
        masses.chain(joints)
    }
}

/// The mass of a body.
pub(crate) struct BodyMass {
    pub kg: f64,
    /// Its centre, in the segment's frame.
    pub centre_m: Point3<f64>,
    /// About its centre, along the segment's axes.
    pub inertia_kg_m2: Matrix3<f64>,
}

/// Parts of animals on four legs, whose thighs and forearms are called as those of people are.
const OF_ANIMALS: [&str; 3] = ["fore paw", "hind foot", "tail"];

/// What every segment of a person weighs, by the table; `None` of whoever is no person.
pub fn segment_masses_kg(subject: &Subject, anatomy: &Anatomy, weight_kg: f64) -> Option<Vec<f64>> {
    let is_of_animals = |name: &str| OF_ANIMALS.iter().any(|part| name.ends_with(part));
    if subject.segments().iter().any(|segment| is_of_animals(&segment.name)) {
        return None;
    }
    let shares = masses::shares(&parts(anatomy));
    let is_person = shares.iter().sum::<f64>() > 0.5;
    is_person.then(|| scaled(&shares, subject.segments().len(), weight_kg))
}

fn parts(anatomy: &Anatomy) -> Vec<Option<(&'static str, bool)>> {
    let of = anatomy.parts.iter();
    of.map(|part| part.map(|part| (part.name, part.side == Side::Left))).collect()
}

/// Parts that the table does not have, and its rounding, add to the weight: all together are as heavy as is said.
fn scaled(shares: &[f64], segments: usize, weight_kg: f64) -> Vec<f64> {
    let kg = |segment: usize| (shares[segment] * weight_kg).max(LEAST_KG);
    let scale = weight_kg / (0..segments).map(kg).sum::<f64>();
    (0..segments).map(|segment| kg(segment) * scale).collect()
}

/// The masses of all segments, in their frames, and whether they are those of people.
fn bodies(body: &Body, weight_kg: f64) -> (Vec<BodyMass>, bool) {
    let subject = body.subject();
    let parts = parts(&body.anatomy);
    let segments = subject.segments().len();
    let of_people = segment_masses_kg(subject, &body.anatomy, weight_kg);
    let is_person = of_people.is_some();
    let even = || scaled(&vec![1.0 / segments.max(1) as f64; segments], segments, weight_kg);
    let kg = of_people.unwrap_or_else(even);
    let mass = |segment: usize| {
        let kg = kg[segment];
        let known = parts[segment]
            .and_then(|(name, _)| masses::PARTS.iter().find(|part| part.part == name));
        let markers = subject.segments()[segment].markers.iter();
        let middle_m =
            centroid(markers.map(|marker| marker.position_in_segment_m)).unwrap_or_default();
        let proximal_m = subject.joint_of(segment).map(|joint| joint.centre_in_child_m);
        let below = subject.joints().iter().filter(|joint| joint.parent == segment);
        let distal_m = centroid(below.map(|joint| joint.centre_in_parent_m));
        let from_m = proximal_m.unwrap_or(middle_m);
        let to_m = distal_m.unwrap_or(from_m + (middle_m - from_m) * 2.0);
        let along_m = to_m - from_m;
        let length_m = along_m.norm().max(SHORT_M);
        let (centre, radii) = known.map_or((0.5, [0.3; 3]), |part| (part.centre, part.radii));
        // The centre of a trunk is not told by hips and shoulders: its markers are about it.
        let is_trunk =
            parts[segment].is_none_or(|(name, _)| ["pelvis", "chest", "head"].contains(&name));
        let centre_m = if is_trunk { middle_m } else { from_m + along_m * centre };
        // As its anatomical axes have it, where they are known, but for what the line between its ends is beside y.
        let axes = body.anatomy.axes[segment]
            .map_or_else(UnitQuaternion::identity, |axes| axes.segment_from_axes);
        let down = axes * -Vector3::y();
        let turned = (UnitQuaternion::rotation_between(&down, &along_m).unwrap_or_default() * axes)
            .to_rotation_matrix();
        let own = Vector3::from_fn(|axis, _| kg * (radii[axis] * length_m).powi(2));
        let inertia_kg_m2 =
            turned.matrix() * Matrix3::from_diagonal(&own) * turned.matrix().transpose();
        BodyMass { kg, centre_m, inertia_kg_m2 }
    };
    ((0..subject.segments().len()).map(mass).collect(), is_person)
}

/// A joint: a frame on either side, and turns that lead from the parent's to the child's.
pub(crate) struct LinkageJoint {
    pub name: String,
    /// The body, and centre and axes of the joint in it.
    pub parent: (String, Point3<f64>, UnitQuaternion<f64>),
    pub child: (String, Point3<f64>, UnitQuaternion<f64>),
    /// Name, axis and range, of rotations about z, x, y.
    pub turns: Vec<(String, Vector3<f64>, [f64; 2])>,
    /// Names of translations, of a root.
    pub moves: Vec<String>,
    /// Where solvers do well to begin, turns before moves: the mean pose of the recording; of a root, where it is in
    /// the first frame that shows it.
    pub start: Vec<f64>,
}

fn root(body: &Body, segment: usize, name: &str, up: Turn) -> LinkageJoint {
    let pelvis = body.pelvis_frame().filter(|(pelvis, ..)| *pelvis == segment);
    let (prefix, origin_m, axes) = match pelvis {
        Some((_, origin_m, axes)) => ("pelvis".to_owned(), origin_m, axes),
        None => (name.to_owned(), Point3::origin(), UnitQuaternion::identity()),
    };
    let turn = |(word, axis): (&str, Vector3<f64>)| {
        (format!("{prefix}_{word}"), axis, [-HALF_TURN, HALF_TURN])
    };
    let first = body.first_pose(segment).map(|world_from_segment| {
        let turned = up.quaternion() * world_from_segment.rotation * axes;
        let ahead = turned * Vector3::x();
        let angles = Sequence::ZXY.angles(&turned, [0.0, 0.0, (-ahead.z).atan2(ahead.x)]);
        let at_m = up.vector((world_from_segment * origin_m).coords);
        [angles, at_m.into()].concat()
    });
    LinkageJoint {
        name: format!("ground_{name}"),
        parent: ("ground".to_owned(), Point3::origin(), UnitQuaternion::identity()),
        child: (name.to_owned(), origin_m, axes),
        turns: [("tilt", Vector3::z()), ("list", Vector3::x()), ("rotation", Vector3::y())]
            .map(turn)
            .into(),
        moves: ["tx", "ty", "tz"].map(|word| format!("{prefix}_{word}")).into(),
        start: first.unwrap_or_else(|| vec![0.0; 6]),
    }
}

fn between(body: &Body, joint: &Joint, names: &[String]) -> LinkageJoint {
    let axes = |segment: usize| body.anatomy.axes[segment].map(|axes| axes.segment_from_axes);
    let part = body.anatomy.parts[joint.child];
    let parent = body.anatomy.parts[joint.parent].map(|part| part.name);
    // An arm on a clavicle does not turn as one on the chest, which the names mean.
    let is_meant = |name: &str| name != "upper arm" || parent == Some("chest");
    let named =
        part.and_then(|part| NAMES.iter().find(|(name, ..)| *name == part.name && is_meant(name)));
    let (parent_axes, child_axes) = match (axes(joint.parent), axes(joint.child)) {
        (Some(parent), Some(child)) => (parent, child),
        _ => (joint.parent_from_child_rest, UnitQuaternion::identity()),
    };
    let side = part.map_or(Side::Unsaid, |part| part.side);
    let suffix = match side {
        Side::Left => "_l",
        Side::Right => "_r",
        Side::Unsaid => "",
    };
    let mirror = if side == Side::Left { -1.0 } else { 1.0 };
    let kind = joint.kind;
    let range = |component: usize| match (kind, component) {
        (JointKind::Fixed, _) => [-joint.ranges_rad[0], joint.ranges_rad[0]],
        (JointKind::Hinge, 1..) => [-joint.ranges_rad[1].max(0.1), joint.ranges_rad[1].max(0.1)],
        _ => [-HALF_TURN, HALF_TURN],
    };
    let turns = match named {
        Some((_, words, sign)) => vec![
            (format!("{}{suffix}", words[0]), Vector3::z() * *sign, range(0)),
            (format!("{}{suffix}", words[1]), Vector3::x() * mirror, range(1)),
            (format!("{}{suffix}", words[2]), Vector3::y() * mirror, range(2)),
        ],
        None => {
            let name = plain(&joint.name);
            let axes = [Vector3::z(), Vector3::x(), Vector3::y()];
            let turn =
                |(i, axis): (usize, Vector3<f64>)| (format!("{name}_{}", i + 1), axis, range(i));
            axes.into_iter().enumerate().map(turn).collect()
        }
    };
    let zero_rad = part.map_or(0.0, |part| body.zero_rad(part.name, side));
    // What is added to the first turn is taken out of the parent's axes.
    let back = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), -zero_rad);
    let parent_axes = parent_axes * back;
    // Where a turn is open, what the subject was fitted with may be another than what frames were solved with.
    let parent_from_child = body.mean_turn(joint).unwrap_or(joint.parent_from_child_rest);
    let rest = parent_axes.inverse() * parent_from_child * child_axes;
    let mut own = LinkageJoint {
        name: plain(&joint.name),
        parent: (names[joint.parent].clone(), joint.centre_in_parent_m, parent_axes),
        child: (names[joint.child].clone(), joint.centre_in_child_m, child_axes),
        turns,
        moves: Vec::new(),
        start: Vec::new(),
    };
    own.start = own.signed(Sequence::ZXY.angles(&rest, [0.0; 3])).into();
    // A joint that did not turn about an axis has its range about where it was.
    for ((_, _, range), start) in own.turns.iter_mut().zip(&own.start) {
        if range[1] < HALF_TURN {
            *range = range.map(|end| end + start);
        }
    }
    own
}

impl LinkageJoint {
    /// The frame of the joint in its parent.
    pub fn parent_from_joint(&self) -> Isometry3<f64> {
        Isometry3::from_parts(self.parent.1.into(), self.parent.2)
    }

    /// The frame of the joint in its child.
    pub fn child_from_joint(&self) -> Isometry3<f64> {
        Isometry3::from_parts(self.child.1.into(), self.child.2)
    }

    /// Angles about z, x and y as angles about the axes of the joint, some of which point backwards along them.
    pub fn signed(&self, angles: [f64; 3]) -> [f64; 3] {
        let mut signed = angles;
        for (angle, (_, axis, _)) in signed.iter_mut().zip(&self.turns) {
            *angle *= axis.sum().signum();
        }
        signed
    }
}

/// A name of letters, digits and underscores, which every program takes.
pub(crate) fn plain(name: &str) -> String {
    name.chars().map(|c| if c.is_alphanumeric() || c == '_' { c } else { '_' }).collect()
}
