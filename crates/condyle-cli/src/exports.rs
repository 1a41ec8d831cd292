//! What a solved recording is written as, by extension.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::bail;
use condyle::Trial;
use condyle::angles::{AngleUnit, Angles};
use condyle::format::{self, csv, gltf, sto, trc};
use condyle::rig::{self, Rig};
use condyle::solve::SolvedMotion;
use condyle::subject::Subject;
use condyle::trial::{Axis, Format, LengthUnit, Note, edit};

/// A recording, whose it is, and what was found.
pub struct Solution<'a> {
    pub subject: &'a Subject,
    pub trial: &'a Trial,
    pub solved: &'a SolvedMotion,
    pub angles: &'a Angles,
    /// The unit of length for formats with a choice, instead of the usual one.
    pub unit: Option<LengthUnit>,
}

/// One way to write a solved recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Export {
    /// Joint centres as a table in metres.
    CentresCsv,
    /// Joint centres as markers with y up, as OpenSim wants them.
    CentresTrc,
    /// The recording itself with joint centres as further points.
    EnrichedC3d,
    /// A skeleton and its motion.
    Bvh,
    /// The same with a shape, for any viewer.
    Glb,
    /// Joint angles as a table in degrees.
    AnglesCsv,
    /// Joint angles in OpenSim's table.
    AnglesSto,
    /// Joint centres and angles in columns.
    #[cfg(feature = "parquet")]
    Parquet,
}

const WANTED: &str = "csv, trc, c3d, bvh, glb, mot, sto or parquet";

impl Export {
    /// What `-o` with this extension means.
    pub fn at(path: &Path) -> anyhow::Result<Self> {
        let extension = extension(path);
        Ok(match extension.as_str() {
            "csv" => Self::CentresCsv,
            "trc" => Self::CentresTrc,
            "c3d" => Self::EnrichedC3d,
            "bvh" => Self::Bvh,
            "glb" => Self::Glb,
            "mot" | "sto" => Self::AnglesSto,
            #[cfg(feature = "parquet")]
            "parquet" => Self::Parquet,
            _ => bail!("{}: need the extension {WANTED}, got '{extension}'", path.display()),
        })
    }

    /// What `--angles` with this extension means.
    pub fn angles_at(path: &Path) -> anyhow::Result<Self> {
        match extension(path).as_str() {
            "csv" => Ok(Self::AnglesCsv),
            "mot" | "sto" => Ok(Self::AnglesSto),
            other => {
                bail!("{}: need the extension csv, mot or sto, got '{other}'", path.display())
            }
        }
    }

    /// A path that `-o` takes.
    pub fn path(path: PathBuf) -> anyhow::Result<PathBuf> {
        Self::at(&path).map(|_| path)
    }

    /// A path that `--angles` takes.
    pub fn angles_path(path: PathBuf) -> anyhow::Result<PathBuf> {
        Self::angles_at(&path).map(|_| path)
    }

    /// Writes it; returns what the format cannot hold or had to be told.
    pub fn write(self, of: &Solution<'_>, out: &mut impl Write) -> condyle::Result<Vec<Note>> {
        match self {
            Self::CentresCsv => {
                let mut centres = by_name(of.subject, of.trial, of.solved);
                // Frames are counted from 1 and the axes are the recording's own: said in the help.
                (centres.first_frame, centres.source.up) = (1, None);
                csv::write(&centres, out)
            }
            Self::CentresTrc => {
                let mut centres = rig::joint_centres(of.subject, of.trial, of.solved);
                if centres.source.up.is_some() {
                    centres = edit::with_up(centres, Axis::Y)?;
                }
                centres.source.unit = of.unit.unwrap_or(LengthUnit::Millimetre);
                let mut notes = trc::write(&centres, out)?;
                // OpenSim has y up too.
                notes.retain(|note| note.code != "up");
                notes.extend(centres.notes);
                Ok(notes)
            }
            Self::EnrichedC3d => {
                let enriched = rig::with_joint_centres(of.trial, of.subject, of.solved);
                format::write(&enriched, Format::C3d, out)
            }
            Self::Bvh | Self::Glb => {
                let rig = Rig::new(of.subject, of.trial, of.solved)?;
                let mut rigged = rig.into_trial(of.trial);
                rigged.source.unit = of.unit.unwrap_or(LengthUnit::Metre);
                let mut notes = match self {
                    Self::Bvh => format::write(&rigged, Format::Bvh, out)?,
                    _ => gltf::write(&rigged, out)?,
                };
                notes.extend(rigged.notes);
                Ok(notes)
            }
            Self::AnglesCsv => {
                let mut table = of.angles.as_trial(of.trial, AngleUnit::Degrees);
                // As the joint centres have it.
                table.first_frame = 1;
                csv::write(&table, out)
            }
            Self::AnglesSto => {
                let table = of.angles.as_trial(of.trial, AngleUnit::OpenSim);
                sto::write_with(&table, &of.angles.in_words(), out)
            }
            #[cfg(feature = "parquet")]
            Self::Parquet => {
                let mut table = of.angles.as_trial(of.trial, AngleUnit::Degrees);
                table.markers = by_name(of.subject, of.trial, of.solved).markers;
                format::parquet::write(&table, out)
            }
        }
    }
}

/// The joint centres under the names of the joints.
fn by_name(subject: &Subject, trial: &Trial, solved: &SolvedMotion) -> Trial {
    let mut centres = rig::joint_centres(subject, trial, solved);
    for (marker, joint) in centres.markers.iter_mut().zip(&subject.joints) {
        marker.label.clone_from(&joint.name);
    }
    centres
}

fn extension(path: &Path) -> String {
    path.extension().and_then(|extension| extension.to_str()).unwrap_or("").to_ascii_lowercase()
}
