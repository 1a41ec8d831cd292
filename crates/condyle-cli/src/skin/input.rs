//! What a skin is made from: a skeleton with its motion, and a surface.

use std::fs;
use std::path::Path;

use anyhow::{Context, bail};
use condyle::format::{ReadOptions, read_path, solid};
use condyle::hand::{self, Model};
use condyle::mannequin::Mannequin;
use condyle::motion::Motion;
use condyle::skeleton::Skeleton;
use condyle::skin::Surface;
use condyle::subject::Subject;
use condyle::trial::{Axis, Note};

/// A skeleton, how it moves, and which way is up.
pub struct Rig {
    pub motion: Motion,
    pub rate_hz: f64,
    pub up: Axis,
    pub notes: Vec<Note>,
    /// The hand that it is, if it was read from a model.
    pub hand: Option<Model>,
}

/// A file that does not say has so many frames a second.
const RATE_HZ: f64 = 30.0;

impl Rig {
    /// Reads whatever holds a skeleton, by its content.
    pub fn read(path: &Path, options: &ReadOptions) -> anyhow::Result<Self> {
        let named = |error: condyle::Error| error.with_path(path);
        if path.extension().is_some_and(|own| own == "toml") {
            let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
            let model = Model::from_toml(&text).map_err(named)?;
            let motion = still(model.skeleton().map_err(named)?).map_err(named)?;
            return Ok(Self { hand: Some(model), ..Self::still(motion, Axis::Z) });
        }
        let mut head = [0; 64];
        let length = std::io::Read::read(
            &mut fs::File::open(path).with_context(|| path.display().to_string())?,
            &mut head,
        )?;
        if head[..length].trim_ascii_start().starts_with(b"{") {
            let text = fs::read_to_string(path)?;
            let subject = Subject::from_json(&text).map_err(named)?;
            let motion = still(rest(&subject).map_err(named)?).map_err(named)?;
            return Ok(Self::still(motion, Axis::Z));
        }
        let trial = read_path(path, options)?;
        let Some(motion) = trial.motion else {
            bail!("{}: need a skeleton, got none", path.display());
        };
        Ok(Self {
            motion,
            rate_hz: if trial.rate_hz > 0.0 { trial.rate_hz } else { RATE_HZ },
            up: trial.source.up.unwrap_or(Axis::Y),
            notes: trial.notes,
            hand: None,
        })
    }

    fn still(motion: Motion, up: Axis) -> Self {
        Self { motion, rate_hz: RATE_HZ, up, notes: Vec::new(), hand: None }
    }

    /// A surface of our own about it.
    pub fn own_surface(&self, vertices: usize) -> condyle::Result<Surface> {
        match &self.hand {
            Some(model) => hand::coat(model, vertices)?.surface(),
            None => hand::coat_of_skeleton(self.motion.skeleton(), vertices)?.surface(),
        }
    }
}

/// A skeleton that does not move.
fn still(skeleton: Skeleton) -> condyle::Result<Motion> {
    Motion::new(skeleton, 0, Vec::new())
}

/// The joints of a subject at rest.
fn rest(subject: &Subject) -> condyle::Result<Skeleton> {
    Mannequin::of_subject(subject, None)?.skeleton()
}

/// Reads a surface, and checks that it has the size of a skeleton.
pub fn surface(path: &Path, skeleton: &Skeleton) -> anyhow::Result<(Surface, Vec<Note>)> {
    let bytes = fs::read(path).with_context(|| path.display().to_string())?;
    let named = |error: condyle::Error| error.with_path(path);
    let (own, notes) = solid::read_surface(&bytes).map_err(named)?;
    let surface = Surface::new(&own.vertices_m, &own.triangles).map_err(named)?;
    surface.check_size(skeleton).map_err(named)?;
    Ok((surface, notes))
}
