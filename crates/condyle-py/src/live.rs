//! The main job for a stream.

use std::sync::{Mutex, MutexGuard, PoisonError};

use condyle::live::{self, LivePerformer};
use nalgebra::{Isometry3, Point3};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::arrays;
use crate::error::{Answer, wrong};
use crate::job::options;
use crate::performance::Performance;
use crate::subject::Subject;
use crate::trial::{PlainNote, plain};

/// A stream of frames. One frame is taken at a time, whatever threads push it.
#[pyclass(frozen, module = "condyle._condyle")]
pub struct Live(Mutex<Stream>);

struct Stream {
    /// `None` once it is finished.
    live: Option<live::Live>,
    positions_m: Vec<Option<Point3<f64>>>,
    is_of_sensors: bool,
}

/// Kind and how well the centre is known, in words once they are said, and the standard error.
type Certainty = (Option<&'static str>, Option<&'static str>, f64);

impl Stream {
    fn live(&self) -> Answer<&live::Live> {
        self.live.as_ref().ok_or_else(finished)
    }

    fn performer(&self, index: usize) -> Answer<&LivePerformer> {
        let all = self.live()?.performers();
        let none = || wrong(format!("performer: need one below {}, got {index}", all.len()));
        all.get(index).ok_or_else(none)
    }
}

/// A frame that is no array of the right kind.
#[cold]
fn unlike(frame: &Bound<'_, PyAny>) -> PyErr {
    let of = |name| frame.getattr(name).map(|own: Bound<'_, PyAny>| own.to_string());
    let got = match (of("shape"), of("dtype")) {
        (Ok(shape), Ok(dtype)) => format!("one of shape {shape} of {dtype}"),
        _ => frame.get_type().to_string(),
    };
    let what = format!("frame: need an array of two dimensions of float64, got {got}");
    PyTypeError::new_err(what)
}

fn finished() -> crate::error::Failure {
    wrong("live: need a stream that goes on, got one that is finished")
}

impl Live {
    fn stream(&self) -> MutexGuard<'_, Stream> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Live {
    /// Begins a stream of markers, or of sensors.
    #[new]
    #[pyo3(signature = (names, rate_hz, text, subject=None, is_of_sensors=false))]
    fn new(
        names: Vec<String>,
        rate_hz: f64,
        text: &str,
        subject: Option<&Bound<'_, Subject>>,
        is_of_sensors: bool,
    ) -> Answer<Self> {
        let options = options(text, subject.map(Bound::get))?;
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let live = match is_of_sensors {
            true => live::Live::from_sensors(&names, rate_hz, &options)?,
            false => live::Live::new(&names, rate_hz, &options)?,
        };
        let positions_m = Vec::with_capacity(names.len());
        Ok(Self(Mutex::new(Stream { live: Some(live), positions_m, is_of_sensors })))
    }

    /// Takes the next frame, markers × 3 or sensors × 7; how many performers are known.
    fn push(&self, frame: &Bound<'_, PyAny>) -> Answer<usize> {
        let array = frame.cast::<PyArray2<f64>>().map_err(|_| unlike(frame))?;
        let frame = array.try_readonly().map_err(PyErr::from)?;
        let mut stream = self.stream();
        let Stream { live, positions_m, is_of_sensors } = &mut *stream;
        let live = live.as_mut().ok_or_else(finished)?;
        if *is_of_sensors {
            let poses: Vec<Option<Isometry3<f64>>> = arrays::poses(&frame)?;
            return Ok(live.push(&poses)?.len());
        }
        read_frame(&frame, positions_m)?;
        // Python is held meanwhile: to let go of it with the stream locked, another thread that pushes would wait for
        // the stream and this one for Python, for ever.
        Ok(live.push(&*positions_m)?.len())
    }

    #[getter]
    fn frames(&self) -> Answer<usize> {
        Ok(self.stream().live()?.frames())
    }

    #[getter]
    fn performers(&self) -> Answer<usize> {
        Ok(self.stream().live()?.performers().len())
    }

    #[getter]
    fn notes(&self) -> Answer<Vec<PlainNote>> {
        Ok(plain(self.stream().live()?.notes()))
    }

    /// Why the last calibration gave no subject.
    #[getter]
    fn last_fit_error(&self) -> Answer<Option<String>> {
        Ok(self.stream().live()?.last_fit_error().map(ToString::to_string))
    }

    fn subject(&self, performer: usize) -> Answer<Subject> {
        Ok(Subject(self.stream().performer(performer)?.subject().clone()))
    }

    /// Where every joint is in the last frame, joints × 3; NaN where it is not placed.
    fn joints<'py>(&self, py: Python<'py>, performer: usize) -> Answer<Bound<'py, PyArray2<f64>>> {
        let stream = self.stream();
        let joints = stream.performer(performer)?.joints();
        arrays::optional_rows(py, joints.map(|joint| joint.position_m.map(Into::into)))
    }

    /// The three angles of every joint in the last frame, joints × 3.
    fn angles<'py>(&self, py: Python<'py>, performer: usize) -> Answer<Bound<'py, PyArray2<f64>>> {
        let stream = self.stream();
        let joints = stream.performer(performer)?.joints();
        arrays::optional_rows(py, joints.map(|joint| joint.angles_rad))
    }

    /// The standard error of every joint in the last frame.
    fn sds<'py>(&self, py: Python<'py>, performer: usize) -> Answer<Bound<'py, PyArray1<f64>>> {
        let stream = self.stream();
        Ok(PyArray1::from_slice(py, &stream.performer(performer)?.pose().joint_sds_m))
    }

    /// What is known of every joint.
    fn certainties(&self, performer: usize) -> Answer<Vec<Certainty>> {
        let stream = self.stream();
        let one = |own: &live::Certainty| {
            let kind = own.kind.map(condyle::subject::JointKind::name);
            (kind, own.centre_known.map(condyle::subject::CentreKnown::name), own.worst_sd_m)
        };
        Ok(stream.performer(performer)?.certainties().iter().map(one).collect())
    }

    /// Where a marker that is not seen is taken to be, and how far off that may be.
    fn predicted(&self, marker: usize) -> Answer<Option<([f64; 3], f64)>> {
        let found = self.stream().live()?.predicted_m(marker);
        Ok(found.map(|(at_m, sd_m)| (at_m.into(), sd_m)))
    }

    /// Ends the stream: what the main job makes of it.
    fn finish(&self, py: Python<'_>) -> Answer<Performance> {
        let live = self.stream().live.take().ok_or_else(finished)?;
        Ok(Performance::new(py.detach(|| live.finish())?))
    }
}

/// The markers of one frame, into memory that is used again.
fn read_frame(
    frame: &PyReadonlyArray2<'_, f64>,
    positions_m: &mut Vec<Option<Point3<f64>>>,
) -> Answer<()> {
    positions_m.clear();
    match frame.as_slice() {
        Ok(numbers) if frame.as_array().ncols() == 3 => {
            let (rows, _) = numbers.as_chunks::<3>();
            let is_seen = |row: &[f64; 3]| !row.iter().any(|number| number.is_nan());
            positions_m.extend(rows.iter().map(|row| is_seen(row).then(|| Point3::from(*row))));
        }
        _ => positions_m.extend(arrays::points(frame)?),
    }
    Ok(())
}
