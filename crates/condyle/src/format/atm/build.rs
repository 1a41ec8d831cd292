//! A figure from an ATM file and its meshes.

use std::collections::HashMap;

use nalgebra::{Point3, Rotation3, Unit, Vector3};

use super::{Atm, AtmJoint, Transform};
use crate::error::{Error, ErrorKind, Result};
use crate::figure::{DENSITY_KG_M3, Figure, Freedom, FreedomKind, Joint, Segment};
use crate::format::{mesh, ply};
use crate::note::Note;
use crate::solid::{ClosedSurface, Solid};

/// A solid from a file, MESH or PLY, with what was odd.
pub(super) fn read_mesh(bytes: &[u8]) -> Result<(Solid, Vec<Note>)> {
    if bytes.is_empty() {
        return Err(ErrorKind::Empty.into());
    }
    if ply::is_ply(bytes) {
        let (surface, notes) = ply::read(bytes)?;
        let closed = ClosedSurface::new(surface.vertices_m, surface.triangles)
            .map_err(|fault| Error::malformed(fault.to_string()))?;
        return Ok((closed.into(), notes));
    }
    let (mesh, notes) = mesh::read(bytes)?;
    Ok((mesh.solid()?, notes))
}

impl Atm {
    /// The figure, its solids from `solid_of`, which is given the name of a file.
    ///
    /// # Errors
    /// A solid cannot be had, or is no solid after what is done to it.
    pub fn figure(&self, mut solid_of: impl FnMut(&str) -> Result<Solid>) -> Result<Figure> {
        let order = self.parents_first();
        let mut place: HashMap<u32, usize> = HashMap::new();
        let mut read: HashMap<&str, Solid> = HashMap::new();
        let mut segments: Vec<Segment> = Vec::new();
        for own in order.into_iter().map(|at| &self.segments[at]) {
            let solid = match read.get(own.file.as_str()) {
                Some(solid) => solid,
                None => {
                    let solid = solid_of(&own.file)?;
                    read.entry(&own.file).or_insert(solid)
                }
            };
            let solid = solid.mapped(|vertex_m| moved(&own.transforms, *vertex_m));
            let mass = solid.mass_properties(DENSITY_KG_M3);
            let mass = own.mass_kg.map_or(mass, |kg| mass.with_mass_kg(kg));
            let numbers = mass.inertia_kg_m2.iter().chain(mass.centre_of_mass_m.iter());
            let name = own.name.clone().unwrap_or_else(|| format!("segment {}", own.index));
            if !numbers.chain([&mass.mass_kg]).all(|number| number.is_finite()) {
                let what = format!("segment '{name}': need finite vertices, got others");
                return Err(Error::malformed(what));
            }
            place.insert(own.index, segments.len());
            segments.push(Segment {
                name,
                parent: own.parent.and_then(|parent| place.get(&parent).copied()),
                solid,
                mass,
                joint: own.joint.as_ref().map_or_else(Joint::default, joint),
            });
        }
        Figure::new(self.name.clone(), segments)
    }

    /// The places of the segments, parents before children, otherwise as in the file.
    fn parents_first(&self) -> Vec<usize> {
        let mut children: HashMap<Option<u32>, Vec<usize>> = HashMap::new();
        for (at, own) in self.segments.iter().enumerate() {
            children.entry(own.parent).or_default().push(at);
        }
        let mut order = Vec::new();
        let mut waiting = children.remove(&None).unwrap_or_default();
        waiting.reverse();
        while let Some(at) = waiting.pop() {
            order.push(at);
            let below = children.remove(&Some(self.segments[at].index)).unwrap_or_default();
            waiting.extend(below.into_iter().rev());
        }
        order
    }
}

fn joint(own: &AtmJoint) -> Joint {
    let freedom = |(at, freedom): (usize, &super::AtmFreedom)| {
        let kind = match at < own.rotations {
            true => FreedomKind::Rotation,
            false => FreedomKind::Translation,
        };
        let in_file = |value: f64| match kind {
            FreedomKind::Rotation => value.to_radians(),
            FreedomKind::Translation => value,
        };
        Freedom {
            kind,
            axis: Unit::new_normalize(Vector3::from(freedom.axis)),
            limits: [in_file(freedom.from), in_file(freedom.to)],
            value: in_file(freedom.value),
        }
    };
    Joint {
        name: own.name.clone(),
        centre_m: Point3::from(own.centre_m),
        freedoms: own.freedoms.iter().enumerate().map(freedom).collect(),
    }
}

fn moved(transforms: &[Transform], vertex_m: Point3<f64>) -> Point3<f64> {
    transforms.iter().fold(vertex_m, |vertex_m, transform| match *transform {
        Transform::Scale(by) => Point3::from(vertex_m.coords.component_mul(&Vector3::from(by))),
        Transform::Translate(by) => vertex_m + Vector3::from(by),
        Transform::Rotate(axis, degrees) => {
            let axis = Unit::new_unchecked(Vector3::ith(usize::from(axis.min(2)), 1.0));
            Rotation3::from_axis_angle(&axis, degrees.to_radians()) * vertex_m
        }
    })
}
