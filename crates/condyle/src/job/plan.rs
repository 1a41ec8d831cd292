//! Which markers are on which segment: by name, by motion or from a file.

use super::options::{Options, SegmentsBy};
use super::plan_doubts::{self, PlanDoubt};
use super::{bodies, keypoints};
use crate::error::{Error, Result};
use crate::naming::{self, Naming};
use crate::order;
use crate::plan::{Performer, Plan, PlanOrigin};
use crate::topology::Tree;
use crate::trial::{Marker, Note, Trial};
use crate::{grouping, marker_set, topology};

/// A plan and what is to be said about it.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundPlan {
    /// The segments of every performer, with their tree.
    pub plan: Plan,
    /// What told them.
    pub by: PlanOrigin,
    /// What is doubtful about it.
    pub notes: Vec<Note>,
    /// Decisions that could have gone the other way, the most doubtful first; only of the motion.
    pub doubts: Vec<PlanDoubt>,
    /// For every performer what its segments are by the shape of their tree, where the motion told them.
    pub naming: Vec<Option<Naming>>,
}

/// Finds the segments of a recording, and how they hang together; of bodies every one is a segment.
///
/// # Errors
/// No segment was found: the message says why names, or motion, or both do not tell.
pub fn plan(trial: &Trial, options: &Options) -> Result<FoundPlan> {
    match bodies::is_body_recording(trial, options) {
        true => bodies::plan(trial, options),
        false => plan_markers(trial, options),
    }
}

/// The same for a recording of markers.
pub(super) fn plan_markers(trial: &Trial, options: &Options) -> Result<FoundPlan> {
    let is_free = options.plan.is_none() && options.segments_by == SegmentsBy::Auto;
    if trial.motion.is_some() && is_free {
        let what = "motion: need markers that were recorded, got a skeleton that moves already";
        return Err(Error::undetermined(what).with_code("already-solved"));
    }
    let found = match (&options.plan, options.segments_by) {
        (Some(text), _) => {
            let (plan, notes) = marker_set::from_text(text, trial)?;
            FoundPlan { plan, by: PlanOrigin::File, notes, doubts: Vec::new(), naming: Vec::new() }
        }
        (None, SegmentsBy::Names) => by_names(trial)?.0,
        (None, SegmentsBy::Motion) => by_motion(trial, options)?,
        (None, SegmentsBy::Bodies) => {
            return Err(bodies::why_none(trial));
        }
        (None, SegmentsBy::Auto) => match by_names(trial) {
            Ok((found, true)) => found,
            // The names say something, which is better than nothing if the motion does not.
            weak if has_samples(trial) => {
                by_motion(trial, options).or_else(|motion| match weak {
                    Ok((found, _)) => match keypoints::too_few(trial) {
                        Some(few) => Err(few),
                        None => Ok(found),
                    },
                    Err(names) if names.code() == Some("keypoints-few") => Err(names),
                    Err(names) => {
                        let both = Error::undetermined(format!("{names}; by motion: {motion}"));
                        Err(names.code().into_iter().fold(both, Error::with_code))
                    }
                })?
            }
            nothing => nothing?.0,
        },
    };
    with_trees(found, trial, options)
}

/// Finds from the motion how segments hang together where nothing else says it.
fn with_trees(mut found: FoundPlan, trial: &Trial, options: &Options) -> Result<FoundPlan> {
    found.naming.resize(found.plan.performers.len(), None);
    let performers = found.plan.performers.iter_mut().zip(&mut found.naming);
    for (performer, naming) in performers.filter(|(performer, _)| !performer.is_tree_known) {
        let options = topology::Options { root: options.root.clone() };
        let mut tree = topology::infer(trial, performer, &options)?;
        if performer.origin == PlanOrigin::Motion {
            let (named, rerooted) = named(trial, performer, &options)?;
            tree = rerooted.unwrap_or(tree);
            found.notes.extend(named.iter().flat_map(|named| said_of(named, performer)));
            *naming = named;
        }
        for edge in tree.edges.iter().filter(|edge| edge.is_doubtful) {
            let [a, b] = [edge.parent, edge.child].map(|i| performer.segments[i].name.as_str());
            let text = format!("{b} might hang on another segment than {a}");
            found.notes.push(Note::new("joint-doubtful", text));
        }
        for edge in &tree.loops {
            let [a, b] = edge.parts.map(|i| performer.segments[i].name.as_str());
            let text = format!(
                "{a} and {b} meet as well as joints of the tree do ({:.1} mm): the segments may form a closed loop",
                edge.residual_m * 1e3
            );
            found.notes.push(Note::new("loop", text));
        }
    }
    Ok(found)
}

/// Names the segments that the motion told, and hangs them on the pelvis if nobody wants another root.
fn named(
    trial: &Trial,
    performer: &mut Performer,
    options: &topology::Options,
) -> Result<(Option<Naming>, Option<Tree>)> {
    let Some(mut naming) = naming::name(trial, performer) else { return Ok((None, None)) };
    let mut tree = None;
    let pelvis = naming.find("pelvis").or_else(|| naming.find("trunk"));
    let first = pelvis.filter(|at| *at > 0).and_then(|at| performer.segments[at].markers.first());
    if let (Some(marker), None) = (first, &options.root) {
        let root = Some(trial.markers[*marker].label.clone());
        tree = Some(topology::infer(trial, performer, &topology::Options { root })?);
        naming = match naming::name(trial, performer) {
            Some(naming) => naming,
            None => return Ok((None, tree)),
        };
    }
    naming.give(performer);
    Ok((Some(naming), tree))
}

