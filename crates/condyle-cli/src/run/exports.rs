//! The files of one recording.

use std::collections::BTreeMap;
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::Context;
use base64::Engine;
use condyle::Trial;
use condyle::angles::Angles;
use condyle::export::{self, Export};
use condyle::format::atm::Atm;
use condyle::format::{self, mesh};
use condyle::gait::EventsFrom;
use condyle::job::{Performance, SolvedPerformer};
use condyle::mannequin::Mannequin;
use condyle::opensim::{self, TaskFiles};
use condyle::physics::Physics;
use condyle::robotics;
use condyle::trial::{Format, Note};
use nalgebra::Vector3;
use tempfile::NamedTempFile;

use super::lock::FolderLock;
use super::{ExportOptions, ours};
use crate::figure::{self, Heading, View};
use crate::gait;
use crate::report::{AngleResult, GaitResult, PerformerResult, PhysicsResult, PlatesResult};

type Out<'a, 'b> = &'a mut BufWriter<&'b mut NamedTempFile>;

/// The files of a performer that is solved.
const EXPORTS: &[(&str, Export)] = &[
    ("joints.csv", Export::CentresCsv),
    ("joints.trc", Export::CentresTrc),
    ("angles.csv", Export::AnglesCsv),
    ("skeleton.bvh", Export::Bvh),
    ("skeleton.glb", Export::Glb),
    #[cfg(feature = "parquet")]
    ("motion.parquet", Export::Parquet),
];

/// Points of an angle's curve in the report.
const CHART_POINTS: usize = 400;

/// Writes files into a folder and remembers their names.
pub struct Writer<'a> {
    folder: &'a Path,
    options: &'a ExportOptions,
    held: &'a FolderLock,
    pub outputs: Vec<String>,
}

impl<'a> Writer<'a> {
    /// A writer into a folder that is held.
    pub fn new(folder: &'a Path, options: &'a ExportOptions, held: &'a FolderLock) -> Self {
        Self { folder, options, held, outputs: Vec::new() }
    }

    /// Writes one file, whole or not at all.
    pub fn write(
        &mut self,
        name: &str,
        fill: impl FnOnce(Out) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let path = self.folder.join(name);
        self.held.announce(name).with_context(|| path.display().to_string())?;
        ours(&path)?.write(fill)?;
        self.outputs.push(name.to_owned());
        Ok(())
    }

    /// Writes everything of one performer.
    pub fn performer(
        &mut self,
        performance: &Performance,
        performer: &SolvedPerformer,
        prefix: &str,
        result: &mut PerformerResult,
    ) -> anyhow::Result<()> {
        let text = performer.subject.to_json()?;
        self.write(&format!("{prefix}subject.json"), |out| Ok(writeln!(out, "{text}")?))?;
        if performer.subject.joints().is_empty() {
            let text = "one segment by itself: there are no joints to write";
            result.notes.push(Note::new("no-joints", text));
            return Ok(());
        }
        result.angles = thinned(&performer.angles, &performance.trial);
        let mut noted = BTreeMap::new();
        for (name, export) in EXPORTS.iter().copied().chain([("angles.mot", self.options.mot)]) {
            self.write(&format!("{prefix}{name}"), |out| {
                let notes = export.write(performance, performer, None, out)?;
                // That skeletons are turned to have y up is said in the help, and nothing odd.
                let odd = notes.into_iter().filter(|note| note.code != "turned");
                noted.extend(odd.map(|note| (note.to_string(), note)));
                Ok(())
            })?;
        }
        if !performer.subject.is_of_bodies() {
            let model = opensim::model(&performance.trial, performer, self.options.weight_kg)?;
            let names = ["model.osim", "ik.xml", "ik.mot"].map(|name| format!("{prefix}{name}"));
            let [model_file, task_file, coordinates] = &names;
            self.write(model_file, |out| Ok(out.write_all(model.as_bytes())?))?;
            let files = TaskFiles { model: model_file, markers: "markers.trc", coordinates };
            let task = opensim::inverse_kinematics(&performance.trial, performer, files)?;
            self.write(task_file, |out| Ok(out.write_all(task.as_bytes())?))?;
        }
        self.robots(performance, performer, prefix, result)?;
        let figure = match self.options.figure {
            true => self.figure(performance, performer, prefix, result)?,
            false => None,
        };
        if self.options.physics || self.options.figure || self.options.segments {
            self.physics(performance, performer, figure.as_ref(), prefix, result)?;
        }
        result.notes.extend(noted.into_values());
        Ok(())
    }

