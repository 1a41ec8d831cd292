//! The parameters of a file to be written: the trial's own, changed only where they must be.

use super::header::HeaderEvent;
use super::labels::{self, PER_PARAMETER, numbered};
use super::write::Encoding;
use super::{axes, events, read};
use crate::trial::parameters::find;
use crate::trial::{Channel, Group, Note, Parameter, ParameterData, Trial};

/// The events for the header and the parameter groups for the section.
///
/// `POINT:DATA_START` and `ROTATION:DATA_START` are placeholders until [`set_data_start`].
pub(super) fn groups(
    trial: &Trial,
    channels: &[&Channel],
    ratio: usize,
    encoding: &Encoding,
    notes: &mut Vec<Note>,
) -> (Vec<HeaderEvent>, Vec<Group>) {
    let mut groups = trial.parameters.clone();
    points(trial, encoding, &mut groups, notes);
    analog(trial, channels, ratio, &mut groups, notes);
    long_frames(trial, &mut groups);
    if !trial.bodies.is_empty() {
        let names: Vec<&str> = trial.bodies.iter().map(|body| body.name.as_str()).collect();
        set_count(&mut groups, "ROTATION", "USED", trial.bodies.len());
        set_count(&mut groups, "ROTATION", "DATA_START", 0);
        set_count(&mut groups, "ROTATION", "RATIO", 1);
        set_strings(&mut groups, "ROTATION", "LABELS", &names, notes);
    } else {
        groups.retain(|group| !group.name.eq_ignore_ascii_case("ROTATION"));
    }
    if read::subjects(&groups) != trial.subjects {
        set_count(&mut groups, "SUBJECTS", "USED", trial.subjects.len());
        set_strings(&mut groups, "SUBJECTS", "NAMES", &trial.subjects, notes);
    }
    let mut header_events = Vec::new();
    let old = events::from_group(&groups);
    if old != trial.events {
        let (slots, group) = events::write(&trial.events);
        // The header's slots count only where the group names no event.
        if group.is_some() || !old.is_empty() {
            groups.retain(|group| !group.name.eq_ignore_ascii_case("EVENT"));
        }
        header_events = slots;
        groups.extend(group);
    }
    (header_events, groups)
}

/// Says where the data are, once the size of the parameters is known.
pub(super) fn set_data_start(groups: &mut [Group], data_block: u64, rotation_block: u64) {
    for (group, block) in [("POINT", data_block), ("ROTATION", rotation_block)] {
        let slot = groups
            .iter_mut()
            .filter(|g| g.name.eq_ignore_ascii_case(group))
            .flat_map(|g| &mut g.parameters)
            .find(|p| p.name.eq_ignore_ascii_case("DATA_START"));
        if let Some(parameter) = slot {
            let block = u16::try_from(block).unwrap_or(0);
            parameter.dimensions.clear();
            parameter.data = ParameterData::Integer(vec![block.cast_signed()]);
        }
    }
}

fn points(trial: &Trial, encoding: &Encoding, groups: &mut Vec<Group>, notes: &mut Vec<Note>) {
    set_count(groups, "POINT", "USED", trial.markers.len());
    set_count(groups, "POINT", "FRAMES", trial.frames.min(65_535));
    set_real(groups, "POINT", "SCALE", encoding.signed_scale());
    set_real(groups, "POINT", "RATE", trial.rate_hz as f32);
    set(groups, "POINT", Parameter::integer("DATA_START", 0));
    let names: Vec<&str> = trial.markers.iter().map(|m| m.label.as_str()).collect();
    let old = labels::strings(groups, "POINT", "LABELS");
    let named = old.len() >= names.len();
    if !named || labels::complete(old, names.len(), "point", &mut Vec::new()) != names {
        set_strings(groups, "POINT", "LABELS", &names, notes);
    }
    let texts: Vec<&str> = trial.markers.iter().map(|m| m.description.as_str()).collect();
    let mut old = labels::strings(groups, "POINT", "DESCRIPTIONS");
    old.resize(texts.len(), String::new());
    if !old.iter().map(|text| text.trim()).eq(texts.iter().copied()) {
        set_strings(groups, "POINT", "DESCRIPTIONS", &texts, notes);
    }
    let declared = axes::declared_unit(groups).as_deref().and_then(axes::unit_from);
    if declared != Some(trial.source.unit) {
        set(groups, "POINT", Parameter::strings("UNITS", &[trial.source.unit.symbol()]));
    }
    if let Some(up) = trial.source.up.filter(|up| axes::declared_up(groups) != Some(*up)) {
        let across = if up.symbol().contains('x') { "+Y" } else { "+X" };
        let up = up.symbol().to_ascii_uppercase();
        let up = if up.len() == 1 { format!("+{up}") } else { up };
        set(groups, "POINT", Parameter::strings("X_SCREEN", &[across]));
        set(groups, "POINT", Parameter::strings("Y_SCREEN", &[up]));
    }
}

