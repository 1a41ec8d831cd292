//! Masses, moments and freedoms in words, as docs/figure.md has them.

use serde::Serialize;

use super::tree::{Figure, Freedom, FreedomKind};

/// A segment: its mass and its freedoms.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SegmentSummary {
    /// Its name.
    pub name: String,
    /// What it hangs on.
    pub parent: Option<String>,
    /// What it weighs.
    pub mass_kg: f64,
    /// How much room it takes.
    pub volume_m3: f64,
    /// Where its centre of mass is at rest.
    pub centre_of_mass_m: [f64; 3],
    /// Its moments of inertia about its principal axes.
    pub principal_moments_kgm2: [f64; 3],
    /// Those axes.
    pub principal_axes: Vec<[f64; 3]>,
    /// How its joint moves.
    pub freedoms: Vec<FreedomSummary>,
}

/// A freedom, in degrees or metres.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct FreedomSummary {
    /// `rotation` or `translation`.
    pub kind: &'static str,
    /// `deg` or `m`.
    pub unit: &'static str,
    /// About or along what, at rest.
    pub axis: [f64; 3],
    /// The least that it may be.
    pub from: f64,
    /// The most that it may be.
    pub to: f64,
    /// What it is where nothing moves it.
    pub value: f64,
}

impl From<&Freedom> for FreedomSummary {
    fn from(own: &Freedom) -> Self {
        let is_turn = own.kind == FreedomKind::Rotation;
        let in_words = |value: f64| if is_turn { value.to_degrees() } else { value };
        Self {
            kind: if is_turn { "rotation" } else { "translation" },
            unit: if is_turn { "deg" } else { "m" },
            axis: [own.axis.x, own.axis.y, own.axis.z],
            from: in_words(own.limits[0]),
            to: in_words(own.limits[1]),
            value: in_words(own.value),
        }
    }
}

impl Figure {
    /// Masses, moments and freedoms of every segment.
    pub fn summary(&self) -> Vec<SegmentSummary> {
        let one = |own: &super::Segment| {
            let principal = own.mass.principal_axes();
            let axes = principal.axes.matrix();
            let centre_m = own.mass.centre_of_mass_m;
            let moments = principal.moments_kg_m2;
            SegmentSummary {
                name: own.name.clone(),
                parent: own.parent.map(|at| self.segments()[at].name.clone()),
                mass_kg: own.mass.mass_kg,
                volume_m3: own.mass.volume_m3,
                centre_of_mass_m: [centre_m.x, centre_m.y, centre_m.z],
                principal_moments_kgm2: [moments.x, moments.y, moments.z],
                principal_axes: axes.column_iter().map(|a| [a[0], a[1], a[2]]).collect(),
                freedoms: own.joint.freedoms.iter().map(FreedomSummary::from).collect(),
            }
        };
        self.segments().iter().map(one).collect()
    }
}
