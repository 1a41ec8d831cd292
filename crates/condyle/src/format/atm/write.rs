//! ATM files from figures, as text.

use std::collections::HashSet;
use std::fmt::Write;

use super::{Atm, AtmFreedom, AtmJoint, AtmSegment, Transform};
use crate::error::{Result, check_finite};
use crate::figure::{Figure, Freedom, FreedomKind};
use crate::format::mesh::Mesh;
use crate::format::text::{undo, write_number};

impl Atm {
    /// A figure as a file, and the meshes that belong to it with their names, which begin with `stem`.
    ///
    /// # Errors
    /// A solid has more vertices than mesh files count, or a number is not finite.
    pub fn of_figure(figure: &Figure, stem: &str) -> Result<(Self, Vec<(String, Mesh)>)> {
        let mut taken = HashSet::new();
        let mut meshes = Vec::new();
        let mut segments = Vec::new();
        for (at, segment) in figure.segments().iter().enumerate() {
            let plain = |c: char| if c.is_alphanumeric() || c == '-' { c } else { '_' };
            let name: String = format!("{stem}-{}", segment.name).chars().map(plain).collect();
            let mut file = format!("{name}.mesh");
            // Letter case does not tell files apart everywhere.
            if !taken.insert(file.to_lowercase()) {
                file = format!("{name}-{at}.mesh");
                taken.insert(file.to_lowercase());
            }
            meshes.push((file.clone(), Mesh::of(&segment.solid)?));
            let joint = &segment.joint;
            let is_rotation = |own: &&Freedom| own.kind == FreedomKind::Rotation;
            let children = figure.segments().iter().enumerate();
            let children: Vec<u32> = children
                .filter(|(_, own)| own.parent == Some(at))
                .map(|own| own.0 as u32)
                .collect();
            segments.push(AtmSegment {
                index: at as u32,
                file,
                mass_kg: Some(segment.mass.mass_kg),
                name: Some(segment.name.clone()),
                transforms: Vec::new(),
                parent: segment.parent.map(|parent| parent as u32),
                joint: Some(AtmJoint {
                    name: joint.name.clone(),
                    centre_m: joint.centre_m.coords.into(),
                    rotations: joint.freedoms.iter().filter(is_rotation).count(),
                    freedoms: joint.freedoms.iter().map(freedom).collect(),
                }),
                children: Some(children).filter(|own| !own.is_empty()),
            });
        }
        let atm = Self { name: figure.name.clone(), segments };
        check_finite("atm", atm.numbers())?;
        Ok((atm, meshes))
    }

    /// Every number of masses and joints.
    fn numbers(&self) -> impl Iterator<Item = f64> + '_ {
        let of_freedom = |own: &AtmFreedom| {
            let AtmFreedom { value, axis: [x, y, z], from, to } = *own;
            [value, x, y, z, from, to]
        };
        let joints = self.segments.iter().filter_map(|own| own.joint.as_ref());
        let of_joint = move |joint: &AtmJoint| {
            let freedoms: Vec<f64> = joint.freedoms.iter().flat_map(of_freedom).collect();
            joint.centre_m.into_iter().chain(freedoms)
        };
        self.segments.iter().filter_map(|own| own.mass_kg).chain(joints.flat_map(of_joint))
    }

    /// The file.
    pub fn to_text(&self) -> String {
        let mut text = format!("FIGURE {}\nSEGMENTS {}\n", self.name, self.segments.len());
        for own in &self.segments {
            let _ = writeln!(text, "MESH {} {}", own.index, own.file);
            if let Some(kg) = own.mass_kg {
                line(&mut text, "  MASS", &[kg]);
            }
            if let Some(name) = &own.name {
                let _ = writeln!(text, "  NAME {name}");
            }
            for transform in &own.transforms {
                match transform {
                    Transform::Scale(by) => line(&mut text, "  SCALE_XYZ", by),
                    Transform::Translate(by) => line(&mut text, "  TRANSLATE_XYZ", by),
                    Transform::Rotate(axis, degrees) => {
                        let word = ["  ROTATE_X", "  ROTATE_Y", "  ROTATE_Z"];
                        line(&mut text, word[usize::from(*axis).min(2)], &[*degrees]);
                    }
                }
            }
            if let Some(parent) = own.parent {
                let _ = writeln!(text, "  PARENT {parent}");
            }
            if let Some(joint) = &own.joint {
                write_joint(&mut text, joint);
            }
            if let Some(children) = &own.children {
                let numbers: Vec<String> = children.iter().map(u32::to_string).collect();
                let _ = writeln!(text, "  CHILDREN {} {}", children.len(), numbers.join(" "));
            }
            text.push_str("ENDMESH\n");
        }
        text.push_str("ENDFIGURE\n");
        text
    }
}

/// A freedom in degrees or metres that read back as the same radians.
fn freedom(own: &Freedom) -> AtmFreedom {
    let in_file = |value: f64| match own.kind {
        FreedomKind::Rotation => degrees(value),
        FreedomKind::Translation => value,
    };
    let [from, to] = own.limits.map(in_file);
    AtmFreedom { value: in_file(own.value), axis: own.axis.into_inner().into(), from, to }
}

/// Degrees that read back as the same radians.
pub(in crate::format) fn degrees(radians: f64) -> f64 {
    undo(radians, f64::to_radians, radians.to_degrees())
}

fn write_joint(text: &mut String, joint: &AtmJoint) {
    let _ = writeln!(text, "  JOINT {}", joint.name);
    line(text, "    3", &joint.centre_m);
    if joint.freedoms.is_empty() {
        return;
    }
    let slides = joint.freedoms.len() - joint.rotations;
    let _ = writeln!(text, "    DEGREES_OF_FREEDOM {} {slides}", joint.rotations);
    for AtmFreedom { value, axis, from, to } in &joint.freedoms {
        line(text, "      VALUE", &[*value]);
        line(text, "        3", axis);
        line(text, "        FROM", &[*from]);
        text.pop();
        line(text, " TO", &[*to]);
    }
}

fn line(text: &mut String, word: &str, numbers: &[f64]) {
    text.push_str(word);
    for number in numbers {
        text.push(' ');
        write_number(text, *number);
    }
    text.push('\n');
}
