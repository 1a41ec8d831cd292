//! A person fitted from motion and knowledge of bodies together.

use nalgebra::{Matrix3, Point3};

use super::options::{KnowledgeChoice, Options};
use super::repair::Repair;
use super::{Recording, keypoints};
use crate::calibrate::own_label;
use crate::error::Result;
use crate::plan::{Performer, PlanOrigin};
use crate::rigid::Traces;
use crate::subject::advice::advice;
use crate::subject::{Provenance, Subject};
use crate::swaps::{self, Segments};
use crate::trial::{Note, Trial};
use crate::whole_body::{
    self, BlockStatus, Check, Input, Knowledge, KnowledgeBlock, SoftTissue, WholeBody,
};

/// What knowledge of bodies gave to a fit.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct KnowledgeReport {
    /// What was believed of it, block by block.
    pub blocks: Vec<KnowledgeBlock>,
    /// Whether the result looks like a body.
    pub checks: Vec<Check>,
    /// Which measured sizes entered, and which did not.
    pub sizes: Vec<Note>,
}

impl KnowledgeReport {
    /// Which sizes entered, and what was not believed.
    pub fn notes(&self) -> Vec<Note> {
        let doubted = self.blocks.iter().filter(|block| block.status != BlockStatus::Used);
        let doubted = doubted
            .map(|block| Note::new("knowledge-doubted", format!("{}: {}", block.name, block.why)));
        self.sizes.iter().cloned().chain(doubted).collect()
    }
}

/// What came of it.
pub(super) enum Outcome {
    /// A subject.
    Fitted(Box<Subject>, KnowledgeReport),
    /// Two labels are each on the other's marker: they must be exchanged first.
    LabelsExchanged([String; 2]),
    /// Knowledge does not apply, or was refused: why, unless nobody would expect it.
    NotUsed(Option<Note>),
}

fn segments(performer: &Performer) -> Segments {
    let segments = performer.segments.iter();
    Segments {
        markers: segments.clone().map(|segment| segment.markers.clone()).collect(),
        parents: segments.map(|segment| segment.parent).collect(),
    }
}

/// Why knowledge is not used where so many labels are wrong that none can be trusted.
pub(super) fn labels_tell_nothing() -> Note {
    let text = "knowledge of bodies is not used: three pairs of markers and more are not where their labels say";
    Note::new("knowledge-not-used", text)
}

