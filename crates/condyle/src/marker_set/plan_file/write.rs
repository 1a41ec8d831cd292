//! Writing a plan file.

use std::collections::HashMap;
use std::fmt::Write;

use super::VERSION;
use crate::marker_set::label;
use crate::plan::{ExclusionReason, JointRule, Performer, Plan, PlannedSegment};
use crate::trial::Trial;

/// A plan as TOML, to be edited and read again with [`from_text`](crate::marker_set::from_text).
///
/// Markers on no segment are listed in comments.
pub fn write(plan: &Plan, trial: &Trial) -> String {
    let names = Names::of(trial);
    let mut text = format!(
        "# Which markers are on which segment. A segment may also have\n\
         #   joint = \"left hip\"   the name of the joint to its parent\n\
         #   rule = \"hinge\"       auto, two-sided, one-sided or hinge: how that joint is found\n\
         version = {VERSION}\n"
    );
    let is_lone = matches!(plan.performers.as_slice(), [one] if one.name.is_empty());
    for performer in &plan.performers {
        write_performer(performer, &names, is_lone, &mut text);
    }
    write_set_aside(plan, &names, &mut text);
    text
}

fn write_performer(performer: &Performer, names: &Names, is_lone: bool, text: &mut String) {
    let mut add = |line: std::fmt::Arguments| {
        // Writing to a string cannot fail.
        let _ = text.write_fmt(line);
    };
    let prefix = names.prefix(performer);
    if !is_lone {
        add(format_args!("\n[[performer]]\nname = {}\n", quoted(&performer.name)));
        if let Some(prefix) = prefix {
            add(format_args!("prefix = {}\n", quoted(prefix)));
        }
    }
    if !performer.is_tree_known {
        add(format_args!(
            "\n# No segment has a parent: how they hang together is found from the motion.\n"
        ));
    }
    let table = if is_lone { "segment" } else { "performer.segment" };
    for segment in &performer.segments {
        add(format_args!("\n[[{table}]]\nname = {}\n", quoted(&segment.name)));
        if let Some(parent) = segment.parent.and_then(|parent| performer.segments.get(parent)) {
            add(format_args!("parent = {}\n", quoted(&parent.name)));
        }
        if let Some(joint) = &segment.joint_name {
            add(format_args!("joint = {}\n", quoted(joint)));
        }
        if segment.joint_rule != JointRule::Auto {
            add(format_args!(
                "rule = {}
",
                quoted(segment.joint_rule.name())
            ));
        }
        add(format_args!("markers = [{}]\n", markers(segment, names, prefix.filter(|_| !is_lone))));
    }
}

fn markers(segment: &PlannedSegment, names: &Names, prefix: Option<&str>) -> String {
    let name = |marker: &usize| quoted(&names.unique(*marker, prefix.is_some()));
    segment.markers.iter().map(name).collect::<Vec<_>>().join(", ")
}

fn write_set_aside(plan: &Plan, names: &Names, text: &mut String) {
    for (reason, words) in [
        (ExclusionReason::NotClaimed, "no segment claims"),
        (ExclusionReason::MovesAlone, "move with no group of others"),
        (ExclusionReason::NeverSeen, "are never seen"),
        (ExclusionReason::Unlabelled, "have no name"),
        (ExclusionReason::ModelOutput, "a model computed"),
        (ExclusionReason::NeverMoves, "never move"),
        (ExclusionReason::Combination, "are constant combinations of others"),
    ] {
        let asides = plan.excluded.iter().filter(|aside| aside.reason == reason);
        let labels: Vec<String> =
            asides.map(|aside| quoted(&names.unique(aside.marker, false))).collect();
        if !labels.is_empty() {
            let _ = write!(text, "\n# Markers that {words}:\n");
            for row in labels.chunks(8) {
                let _ = writeln!(text, "# {}", row.join(", "));
            }
        }
    }
}

/// The labels of a recording, each told from all others.
struct Names<'a> {
    trial: &'a Trial,
    /// The markers of every label.
    by_label: HashMap<&'a str, Vec<usize>>,
    /// How many markers have a prefix and a name: more than a label has, if blanks differ.
    count: HashMap<(&'a str, &'a str), usize>,
}

impl<'a> Names<'a> {
    fn of(trial: &'a Trial) -> Self {
        let (mut by_label, mut count) = (HashMap::new(), HashMap::new());
        for (index, marker) in trial.markers.iter().enumerate() {
            let own: &mut Vec<usize> = by_label.entry(marker.label.as_str()).or_default();
            own.push(index);
            *count.entry(label::split(&marker.label)).or_insert(0) += 1;
        }
        Self { trial, by_label, count }
    }

    /// The prefix that all labels of a performer have, if it and the names tell them apart.
    fn prefix(&self, performer: &Performer) -> Option<&'a str> {
        let markers = performer.segments.iter().flat_map(|segment| &segment.markers);
        let mut prefix = None;
        for marker in markers {
            let label = self.trial.markers.get(*marker)?.label.as_str();
            let (own, name) = label::split(label);
            let is_usual = !own.is_empty() && !name.is_empty();
            let is_alone = self.count.get(&(own, name)) == Some(&self.by_label.get(label)?.len());
            if !is_usual || !is_alone || *prefix.get_or_insert(own) != own {
                return None;
            }
        }
        prefix
    }

    /// The label of a marker, with or without its prefix, with its number if others have it too.
    fn unique(&self, marker: usize, is_without_prefix: bool) -> String {
        let Some(this) = self.trial.markers.get(marker) else { return String::new() };
        let label = if is_without_prefix { label::split(&this.label).1 } else { &this.label };
        let all = self.by_label.get(this.label.as_str()).map_or(&[][..], Vec::as_slice);
        if all.len() == 1 && !label.is_empty() && !label.ends_with(']') {
            return label.to_owned();
        }
        let number = all.binary_search(&marker).map_or(0, |at| at + 1);
        format!("{label}[{number}]")
    }
}

/// A TOML string.
fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for letter in text.chars() {
        match letter {
            '"' | '\\' => {
                quoted.push('\\');
                quoted.push(letter);
            }
            letter if letter.is_control() => {
                let _ = write!(quoted, "\\u{:04X}", u32::from(letter));
            }
            letter => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}
