//! The two words for a joint, with a memory.

use std::collections::HashMap;

use crate::subject::{CentreKnown, Joint, JointKind, Subject};

/// What a joint of a stream is, and how well its centre is known.
///
/// Words are said when three calibrations in a row, each of at least two seconds of motion, agree; until then they
/// are `None`. The number is that of the last calibration.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Certainty {
    /// What it is, as far as its motion shows.
    pub kind: Option<JointKind>,
    /// How well its centre is known.
    pub centre_known: Option<CentreKnown>,
    /// The standard error of the centre along its worst direction.
    pub worst_sd_m: f64,
}

impl Certainty {
    /// Without a memory: of a subject that was fitted before.
    pub(super) fn of(joint: &Joint) -> Self {
        let (kind, centre_known) = (Some(joint.kind), Some(joint.centre_known()));
        Self { kind, centre_known, worst_sd_m: joint.worst_sd_m() }
    }
}

/// A word changes when so many calibrations in a row agree: over these a stream grows to nearly twice its length.
const CALIBRATIONS: usize = 3;
/// A standard error beyond the limit of a word by less than this does not speak against it.
const MARGIN: f64 = 1.5;
/// Calibrations from less motion are not heard.
const MIN_S: f64 = 2.0;
/// The same where the rate is not known.
const MIN_FRAMES: f64 = 200.0;

/// What was said of the joints of a stream before.
///
/// # Method
/// Every joint begins as one that has not moved and whose centre is barely known. A word changes when the last
/// [`CALIBRATIONS`] agree that it should: to a better one if all say at least that, to a worse one if none says more.
/// A standard error speaks against a word only from [`MARGIN`] times its limit on.
///
/// Both are needed. A standard error from ν independent poses is itself known to a share of 1/√(2ν); some seconds of
/// motion hold about ten, so that 1.5 is two standard deviations of it, and a calibration that is slightly worse than
/// the one before changes nothing. And calibrations from the first two seconds ([`MIN_S`]) are overconfident: skin
/// that has not been seen to move looks like bone. In a simulated walk with 8 mm of skin motion, fitted from motion
/// alone, a hip is claimed to be known to 6 mm after half a second and is 21 mm off. What is really lost, as when a
/// marker slips, is taken back after as much motion as there was before.
#[derive(Debug, Clone)]
pub(super) struct Memory {
    min_frames: usize,
    joints: HashMap<Key, Held>,
}

/// A joint, and the markers of its child: groups that are found by motion may change places under one name.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Key {
    performer: String,
    joint: String,
    markers: Vec<String>,
}

#[derive(Debug, Clone, Copy)]
struct Held {
    /// The axes that it turned about: none, one, two or more.
    axes: Word<u8>,
    centre_known: Word<CentreKnown>,
}

/// A word, and what the last calibrations had in its place: what they say, and the best that they do not exclude.
#[derive(Debug, Clone, Copy)]
struct Word<T> {
    said: T,
    heard: usize,
    last: [(T, T); CALIBRATIONS],
}

impl<T: Copy + Ord> Word<T> {
    fn new(said: T) -> Self {
        Self { said, heard: 0, last: [(said, said); CALIBRATIONS] }
    }

    fn hear(&mut self, now: T, at_best: T) -> T {
        self.last[self.heard % CALIBRATIONS] = (now, at_best);
        self.heard += 1;
        if self.heard >= CALIBRATIONS {
            let at_least = self.last.iter().map(|last| last.0).min();
            let at_most = self.last.iter().map(|last| last.1).max();
            // At most one of the two moves it, as no calibration excludes what it says.
            self.said = at_least.map_or(self.said, |word| word.max(self.said));
            self.said = at_most.map_or(self.said, |word| word.min(self.said));
        }
        self.said
    }
}

