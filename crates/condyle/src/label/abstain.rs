//! Which labels are sure enough to be said.

use super::Reason;
use super::decide::Held;
use super::key_frame::WORTH_A_LABEL;
use super::recording::Question;
use super::scores::Scores;
use super::tracklet::Tracklet;

/// Any other labels must explain a tracklet, and those that have them, worse by this much.
const MIN_MARGIN: f64 = 0.5;
/// The subject as it was calibrated must not contradict: what was learned from a recording cannot judge itself.
const MIN_CALIBRATED_SCORE: f64 = 0.0;
const MIN_CALIBRATED_MARGIN: f64 = -0.2;
/// A frame of the recording itself may contradict more: there markers are where they are, and labels of others sure.
const MIN_LABELLED_MARGIN: f64 = -0.5;
/// What is seen so briefly may be a reflection that passes by a place: it must fit better.
const BRIEF_S: f64 = 0.35;
const WORTH_A_BRIEF_LABEL: f64 = 1.5;

/// What is said of a tracklet.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Verdict {
    pub(super) label: Option<usize>,
    /// From 0 to 1.
    pub(super) confidence: f64,
    pub(super) reason: Reason,
}

impl Verdict {
    /// Takes a label back whose side is doubtful.
    pub(super) fn doubt_sides(&mut self, is_doubtful: &[bool]) {
        if self.label.is_some_and(|label| is_doubtful[label]) {
            *self = Self { label: None, confidence: 0.0, reason: Reason::OtherLabelsFit };
        }
    }
}

/// Judges labels by the scores of the subject as learned from the recording, and as it was calibrated.
pub(super) fn judge(
    question: &Question,
    label_of: &[Option<usize>],
    learned: &Scores,
    calibrated: &Scores,
) -> Vec<Verdict> {
    let tracklets = question.tracklets;
    let is_labelled = question.given.iter().any(Option::is_some);
    let min_calibrated = if is_labelled { MIN_LABELLED_MARGIN } else { MIN_CALIBRATED_MARGIN };
    let brief = (BRIEF_S * question.rate_hz) as usize;
    let held = Held::all(tracklets, label_of, learned.labels());
    let mut rivals: Vec<usize> = Vec::new();
    let verdict = |(tracklet, label): (usize, &Option<usize>)| {
        let Some(label) = *label else {
            return Verdict { label: None, confidence: 0.0, reason: Reason::NoLabelFits };
        };
        let [(learned_margin, _), (calibrated_margin, rival)] =
            [learned, calibrated].map(|scores| margin(tracklets, &held, scores, tracklet, label));
        let is_brief = tracklets[tracklet].frames() < brief;
        let worth = if is_brief { WORTH_A_BRIEF_LABEL } else { WORTH_A_LABEL };
        let reason = if learned.at(tracklet, label) < worth
            || calibrated.at(tracklet, label) < MIN_CALIBRATED_SCORE
        {
            Reason::NoLabelFits
        } else if learned_margin < MIN_MARGIN || calibrated_margin < min_calibrated {
            Reason::OtherLabelsFit
        } else {
            Reason::NeighboursFit
        };
        if calibrated_margin < min_calibrated {
            let one = &tracklets[tracklet];
            let is_mostly_beside =
                |other: &usize| 2 * one.overlap(&tracklets[*other]) >= tracklets[*other].frames();
            rivals.extend(held[rival].beside(tracklets, one).filter(is_mostly_beside));
        }
        let is_said = reason == Reason::NeighboursFit;
        let confidence = 1.0 / (1.0 + (-2.0 * learned_margin).exp());
        Verdict {
            label: is_said.then_some(label),
            confidence: if is_said { confidence } else { 0.0 },
            reason,
        }
    };
    let mut verdicts: Vec<Verdict> = label_of.iter().enumerate().map(verdict).collect();
    // If one might have the place of another, neither is sure.
    for rival in rivals {
        verdicts[rival] = Verdict { label: None, confidence: 0.0, reason: Reason::OtherLabelsFit };
    }
    verdicts
}

/// How much worse it gets at least if a tracklet takes another label and gives its own to those that had that, and
/// which label that is.
fn margin(
    tracklets: &[Tracklet],
    held: &[Held],
    scores: &Scores,
    tracklet: usize,
    label: usize,
) -> (f64, usize) {
    let one = &tracklets[tracklet];
    let of_other = |other: usize| {
        let own = scores.at(tracklet, label) - scores.at(tracklet, other);
        let theirs = held[other].beside(tracklets, one).map(|holder| {
            let share = one.overlap(&tracklets[holder]) as f64 / one.frames() as f64;
            let after = scores.at(holder, label).max(WORTH_A_LABEL);
            share * (scores.at(holder, other) - after)
        });
        (own + theirs.sum::<f64>(), other)
    };
    let others = (0..scores.labels()).filter(|other| *other != label);
    others.map(of_other).fold((f64::INFINITY, label), |a, b| if b.0 < a.0 { b } else { a })
}