/// What is to be said of names that the motion gave.
fn said_of(naming: &Naming, performer: &Performer) -> Vec<Note> {
    let known = naming.segments.iter().flatten().count();
    let text = format!(
        "the segments hang together as those of a {}: {known} of {} are named by that",
        naming.creature.name(),
        performer.segments.len()
    );
    let mut notes = vec![Note::new("named-by-shape", text)];
    if !naming.has_sides() {
        let text = "nothing tells which limbs are left and which are right: they are numbered";
        notes.push(Note::new("sides-unknown", text));
    }
    notes
}

/// The plan that labels give without a sample; `None` where a file, or the motion, has to tell.
///
/// # Errors
/// Names are asked for, and they are those of no marker set that is known.
pub(crate) fn plan_labels(labels: &[&str], options: &Options) -> Result<Option<Plan>> {
    if options.plan.is_some() || matches!(options.segments_by, SegmentsBy::Motion) {
        return Ok(None);
    }
    let found = marker_set::recognise(labels);
    if found.plan.performers.is_empty() && options.segments_by == SegmentsBy::Names {
        let known = marker_set::built_in().count();
        let what = format!(
            "labels: need one of {known} known marker sets, got {} labels of none",
            labels.len()
        );
        return Err(Error::undetermined(what).with_code("labels-unknown"));
    }
    let is_decided = options.segments_by == SegmentsBy::Names || found.is_good();
    let is_tree_known = found.plan.performers.iter().all(|performer| performer.is_tree_known);
    Ok((is_decided && is_tree_known).then_some(found.plan))
}

/// A plan by names, and whether it is good.
fn by_names(trial: &Trial) -> Result<(FoundPlan, bool)> {
    let found = marker_set::recognise_trial(trial);
    if found.plan.performers.is_empty() {
        return Err(why_no_names(trial, &found));
    }
    // A joint a segment, of a body that has too few to be recognised as one: no segment has three markers.
    let is_body = found.plan.performers.iter().any(keypoints::is_planned);
    if let Some(few) = keypoints::too_few(trial).filter(|_| !is_body) {
        return Err(few);
    }
    let is_good = found.is_good();
    let by = found.plan.performers[0].origin.clone();
    let found = FoundPlan {
        plan: found.plan,
        by,
        notes: found.notes,
        doubts: Vec::new(),
        naming: Vec::new(),
    };
    Ok((found, is_good))
}

fn by_motion(trial: &Trial, options: &Options) -> Result<FoundPlan> {
    // Points that a model computed move with a segment too, but nobody put them there.
    let (no_markers, notes) = marker_set::no_markers(trial);
    let is_measured = |marker: &usize| no_markers.iter().all(|aside| aside.marker != *marker);
    let only = (0..trial.markers.len()).filter(is_measured).collect();
    let with = grouping::Options { only: Some(only), ..grouping::Options::default() };
    let grouping = grouping::from_motion(trial, &with)?;
    let mut plan = grouping.plan;
    if plan.performers.iter().all(|performer| performer.segments.len() < 2) {
        let what =
            "motion: need two groups of markers that move against each other, got one at most";
        return Err(Error::undetermined(what).with_code("nothing-moves"));
    }
    plan.excluded.extend(no_markers);
    order::by_key(&mut plan.excluded, |aside| aside.marker);
    let found =
        FoundPlan { plan, by: PlanOrigin::Motion, notes, doubts: Vec::new(), naming: Vec::new() };
    // The tree names the segments.
    let mut found = with_trees(found, trial, options)?;
    found.doubts = plan_doubts::in_words(&grouping.doubts, &found.plan, trial);
    if !grouping.is_complete {
        let text = "too many markers hardly move together: they were not compared to the end, segments are doubtful; \
                    choose the markers of the performers";
        found.notes.push(Note::new("grouping-unfinished", text));
    }
    let without = grouping.unmarked.iter();
    found.notes.extend(without.map(|held| plan_doubts::unmarked(held, &found.plan, trial)));
    Ok(found)
}

/// Whether any marker is seen in any frame.
fn has_samples(trial: &Trial) -> bool {
    let is_seen = |marker: &Marker| marker.origins().any(|origin| origin.is_present());
    trial.markers.iter().any(is_seen)
}

/// Why there is no plan by names.
fn why_no_names(trial: &Trial, found: &marker_set::Recognition) -> Error {
    let markers = trial.markers.len();
    if markers == 0 {
        return bodies::why_none(trial);
    }
    if !has_samples(trial) {
        let what = format!("markers: need some that are seen, got {markers} without a sample");
        return Error::undetermined(what).with_code("markers-unseen");
    }
    if let Some(few) = keypoints::too_few(trial) {
        return few;
    }
    let unknown = found.notes.iter().find(|note| note.code == "labels-unknown");
    let what = match (unknown, marker_set::computed(trial).len()) {
        (Some(note), _) => format!(
            "labels: need one of {} known marker sets, got none of them: {}",
            marker_set::built_in().count(),
            note.text
        ),
        (None, 0) => {
            format!("labels: need markers with names, got none among {markers} trajectories")
        }
        (None, computed) => format!(
            "labels: need markers that were recorded, got {computed} points of a model among {markers}"
        ),
    };
    Error::undetermined(what).with_code("labels-unknown")
}
