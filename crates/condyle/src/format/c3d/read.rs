//! Reading a C3D file.

use std::io::{Read, Seek, SeekFrom};
use std::ops::RangeInclusive;

use super::header::{BLOCK_BYTES, Header, KEY};
use super::layout::{Layout, reconcile};
use super::samples::{Oddities, Scaling};
use super::tracks::Tracks;
use super::{axes, estimated, events, labels, offsets, parameters, rotation, samples};
use crate::error::{Error, ErrorKind, Result};
use crate::format::ReadOptions;
use crate::format::plausible::{self, UnitTrust};
use crate::trial::{
    C3dStorage, Channel, Format, Group, LengthUnit, Note, Parameter, ParameterData, Processor,
    Source, Trial, are_positions,
};

/// The most that a parameter section may take, in blocks: its count is a byte, and sections are
/// known to run past it.
const MAX_PARAMETER_BLOCKS: u64 = 512;
/// Some exporters write zeros before the header.
const MAX_LEADING_ZEROS: usize = 8192;

/// Reads a C3D file.
///
/// # Errors
/// The source is no C3D file, or its data section lies outside it.
pub fn read(source: impl Read + Seek, options: &ReadOptions) -> Result<Trial> {
    let mut trial = Trial::new(Format::C3d, 0.0);
    read_into(source, options, &mut trial)?;
    Ok(trial)
}

