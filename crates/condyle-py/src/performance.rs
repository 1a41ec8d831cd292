//! What the main job found in a recording: views of its motion, and files of it.

use condyle::angles::JointAngles;
use condyle::export::{self, Export};
use condyle::job::{self, SolvedPerformer};
use condyle::physics::Physics;
use condyle::solve::{PlacedBy, PointTrack, SegmentTrack};
use condyle::trial::{Format, LengthUnit};
use condyle::{format, opensim, robotics};
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde_json::json;

use crate::arrays;
use crate::error::{Answer, wrong};
use crate::subject::Subject;
use crate::trial::{PlainNote, Trial, plain};

/// A recording and what was found in it, which does not change.
#[pyclass(frozen, module = "condyle._condyle")]
pub struct Performance {
    /// As the library has it.
    pub found: job::Performance,
    /// A byte a frame of how every joint of every performer was placed.
    joints_placed: Vec<Vec<Vec<u8>>>,
}

/// The three names, their OpenSim columns, the convention, the zero, the cutoff.
type AngleWords = ([&'static str; 3], [String; 3], String, String, Option<f64>);

fn bytes_of(track: &PointTrack) -> Vec<u8> {
    track.placed().iter().map(|placed: &PlacedBy| *placed as u8).collect()
}

impl Performance {
    /// What the job found.
    pub fn new(found: job::Performance) -> Self {
        let of = |performer: &SolvedPerformer| {
            performer.motion.joints().iter().map(bytes_of).collect::<Vec<_>>()
        };
        let joints_placed = found.performers.iter().map(of).collect();
        Self { found, joints_placed }
    }

    fn performer(&self, index: usize) -> Answer<&SolvedPerformer> {
        let count = self.found.performers.len();
        let none = || wrong(format!("performer: need one below {count}, got {index}"));
        self.found.performers.get(index).ok_or_else(none)
    }

    fn joint(&self, performer: usize, joint: usize) -> Answer<&PointTrack> {
        let joints = self.performer(performer)?.motion.joints();
        let none = || wrong(format!("joint: need one below {}, got {joint}", joints.len()));
        joints.get(joint).ok_or_else(none)
    }

    fn segment(&self, performer: usize, segment: usize) -> Answer<&SegmentTrack> {
        let segments = self.performer(performer)?.motion.segments();
        let none = || wrong(format!("segment: need one below {}, got {segment}", segments.len()));
        segments.get(segment).ok_or_else(none)
    }

    fn angles_of(&self, performer: usize, joint: usize) -> Answer<&JointAngles> {
        let joints = &self.performer(performer)?.angles.joints;
        let none = || wrong(format!("joint: need one below {}, got {joint}", joints.len()));
        joints.get(joint).ok_or_else(none)
    }
}

/// One way to write a performer's motion.
fn export_of(name: &str, mot_model: &str) -> Answer<Export> {
    let wanted = match (name, mot_model) {
        ("mot" | "sto", "gait2392") => Some(Export::AnglesSto2392),
        ("mot" | "sto", "rajagopal") => Some(Export::AnglesSto),
        ("mot" | "sto", other) => {
            return Err(wrong(format!("mot_model: need rajagopal or gait2392, got '{other}'")));
        }
        ("angles.csv", _) => Some(Export::AnglesCsv),
        (name, _) => Export::from_extension(name),
    };
    let none = || wrong(format!("format: need {}, got '{name}'", Export::EXTENSIONS));
    wanted.ok_or_else(none)
}

fn checked_weight_kg(weight_kg: Option<f64>) -> Answer<Option<f64>> {
    match weight_kg {
        Some(kg) if !(1.0..=500.0).contains(&kg) => {
            Err(wrong(format!("weight_kg: need 1 to 500 kilograms, got {kg}")))
        }
        _ => Ok(weight_kg),
    }
}

#[pymethods]
impl Performance {
    /// The recording as it was solved.
    fn trial(&self) -> Trial {
        Trial::new(self.found.trial.clone())
    }

    #[getter]
    fn performers(&self) -> usize {
        self.found.performers.len()
    }

    #[getter]
    fn notes(&self) -> Vec<PlainNote> {
        plain(&self.found.all_notes())
    }

    /// What was repaired, as JSON.
    fn repairs(&self) -> Answer<String> {
        Ok(serde_json::to_string(&self.found.repairs)?)
    }

    /// What came of the gaps, as JSON.
    fn gaps(&self) -> String {
        crate::fill::gaps(&self.found.gaps, &self.found.trial)
    }

    fn subject(&self, performer: usize) -> Answer<Subject> {
        Ok(Subject(self.performer(performer)?.subject.clone()))
    }

    fn performer_notes(&self, performer: usize) -> Answer<Vec<PlainNote>> {
        Ok(plain(&self.performer(performer)?.notes))
    }

    /// How well the frames fit the subject, as JSON.
    fn evidence(&self, performer: usize) -> Answer<String> {
        let own = self.performer(performer)?.motion.evidence();
        let answer = json!({
            "residual_m": own.residual_m,
            "marker_residual_m": own.marker_residual_m,
            "separations_m": own.separations_m,
            "bone_sd_m": own.bone_sd_m,
        });
        Ok(answer.to_string())
    }

    /// The centre of a joint, frames × 3, a view; NaN where it was not placed.
    fn joint_positions<'py>(
        slf: &Bound<'py, Self>,
        performer: usize,
        joint: usize,
    ) -> Answer<Bound<'py, PyArray2<f64>>> {
        arrays::rows(slf.get().joint(performer, joint)?.positions_m(), slf.as_any())
    }

    /// How it was placed: 0 not, 1 by markers, 2 with joints, 3 twist open; a view.
    fn joint_placed<'py>(
        slf: &Bound<'py, Self>,
        performer: usize,
        joint: usize,
    ) -> Answer<Bound<'py, PyArray1<u8>>> {
        slf.get().joint(performer, joint)?;
        Ok(arrays::column(&slf.get().joints_placed[performer][joint], slf.as_any()))
    }

    /// Its standard error in every frame; NaN where it was not placed.
    fn joint_sds<'py>(
        slf: &Bound<'py, Self>,
        performer: usize,
        joint: usize,
    ) -> Answer<Bound<'py, PyArray1<f64>>> {
        slf.get().joint(performer, joint)?;
        let motion = &slf.get().performer(performer)?.motion;
        let sds = (0..motion.frames()).map(|frame| motion.joint_sd_m(frame, joint));
        Ok(arrays::optional_column(slf.py(), sds))
    }

    /// The origin of a segment, frames × 3, a view; NaN where it was not placed.
    fn segment_positions<'py>(
        slf: &Bound<'py, Self>,
        performer: usize,
        segment: usize,
    ) -> Answer<Bound<'py, PyArray2<f64>>> {
        let segment = slf.get().segment(performer, segment)?;
        arrays::rows(segment.origin().positions_m(), slf.as_any())
    }

    /// Its orientation as a quaternion w, x, y, z, frames × 4, a view; NaN where it was not placed.
    fn segment_orientations<'py>(
        slf: &Bound<'py, Self>,
        performer: usize,
        segment: usize,
    ) -> Answer<Bound<'py, PyArray2<f64>>> {
        let segment = slf.get().segment(performer, segment)?;
        arrays::rows(segment.orientations_wxyz(), slf.as_any())
    }

    /// Of a joint's angles: the three names, their OpenSim columns, the convention, the zero, the cutoff.
    fn angle_words(&self, performer: usize, joint: usize) -> Answer<AngleWords> {
        let own = self.angles_of(performer, joint)?;
        let names = own.components.each_ref().map(|component| component.name);
        let columns = own.components.each_ref().map(|component| component.column.clone());
        let zero = own.zero.in_words(&self.found.trial);
        Ok((names, columns, own.convention.name(), zero, own.smoothed_hz))
    }

    /// The three angles of a joint, frames × 3, in radians; NaN where there are none.
    fn angles<'py>(
        slf: &Bound<'py, Self>,
        performer: usize,
        joint: usize,
    ) -> Answer<Bound<'py, PyArray2<f64>>> {
        let own = slf.get().angles_of(performer, joint)?;
        arrays::optional_rows(slf.py(), own.angles_rad.iter().copied())
    }

    /// Their rates of change.
    fn angle_velocities<'py>(
        slf: &Bound<'py, Self>,
        performer: usize,
        joint: usize,
    ) -> Answer<Bound<'py, PyArray2<f64>>> {
        let own = slf.get().angles_of(performer, joint)?;
        arrays::optional_rows(slf.py(), own.velocities_rad_s.iter().copied())
    }

    /// The standard error of the joint's turn.
    fn angle_sds<'py>(
        slf: &Bound<'py, Self>,
        performer: usize,
        joint: usize,
    ) -> Answer<Bound<'py, PyArray1<f64>>> {
        let own = slf.get().angles_of(performer, joint)?;
        Ok(arrays::optional_column(slf.py(), own.sds_rad.iter().copied()))
    }

    /// The bytes of a file of a performer's motion, and what it cannot hold.
    fn write<'py>(
        &self,
        py: Python<'py>,
        performer: usize,
        format: &str,
        unit: Option<&str>,
        mot_model: &str,
    ) -> Answer<(Bound<'py, PyBytes>, Vec<PlainNote>)> {
        let own = self.performer(performer)?;
        let unit = unit.map(str::parse::<LengthUnit>).transpose().map_err(wrong)?;
        let export = export_of(format, mot_model)?;
        let mut bytes = Vec::new();
        let notes = py.detach(|| export.write(&self.found, own, unit, &mut bytes))?;
        Ok((PyBytes::new(py, &bytes), plain(&notes)))
    }

    /// The bytes of a C3D file of the recording with the joints of everybody as further points.
    fn with_joints<'py>(
        &self,
        py: Python<'py>,
        is_filled: bool,
    ) -> Answer<(Bound<'py, PyBytes>, Vec<PlainNote>)> {
        let mut bytes = Vec::new();
        let write = || match is_filled {
            true => export::write_filled(&self.found, &mut bytes),
            false => export::write_with_joints(&self.found, &mut bytes),
        };
        let notes = py.detach(write)?;
        Ok((PyBytes::new(py, &bytes), plain(&notes)))
    }

    /// The bytes of a TRC file of the recording's markers for OpenSim.
    fn markers_trc<'py>(&self, py: Python<'py>) -> Answer<Bound<'py, PyBytes>> {
        let mut bytes = Vec::new();
        let markers = || opensim::with_posed_points(&self.found);
        py.detach(|| export::write_markers_trc(&markers(), &mut bytes))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// The bytes of a MOT file of ground reaction forces; nothing where no plate can be used.
    fn ground_reaction<'py>(&self, py: Python<'py>) -> Answer<Option<Bound<'py, PyBytes>>> {
        let mut bytes = Vec::new();
        let is_there =
            py.detach(|| export::write_ground_reaction(&self.found.trial, &mut bytes))?;
        Ok(is_there.then(|| PyBytes::new(py, &bytes)))
    }

    /// A performer as an OpenSim model.
    fn osim(&self, performer: usize, weight_kg: Option<f64>) -> Answer<String> {
        let weight_kg = checked_weight_kg(weight_kg)?;
        Ok(opensim::model(&self.found.trial, self.performer(performer)?, weight_kg)?)
    }

    /// A performer as a robot, in URDF, or in MJCF for MuJoCo.
    fn robot(&self, performer: usize, format: &str, weight_kg: Option<f64>) -> Answer<String> {
        let (trial, own) = (&self.found.trial, self.performer(performer)?);
        let weight_kg = checked_weight_kg(weight_kg)?;
        match format {
            "urdf" => Ok(robotics::urdf(trial, own, weight_kg)?),
            "mjcf" => Ok(robotics::mjcf(trial, own, weight_kg)?),
            _ => Err(wrong(format!("format: need urdf or mjcf, got '{format}'"))),
        }
    }

    /// The bytes of a table of joint positions, as those robots have them.
    fn qpos<'py>(&self, py: Python<'py>, performer: usize) -> Answer<Bound<'py, PyBytes>> {
        let positions = robotics::positions(&self.found.trial, self.performer(performer)?);
        let mut bytes = Vec::new();
        py.detach(|| format::write(&positions, Format::Csv, &mut bytes))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// The bytes of a glTF file of a performer's solid figure in motion; in how many frames a segment is kept as it was.
    fn figure_glb<'py>(
        &self,
        py: Python<'py>,
        performer: usize,
        weight_kg: Option<f64>,
    ) -> Answer<(Bound<'py, PyBytes>, usize)> {
        let (trial, own) = (&self.found.trial, self.performer(performer)?);
        let weight_kg = checked_weight_kg(weight_kg)?;
        let mut bytes = Vec::new();
        let held = py.detach(|| export::write_moving_figure(trial, own, weight_kg, &mut bytes))?;
        Ok((PyBytes::new(py, &bytes), held))
    }

    /// The bytes of a table of centre of mass, momentum and energy; of all segments one by one.
    fn physics<'py>(
        &self,
        py: Python<'py>,
        performer: usize,
        weight_kg: Option<f64>,
        segments: bool,
    ) -> Answer<Bound<'py, PyBytes>> {
        let (trial, own) = (&self.found.trial, self.performer(performer)?);
        let weight_kg = checked_weight_kg(weight_kg)?;
        let mut bytes = Vec::new();
        py.detach(|| -> condyle::Result<()> {
            let physics = Physics::of_performer(trial, own, weight_kg)?;
            match segments {
                true => physics.write_segments_csv(trial, &mut bytes)?,
                false => physics.write_csv(trial, &mut bytes)?,
            }
            Ok(())
        })?;
        Ok(PyBytes::new(py, &bytes))
    }
}
