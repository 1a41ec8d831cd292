//! Whether a recording shows the subject at all: distances that do not change within it must be those of the subject.

use super::body_shape::BodyShape;
use crate::order;
use crate::statistics;

/// Pairs are rigid in the recording if their distance varies by less than this,
const RIGID_SD_M: f64 = 0.005;
/// and are no further apart.
const NEAR_M: f64 = 0.3;
/// If fewer are, those that vary least count.
const MIN_PAIRS: usize = 4;
/// Half of the rigid distances may differ from the subject's by this much. The same subjects have 0 to 7 mm in 20
/// recordings, other people 18 to 36 in four, a static trial with other placements 16 to 19.
const MAX_CHANGE_M: f64 = 0.010;

/// How well a recording agrees with the subject that its labels are from.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Agreement {
    /// Pairs of labels that keep their distance in the recording.
    pub rigid_pairs: usize,
    /// By how much their distances differ from the subject's: median; nothing if hardly
    /// anything could be named.
    pub change_m: Option<f64>,
}

impl Agreement {
    /// Compares what was found in a recording with the subject.
    pub(super) fn new(found: &BodyShape, subject: &BodyShape) -> Self {
        let mut pairs = Vec::new();
        for i in 0..found.labels {
            for j in 0..i {
                if let (Some(here), Some(there)) = (found.distance(i, j), subject.distance(i, j)) {
                    let is_rigid =
                        here.mean_m < NEAR_M && here.variance_m2 < RIGID_SD_M * RIGID_SD_M;
                    let change_m = (here.mean_m - there.mean_m).abs();
                    pairs.push((!is_rigid, here.variance_m2, change_m));
                }
            }
        }
        // Few markers on skin that moves: those that change least.
        order::by(&mut pairs, |a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let rigid_pairs = pairs.iter().filter(|(is_soft, ..)| !is_soft).count();
        pairs.truncate(rigid_pairs.max(MIN_PAIRS));
        let change_m = match pairs.len() < MIN_PAIRS {
            true => None,
            false => statistics::median(pairs.iter().map(|(.., change_m)| *change_m)),
        };
        Self { rigid_pairs, change_m }
    }

    /// Whether it is the subject, with its markers where they were.
    pub fn is_same_subject(&self) -> bool {
        self.change_m.is_some_and(|change_m| change_m <= MAX_CHANGE_M)
    }
}
