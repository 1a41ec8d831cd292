//! Solid figures, and the freedoms of one that follows a recording.

use std::collections::HashMap;
use std::path::Path;

use condyle::export::FigureExport;
use condyle::figure::{self, FigureMotion, FreedomKind};
use condyle::format::gltf::FigureFrames;
use condyle::format::{atm, figure_motion, mesh, solid};
use condyle::mannequin::{self, AnalysisOptions, Mannequin};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde_json::json;

use crate::error::{Answer, wrong};
use crate::performance::Performance;
use crate::subject::Subject;
use crate::trial::{PlainNote, plain};

/// A solid figure.
#[pyclass(frozen, module = "condyle._condyle")]
pub struct Figure {
    figure: figure::Figure,
    height_m: f64,
    notes: Vec<PlainNote>,
}

/// The bytes of some files by their names, the figure first.
type Files<'py> = Vec<(String, Bound<'py, PyBytes>)>;

#[pymethods]
impl Figure {
    /// The figure of a subject.
    #[staticmethod]
    #[pyo3(signature = (subject, weight_kg=None))]
    fn from_subject(
        py: Python<'_>,
        subject: &Bound<'_, Subject>,
        weight_kg: Option<f64>,
    ) -> Answer<Self> {
        let subject = &subject.get().0;
        let own = py.detach(|| Mannequin::of_subject(subject, weight_kg))?;
        Ok(Self { figure: own.figure, height_m: own.height_m, notes: plain(&own.notes) })
    }

    /// The figure of an ATM, MESH, PLY or STL file.
    #[staticmethod]
    fn read_path(py: Python<'_>, path: &str) -> Answer<Self> {
        let (figure, notes) = py.detach(|| solid::read_path(Path::new(path)))?;
        Ok(Self { height_m: figure.height_m(), figure, notes: plain(&notes) })
    }

    /// The same so tall, so heavy, filled with tetrahedra.
    #[pyo3(signature = (height_m=None, weight_kg=None, solid=false))]
    fn changed(
        &self,
        py: Python<'_>,
        height_m: Option<f64>,
        weight_kg: Option<f64>,
        solid: bool,
    ) -> Answer<Self> {
        let mut figure = self.figure.clone();
        if let Some(wanted_m) = height_m {
            figure = figure.scaled(wanted_m / self.height_m);
        }
        if let Some(kg) = weight_kg {
            figure = figure.with_mass_kg(kg);
        }
        if solid {
            figure = py.detach(|| figure.filled())?;
        }
        let height_m = height_m.unwrap_or(self.height_m);
        Ok(Self { figure, height_m, notes: self.notes.clone() })
    }

    #[getter]
    fn name(&self) -> &str {
        &self.figure.name
    }

    #[getter]
    fn height_m(&self) -> f64 {
        self.height_m
    }

    #[getter]
    fn mass_kg(&self) -> f64 {
        self.figure.mass_kg()
    }

    #[getter]
    fn notes(&self) -> Vec<PlainNote> {
        self.notes.clone()
    }

    /// Masses, moments and freedoms of every segment, as JSON.
    fn segments(&self) -> Answer<String> {
        Ok(serde_json::to_string(&self.figure.summary())?)
    }

    /// The bytes of a file in a format, with a motion; how many values were held at their limits.
    #[pyo3(signature = (format, motion=None, rate_hz=30.0))]
    fn write<'py>(
        &self,
        py: Python<'py>,
        format: &str,
        motion: Option<&[u8]>,
        rate_hz: f64,
    ) -> Answer<(Bound<'py, PyBytes>, usize)> {
        let export = FigureExport::from_extension(format).ok_or_else(|| {
            wrong(format!("format: need atm, mesh, meshb, ply, stl or glb, got '{format}'"))
        })?;
        if motion.is_some() && export != FigureExport::Glb {
            return Err(wrong(format!("motion: need format glb, got '{format}'")));
        }
        let motion = motion.map(|bytes| figure_motion::read(bytes, &self.figure)).transpose()?;
        let (bytes, held) = py.detach(|| self.bytes(export, motion.as_ref(), rate_hz))?;
        Ok((PyBytes::new(py, &bytes), held))
    }

    /// The bytes of an ATM file and of the meshes that belong beside it, whose names begin with `stem`.
    fn atm<'py>(&self, py: Python<'py>, stem: &str) -> Answer<Files<'py>> {
        let (own, meshes) = atm::Atm::of_figure(&self.figure, stem)?;
        let mut files = vec![(format!("{stem}.atm"), PyBytes::new(py, own.to_text().as_bytes()))];
        for (name, own) in meshes {
            let mut bytes = Vec::new();
            mesh::write(&own, mesh::Storage::Text, &mut bytes)?;
            files.push((name, PyBytes::new(py, &bytes)));
        }
        Ok(files)
    }
}

impl Figure {
    fn bytes(
        &self,
        export: FigureExport,
        motion: Option<&FigureMotion>,
        rate_hz: f64,
    ) -> condyle::Result<(Vec<u8>, usize)> {
        let moved = motion.map(|motion| motion.frames(&self.figure, rate_hz)).transpose()?;
        let frames = moved
            .as_ref()
            .map(|moved| FigureFrames { world_from_rest: &moved.world_from_rest, rate_hz });
        let mut bytes = Vec::new();
        export.write(&self.figure, frames, &mut bytes)?;
        Ok((bytes, moved.map_or(0, |moved| moved.held)))
    }
}

/// The motion of a figure that follows a performer, as a file; how well each freedom fits, as JSON; what does not fit.
#[pyfunction]
pub fn analyse<'py>(
    py: Python<'py>,
    figure: &Bound<'_, Figure>,
    performance: &Bound<'_, Performance>,
    window_s: [f64; 2],
    order: usize,
    names: HashMap<String, String>,
) -> Answer<(Bound<'py, PyBytes>, String, Vec<PlainNote>)> {
    let figure = &figure.get().figure;
    let performance = &performance.get().found;
    let Some(performer) = performance.performers.first() else {
        return Err(wrong("performers: need one, got none"));
    };
    let options = AnalysisOptions { window_s, order, names };
    let found = py.detach(|| mannequin::analyse(figure, performance, performer, &options))?;
    let freedoms = found.freedoms.iter().map(|own| {
        json!({
            "segment": own.segment,
            "freedom": own.freedom,
            "unit": if own.kind == FreedomKind::Rotation { "rad" } else { "m" },
            "residual": own.residual,
            "prediction": own.prediction,
        })
    });
    let freedoms = serde_json::to_string(&freedoms.collect::<Vec<_>>())?;
    let mut bytes = Vec::new();
    figure_motion::write(&found.motion, figure, &mut bytes)?;
    Ok((PyBytes::new(py, &bytes), freedoms, plain(&found.notes)))
}
