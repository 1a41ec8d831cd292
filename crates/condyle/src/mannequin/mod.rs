//! A solid figure for a subject: round cones about its bones, with masses, joints and ranges.
//!
//! | file | holds |
//! |---|---|
//! | `shape` | the solid of a segment, as thick as its markers say |
//! | `person` | the parts of a person, as large as its limbs and as thick as its markers say |
//! | `play` | the figure in the frames of a solved motion |
//! | `analysis` | the freedoms of a figure that follows a solved performer, as polynomials |
//! | `skeleton` | its joints as a skeleton |
//! | `joints` | the freedoms of a joint, from what it is and how far it turned |
//!
//! # What a figure is made of
//! - The parts of a person are hulls of ellipsoids: usual breadths and depths, scaled by the lengths of the limbs, and
//!   within bounds as thick as the markers say.
//! - Of whatever else a segment with one joint beyond its own is a round cone; one with several is the hull of a sphere
//!   at each joint; one with none ends where its markers end.
//! - It is at rest in the mean pose of the calibration; a person stands upright, with z up and x forward.
//! - Masses of people are those of [`crate::opensim::PARTS`]; everything else is as heavy as water.

mod analysis;
mod joints;
mod person;
mod play;
mod shape;
mod skeleton;

pub use analysis::{Analysis, AnalysisOptions, FreedomFit, analyse};

use nalgebra::{Isometry3, Matrix3, Point3, Rotation3, Translation3, UnitQuaternion, Vector3};

use crate::anatomy::Anatomy;
use crate::error::{Error, Result};
use crate::figure::{DENSITY_KG_M3, Figure, Segment};
use crate::note::Note;
use crate::opensim;
use crate::subject::Subject;

/// Parts that do not count for how tall somebody stands.
const ARM: [&str; 3] = ["upper arm", "forearm", "hand"];

/// A solid figure, and how the segments of its subject are in it.
#[derive(Debug, Clone, PartialEq)]
pub struct Mannequin {
    /// The figure; its segments are those of the subject, in their order.
    pub figure: Figure,
    /// For every segment its frame in the figure at rest.
    pub figure_from_segments: Vec<Isometry3<f64>>,
    /// How tall it is at rest, arms left out.
    pub height_m: f64,
    /// Whether masses are those of people.
    pub has_masses_of_people: bool,
    /// What had to be supposed.
    pub notes: Vec<Note>,
}

impl Mannequin {
    /// The figure of a subject. Without a weight people weigh [`opensim::USUAL_WEIGHT_KG`], and everything else what its
    /// volume weighs as water.
    ///
    /// # Errors
    /// Segments that hang on nothing, beside the first: a figure is one tree.
    pub fn of_subject(subject: &Subject, weight_kg: Option<f64>) -> Result<Self> {
        let mut notes = Vec::new();
        let anatomy = Anatomy::new(subject);
        let figure_from_segments = rest(subject, &anatomy);
        let masses = opensim::segment_masses_kg(
            subject,
            &anatomy,
            weight_kg.unwrap_or(opensim::USUAL_WEIGHT_KG),
        );
        let person = person::Person::new(subject, &anatomy);
        let mut segments = Vec::new();
        for (at, own) in subject.segments().iter().enumerate() {
            let joint = subject.joint_of(at);
            if at > 0 && joint.is_none() {
                let what = format!("figure: need one tree, got '{}' on nothing", own.name);
                return Err(Error::undetermined(what));
            }
            let here = figure_from_segments[at];
            let solid = shape::solid(subject, person.as_ref(), at).ok_or_else(|| {
                let what = format!("figure: need segment '{}' with a size, got none", own.name);
                Error::undetermined(what)
            })?;
            let solid = solid.mapped(|vertex_m| here * vertex_m);
            let mass = solid.mass_properties(DENSITY_KG_M3);
            let mass = masses.as_ref().map_or(mass, |kg| mass.with_mass_kg(kg[at]));
            segments.push(Segment {
                name: own.name.clone(),
                parent: joint.map(|joint| joint.parent),
                solid,
                mass,
                joint: joints::joint(subject, at, &figure_from_segments),
            });
        }
        let name = if subject.name.is_empty() { "subject" } else { &subject.name };
        let mut figure = Figure::new(name, segments)?;
        if let (None, Some(kg)) = (&masses, weight_kg) {
            figure = figure.with_mass_kg(kg);
        }
        if masses.is_none() {
            let text = "no masses of people: every segment is as heavy as water fills it";
            notes.push(Note::new("masses-by-density", text));
        }
        let is_arm = |at: usize| {
            anatomy.parts.get(at).copied().flatten().is_some_and(|part| ARM.contains(&part.name))
        };
        let heights = figure.segments().iter().enumerate().filter(|(at, _)| !is_arm(*at));
        let heights: Vec<f64> = heights
            .flat_map(|(_, own)| own.solid.vertices_m())
            .map(|vertex_m| vertex_m.z)
            .collect();
        let low = heights.iter().copied().fold(f64::INFINITY, f64::min);
        let high = heights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        Ok(Self {
            figure,
            figure_from_segments,
            height_m: high - low,
            has_masses_of_people: masses.is_some(),
            notes,
        })
    }

