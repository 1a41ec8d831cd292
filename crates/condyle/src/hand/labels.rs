//! Which labels of a recording are of a hand: the usual names of markers on backs of hands and on fingers.

use super::model::Side;
use crate::error::{Error, Result};

/// The fingers in the order of the standard model.
pub const FINGERS: [&str; 5] = ["index", "middle", "ring", "little", "thumb"];

/// What people call fingers, in small letters; the longer first.
const WORDS: [(&str, usize); 22] = [
    ("index", 0),
    ("pointer", 0),
    ("forefinger", 0),
    ("idx", 0),
    ("ind", 0),
    ("middle", 1),
    ("mid", 1),
    ("mdl", 1),
    ("ring", 2),
    ("rng", 2),
    ("rin", 2),
    ("little", 3),
    ("pinky", 3),
    ("pinkie", 3),
    ("small", 3),
    ("lit", 3),
    ("pnk", 3),
    ("pky", 3),
    ("thumb", 4),
    ("thmb", 4),
    ("thm", 4),
    ("thb", 4),
];
/// Words that say the tip, and words of what is on the back of the hand;
const TIPS: [&str; 6] = ["tip", "end", "nail", "distal", "ft", "fingertip"];
/// Those at the wrist only where there are too few of the others.
const BACKS: [&str; 11] =
    ["hand", "palm", "hnd", "knuckle", "dorsum", "metacarpal", "wrist", "iwr", "owr", "wra", "wrb"];
const AT_WRIST: usize = 6;

/// The markers of a hand among the labels of a recording, by their places there.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Found {
    /// Which hand the names say it is.
    pub side: Option<Side>,
    /// On the back of the hand.
    pub palm: Vec<usize>,
    /// The tip of each finger of [`FINGERS`].
    pub tips: [Option<usize>; 5],
    /// Further markers on each.
    pub on_fingers: [Vec<usize>; 5],
}

/// What a label says.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Said {
    side: Option<Side>,
    finger: Option<usize>,
    is_tip: bool,
    is_back: bool,
    is_wrist: bool,
    number: Option<u32>,
}

impl Found {
    /// Finds the markers of a hand by their names; of two hands that of the side asked for.
    ///
    /// # Errors
    /// Fewer than three markers on the back of the hand, or no tip.
    pub fn by_names(labels: &[&str], side: Option<Side>) -> Result<Self> {
        let said: Vec<Said> = labels.iter().map(|label| read(label)).collect();
        let fingers = || said.iter().filter(|said| said.finger.is_some());
        let of = |wanted: Side| fingers().filter(|said| said.side == Some(wanted)).count();
        let named = match (of(Side::Left), of(Side::Right)) {
            (0, 0) => None,
            (left, right) if left > right => Some(Side::Left),
            _ => Some(Side::Right),
        };
        let both = of(Side::Left) > 0 && of(Side::Right) > 0;
        let wanted = side.or(named);
        let is_own = |said: &Said| !both || said.side.is_none() || said.side == wanted;
        let mut found = Self { side: named, ..Self::default() };
        for finger in 0..FINGERS.len() {
            let own =
                said.iter().enumerate().filter(|(_, s)| s.finger == Some(finger) && is_own(s));
            let mut own: Vec<(usize, Said)> = own.map(|(index, said)| (index, *said)).collect();
            // The tip by its name, or else the last in number, or the only one.
            own.sort_by_key(|(_, said)| (said.is_tip, said.number));
            if let Some((tip, said)) = own.pop() {
                let is_alone = own.is_empty();
                if said.is_tip || said.number.is_some() || is_alone {
                    found.tips[finger] = Some(tip);
                } else {
                    own.push((tip, said));
                }
            }
            found.on_fingers[finger] = own.into_iter().map(|(index, _)| index).collect();
        }
        let backs = said.iter().enumerate().filter(|(_, s)| s.is_back && s.finger.is_none());
        let backs: Vec<(usize, Said)> = backs.map(|(index, said)| (index, *said)).collect();
        let of_side = || backs.iter().filter(|(_, said)| is_own(said));
        found.palm = of_side().filter(|(_, s)| !s.is_wrist).map(|(index, _)| *index).collect();
        if found.palm.len() < 3 {
            found.palm = of_side().map(|(index, _)| *index).collect();
        }
        if found.palm.len() < 3 {
            // The letters of the document.
            let at =
                |name: &str| labels.iter().position(|label| bare(label).eq_ignore_ascii_case(name));
            if let (Some(r), Some(p), Some(q)) = (at("r"), at("p"), at("q")) {
                found.palm = vec![r, p, q];
            }
        }
        found.check()?;
        Ok(found)
    }

