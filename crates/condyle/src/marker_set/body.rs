//! The human body as the marker sets know it: its parts, how they hang together, their joints.

use super::label::Side;
use super::outwards;
use super::tree::{self, Node};
use crate::order;
use crate::plan::{JointRule, PlannedSegment};
use crate::trial::split_prefix;

/// A part of the body.
pub(super) struct Part {
    /// Its name without a side.
    pub(super) name: &'static str,
    /// The part it hangs on.
    parent: Option<&'static str>,
    /// The joint between the two.
    joint: &'static str,
    /// Whether there is one on the left and one on the right.
    is_sided: bool,
    /// Whether most marker sets have no marker on it, so that its absence goes without saying.
    is_rare: bool,
}

const fn middle(name: &'static str, parent: &'static str, joint: &'static str) -> Part {
    Part { name, parent: Some(parent), joint, is_sided: false, is_rare: false }
}

const fn sided(name: &'static str, parent: &'static str, joint: &'static str) -> Part {
    Part { name, parent: Some(parent), joint, is_sided: true, is_rare: false }
}

const fn rare(part: Part) -> Part {
    Part { is_rare: true, ..part }
}

/// The parts, parents first.
pub(super) const PARTS: [Part; 16] = [
    Part { name: "pelvis", parent: None, joint: "", is_sided: false, is_rare: false },
    rare(middle("lower lumbar spine", "pelvis", "lumbosacral joint")),
    rare(middle("upper lumbar spine", "lower lumbar spine", "lower lumbar joint")),
    rare(middle("lower thorax", "upper lumbar spine", "upper lumbar joint")),
    middle("chest", "lower thorax", "waist"),
    rare(sided("clavicle", "chest", "sternoclavicular joint")),
    rare(sided("scapula", "clavicle", "shoulder girdle")),
    sided("upper arm", "scapula", "shoulder"),
    sided("forearm", "upper arm", "elbow"),
    sided("hand", "forearm", "wrist"),
    sided("thigh", "pelvis", "hip"),
    sided("shank", "thigh", "knee"),
    sided("foot", "shank", "ankle"),
    rare(sided("toes", "foot", "toe joint")),
    rare(middle("neck", "chest", "lower neck")),
    middle("head", "neck", "neck"),
];

/// A part of one side of the body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Place {
    part: usize,
    side: Side,
}

impl Place {
    /// The place that a table means: `pelvis`, `left thigh`, or `? thigh` with a side.
    pub(super) fn of(name: &str, side: Side) -> Option<Self> {
        let (side, name) = match name.split_once(' ') {
            Some(("?", name)) => (side, name),
            Some(("left", name)) => (Side::Left, name),
            Some(("right", name)) => (Side::Right, name),
            _ => (Side::Unsaid, name),
        };
        let part = outwards(name)?;
        (PARTS[part].is_sided || side == Side::Unsaid).then_some(Self { part, side })
    }

    /// The place that people call by one of many names: `Hips`, `Upper Right Leg`, `right thigh`.
    pub(super) fn called(name: &str) -> Option<Self> {
        let name = split_prefix(name).1;
        // Poses that programs export as matrices say so: `l_thigh_4X4`.
        let matrix = name.len().checked_sub(4).and_then(|at| name.get(at..));
        let is_matrix = matrix.is_some_and(|end| end.eq_ignore_ascii_case("_4X4"));
        let name = if is_matrix { &name[..name.len() - 4] } else { name };
        let name = spaced(name).to_lowercase();
        let mut side = Side::Unsaid;
        let mut words: Vec<&str> = name.split(|c: char| !c.is_alphanumeric()).collect();
        words.retain(|word| {
            match *word {
                "left" | "l" => side = Side::Left,
                "right" | "r" => side = Side::Right,
                word => return !word.is_empty(),
            }
            false
        });
        let part = match words.join(" ").as_str() {
            "hips" | "hip" | "waist" => "pelvis",
            "thorax" | "torso" | "trunk" => "chest",
            "arm" | "humerus" | "upperarm" => "upper arm",
            "lower arm" | "lowerarm" | "fore arm" => "forearm",
            "upper leg" | "upperleg" | "femur" => "thigh",
            "lower leg" | "lowerleg" | "shin" | "tibia" | "leg" => "shank",
            // As suits call them, by the vertebra.
            "l5" => "lower lumbar spine",
            "l3" => "upper lumbar spine",
            "t12" => "lower thorax",
            "t8" => "chest",
            "shoulder" => "clavicle",
            "toe" => "toes",
            other => return Self::of(&format!("? {other}"), side),
        };
        Self::of(&format!("? {part}"), side)
    }

