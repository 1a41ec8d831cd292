//! A recording: its markers as views, its other parts as plain data.

use std::path::Path;

use condyle::format::{self, ReadOptions};
use condyle::trial::{Axis, Body, Channel, Format, LengthUnit, Marker, Note, Source, edit};
use condyle::{orientation, resample, trial};
use numpy::{PyArray1, PyArray2, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::arrays;
use crate::error::{Answer, wrong};

/// A note: code, text, what it is about, frame.
pub type PlainNote = (String, String, Option<String>, Option<usize>);

/// Notes as plain data.
pub fn plain(notes: &[Note]) -> Vec<PlainNote> {
    let one = |note: &Note| {
        (note.code.clone().into_owned(), note.text.clone(), note.about.clone(), note.frame)
    };
    notes.iter().map(one).collect()
}

/// One recording, which does not change.
#[pyclass(frozen, module = "condyle._condyle")]
pub struct Trial(pub trial::Trial);

impl Trial {
    /// A recording whose columns clones share, and arrays look into.
    pub fn new(mut trial: trial::Trial) -> Self {
        trial.markers.iter_mut().for_each(Marker::share_columns);
        Self(trial)
    }

    fn marker(&self, index: usize) -> Answer<&Marker> {
        let count = self.0.markers.len();
        self.0
            .markers
            .get(index)
            .ok_or_else(|| wrong(format!("marker: need one below {count}, got {index}")))
    }

    fn channel(&self, index: usize) -> Answer<&Channel> {
        let count = self.0.channels.len();
        self.0
            .channels
            .get(index)
            .ok_or_else(|| wrong(format!("channel: need one below {count}, got {index}")))
    }

    fn body(&self, index: usize) -> Answer<&Body> {
        let count = self.0.bodies.len();
        self.0
            .bodies
            .get(index)
            .ok_or_else(|| wrong(format!("body: need one below {count}, got {index}")))
    }

    /// The same recording, changed.
    fn edited<E>(
        &self,
        py: Python<'_>,
        edit: impl FnOnce(trial::Trial) -> Result<trial::Trial, E> + Send,
    ) -> Answer<Self>
    where
        E: Send,
        crate::error::Failure: From<E>,
    {
        Ok(py.detach(|| edit(self.0.clone()).map(Self::new))?)
    }
}

/// The word for a format by its extension.
fn format_of(name: &str) -> Answer<Format> {
    let found = Format::from_extension(&name.to_ascii_lowercase());
    found.ok_or_else(|| {
        wrong(format!("format: need c3d, trc, csv, bvh, glb, sto or mot, got '{name}'"))
    })
}

#[pymethods]
impl Trial {
    /// Reads a file; options are those of the library, as JSON.
    #[staticmethod]
    fn read_path(py: Python<'_>, path: &str, options: &str) -> Answer<Self> {
        let options: ReadOptions = serde_json::from_str(options)?;
        Ok(py.detach(|| format::read_path(Path::new(path), &options).map(Self::new))?)
    }

    /// Reads a recording from memory.
    #[staticmethod]
    fn read_bytes(py: Python<'_>, bytes: &[u8], options: &str) -> Answer<Self> {
        let options: ReadOptions = serde_json::from_str(options)?;
        Ok(py.detach(|| format::read_bytes(bytes, &options).map(Self::new))?)
    }

    /// A recording of markers, each an array frames × 3 in metres.
    #[staticmethod]
    fn of_markers(
        markers: Vec<(String, PyReadonlyArray2<'_, f64>)>,
        rate_hz: f64,
        up: Option<&str>,
    ) -> Answer<Self> {
        if !(rate_hz.is_finite() && rate_hz >= 0.0) {
            return Err(wrong(format!("rate_hz: need a number from 0 up, got {rate_hz}")));
        }
        let marker = |(label, array): &(String, PyReadonlyArray2<'_, f64>)| {
            Ok(Marker::from_positions(label.as_str(), arrays::points(array)?))
        };
        let markers = markers.iter().map(marker).collect::<Answer<Vec<Marker>>>()?;
        let mut trial = trial::Trial::from_tracks(Format::Csv, rate_hz, markers, Vec::new())?;
        trial.source.up = up.map(str::parse::<Axis>).transpose().map_err(wrong)?;
        Ok(Self::new(trial))
    }

    /// The same recording with a channel more.
    fn with_channel(
        &self,
        label: &str,
        unit: &str,
        rate_hz: f64,
        values: Vec<f64>,
    ) -> Answer<Self> {
        let mut trial = self.0.clone();
        trial.channels.push(Channel::from_values(label, unit, rate_hz, values));
        Ok(Self::new(trial))
    }

    #[getter]
    fn rate_hz(&self) -> f64 {
        self.0.rate_hz
    }

    #[getter]
    fn frames(&self) -> usize {
        self.0.frames
    }

    #[getter]
    fn first_frame(&self) -> i64 {
        self.0.first_frame
    }

    #[getter]
    fn start_s(&self) -> f64 {
        self.0.start_s
    }

    #[getter]
    fn subjects(&self) -> Vec<String> {
        self.0.subjects.clone()
    }

    /// The format, the unit that lengths are written in, and the axis that is up.
    #[getter]
    fn source(&self) -> (String, String, Option<String>) {
        let Source { format, unit, up, .. } = &self.0.source;
        (format.to_string(), unit.to_string(), up.map(|up| up.to_string()))
    }

    #[getter]
    fn labels(&self) -> Vec<&str> {
        self.0.labels()
    }

    #[getter]
    fn notes(&self) -> Vec<PlainNote> {
        plain(&self.0.notes)
    }

    /// Label, context, subject and time of every event.
    #[getter]
    fn events(&self) -> Vec<(String, String, String, f64)> {
        let one = |event: &trial::Event| {
            (event.label.clone(), event.context.clone(), event.subject.clone(), event.time_s)
        };
        self.0.events.iter().map(one).collect()
    }

    /// The positions of a marker, frames × 3, a view; NaN where missing.
    fn positions<'py>(slf: &Bound<'py, Self>, marker: usize) -> Answer<Bound<'py, PyArray2<f64>>> {
        let axes = slf.get().marker(marker)?.axes_m();
        let axes = axes.ok_or_else(|| wrong("markers: their axes lie apart"))?;
        arrays::axes(axes, slf.as_any())
    }

    /// Where each of its samples came from: 0 missing, 1 measured, 2 filled, 3 predicted; a view.
    fn origin<'py>(slf: &Bound<'py, Self>, marker: usize) -> Answer<Bound<'py, PyArray1<u8>>> {
        Ok(arrays::column(slf.get().marker(marker)?.origin_bytes(), slf.as_any()))
    }

    /// How far each of its estimated samples may be off, zero of measured ones; a view, empty if none is estimated.
    fn sds<'py>(slf: &Bound<'py, Self>, marker: usize) -> Answer<Bound<'py, PyArray1<f32>>> {
        Ok(arrays::column(slf.get().marker(marker)?.sds_m(), slf.as_any()))
    }

    /// The residuals that the file has of it, NaN where it has none.
    fn residuals<'py>(slf: &Bound<'py, Self>, marker: usize) -> Answer<Bound<'py, PyArray1<f64>>> {
        let marker = slf.get().marker(marker)?;
        let residuals = (0..marker.frames()).map(|frame| marker.residual_m(frame).map(f64::from));
        Ok(arrays::optional_column(slf.py(), residuals))
    }

    /// Label, description, unit, rate, scale and offset of every channel.
    #[getter]
    fn channels(&self) -> Vec<(String, String, String, f64, f64, f64)> {
        let one = |own: &Channel| {
            let words = [&own.label, &own.description, &own.unit].map(Clone::clone);
            let [label, description, unit] = words;
            (label, description, unit, own.rate_hz, own.scale, own.offset)
        };
        self.0.channels.iter().map(one).collect()
    }

    /// The stored numbers of a channel, a view.
    fn raw<'py>(slf: &Bound<'py, Self>, channel: usize) -> Answer<Bound<'py, PyArray1<f64>>> {
        Ok(arrays::column(&slf.get().channel(channel)?.raw, slf.as_any()))
    }

    #[getter]
    fn bodies(&self) -> Vec<&str> {
        self.0.bodies.iter().map(|body| body.name.as_str()).collect()
    }

    /// The poses of a body, frames × 7: x, y, z, qw, qx, qy, qz; NaN where missing.
    fn poses<'py>(slf: &Bound<'py, Self>, body: usize) -> Answer<Bound<'py, PyArray2<f64>>> {
        let body = slf.get().body(body)?;
        let row = |frame: usize| {
            let pose = body.world_from_body(frame)?;
            let (at, q) = (pose.translation.vector, pose.rotation.quaternion());
            Some([at.x, at.y, at.z, q.w, q.i, q.j, q.k])
        };
        arrays::optional_rows(slf.py(), (0..body.frames()).map(row))
    }

    /// The joints of a skeleton that the file holds solved: name and parent.
    #[getter]
    fn skeleton(&self) -> Vec<(String, Option<usize>)> {
        crate::motion::joints(&self.0)
    }

    /// Where a joint of that skeleton is, frames × 3.
    fn skeleton_positions<'py>(
        slf: &Bound<'py, Self>,
        joint: usize,
    ) -> Answer<Bound<'py, PyArray2<f64>>> {
        crate::motion::positions(slf.py(), &slf.get().0, joint)
    }

    /// The axis that points up and the way that performers face, each with how sure that is.
    fn infer_orientation(&self, py: Python<'_>) -> [Option<(String, f64)>; 2] {
        let found = py.detach(|| orientation::infer(&self.0));
        [found.up, found.forward]
            .map(|axis| axis.map(|axis| (axis.axis.to_string(), axis.confidence)))
    }

    /// Some of the markers, by labels or patterns.
    fn with_markers(&self, py: Python<'_>, patterns: Vec<String>) -> Answer<Self> {
        self.edited(py, |trial| edit::with_markers(trial, &patterns))
    }

    /// Some of the frames, counted from 0, the last left out.
    fn with_frames(&self, py: Python<'_>, first: usize, end: usize) -> Answer<Self> {
        self.edited(py, |trial| edit::with_frames(trial, first..end))
    }

    /// Turned so that this axis is up.
    fn with_up(&self, py: Python<'_>, up: &str) -> Answer<Self> {
        let up = up.parse::<Axis>().map_err(wrong)?;
        self.edited(py, |trial| edit::with_up(trial, up))
    }

    /// Lengths in another unit when it is written.
    fn with_unit(&self, py: Python<'_>, unit: &str) -> Answer<Self> {
        let unit = unit.parse::<LengthUnit>().map_err(wrong)?;
        self.edited(py, |trial| Ok::<_, condyle::Error>(edit::with_unit(trial, unit)))
    }

    /// Left-handed axes made right-handed.
    fn mirrored(&self, py: Python<'_>) -> Answer<Self> {
        self.edited(py, |trial| Ok::<_, condyle::Error>(edit::mirrored(trial)))
    }

    /// All lengths by a factor.
    fn scaled(&self, py: Python<'_>, factor: f64) -> Answer<Self> {
        if !(factor.is_finite() && factor > 0.0) {
            return Err(wrong(format!("factor: need a positive number, got {factor}")));
        }
        self.edited(py, |trial| Ok::<_, condyle::Error>(edit::scaled(trial, factor)))
    }

    /// Another rate.
    fn resampled(&self, py: Python<'_>, rate_hz: f64) -> Answer<Self> {
        self.edited(py, |trial| resample::resample(trial, rate_hz))
    }

    /// The bytes of a file in a format, and what it cannot hold.
    fn write<'py>(
        &self,
        py: Python<'py>,
        format: &str,
    ) -> Answer<(Bound<'py, PyBytes>, Vec<PlainNote>)> {
        let format = format_of(format)?;
        let mut bytes = Vec::new();
        let notes = py.detach(|| format::write(&self.0, format, &mut bytes))?;
        Ok((PyBytes::new(py, &bytes), plain(&notes)))
    }
}

/// The format of some bytes.
#[pyfunction]
pub fn sniff(bytes: &[u8]) -> Answer<String> {
    Ok(format::sniff(bytes)?.to_string())
}

/// The options of reading, as JSON.
#[pyfunction]
pub fn default_read_options() -> Answer<String> {
    Ok(serde_json::to_string(&ReadOptions::default())?)
}
