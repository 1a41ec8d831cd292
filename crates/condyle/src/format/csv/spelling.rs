//! Other spellings of bodies: `Tracker1.position.x`, `T1_px`, `S1_az`, brought to those of the plain layout.
//!
//! | columns | become |
//! |---|---|
//! | `NAME_px`, `NAME_tx`, `NAME_posX`, `NAME.position.x`, `NAME/pos/x`, `NAME p x` | `NAME_x` |
//! | `NAME.rotation.w`, `NAME_quat_w`, `NAME_rotW`, `NAME/orientation/w`, `NAME_q_w` | `NAME_qw` |
//! | `NAME_az`, `NAME_el`, `NAME_roll`: R = Rz(az) Ry(el) Rx(roll) | `NAME_ezyx1` … `NAME_ezyx3` |
//!
//! Only whole rotations count: three columns `NAME.rotation.x`, `.y`, `.z` are angles in an order that
//! nobody states. They stay numbers, and are never the place of a marker.

use std::collections::HashMap;

/// What may stand between the words of a name.
pub(super) const SEPARATORS: [char; 5] = ['_', '.', ':', '/', ' '];

const POSITION_WORDS: [&str; 6] = ["position", "pos", "translation", "trans", "location", "loc"];
/// Words for a position only beside a rotation: alone they may be part of a marker's name.
const POSITION_LETTERS: [&str; 2] = ["p", "t"];
const ROTATION_WORDS: [&str; 7] =
    ["rotation", "rot", "orientation", "ori", "quaternion", "quat", "q"];
const AXES: [&str; 4] = ["x", "y", "z", "w"];
const PLACES: [&str; 3] = ["x", "y", "z"];
const QUATERNION: [&str; 4] = ["qx", "qy", "qz", "qw"];
const ANGLES: [&str; 3] = ["ezyx1", "ezyx2", "ezyx3"];
const ANGLE_WORDS: [[&str; 3]; 2] = [["az", "el", "roll"], ["azimuth", "elevation", "roll"]];

/// How a cell spells its component.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Spelling {
    /// As the plain layout has it.
    Plain,
    /// A position by a whole word, or a letter joined to the axis: `pos x`, `px`.
    Place,
    /// A position by a letter apart: `p x`.
    PlaceLetter,
    /// A part of a quaternion, perhaps; in two words it could be mistaken for a marker.
    Turn {
        is_apart: bool,
    },
    Angle,
}

/// A cell taken apart.
struct Part<'a> {
    name: Option<&'a str>,
    /// The component in the plain layout.
    component: &'static str,
    spelling: Spelling,
    /// The unit with what sets it off: ` [mm]`.
    unit: &'a str,
}

/// A header in the spelling of the plain layout.
#[derive(Debug, PartialEq)]
pub(super) struct Respelled {
    pub cells: Vec<String>,
    /// The columns of rotations whose convention nobody states; they are spelled as channels.
    pub unstated: Vec<usize>,
}

/// The same header in plain spelling.
///
/// What Condyle writes begins with `frame,time_s` and may hold any label, so there only bodies with a
/// whole rotation are respelled.
pub(super) fn respelled(cells: &[String]) -> Respelled {
    let is_ours = cells.first().is_some_and(|cell| cell == "frame")
        && cells.get(1).is_some_and(|cell| cell == "time_s");
    let parts: Vec<Option<Part>> = cells.iter().map(|cell| part(cell)).collect();
    let mut groups: HashMap<Option<&str>, Vec<&Part>> = HashMap::new();
    for part in parts.iter().flatten() {
        groups.entry(part.name).or_default().push(part);
    }
    let mut respelled = Respelled { cells: cells.to_vec(), unstated: Vec::new() };
    for (at, part) in parts.iter().enumerate() {
        let Some(part) = part.as_ref().filter(|part| part.spelling != Spelling::Plain) else {
            continue;
        };
        let group = Group(&groups[&part.name]);
        let takes_part = match part.spelling {
            Spelling::Plain => false,
            Spelling::Place if !is_ours && part.name.is_some() => group.once(&PLACES),
            Spelling::Place | Spelling::PlaceLetter => group.once(&PLACES) && group.turns(),
            Spelling::Turn { .. } => group.once(&QUATERNION),
            Spelling::Angle => group.once(&ANGLES),
        };
        if takes_part {
            let (component, unit) = (part.component, part.unit);
            respelled.cells[at] = match part.name {
                Some(name) => format!("{name}_{component}{unit}"),
                None => format!("{component}{unit}"),
            };
        } else if part.spelling == (Spelling::Turn { is_apart: true }) && !is_ours {
            respelled.cells[at] = format!("{} []", cells[at]);
            respelled.unstated.push(at);
        }
    }
    respelled
}