    /// The same figure so tall, its masses kept.
    #[must_use]
    pub fn with_height_m(mut self, height_m: f64) -> Self {
        let factor = height_m / self.height_m;
        self.figure = self.figure.scaled(factor);
        for pose in &mut self.figure_from_segments {
            pose.translation.vector *= factor;
        }
        self.height_m = height_m;
        self
    }
}

/// Where every segment is in the mean pose: a person upright on the ground, z up, x forward, anybody else as the first
/// segment has it.
fn rest(subject: &Subject, anatomy: &Anatomy) -> Vec<Isometry3<f64>> {
    let poses = poses_at_rest(subject);
    // Anatomical axes are x forward, y up, z to the right.
    let facing = Matrix3::from_columns(&[Vector3::x(), Vector3::z(), -Vector3::y()]);
    let facing = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(facing));
    let trunk = (0..poses.len()).find_map(|at| {
        let is_trunk = anatomy.parts[at].is_some_and(|p| p.name == "pelvis" || p.name == "chest");
        // Who goes on four legs is not stood on two.
        (is_trunk && anatomy.is_person()).then_some(())?;
        Some(poses[at].rotation * anatomy.axes[at]?.segment_from_axes)
    });
    let upright = trunk.map_or_else(UnitQuaternion::identity, |axes| facing * axes.inverse());
    let upright = Isometry3::from_parts(Translation3::identity(), upright);
    let lowest = subject.segments().iter().zip(&poses).flat_map(|(own, pose)| {
        own.markers.iter().map(move |marker| (upright * pose * marker.position_in_segment_m).z)
    });
    let lowest = lowest.fold(f64::INFINITY, f64::min);
    let lift = if lowest.is_finite() { -lowest } else { 0.0 };
    let figure_from_root = Isometry3::translation(0.0, 0.0, lift) * upright;
    poses.into_iter().map(|pose| figure_from_root * pose).collect()
}

/// Where every segment is in the mean pose, in the axes of the first.
fn poses_at_rest(subject: &Subject) -> Vec<Isometry3<f64>> {
    let mut poses: Vec<Isometry3<f64>> = Vec::new();
    for at in 0..subject.segments().len() {
        let joint = subject.joint_of(at);
        let pose = joint.map_or_else(Isometry3::identity, |joint| {
            let turn = joint.parent_from_child_rest;
            let shift = joint.centre_in_parent_m.coords - turn * joint.centre_in_child_m.coords;
            let above = poses.get(joint.parent).copied().unwrap_or_default();
            above * Isometry3::from_parts(Translation3::from(shift), turn)
        });
        poses.push(pose);
    }
    poses
}

/// The mean of points; nothing of none.
fn middle(points: impl IntoIterator<Item = Point3<f64>>) -> Option<Point3<f64>> {
    crate::statistics::centroid(points)
}

#[cfg(test)]
mod tests;