    /// The part's name without a side, and the side.
    pub(super) fn part(self) -> (&'static str, Side) {
        (PARTS[self.part].name, self.side)
    }

    /// Whether the part exists on both sides.
    pub(super) fn is_limb(self) -> bool {
        PARTS[self.part].is_sided
    }

    /// Its name: `left thigh`.
    pub(super) fn name(self) -> String {
        self.with_side(PARTS[self.part].name)
    }

    fn with_side(self, name: &str) -> String {
        match self.side {
            Side::Left => format!("left {name}"),
            Side::Right => format!("right {name}"),
            Side::Unsaid => name.to_owned(),
        }
    }

    /// Every place, parents first.
    fn all() -> impl Iterator<Item = Self> {
        PARTS.iter().enumerate().flat_map(|(part, this)| {
            let sides: &[Side] = match this.is_sided {
                true => &[Side::Left, Side::Right, Side::Unsaid],
                false => &[Side::Unsaid],
            };
            sides.iter().map(move |&side| Self { part, side })
        })
    }

    fn parent(self) -> Option<Self> {
        let part = outwards(PARTS[self.part].parent?)?;
        let side = if PARTS[part].is_sided { self.side } else { Side::Unsaid };
        Some(Self { part, side })
    }
}

/// `RightUpperLeg` with spaces between its words.
fn spaced(name: &str) -> String {
    let mut spaced = String::with_capacity(name.len() + 4);
    let mut before = ' ';
    for letter in name.chars() {
        if before.is_lowercase() && letter.is_uppercase() {
            spaced.push(' ');
        }
        spaced.push(letter);
        before = letter;
    }
    spaced
}

/// The joint between two parts, whichever is the child, if nothing but rare parts is between them.
pub(super) fn joint_between(one: Place, other: Place) -> Option<String> {
    let down = |child: Place, parent: Place| {
        let mut above = child.parent()?;
        while above != parent && PARTS[above.part].is_rare {
            above = above.parent()?;
        }
        (above == parent).then(|| child.with_side(PARTS[child.part].joint))
    };
    down(one, other).or_else(|| down(other, one))
}

/// For every place the nearest of the others that it hangs on, over those that are not there.
pub(super) fn parents(places: &[Place]) -> Vec<Option<usize>> {
    let parent_of = |place: &Place| {
        let mut above = place.parent();
        while let Some(next) = above {
            if let Some(at) = places.iter().position(|place| *place == next) {
                return Some(at);
            }
            above = next.parent();
        }
        None
    };
    places.iter().map(parent_of).collect()
}

/// The markers on a part, under the name it shall have.
pub(super) struct Covered {
    pub(super) place: Place,
    pub(super) name: String,
    pub(super) markers: Vec<usize>,
}

/// The segments of a body, parents first.
///
/// A part without a marker is left out, and what hangs on it hangs on the next part that has one;
/// their joint then carries the names of all joints between them.
///
/// The root is the first that has so many markers, if any has.
pub(super) fn segments(covered: Vec<Covered>, least_of_root: usize) -> Vec<PlannedSegment> {
    let places: Vec<Place> = Place::all().collect();
    let mut nodes: Vec<Node> = places
        .iter()
        .map(|place| Node {
            name: place.name(),
            parent: place.parent().and_then(|parent| places.iter().position(|p| *p == parent)),
            joint: Some(place.with_side(PARTS[place.part].joint)),
            rule: JointRule::Auto,
            markers: Vec::new(),
            is_silent: PARTS[place.part].is_rare,
        })
        .collect();
    for part in covered {
        if let Some(index) = places.iter().position(|place| *place == part.place) {
            nodes[index].name = part.name;
            nodes[index].markers.extend(part.markers);
        }
    }
    let rank = |index: &usize| {
        let name = PARTS[places[*index].part].name;
        ROOTS.iter().position(|root| *root == name).unwrap_or(ROOTS.len())
    };
    let mut order: Vec<usize> = (0..nodes.len()).collect();
    order::by_key(&mut order, rank);
    let with = |least: usize| {
        let nodes = &nodes;
        order.iter().copied().filter(move |index| nodes[*index].markers.len() >= least)
    };
    tree::segments(&nodes, with(least_of_root).chain(with(1)))
}