fn analog(
    trial: &Trial,
    channels: &[&Channel],
    ratio: usize,
    groups: &mut Vec<Group>,
    notes: &mut Vec<Note>,
) {
    set_count(groups, "ANALOG", "USED", channels.len());
    if channels.is_empty() {
        return;
    }
    set_real(groups, "ANALOG", "RATE", (trial.rate_hz * ratio as f64) as f32);
    let names: Vec<&str> = channels.iter().map(|c| c.label.as_str()).collect();
    let old = labels::strings(groups, "ANALOG", "LABELS");
    let named = old.len() >= names.len();
    if !named || labels::complete(old, names.len(), "analog", &mut Vec::new()) != names {
        set_strings(groups, "ANALOG", "LABELS", &names, notes);
    }
    for (name, pick) in
        [("DESCRIPTIONS", (|c| &c.description) as fn(&Channel) -> &String), ("UNITS", |c| &c.unit)]
    {
        let texts: Vec<&str> = channels.iter().map(|c| pick(c).as_str()).collect();
        let mut old = labels::strings(groups, "ANALOG", name);
        old.resize(texts.len(), String::new());
        if !old.iter().map(|text| text.trim()).eq(texts.iter().copied()) {
            set_strings(groups, "ANALOG", name, &texts, notes);
        }
    }
    if scaling(channels, groups) {
        return;
    }
    let exact = |c: &&&Channel| {
        f64::from(c.scale as f32) == c.scale && f64::from(c.offset as f32) == c.offset
    };
    let rounded = channels.len() - channels.iter().filter(exact).count();
    if rounded > 0 {
        let text = format!("the scales of {rounded} channels were rounded to 32-bit floats");
        notes.push(Note::new("analog-scale", text));
    }
}

/// Scale and offset of every channel, where the file's own do not say them; whether those did.
///
/// Other programs index both lists without looking at their lengths, and want whole offsets.
fn scaling(channels: &[&Channel], groups: &mut Vec<Group>) -> bool {
    let wanted = channels.iter().map(|c| (c.scale, c.offset));
    let same = read::analog_scalings(groups, channels.len()).into_iter().eq(wanted);
    let covers_all = |groups: &[Group], name| {
        read::numbers_over_parameters(groups, name).len() >= channels.len()
    };
    let whole =
        |c: &&Channel| c.offset.fract() == 0.0 && (-32_768.0..=65_535.0).contains(&c.offset);
    let real = find(groups, "ANALOG", "OFFSET")
        .is_some_and(|offset| matches!(offset.data, ParameterData::Real(_)));
    let keeps_scales = same && covers_all(groups, "SCALE");
    let keeps_offsets =
        same && covers_all(groups, "OFFSET") && !(real && channels.iter().all(whole));
    if !same && channels.iter().any(|c| c.raw.iter().any(|&v| v > 32_767.0)) {
        set(groups, "ANALOG", Parameter::strings("FORMAT", &["UNSIGNED"]));
    }
    if !same || find(groups, "ANALOG", "GEN_SCALE").is_none() {
        set(groups, "ANALOG", Parameter::real("GEN_SCALE", 1.0));
    }
    // A list that is only too short goes on with the value that a reader takes for what is not there.
    let own_scales = read::numbers_over_parameters(groups, "SCALE");
    let scale = |i: usize, c: &Channel| match same {
        true => own_scales.get(i).copied().unwrap_or(1.0),
        false => c.scale,
    };
    for (number, part) in channels.chunks(PER_PARAMETER).enumerate() {
        let dimensions = vec![part.len() as u8];
        if !keeps_scales {
            let first = number * PER_PARAMETER;
            let scales = part.iter().enumerate().map(|(i, c)| scale(first + i, c) as f32);
            let scales = ParameterData::Real(scales.collect());
            let name = numbered("SCALE", number + 1);
            set(groups, "ANALOG", Parameter::with(&name, dimensions.clone(), scales));
        }
        if !keeps_offsets {
            let offsets = if part.iter().all(whole) {
                ParameterData::Integer(part.iter().map(|c| c.offset as i32 as i16).collect())
            } else {
                ParameterData::Real(part.iter().map(|c| c.offset as f32).collect())
            };
            let name = numbered("OFFSET", number + 1);
            set(groups, "ANALOG", Parameter::with(&name, dimensions, offsets));
        }
    }
    same
}

