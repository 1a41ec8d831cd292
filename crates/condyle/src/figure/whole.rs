//! A figure as a whole: how tall it is, its outside, its segments filled, its motion in frames.

use nalgebra::Isometry3;

use super::taylor::FigureMotion;
use super::tree::Figure;
use crate::error::{Error, Result};
use crate::solid::{ClosedSurface, FillMethod, Solid, TriangleMesh};

/// So many frames of a motion are made at most.
const MOST_FRAMES: f64 = 1e6;

/// A motion in frames.
#[derive(Debug, Clone, PartialEq)]
pub struct MovedFigure {
    /// For every frame how every segment moved since it was at rest.
    pub world_from_rest: Vec<Vec<Isometry3<f64>>>,
    /// How many values were outside the limits of their freedoms, and held there.
    pub held: usize,
}

impl Figure {
    /// How far it reaches along z at rest.
    pub fn height_m(&self) -> f64 {
        let vertices = self.segments().iter().flat_map(|own| own.solid.vertices_m());
        let none = [f64::INFINITY, f64::NEG_INFINITY];
        let [low, high] =
            vertices.fold(none, |[low, high], at_m| [low.min(at_m.z), high.max(at_m.z)]);
        high - low
    }

    /// The outside of all segments at rest.
    pub fn surface(&self) -> TriangleMesh {
        let mut all = TriangleMesh::default();
        for own in self.segments() {
            let first = all.vertices_m.len() as u32;
            all.vertices_m.extend_from_slice(own.solid.vertices_m());
            let moved = own.solid.triangles().iter().map(|corners| corners.map(|at| first + at));
            all.triangles.extend(moved);
        }
        all
    }

    /// The tetrahedra of all segments at rest, by the vertices of [`Figure::surface`]; none of a segment that has none.
    pub fn tetrahedra(&self) -> Vec<[u32; 4]> {
        let mut all = Vec::new();
        let mut first = 0;
        for own in self.segments() {
            let rows = own.solid.tetrahedra().map_or(&[][..], |mesh| mesh.tetrahedra());
            all.extend(rows.iter().map(|corners| corners.map(|at| first + at)));
            first += own.solid.vertices_m().len() as u32;
        }
        all
    }

    /// The same figure with tetrahedra in every segment.
    ///
    /// # Errors
    /// The surface of a segment cannot be filled.
    pub fn filled(self) -> Result<Self> {
        let name = self.name.clone();
        let mut segments = self.segments().to_vec();
        for segment in &mut segments {
            if segment.solid.tetrahedra().is_some() {
                continue;
            }
            let (vertices_m, triangles) = (segment.solid.vertices_m(), segment.solid.triangles());
            let wrong =
                |what: String| Error::undetermined(format!("segment '{}': {what}", segment.name));
            let surface = ClosedSurface::new(vertices_m.to_vec(), triangles.to_vec());
            let surface = surface.map_err(|fault| wrong(fault.to_string()))?;
            let mesh = surface.fill(FillMethod::Any).map_err(|fault| wrong(fault.to_string()))?;
            segment.solid = Solid::try_from(mesh).map_err(|fault| wrong(fault.to_string()))?;
        }
        Self::new(name, segments)
    }
}

impl FigureMotion {
    /// The motion of a figure from its first window to its last, so many frames a second.
    ///
    /// # Errors
    /// A motion without windows, more frames than a million, or freedoms that the figure has not.
    pub fn frames(&self, figure: &Figure, rate_hz: f64) -> Result<MovedFigure> {
        let Some([from, to]) = self.span_s() else {
            return Err(Error::argument("motion: need a window, got none"));
        };
        let frames = ((to - from) * rate_hz).floor() + 1.0;
        if frames.is_nan() || frames > MOST_FRAMES {
            let what = format!("motion: need at most {MOST_FRAMES:e} frames, got {frames:e}");
            return Err(Error::argument(what));
        }
        let mut pose = figure.rest_pose();
        let mut values = Vec::new();
        let mut made = MovedFigure { world_from_rest: Vec::new(), held: 0 };
        for frame in 0..frames as usize {
            self.values(figure, from + frame as f64 / rate_hz, &mut values)?;
            figure.pose(&values, &mut pose);
            made.held += pose.clamped;
            made.world_from_rest.push(pose.figure_from_rest.clone());
        }
        Ok(made)
    }
}
