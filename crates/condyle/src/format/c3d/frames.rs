//! How many frames there are: several counts, and the length of the file to judge them by.

use super::declared::{count, long_field};
use super::header::{BLOCK_BYTES, Header};
use crate::trial::{Group, Note};

/// The first frame count with which frames of so many bytes fill the file to its last block.
pub(super) fn fills(frame_bytes: u64, available: u64, frame_counts: &[u64]) -> Option<u64> {
    frame_counts.iter().copied().find(|&frames| {
        frames > 0
            && frame_bytes > 0
            && frames
                .checked_mul(frame_bytes)
                .and_then(|needed| available.checked_sub(needed))
                .is_some_and(|spare| spare <= BLOCK_BYTES)
    })
}

/// How many frames there might be, the most trusted count first: the header's, unless it is full.
pub(super) fn frame_counts(header: &Header, groups: &[Group]) -> Vec<u64> {
    let mut counts = Vec::new();
    let header_count =
        (u64::from(header.last_frame) + 1).saturating_sub(u64::from(header.first_frame));
    counts.push(header_count);
    for name in ["FRAMES", "LONG_FRAMES"] {
        counts.extend(count(groups, "POINT", name).map(|frames| frames as u64));
    }
    let field = |name| long_field(groups, name);
    if let (Some(first), Some(last)) = (field("ACTUAL_START_FIELD"), field("ACTUAL_END_FIELD")) {
        counts.push((u64::from(last) + 1).saturating_sub(u64::from(first)));
    }
    // A 16-bit count that is full says only that there are at least so many.
    if header.last_frame == u16::MAX {
        counts.rotate_left(1);
    }
    counts.sort_by_key(|&count| count == u64::from(u16::MAX));
    counts
}

/// How many frames to read, from the counts and the bytes that are available for them.
pub(super) fn frames(
    frame_bytes: u64,
    available: u64,
    frame_counts: &[u64],
    header: &Header,
    notes: &mut Vec<Note>,
) -> usize {
    let declared = frame_counts.first().copied().unwrap_or(0);
    if frame_bytes == 0 {
        return usize::try_from(declared).unwrap_or(0);
    }
    let whole = available / frame_bytes;
    if let Some(frames) = fills(frame_bytes, available, frame_counts) {
        if frames != declared {
            notes.push(Note::new(
                "frame-count",
                format!(
                    "{declared} frames declared first, {frames} elsewhere: took {frames}, which fills \
                     the file"
                ),
            ));
        }
        return frames as usize;
    }
    let saturated = header.last_frame == u16::MAX;
    let longest = frame_counts.iter().copied().max().unwrap_or(0);
    if declared == 0 {
        notes.push(Note::new(
            "frame-count",
            format!("header says no frames, the file holds {whole}: took {whole}"),
        ));
        return whole as usize;
    }
    let wanted = if saturated { longest.max(declared) } else { declared };
    if wanted > whole {
        notes.push(Note::new(
            "truncated",
            format!("file ends early: need {wanted} frames, got {whole} whole ones"),
        ));
        return whole as usize;
    }
    let spare = available - wanted * frame_bytes;
    notes.push(Note::new(
        "trailing-bytes",
        format!("{spare} bytes after the last of {wanted} frames were left alone"),
    ));
    wanted as usize
}

#[cfg(test)]
mod tests {
    use super::super::layout::tests::{group, header, layout};
    use crate::trial::{Parameter, ParameterData};

    #[test]
    fn a_cut_file_keeps_its_whole_frames() {
        let (found, codes) = layout(&header(10, 0, 100), &[], 160 * 57 + 90);
        assert_eq!((found.frames, codes), (57, vec!["truncated"]));
    }

    #[test]
    fn long_files_take_the_32_bit_count() {
        let groups = [group(
            "TRIAL",
            vec![
                Parameter::with("ACTUAL_START_FIELD", vec![2], ParameterData::Integer(vec![1, 0])),
                Parameter::with(
                    "ACTUAL_END_FIELD",
                    vec![2],
                    ParameterData::Integer(vec![100_000u32 as i16, 1]),
                ),
            ],
        )];
        let (found, codes) = layout(&header(2, 0, 65_535), &groups, 100_000 * 32);
        assert_eq!((found.frames, codes), (100_000, vec![]));
    }
}