/// Reads a C3D file into a trial that is replaced; the memory of its trajectories is used again.
///
/// # Errors
/// As [`read`]; the trial's content is unspecified then.
pub fn read_into(
    mut source: impl Read + Seek,
    options: &ReadOptions,
    trial: &mut Trial,
) -> Result<()> {
    let file_bytes = source.seek(SeekFrom::End(0))?;
    let mut notes = Vec::new();
    let base = find_header(&mut source, &mut notes)?;
    let length = file_bytes - base;
    let head = read_at(&mut source, base, BLOCK_BYTES)?;
    if (head.len() as u64) < BLOCK_BYTES {
        let got = head.len();
        return Err(Error::at_byte(0, format!("C3D header: need 512 bytes, got {got}")));
    }
    let section_at = u64::from(head[0]).saturating_sub(1) * BLOCK_BYTES;
    let start = read_at(&mut source, base + section_at, 4)?;
    if start.len() < 4 || section_at == 0 {
        let need = format!("need a block within the file's {length} bytes");
        return Err(Error::at_byte(0, format!("parameter section: {need}, got block {}", head[0])));
    }
    let processor = processor(&head, start[3], section_at + 3, &mut notes)?;
    let header = Header::parse(&head, processor)
        .ok_or_else(|| Error::at_byte(0, "C3D header: need 512 bytes"))?;
    if head[0] != 2 {
        notes.push(Note::new("parameter-block", format!("parameters at block {}", head[0])));
    }
    let section_bytes = section_length(&header, section_at, length);
    let section = read_at(&mut source, base + section_at, section_bytes)?;
    let groups = parameters::parse(&section, processor, &mut notes);
    if groups.is_empty() {
        notes
            .push(Note::new("parameters-empty", "the file has no parameters: no labels, no units"));
    }
    let blocks = [u16::from(head[0]), u16::from(start[2])];
    let mut layout = reconcile(&header, &groups, blocks, length, &mut notes)?;
    if layout.frames == 0 {
        // Nothing backs the counts but the names: a broken header must not make up trajectories.
        let named = |group| labels::strings(&groups, group, "LABELS").len();
        layout.points = layout.points.min(named("POINT"));
        layout.channels = layout.channels.min(named("ANALOG"));
    }
    layout.rate_hz = options.rate_hz.unwrap_or(layout.rate_hz);
    let rotations = rotation::Section::find(&groups, layout.rate_hz, base..file_bytes);
    if layout.frame_bytes() == 0 {
        hold_to_rotations(&mut layout, rotations, &mut notes);
    }

    let declared_unit = axes::declared_unit(&groups);
    let known_unit = declared_unit.as_deref().and_then(axes::unit_from);
    if let (Some(text), None) = (&declared_unit, known_unit) {
        notes.push(Note::new("units", format!("unit of length '{text}' is not known")));
    }
    let unit = options.unit.or(known_unit).unwrap_or(LengthUnit::Millimetre);
    let old = std::mem::take(&mut trial.markers);
    let mut tracks = Tracks::new(layout.points, layout.frames, old);
    let mut channels = std::mem::take(&mut trial.channels);
    let names = marker_names(&groups, &layout, &mut notes);
    let unsigned = shape_channels(&mut channels, &groups, &layout, &mut notes);
    let scaling = Scaling {
        coordinate_m: unit.metres() * if layout.float { 1.0 } else { f64::from(layout.scale) },
        keep_invalid: options.keep_invalid,
    };
    source.seek(SeekFrom::Start(base + layout.data_at))?;
    let are_positions = are_positions(&groups, names.iter().map(|(label, _)| label.as_str()));
    let destination = (&mut tracks.tracks(&are_positions)[..], &mut channels[..]);
    let oddities = samples::read(&mut source, &layout, processor, unsigned, scaling, destination)?;
    offsets::unwrap(&mut channels, &mut notes);
    let residual_step_m = (unit.metres() * f64::from(layout.scale)) as f32;
    let mut markers = tracks.into_markers(names, residual_step_m);
    estimated::mark(&mut markers, &groups, layout.first_frame);
    note_oddities(&oddities, &layout, options.keep_invalid, &mut notes);
    let wild = channels.iter_mut().filter_map(missing_made_nan).count();
    let text = "analog channels hold values that are not finite: taken as missing";
    notes.extend(Note::counted(wild, "analog-not-finite", text));
    let extent = rotation::Extent {
        section: rotations,
        frames: layout.frames,
        metres_per_unit: unit.metres(),
    };
    let bodies = rotation::read(&mut source, &groups, processor, extent, &mut notes)?;
    let rate_hz = layout.rate_hz;
    *trial = Trial {
        rate_hz,
        frames: layout.frames,
        first_frame: layout.first_frame,
        start_s: start_s(layout.first_frame, rate_hz),
        events: events::read(&header, &groups, &mut notes),
        subjects: subjects(&groups),
        source: Source {
            format: Format::C3d,
            variant: format!("{processor} {}", if layout.float { "float" } else { "integer" }),
            unit,
            up: options.up.or_else(|| axes::declared_up(&groups)),
            declared_up: axes::declared_up(&groups),
            up_is_guessed: false,
            c3d: Some(C3dStorage { processor, float: layout.float, scale: layout.scale }),
            declared_unit,
        },
        markers,
        bodies,
        motion: None,
        channels,
        parameters: groups,
        notes,
    };
    let trust = if known_unit.is_some() { UnitTrust::Declared } else { UnitTrust::Assumed };
    plausible::check(trial, options, trust);
    Ok(())
}

/// The time of the first frame: frame 1 is at 0 s.
pub(super) fn start_s(first_frame: i64, rate_hz: f64) -> f64 {
    let before = first_frame.saturating_sub(1).max(0) as f64;
    if rate_hz > 0.0 { before / rate_hz } else { 0.0 }
}

/// Skips zeros before the header, which some exporters write.
fn find_header(source: &mut (impl Read + Seek), notes: &mut Vec<Note>) -> Result<u64> {
    let head = read_at(source, 0, MAX_LEADING_ZEROS as u64)?;
    if head.is_empty() {
        return Err(ErrorKind::Empty.into());
    }
    let zeros = head.iter().take_while(|&&b| b == 0).count();
    let found = head.get(zeros + 1);
    if found != Some(&KEY) {
        let found = found.map_or("end of file".to_owned(), |byte| format!("{byte:#04x}"));
        let what = format!("C3D key: need {KEY:#04x}, got {found}");
        return Err(Error::at_byte(zeros as u64 + 1, what));
    }
    if zeros > 0 {
        notes.push(Note::new("leading-zeros", format!("{zeros} zero bytes before the header")));
    }
    Ok(zeros as u64)
}

