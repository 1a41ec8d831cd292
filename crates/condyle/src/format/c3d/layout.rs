//! Where the samples are and how many: header and parameters reconciled with the file's length.
//!
//! The header describes the data section that follows it, and programs that rewrite the data
//! rewrite the header; parameters are often carried along unchanged. So the header wins, unless
//! only the parameters' numbers fill the file to its last block. Every disagreement is noted.

use super::header::{BLOCK_BYTES, Header};
use crate::error::{Error, Result};
use crate::trial::{Group, Note, parameters};

/// The reconciled layout of the data section.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Layout {
    pub points: usize,
    pub channels: usize,
    /// Analog samples per frame and channel.
    pub ratio: usize,
    pub frames: usize,
    pub float: bool,
    /// File units per stored integer, and the unit of the residual byte; positive.
    pub scale: f32,
    pub data_at: u64,
    pub first_frame: i64,
    pub rate_hz: f64,
}

impl Layout {
    /// Bytes of one frame: all points, then all analog samples.
    pub(super) fn frame_bytes(&self) -> usize {
        (self.points * 4 + self.channels * self.ratio) * self.word_bytes()
    }

    /// Bytes of one stored number.
    pub(super) fn word_bytes(&self) -> usize {
        if self.float { 4 } else { 2 }
    }
}

/// One reading of the counts, before the file's length decides.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Candidate {
    points: usize,
    analog_per_frame: usize,
    float: bool,
}

/// Reconciles what header and parameters say with the length of the file.
///
/// # Errors
/// The data section starts beyond the end of the file.
pub(super) fn reconcile(
    header: &Header,
    groups: &[Group],
    data_blocks: [u16; 2],
    file_bytes: u64,
    notes: &mut Vec<Note>,
) -> Result<Layout> {
    let count = |group, name| count(groups, group, name);
    let rate_hz = rate(header, groups, notes);
    let analog_rate_hz = number(groups, "ANALOG", "RATE").filter(|rate| *rate > 0.0);
    let ratio_by_rate = analog_rate_hz
        .filter(|_| rate_hz > 0.0)
        .map(|analog| (analog / rate_hz).round().clamp(1.0, 65_535.0) as usize);
    let data_at = data_start(header, groups, data_blocks, file_bytes, notes)?;
    let available = points_end(groups, file_bytes).max(data_at) - data_at;

    let by_header = Candidate {
        points: usize::from(header.points),
        analog_per_frame: usize::from(header.analog_per_frame),
        float: header.scale <= 0.0,
    };
    let mut candidates = vec![by_header];
    let point_scale = number(groups, "POINT", "SCALE");
    let floats = [by_header.float, point_scale.map_or(by_header.float, |scale| scale < 0.0)];
    let points = [by_header.points, count("POINT", "USED").unwrap_or(by_header.points)];
    let used = count("ANALOG", "USED");
    let analogs = [
        by_header.analog_per_frame,
        used.map_or(by_header.analog_per_frame, |used| {
            used * ratio_by_rate.unwrap_or(usize::from(header.analog_ratio))
        }),
        used.map_or(by_header.analog_per_frame, |used| used * usize::from(header.analog_ratio)),
    ];
    for float in floats {
        for points in points {
            for analog_per_frame in analogs {
                let candidate = Candidate { points, analog_per_frame, float };
                if !candidates.contains(&candidate) {
                    candidates.push(candidate);
                }
            }
        }
    }

    let frame_counts = frame_counts(header, groups);
    let chosen = candidates
        .iter()
        .copied()
        .find(|candidate| fills(candidate, available, &frame_counts).is_some())
        .unwrap_or(by_header);
    note_choice(&by_header, &chosen, candidates.len() > 1, notes);
    let frames = frames(&chosen, available, &frame_counts, header, notes);
    let (channels, ratio) = channels(&chosen, used, header, ratio_by_rate, notes);
    let scale = scale(header, point_scale, chosen.float, notes);
    Ok(Layout {
        points: chosen.points,
        channels,
        ratio,
        frames,
        float: chosen.float,
        scale,
        data_at,
        first_frame: first_frame(header, groups),
        rate_hz,
    })
}

/// The end of the points and analog values: rotations have a section of their own after them.
fn points_end(groups: &[Group], file_bytes: u64) -> u64 {
    let block = count(groups, "ROTATION", "DATA_START").unwrap_or(0) as u64;
    let rotations_at = block.saturating_sub(1) * BLOCK_BYTES;
    if rotations_at > 0 { rotations_at.min(file_bytes) } else { file_bytes }
}

fn frame_bytes(candidate: &Candidate) -> u64 {
    let words = candidate.points as u64 * 4 + candidate.analog_per_frame as u64;
    words * if candidate.float { 4 } else { 2 }
}

