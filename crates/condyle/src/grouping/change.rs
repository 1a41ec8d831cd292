//! Changes to a partition: some groups go, others take their place.

use super::cost::Cost;

/// Groups that would be replaced, and by what.
pub(super) struct Change {
    /// How much shorter the description gets.
    pub gain: f64,
    gone: Vec<usize>,
    new: Vec<Vec<u16>>,
}

/// Gains below this are rounding.
const LEAST_GAIN: f64 = 1e-9;

/// The best change seen so far.
pub(super) struct Best<'a> {
    groups: &'a [Vec<u16>],
    change: Option<Change>,
}

impl<'a> Best<'a> {
    pub fn new(groups: &'a [Vec<u16>]) -> Self {
        Self { groups, change: None }
    }

    /// Keeps a change if it gains more than the best so far.
    pub fn consider(&mut self, cost: &mut Cost, gone: &[usize], new: &[&[u16]]) {
        let before: f64 = gone.iter().map(|group| cost.of(&self.groups[*group])).sum();
        let after: f64 = new.iter().map(|set| cost.of(set)).sum();
        let gain = before - after;
        if gain > self.change.as_ref().map_or(LEAST_GAIN, |best| best.gain) {
            let new = new.iter().filter(|set| !set.is_empty()).map(|set| set.to_vec()).collect();
            self.change = Some(Change { gain, gone: gone.to_vec(), new });
        }
    }

    /// The best change, if any gains.
    pub fn into_change(self) -> Option<Change> {
        self.change
    }
}

impl Change {
    /// Makes the change.
    pub fn apply(self, groups: &mut Vec<Vec<u16>>) {
        let mut index = 0;
        groups.retain(|_| {
            index += 1;
            !self.gone.contains(&(index - 1))
        });
        groups.extend(self.new);
    }
}

/// Makes the best change again and again until none gains, or for `most` rounds.
pub(super) fn improve(
    groups: &mut Vec<Vec<u16>>,
    most: usize,
    mut best: impl FnMut(&[Vec<u16>]) -> Option<Change>,
) {
    for _ in 0..most {
        let Some(change) = best(groups) else { return };
        change.apply(groups);
    }
}
