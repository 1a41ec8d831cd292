//! The header line of the plain layout: which cell names what.

use std::collections::HashMap;

use crate::trial::LengthUnit;

use super::columns::{BodyColumns, ChannelColumn, Layout, MarkerColumns};
use super::spelling::SEPARATORS;
use super::time_column::{self, TimeUnit};
use crate::format::rotation::RotationColumns;

/// The last word of a column's name, as written; its place here is its number below.
const COMPONENTS: [&str; 17] = [
    "x", "y", "z", "qw", "qx", "qy", "qz", "r11", "r12", "r13", "r21", "r22", "r23", "r31", "r32",
    "r33", "origin",
];
const ORIGIN: usize = 16;
/// After those, the three angles of a word such as `ezyx1`, about moving axes.
const EULER: usize = 17;
const ALL_COMPONENTS: usize = 20;
const FRAME_NAMES: [&str; 5] = ["frame", "frame#", "frames", "frame_number", "frame number"];
/// The column that states the rate where time stamps alone would not give it back.
pub(super) const RATE_NAME: &str = "rate_hz";

/// The unit of a cell, where it states one.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Unit {
    Length(LengthUnit),
    /// Of angles, as the radians in one.
    Angle(f64),
}

/// A cell such as `RASI_x`, `Hips.Y`, `lhip_z [mm]` or `S1_ezyx2 [rad]`, taken apart.
#[derive(Debug, PartialEq)]
struct Coordinate<'a> {
    /// What stands before the separator; `None` for a bare `x`.
    name: Option<&'a str>,
    component: usize,
    /// The order of the axes, for an angle: 0, 1, 2 for x, y, z.
    order: Option<[u8; 3]>,
    unit: Option<Unit>,
}

/// The order and the number of an angle from a word such as `ezyx2`.
fn euler(word: &str) -> Option<([u8; 3], usize)> {
    let word = word.to_ascii_lowercase();
    let [b'e', axes @ .., number] = word.as_bytes() else { return None };
    let axes: [u8; 3] = axes.try_into().ok()?;
    let order = axes.map(|axis| axis.wrapping_sub(b'x'));
    let number = usize::from(number.wrapping_sub(b'1'));
    let is_order =
        order.iter().all(|axis| *axis < 3) && order[0] != order[1] && order[1] != order[2];
    (is_order && number < 3).then_some((order, number))
}

fn coordinate(cell: &str) -> Option<Coordinate<'_>> {
    let bracketed = [('[', ']'), ('(', ')')].into_iter().find_map(|(open, close)| {
        let inside = cell.strip_suffix(close)?;
        inside.rfind(open).map(|at| (cell[..at].trim_end(), &inside[at + 1..]))
    });
    if let Some((base, unit)) = bracketed {
        return with_unit(base, unit);
    }
    without_unit(cell).or_else(|| {
        let (base, unit) = cell.rsplit_once('_')?;
        with_unit(base, unit)
    })
}

fn with_unit<'a>(base: &'a str, unit: &str) -> Option<Coordinate<'a>> {
    let found = without_unit(base)?;
    let unit = match (found.component >= EULER, unit.trim().to_ascii_lowercase().as_str()) {
        (true, "rad" | "radian" | "radians") => Unit::Angle(1.0),
        (true, "deg" | "degree" | "degrees" | "\u{b0}") => Unit::Angle(1f64.to_radians()),
        (true, _) => return None,
        (false, unit) => Unit::Length(unit.parse().ok()?),
    };
    Some(Coordinate { unit: Some(unit), ..found })
}

fn without_unit(cell: &str) -> Option<Coordinate<'_>> {
    let whole = |name, word: &str| {
        let known = COMPONENTS.iter().position(|known| word.eq_ignore_ascii_case(known));
        let plain = known.map(|component| (component, None));
        let (component, order) =
            plain.or_else(|| euler(word).map(|(order, number)| (EULER + number, Some(order))))?;
        Some(Coordinate { name, component, order, unit: None })
    };
    if let Some(found) = whole(None, cell) {
        return Some(found).filter(|found| found.component != ORIGIN);
    }
    let (name, word) = cell.rsplit_once(SEPARATORS)?;
    whole(Some(name), word)
}

fn is_one_of(cell: &str, names: &[&str]) -> bool {
    names.iter().any(|name| cell.eq_ignore_ascii_case(name))
}

/// A channel's label and unit from `EMG1 [V]`.
fn label_and_unit(cell: &str) -> (&str, &str) {
    let parts = cell.strip_suffix(']').and_then(|inside| {
        let open = inside.rfind('[')?;
        Some((inside[..open].strip_suffix(' ').unwrap_or(&inside[..open]), &inside[open + 1..]))
    });
    parts.unwrap_or((cell, ""))
}

