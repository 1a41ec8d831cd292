//! Headers of three rows: names that stand over several columns, axes, units.

use crate::trial::LengthUnit;

use super::columns::{BodyColumns, ChannelColumn, Layout, MarkerColumns};
use crate::format::rotation::RotationColumns;

/// The three rows; a name holds until the next one.
#[derive(Default)]
pub(super) struct Rows {
    pub names: Vec<String>,
    pub axes: Vec<String>,
    pub units: Vec<String>,
}

pub(super) fn cell(row: &[String], at: usize) -> &str {
    row.get(at).map_or("", String::as_str)
}

/// The meaning of the columns from `first` on, and how many rotations had no stated convention.
///
/// - `X, Y, Z` in a unit of length is a marker.
/// - `RX, RY, RZ, RW, TX, TY, TZ` is a body; so is `RX, RY, RZ, TX, TY, TZ` under a name that says
///   `Helical`. Without that word the convention is not stated: the position becomes a marker and
///   the angles stay channels.
/// - Everything else is channels named `name axis`.
pub(super) fn layout(rows: &Rows, first: usize, unit: Option<LengthUnit>) -> (Layout, usize) {
    let mut layout = Layout::default();
    let mut unstated = 0;
    let columns = rows.names.len().max(rows.axes.len());
    let mut from = first;
    while from < columns {
        let mut end = from + 1;
        while end < columns && cell(&rows.names, end).is_empty() {
            end += 1;
        }
        let group = Group { rows, from, end, unit };
        unstated += usize::from(group.settle(&mut layout));
        from = end;
    }
    (layout, unstated)
}

struct Group<'a> {
    rows: &'a Rows,
    from: usize,
    end: usize,
    /// What the caller says about lengths.
    unit: Option<LengthUnit>,
}

impl Group<'_> {
    fn find(&self, axis: &str) -> Option<usize> {
        (self.from..self.end).find(|&at| cell(&self.rows.axes, at).eq_ignore_ascii_case(axis))
    }

    fn find3(&self, axes: [&str; 3]) -> Option<[usize; 3]> {
        Some([self.find(axes[0])?, self.find(axes[1])?, self.find(axes[2])?])
    }

    /// The unit of three columns, if it is a length; a blank unit follows the caller or millimetres.
    fn length_unit(&self, columns: [usize; 3]) -> Option<LengthUnit> {
        let stated = cell(&self.rows.units, columns[0]);
        if stated.is_empty() {
            return Some(self.unit.unwrap_or(LengthUnit::Millimetre));
        }
        let parsed: LengthUnit = stated.parse().ok()?;
        Some(self.unit.unwrap_or(parsed))
    }

    /// Adds the group to the layout; true if its rotation has no stated convention.
    fn settle(self, layout: &mut Layout) -> bool {
        let name = cell(&self.rows.names, self.from);
        if name.is_empty() && (self.from..self.end).all(|at| cell(&self.rows.axes, at).is_empty()) {
            return false;
        }
        let mut used: Vec<usize> = Vec::new();
        let mut unstated = false;
        let turns = self.find3(["RX", "RY", "RZ"]);
        let shifts = self.find3(["TX", "TY", "TZ"]).or_else(|| self.find3(["X", "Y", "Z"]));
        let place = shifts.and_then(|xyz| Some((xyz, self.length_unit(xyz)?)));
        let rotation = turns.and_then(|turns| self.rotation(name, turns, &mut used));
        if let Some((xyz, _)) = place {
            used.extend(xyz);
        }
        match (rotation, place) {
            (Some(rotation), place) => layout.bodies.push(BodyColumns {
                name: plain_name(name).to_owned(),
                xyz: place.map(|(xyz, _)| xyz),
                unit: place.map_or(LengthUnit::Metre, |(_, unit)| unit),
                rotation,
                origin: None,
            }),
            (None, Some((xyz, unit))) => {
                unstated = turns.is_some();
                let label = plain_name(name).to_owned();
                layout.markers.push(MarkerColumns { label, xyz, unit, origin: None });
            }
            (None, None) => {}
        }
        for column in (self.from..self.end).filter(|column| !used.contains(column)) {
            let axis = cell(&self.rows.axes, column);
            if !axis.is_empty() || column == self.from {
                layout.channels.push(ChannelColumn {
                    label: format!("{name} {axis}").trim().to_owned(),
                    unit: cell(&self.rows.units, column).to_owned(),
                    column,
                });
            }
        }
        unstated
    }

    fn rotation(
        &self,
        name: &str,
        turns: [usize; 3],
        used: &mut Vec<usize>,
    ) -> Option<RotationColumns> {
        let rotation = if let Some(w) = self.find("RW") {
            used.push(w);
            RotationColumns::Wxyz([w, turns[0], turns[1], turns[2]])
        } else if name.to_ascii_lowercase().contains("helical") {
            let degrees = cell(&self.rows.units, turns[0]).to_ascii_lowercase().starts_with("deg");
            RotationColumns::Vector(turns, if degrees { 1f64.to_radians() } else { 1.0 })
        } else {
            return None;
        };
        used.extend(turns);
        Some(rotation)
    }
}

/// The name without a convention in front: `tool:tool` of `Global Angle (Quaternion) tool:tool`.
fn plain_name(name: &str) -> &str {
    let is_convention = |head: &str| head.to_ascii_lowercase().contains("angle (");
    match name.split_once(") ") {
        Some((head, rest)) if is_convention(head) => rest,
        _ => name,
    }
}