impl Memory {
    /// Nothing was said of a stream at this rate.
    pub(super) fn new(rate_hz: f64) -> Self {
        let min_frames = if rate_hz > 0.0 { MIN_S * rate_hz } else { MIN_FRAMES };
        Self { min_frames: min_frames.ceil() as usize, joints: HashMap::new() }
    }

    /// The words for every joint of a new calibration, from so many frames, in the subject's order.
    pub(super) fn hear(&mut self, subject: &Subject, frames: usize) -> Vec<Certainty> {
        let is_heard = frames >= self.min_frames;
        let hear = |joint| self.hear_joint(subject, joint, is_heard);
        subject.joints.iter().map(hear).collect()
    }

    fn hear_joint(&mut self, subject: &Subject, joint: &Joint, is_heard: bool) -> Certainty {
        let markers = subject.segments.get(joint.child).map_or(&[][..], |child| &child.markers);
        let key = Key {
            performer: subject.name.clone(),
            joint: joint.name.clone(),
            markers: markers.iter().map(|marker| marker.label.clone()).collect(),
        };
        let worst_sd_m = joint.worst_sd_m();
        let held = self.joints.entry(key).or_insert_with(|| Held {
            axes: Word::new(0),
            centre_known: Word::new(CentreKnown::Barely),
        });
        if is_heard {
            let axes = axes(joint.kind);
            held.axes.hear(axes, axes);
            let at_best = CentreKnown::from_sd_m(worst_sd_m / MARGIN);
            held.centre_known.hear(joint.centre_known(), at_best.max(joint.centre_known()));
        }
        let is_said = held.axes.heard >= CALIBRATIONS;
        let kind = is_said.then(|| kind(held.axes.said));
        let centre_known = is_said.then_some(held.centre_known.said);
        Certainty { kind, centre_known, worst_sd_m }
    }
}

/// How many axes a joint of a kind turned about at least.
fn axes(kind: JointKind) -> u8 {
    match kind {
        JointKind::Fixed => 0,
        JointKind::Hinge => 1,
        JointKind::Ball => 2,
    }
}

fn kind(axes: u8) -> JointKind {
    match axes {
        0 => JointKind::Fixed,
        1 => JointKind::Hinge,
        _ => JointKind::Ball,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use CentreKnown::{Barely, Fairly, Well};

    /// What is said as calibrations come with these standard errors, in millimetres.
    fn said(sds_mm: &[f64]) -> Vec<CentreKnown> {
        let mut word = Word::new(Barely);
        let hear = |sd_mm: &f64| {
            let [now, at_best] = [1.0, MARGIN].map(|by| CentreKnown::from_sd_m(sd_mm * 1e-3 / by));
            word.hear(now, at_best)
        };
        sds_mm.iter().map(hear).collect()
    }

    #[test]
    fn a_centre_is_said_to_be_known_when_three_calibrations_agree() {
        let words = said(&[24.0, 9.0, 60.0, 9.0, 20.0, 9.0, 9.0, 9.0]);
        assert_eq!(words, [Barely, Barely, Barely, Barely, Barely, Fairly, Fairly, Well]);
    }

    #[test]
    fn a_centre_on_the_edge_of_a_word_does_not_flicker() {
        let words = said(&[9.0, 9.0, 9.0, 12.0, 9.5, 11.0, 14.0, 14.0, 14.0, 14.0]);
        assert_eq!(words[2..], [Well; 8]);
        // Beyond the margin, but not in a row.
        let words = said(&[9.0, 9.0, 9.0, 40.0, 40.0, 12.0, 40.0, 40.0, 9.0]);
        assert_eq!(words[2..], [Well; 7]);
    }

    #[test]
    fn what_is_lost_for_long_is_taken_back() {
        let words = said(&[9.0, 9.0, 9.0, 16.0, 17.0, 18.0, 60.0, 60.0, 60.0]);
        assert_eq!(words[2..], [Well, Well, Well, Fairly, Fairly, Fairly, Barely]);
    }
}
