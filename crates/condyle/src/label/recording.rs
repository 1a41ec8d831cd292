//! Labels for the tracklets of a whole recording.

use super::abstain::{self, Verdict};
use super::agreement::Agreement;
use super::body_shape::{BodyShape, Evidence, Tolerance};
use super::decide::decide;
use super::key_frame::{self, WORTH_A_LABEL};
use super::mirror::{Held, Mirror};
use super::pose::Pose;
use super::scores::Scores;
use super::tracklet::{Look, Tracklet};

const KEY_FRAMES_EVERY_S: f64 = 0.4;
const MAX_KEY_FRAMES: usize = 40;
/// Short recordings have so many, if they have as many frames.
const MIN_KEY_FRAMES: usize = 3;
const ROUNDS: usize = 7;
/// From this round on the recording itself says how its distances change.
const LEARNING_ROUND: usize = 3;
/// While labels settle, doubtful ones stay: a hole never closes if its neighbours are holes.
const WORTH_TRYING: f64 = 0.0;
const LEARNED_POSES: usize = 40;

/// What a recording is looked at with.
pub(super) struct Question<'a> {
    pub(super) tracklets: &'a [Tracklet],
    pub(super) looks: &'a [Look],
    /// Labels that are known.
    pub(super) given: &'a [Option<usize>],
    pub(super) labels: usize,
    /// The poses of the subject.
    pub(super) poses: &'a [Pose],
    pub(super) frames: usize,
    pub(super) rate_hz: f64,
    pub(super) tolerance: Tolerance,
}

/// Labels every tracklet, or none.
///
/// # Method
/// Key frames are labelled independently and vote; then, round by round, every tracklet is scored for every label
/// given the labels of the others, and labels are assigned again. From the third round on the distances are those of
/// the subject and of the recording as labelled so far, each by its number of distinct poses.
pub(super) fn solve(question: &Question) -> (Vec<Verdict>, Agreement) {
    let Question { tracklets, looks, given, labels, poses, tolerance, .. } = *question;
    let calibrated = Evidence::new(poses);
    let subject = BodyShape::new(labels, &[calibrated], tolerance);
    let mirror = Mirror::new(&subject, calibrated);
    let votes = vote(question, &subject, &mirror);
    let mut label_of = decide(tracklets, looks, &votes, given, WORTH_TRYING);
    let mut learned = None;
    for round in 0..ROUNDS {
        if round >= LEARNING_ROUND {
            let poses = labelled_poses(looks, &label_of, labels);
            let evidence = [calibrated, Evidence::new(&poses)];
            learned = Some(BodyShape::new(labels, &evidence, tolerance));
        }
        let scores = Scores::given(learned.as_ref().unwrap_or(&subject), looks, &label_of);
        let none = if round + 1 == ROUNDS { WORTH_A_LABEL } else { WORTH_TRYING };
        label_of = decide(tracklets, looks, &scores, given, none);
    }
    let is_doubtful = change_sides(question, &subject, &mirror, &mut label_of);
    let poses = labelled_poses(looks, &label_of, labels);
    let here = Evidence::new(&poses);
    let found = BodyShape::new(labels, &[here], tolerance);
    let learned = BodyShape::new(labels, &[calibrated, here], tolerance);
    let [by_learned, by_subject] =
        [&learned, &subject].map(|shape| Scores::given(shape, looks, &label_of));
    let mut verdicts = abstain::judge(question, &label_of, &by_learned, &by_subject);
    for verdict in &mut verdicts {
        verdict.doubt_sides(&is_doubtful);
    }
    (verdicts, Agreement::new(&found, &subject))
}

/// Lets parts change sides if the whole recording fits better so; says of which labels that is not sure.
fn change_sides(
    question: &Question,
    subject: &BodyShape,
    mirror: &Mirror,
    label_of: &mut [Option<usize>],
) -> Vec<bool> {
    let Question { looks, given, labels, .. } = *question;
    if mirror.is_empty() || given.iter().any(Option::is_some) {
        return vec![false; labels];
    }
    let count = looks.len().min(LEARNED_POSES);
    let frames: Vec<Held> = (0..count)
        .map(|index| &looks[index * looks.len() / count])
        .map(|look| Held::new(look, labels, |point| label_of[look.tracklets[point]]))
        .collect();
    let settled = mirror.settle(subject, &frames);
    for label in label_of.iter_mut().flatten() {
        *label = settled.label_from[*label];
    }
    settled.is_doubtful
}

/// The votes of key frames, each by how good its labels are.
fn vote(question: &Question, subject: &BodyShape, mirror: &Mirror) -> Scores {
    let Question { tracklets, looks, frames, rate_hz, labels, .. } = *question;
    let mut votes = Scores::zero(tracklets.len(), labels);
    let duration_s = if rate_hz > 0.0 { frames as f64 / rate_hz } else { f64::INFINITY };
    let wanted = (duration_s / KEY_FRAMES_EVERY_S) as usize;
    let most_points = looks.iter().map(|look| look.tracklets.len()).max().unwrap_or(0);
    let affordable = key_frame::affordable(subject, most_points).max(1);
    let count = wanted.clamp(MIN_KEY_FRAMES, MAX_KEY_FRAMES).min(affordable).min(looks.len());
    for key in 0..count {
        let middle = (2 * key + 1) * frames / (2 * count);
        let after = looks.partition_point(|look| look.frame < middle).min(looks.len() - 1);
        let look = &looks[after];
        let mut key_frame = key_frame::solve(subject, &look.positions_m);
        if !mirror.is_empty() {
            let held = Held::new(look, labels, |point| key_frame.label_of[point]);
            let label_from = mirror.settle(subject, &[held]).label_from;
            for label in key_frame.label_of.iter_mut().flatten() {
                *label = label_from[*label];
            }
        }
        let weight = key_frame.quality.max(0.0).powi(2);
        for (tracklet, label) in look.tracklets.iter().zip(key_frame.label_of) {
            if let Some(label) = label {
                votes.add(*tracklet, label, weight);
            }
        }
    }
    votes
}

/// Poses of the recording by the labels so far.
fn labelled_poses(looks: &[Look], label_of: &[Option<usize>], labels: usize) -> Vec<Pose> {
    let count = looks.len().min(LEARNED_POSES);
    let pose = |index: usize| {
        let look = &looks[index * looks.len() / count];
        let mut pose = vec![None; labels];
        for (tracklet, position_m) in look.tracklets.iter().zip(&look.positions_m) {
            if let Some(label) = label_of[*tracklet] {
                pose[label] = Some(*position_m);
            }
        }
        pose
    };
    (0..count).map(pose).collect()
}
