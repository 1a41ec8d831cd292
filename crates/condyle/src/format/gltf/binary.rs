//! The container: a header, the JSON, the numbers.

use std::io::Write;

use serde::Serialize;

use crate::error::{ErrorKind, Result, check_finite};

const MAGIC: &[u8; 4] = b"glTF";
const VERSION: u32 = 2;

/// Writes the two chunks, each padded to four bytes.
///
/// Every four bytes are a float, or indices, which as a float are finite too.
pub(super) fn write(root: &impl Serialize, bytes: &[u8], out: &mut impl Write) -> Result<()> {
    let float = |word: &[u8; 4]| f64::from(f32::from_le_bytes(*word));
    check_finite("gltf", bytes.as_chunks().0.iter().map(float))?;
    let cannot = |what: String| ErrorKind::CannotHold(format!("gltf: {what}"));
    let mut text = serde_json::to_vec(root).map_err(|error| cannot(error.to_string()))?;
    text.resize(text.len().next_multiple_of(4), b' ');
    let spare = bytes.len().next_multiple_of(4) - bytes.len();
    let total = 12 + 8 + text.len() as u64 + 8 + (bytes.len() + spare) as u64;
    let total = u32::try_from(total)
        .map_err(|_| cannot(format!("need at most 4 GiB, got {total} bytes")))?;
    out.write_all(MAGIC)?;
    out.write_all(&VERSION.to_le_bytes())?;
    out.write_all(&total.to_le_bytes())?;
    // Both are shorter than the whole, which fits.
    out.write_all(&(text.len() as u32).to_le_bytes())?;
    out.write_all(b"JSON")?;
    out.write_all(&text)?;
    out.write_all(&((bytes.len() + spare) as u32).to_le_bytes())?;
    out.write_all(b"BIN\0")?;
    out.write_all(bytes)?;
    out.write_all(&[0; 3][..spare])?;
    Ok(())
}