/// The cell that reads back as a channel of this label and unit, or `None` if none does.
pub(super) fn channel_cell(label: &str, unit: &str) -> Option<String> {
    let special = coordinate(label).is_some()
        || time_column::unit(label).is_some()
        || is_one_of(label, &FRAME_NAMES)
        || label == RATE_NAME
        || label.ends_with(']');
    let cell =
        if unit.is_empty() && !special { label.to_owned() } else { format!("{label} [{unit}]") };
    let reads_back = !label.is_empty()
        && coordinate(&cell).is_none()
        && time_column::unit(&cell).is_none()
        && label_and_unit(&cell) == (label, unit);
    reads_back.then_some(cell)
}

/// The columns of one name; `at[component]` is where each component stands.
struct Group<'a> {
    name: Option<&'a str>,
    unit: Option<LengthUnit>,
    /// The radians in one unit of its angles.
    radians: Option<f64>,
    order: Option<[u8; 3]>,
    at: [Option<usize>; ALL_COMPONENTS],
}

/// A header line understood.
#[derive(Default)]
pub(super) struct Header {
    pub layout: Layout,
    /// The column that states the rate.
    pub rate: Option<usize>,
    /// Whether any cell carries a unit of length.
    pub states_unit: bool,
    /// The columns named like parts of a marker or body that is not whole; they became channels.
    pub incomplete: Vec<usize>,
    /// The columns that are named like nothing known and state no unit; they became channels.
    pub unknown: Vec<usize>,
    /// What the time column counts in, if there is one.
    pub time_unit: Option<TimeUnit>,
}

/// Sorts the cells of a header line into frame, time, markers, bodies and channels.
pub(super) fn layout(cells: &[String], unit: Option<LengthUnit>) -> Header {
    let find = |names: &[&str]| cells.iter().position(|cell| is_one_of(cell, names));
    let time = cells
        .iter()
        .enumerate()
        .find_map(|(at, cell)| time_column::unit(cell).map(|unit| (at, unit)));
    let mut layout =
        Layout { frame: find(&FRAME_NAMES), time: time.map(|(at, _)| at), ..Layout::default() };
    let rate =
        layout.time.map(|at| at + 1).filter(|&at| cells.get(at).is_some_and(|c| c == RATE_NAME));
    let is_free = |at: usize| ![layout.frame, layout.time, rate].contains(&Some(at));

    let mut groups: Vec<Group> = Vec::new();
    let mut open: HashMap<Option<&str>, usize> = HashMap::new();
    let mut others: Vec<usize> = Vec::new();
    for (at, cell) in cells.iter().enumerate().filter(|(at, _)| is_free(*at)) {
        let Some(found) = coordinate(cell) else {
            others.push(at);
            continue;
        };
        let fits = |group: &Group| {
            let is_other =
                found.order.is_some() && group.order.is_some_and(|o| Some(o) != found.order);
            group.at[found.component].is_none() && !is_other
        };
        let index = open.get(&found.name).copied().filter(|&index| fits(&groups[index]));
        let index = index.unwrap_or_else(|| {
            let at = [None; ALL_COMPONENTS];
            groups.push(Group { name: found.name, unit: None, radians: None, order: None, at });
            open.insert(found.name, groups.len() - 1);
            groups.len() - 1
        });
        groups[index].at[found.component] = Some(at);
        match found.unit {
            Some(Unit::Length(unit)) => _ = groups[index].unit.get_or_insert(unit),
            Some(Unit::Angle(radians)) => _ = groups[index].radians.get_or_insert(radians),
            None => {}
        }
        groups[index].order = groups[index].order.or(found.order);
    }
    let states_unit = groups.iter().any(|group| group.unit.is_some());
    let mut incomplete: Vec<usize> = Vec::new();
    for group in groups {
        group.settle(unit, &mut layout, &mut incomplete);
    }
    incomplete.sort_unstable();
    let unknown = others.iter().copied().filter(|at| !cells[*at].ends_with(']')).collect();
    others.extend(&incomplete);
    others.sort_unstable();
    layout.channels = others.into_iter().map(|at| channel(&cells[at], at)).collect();
    let time_unit = time.map(|(_, unit)| unit);
    Header { layout, rate, states_unit, incomplete, unknown, time_unit }
}

fn channel(cell: &str, column: usize) -> ChannelColumn {
    let (label, unit) = label_and_unit(cell);
    let label = if label.is_empty() { format!("column_{}", column + 1) } else { label.to_owned() };
    ChannelColumn { label, unit: unit.to_owned(), column }
}