    /// The markers by their labels: three on the back, then thumb, index, middle, ring and little tip.
    ///
    /// # Errors
    /// Not eight labels, or one that is not there or said twice.
    pub fn by_list(labels: &[&str], list: &[String]) -> Result<Self> {
        if list.len() != 8 {
            return Err(Error::argument(format!(
                "markers: need 8 labels (three on the back, tips of thumb, index, middle, ring, little), got {}",
                list.len()
            )));
        }
        let mut columns = Vec::with_capacity(8);
        for name in list {
            let exact = labels.iter().position(|label| label == name);
            let column =
                exact.or_else(|| labels.iter().position(|label| bare(label) == name.as_str()));
            match column {
                Some(column) if columns.contains(&column) => {
                    return Err(Error::argument(format!("markers: '{name}' is said twice")));
                }
                Some(column) => columns.push(column),
                None => {
                    return Err(Error::argument(format!(
                        "markers: need labels of the recording, got '{name}'"
                    )));
                }
            }
        }
        let tip = |at: usize| Some(columns[at]);
        Ok(Self {
            side: None,
            palm: columns[..3].to_vec(),
            tips: [tip(4), tip(5), tip(6), tip(7), tip(3)],
            on_fingers: Default::default(),
        })
    }

    fn check(&self) -> Result<()> {
        let tips = self.tips.iter().flatten().count();
        if self.palm.len() < 3 || tips == 0 {
            return Err(Error::undetermined(format!(
                "hand: need three markers on its back and tips of fingers by their names, found {} and {tips}: say which they are",
                self.palm.len()
            ))
            .with_code("no-hand"));
        }
        Ok(())
    }

    /// The labels that were found, for reports.
    pub fn columns(&self) -> impl Iterator<Item = usize> + '_ {
        let tips = self.tips.iter().flatten().copied();
        self.palm.iter().copied().chain(tips).chain(self.on_fingers.iter().flatten().copied())
    }
}

/// The label without the name of a subject.
fn bare(label: &str) -> &str {
    label.rsplit(':').next().unwrap_or(label)
}

/// Takes a label apart: words between signs, digits and changes of case.
fn read(label: &str) -> Said {
    let words = words(bare(label));
    let mut said =
        Said { number: words.iter().rev().find_map(|word| word.parse().ok()), ..Said::default() };
    for (place, word) in words.iter().enumerate() {
        match word.as_str() {
            "right" | "r" if said.side.is_none() => said.side = Some(Side::Right),
            "left" | "l" if said.side.is_none() => said.side = Some(Side::Left),
            _ => {}
        }
        let known =
            |word: &str| WORDS.iter().find(|(name, _)| *name == word).map(|(_, finger)| *finger);
        // RTHM: the side is the first letter of the first word.
        let sided = word
            .get(1..)
            .filter(|rest| place == 0 && known(rest).is_some() || BACKS.contains(rest));
        let side = match (sided, word.chars().next()) {
            (Some(_), Some('r')) => Some(Side::Right),
            (Some(_), Some('l')) => Some(Side::Left),
            _ => None,
        };
        let is_plain = known(word).is_some() || BACKS.contains(&word.as_str());
        let core = if side.is_some() && !is_plain { word.get(1..).unwrap_or("") } else { word };
        if side.is_some() && !is_plain {
            said.side = side;
        }
        match known(core) {
            // The first finger is meant: of `ring_middle` the second says where on it.
            Some(finger) if said.finger.is_none() => said.finger = Some(finger),
            _ => {}
        }
        said.is_tip |= TIPS.contains(&core);
        said.is_back |= BACKS.contains(&core);
        said.is_wrist |= BACKS[AT_WRIST..].contains(&core);
    }
    said
}

fn words(label: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut last = ' ';
    for c in label.chars() {
        let is_new = !c.is_alphanumeric()
            || (c.is_numeric() != last.is_numeric())
            || (c.is_uppercase() && last.is_lowercase())
            || !last.is_alphanumeric();
        if c.is_alphanumeric() {
            if is_new || words.is_empty() {
                words.push(String::new());
            }
            if let Some(word) = words.last_mut() {
                word.extend(c.to_lowercase());
            }
        }
        last = c;
    }
    words
}
