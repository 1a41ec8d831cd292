//! Lists of poses: text with a 4 × 4 matrix a frame, and tracker sequences of MetaImage files.
//!
//! | begins with | layout |
//! |---|---|
//! | four lines of four numbers, the last `0 0 0 1` | one body, a matrix a frame (FASTRAK trajectories) |
//! | `ObjectType = Image`, with `Seq_Frame…Transform` keys | the transforms of PLUS: one body each |
//!
//! Matrices are `world_from_body`, row by row. Lengths are metres in bare lists and millimetres in PLUS
//! sequences unless [`ReadOptions::unit`] says otherwise.

mod matrices;
mod sequence;

#[cfg(test)]
mod tests;

use crate::error::{ErrorKind, Result};
use crate::format::rotation::{MatrixTally, nearest_rotation};
use crate::format::{ReadOptions, text};
use crate::trial::{Trial, pose_from_wxyz};
use nalgebra::Isometry3;

/// Whether a text is a list of matrices: its first sixteen words are numbers, the last four `0 0 0 1`.
pub(super) fn is_list(head: &str) -> bool {
    let lines = head.lines().filter(|line| !line.trim().is_empty());
    let mut rows = lines.take(4).map(|line| {
        let words = line.split_whitespace().map(text::number);
        words.collect::<Option<Vec<f64>>>().filter(|row| row.len() == 4)
    });
    let all: Option<Vec<Vec<f64>>> = rows.by_ref().collect();
    all.is_some_and(|rows| rows.len() == 4 && rows[3] == [0.0, 0.0, 0.0, 1.0])
}

/// Whether a text is the head of a MetaImage file.
pub(super) fn is_sequence(head: &str) -> bool {
    let mut first = head.lines().filter(|line| !line.trim().is_empty());
    first.next().is_some_and(|line| {
        let mut words = line.split('=').map(str::trim);
        words.next() == Some("ObjectType") && words.next() == Some("Image")
    })
}

/// Reads a list of poses.
///
/// # Errors
/// The file is empty, or has no pose.
pub fn read(bytes: &[u8], options: &ReadOptions) -> Result<Trial> {
    if bytes.is_empty() {
        return Err(ErrorKind::Empty.into());
    }
    // An image may follow the head of a sequence as plain bytes.
    let head = sequence::head(bytes);
    let text = text::decode(head);
    match is_sequence(&text) {
        true => sequence::read(&text, options),
        false => matrices::read(&text, options),
    }
}

/// A pose from a matrix row by row, its lengths in units of so many metres.
fn pose(values: &[f64; 16], metres: f64, tally: &mut MatrixTally) -> Option<Isometry3<f64>> {
    if values[12..] != [0.0, 0.0, 0.0, 1.0] {
        tally.degenerate += 1;
        return None;
    }
    let at = |row: usize| [values[4 * row], values[4 * row + 1], values[4 * row + 2]];
    let [a, b, c] = [at(0), at(1), at(2)];
    let rotation = [a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1], c[2]];
    let q = nearest_rotation(&rotation, tally)?;
    let q = q.quaternion();
    pose_from_wxyz([values[3], values[7], values[11]].map(|v| v * metres), [q.w, q.i, q.j, q.k])
}
