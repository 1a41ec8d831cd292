//! Reading a plan file.

use serde::Deserialize;
use toml::Spanned;

use super::VERSION;
use crate::error::{Error, Result};
use crate::marker_set::doubts;
use crate::marker_set::excluded::Survey;
use crate::marker_set::lookup::Labels;
use crate::marker_set::performers;
use crate::marker_set::tree::{self, Node};
use crate::plan::{JointRule, Performer, Plan, PlanOrigin};
use crate::tables;
use crate::trial::edit::nearest;
use crate::trial::{Note, Trial};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    version: Option<Spanned<i64>>,
    #[serde(default)]
    performer: Vec<PerformerEntry>,
    /// The segments of a recording with one performer.
    #[serde(default)]
    segment: Vec<SegmentEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PerformerEntry {
    name: Option<String>,
    prefix: Option<String>,
    #[serde(default)]
    segment: Vec<SegmentEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SegmentEntry {
    name: Spanned<String>,
    parent: Option<Spanned<String>>,
    joint: Option<String>,
    rule: Option<Spanned<String>>,
    markers: Vec<Spanned<String>>,
}

/// Byte offsets to line numbers: where every line but the first begins.
struct Lines(Vec<usize>);

impl Lines {
    fn of(text: &str) -> Self {
        Self(text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(at, _)| at + 1).collect())
    }

    /// The line of a byte, counted from 1.
    fn line(&self, byte: usize) -> usize {
        1 + self.0.partition_point(|start| *start <= byte)
    }

    fn at<T>(&self, value: &Spanned<T>) -> usize {
        self.line(value.span().start)
    }
}

/// Reads a plan for a recording.
pub(in crate::marker_set) fn read(text: &str, trial: &Trial) -> Result<(Plan, Vec<Note>)> {
    let lines = Lines::of(text);
    let file: File = tables::read(text)?;
    if let Some(version) = file.version.filter(|version| *version.get_ref() != VERSION) {
        let what = format!("version: need {VERSION}, got {}", version.get_ref());
        return Err(Error::at_line(lines.at(&version), what));
    }
    let lone = PerformerEntry { name: None, prefix: None, segment: file.segment };
    let entries = file.performer.into_iter().chain(Some(lone).filter(|l| !l.segment.is_empty()));
    let groups = performers::groups(trial.markers.iter().map(|marker| marker.label.as_str()));
    let survey = Survey::of_trial(trial, &groups);
    let mut labels = Labels::of(trial);
    let (mut plan, mut notes) = (Plan::default(), Vec::new());
    for entry in entries {
        let performer = performer(entry, &lines, &mut labels, &survey, &mut notes)?;
        if !performer.segments.is_empty() {
            plan.performers.push(performer);
        }
    }
    notes.extend(labels.missing()?);
    if plan.performers.is_empty() {
        let what = "need a [[segment]] with a marker that is seen in the recording, got none";
        return Err(Error::argument(what));
    }
    survey.set_rest_aside(&mut plan);
    Ok((plan, notes))
}

fn performer(
    entry: PerformerEntry,
    lines: &Lines,
    labels: &mut Labels,
    survey: &Survey,
    notes: &mut Vec<Note>,
) -> Result<Performer> {
    let prefix = entry.prefix.as_deref().map(|prefix| prefix.trim_end_matches(':'));
    let parents = parents(&entry.segment, lines)?;
    let is_tree_known = entry.segment.len() == 1 || parents.iter().any(Option::is_some);
    let mut nodes = Vec::with_capacity(entry.segment.len());
    for (segment, parent) in entry.segment.iter().zip(parents) {
        let mut markers = Vec::new();
        for marker in &segment.markers {
            markers.extend(labels.claim(lines.at(marker), prefix, marker.get_ref())?);
        }
        markers.retain(|marker| survey.is_seen[*marker]);
        markers.sort_unstable();
        nodes.push(Node {
            name: segment.name.get_ref().clone(),
            parent,
            joint: segment.joint.clone(),
            rule: segment
                .rule
                .as_ref()
                .map_or(Ok(JointRule::Auto), |rule| joint_rule(rule, lines))?,
            markers,
            is_silent: false,
        });
    }
    let bare = entry.segment.iter().zip(&nodes).filter(|(_, node)| node.markers.is_empty());
    let bare = bare.map(|(entry, node)| format!("{} (line {})", node.name, lines.at(&entry.name)));
    let bare = doubts::listed(bare);
    if !bare.is_empty() {
        let text = format!("passed over, for they have no marker in this recording: {bare}");
        notes.push(Note::new("plan-segment", text));
    }
    let name = entry.name.or_else(|| prefix.map(str::to_owned)).unwrap_or_default();
    let segments = tree::segments(&nodes, tree::from_the_top(&nodes).into_iter());
    Ok(Performer { name, origin: PlanOrigin::File, segments, is_tree_known })
}

/// The index of every segment's parent.
fn parents(segments: &[SegmentEntry], lines: &Lines) -> Result<Vec<Option<usize>>> {
    let mut index_of = std::collections::HashMap::new();
    for (index, segment) in segments.iter().enumerate() {
        let name = segment.name.get_ref();
        let at = |what: String| Err(Error::at_line(lines.at(&segment.name), what));
        if name.trim().is_empty() {
            return at("segment: need a name, got an empty one".into());
        }
        if index_of.insert(name.as_str(), index).is_some() {
            return at(format!("segment '{name}': need every name once, got it twice"));
        }
    }
    let mut parents = Vec::with_capacity(segments.len());
    for segment in segments {
        let Some(parent) = &segment.parent else {
            parents.push(None);
            continue;
        };
        let Some(index) = index_of.get(parent.get_ref().as_str()) else {
            let close = nearest(parent.get_ref(), index_of.keys().copied(), 3);
            let hint = if close.is_empty() {
                String::new()
            } else {
                format!("; close to it: {}", close.join(", "))
            };
            let what =
                format!("parent: need the name of a segment, got '{}'{hint}", parent.get_ref());
            return Err(Error::at_line(lines.at(parent), what));
        };
        parents.push(Some(*index));
    }
    if let Some(index) = on_a_circle(&parents) {
        let segment = &segments[index];
        let what =
            format!("parent: need a tree, got a circle through '{}'", segment.name.get_ref());
        return Err(Error::at_line(lines.at(&segment.name), what));
    }
    Ok(parents)
}

/// A node whose ancestors come back to it or to each other, if there is one.
fn on_a_circle(parents: &[Option<usize>]) -> Option<usize> {
    // 0: not looked at, 1: on the way up just now, 2: known to end in a root.
    let mut state = vec![0_u8; parents.len()];
    for start in 0..parents.len() {
        let (mut node, mut way) = (Some(start), Vec::new());
        while let Some(at) = node {
            match state[at] {
                0 => {
                    state[at] = 1;
                    way.push(at);
                    node = parents[at];
                }
                1 => return Some(at),
                _ => break,
            }
        }
        way.into_iter().for_each(|at| state[at] = 2);
    }
    None
}

fn joint_rule(name: &Spanned<String>, lines: &Lines) -> Result<JointRule> {
    let rule = JointRule::ALL.into_iter().find(|rule| rule.name() == name.get_ref());
    rule.ok_or_else(|| {
        let names = JointRule::ALL.map(JointRule::name).join(", ");
        let what = format!("rule: need one of {names}, got '{}'", name.get_ref());
        Error::at_line(lines.at(name), what)
    })
}
