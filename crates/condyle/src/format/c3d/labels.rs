//! Names that C3D spreads over several parameters: LABELS, LABELS2, LABELS3 …

use crate::trial::{Group, Note, Parameter, parameters, split_prefix};

/// How many strings one parameter can hold: its dimensions are bytes.
pub(super) const PER_PARAMETER: usize = 255;

/// The strings of `GROUP:NAME`, `GROUP:NAME2` and so on, one after the other.
pub(super) fn strings(groups: &[Group], group: &str, name: &str) -> Vec<String> {
    continued(groups, group, name).flat_map(Parameter::to_strings).collect()
}

/// A parameter and those that continue it, each with up to 255 entries: `LABELS`, `LABELS2`, …
pub(super) fn continued<'a>(
    groups: &'a [Group],
    group: &str,
    name: &str,
) -> impl Iterator<Item = &'a Parameter> {
    (1..).map_while(move |number| parameters::find(groups, group, &numbered(name, number)))
}

/// `LABELS`, `LABELS2`, `LABELS3` …
pub(super) fn numbered(name: &str, number: usize) -> String {
    if number == 1 { name.to_owned() } else { format!("{name}{number}") }
}

/// Notes labels that only count: `*12` is what recording systems call what nobody named.
pub(super) fn note_unlabelled(labels: &[String], notes: &mut Vec<Note>) {
    let is_number = |label: &&String| split_prefix(label).1.trim_start().starts_with('*');
    let unlabelled = labels.iter().filter(is_number).count();
    let text = "points have a number for a name, like *12";
    notes.extend(Note::counted(unlabelled, "unlabelled-markers", text));
}

/// One label for each of `count` trajectories; missing ones become `*1`, `*2` …
pub(super) fn complete(
    mut labels: Vec<String>,
    count: usize,
    what: &str,
    notes: &mut Vec<Note>,
) -> Vec<String> {
    for label in &mut labels {
        let trimmed = label.trim();
        if trimmed.len() != label.len() {
            *label = trimmed.to_owned();
        }
    }
    if labels.len() > count {
        let extra = labels[count..].iter().filter(|label| !label.is_empty()).count();
        if extra > 0 {
            let got = labels.len();
            let text = format!("{got} {what} labels for {count} {what}s: the rest was left out");
            notes.push(Note::new("labels-extra", text));
        }
        labels.truncate(count);
    }
    if labels.len() < count {
        let got = labels.len();
        let text = format!("{got} {what} labels for {count} {what}s: the rest is named *N");
        notes.push(Note::new("labels-missing", text));
    }
    let empty = labels.iter().filter(|label| label.is_empty()).count();
    let text = format!("empty {what} labels: named *N");
    notes.extend(Note::counted(empty, "labels-empty", &text));
    labels.resize(count, String::new());
    for (index, label) in labels.iter_mut().enumerate() {
        if label.is_empty() {
            *label = format!("*{}", index + 1);
        }
    }
    note_duplicates(&labels, what, notes);
    labels
}

fn note_duplicates(labels: &[String], what: &str, notes: &mut Vec<Note>) {
    let mut seen = std::collections::HashSet::new();
    let repeated: Vec<&str> =
        labels.iter().filter(|label| !seen.insert(label.as_str())).map(String::as_str).collect();
    if let Some(first) = repeated.first() {
        let text = format!("{what} labels occur twice or more, '{first}' first");
        notes.extend(Note::counted(repeated.len(), "duplicate-labels", &text));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trial::Parameter;

    #[test]
    fn labels_run_on_in_numbered_parameters() {
        let parameters = vec![
            Parameter::strings("LABELS", &["A", "B"]),
            Parameter::strings("LABELS2", &["C"]),
            Parameter::strings("LABELS4", &["never"]),
        ];
        let groups = [Group { name: "POINT".into(), parameters, ..Group::default() }];
        assert_eq!(strings(&groups, "point", "LABELS"), ["A", "B", "C"]);
    }

    #[test]
    fn every_trajectory_gets_a_label_and_every_oddity_a_note() {
        let mut notes = Vec::new();
        let labels = vec!["A".to_owned(), String::new(), "A".to_owned()];
        assert_eq!(complete(labels, 4, "point", &mut notes), ["A", "*2", "A", "*4"]);
        let codes: Vec<_> = notes.iter().map(|note| &*note.code).collect();
        assert_eq!(codes, ["labels-missing", "labels-empty", "duplicate-labels"]);
    }
}