/// More frames than 16 bits can count, or numbers beyond them, need 32-bit fields.
fn long_frames(trial: &Trial, groups: &mut Vec<Group>) {
    let last = trial.first_frame + trial.frames as i64 - 1;
    if find(groups, "POINT", "LONG_FRAMES").is_some() || trial.frames > 65_535 {
        set_real(groups, "POINT", "LONG_FRAMES", trial.frames as f32);
    }
    if find(groups, "TRIAL", "ACTUAL_START_FIELD").is_none() && last <= 65_535 {
        return;
    }
    for (name, frame) in [("ACTUAL_START_FIELD", trial.first_frame), ("ACTUAL_END_FIELD", last)] {
        let words = vec![frame as i16, (frame >> 16) as i16];
        let same = find(groups, "TRIAL", name).is_some_and(|p| {
            p.to_numbers().iter().map(|&v| v as i64 & 0xffff).eq([frame & 0xffff, frame >> 16])
        });
        if !same {
            set(groups, "TRIAL", Parameter::with(name, vec![2], ParameterData::Integer(words)));
        }
    }
}

/// Replaces the value of a parameter, or adds it; description and lock stay.
fn set(groups: &mut Vec<Group>, group: &str, parameter: Parameter) {
    let index =
        groups.iter().position(|g| g.name.eq_ignore_ascii_case(group)).unwrap_or_else(|| {
            groups.push(Group { name: group.to_owned(), ..Group::default() });
            groups.len() - 1
        });
    let slots = &mut groups[index].parameters;
    match slots.iter_mut().find(|p| p.name.eq_ignore_ascii_case(&parameter.name)) {
        Some(slot) => (slot.dimensions, slot.data) = (parameter.dimensions, parameter.data),
        None => slots.push(parameter),
    }
}

fn set_count(groups: &mut Vec<Group>, group: &str, name: &str, value: usize) {
    let old = find(groups, group, name).and_then(Parameter::first_count);
    if old != Some(value as f64) {
        set(groups, group, Parameter::integer(name, value.min(65_535) as u16));
    }
}

fn set_real(groups: &mut Vec<Group>, group: &str, name: &str, value: f32) {
    let old = find(groups, group, name).and_then(|p| p.to_numbers().first().copied());
    if old != Some(f64::from(value)) {
        set(groups, group, Parameter::real(name, value));
    }
}

/// Strings over as many numbered parameters as they need; numbered ones no longer needed go.
fn set_strings<S: AsRef<str>>(
    groups: &mut Vec<Group>,
    group: &str,
    name: &str,
    strings: &[S],
    notes: &mut Vec<Note>,
) {
    let parts = strings.len().div_ceil(PER_PARAMETER).max(1);
    for number in 1..=parts {
        let from = ((number - 1) * PER_PARAMETER).min(strings.len());
        let part = &strings[from..strings.len().min(from + PER_PARAMETER)];
        set(groups, group, Parameter::strings(&numbered(name, number), part));
    }
    let surplus: Vec<String> = (parts + 1..)
        .map(|number| numbered(name, number))
        .take_while(|name| find(groups, group, name).is_some())
        .collect();
    for group in groups.iter_mut().filter(|g| g.name.eq_ignore_ascii_case(group)) {
        group.parameters.retain(|p| !surplus.iter().any(|name| p.name.eq_ignore_ascii_case(name)));
    }
    let cut = strings.iter().filter(|s| s.as_ref().len() > 127).count();
    if cut > 0 {
        let text = format!("{cut} texts of {group}:{name} were cut at 127 bytes");
        notes.push(Note::new("labels-cut", text));
    }
}