/// Up to `length` bytes from `at`; fewer at the end of the source.
fn read_at(source: &mut (impl Read + Seek), at: u64, length: u64) -> Result<Vec<u8>> {
    source.seek(SeekFrom::Start(at))?;
    let mut bytes = Vec::new();
    source.by_ref().take(length).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn processor(head: &[u8], code: u8, code_at: u64, notes: &mut Vec<Note>) -> Result<Processor> {
    let all = [Processor::Intel, Processor::Dec, Processor::Mips];
    if let Some(processor) = all.into_iter().find(|&p| parameters::processor_code(p) == code) {
        return Ok(processor);
    }
    let plausible = |p: &Processor| Header::parse(head, *p).is_some_and(|h| h.is_plausible());
    let what = format!("processor: need 84 (Intel), 85 (DEC) or 86 (SGI), got {code}");
    let guess = all.into_iter().find(plausible).ok_or_else(|| Error::at_byte(code_at, what))?;
    notes.push(Note::new("processor", format!("processor {code} is not known: taken as {guess}")));
    Ok(guess)
}

/// The section runs to the data, past its declared length if need be.
fn section_length(header: &Header, section_at: u64, length: u64) -> u64 {
    let data_at = u64::from(header.data_start).saturating_sub(1) * BLOCK_BYTES;
    let limit = MAX_PARAMETER_BLOCKS * BLOCK_BYTES;
    let available = length.saturating_sub(section_at).min(limit);
    if data_at > section_at { (data_at - section_at).min(available) } else { available }
}

/// Without points and analog samples only rotations can bear out the number of frames.
fn hold_to_rotations(
    layout: &mut Layout,
    rotations: Option<rotation::Section>,
    notes: &mut Vec<Note>,
) {
    let (wanted, whole) = (layout.frames, rotations.map_or(0, |section| section.whole_frames));
    if wanted > whole {
        let text = format!("no points and no analog: need {wanted} frames, rotations have {whole}");
        notes.push(Note::new("truncated", text));
        layout.frames = whole;
    }
}

/// The label and description of every point.
fn marker_names(groups: &[Group], layout: &Layout, notes: &mut Vec<Note>) -> Vec<(String, String)> {
    let names = labels::strings(groups, "POINT", "LABELS");
    labels::note_unlabelled(&names[..names.len().min(layout.points)], notes);
    let names = labels::complete(names, layout.points, "point", notes);
    let mut descriptions = labels::strings(groups, "POINT", "DESCRIPTIONS");
    descriptions.resize(layout.points, String::new());
    let trimmed = descriptions.iter().map(|text| text.trim().to_owned());
    names.into_iter().zip(trimmed).collect()
}

/// Gives every channel its scale and length; returns whether stored integers are unsigned.
fn shape_channels(
    channels: &mut Vec<Channel>,
    groups: &[Group],
    layout: &Layout,
    notes: &mut Vec<Note>,
) -> bool {
    let text = |name| labels::strings(groups, "ANALOG", name);
    let names = labels::complete(text("LABELS"), layout.channels, "analog", notes);
    let (descriptions, units) = (text("DESCRIPTIONS"), text("UNITS"));
    let scalings = analog_scalings(groups, layout.channels);
    let samples = layout.frames * layout.ratio;
    let get = |list: &[String], i: usize| {
        list.get(i).map(|text| text.trim().to_owned()).unwrap_or_default()
    };
    channels.truncate(layout.channels);
    for (i, (label, (scale, offset))) in names.into_iter().zip(scalings).enumerate() {
        let mut raw = channels.get_mut(i).map(|c| std::mem::take(&mut c.raw)).unwrap_or_default();
        raw.resize(samples, 0.0);
        let channel = Channel {
            label,
            description: get(&descriptions, i),
            unit: get(&units, i),
            rate_hz: layout.rate_hz * layout.ratio as f64,
            scale,
            offset,
            raw,
        };
        match channels.get_mut(i) {
            Some(slot) => *slot = channel,
            None => channels.push(channel),
        }
    }
    let silent = channels.iter().filter(|c| c.scale == 0.0).count();
    notes.extend(Note::counted(silent, "analog-scale", "analog channels have scale 0"));
    is_unsigned(groups)
}

/// Whether analog integers, and their offsets, are unsigned.
pub(super) fn is_unsigned(groups: &[Group]) -> bool {
    let format = labels::strings(groups, "ANALOG", "FORMAT");
    format.first().is_some_and(|format| format.eq_ignore_ascii_case("UNSIGNED"))
}

/// What 16 bits can hold.
pub(super) fn integer_limits(unsigned: bool) -> RangeInclusive<f64> {
    if unsigned { 0.0..=65_535.0 } else { -32_768.0..=32_767.0 }
}

/// Scale and offset of each of `count` analog channels.
pub(super) fn analog_scalings(groups: &[Group], count: usize) -> Vec<(f64, f64)> {
    let general = super::declared::number(groups, "ANALOG", "GEN_SCALE").unwrap_or(1.0);
    let scales = over_parameters(groups, "SCALE", Parameter::to_numbers);
    let offsets = match is_unsigned(groups) {
        true => over_parameters(groups, "OFFSET", unsigned_numbers),
        false => over_parameters(groups, "OFFSET", Parameter::to_numbers),
    };
    let scaling = |i: usize| {
        let finite = |value: &&f64| value.is_finite();
        let scale = general * scales.get(i).filter(finite).copied().unwrap_or(1.0);
        (scale, offsets.get(i).filter(finite).copied().unwrap_or(0.0))
    };
    (0..count).map(scaling).collect()
}

/// The numbers of `ANALOG:NAME`, `ANALOG:NAME2` and so on, one after the other.
pub(super) fn over_parameters(
    groups: &[Group],
    name: &str,
    read: fn(&Parameter) -> Vec<f64>,
) -> Vec<f64> {
    labels::continued(groups, "ANALOG", name).flat_map(read).collect()
}

/// The numbers of a parameter whose integers are unsigned.
fn unsigned_numbers(parameter: &Parameter) -> Vec<f64> {
    match &parameter.data {
        ParameterData::Integer(values) => values.iter().map(|v| v.cast_unsigned().into()).collect(),
        _ => parameter.to_numbers(),
    }
}

/// The names of the subjects.
pub(super) fn subjects(groups: &[Group]) -> Vec<String> {
    let names = labels::strings(groups, "SUBJECTS", "NAMES");
    names.iter().map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect()
}

/// What is not finite becomes NaN, as missing values of channels are; something if there was any.
fn missing_made_nan(channel: &mut Channel) -> Option<()> {
    let mut is_wild = false;
    for value in channel.raw.iter_mut().filter(|value| !value.is_finite()) {
        (*value, is_wild) = (f64::NAN, true);
    }
    is_wild.then_some(())
}

fn note_oddities(oddities: &Oddities, layout: &Layout, keep_invalid: bool, notes: &mut Vec<Note>) {
    let mut say = |count: u64, code, text: &str| {
        notes.extend(Note::counted(count as usize, code, &format!("samples {text}")));
    };
    say(oddities.at_origin, "zero-coordinates", "at exactly 0, 0, 0 taken as missing");
    say(oddities.not_finite, "not-finite", "are not finite: taken as missing");
    say(oddities.quality_out_of_range, "residual", "have no valid residual: taken as measured");
    say(oddities.flagged_unsigned, "residual-unsigned", "have a residual of 65535: taken as -1");
    let flagged = oddities.flagged_with_coordinates;
    if keep_invalid {
        say(flagged, "invalid", "flagged invalid (residual -1) have coordinates: kept as asked");
    } else if flagged > 0 && flagged == (layout.points * layout.frames) as u64 {
        let text =
            "have coordinates but every one is flagged invalid (residual -1): taken as missing";
        say(flagged, "all-invalid", text);
    } else {
        say(flagged, "invalid", "flagged invalid (residual -1) have coordinates: taken as missing");
    }
}
