//! The `ROTATION` group: rigid bodies as 4 × 4 matrices in a data section of their own.
//!
//! Each frame has `RATIO` × `USED` records of seventeen floats: a homogeneous matrix column by
//! column, then a residual that is negative where the body was not tracked.

use std::io::{Read, Seek, SeekFrom, Write};
use std::ops::Range;

use nalgebra::{Isometry3, Matrix3, Matrix4, Rotation3, Translation3, UnitQuaternion};

use super::header::BLOCK_BYTES;
use super::number::{f32_from, f32_to, single};
use super::{declared, labels};
use crate::error::Result;
use crate::format::proportion::{POSE_BYTES, in_proportion};
use crate::trial::{Body, Group, Note, Processor, Trial};

const RECORD_FLOATS: usize = 17;
/// How far a matrix may be from a rotation before that is worth a note.
const ORTHONORMAL_TOLERANCE: f64 = 1e-3;

/// Where the rotations of a file are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Section {
    used: usize,
    /// Samples per frame and body.
    ratio: usize,
    data_at: u64,
    frame_bytes: usize,
    /// How many whole frames the file holds.
    pub whole_frames: usize,
}

impl Section {
    /// The section of a file that has a `ROTATION` group with at least one body.
    pub(super) fn find(groups: &[Group], rate_hz: f64, file: Range<u64>) -> Option<Self> {
        let count = |name| declared::count(groups, "ROTATION", name);
        // Block 1 is the header: there are no rotations in the file then.
        let (used, block) = (count("USED")?, count("DATA_START").filter(|block| *block > 1)?);
        let own_rate_hz = declared::number(groups, "ROTATION", "RATE").filter(|_| rate_hz > 0.0);
        let ratio = count("RATIO")
            .or_else(|| own_rate_hz.map(|own_hz| (own_hz / rate_hz).round() as usize))
            .map_or(1, |ratio| ratio.max(1));
        let data_at = file.start + (block as u64 - 1) * BLOCK_BYTES;
        let frame_bytes = used.checked_mul(ratio)?.checked_mul(RECORD_FLOATS * 4)?;
        let available = file.end.saturating_sub(data_at);
        let whole_frames = available.checked_div(frame_bytes as u64)? as usize;
        Some(Self { used, ratio, data_at, frame_bytes, whole_frames })
    }
}

/// Reads the bodies of a file that has a `ROTATION` group; none otherwise.
///
/// Only the first of several samples per frame is kept.
pub(super) fn read(
    source: &mut (impl Read + Seek),
    groups: &[Group],
    processor: Processor,
    extent: Extent,
    notes: &mut Vec<Note>,
) -> Result<Vec<Body>> {
    let Some(section) = extent.section else { return Ok(Vec::new()) };
    let Section { used, ratio, data_at, frame_bytes, whole_frames } = section;
    let frames = extent.frames.min(whole_frames);
    if frames < extent.frames {
        let text = format!("rotations end early: need {} frames, got {frames}", extent.frames);
        notes.push(Note::new("rotation-truncated", text));
    }
    if ratio > 1 {
        let text = format!("rotations have {ratio} samples a frame: kept the first of each frame");
        notes.push(Note::new("rotation-rate", text));
    }
    // Frames without rotations take memory all the same.
    if frames == 0 || !in_proportion(extent.frames, used, POSE_BYTES, whole_frames * frame_bytes) {
        return Ok(Vec::new());
    }
    let names = labels::strings(groups, "ROTATION", "LABELS");
    let names = labels::complete(names, used, "rotation", notes);
    let mut bodies: Vec<Body> = names.into_iter().map(Body::new).collect();
    source.seek(SeekFrom::Start(data_at))?;
    let mut buffer = vec![0; frame_bytes];
    let mut crooked = 0;
    for _ in 0..frames {
        source.read_exact(&mut buffer)?;
        for (body, record) in bodies.iter_mut().zip(buffer.chunks_exact(RECORD_FLOATS * 4)) {
            let value = |i: usize| {
                let b = &record[i * 4..i * 4 + 4];
                f64::from(f32_from(processor, [b[0], b[1], b[2], b[3]]))
            };
            let residual = value(16);
            let (pose, is_rotation) = pose(value, extent.metres_per_unit);
            crooked += usize::from(!is_rotation && residual >= 0.0);
            body.push(pose.filter(|_| residual >= 0.0));
        }
    }
    let text = "matrices are no right-handed rotations: their poses are missing";
    notes.extend(Note::counted(crooked, "rotation-crooked", text));
    for body in &mut bodies {
        while body.frames() < extent.frames {
            body.push(None);
        }
    }
    Ok(bodies)
}

/// What the rest of the file says that rotations depend on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Extent {
    pub section: Option<Section>,
    pub frames: usize,
    pub metres_per_unit: f64,
}

/// The pose of a column-major homogeneous matrix, and whether its rotation part is one.
fn pose(value: impl Fn(usize) -> f64, metres_per_unit: f64) -> (Option<Isometry3<f64>>, bool) {
    let matrix = Matrix3::from_fn(|row, column| value(column * 4 + row));
    let deviation = (matrix.transpose() * matrix - Matrix3::identity()).abs().max();
    if !(deviation <= ORTHONORMAL_TOLERANCE && matrix.determinant() > 0.0) {
        return (None, false);
    }
    let rotation = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(matrix));
    let m = metres_per_unit;
    let translation = Translation3::new(value(12) * m, value(13) * m, value(14) * m);
    (Some(Isometry3::from_parts(translation, rotation)), true)
}

/// Whether the bodies of a trial can be written: the pointer to them is a 16-bit block number.
pub(super) fn is_writable(trial: &Trial, rotation_block: u64) -> bool {
    !trial.bodies.is_empty() && rotation_block <= u64::from(u16::MAX)
}

/// Writes the bodies of a trial, frame by frame.
pub(super) fn write(
    trial: &Trial,
    processor: Processor,
    metres_per_unit: f64,
    out: &mut impl Write,
) -> Result<()> {
    let mut written = 0;
    for frame in 0..trial.frames {
        for body in &trial.bodies {
            let stored = |pose: &Isometry3<f64>| {
                let mut matrix = pose.to_homogeneous();
                (0..3).for_each(|row| matrix[(row, 3)] /= metres_per_unit);
                matrix.iter().all(|value| single(*value).is_some()).then_some(matrix)
            };
            let matrix = body.world_from_body(frame).and_then(stored);
            let residual = if matrix.is_some() { 0.0 } else { -1.0 };
            // Readers that do not look at the residual see at least that there is no pose.
            let matrix = matrix.unwrap_or_else(|| Matrix4::repeat(f64::NAN));
            for value in matrix.as_slice().iter().copied().chain([residual]) {
                out.write_all(&f32_to(processor, value as f32))?;
                written += 4;
            }
        }
    }
    super::write::pad(out, written)
}
