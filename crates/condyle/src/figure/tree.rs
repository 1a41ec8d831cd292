//! Segments, joints and freedoms.

use nalgebra::{Point3, Unit, Vector3};

use crate::error::{Error, Result};
use crate::solid::{MassProperties, Solid};

/// Segments in a tree.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// Its name.
    pub name: String,
    segments: Vec<Segment>,
    /// For every segment the first of its freedoms among all, and at last how many there are.
    first_freedom: Vec<usize>,
}

/// A rigid body that hangs on another.
#[derive(Debug, Clone, PartialEq)]
pub struct Segment {
    /// Its name.
    pub name: String,
    /// What it hangs on, before it among the segments; `None` of the root.
    pub parent: Option<usize>,
    /// What it is made of, in the axes of the figure at rest.
    pub solid: Solid,
    /// Its mass and inertia, in the axes of the figure at rest.
    pub mass: MassProperties,
    /// How it moves against its parent, or the root against the figure.
    pub joint: Joint,
}

/// Where a segment moves against its parent.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Joint {
    /// Its name.
    pub name: String,
    /// The centre of rotation, in the axes of the figure at rest.
    pub centre_m: Point3<f64>,
    /// Rotations, then translations. Of the rotations the first is outermost: it turns the axes of those after it.
    pub freedoms: Vec<Freedom>,
}

/// One way in which a joint moves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Freedom {
    /// Whether it turns or slides.
    pub kind: FreedomKind,
    /// About or along what, in the axes of the figure at rest.
    pub axis: Unit<Vector3<f64>>,
    /// The least and the most it may be, in radians or metres.
    pub limits: [f64; 2],
    /// What it is where nothing moves it, in radians or metres.
    pub value: f64,
}

/// Whether a freedom turns or slides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FreedomKind {
    /// It turns, in radians.
    Rotation,
    /// It slides, in metres.
    Translation,
}

impl Figure {
    /// A figure of segments, parents before children.
    ///
    /// # Errors
    /// No segment or two of one name, no root or two, a parent that does not come before its child, a mass that is not
    /// positive, translations before rotations, limits in the wrong order, or a number that is not finite.
    pub fn new(name: impl Into<String>, segments: Vec<Segment>) -> Result<Self> {
        let mut first_freedom = vec![0];
        for (at, segment) in segments.iter().enumerate() {
            let wrong =
                |what: String| Err(Error::argument(format!("segment '{}': {what}", segment.name)));
            match segment.parent {
                None if at > 0 => return wrong("need one root, got another".to_owned()),
                Some(parent) if parent >= at => {
                    return wrong(format!("need a parent before it, got {parent} of {at}"));
                }
                _ => {}
            }
            if segments[..at].iter().any(|other| other.name == segment.name) {
                return wrong("need its name once, got it twice".to_owned());
            }
            let mass_kg = segment.mass.mass_kg;
            if !(mass_kg > 0.0 && mass_kg.is_finite()) {
                return wrong(format!("need a positive mass, got {mass_kg} kg"));
            }
            if !segment.joint.centre_m.iter().all(|x| x.is_finite()) {
                return wrong("need a finite joint".to_owned());
            }
            if !segment.joint.freedoms.is_sorted_by_key(|freedom| freedom.kind) {
                return wrong("need rotations before translations".to_owned());
            }
            for Freedom { axis, limits: [from, to], value, .. } in &segment.joint.freedoms {
                let is_sound =
                    from <= to && value.is_finite() && axis.iter().all(|x| x.is_finite());
                if !is_sound {
                    return wrong(format!("need limits in order, got {from} to {to}"));
                }
            }
            first_freedom.push(first_freedom[at] + segment.joint.freedoms.len());
        }
        if segments.is_empty() {
            return Err(Error::argument("segments: need 1, got none"));
        }
        Ok(Self { name: name.into(), segments, first_freedom })
    }

    /// The segments, parents before children.
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// How many freedoms all joints have together.
    pub fn freedom_count(&self) -> usize {
        self.first_freedom[self.segments.len()]
    }

    /// Which of all freedoms are those of a segment; none if there is no such segment.
    pub fn freedoms_of(&self, segment: usize) -> std::ops::Range<usize> {
        match self.first_freedom.get(segment..=segment.saturating_add(1)) {
            Some(&[first, end]) => first..end,
            _ => 0..0,
        }
    }

    /// All freedoms, in the order of the segments.
    pub fn freedoms(&self) -> impl Iterator<Item = &Freedom> {
        self.segments.iter().flat_map(|segment| &segment.joint.freedoms)
    }

    /// The values that freedoms have where nothing moves them.
    pub fn values(&self) -> Vec<f64> {
        self.freedoms().map(|freedom| freedom.value).collect()
    }

    /// The segment of a name.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.segments.iter().position(|segment| segment.name == name)
    }

    /// What all segments weigh together.
    pub fn mass_kg(&self) -> f64 {
        self.segments.iter().map(|segment| segment.mass.mass_kg).sum()
    }

    /// The same figure with another mass, its distribution kept.
    #[must_use]
    pub fn with_mass_kg(mut self, mass_kg: f64) -> Self {
        let scale = mass_kg / self.mass_kg();
        for segment in &mut self.segments {
            segment.mass = segment.mass.with_mass_kg(segment.mass.mass_kg * scale);
        }
        self
    }

    /// The same figure so many times as large, its masses kept.
    #[must_use]
    pub fn scaled(mut self, factor: f64) -> Self {
        for segment in &mut self.segments {
            let grow = |point_m: &Point3<f64>| Point3::from(point_m.coords * factor);
            segment.solid = segment.solid.mapped(grow);
            let mass = &mut segment.mass;
            mass.volume_m3 *= factor.powi(3);
            mass.centroid_m = grow(&mass.centroid_m);
            mass.centre_of_mass_m = grow(&mass.centre_of_mass_m);
            mass.inertia_kg_m2 *= factor * factor;
            segment.joint.centre_m = grow(&segment.joint.centre_m);
            let slides = segment.joint.freedoms.iter_mut();
            for slide in slides.filter(|own| own.kind == FreedomKind::Translation) {
                slide.limits = slide.limits.map(|limit| limit * factor);
                slide.value *= factor;
            }
        }
        self
    }
}
