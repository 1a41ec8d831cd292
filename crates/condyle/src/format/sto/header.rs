//! The header of an OpenSim table, in OpenSim's or SIMM's spelling.

use crate::error::{Error, Result};
use crate::format::text;
use crate::trial::LengthUnit;

/// The type of a table's cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum CellType {
    /// One number.
    #[default]
    Scalar,
    /// `x,y,z`.
    Vec3,
    /// `w,x,y,z`.
    Quaternion,
}

impl CellType {
    /// The name after `DataType=`.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Scalar => "double",
            Self::Vec3 => "Vec3",
            Self::Quaternion => "Quaternion",
        }
    }
}

/// What stands before `endheader`.
#[derive(Debug, Default)]
pub(super) struct Header {
    pub(super) rows: Option<f64>,
    pub(super) columns: Option<f64>,
    pub(super) in_degrees: Option<bool>,
    pub(super) has_version: bool,
    pub(super) cell_type: CellType,
    pub(super) rate_hz: Option<f64>,
    /// The unit of length, as spelt and as understood.
    pub(super) unit: Option<(String, LengthUnit)>,
    /// How many lines the header has, `endheader` included.
    pub(super) lines: usize,
}

/// Reads up to and including the line `endheader`.
pub(super) fn read(text: &str) -> Result<Header> {
    let mut header = Header::default();
    for (index, line) in text.lines().enumerate() {
        header.lines = index + 1;
        let line = line.trim();
        if line.eq_ignore_ascii_case("endheader") {
            return Ok(header);
        }
        let (key, value) = match line.split_once('=') {
            Some(pair) => pair,
            None => line.split_once(char::is_whitespace).unwrap_or((line, "")),
        };
        header.take(&key.trim().to_ascii_lowercase(), value.trim(), index + 1)?;
    }
    Err(Error::malformed("header: need a line 'endheader', got none"))
}

impl Header {
    fn take(&mut self, key: &str, value: &str, line: usize) -> Result<()> {
        match key {
            "nrows" | "datarows" => self.rows = text::number(value).or(self.rows),
            "ncolumns" | "datacolumns" => self.columns = text::number(value).or(self.columns),
            "version" => self.has_version = true,
            "datarate" => self.rate_hz = text::number(value).filter(|rate_hz| *rate_hz > 0.0),
            "units" => {
                self.unit =
                    value.parse().ok().map(|unit| (value.to_owned(), unit)).or(self.unit.take());
            }
            "indegrees" => {
                self.in_degrees = match value.to_ascii_lowercase().as_str() {
                    "yes" | "y" | "true" | "1" => Some(true),
                    "no" | "n" | "false" | "0" => Some(false),
                    _ => self.in_degrees,
                }
            }
            "datatype" => {
                self.cell_type = match value.to_ascii_lowercase().as_str() {
                    "double" => CellType::Scalar,
                    "vec3" => CellType::Vec3,
                    "quaternion" => CellType::Quaternion,
                    _ => {
                        let what =
                            format!("DataType: need double, Vec3 or Quaternion, got '{value}'");
                        return Err(Error::at_line(line, what));
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }
}
