//! From Knight's files to a plan.

use super::{Association, MarkerSetFile, count};
use crate::error::{ErrorKind, Result};
use crate::marker_set::aside::Survey;
use crate::marker_set::body::{self, Covered, Place};
use crate::marker_set::label;
use crate::marker_set::lookup::Labels;
use crate::marker_set::performers;
use crate::marker_set::sets::KNIGHT;
use crate::plan::{JointRule, Performer, Plan, PlanOrigin, PlannedSegment};
use crate::trial::{Note, Trial};

/// A marker, its performer's prefix, and the segment that a file puts it on.
type Placed<'a> = (usize, &'a str, &'a str);

/// The plan of an association and the marker set it names.
pub(in crate::marker_set) fn from_association(
    association: &Association,
    set: &MarkerSetFile,
    trial: &Trial,
) -> Result<(Plan, Vec<Note>)> {
    let mut labels = Labels::of(trial);
    let mut placed: Vec<Placed> = Vec::new();
    for pair in &association.pairs {
        let markers = labels.claim(pair.line, None, &pair.label)?;
        if let Some(wand) = set.wand(&pair.standard) {
            let prefix = |marker: usize| label::split(&trial.markers[marker].label).0;
            placed.extend(markers.into_iter().map(|m| (m, prefix(m), wand.segment.as_str())));
        }
    }
    let mut notes: Vec<Note> =
        count::note(association.declared, association.pairs.len()).into_iter().collect();
    notes.extend(count::note(set.declared, set.wands.len()));
    notes.extend(labels.missing()?);
    let plan = plan(placed, trial, &mut notes)?;
    Ok((plan, notes))
}

/// The plan of a marker set whose names are those of the recording, spelling and aliases aside.
pub(in crate::marker_set) fn from_marker_set(
    set: &MarkerSetFile,
    trial: &Trial,
) -> Result<(Plan, Vec<Note>)> {
    let words: Vec<String> = set.wands.iter().map(|wand| label::normal(&wand.name)).collect();
    let wand_of = |word: &str| {
        let exact = words.iter().position(|other| other == word);
        let by_alias = || {
            let standard = KNIGHT.first_spelling(word)?;
            words.iter().position(|other| *other == standard)
        };
        exact.or_else(by_alias).map(|index| &set.wands[index])
    };
    let groups = performers::groups(trial.markers.iter().map(|marker| marker.label.as_str()));
    let mut placed: Vec<Placed> = Vec::new();
    for group in &groups {
        for (marker, word) in &group.markers {
            if let Some(wand) = wand_of(word) {
                placed.push((*marker, &group.prefix, &wand.segment));
            }
        }
    }
    let mut notes: Vec<Note> = count::note(set.declared, set.wands.len()).into_iter().collect();
    let plan = plan(placed, trial, &mut notes)?;
    Ok((plan, notes))
}

fn plan(placed: Vec<Placed>, trial: &Trial, notes: &mut Vec<Note>) -> Result<Plan> {
    let groups = performers::groups(trial.markers.iter().map(|marker| marker.label.as_str()));
    let survey = Survey::of(trial, &groups);
    let mut prefixes: Vec<&str> = Vec::new();
    for (_, prefix, _) in &placed {
        if !prefixes.contains(prefix) {
            prefixes.push(prefix);
        }
    }
    let mut plan = Plan::default();
    for prefix in prefixes {
        let own = placed.iter().filter(|(m, other, _)| *other == prefix && survey.is_seen[*m]);
        let segments = by_segment(own.map(|(marker, _, segment)| (*marker, *segment)));
        if segments.is_empty() {
            continue;
        }
        plan.performers.push(performer(prefix, segments, notes));
    }
    if plan.performers.is_empty() {
        let what =
            "need at least one label of the recording that a segment claims and that is seen";
        return Err(ErrorKind::Argument(format!("{what}, got none")).into());
    }
    survey.set_rest_aside(&mut plan);
    Ok(plan)
}

/// The markers of every segment, in order of appearance.
fn by_segment<'a>(placed: impl Iterator<Item = (usize, &'a str)>) -> Vec<(&'a str, Vec<usize>)> {
    let mut segments: Vec<(&str, Vec<usize>)> = Vec::new();
    for (marker, name) in placed {
        match segments.iter_mut().find(|(other, _)| *other == name) {
            Some((_, markers)) => markers.push(marker),
            None => segments.push((name, vec![marker])),
        }
    }
    for (_, markers) in &mut segments {
        markers.sort_unstable();
    }
    segments
}

/// A performer whose segments hang together as a body does, if they are all parts of one.
fn performer(prefix: &str, segments: Vec<(&str, Vec<usize>)>, notes: &mut Vec<Note>) -> Performer {
    let unknown: Vec<&str> = segments
        .iter()
        .map(|(name, _)| *name)
        .filter(|name| Place::called(name).is_none())
        .collect();
    let is_tree_known = unknown.is_empty();
    let segments = if is_tree_known {
        let covered = segments.into_iter().filter_map(|(name, markers)| {
            Some(Covered { place: Place::called(name)?, name: name.to_owned(), markers })
        });
        body::segments(covered.collect())
    } else {
        let text = format!(
            "how the segments hang together must be found from the motion: no known part of a \
             body is called {}",
            unknown.join(", ")
        );
        notes.push(Note::new("plan-tree", text));
        let (parent, joint_name, joint_rule) = (None, None, JointRule::Auto);
        let segment = |(name, markers): (&str, Vec<usize>)| PlannedSegment {
            name: name.to_owned(),
            parent,
            markers,
            joint_name: joint_name.clone(),
            joint_rule,
        };
        segments.into_iter().map(segment).collect()
    };
    Performer { name: prefix.to_owned(), origin: PlanOrigin::File, segments, is_tree_known }
}
