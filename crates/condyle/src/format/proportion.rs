//! Keeping memory in proportion to the file: counts in a file are claims, its bytes are facts.

use nalgebra::Isometry3;

/// The memory of one marker sample: three coordinates and an origin.
pub(super) const POINT_BYTES: usize = size_of::<[f64; 3]>() + 1;

/// The memory of one pose and its origin.
pub(super) const POSE_BYTES: usize = size_of::<Isometry3<f64>>() + 1;

/// What any reader may take whatever the size of the file, in bytes.
const ALWAYS_BYTES: u64 = 32 << 20;

/// Bytes of memory allowed for each byte of file, for one table of samples: a blank cell is one
/// byte of a file and, with its share of an origin, a little over eight in memory.
const PER_FILE_BYTE: u64 = 9;

/// Whether a table of `rows` times `columns` cells of `cell_bytes` is in proportion to its file.
///
/// A file can name a hundred thousand joints in a megabyte and claim, or leave blank, a hundred
/// thousand frames in another: the table would be ten thousand times the file.
pub(super) fn in_proportion(
    rows: usize,
    columns: usize,
    cell_bytes: usize,
    file_bytes: usize,
) -> bool {
    let wanted = (rows as u128 * columns as u128).saturating_mul(cell_bytes as u128);
    wanted <= u128::from(ALWAYS_BYTES) + u128::from(PER_FILE_BYTE) * file_bytes as u128
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_tables_always_fit_and_huge_claims_never() {
        assert!(in_proportion(1000, 100, 25, 10));
        assert!(!in_proportion(100_000, 100_000, 25, 2_000_000));
        assert!(!in_proportion(usize::MAX, usize::MAX, 25, 10));
        assert!(in_proportion(1_000_000, 60, 25, 300_000_000));
    }
}
