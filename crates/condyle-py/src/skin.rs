//! Surfaces that go with skeletons.

use condyle::export::{SkinExport, SkinnedMotion};
use condyle::format::solid;
use condyle::hand::{self, Model};
use condyle::mannequin::Mannequin;
use condyle::motion::Motion;
use condyle::skeleton::Skeleton;
use condyle::skin::{self, Blending, Surface};
use condyle::trial::Axis;
use numpy::PyArray2;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::arrays;
use crate::error::{Answer, wrong};
use crate::subject::Subject;
use crate::trial::{PlainNote, Trial, plain};

/// Frames a second of a skeleton that does not say.
const RATE_HZ: f64 = 30.0;

/// A skeleton, how it moves, and which way is up.
#[pyclass(frozen, module = "condyle._condyle")]
pub struct Skeletal {
    motion: Motion,
    rate_hz: f64,
    up: Axis,
    hand: Option<Model>,
}

impl Skeletal {
    fn still(skeleton: Skeleton, hand: Option<Model>) -> Answer<Self> {
        let motion = Motion::new(skeleton, 0, Vec::new())?;
        Ok(Self { motion, rate_hz: RATE_HZ, up: Axis::Z, hand })
    }
}

#[pymethods]
impl Skeletal {
    /// The skeleton of a recording that holds one.
    #[staticmethod]
    fn from_trial(trial: &Bound<'_, Trial>) -> Answer<Self> {
        let trial = &trial.get().0;
        let Some(motion) = trial.motion.clone() else {
            return Err(wrong("skeleton: need a recording with a skeleton, got one without"));
        };
        let rate_hz = if trial.rate_hz > 0.0 { trial.rate_hz } else { RATE_HZ };
        Ok(Self { motion, rate_hz, up: trial.source.up.unwrap_or(Axis::Y), hand: None })
    }

    /// The joints of a subject at rest.
    #[staticmethod]
    fn from_subject(subject: &Bound<'_, Subject>) -> Answer<Self> {
        Self::still(Mannequin::of_subject(&subject.get().0, None)?.skeleton()?, None)
    }

    /// The joints of a hand at rest, from its model's text.
    #[staticmethod]
    fn from_hand(text: &str) -> Answer<Self> {
        let model = Model::from_toml(text)?;
        Self::still(model.skeleton()?, Some(model))
    }

    #[getter]
    fn joints(&self) -> Vec<&str> {
        let joints = self.motion.skeleton().joints().iter();
        joints.map(|joint| joint.name.as_str()).collect()
    }
}

/// A surface bound to a skeleton.
#[pyclass(frozen, module = "condyle._condyle")]
pub struct Skin {
    skin: skin::Skin,
    skeletal: Py<Skeletal>,
    notes: Vec<PlainNote>,
}

fn blending(name: &str) -> Answer<Blending> {
    match name {
        "linear" => Ok(Blending::Linear),
        "dual-quaternion" => Ok(Blending::DualQuaternion),
        _ => Err(wrong(format!("blending: need linear or dual-quaternion, got '{name}'"))),
    }
}

#[pymethods]
impl Skin {
    /// Binds a surface, as the bytes of a PLY, MESH or STL file, or one of our own of about so many vertices.
    #[staticmethod]
    #[pyo3(signature = (skeletal, surface=None, vertices=8000))]
    fn bind(
        py: Python<'_>,
        skeletal: Py<Skeletal>,
        surface: Option<&[u8]>,
        vertices: usize,
    ) -> Answer<Self> {
        let own = skeletal.get();
        let skeleton = own.motion.skeleton();
        let made: condyle::Result<_> = py.detach(|| {
            let (surface, notes) = match (surface, &own.hand) {
                (Some(bytes), _) => {
                    let (own, notes) = solid::read_surface(bytes)?;
                    let surface = Surface::new(&own.vertices_m, &own.triangles)?;
                    surface.check_size(skeleton)?;
                    (surface, notes)
                }
                (None, Some(model)) => (hand::coat(model, vertices)?.surface()?, Vec::new()),
                (None, None) => {
                    (hand::coat_of_skeleton(skeleton, vertices)?.surface()?, Vec::new())
                }
            };
            Ok((skin::Skin::bind(surface, skeleton)?, notes))
        });
        let (skin, notes) = made?;
        Ok(Self { skin, skeletal, notes: plain(&notes) })
    }

    #[getter]
    fn notes(&self) -> Vec<PlainNote> {
        self.notes.clone()
    }

    #[getter]
    fn joints(&self) -> Vec<String> {
        self.skeletal.get().joints().into_iter().map(str::to_owned).collect()
    }

    /// Three vertices each.
    fn triangles<'py>(&self, py: Python<'py>) -> Answer<Bound<'py, PyArray2<u32>>> {
        arrays::own_rows(py, self.skin.surface().triangles().iter().copied())
    }

    /// The four joints of every vertex.
    fn held_by<'py>(&self, py: Python<'py>) -> Answer<Bound<'py, PyArray2<u16>>> {
        arrays::own_rows(py, self.skin.weights().joints.iter().copied())
    }

    /// How much each of them holds it.
    fn weights<'py>(&self, py: Python<'py>) -> Answer<Bound<'py, PyArray2<f64>>> {
        arrays::own_rows(py, self.skin.weights().weights.iter().copied())
    }

    /// Where the vertices are in a frame, or at rest.
    #[pyo3(signature = (frame, blending))]
    fn vertices<'py>(
        &self,
        py: Python<'py>,
        frame: Option<usize>,
        blending: &str,
    ) -> Answer<Bound<'py, PyArray2<f64>>> {
        let blending = self::blending(blending)?;
        let poses = self.skeletal.get().motion.poses(frame)?;
        let moved_m = py.detach(|| self.skin.pose(&poses, blending));
        arrays::own_rows(py, moved_m.into_iter().map(<[f64; 3]>::from))
    }

    /// What came of it in a frame, or at rest, as JSON.
    #[pyo3(signature = (frame))]
    fn summary(&self, frame: Option<usize>) -> Answer<String> {
        let poses = self.skeletal.get().motion.poses(frame)?;
        Ok(serde_json::to_string(&self.skin.summary(&poses))?)
    }

    /// The bytes of a file in a format; those that show one pose show that of a frame, or the one at rest.
    #[pyo3(signature = (format, frame, blending))]
    fn write<'py>(
        &self,
        py: Python<'py>,
        format: &str,
        frame: Option<usize>,
        blending: &str,
    ) -> Answer<Bound<'py, PyBytes>> {
        let export = SkinExport::from_extension(format)
            .ok_or_else(|| wrong(format!("format: need glb, mesh or ply, got '{format}'")))?;
        let blending = self::blending(blending)?;
        let Skeletal { motion, rate_hz, up, .. } = self.skeletal.get();
        let poses = motion.poses(frame)?;
        let bytes = py.detach(|| {
            let skin = &self.skin;
            let shown = skin.surface().with_vertices_m(skin.pose(&poses, blending));
            let own = SkinnedMotion { skin, motion, rate_hz: *rate_hz, up: *up, shown: &shown };
            let mut bytes = Vec::new();
            export.write(&own, &mut bytes).map(|()| bytes)
        })?;
        Ok(PyBytes::new(py, &bytes))
    }
}
