//! The parameters of a file to be written: the trial's own, changed only where they must be.

use super::change::{set, set_count, set_real, set_strings};
use super::header::HeaderEvent;
use super::labels::{self, PER_PARAMETER, numbered};
use super::write::Encoding;
use super::{axes, declared, events, read};
use crate::trial::parameters::find;
use crate::trial::{Axis, Channel, Event, Group, Note, Parameter, ParameterData, Trial};

/// Times that differ by less are the same: 32-bit seconds resolve no more within an hour.
const CLOCK_TOLERANCE_S: f64 = 1e-6;

/// The events for the header and the parameter groups for the section.
///
/// `POINT:DATA_START` and `ROTATION:DATA_START` are placeholders until
/// [`set_data_start`](super::change::set_data_start).
pub(super) fn groups(
    trial: &Trial,
    channels: &[&Channel],
    ratio: usize,
    encoding: &Encoding,
    notes: &mut Vec<Note>,
) -> (Vec<HeaderEvent>, Vec<Group>) {
    let mut groups = trial.parameters.clone();
    points(trial, encoding, &mut groups, notes);
    analog(trial, (channels, ratio), encoding, &mut groups, notes);
    long_frames(trial, &mut groups);
    if !trial.bodies.is_empty() {
        let names: Vec<&str> = trial.bodies.iter().map(|body| body.name.as_str()).collect();
        set_count(&mut groups, "ROTATION", "USED", trial.bodies.len());
        set(&mut groups, "ROTATION", Parameter::integer("DATA_START", 0));
        set_count(&mut groups, "ROTATION", "RATIO", 1);
        if find(&groups, "ROTATION", "RATE").is_some() {
            set_real(&mut groups, "ROTATION", "RATE", trial.rate_hz as f32);
        }
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
    let shifted = on_the_frames_clock(trial, notes);
    if old != shifted {
        let (slots, group) = events::write(&shifted, notes);
        // The header's slots count only where the group names no event.
        if group.is_some() || !old.is_empty() {
            groups.retain(|group| !group.name.eq_ignore_ascii_case("EVENT"));
        }
        header_events = slots;
        groups.extend(group);
    }
    make_finite(&mut groups, notes);
    (header_events, groups)
}

/// Zero for every parameter that is not finite: no program knows what else to make of it.
fn make_finite(groups: &mut [Group], notes: &mut Vec<Note>) {
    let mut wild = 0;
    for parameter in groups.iter_mut().flat_map(|group| &mut group.parameters) {
        if let ParameterData::Real(numbers) = &mut parameter.data {
            for number in numbers.iter_mut().filter(|number| !number.is_finite()) {
                *number = 0.0;
                wild += 1;
            }
        }
    }
    let text = "numbers of parameters are not finite: written as zero";
    notes.extend(Note::counted(wild, "parameters-not-finite", text));
}

/// The events on the only clock C3D has, on which frame 1 is at 0 s.
fn on_the_frames_clock(trial: &Trial, notes: &mut Vec<Note>) -> Vec<Event> {
    let mut events = trial.events.clone();
    let start_s = read::start_s(trial.first_frame, trial.rate_hz);
    if trial.rate_hz > 0.0 && (trial.start_s - start_s).abs() > CLOCK_TOLERANCE_S {
        let (was, shift_s) = (trial.start_s, start_s - trial.start_s);
        events.iter_mut().for_each(|event| event.time_s += shift_s);
        let text = format!(
            "the first frame is at {was} s, but c3d puts frame {} at {start_s} s: times shift",
            trial.first_frame
        );
        notes.push(Note::new("start-shifted", text));
    }
    events
}

/// Labels stay as they are if they would be read as `names`, with none left over.
fn labels(groups: &mut Vec<Group>, group: &str, names: &[&str], notes: &mut Vec<Note>) {
    let old = labels::strings(groups, group, "LABELS");
    let is_left_over = old.iter().skip(names.len()).any(|label| !label.trim().is_empty());
    // Other programs index the labels without looking how many there are.
    let is_short = old.len() < names.len();
    if is_left_over
        || is_short
        || labels::complete(old, names.len(), group, &mut Vec::new()) != names
    {
        set_strings(groups, group, "LABELS", names, notes);
    }
}

/// Texts stay as they are if they would be read as `texts`.
fn texts_of(
    groups: &mut Vec<Group>,
    (group, name): (&str, &str),
    texts: &[&str],
    notes: &mut Vec<Note>,
) {
    let mut old = labels::strings(groups, group, name);
    old.resize(texts.len(), String::new());
    if !old.iter().map(|text| text.trim()).eq(texts.iter().copied()) {
        set_strings(groups, group, name, texts, notes);
    }
}

fn points(trial: &Trial, encoding: &Encoding, groups: &mut Vec<Group>, notes: &mut Vec<Note>) {
    set_count(groups, "POINT", "USED", trial.markers.len());
    set_count(groups, "POINT", "FRAMES", trial.frames.min(65_535));
    set_real(groups, "POINT", "SCALE", encoding.signed_scale());
    set_real(groups, "POINT", "RATE", trial.rate_hz as f32);
    set(groups, "POINT", Parameter::integer("DATA_START", 0));
    let names: Vec<&str> = trial.markers.iter().map(|m| m.label.as_str()).collect();
    labels(groups, "POINT", &names, notes);
    let texts: Vec<&str> = trial.markers.iter().map(|m| m.description.as_str()).collect();
    texts_of(groups, ("POINT", "DESCRIPTIONS"), &texts, notes);
    let declared = axes::declared_unit(groups).as_deref().and_then(axes::unit_from);
    if declared != Some(trial.source.unit) {
        set(groups, "POINT", Parameter::strings("UNITS", &[trial.source.unit.symbol()]));
    }
    // What a file says of itself stands, also where the points speak against it.
    let stands = trial.source.up_is_guessed && trial.source.c3d.is_some();
    let up = trial.source.up.filter(|up| !stands && axes::declared_up(groups) != Some(*up));
    if let Some(up) = up {
        set(groups, "POINT", Parameter::strings("Y_SCREEN", &[axes::text(up)]));
        let across = axes::declared_across(groups);
        if across.is_none_or(|across| axes::are_parallel(across, up)) {
            let across = if axes::are_parallel(Axis::X, up) { Axis::Y } else { Axis::X };
            set(groups, "POINT", Parameter::strings("X_SCREEN", &[axes::text(across)]));
        }
    }
}

fn analog(
    trial: &Trial,
    (channels, ratio): (&[&Channel], usize),
    encoding: &Encoding,
    groups: &mut Vec<Group>,
    notes: &mut Vec<Note>,
) {
    set_count(groups, "ANALOG", "USED", channels.len());
    if channels.is_empty() {
        // The rate of what is not there stays, unless the frames have another now.
        let declared = declared::number(groups, "ANALOG", "RATE").map(|hz| hz / trial.rate_hz);
        if declared.is_some_and(|times| (times - times.round()).abs() > 1e-3) {
            set_real(groups, "ANALOG", "RATE", trial.rate_hz as f32);
        }
        return;
    }
    set_real(groups, "ANALOG", "RATE", (trial.rate_hz * ratio as f64) as f32);
    let names: Vec<&str> = channels.iter().map(|c| c.label.as_str()).collect();
    labels(groups, "ANALOG", &names, notes);
    let texts: Vec<&str> = channels.iter().map(|c| c.description.as_str()).collect();
    texts_of(groups, ("ANALOG", "DESCRIPTIONS"), &texts, notes);
    let units: Vec<&str> = channels.iter().map(|c| c.unit.as_str()).collect();
    texts_of(groups, ("ANALOG", "UNITS"), &units, notes);
    let unsigned = encoding.analog_unsigned;
    if !encoding.float && read::is_unsigned(groups) != unsigned {
        let format = if unsigned { "UNSIGNED" } else { "SIGNED" };
        set(groups, "ANALOG", Parameter::strings("FORMAT", &[format]));
    }
    if scaling(channels, encoding.float, groups) {
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

/// Analog values a frame and channel, for the header: also without any it agrees with what the parameters say of their
/// rate, for readers hold one against the other; 1 where they say nothing.
pub(super) fn analog_ratio(rate_hz: f64, ratio: usize, groups: &[Group]) -> u16 {
    let declared = declared::number(groups, "ANALOG", "RATE").map(|analog_hz| analog_hz / rate_hz);
    let declared = declared.filter(|times| ratio == 0 && times.is_finite());
    declared.map_or(ratio.max(1) as u16, |times| times.round() as u16)
}

/// Scale and offset of every channel, where the file's own do not say them; whether those did.
///
/// Other programs index both lists without looking at their lengths, and want whole offsets.
fn scaling(channels: &[&Channel], float: bool, groups: &mut Vec<Group>) -> bool {
    let wanted = channels.iter().map(|c| (c.scale, c.offset));
    let same = read::analog_scalings(groups, channels.len()).into_iter().eq(wanted);
    let covers_all = |groups: &[Group], name| {
        read::over_parameters(groups, name, Parameter::to_numbers).len() >= channels.len()
    };
    // Offsets share their signedness with stored integers; floats leave the choice to the offsets.
    let exceed_signed = channels.iter().any(|c| c.offset > 32_767.0);
    if !same && float && exceed_signed && channels.iter().all(|c| c.offset >= 0.0) {
        set(groups, "ANALOG", Parameter::strings("FORMAT", &["UNSIGNED"]));
    }
    let limits = read::integer_limits(read::is_unsigned(groups));
    let whole = |c: &&Channel| c.offset.fract() == 0.0 && limits.contains(&c.offset);
    let real = find(groups, "ANALOG", "OFFSET")
        .is_some_and(|offset| matches!(offset.data, ParameterData::Real(_)));
    let keeps_scales = same && covers_all(groups, "SCALE");
    let keeps_offsets =
        same && covers_all(groups, "OFFSET") && !(real && channels.iter().all(whole));
    if !same || find(groups, "ANALOG", "GEN_SCALE").is_none() {
        set(groups, "ANALOG", Parameter::real("GEN_SCALE", 1.0));
    }
    // A list that is too short is read as if ones followed.
    let mut scales = read::over_parameters(groups, "SCALE", Parameter::to_numbers);
    scales.resize(channels.len(), 1.0);
    if !same {
        scales = channels.iter().map(|c| c.scale).collect();
    }
    for (number, part) in channels.chunks(PER_PARAMETER).enumerate() {
        let dimensions = vec![part.len() as u8];
        if !keeps_scales {
            let part = &scales[number * PER_PARAMETER..][..part.len()];
            let scales = ParameterData::Real(part.iter().map(|&scale| scale as f32).collect());
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
    let last = trial.first_frame.saturating_add_unsigned(trial.frames as u64).saturating_sub(1);
    if find(groups, "POINT", "LONG_FRAMES").is_some() || trial.frames > 65_535 {
        set_real(groups, "POINT", "LONG_FRAMES", trial.frames as f32);
    }
    if find(groups, "TRIAL", "ACTUAL_START_FIELD").is_none() && last <= 65_535 {
        return;
    }
    for (name, frame) in [("ACTUAL_START_FIELD", trial.first_frame), ("ACTUAL_END_FIELD", last)] {
        if declared::long_field(groups, name).map(i64::from) != Some(frame) {
            let words = vec![frame as i16, (frame >> 16) as i16];
            set(groups, "TRIAL", Parameter::with(name, vec![2], ParameterData::Integer(words)));
        }
    }
}