impl Group<'_> {
    /// Becomes a marker or a body if its components are complete, else channels.
    fn settle(self, unit: Option<LengthUnit>, layout: &mut Layout, incomplete: &mut Vec<usize>) {
        let unit = unit.or(self.unit).unwrap_or_default();
        let name = |bare: &str| self.name.unwrap_or(bare).to_owned();
        let xyz = self.columns(0);
        let wxyz = self.columns(3).map(RotationColumns::Wxyz);
        let matrix = self.columns(7).map(RotationColumns::Matrix);
        let angles = self.columns::<3>(EULER).zip(self.order).map(|(at, order)| {
            let radians = self.radians.unwrap_or_else(|| 1f64.to_radians());
            RotationColumns::Euler([0, 1, 2].map(|k: usize| (at[k], order[k])), radians)
        });
        let origin = self.at[ORIGIN];
        let expected = |rotation: &Option<RotationColumns>| match rotation {
            Some(RotationColumns::Wxyz(_)) => 4,
            Some(RotationColumns::Euler(..)) => 3,
            Some(_) => 9,
            None => 0,
        };
        let rotation = wxyz.or(matrix).or(angles);
        let used = xyz.map_or(0, |_| 3) + expected(&rotation) + usize::from(origin.is_some());
        let complete = used == self.at.iter().flatten().count();
        match (xyz, rotation) {
            (xyz, Some(rotation)) if complete => {
                layout.bodies.push(BodyColumns { name: name("body"), xyz, unit, rotation, origin });
            }
            (Some(xyz), None) if complete => {
                layout.markers.push(MarkerColumns { label: name("point"), xyz, unit, origin });
            }
            _ => incomplete.extend(self.at.iter().flatten()),
        }
    }

    fn columns<const N: usize>(&self, first: usize) -> Option<[usize; N]> {
        let mut columns = [0; N];
        for (column, at) in columns.iter_mut().zip(&self.at[first..]) {
            *column = (*at)?;
        }
        Some(columns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(line: &str) -> Layout {
        let cells: Vec<String> = line.split(',').map(str::to_owned).collect();
        layout(&cells, None).layout
    }

    #[test]
    fn takes_every_spelling_of_a_coordinate() {
        for line in
            ["A_x,A_y,A_z", "A.X,A.Y,A.Z", "A x,A y,A z", "A_x [m],A_y [m],A_z [m]", "A:x,A:y,A:z"]
        {
            let layout = of(line);
            assert_eq!((layout.markers[0].label.as_str(), layout.markers[0].xyz), ("A", [0, 1, 2]));
            assert_eq!(layout.channels, [], "{line}");
        }
        assert_eq!(of("A_x_mm,A_y_mm,A_z_mm").markers[0].unit, LengthUnit::Millimetre);
        assert_eq!(of("x,y,z").markers[0].label, "point");
    }

    #[test]
    fn tells_bodies_from_markers_and_channels() {
        let line = "frame,t,B_x,B_y,B_z,B_qw,B_qx,B_qy,B_qz,S_qw,S_qx,S_qy,S_qz,EMG [V],F_x,F_y";
        let layout = of(line);
        assert_eq!((layout.frame, layout.time, layout.markers.len()), (Some(0), Some(1), 0));
        let bodies: Vec<_> = layout.bodies.iter().map(|b| (b.name.as_str(), b.xyz)).collect();
        assert_eq!(bodies, [("B", Some([2, 3, 4])), ("S", None)]);
        let channels: Vec<_> =
            layout.channels.iter().map(|c| (c.label.as_str(), c.unit.as_str())).collect();
        assert_eq!(channels, [("EMG", "V"), ("F_x", ""), ("F_y", "")]);
    }

    #[test]
    fn angles_say_the_order_of_their_axes() {
        let layout = of("T_x,T_y,T_z,T_ezyx1,T_ezyx2,T_ezyx3");
        let axes = [(3, 2), (4, 1), (5, 0)];
        let angles = RotationColumns::Euler(axes, 1f64.to_radians());
        assert_eq!((layout.bodies[0].xyz, &layout.bodies[0].rotation), (Some([0, 1, 2]), &angles));
        for line in [
            "T_x,T_y,T_z,T_ezyx1 [rad],T_ezyx2 [rad],T_ezyx3 [rad]",
            "T_x,T_y,T_z,T_ezyx1_rad,T_ezyx2_rad,T_ezyx3_rad",
        ] {
            assert_eq!(of(line).bodies[0].rotation, RotationColumns::Euler(axes, 1.0), "{line}");
        }
        assert_eq!(of("T_ezzx1,T_ezzx2,T_ezzx3").bodies, []);
        assert_eq!(of("T_ezyx1,T_exyz2,T_ezyx3").bodies, []);
    }

    #[test]
    fn a_channel_cell_reads_back_or_is_refused() {
        assert_eq!(channel_cell("EMG", "").as_deref(), Some("EMG"));
        assert_eq!(channel_cell("F_x", "N").as_deref(), Some("F_x [N]"));
        assert_eq!(channel_cell("F_x", "").as_deref(), Some("F_x []"));
        assert_eq!(channel_cell("F_x", "mm"), None);
        assert_eq!(channel_cell("", "V"), None);
    }
}
