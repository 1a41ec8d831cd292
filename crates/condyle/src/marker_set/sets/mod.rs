//! The marker sets that are known by name.

mod anatomical;
mod animation;
mod clinical;
mod clusters;
mod landmarks;
mod vicon;

pub(super) use anatomical::ANATOMICAL;
pub(super) use vicon::KNIGHT;

use super::table::MarkerSet;

/// Every set that competes for the labels of a recording.
pub(super) const SETS: [&MarkerSet; 28] = [
    &vicon::PLUG_IN_GAIT,
    &vicon::PLUG_IN_GAIT_LOWER,
    &vicon::VICON_512,
    &vicon::CGM2,
    &KNIGHT,
    &vicon::CLINICAL_MANAGER,
    &clinical::HELEN_HAYES,
    &clinical::HELEN_HAYES_HIPS,
    &clinical::DAVIS,
    &clinical::CODAMOTION,
    &clinical::SPRINT,
    &clinical::FRENCH_INITIALS,
    &clusters::CAST,
    &clusters::SHORT_CLUSTERS,
    &clusters::OPENSIM_CLUSTERS,
    &clusters::OPENSIM_GAIT,
    &clusters::RAJAGOPAL,
    &animation::OPTITRACK_BASELINE,
    &animation::OPTITRACK_ARENA,
    &animation::QUALISYS_ANIMATION,
    &animation::ART_HUMAN,
    &animation::POSE_KEYPOINTS,
    &landmarks::ISB,
    &landmarks::DE_LEVA,
    &landmarks::RIZZOLI,
    &landmarks::FRENCH,
    &landmarks::UPPER_LIMB,
    &landmarks::WHEELCHAIR,
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::marker_set::body::Place;
    use crate::marker_set::label::{Side, fit};
    use crate::marker_set::table::entries;

    fn all() -> impl Iterator<Item = &'static MarkerSet> {
        SETS.into_iter().chain([&ANATOMICAL])
    }

    #[test]
    fn every_part_of_every_table_exists_and_sides_agree() {
        for set in all() {
            for (part, entry) in entries(set.core).chain(entries(set.extra)) {
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
            let rows: Vec<_> = entries(set.core).chain(entries(set.extra)).collect();
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
            let set = SETS.into_iter().find(|set| set.name == name).unwrap();
            assert_eq!(set.core_markers(), markers, "{name}");
        }
    }
}
