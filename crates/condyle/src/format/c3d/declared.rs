//! Single values that header and parameters both declare: rate, scale, data start, first frame.

use super::header::{BLOCK_BYTES, Header};
use crate::error::{Error, Result};
use crate::trial::{Group, Note, parameters};

pub(super) fn scale(
    header: &Header,
    point_scale: Option<f64>,
    float: bool,
    notes: &mut Vec<Note>,
) -> f32 {
    let valid = |scale: f32| Some(scale.abs()).filter(|s| s.is_finite() && *s > 0.0);
    let by_header = valid(header.scale);
    let by_parameter = point_scale.and_then(|scale| valid(scale as f32));
    if let (Some(header), Some(parameter)) = (by_header, by_parameter)
        && ((header - parameter) / header).abs() > 1e-5
    {
        let means = if float { "residuals" } else { "coordinates" };
        let text = format!(
            "header scales {means} by {header}, POINT:SCALE by {parameter}: took the header"
        );
        notes.push(Note::new("scale", text));
    }
    by_header.or(by_parameter).unwrap_or_else(|| {
        notes.push(Note::new("scale", "no scale in header or POINT:SCALE: took 1"));
        1.0
    })
}

/// Frames a second. The length of the file cannot tell who is right, so the parameter is: it is
/// what programs show and let people correct.
pub(super) fn rate(header: &Header, groups: &[Group], notes: &mut Vec<Note>) -> f64 {
    let valid = |rate: &f64| rate.is_finite() && *rate > 0.0;
    let by_header = Some(f64::from(header.rate_hz)).filter(valid);
    let by_parameter = number(groups, "POINT", "RATE").filter(valid);
    if let (Some(header), Some(parameter)) = (by_header, by_parameter)
        && ((header - parameter) / header).abs() > 1e-4
    {
        let text = format!("header says {header} Hz, POINT:RATE {parameter} Hz: took POINT:RATE");
        notes.push(Note::new("rate-contradiction", text));
    }
    by_parameter.or(by_header).unwrap_or_else(|| {
        notes.push(Note::new("rate-unknown", "no rate in header or POINT:RATE: times are unknown"));
        0.0
    })
}

pub(super) fn data_start(
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
    let start = header.data_start;
    if by_header.is_none() && start > 1 {
        let need = format!("need a block within the file's {file_bytes} bytes");
        return Err(Error::at_byte(16, format!("data start: {need}, got block {start}")));
    }
    let block = by_header.or(by_parameter).or(after_parameters).ok_or_else(|| {
        Error::at_byte(16, format!("data start: need a block after 1, got {start}"))
    })?;
    if by_header.is_none() || by_parameter.is_some_and(|other| Some(other) != by_header) {
        let other = count(groups, "POINT", "DATA_START").unwrap_or(0);
        let text = format!(
            "header starts the data at block {start}, POINT:DATA_START at {other}: took {block}"
        );
        notes.push(Note::new("data-start", text));
    }
    Ok((u64::from(block) - 1) * BLOCK_BYTES)
}

/// The number of the first frame: the header's, or the 32-bit one whose low word that is.
pub(super) fn first_frame(header: &Header, groups: &[Group], notes: &mut Vec<Note>) -> i64 {
    let by_header = i64::from(header.first_frame);
    match long_field(groups, "ACTUAL_START_FIELD").map(i64::from) {
        Some(first) if header.first_frame == u16::MAX || first & 0xffff == by_header => first,
        Some(other) => {
            let text = format!(
                "header numbers the first frame {by_header}, TRIAL:ACTUAL_START_FIELD {other}: \
                 took the header"
            );
            notes.push(Note::new("first-frame", text));
            by_header
        }
        None => by_header,
    }
}

/// A count from a parameter, whatever its type; negative 16-bit integers are meant unsigned.
///
/// A count that exceeds 32 bits, which only a float can, is none.
pub(super) fn count(groups: &[Group], group: &str, name: &str) -> Option<usize> {
    let value = parameters::find(groups, group, name)?.first_count()?;
    (0.0..=f64::from(u32::MAX)).contains(&value).then_some(value as usize)
}

/// The first number of a parameter.
pub(super) fn number(groups: &[Group], group: &str, name: &str) -> Option<f64> {
    let value = parameters::find(groups, group, name)?.to_numbers().first().copied();
    value.filter(|value| value.is_finite())
}

/// A 32-bit frame number stored as two 16-bit words, the low one first.
pub(super) fn long_field(groups: &[Group], name: &str) -> Option<u32> {
    let words = parameters::find(groups, "TRIAL", name)?.to_numbers();
    let word = |i: usize| words.get(i).map(|&w| (w as i64 & 0xffff) as u32);
    Some(word(0)? | word(1)? << 16)
}

#[cfg(test)]
mod tests {
    use super::super::layout::tests::header;
    use super::*;

    #[test]
    fn refuses_data_that_start_beyond_the_file() {
        let mut header = header(1, 0, 1);
        header.data_start = 900;
        let error = data_start(&header, &[], [2, 1], 2048, &mut Vec::new()).unwrap_err();
        assert!(error.to_string().contains("block 900"), "{error}");
    }
}
