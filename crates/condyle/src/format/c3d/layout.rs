//! Where the samples are and how many: header and parameters reconciled with the file's length.
//!
//! The header describes the data section that follows it, and programs that rewrite the data
//! rewrite the header; parameters are often carried along unchanged. So the header wins, unless
//! only the parameters' numbers fill the file to its last block. Only the rate, which no length can
//! bear out, is the parameters'. Every disagreement is noted.

use super::declared::{count, data_start, first_frame, number, rate, scale};
use super::frames::{fills, frame_counts, frames};
use super::header::{BLOCK_BYTES, Header};
use crate::error::Result;
use crate::trial::{Group, Note};

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

impl Candidate {
    fn frame_bytes(&self) -> u64 {
        let words = self.points as u64 * 4 + self.analog_per_frame as u64;
        words * if self.float { 4 } else { 2 }
    }
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
        .find(|candidate| fills(candidate.frame_bytes(), available, &frame_counts).is_some())
        .unwrap_or(by_header);
    note_choice(&by_header, &chosen, candidates.len() > 1, notes);
    let frames = frames(chosen.frame_bytes(), available, &frame_counts, notes);
    let (channels, ratio) = channels(&chosen, used, header, ratio_by_rate, notes);
    if channels > 0 {
        note_analog_rate(analog_rate_hz, rate_hz * ratio as f64, notes);
    }
    let scale = scale(header, point_scale, chosen.float, notes);
    Ok(Layout {
        points: chosen.points,
        channels,
        ratio,
        frames,
        float: chosen.float,
        scale,
        data_at,
        first_frame: first_frame(header, groups, notes),
        rate_hz,
    })
}

/// The end of the points and analog values: rotations have a section of their own after them.
fn points_end(groups: &[Group], file_bytes: u64) -> u64 {
    let block = count(groups, "ROTATION", "DATA_START").unwrap_or(0) as u64;
    let rotations_at = block.saturating_sub(1) * BLOCK_BYTES;
    if rotations_at > 0 { rotations_at.min(file_bytes) } else { file_bytes }
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
        if let Some(used) = used {
            let own = total / ratio;
            let text =
                format!("ANALOG:USED says {used} channels, the header {own}: took the header");
            notes.push(Note::new("analog-count", text));
        }
        return (total / ratio, ratio);
    }
    let text = "analog values a frame fit no count of channels: took one sample each";
    notes.extend(Note::counted(total, "analog-count", text));
    (total, 1)
}

/// Only a whole number of samples a frame can be stored, whatever rate is declared.
fn note_analog_rate(declared_hz: Option<f64>, stored_hz: f64, notes: &mut Vec<Note>) {
    let differs = |hz: &f64| stored_hz > 0.0 && (hz - stored_hz).abs() > 1e-4 * stored_hz;
    if let Some(declared_hz) = declared_hz.filter(differs) {
        let text = format!(
            "ANALOG:RATE says {declared_hz} Hz, the samples of a frame make {stored_hz} Hz: took that"
        );
        notes.push(Note::new("analog-rate", text));
    }
}

fn note_choice(by_header: &Candidate, chosen: &Candidate, disagree: bool, notes: &mut Vec<Note>) {
    let say = |c: &Candidate| {
        let kind = if c.float { "float" } else { "integer" };
        format!("{} points and {} analog values a frame, {kind}", c.points, c.analog_per_frame)
    };
    let (header, taken) = (say(by_header), say(chosen));
    if chosen != by_header {
        let text = format!(
            "header says {header}; the parameters' {taken} fill the file, so they were taken"
        );
        notes.push(Note::new("header-parameters", text));
    } else if disagree {
        let text = format!("parameters disagree with the header's {header}: took the header");
        notes.push(Note::new("header-parameters", text));
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::trial::Parameter;

    pub(in super::super) fn header(points: u16, analog_per_frame: u16, last_frame: u16) -> Header {
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

    pub(in super::super) fn group(name: &str, parameters: Vec<Parameter>) -> Group {
        Group { name: name.into(), parameters, ..Group::default() }
    }

    pub(in super::super) fn layout(
        header: &Header,
        groups: &[Group],
        data_bytes: u64,
    ) -> (Layout, Vec<&'static str>) {
        let mut notes = Vec::new();
        let layout = reconcile(header, groups, [2, 1], 1024 + data_bytes, &mut notes).unwrap();
        (layout, notes.iter().map(|note| note.static_code()).collect())
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
}