    /// Writes the subject as a robot, where that is asked for.
    fn robots(
        &mut self,
        performance: &Performance,
        performer: &SolvedPerformer,
        prefix: &str,
        result: &mut PerformerResult,
    ) -> anyhow::Result<()> {
        let ExportOptions { urdf, mujoco, weight_kg, .. } = *self.options;
        let trial = &performance.trial;
        let robots = [
            urdf.then(|| ("subject.urdf", robotics::urdf(trial, performer, weight_kg))),
            mujoco.then(|| ("subject.mjcf.xml", robotics::mjcf(trial, performer, weight_kg))),
        ];
        for (name, robot) in robots.into_iter().flatten() {
            match robot {
                Ok(text) => self
                    .write(&format!("{prefix}{name}"), |out| Ok(out.write_all(text.as_bytes())?))?,
                Err(error) => result.notes.push(Note::new("not-written", error.to_string())),
            }
        }
        if urdf || mujoco {
            let positions = robotics::positions(trial, performer);
            self.write(&format!("{prefix}qpos.csv"), |out| {
                format::write(&positions, Format::Csv, out).map(drop).map_err(Into::into)
            })?;
        }
        Ok(())
    }

    /// Writes the solid figure with its meshes, and as a picture that moves.
    fn figure(
        &mut self,
        performance: &Performance,
        performer: &SolvedPerformer,
        prefix: &str,
        result: &mut PerformerResult,
    ) -> anyhow::Result<Option<Mannequin>> {
        let own = match Mannequin::of_subject(&performer.subject, self.options.weight_kg) {
            Ok(own) => own,
            Err(error) => {
                result.notes.push(Note::new("not-written", format!("figure.atm: {error}")));
                return Ok(None);
            }
        };
        let (atm, meshes) = Atm::of_figure(&own.figure, &format!("{prefix}figure"))?;
        for (name, mesh) in meshes {
            self.write(&name, |out| Ok(mesh::write(&mesh, mesh::Storage::Text, out).map(drop)?))?;
        }
        let text = atm.to_text();
        self.write(&format!("{prefix}figure.atm"), |out| Ok(out.write_all(text.as_bytes())?))?;
        let (trial, weight_kg) = (&performance.trial, self.options.weight_kg);
        let mut held = 0;
        self.write(&format!("{prefix}figure.glb"), |out| {
            held = export::write_moving_figure(trial, performer, weight_kg, out)?;
            Ok(())
        })?;
        let text = "frames in which figure.glb keeps a segment as it was: it is not placed there";
        result.notes.extend(Note::counted(held, "figure-held", text));
        result.notes.extend(own.notes.iter().cloned());
        let heading = Heading { up: Vector3::z(), ahead: Vector3::x() };
        let views = [View::Front, View::Side, View::Oblique];
        let png = figure::solids(&own.figure, None, &heading, &views)?;
        result.figure_png = Some(base64::engine::general_purpose::STANDARD.encode(png));
        Ok(Some(own))
    }

    /// Writes centre of mass, momentum and energy, or says why there are none. People have the masses of a table, all
    /// others those of their figure.
    fn physics(
        &mut self,
        performance: &Performance,
        performer: &SolvedPerformer,
        figure: Option<&Mannequin>,
        prefix: &str,
        result: &mut PerformerResult,
    ) -> anyhow::Result<()> {
        let trial = &performance.trial;
        let physics = match figure.filter(|figure| !figure.has_masses_of_people) {
            Some(figure) => Ok(Physics::of_figure(trial, performer, figure)),
            None => Physics::of_person(trial, performer, self.options.weight_kg),
        };
        let physics = match physics {
            Ok(physics) => physics,
            Err(error) => {
                let text = format!("physics.csv: {error}");
                result.notes.push(Note::new("not-written", text));
                return Ok(());
            }
        };
        self.write(&format!("{prefix}physics.csv"), |out| Ok(physics.write_csv(trial, out)?))?;
        if self.options.segments {
            let name = format!("{prefix}physics-segments.csv");
            self.write(&name, |out| Ok(physics.write_segments_csv(trial, out)?))?;
        }
        let is_person = figure.is_none_or(|figure| figure.has_masses_of_people);
        let mut shown = PhysicsResult::of(&physics, trial, is_person);
        shown.plates = physics.beside_plates(trial, performer).map(|own| PlatesResult {
            frames: own.vertical_n.len(),
            correlation: own.correlation,
            rms_n: own.rms_n,
            weight_alone_rms_n: own.weight_alone_rms_n,
            weight_kg: own.weight_kg,
            vertical_n: own.vertical_n.iter().map(|row| row.map(|x| x as f32)).collect(),
        });
        result.physics = Some(shown);
        Ok(())
    }