/// Fits a performer as a whole, if it is one that knowledge is about.
///
/// # Errors
/// A knowledge file that is wrong.
pub(super) fn fit(
    performer: &Performer,
    recordings: &[(Recording, Vec<Repair>)],
    options: &Options,
    is_alone: bool,
) -> Result<Outcome> {
    let is_person = matches!(performer.origin, PlanOrigin::Names { .. });
    let is_keypoints = keypoints::is_planned(performer);
    let knowledge = match &options.knowledge {
        // Keypoints without it are points that move as they will.
        _ if is_keypoints => Knowledge::keypoints()?,
        KnowledgeChoice::None => return Ok(Outcome::NotUsed(None)),
        KnowledgeChoice::Auto if !is_person || is_rich(performer, options) => {
            return Ok(Outcome::NotUsed(None));
        }
        KnowledgeChoice::Auto => Knowledge::human()?,
        KnowledgeChoice::Text(text) => Knowledge::from_toml(text)?,
    };
    let (first, _) = &recordings[0];
    let smooth = is_keypoints.then(|| keypoints::smoothed(performer, recordings));
    let recordings = smooth.as_deref().unwrap_or(recordings);
    let chosen = is_keypoints.then(|| keypoints::without_predicted_twice(performer, &first.trial));
    let performer = chosen.as_ref().unwrap_or(performer);
    if !is_keypoints
        && swaps::misplaced(&first.trial, &segments(performer)).len() >= swaps::MAX_EXCHANGES
    {
        return Ok(Outcome::NotUsed(Some(labels_tell_nothing())));
    }
    let labels = first.trial.labels();
    let joined = Joined::new(&labels, recordings);
    let input = Input { performer, labels: &labels, frames: &joined };
    let (sizes, mut size_notes) = match is_alone {
        true => options.measured.sizes(recordings.iter().map(|(r, _)| &r.trial), &knowledge),
        false => (Vec::new(), Vec::new()),
    };
    let fit_options = whole_body::Options {
        recording_ends: joined.ends(),
        measured: sizes.iter().map(|s| (s.name.to_owned(), s.value_m, s.sd_m)).collect(),
        weights: options.weights.of_all(&labels),
        soft_tissue: if is_keypoints { SoftTissue::None } else { options.soft_tissue },
        frames: match options.soft_tissue {
            _ if is_keypoints => FRAMES,
            SoftTissue::None => RIGID_FRAMES,
            _ => FRAMES,
        },
        independent_frames: is_keypoints.then(|| keypoints::independent_frames(recordings)),
        guards: !is_keypoints,
    };
    let body = match whole_body::fit(&input, &knowledge, &fit_options) {
        Ok(body) => body,
        Err(error) if is_keypoints => return Err(first.at_fault(error)),
        Err(error) => {
            let text = format!("knowledge of bodies is not used: {error}");
            return Ok(Outcome::NotUsed(Some(Note::new("knowledge-not-used", text))));
        }
    };
    if let Some(pair) = body.labels_exchanged {
        return Ok(Outcome::LabelsExchanged(pair.map(|column| labels[column].to_owned())));
    }
    let mut subject = body.subject(&performer.name, &joined);
    for marker in subject.segments.iter_mut().flat_map(|segment| &mut segment.markers) {
        marker.label = own_label(&marker.label, &performer.name);
    }
    if is_keypoints {
        keypoints::widen(&mut subject);
    }
    advise(&mut subject);
    subject.provenance = Provenance {
        recordings: recordings.iter().map(|(recording, _)| recording.file_name()).collect(),
        plan: performer.origin.name().to_owned(),
        frames: joined.frames(),
    };
    subject.notes.extend(left_out(performer, &body));
    subject.notes.extend(body.notes);
    let mut blocks = body.blocks;
    for size in &sizes {
        let name = format!("measured {}", size.name);
        let Some(block) = blocks.iter_mut().find(|block| block.name == name) else { continue };
        match block.status {
            BlockStatus::Used => block.why = format!("{:.0} mm, {}", 1e3 * size.value_m, size.from),
            // Who stated it is said with why it does not count.
            BlockStatus::Dropped => {
                block.why = format!("{}, {}", size.from, block.why);
                let entered = format!("{} ", size.name);
                size_notes.retain(|n| n.code != "size-measured" || !n.text.starts_with(&entered));
            }
            BlockStatus::Widened(_) => {}
        }
    }
    let report = KnowledgeReport { blocks, checks: body.checks, sizes: size_notes };
    Ok(Outcome::Fitted(Box::new(subject), report))
}

/// Fits a subject that was fitted joint by joint again, all of it at once, from its motion alone: where a segment has
/// fewer than three markers, whose pose is then not exact, and where soft tissue is stated.
pub(super) fn refit(
    subject: Subject,
    recordings: &[(Recording, Vec<Repair>)],
    options: &Options,
) -> Subject {
    let is_poor = subject.segments.iter().any(|segment| segment.markers.len() < 3);
    let is_stated = matches!(options.soft_tissue, SoftTissue::Metres(_));
    if !is_poor && !is_stated {
        return subject;
    }
    let labels = recordings[0].0.trial.labels();
    let joined = Joined::new(&labels, recordings);
    let fit_options = whole_body::Options {
        recording_ends: joined.ends(),
        weights: options.weights.of_all(&labels),
        soft_tissue: options.soft_tissue,
        ..whole_body::Options::default()
    };
    let body = match whole_body::fit_motion(&subject, &labels, &joined, &fit_options) {
        Ok(body) => body,
        Err(error) => {
            let mut subject = subject;
            if is_stated {
                let text = format!("the soft tissue that was stated is not used: {error}");
                subject.notes.push(Note::new("soft-tissue-ignored", text));
            }
            return subject;
        }
    };
    let mut refitted = body.subject(&subject.name, &joined);
    let Subject { segments, joints, .. } = &mut refitted;
    for joint in joints {
        joint.from_knowledge = 0.0;
        let noise_m2 = [joint.parent, joint.child].map(|s| segments[s].sigma_m.powi(2));
        let by_noise_m2 = GAP_BY_NOISE * noise_m2.iter().sum::<f64>();
        let wander_m2 = (joint.separation_m.powi(2) - by_noise_m2).max(0.0);
        joint.wander_m = wander_m2.sqrt();
        joint.covariance_m2 += Matrix3::from_diagonal_element(wander_m2 / 3.0);
    }
    advise(&mut refitted);
    refitted.provenance = subject.provenance;
    refitted.notes = subject.notes;
    if !body.has_converged {
        let text = format!(
            "the fit of all joints at once had not settled after {} steps: its error bars may be too narrow",
            body.iterations
        );
        refitted.notes.push(Note::new("fit-not-settled", text));
    }
    refitted
}

