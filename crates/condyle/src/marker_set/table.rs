//! What a marker set is: patterns of labels for every part of the body.

use serde::Deserialize;

use super::body::Place;
use super::label::{self, Side};

/// A marker set that is known by name.
///
/// Tables are written in the normal spelling of [`label::normal`]. An entry is a pattern, or
/// several with `/` between them that mean the same marker.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MarkerSet {
    /// What people call it.
    pub(super) name: String,
    /// The markers that make the set, part by part.
    pub(super) core: Vec<(String, String)>,
    /// Markers that are often worn with it but say nothing about which set it is.
    #[serde(default)]
    pub(super) extra: Vec<(String, String)>,
    /// Points that a model added, and no markers.
    #[serde(default)]
    pub(super) computed: String,
    /// Whether a label that occurs again is a point that a model added.
    #[serde(default)]
    pub(super) repeats_are_computed: bool,
    /// The set whose extra markers and computed points are those of this one as well.
    pub(super) beside: Option<String>,
}

/// What a set says of one label.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Claim {
    /// The marker sits there; which entry of the core says so, if one does.
    On(Place, Option<(usize, Side)>),
    /// A point that a model computed.
    Computed,
}

impl Claim {
    /// The part, if it is one.
    pub(super) fn place(self) -> Option<Place> {
        match self {
            Self::On(place, _) => Some(place),
            Self::Computed => None,
        }
    }
}

impl MarkerSet {
    /// What the set says of a label in normal spelling.
    pub(super) fn claim(&self, word: &str) -> Option<Claim> {
        if self.computed.split_whitespace().any(|pattern| label::fit(pattern, word).is_some()) {
            return Some(Claim::Computed);
        }
        let core = entries(&self.core).enumerate().map(|(index, entry)| (Some(index), entry));
        let extra = entries(&self.extra).map(|entry| (None, entry));
        core.chain(extra).find_map(|(index, (part, entry))| {
            let side = entry.split('/').find_map(|pattern| label::fit(pattern, word))?;
            Some(Claim::On(Place::of(part, side)?, index.map(|index| (index, side))))
        })
    }

    /// As [`MarkerSet::claim`] for a label that may leave its side out, core only.
    pub(super) fn claim_unsided(&self, word: &str) -> Option<Place> {
        entries(&self.core).find_map(|(part, entry)| {
            let is_fit = |pattern: &str| label::fit_unsided(pattern, word).is_some();
            entry.split('/').any(is_fit).then(|| Place::of(part, Side::Unsaid))?
        })
    }

    /// How many markers the core has, left and right counted apart, clusters as one.
    pub(super) fn core_markers(&self) -> usize {
        let is_sided = |entry: &str| entry.split('/').next().is_some_and(|p| p.contains('?'));
        entries(&self.core).map(|(_, entry)| if is_sided(entry) { 2 } else { 1 }).sum()
    }

    /// The first spelling of the entry of the core that a label fits, with its side.
    pub(super) fn first_spelling(&self, word: &str) -> Option<String> {
        let Some(Claim::On(_, Some((index, side)))) = self.claim(word) else { return None };
        let (_, entry) = entries(&self.core).nth(index)?;
        Some(entry.split('/').next()?.replace('?', side.letter()))
    }
}

/// The part and the patterns of every entry of a table, in its order.
pub(super) fn entries(table: &[(String, String)]) -> impl Iterator<Item = (&str, &str)> {
    table
        .iter()
        .flat_map(|(part, row)| row.split_whitespace().map(move |entry| (part.as_str(), entry)))
}