    /// Writes the gait of everybody in it, where there are strides, and the forces of plates, where there are any.
    pub fn gait(
        &mut self,
        name: &str,
        performance: &Performance,
    ) -> anyhow::Result<Vec<GaitResult>> {
        let trial = &performance.trial;
        let mut shown = Vec::new();
        let found = gait::of_recording(name, trial, Some(performance), EventsFrom::Auto);
        if found.has_strides() {
            let norm = self.options.norm.as_deref().map(condyle::gait::from_csv).transpose()?;
            let norm = norm.unwrap_or_default();
            let walkers = found.performers.iter().filter(|own| !own.gait.strides.is_empty());
            let shows = |own| GaitResult::of(own, &gait::mean_cycles([own]), &norm, found.start_s);
            shown.extend(walkers.map(shows));
            let recordings = [found];
            let pooled = gait::pooled(&recordings);
            let answer = gait::answer(&recordings, &pooled, &norm);
            for (name, bytes) in gait::files(&answer, &pooled)? {
                self.write(&name, |out| Ok(out.write_all(&bytes)?))?;
            }
        }
        let mut forces = Vec::new();
        if export::write_ground_reaction(trial, &mut forces)? {
            self.write("grf.mot", |out| Ok(out.write_all(&forces)?))?;
        }
        Ok(shown)
    }

    /// Writes what belongs to the whole recording: its markers, with the joints of all performers.
    ///
    /// What a format cannot hold is said where a single file is asked for, by convert.
    pub fn recording(&mut self, performance: &Performance) -> anyhow::Result<()> {
        let trial = &performance.trial;
        match trial.markers.is_empty() {
            true => self.write("bodies.csv", |out| {
                format::write(trial, Format::Csv, out).map(drop).map_err(Into::into)
            })?,
            false => self.write("markers.trc", |out| {
                export::write_markers_trc(&opensim::with_posed_points(performance), out)
                    .map(drop)
                    .map_err(Into::into)
            })?,
        }
        self.write("with-joints.c3d", |out| {
            export::write_with_joints(performance, out).map(drop).map_err(Into::into)
        })?;
        if performance.gaps.iter().any(|gap| gap.is_filled) {
            self.write("filled.c3d", |out| {
                export::write_filled(performance, out).map(drop).map_err(Into::into)
            })?;
        }
        Ok(())
    }
}

/// Angles thinned out for charts.
fn thinned(angles: &Angles, trial: &Trial) -> Vec<AngleResult> {
    let stride = angles.frames.div_ceil(CHART_POINTS).max(1);
    let time_s = |frame: usize| (frame as f64 / angles.rate_hz) as f32;
    let mut thinned = Vec::new();
    for joint in &angles.joints {
        let Some(ranges) = joint.range_rad else { continue };
        for (i, component) in joint.components.iter().enumerate() {
            let value = |frame: usize| Some(joint.angles_rad[frame]?[i].to_degrees() as f32);
            let frames = || (0..angles.frames).step_by(stride);
            thinned.push(AngleResult {
                joint: joint.name.clone(),
                name: component.name.to_string(),
                zero: joint.zero.in_words(trial),
                centre: Some(joint.centre_known),
                smoothed_hz: joint.smoothed_hz,
                near_gimbal_frames: joint.near_gimbal_frames(),
                least_deg: ranges[i][0].to_degrees(),
                most_deg: ranges[i][1].to_degrees(),
                times_s: frames().map(time_s).collect(),
                values_deg: frames().map(value).collect(),
            });
        }
    }
    thinned
}
