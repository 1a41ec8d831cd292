//! Changing parameters in place: their values, and nothing else of them.

use super::labels::{PER_PARAMETER, numbered};
use crate::trial::parameters::find;
use crate::trial::{Group, Note, Parameter, ParameterData};

/// Replaces the value of a parameter, or adds it; description and lock stay.
pub(super) fn set(groups: &mut Vec<Group>, group: &str, parameter: Parameter) {
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

/// Sets a count, unless the parameter says it already in whatever type.
pub(super) fn set_count(groups: &mut Vec<Group>, group: &str, name: &str, value: usize) {
    let old = find(groups, group, name).and_then(Parameter::first_count);
    if old != Some(value as f64) {
        set(groups, group, Parameter::integer(name, value.min(65_535) as u16));
    }
}

/// Sets a number, unless the parameter says it already in whatever type.
pub(super) fn set_real(groups: &mut Vec<Group>, group: &str, name: &str, value: f32) {
    let old = find(groups, group, name).and_then(|p| p.to_numbers().first().copied());
    if old != Some(f64::from(value)) {
        set(groups, group, Parameter::real(name, value));
    }
}

/// Strings over as many numbered parameters as they need; numbered ones no longer needed go.
pub(super) fn set_strings<S: AsRef<str>>(
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
    let text = format!("texts of {group}:{name} were cut at 127 bytes");
    notes.extend(Note::counted(cut, "labels-cut", &text));
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
