//! File formats: what vendors write, read into a [`Trial`], and back.
//!
//! | format | read | write |
//! |---|---|---|
//! | C3D | [`c3d::read`] | [`c3d::write`] |
//! | TRC | [`trc::read`] | [`trc::write`] |
//! | CSV | [`csv::read`] | [`csv::write`] |
//! | BVH | [`bvh::read`] | [`bvh::write`] |
//! | ASF/AMC | [`asf::read`], [`amc::read`] | |
//! | STO/MOT | [`sto::read`] | [`sto::write`] |
//! | MVNX | [`mvnx::read`] | |
//! | NumPy arrays of keypoints | [`npy::read`] | |
//! | lists of poses (4 × 4 matrices, PLUS sequences) | [`poses::read`] | |
//! | rays of cameras | [`rays::read`] | [`rays::write`] |
//! | glTF (.glb) | | [`gltf::write`] |
//! | Parquet | | `parquet::write`, with the feature `parquet` |
//!
//! Solid bodies are no recordings and have readers of their own:
//!
//! | format | read | write |
//! |---|---|---|
//! | MESH (MEDIT, text and binary) | [`mesh::read`], [`mesh::read_path`] | [`mesh::write`] |
//! | PLY | [`ply::read`] | [`ply::write`] |
//! | ATM, figures of solid segments | [`atm::read_path`] | [`atm::write_path`] |
//! | motion files, Taylor polynomials of freedoms | [`figure_motion::read`] | [`figure_motion::write`] |
//!
//! [`solid::read_path`] takes any of them.
//!
//! [`read_path`] and [`read_bytes`] recognise the format by content, not by extension.
//!
//! What leaves a reader is finite, or missing; what leaves a writer is finite, or the format's own mark for missing, or
//! it is refused:
//!
//! | format | what is not finite |
//! |---|---|
//! | C3D | points are missing, poses too; analog values and parameters are written as nothing measured, and noted |
//! | TRC, CSV | an empty cell |
//! | STO, MOT | `NaN` |
//! | Parquet, JSON | null |
//! | all others, and a rate or a time in any | refused |

pub mod amc;
pub mod asf;
pub mod atm;
pub mod bvh;
pub mod c3d;
pub mod csv;
pub mod figure_motion;
pub mod gltf;
pub mod mesh;
pub mod mvnx;
pub mod npy;
#[cfg(feature = "parquet")]
pub mod parquet;
pub mod ply;
pub mod poses;
pub mod rays;
pub mod solid;
pub mod stl;
pub mod sto;
pub(crate) mod text;
pub mod trc;

mod cloud;
mod format_losses;
mod frame_rate;
mod joint_centres;
mod people;
mod plausible;
mod proportion;
mod rotation;
mod sniff;
mod table;
mod timing;
mod words;

pub use sniff::sniff;

use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::trial::{Axis, Format, LengthUnit, Note, Trial, edit};

/// What the caller knows better than the file.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ReadOptions {
    /// The unit of length of the stored numbers, instead of what the file says.
    pub unit: Option<LengthUnit>,
    /// Which way is up, instead of what the file says.
    pub up: Option<Axis>,
    /// Frames a second, instead of what the file says.
    pub rate_hz: Option<f64>,
    /// The ASF skeleton of an AMC motion, instead of the one found beside it.
    pub skeleton: Option<PathBuf>,
    /// Keep the coordinates of C3D samples that the file flags as invalid.
    pub keep_invalid: bool,
    /// The names of the columns of a table, instead of its header or where it has none.
    pub columns: Option<Vec<String>>,
    /// The axes are left-handed, as those of Unity: everything is mirrored, z to -z.
    pub is_left_handed: bool,
    /// What the points of an array are, which does not say it: `mediapipe`, `coco17`.
    pub point_set: Option<String>,
    /// What all lengths are multiplied by: the scale of a tracking system.
    pub scale: Option<f64>,
}