/// Noise alone makes gaps whose square is so many times the variances of the markers of both sides, at most: three
/// coordinates, and as much again by the turns of the segments.
const GAP_BY_NOISE: f64 = 6.0;

/// Frames that are fitted: more tell nothing new of skin, but something of markers that sit on bones.
const FRAMES: usize = 40;
const RIGID_FRAMES: usize = 120;

/// Whether motion alone tells where everything is: markers sit on bones, and every segment has three of them. With
/// fewer its pose is open in every frame, and a joint fitted to it is as far off as its marker is from the centre.
fn is_rich(performer: &Performer, options: &Options) -> bool {
    options.soft_tissue == SoftTissue::None
        && performer.segments.iter().all(|segment| segment.markers.len() >= 3)
}

/// What to do about joints that are not well known.
fn advise(subject: &mut Subject) {
    let Subject { segments, joints, .. } = subject;
    for joint in joints {
        joint.advice = advice(joint, &segments[joint.parent], &segments[joint.child]);
    }
}

/// The segments that the knowledge does not have.
fn left_out(performer: &Performer, body: &WholeBody) -> Option<Note> {
    let is_there = |index: usize| body.segments.iter().any(|s| s.planned == Some(index));
    let planned = performer.segments.iter().enumerate();
    let missing = planned.filter(|(index, s)| !s.markers.is_empty() && !is_there(*index));
    let names: Vec<&str> = missing.map(|(_, segment)| segment.name.as_str()).collect();
    let text = || format!("not part of the body that is known, and left out: {}", names.join(", "));
    (!names.is_empty()).then(|| Note::new("segments-left-out", text()))
}

/// Recordings of one performer in a row, their markers found by their labels.
struct Joined<'a> {
    /// For every recording its first frame among all, and for every label its marker.
    parts: Vec<(usize, &'a Trial, Vec<Option<usize>>)>,
    frames: usize,
}

impl<'a> Joined<'a> {
    fn new(labels: &[&str], recordings: &'a [(Recording, Vec<Repair>)]) -> Self {
        let (mut parts, mut frames) = (Vec::new(), 0);
        for (recording, _) in recordings {
            let trial = &recording.trial;
            let column = |label: &&str| trial.markers.iter().position(|m| m.label == *label);
            parts.push((frames, trial, labels.iter().map(column).collect()));
            frames += trial.frames;
        }
        Self { parts, frames }
    }

    /// Where recordings end.
    fn ends(&self) -> Vec<usize> {
        self.parts.iter().map(|(first, trial, _)| first + trial.frames).collect()
    }
}

impl Traces for Joined<'_> {
    fn frames(&self) -> usize {
        self.frames
    }

    fn position_m(&self, frame: usize, marker: usize) -> Option<Point3<f64>> {
        let after = self.parts.partition_point(|(first, ..)| *first <= frame);
        let (first, trial, columns) = self.parts.get(after.checked_sub(1)?)?;
        trial.markers[(*columns.get(marker)?)?].position_m(frame - first)
    }
}
