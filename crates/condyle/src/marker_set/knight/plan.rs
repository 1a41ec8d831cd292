//! From Knight's files to a plan.

use super::{Association, MarkerSetFile, count};
use crate::error::{Error, Result};
use crate::marker_set::body::{self, Covered, Place};
use crate::marker_set::collect::by_key;
use crate::marker_set::excluded::Survey;
use crate::marker_set::label;
use crate::marker_set::lookup::Labels;
use crate::marker_set::performers;
use crate::marker_set::rigid_bodies::loose;
use crate::marker_set::sets::knight;
use crate::plan::{Performer, Plan, PlanOrigin};
use crate::trial::{Note, Trial};

/// A performer's prefix, the segment that a file puts a marker on, and the marker.
type Placed<'a> = (&'a str, (&'a str, usize));

/// The plan of an association and the marker set it names.
pub(in crate::marker_set) fn from_association(
    association: &Association,
    set: &MarkerSetFile,
    trial: &Trial,
) -> Result<(Plan, Vec<Note>)> {
    let mut labels = Labels::of(trial);
    let wands = set.by_name(str::to_ascii_lowercase);
    let mut placed: Vec<Placed> = Vec::new();
    for pair in &association.pairs {
        let markers = labels.claim(pair.line, None, &pair.label)?;
        if let Some(wand) = wands.get(&pair.standard.to_ascii_lowercase()) {
            let prefix = |marker: usize| label::split(&trial.markers[marker].label).0;
            placed.extend(markers.into_iter().map(|m| (prefix(m), (wand.segment.as_str(), m))));
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
    let wands = set.by_name(label::normal);
    let wand_of = |word: &str| {
        let by_alias = || wands.get(&knight().first_spelling(word)?);
        wands.get(word).or_else(by_alias)
    };
    let groups = performers::groups(trial.markers.iter().map(|marker| marker.label.as_str()));
    let mut placed: Vec<Placed> = Vec::new();
    for group in &groups {
        for (marker, word) in &group.markers {
            if let Some(wand) = wand_of(word) {
                placed.push((&group.prefix, (&wand.segment, *marker)));
            }
        }
    }
    let mut notes: Vec<Note> = count::note(set.declared, set.wands.len()).into_iter().collect();
    let plan = plan(placed, trial, &mut notes)?;
    Ok((plan, notes))
}

fn plan(placed: Vec<Placed>, trial: &Trial, notes: &mut Vec<Note>) -> Result<Plan> {
    let groups = performers::groups(trial.markers.iter().map(|marker| marker.label.as_str()));
    let survey = Survey::of_trial(trial, &groups);
    let mut plan = Plan::default();
    for (prefix, own) in by_key(placed.into_iter()) {
        let seen = own.into_iter().filter(|(_, marker)| survey.is_seen[*marker]);
        let mut segments = by_key(seen);
        segments.iter_mut().for_each(|(_, markers)| markers.sort_unstable());
        if !segments.is_empty() {
            plan.performers.push(performer(prefix, segments, notes));
        }
    }
    if plan.performers.is_empty() {
        let what =
            "need at least one label of the recording that a segment claims and that is seen";
        return Err(Error::argument(format!("{what}, got none")));
    }
    survey.set_rest_aside(&mut plan);
    Ok(plan)
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
        body::segments(covered.collect(), body::MARKERS_OF_A_ROOT)
    } else {
        let text = format!(
            "how the segments hang together must be found from the motion: no known part of a \
             body is called {}",
            unknown.join(", ")
        );
        notes.push(Note::new("plan-tree", text));
        segments.into_iter().map(|(name, markers)| loose(name, markers)).collect()
    };
    Performer { name: prefix.to_owned(), origin: PlanOrigin::File, segments, is_tree_known }
}

#[cfg(test)]
mod tests {
    use crate::marker_set::from_text;
    use crate::marker_set::made_up::trial;
    use crate::plan::{ExclusionReason, Plan};
    use crate::trial::Note;

    fn plan(pairs: &str, labels: &[&str]) -> crate::Result<(Plan, Vec<Note>)> {
        let count = pairs.lines().count();
        let text = format!("{count} WANDS\nMARKERSET vicon512.txt\n\n{pairs}");
        from_text(&text.as_str().into(), &trial(labels))
    }

    const PAIRS: &str = "JOE::LFWT = LFWT\nJOE::RFWT = RFWT\nJOE::Root = unknown\n\
                         JOE::LSHN = LLEG Left shin\nSUE::LSHN = LLEG";

    #[test]
    fn an_association_gives_every_prefix_a_body() {
        let labels = ["JOE:LFWT", "JOE:RFWT", "JOE:Root", "JOE:LSHN", "SUE:LSHN", "*1"];
        let (plan, _) = plan(PAIRS, &labels).unwrap();
        let joe = &plan.performers[0];
        assert_eq!((joe.name.as_str(), joe.is_tree_known), ("JOE", true));
        let names: Vec<&str> = joe.segments.iter().map(|s| s.name.as_str()).collect();
        assert_eq!(names, ["Hips", "Lower Left Leg"]);
        assert_eq!(joe.segments[1].joint_name.as_deref(), Some("left hip + left knee"));
        assert_eq!(plan.performers[1].segments[0].markers, [4]);
        let reasons: Vec<ExclusionReason> =
            plan.excluded.iter().map(|aside| aside.reason).collect();
        assert_eq!(reasons, [ExclusionReason::NotClaimed, ExclusionReason::Unlabelled]);
    }

    #[test]
    fn labels_that_are_not_there_are_noted_or_if_mistyped_refused() {
        let (_, notes) = plan(PAIRS, &["JOE:LFWT", "JOE:RFWT", "JOE:LSHN", "SUE:LSHN"]).unwrap();
        assert!(notes.iter().any(|note| note.text.ends_with(": 'JOE::Root' (line 6)")));
        let error = plan(PAIRS, &["JOE:LFWT", "JOE:RFWD", "JOE:LSHN", "SUE:LSHN"]).unwrap_err();
        assert!(error.to_string().contains("got 'JOE::RFWT'; close to it: RFWD"), "{error}");
        let error = plan(PAIRS, &["A", "B"]).unwrap_err().to_string();
        assert!(error.starts_with("need at least one label of the recording"), "{error}");
    }

    #[test]
    fn segments_that_are_no_part_of_a_body_leave_the_tree_open() {
        let set = "2 WANDS\nWAND A\nSEGMENT Tail\nWAND B\nSEGMENT Head\n";
        let (plan, notes) = from_text(&set.into(), &trial(&["X:A", "X:B"])).unwrap();
        assert!(!plan.performers[0].is_tree_known);
        assert_eq!(plan.performers[0].segments.len(), 2);
        assert!(notes[0].text.ends_with("called Tail"), "{notes:?}");
    }

    #[test]
    fn a_marker_set_that_is_nowhere_is_asked_for_by_name() {
        let text = "1 WANDS\nMARKERSET mine.txt\nA = A";
        let error = from_text(&text.into(), &trial(&["A"])).unwrap_err().to_string();
        assert_eq!(error, "MARKERSET: need the file 'mine.txt' beside this one, got none");
    }
}