/// Reads a recording from a file, whatever its format.
///
/// # Errors
/// The file cannot be opened, is of no known format, or is broken beyond reading.
pub fn read_path(path: &Path, options: &ReadOptions) -> Result<Trial> {
    let trial = read_path_unnamed(path, options).map_err(|error| error.with_path(path))?;
    Ok(set_right(trial, options))
}

/// Mirrors and scales a trial as the caller asks; both are noted.
fn set_right(mut trial: Trial, options: &ReadOptions) -> Trial {
    if options.is_left_handed {
        trial = edit::mirrored(trial);
    }
    match options.scale {
        Some(factor) => edit::scaled(trial, factor),
        None => trial,
    }
}

fn read_path_unnamed(path: &Path, options: &ReadOptions) -> Result<Trial> {
    // Asked before opening: not every system opens a directory.
    if std::fs::metadata(path)?.is_dir() {
        return Err(Error::not_recognised("need a file, got a directory"));
    }
    let mut file = File::open(path)?;
    let mut head = Vec::new();
    Read::by_ref(&mut file).take(sniff::HEAD_BYTES).read_to_end(&mut head)?;
    let format = sniff(&head)?;
    if format == Format::C3d {
        return c3d::read(file, options);
    }
    file.read_to_end(&mut head)?;
    if format == Format::Amc && options.skeleton.is_none() {
        return read_amc(&head, &amc::find_skeleton(path)?, options);
    }
    read_any(&head, options)
}

fn read_amc(motion: &[u8], skeleton_path: &Path, options: &ReadOptions) -> Result<Trial> {
    let skeleton = std::fs::read(skeleton_path)
        .map_err(|error| Error::from(error).with_path(skeleton_path))?;
    amc::read(motion, &skeleton, options)
}

/// Reads a recording from memory, whatever its format.
///
/// An AMC motion needs the path of its skeleton in the options; [`amc::read`] takes both from
/// memory.
///
/// # Errors
/// The content is of no known format, or is broken beyond reading.
pub fn read_bytes(bytes: &[u8], options: &ReadOptions) -> Result<Trial> {
    Ok(set_right(read_any(bytes, options)?, options))
}

fn read_any(bytes: &[u8], options: &ReadOptions) -> Result<Trial> {
    let head = &bytes[..bytes.len().min(sniff::HEAD_BYTES as usize)];
    match sniff(head)? {
        Format::C3d => c3d::read(std::io::Cursor::new(bytes), options),
        Format::Trc => trc::read(bytes, options),
        Format::Csv => csv::read(bytes, options),
        Format::Bvh => bvh::read(bytes, options),
        Format::Asf => asf::read(bytes, options),
        Format::Sto => sto::read(bytes, options),
        Format::Mvnx => mvnx::read(bytes, options),
        Format::Poses => poses::read(bytes, options),
        Format::Npy => npy::read(bytes, options),
        Format::Gltf => Err(Error::not_recognised("glTF can be written but not read")),
        Format::Amc => match &options.skeleton {
            Some(skeleton_path) => read_amc(bytes, skeleton_path, options),
            None => {
                let what = "AMC motion: need its ASF skeleton too, got the motion alone";
                Err(Error::not_recognised(what).with_code("asf-missing"))
            }
        },
    }
}

/// Writes a trial in a format; returns a note for everything the format cannot hold.
///
/// # Errors
/// The format cannot hold the trial at all, the trial contradicts itself, or writing fails.
pub fn write(trial: &Trial, format: Format, out: &mut impl Write) -> Result<Vec<Note>> {
    trial.check()?;
    match format {
        Format::C3d => c3d::write(trial, out),
        Format::Trc => trc::write(trial, out),
        Format::Csv => csv::write(trial, out),
        Format::Bvh => bvh::write(trial, out),
        Format::Sto => sto::write(trial, out),
        Format::Gltf => gltf::write(trial, out),
        Format::Asf | Format::Amc | Format::Mvnx | Format::Poses | Format::Npy => {
            Err(Error::cannot_hold(format!(
                "{format} can be read but not written: need c3d, trc, csv, bvh, glb, sto or mot"
            )))
        }
    }
}
