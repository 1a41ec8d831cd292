//! The marker sets that are known by name: a table in TOML.

use std::sync::LazyLock;

use serde::Deserialize;

use super::table::MarkerSet;
use crate::tables;

/// What is known.
#[derive(Deserialize)]
pub(super) struct Sets {
    /// Every set that competes for the labels of a recording.
    pub(super) set: Vec<MarkerSet>,
    /// Words that mean the same wherever they are used.
    pub(super) general: MarkerSet,
}

/// The table.
pub(super) static SETS: LazyLock<Sets> = LazyLock::new(|| {
    let mut sets: Sets = match tables::read(include_str!("sets.toml")) {
        Ok(sets) => sets,
        Err(error) => unreachable!("the tests read it: {error}"),
    };
    for index in 0..sets.set.len() {
        let Some(name) = sets.set[index].beside.take() else { continue };
        let beside = sets.set.iter().find(|set| set.name == name);
        let beside = beside.map(|set| (set.extra.clone(), set.computed.clone()));
        (sets.set[index].extra, sets.set[index].computed) = beside.unwrap_or_default();
    }
    sets
});

/// Table 1 of Knight (2008), whose files name its markers.
pub(super) fn knight() -> &'static MarkerSet {
    SETS.set.iter().find(|set| set.name == "Knight 51").unwrap_or(&SETS.general)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::marker_set::body::Place;
    use crate::marker_set::label::{Side, fit};
    use crate::marker_set::table::entries;

    fn all() -> impl Iterator<Item = &'static MarkerSet> {
        SETS.set.iter().chain([&SETS.general])
    }

    #[test]
    fn every_part_of_every_table_exists_and_sides_agree() {
        for set in all() {
            for (part, entry) in entries(&set.core).chain(entries(&set.extra)) {
                let is_sided = part.starts_with("? ");
                let side = if is_sided { Side::Left } else { Side::Unsaid };
                assert!(Place::of(part, side).is_some(), "{}: {part}", set.name);
                let says_side = entry.split('/').all(|pattern| pattern.contains('?'));
                assert!(!is_sided || says_side, "{}: {part}: {entry} says no side", set.name);
                let is_spelled =
                    |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || "?#*/".contains(c);
                assert!(entry.chars().all(is_spelled), "{}: {entry}", set.name);
            }
        }
    }

    #[test]
    fn no_entry_hides_behind_an_earlier_one_of_another_part() {
        for set in all() {
            let rows: Vec<_> = entries(&set.core).chain(entries(&set.extra)).collect();
            for (index, (part, entry)) in rows.iter().enumerate() {
                for pattern in entry.split('/') {
                    let word = pattern.replace('?', "L").replace('#', "1").replace('*', "");
                    let first = rows.iter().position(|(_, other)| {
                        other.split('/').any(|other| fit(other, &word).is_some())
                    });
                    let first = first.unwrap();
                    assert!(
                        first == index || rows[first].0 == *part,
                        "{}: {pattern} of {part} is taken by {:?}",
                        set.name,
                        rows[first]
                    );
                }
            }
        }
    }

    #[test]
    fn the_sets_have_as_many_markers_as_their_makers_say() {
        for (name, markers) in [
            ("Plug-in Gait", 39),
            ("Plug-in Gait lower body", 16),
            ("Vicon 512", 41),
            ("Knight 51", 51),
            ("OptiTrack Baseline", 41),
            ("Qualisys Animation", 44),
        ] {
            let set = SETS.set.iter().find(|set| set.name == name).unwrap();
            assert_eq!(set.core_markers(), markers, "{name}");
        }
    }
}
