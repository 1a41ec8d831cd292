//! The parameter section: a chain of groups and parameters, each pointing at the next.

use super::number::{f32_from, f32_to, u16_from, u16_to};
use crate::trial::parameters::text_from_bytes;
use crate::trial::{Group, Note, Parameter, ParameterData, Processor};

/// Bytes before the first record: two unused, block count, processor.
pub(super) const SECTION_HEADER_BYTES: usize = 4;

/// Reads the records after the section's four header bytes.
///
/// The pointer to the next record is trusted over the lengths inside a record, because producers
/// get the lengths wrong more often. Reading stops at the end mark, at a pointer of
/// zero, or at the end of `section`; whatever was odd is noted.
pub(super) fn parse(section: &[u8], processor: Processor, notes: &mut Vec<Note>) -> Vec<Group> {
    let mut groups: Vec<(u8, Group)> = Vec::new();
    let mut at = SECTION_HEADER_BYTES;
    while let Some(record) = Record::parse(section, at, processor) {
        if record.points_beyond {
            let name = &record.name;
            let text =
                format!("{name} at byte {at} of the section points beyond it: took it as last");
            notes.push(Note::new("parameter-chain", text));
        }
        if record.id < 0 {
            let slot = group_slot(&mut groups, record.id.unsigned_abs());
            slot.name = record.name;
            slot.locked = record.locked;
            slot.description = description(&section[record.body_at..record.end]);
        } else {
            match parse_parameter(section, &record, processor) {
                Some(parameter) => {
                    let slot = group_slot(&mut groups, record.id.unsigned_abs());
                    slot.parameters.push(Parameter {
                        name: record.name,
                        locked: record.locked,
                        ..parameter
                    });
                }
                None => notes.push(Note::new(
                    "parameter-broken",
                    format!("parameter {} at byte {at} of the section cannot be read", record.name),
                )),
            }
        }
        match record.next {
            Some(next) => at = next,
            None => break,
        }
    }
    for (id, group) in &mut groups {
        if group.name.is_empty() {
            let text = format!("parameters refer to group {id}, which the file does not name");
            notes.push(Note::new("group-unnamed", text));
            group.name = format!("GROUP_{id}");
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

fn group_slot(groups: &mut Vec<(u8, Group)>, id: u8) -> &mut Group {
    let index = groups.iter().position(|(other, _)| *other == id).unwrap_or_else(|| {
        groups.push((id, Group::default()));
        groups.len() - 1
    });
    &mut groups[index].1
}

/// The start of a group or parameter record.
struct Record {
    /// Negative for a group, positive for a parameter of the group.
    id: i8,
    name: String,
    locked: bool,
    body_at: usize,
    end: usize,
    next: Option<usize>,
    /// Whether the next record would be outside the section.
    points_beyond: bool,
}

impl Record {
    fn parse(section: &[u8], at: usize, processor: Processor) -> Option<Self> {
        let length = section.get(at)?.cast_signed();
        let id = section.get(at + 1)?.cast_signed();
        if length == 0 || id == 0 {
            return None;
        }
        let name_at = at + 2;
        let pointer_at = name_at + usize::from(length.unsigned_abs());
        let name = section.get(name_at..pointer_at)?;
        let pointer = section.get(pointer_at..pointer_at + 2)?;
        let offset = usize::from(u16_from(processor, [pointer[0], pointer[1]]));
        let body_at = pointer_at + 2;
        let next = pointer_at + offset;
        let ends_here = offset == 0 || next >= section.len();
        Some(Self {
            id,
            name: text_from_bytes(name).trim().to_owned(),
            locked: length < 0,
            body_at,
            end: if ends_here { section.len() } else { next.max(body_at) },
            next: (!ends_here).then_some(next),
            points_beyond: next > section.len(),
        })
    }
}

/// A length byte and that many characters, cut where the record ends.
fn description(body: &[u8]) -> String {
    let Some((&length, rest)) = body.split_first() else { return String::new() };
    text_from_bytes(&rest[..rest.len().min(usize::from(length))])
}

/// The values may run past the pointed-to next record, and past the declared section: producers
/// write both. Only the description is cut where the next record starts.
fn parse_parameter(section: &[u8], record: &Record, processor: Processor) -> Option<Parameter> {
    let body = section.get(record.body_at..)?;
    let kind = body.first()?.cast_signed();
    let dimension_count = usize::from(*body.get(1)?);
    let dimensions = body.get(2..2 + dimension_count)?.to_vec();
    let mut count = 1usize;
    for &dimension in &dimensions {
        count = count.checked_mul(usize::from(dimension))?;
    }
    let data_at = 2 + dimension_count;
    let size = count.checked_mul(usize::from(kind.unsigned_abs()))?;
    let bytes = body.get(data_at..data_at.checked_add(size)?)?;
    let data = match kind {
        -1 => ParameterData::Text(bytes.to_vec()),
        1 => ParameterData::Byte(bytes.to_vec()),
        2 => {
            let words = bytes.as_chunks().0.iter();
            ParameterData::Integer(words.map(|b| u16_from(processor, *b).cast_signed()).collect())
        }
        4 => {
            let words = bytes.as_chunks().0.iter();
            ParameterData::Real(words.map(|b| f32_from(processor, *b)).collect())
        }
        _ => return None,
    };
    let description_at = record.body_at + data_at + size;
    let description = description(section.get(description_at..record.end).unwrap_or_default());
    Some(Parameter { name: String::new(), description, locked: false, dimensions, data })
}

/// The section as bytes, padded to whole blocks; `None` if it exceeds 255 blocks or a limit.
pub(super) fn to_bytes(groups: &[Group], processor: Processor) -> Option<Vec<u8>> {
    let mut section = vec![1, super::header::KEY, 0, processor_code(processor)];
    for (index, group) in groups.iter().enumerate() {
        let id = i8::try_from(index + 1).ok()?;
        let mut body = Vec::new();
        push_description(&mut body, &group.description);
        push_record(&mut section, &group.name, -id, group.locked, processor, &body)?;
        for parameter in &group.parameters {
            let body = parameter_body(parameter, processor)?;
            push_record(&mut section, &parameter.name, id, parameter.locked, processor, &body)?;
        }
    }
    section.extend([0, 0]);
    let blocks = section.len().div_ceil(super::header::BLOCK_BYTES as usize);
    section.resize(blocks * super::header::BLOCK_BYTES as usize, 0);
    section[2] = u8::try_from(blocks).ok()?;
    Some(section)
}

/// The byte that names a processor in the parameter section.
pub(super) fn processor_code(processor: Processor) -> u8 {
    match processor {
        Processor::Intel => 84,
        Processor::Dec => 85,
        Processor::Mips => 86,
    }
}

fn push_record(
    section: &mut Vec<u8>,
    name: &str,
    id: i8,
    locked: bool,
    processor: Processor,
    body: &[u8],
) -> Option<()> {
    let name = name.as_bytes();
    let length = i8::try_from(name.len()).ok().filter(|&length| length > 0)?;
    section.extend([if locked { -length } else { length }.cast_unsigned(), id.cast_unsigned()]);
    section.extend(name);
    section.extend(u16_to(processor, u16::try_from(body.len() + 2).ok()?));
    section.extend(body);
    Some(())
}

fn push_description(body: &mut Vec<u8>, description: &str) {
    let end = (0..=description.len().min(255)).rev().find(|&end| description.is_char_boundary(end));
    let bytes = &description.as_bytes()[..end.unwrap_or(0)];
    body.push(bytes.len() as u8);
    body.extend(bytes);
}

fn parameter_body(parameter: &Parameter, processor: Processor) -> Option<Vec<u8>> {
    let mut body = Vec::new();
    let kind: i8 = match &parameter.data {
        ParameterData::Text(_) => -1,
        ParameterData::Byte(_) => 1,
        ParameterData::Integer(_) => 2,
        ParameterData::Real(_) => 4,
    };
    body.extend([kind.cast_unsigned(), u8::try_from(parameter.dimensions.len()).ok()?]);
    body.extend(&parameter.dimensions);
    match &parameter.data {
        ParameterData::Text(bytes) | ParameterData::Byte(bytes) => body.extend(bytes),
        ParameterData::Integer(values) => {
            body.extend(values.iter().flat_map(|v| u16_to(processor, v.cast_unsigned())));
        }
        ParameterData::Real(values) => {
            body.extend(values.iter().flat_map(|&v| f32_to(processor, v)));
        }
    }
    push_description(&mut body, &parameter.description);
    Some(body)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Vec<Group> {
        vec![
            Group {
                name: "POINT".into(),
                description: "3-D points".into(),
                locked: true,
                parameters: vec![
                    Parameter::integer("USED", 41),
                    Parameter::real("SCALE", -0.05),
                    Parameter::strings("LABELS", &["A", "BCD"]),
                ],
            },
            Group {
                name: "EMPTY".into(),
                parameters: vec![Parameter::with("B", vec![0], ParameterData::Byte(vec![]))],
                ..Group::default()
            },
        ]
    }

    #[test]
    fn groups_survive_writing_and_reading_on_every_machine() {
        for processor in [Processor::Intel, Processor::Dec, Processor::Mips] {
            let bytes = to_bytes(&sample(), processor).unwrap();
            let mut notes = Vec::new();
            assert_eq!(parse(&bytes, processor, &mut notes), sample());
            assert_eq!(notes, []);
        }
    }

    #[test]
    fn a_cut_section_gives_the_whole_records_before_the_cut() {
        let bytes = to_bytes(&sample(), Processor::Intel).unwrap();
        for end in 0..80 {
            let mut notes = Vec::new();
            let groups = parse(&bytes[..end], Processor::Intel, &mut notes);
            assert!(groups.iter().all(|g| g.parameters.len() <= 3));
        }
    }
}