/// The cells of one name.
struct Group<'a>(&'a [&'a Part<'a>]);

impl Group<'_> {
    /// Whether each of these components is there, and once.
    fn once(&self, components: &[&str]) -> bool {
        let count = |component| self.0.iter().filter(|part| part.component == component).count();
        components.iter().all(|component| count(*component) == 1)
    }

    /// Whether there is a whole rotation.
    fn turns(&self) -> bool {
        let is_matrix = || self.0.iter().any(|part| part.component == MATRIX);
        self.once(&QUATERNION) || self.once(&ANGLES) || is_matrix()
    }
}

/// Stands for `r11`: the other parts of a matrix never need another spelling.
const MATRIX: &str = "r11";

fn part(cell: &str) -> Option<Part<'_>> {
    let closed = cell.ends_with([']', ')']);
    let bracket = cell.rfind(['[', '(']).filter(|_| closed);
    if let Some(at) = bracket {
        let base = cell[..at].trim_end();
        return named(base, &cell[base.len()..]);
    }
    named(cell, "").or_else(|| {
        let at = cell.rfind('_')?;
        let is_unit = ["mm", "cm", "m", "rad", "deg"].contains(&&cell[at + 1..]);
        named(&cell[..at], &cell[at..]).filter(|_| is_unit)
    })
}

fn named<'a>(base: &'a str, unit: &'a str) -> Option<Part<'a>> {
    let (head, last) = split(base);
    let word = last.to_ascii_lowercase();
    let joined = |name, (component, spelling)| Part { name, component, spelling, unit };
    if let Some(found) = in_one_word(&word) {
        return Some(joined(head, found));
    }
    let axis = AXES.iter().position(|axis| *axis == word)?;
    let (name, before) = head.map_or((None, ""), split);
    let before = before.to_ascii_lowercase();
    let place = PLACES.get(axis).copied();
    if let Some(place) = place.filter(|_| POSITION_WORDS.contains(&before.as_str())) {
        return Some(joined(name, (place, Spelling::Place)));
    }
    if let Some(place) = place.filter(|_| POSITION_LETTERS.contains(&before.as_str())) {
        return Some(joined(name, (place, Spelling::PlaceLetter)));
    }
    if ROTATION_WORDS.contains(&before.as_str()) {
        return Some(joined(name, (QUATERNION[axis], Spelling::Turn { is_apart: true })));
    }
    Some(joined(head, (place?, Spelling::Plain)))
}

