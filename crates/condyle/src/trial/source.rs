//! What a file said about itself: its format, unit of length and up-axis.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A file format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// C3D, the binary exchange format of motion-capture laboratories.
    C3d,
    /// TRC, the tab-separated marker table of Motion Analysis and OpenSim.
    Trc,
    /// CSV: OptiTrack, Vicon, or Condyle's own layout.
    Csv,
    /// BVH, the Biovision hierarchy of animators.
    Bvh,
    /// ASF, the skeleton half of Acclaim's pair.
    Asf,
    /// AMC, the motion half of Acclaim's pair.
    Amc,
    /// STO or MOT, OpenSim's tables.
    Sto,
    /// MVNX, the XML of Xsens suits.
    Mvnx,
    /// Lists of poses: a 4 × 4 matrix a frame, or the tracker transforms of a MetaImage sequence.
    Poses,
    /// A NumPy array of keypoints.
    Npy,
    /// Binary glTF, the exchange format of three-dimensional scenes; written, not read.
    Gltf,
}

impl Format {
    /// The name in small letters, which does not change.
    pub fn name(self) -> &'static str {
        match self {
            Self::C3d => "c3d",
            Self::Trc => "trc",
            Self::Csv => "csv",
            Self::Bvh => "bvh",
            Self::Asf => "asf",
            Self::Amc => "amc",
            Self::Sto => "sto",
            Self::Mvnx => "mvnx",
            Self::Poses => "poses",
            Self::Npy => "npy",
            Self::Gltf => "gltf",
        }
    }

    /// The format that a file extension promises, letter case ignored.
    pub fn from_extension(extension: &str) -> Option<Self> {
        Some(match extension.to_ascii_lowercase().as_str() {
            "c3d" => Self::C3d,
            "trc" => Self::Trc,
            "csv" => Self::Csv,
            "bvh" => Self::Bvh,
            "asf" => Self::Asf,
            "amc" => Self::Amc,
            "sto" | "mot" => Self::Sto,
            "mvnx" => Self::Mvnx,
            "traj" | "mha" => Self::Poses,
            "npy" => Self::Npy,
            "glb" => Self::Gltf,
            _ => return None,
        })
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A unit of length that files use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LengthUnit {
    /// Metres.
    #[default]
    Metre,
    /// Decimetres.
    Decimetre,
    /// Centimetres.
    Centimetre,
    /// Millimetres.
    Millimetre,
    /// Inches, 25.4 mm.
    Inch,
    /// Feet, 304.8 mm.
    Foot,
}

impl LengthUnit {
    /// The symbol, the metres in one unit, and the power of ten that they are.
    fn facts(self) -> (&'static str, f64, Option<i32>) {
        match self {
            Self::Metre => ("m", 1.0, Some(0)),
            Self::Decimetre => ("dm", 0.1, Some(-1)),
            Self::Centimetre => ("cm", 0.01, Some(-2)),
            Self::Millimetre => ("mm", 0.001, Some(-3)),
            Self::Inch => ("in", 0.0254, None),
            Self::Foot => ("ft", 0.3048, None),
        }
    }

    /// Metres in one unit.
    pub fn metres(self) -> f64 {
        self.facts().1
    }

    /// The power of ten in metres, where the unit is one.
    pub fn decimal_exponent(self) -> Option<i32> {
        self.facts().2
    }

    /// The symbol: `mm`.
    pub fn symbol(self) -> &'static str {
        self.facts().0
    }
}

impl fmt::Display for LengthUnit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.symbol())
    }
}

impl FromStr for LengthUnit {
    type Err = String;

    /// Reads a unit as files and people spell it: `mm`, `Millimeters`, `meter`, `inches`, `ft`.
    fn from_str(text: &str) -> Result<Self, String> {
        let word = text.trim().to_ascii_lowercase();
        Ok(match word.trim_end_matches('.') {
            "m" | "meter" | "meters" | "metre" | "metres" => Self::Metre,
            "dm" | "decimeter" | "decimeters" | "decimetre" | "decimetres" => Self::Decimetre,
            "cm" | "centimeter" | "centimeters" | "centimetre" | "centimetres" => Self::Centimetre,
            "mm" | "millimeter" | "millimeters" | "millimetre" | "millimetres" => Self::Millimetre,
            "in" | "inch" | "inches" => Self::Inch,
            "ft" | "foot" | "feet" => Self::Foot,
            _ => return Err(format!("unit of length: need m, dm, cm, mm, in or ft, got '{text}'")),
        })
    }
}