/// The first frame count with which a candidate fills the file to its last block.
fn fills(candidate: &Candidate, available: u64, frame_counts: &[u64]) -> Option<u64> {
    let frame_bytes = frame_bytes(candidate);
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
fn frame_counts(header: &Header, groups: &[Group]) -> Vec<u64> {
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

fn frames(
    chosen: &Candidate,
    available: u64,
    frame_counts: &[u64],
    header: &Header,
    notes: &mut Vec<Note>,
) -> usize {
    let frame_bytes = frame_bytes(chosen);
    let declared = frame_counts.first().copied().unwrap_or(0);
    if frame_bytes == 0 {
        return usize::try_from(declared).unwrap_or(0);
    }
    let whole = available / frame_bytes;
    if let Some(frames) = fills(chosen, available, frame_counts) {
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

fn channels(
    chosen: &Candidate,
    used: Option<usize>,
    header: &Header,
    ratio_by_rate: Option<usize>,
    notes: &mut Vec<Note>,
) -> (usize, usize) {
    let total = chosen.analog_per_frame;
    if total == 0 {
        return (0, 0);
    }
    let divides = |n: &usize| *n > 0 && total.is_multiple_of(*n);
    let ratio = usize::from(header.analog_ratio);
    if let Some(channels) = used.filter(divides) {
        return (channels, total / channels);
    }
    if let Some(ratio) = Some(ratio).filter(divides).or(ratio_by_rate.filter(divides)) {
        if used.is_some() {
            notes.push(Note::new(
                "analog-count",
                format!(
                    "ANALOG:USED says {} channels, the header {}: took the header",
                    used.unwrap_or(0),
                    total / ratio
                ),
            ));
        }
        return (total / ratio, ratio);
    }
    notes.push(Note::new(
        "analog-count",
        format!("{total} analog values a frame fit no count of channels: took one sample each"),
    ));
    (total, 1)
}

fn scale(header: &Header, point_scale: Option<f64>, float: bool, notes: &mut Vec<Note>) -> f32 {
    let valid = |scale: f32| Some(scale.abs()).filter(|s| s.is_finite() && *s > 0.0);
    let by_header = valid(header.scale);
    let by_parameter = point_scale.and_then(|scale| valid(scale as f32));
    if let (Some(header), Some(parameter)) = (by_header, by_parameter)
        && ((header - parameter) / header).abs() > 1e-5
    {
        let means = if float { "residuals" } else { "coordinates" };
        notes.push(Note::new(
            "scale",
            format!(
                "header scales {means} by {header}, POINT:SCALE by {parameter}: took the header"
            ),
        ));
    }
    by_header.or(by_parameter).unwrap_or_else(|| {
        notes.push(Note::new("scale", "no scale in header or POINT:SCALE: took 1"));
        1.0
    })
}

fn rate(header: &Header, groups: &[Group], notes: &mut Vec<Note>) -> f64 {
    let valid = |rate: &f64| rate.is_finite() && *rate > 0.0;
    let by_header = Some(f64::from(header.rate_hz)).filter(valid);
    let by_parameter = number(groups, "POINT", "RATE").filter(valid);
    if let (Some(header), Some(parameter)) = (by_header, by_parameter)
        && ((header - parameter) / header).abs() > 1e-4
    {
        notes.push(Note::new(
            "rate",
            format!("header says {header} Hz, POINT:RATE {parameter} Hz: took POINT:RATE"),
        ));
    }
    by_parameter.or(by_header).unwrap_or_else(|| {
        notes.push(Note::new("rate", "no rate in header or POINT:RATE: times are unknown"));
        0.0
    })
}

fn data_start(
    header: &Header,
    groups: &[Group],
    [parameter_block, parameter_blocks]: [u16; 2],
    file_bytes: u64,
    notes: &mut Vec<Note>,
) -> Result<u64> {
    let in_file = |block: &u16| *block > 1 && (u64::from(*block) - 1) * BLOCK_BYTES <= file_bytes;
    let by_header = Some(header.data_start).filter(in_file);
    let by_parameter = count(groups, "POINT", "DATA_START")
        .and_then(|block| u16::try_from(block).ok())
        .filter(in_file);
    let after_parameters = Some(parameter_block.saturating_add(parameter_blocks)).filter(in_file);
    if by_header.is_none() && header.data_start > 1 {
        return Err(Error::at_byte(
            16,
            format!(
                "data start: need a block within the file's {file_bytes} bytes, got block {}",
                header.data_start
            ),
        ));
    }
    let block = by_header.or(by_parameter).or(after_parameters).ok_or_else(|| {
        Error::at_byte(16, format!("data start: need a block after 1, got {}", header.data_start))
    })?;
    if by_header.is_none() || by_parameter.is_some_and(|other| Some(other) != by_header) {
        notes.push(Note::new(
            "data-start",
            format!(
                "header starts the data at block {}, POINT:DATA_START at {:?}: took {block}",
                header.data_start,
                count(groups, "POINT", "DATA_START").unwrap_or(0)
            ),
        ));
    }
    Ok((u64::from(block) - 1) * BLOCK_BYTES)
}

fn first_frame(header: &Header, groups: &[Group]) -> i64 {
    let by_header = i64::from(header.first_frame);
    long_field(groups, "ACTUAL_START_FIELD")
        .map(i64::from)
        .filter(|first| header.first_frame == u16::MAX || *first & 0xffff == by_header)
        .unwrap_or(by_header)
}

fn note_choice(by_header: &Candidate, chosen: &Candidate, disagree: bool, notes: &mut Vec<Note>) {
    let say = |c: &Candidate| {
        let kind = if c.float { "float" } else { "integer" };
        format!("{} points and {} analog values a frame, {kind}", c.points, c.analog_per_frame)
    };
    if chosen != by_header {
        notes.push(Note::new(
            "header-parameters",
            format!(
                "header says {}; the parameters' {} fill the file, so they were taken",
                say(by_header),
                say(chosen)
            ),
        ));
    } else if disagree {
        notes.push(Note::new(
            "header-parameters",
            format!("parameters disagree with the header's {}: took the header", say(by_header)),
        ));
    }
}

/// A count from a parameter, whatever its type; negative 16-bit integers are meant unsigned.
fn count(groups: &[Group], group: &str, name: &str) -> Option<usize> {
    let value = parameters::find(groups, group, name)?.first_count()?;
    (value.is_finite() && value >= 0.0).then_some(value as usize)
}

/// The first number of a parameter.
pub(super) fn number(groups: &[Group], group: &str, name: &str) -> Option<f64> {
    let value = parameters::find(groups, group, name)?.to_numbers().first().copied();
    value.filter(|value| value.is_finite())
}

/// A 32-bit frame number stored as two 16-bit words, the low one first.
fn long_field(groups: &[Group], name: &str) -> Option<u32> {
    let words = parameters::find(groups, "TRIAL", name)?.to_numbers();
    let word = |i: usize| words.get(i).map(|&w| (w as i64 & 0xffff) as u32);
    Some(word(0)? | word(1)? << 16)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trial::Parameter;

    fn header(points: u16, analog_per_frame: u16, last_frame: u16) -> Header {
        Header {
            points,
            analog_per_frame,
            first_frame: 1,
            last_frame,
            max_gap_frames: 0,
            scale: -1.0,
            data_start: 3,
            analog_ratio: 1,
            rate_hz: 100.0,
            events: Vec::new(),
        }
    }

    fn group(name: &str, parameters: Vec<Parameter>) -> Group {
        Group { name: name.into(), parameters, ..Group::default() }
    }

    fn layout(header: &Header, groups: &[Group], data_bytes: u64) -> (Layout, Vec<&'static str>) {
        let mut notes = Vec::new();
        let layout = reconcile(header, groups, [2, 1], 1024 + data_bytes, &mut notes).unwrap();
        (layout, notes.iter().map(|note| note.code).collect())
    }

    #[test]
    fn parameters_win_only_when_they_alone_fill_the_file() {
        let groups = [
            group("POINT", vec![Parameter::integer("USED", 8), Parameter::real("RATE", 140.0)]),
            group("ANALOG", vec![Parameter::integer("USED", 16), Parameter::real("RATE", 980.0)]),
        ];
        let mut header = header(8, 16, 840);
        header.analog_ratio = 7;
        header.rate_hz = 140.0;
        let (found, codes) = layout(&header, &groups, 840 * (8 * 4 + 112) * 4);
        assert_eq!((found.points, found.channels, found.ratio, found.frames), (8, 16, 7, 840));
        assert_eq!(codes, ["header-parameters"]);
    }

    #[test]
    fn the_header_wins_when_both_fit() {
        let groups = [group("POINT", vec![Parameter::integer("USED", 12)])];
        let (found, codes) = layout(&header(11, 0, 152), &groups, 152 * 11 * 16 + 100);
        assert_eq!((found.points, found.frames), (11, 152));
        assert_eq!(codes, ["header-parameters"]);
    }

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
                Parameter::with(
                    "ACTUAL_START_FIELD",
                    vec![2],
                    crate::trial::ParameterData::Integer(vec![1, 0]),
                ),
                Parameter::with(
                    "ACTUAL_END_FIELD",
                    vec![2],
                    crate::trial::ParameterData::Integer(vec![100_000u32 as i16, 1]),
                ),
            ],
        )];
        let (found, codes) = layout(&header(2, 0, 65_535), &groups, 100_000 * 32);
        assert_eq!((found.frames, codes), (100_000, vec![]));
    }

    #[test]
    fn refuses_data_that_start_beyond_the_file() {
        let mut header = header(1, 0, 1);
        header.data_start = 900;
        let error = reconcile(&header, &[], [2, 1], 2048, &mut Vec::new()).unwrap_err();
        assert!(error.to_string().contains("block 900"), "{error}");
    }
}