fn in_one_word(word: &str) -> Option<(&'static str, Spelling)> {
    let position = |list: &[&'static str]| list.iter().position(|known| *known == word);
    if let Some(at) = position(&QUATERNION) {
        return Some((QUATERNION[at], Spelling::Plain));
    }
    if let Some(at) = position(&ANGLES) {
        return Some((ANGLES[at], Spelling::Plain));
    }
    if word == MATRIX {
        return Some((MATRIX, Spelling::Plain));
    }
    if let Some(at) = ANGLE_WORDS.iter().find_map(|words| position(words)) {
        return Some((ANGLES[at], Spelling::Angle));
    }
    // An axis is one byte, so the cut is between characters wherever the axis is known.
    let (start, axis) = word.split_at_checked(word.len().checked_sub(1)?)?;
    let axis = AXES.iter().position(|known| *known == axis)?;
    let is_place = POSITION_WORDS.contains(&start) || POSITION_LETTERS.contains(&start);
    if let Some(place) = PLACES.get(axis).filter(|_| is_place) {
        return Some((place, Spelling::Place));
    }
    let is_turn = ROTATION_WORDS.contains(&start);
    is_turn.then_some((QUATERNION[axis], Spelling::Turn { is_apart: false }))
}

/// A name and its last word.
fn split(text: &str) -> (Option<&str>, &str) {
    match text.rsplit_once(SEPARATORS) {
        Some((head, last)) => (Some(head), last),
        None => (None, text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(line: &str) -> (String, usize) {
        let cells: Vec<String> = line.split(',').map(str::to_owned).collect();
        let respelled = respelled(&cells);
        (respelled.cells.join(","), respelled.unstated.len())
    }

    #[test]
    fn brings_the_usual_spellings_to_the_plain_one() {
        let plain = "T_x,T_y,T_z,T_qx,T_qy,T_qz,T_qw";
        for line in [
            plain,
            "T_px,T_py,T_pz,T_qx,T_qy,T_qz,T_qw",
            "T_tx,T_ty,T_tz,T_qx,T_qy,T_qz,T_qw",
            "T_p_x,T_p_y,T_p_z,T_q_x,T_q_y,T_q_z,T_q_w",
            "T PosX,T PosY,T PosZ,T RotX,T RotY,T RotZ,T RotW",
            "T.position.x,T.position.y,T.position.z,T.rotation.x,T.rotation.y,T.rotation.z,T.rotation.w",
            "T/pos/x,T/pos/y,T/pos/z,T/orientation/x,T/orientation/y,T/orientation/z,T/orientation/w",
            "T:t:X,T:t:Y,T:t:Z,T:Quat:X,T:Quat:Y,T:Quat:Z,T:Quat:W",
        ] {
            assert_eq!(of(line), (plain.to_owned(), 0), "{line}");
        }
        assert_eq!(of("px,py,pz,qx,qy,qz,qw").0, "x,y,z,qx,qy,qz,qw");
        assert_eq!(of("A_pos_x [mm],A_pos_y [mm],A_pos_z [mm]").0, "A_x [mm],A_y [mm],A_z [mm]");
        assert_eq!(of("A_px_mm,A_py_mm,A_pz_mm").0, "A_x_mm,A_y_mm,A_z_mm");
    }

    #[test]
    fn azimuth_elevation_and_roll_are_angles_about_z_y_and_x() {
        assert_eq!(of("S_x,S_y,S_z,S_az,S_el,S_roll").0, "S_x,S_y,S_z,S_ezyx1,S_ezyx2,S_ezyx3");
        assert_eq!(of("S_azimuth,S_elevation,S_roll").0, "S_ezyx1,S_ezyx2,S_ezyx3");
        assert_eq!(of("S_az,S_el").0, "S_az,S_el");
    }

    #[test]
    fn three_numbers_of_a_rotation_are_no_marker() {
        let (cells, unstated) =
            of("T.position.x,T.position.y,T.position.z,T.rotation.x,T.rotation.y,T.rotation.z");
        assert_eq!(
            (cells.starts_with("T_x,T_y,T_z,T.rotation.x []"), unstated),
            (true, 3),
            "{cells}"
        );
    }

    #[test]
    fn names_that_only_look_alike_stay() {
        for line in [
            "foot_t_x,foot_t_y,foot_t_z",
            "hand_r_x,hand_r_y,hand_r_z",
            "A_x,A_y,A_z,A_px,A_py,A_pz,A_qx,A_qy,A_qz,A_qw",
            "frame,time_s,A_pos_x,A_pos_y,A_pos_z",
            "frame,time_s,A_rot_x,A_rot_y,A_rot_z",
            "EMG [V],\u{e9},_,]",
        ] {
            assert_eq!(of(line), (line.to_owned(), 0));
        }
    }
}
