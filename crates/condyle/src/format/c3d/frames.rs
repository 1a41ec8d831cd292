//! How many frames there are: several counts, and the length of the file to judge them by.

use super::declared::{count, long_field};
use super::header::{BLOCK_BYTES, Header};
use crate::order;
use crate::trial::{Group, Note};

const HEADER: &str = "header";

/// A count of frames and where the file declares it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct FrameCount {
    frames: u64,
    declared_by: &'static str,
    /// A 16-bit count that is full says only that there are at least so many.
    is_full: bool,
}

/// How many frames there might be, the most trusted count first: the header's, unless it is full.
pub(super) fn frame_counts(header: &Header, groups: &[Group]) -> Vec<FrameCount> {
    let (first, last) = (u64::from(header.first_frame), u64::from(header.last_frame));
    let mut counts = vec![FrameCount {
        frames: (last + 1).saturating_sub(first),
        declared_by: HEADER,
        is_full: header.last_frame == u16::MAX,
    }];
    let mut add = |frames: Option<u64>, declared_by, is_16_bit| {
        let is_full = is_16_bit && frames == Some(u64::from(u16::MAX));
        counts.extend(frames.map(|frames| FrameCount { frames, declared_by, is_full }));
    };
    add(count(groups, "POINT", "FRAMES").map(|n| n as u64), "POINT:FRAMES", true);
    add(count(groups, "POINT", "LONG_FRAMES").map(|n| n as u64), "POINT:LONG_FRAMES", false);
    let field = |name| long_field(groups, name).map(u64::from);
    let actual = field("ACTUAL_START_FIELD").zip(field("ACTUAL_END_FIELD"));
    let actual = actual.map(|(first, last)| (last + 1).saturating_sub(first));
    add(actual, "TRIAL:ACTUAL_*_FIELD", false);
    order::by_key(&mut counts, |count| count.is_full);
    counts
}

/// The first frame count with which frames of so many bytes fill the file to its last block.
pub(super) fn fills(frame_bytes: u64, available: u64, counts: &[FrameCount]) -> Option<u64> {
    counts.iter().map(|count| count.frames).find(|&frames| {
        frames > 0
            && frame_bytes > 0
            && frames
                .checked_mul(frame_bytes)
                .and_then(|needed| available.checked_sub(needed))
                .is_some_and(|spare| spare <= BLOCK_BYTES)
    })
}

/// How many frames to read, from the counts and the bytes that are available for them.
pub(super) fn frames(
    frame_bytes: u64,
    available: u64,
    counts: &[FrameCount],
    notes: &mut Vec<Note>,
) -> usize {
    let mut say = |code, text: String| notes.push(Note::new(code, text));
    let declared = counts.first().map_or(0, |count| count.frames);
    if frame_bytes == 0 {
        return usize::try_from(declared).unwrap_or(0);
    }
    let whole = available / frame_bytes;
    if let Some(frames) = fills(frame_bytes, available, counts) {
        let others = counts.iter().filter(|count| count.frames != frames && !count.is_full);
        let others: Vec<String> =
            others.map(|count| format!("{} says {}", count.declared_by, count.frames)).collect();
        if !others.is_empty() {
            let others = others.join(", ");
            say("wrong-count", format!("{others} frames: took {frames}, which fills the file"));
        }
        return frames as usize;
    }
    if declared == 0 {
        say("wrong-count", format!("header says no frames, the file holds {whole}: took {whole}"));
        return whole as usize;
    }
    let longest = counts.iter().map(|count| count.frames).max().unwrap_or(0);
    let is_at_least = counts.iter().any(|count| count.is_full && count.declared_by == HEADER);
    let wanted = if is_at_least { longest } else { declared };
    if wanted > whole {
        say("truncated", format!("file ends early: need {wanted} frames, got {whole} whole ones"));
        return whole as usize;
    }
    let spare = available - wanted * frame_bytes;
    let text = format!("{spare} bytes after the last of {wanted} frames were left alone");
    say("trailing-bytes", text);
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