/// An axis of the recording's own frame with a direction: which way is up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Axis {
    /// +X.
    X,
    /// +Y.
    Y,
    /// +Z.
    Z,
    /// -X.
    #[serde(rename = "-x")]
    NegativeX,
    /// -Y.
    #[serde(rename = "-y")]
    NegativeY,
    /// -Z.
    #[serde(rename = "-z")]
    NegativeZ,
}

impl Axis {
    /// In the order of the variants: the axes, then the same the other way.
    pub(crate) const ALL: [Self; 6] =
        [Self::X, Self::Y, Self::Z, Self::NegativeX, Self::NegativeY, Self::NegativeZ];

    /// Which coordinate it is: 0, 1 or 2.
    pub(crate) fn index(self) -> usize {
        self as usize % 3
    }

    /// Whether it points to where the coordinate falls.
    pub(crate) fn is_negative(self) -> bool {
        self as usize >= 3
    }

    /// The same axis, the other way.
    pub(crate) fn flipped(self) -> Self {
        Self::ALL[(self as usize + 3) % 6]
    }

    /// The unit vector.
    pub fn direction(self) -> nalgebra::Vector3<f64> {
        nalgebra::Vector3::ith(self.index(), if self.is_negative() { -1.0 } else { 1.0 })
    }

    /// The symbol: `z`, `-y`.
    pub fn symbol(self) -> &'static str {
        ["x", "y", "z", "-x", "-y", "-z"][self as usize]
    }
}

impl fmt::Display for Axis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.symbol())
    }
}

impl FromStr for Axis {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let word = text.trim().to_ascii_lowercase();
        let word = word.strip_prefix('+').filter(|rest| !rest.starts_with('-')).unwrap_or(&word);
        let found = Self::ALL.into_iter().find(|axis| axis.symbol() == word);
        found.ok_or_else(|| format!("axis: need x, y, z, -x, -y or -z, got '{text}'"))
    }
}

/// What the file said about itself, remembered so that it can be written back alike.
#[derive(Debug, Clone, PartialEq)]
pub struct Source {
    /// The format it was read from.
    pub format: Format,
    /// A word on the variant: `Intel float`, `OptiTrack Motive 1.23`.
    pub variant: String,
    /// The unit of length the stored numbers were interpreted in, and are written back in.
    pub unit: LengthUnit,
    /// The unit as the file spells it, if it says one.
    pub declared_unit: Option<String>,
    /// Which way is up in the recording's own axes, where it is known.
    pub up: Option<Axis>,
    /// Which way the file itself says is up, if it says one; the caller may know better.
    pub declared_up: Option<Axis>,
    /// Whether up was guessed from the points, by nobody's word: a file is not written as if it had said so.
    pub up_is_guessed: bool,
    /// How samples were stored in a C3D file, so that they can be stored alike.
    pub c3d: Option<C3dStorage>,
}

impl Source {
    /// A source in a format, metres, with nothing else known.
    pub fn new(format: Format) -> Self {
        Self {
            format,
            variant: String::new(),
            unit: LengthUnit::Metre,
            declared_unit: None,
            up: None,
            declared_up: None,
            up_is_guessed: false,
            c3d: None,
        }
    }
}

/// How a C3D file stores its numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct C3dStorage {
    /// The byte order and float format.
    pub processor: Processor,
    /// Whether samples are 32-bit floats; 16-bit integers otherwise.
    pub float: bool,
    /// File units per stored integer, also the unit of the residual byte; positive.
    pub scale: f32,
}

/// The machine whose byte order and float format a C3D file uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Processor {
    /// Little-endian, IEEE 754 floats.
    #[default]
    Intel,
    /// Little-endian integers, VAX F floats.
    Dec,
    /// Big-endian, IEEE 754 floats.
    Mips,
}

impl fmt::Display for Processor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Intel => "Intel",
            Self::Dec => "DEC",
            Self::Mips => "SGI",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_units_as_people_spell_them() {
        assert_eq!("Millimeters".parse(), Ok(LengthUnit::Millimetre));
        assert_eq!(" FEET ".parse(), Ok(LengthUnit::Foot));
        assert!("parsec".parse::<LengthUnit>().is_err());
    }
}
