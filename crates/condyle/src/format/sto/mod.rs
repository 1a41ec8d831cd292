//! STO and MOT, OpenSim's tables: a header, `endheader`, labels, and a row of numbers a frame.
//!
//! # What the file means
//! - Scalar tables (`DataType=double`, or none stated) become channels, `Vec3` tables markers in
//!   metres, `Quaternion` tables (`w,x,y,z`) bodies without positions.
//! - `inDegrees=yes` concerns rotational columns only, and without the model nobody knows which
//!   those are. By convention all are but `…_tx`, `…_ty`, `…_tz` and columns named like forces,
//!   points and muscles. Their channels keep the file's degrees and have the scale
//!   `pi / 180` to radians. A header without `version` and `inDegrees`, as SIMM wrote it, is
//!   taken as degrees and noted; a versioned one without `inDegrees` says nothing about units.
//! - The rate comes from the time column, or from `DataRate=` where the times agree with it. Where
//!   the times are not evenly spaced they are kept as a channel `time`.
//! - A blank or `NaN` cell is NaN in a channel, which is noted, and a missing sample of a marker or
//!   body.

mod columns;
mod header;
mod read;
mod write;

pub use read::read;
pub use write::{write, write_with};

/// Radians in a degree: the scale of a channel that keeps degrees.
const RADIANS_PER_DEGREE: f64 = std::f64::consts::PI / 180.0;

/// The label of the channel that keeps times which are not evenly spaced.
const TIME: &str = "time";

#[cfg(test)]
mod tests;