/// A root's pose must come from its own markers alone, which takes three (Knight 2008, 5.5.1).
pub(super) const MARKERS_OF_A_ROOT: usize = 3;

/// What is made the root, the first that has enough markers; other parts only if none of these has.
const ROOTS: [&str; 7] =
    ["pelvis", "chest", "lower thorax", "upper lumbar spine", "thigh", "scapula", "head"];

#[cfg(test)]
mod tests {
    use super::*;

    fn planned(parts: &[(&str, usize)]) -> Vec<(String, Option<String>, Option<String>)> {
        let mut next = 0;
        let covered = parts.iter().map(|(name, count)| {
            let markers = (next..next + count).collect();
            next += count;
            let place = Place::of(name, Side::Unsaid).unwrap();
            Covered { place, name: place.name(), markers }
        });
        let segments = segments(covered.collect(), MARKERS_OF_A_ROOT);
        let parent = |index: usize| segments[index].name.clone();
        let row = |s: &PlannedSegment| (s.name.clone(), s.parent.map(parent), s.joint_name.clone());
        segments.iter().map(row).collect()
    }

    fn row(name: &str, parent: &str, joint: &str) -> (String, Option<String>, Option<String>) {
        let text = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        (name.to_owned(), text(parent), text(joint))
    }

    #[test]
    fn every_parent_is_a_part_that_comes_first() {
        for (index, part) in PARTS.iter().enumerate().skip(1) {
            assert!(PARTS[..index].iter().any(|p| Some(p.name) == part.parent), "{}", part.name);
        }
    }

    #[test]
    fn children_of_a_missing_part_hang_on_its_parent_by_all_the_joints_between() {
        let parts = [("pelvis", 4), ("left thigh", 1), ("left foot", 2), ("head", 4)];
        assert_eq!(
            planned(&parts),
            [
                row("pelvis", "", ""),
                row("head", "pelvis", "waist + neck"),
                row("left thigh", "pelvis", "left hip"),
                row("left foot", "left thigh", "left knee + left ankle"),
            ]
        );
    }

    #[test]
    fn the_shoulder_is_between_chest_and_arm_unless_the_scapula_has_markers() {
        let rows = planned(&[("chest", 4), ("left upper arm", 2)]);
        assert_eq!(rows[1], row("left upper arm", "chest", "left shoulder"));
        let rows = planned(&[("chest", 4), ("left scapula", 3), ("left upper arm", 2)]);
        assert_eq!(rows[1], row("left scapula", "chest", "left shoulder girdle"));
        assert_eq!(rows[2], row("left upper arm", "left scapula", "left shoulder"));
    }

    #[test]
    fn a_root_needs_three_markers_if_any_part_has_them() {
        let rows = planned(&[("pelvis", 2), ("left thigh", 2), ("right thigh", 3), ("chest", 1)]);
        assert_eq!(rows[0], row("right thigh", "", ""));
        assert_eq!(rows[1], row("pelvis", "right thigh", "right hip"));
        assert!(rows.contains(&row("chest", "pelvis", "waist")));
        assert_eq!(planned(&[("pelvis", 1), ("left thigh", 2)])[0].0, "pelvis");
        assert_eq!(planned(&[("pelvis", 2), ("left hand", 3), ("head", 3)])[0].0, "head");
    }

    #[test]
    fn two_legs_without_a_pelvis_are_one_tree() {
        let rows = planned(&[("left thigh", 3), ("right thigh", 3)]);
        assert_eq!(rows[1], row("right thigh", "left thigh", "left hip + right hip"));
    }

    #[test]
    fn knows_parts_by_the_names_people_give_them() {
        let name = |called: &str| Place::called(called).map(Place::name);
        for (called, ours) in [
            ("Hips", "pelvis"),
            ("Upper Right Leg", "right thigh"),
            ("Lower Left Arm", "left forearm"),
            ("Right Hand", "right hand"),
            ("left_foot", "left foot"),
            ("Chest", "chest"),
            ("l_thigh_4X4", "left thigh"),
            ("pelvis_4x4", "pelvis"),
        ] {
            assert_eq!(name(called).as_deref(), Some(ours));
        }
        assert_eq!(name("Tail"), None);
        assert_eq!(name("left pelvis"), None);
        assert_eq!(name(""), None);
    }
}
