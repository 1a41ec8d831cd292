//! What a hand that was followed is written as.

use std::io::Write;

use crate::error::{Error, Result};
use crate::format;
#[cfg(feature = "parquet")]
use crate::format::parquet;
use crate::hand::Followed;
use crate::trial::{Format, Note, Trial};

/// One way to write a hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum HandExport {
    /// Positions, angles and how each joint was found, in metres and degrees.
    Csv,
    /// Joints as markers.
    Trc,
    /// Joints as points.
    C3d,
    /// A skeleton and its motion.
    Bvh,
    /// The same with a shape, for any viewer.
    Glb,
    /// Joints and angles in columns.
    #[cfg(feature = "parquet")]
    Parquet,
}

impl HandExport {
    /// The extensions of [`HandExport::from_extension`].
    #[cfg(feature = "parquet")]
    pub const EXTENSIONS: &str = "csv, trc, c3d, bvh, glb or parquet";
    /// The extensions of [`HandExport::from_extension`].
    #[cfg(not(feature = "parquet"))]
    pub const EXTENSIONS: &str = "csv, trc, c3d, bvh or glb";

    /// What a file with this extension holds.
    pub fn from_extension(extension: &str) -> Option<Self> {
        Some(match extension {
            "csv" => Self::Csv,
            "trc" => Self::Trc,
            "c3d" => Self::C3d,
            "bvh" => Self::Bvh,
            "glb" => Self::Glb,
            #[cfg(feature = "parquet")]
            "parquet" => Self::Parquet,
            _ => return None,
        })
    }

    /// Writes the joints of a hand on the clock of its recording; returns what the format cannot hold.
    ///
    /// # Errors
    /// Writing fails, or a skeleton is wanted of a hand that is placed in no frame.
    pub fn write(
        self,
        followed: &Followed,
        trial: &Trial,
        out: &mut impl Write,
    ) -> Result<Vec<Note>> {
        let mut joints = followed.joint_trial(trial);
        match self {
            Self::Csv => followed.write_csv(trial, out).map(|()| Vec::new()),
            Self::Trc | Self::C3d => {
                joints.channels.clear();
                let format = if self == Self::Trc { Format::Trc } else { Format::C3d };
                format::write(&joints, format, out)
            }
            Self::Bvh | Self::Glb => {
                let motion = followed.motion()?.ok_or_else(|| {
                    Error::undetermined("need a frame in which the hand is placed, got none")
                })?;
                joints.markers.clear();
                joints.channels.clear();
                joints.motion = Some(motion);
                let format = if self == Self::Bvh { Format::Bvh } else { Format::Gltf };
                format::write(&joints, format, out)
            }
            #[cfg(feature = "parquet")]
            Self::Parquet => parquet::write(&joints, out),
        }
    }
}
