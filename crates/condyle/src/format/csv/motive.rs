//! OptiTrack Motive exports, format versions 1.2 and later.
//!
//! The first line is keys and values. Then come rows that say for each column its type, name, ID,
//! perhaps its parent, and quantity, and last the axes:
//!
//! ```text
//! Format Version,1.23,Take Name,walk,Export Frame Rate,120,Rotation Type,Quaternion,Length Units,Meters
//!
//! ,Type,Rigid Body,Rigid Body,Rigid Body,Rigid Body,Rigid Body,Rigid Body,Rigid Body,Marker,Marker,Marker
//! ,Name,tool,tool,tool,tool,tool,tool,tool,tool:1,tool:1,tool:1
//! ,ID,1,1,1,1,1,1,1,2,2,2
//! ,,Rotation,Rotation,Rotation,Rotation,Position,Position,Position,Position,Position,Position
//! Frame,Time (Seconds),X,Y,Z,W,X,Y,Z,X,Y,Z
//! ```
//!
//! Whatever has a rotation and a position is a body (rigid bodies, bones); a position alone is a
//! marker; error and quality columns are channels. Euler angles turn about moving axes in the stated
//! order. The axes are right-handed with Y up.

use std::collections::{HashMap, HashSet};

use crate::error::{Error, Result};
use crate::format::{ReadOptions, table, text};
use crate::trial::{Axis, Body, LengthUnit, Note, Trial};

use super::cells;
use super::columns::{BodyColumns, ChannelColumn, Layout, MarkerColumns};
use super::grouped::cell;
use crate::format::rotation::RotationColumns;

/// Header rows beyond these belong to no version we know.
const MOST_HEADER_ROWS: usize = 20;

/// The rows above the data, cell by cell.
#[derive(Default)]
struct Head {
    keys: HashMap<String, String>,
    types: Vec<String>,
    names: Vec<String>,
    ids: Vec<String>,
    parents: Vec<String>,
    quantities: Vec<String>,
    axes: Vec<String>,
    rows_from: usize,
}

pub(super) fn read(text: &str, bytes: usize, options: &ReadOptions) -> Result<Trial> {
    let head = read_head(text)?;
    let mut notes = Vec::new();
    let declared = head.keys.get("length units").map_or("", String::as_str);
    let usual = (LengthUnit::Metre, "metres");
    let unit = table::length_unit(declared, options, usual, &mut notes);
    let (layout, parents) = layout(&head, unit, &mut notes)?;
    let rows = layout.read(text.lines().skip(head.rows_from), ',', bytes)?;
    let rate = |key: &str| head.keys.get(key).and_then(|value| text::number(value));
    let declared_hz = rate("export frame rate").or_else(|| rate("capture frame rate"));
    let mut trial = rows.into_trial(declared_hz, options);
    if head.keys.get("coordinate space").is_some_and(|space| space.eq_ignore_ascii_case("local")) {
        resolve_local(&mut trial.bodies, &parents, &mut notes);
    }
    let version = head.keys.get("format version").map_or("", String::as_str);
    trial.source.variant = format!("OptiTrack Motive {version}").trim_end().to_owned();
    trial.source.unit = unit;
    trial.source.declared_unit = head.keys.get("length units").cloned();
    trial.source.up = options.up.or(Some(Axis::Y));
    notes.append(&mut trial.notes);
    trial.notes = notes;
    Ok(trial)
}

fn read_head(text: &str) -> Result<Head> {
    let mut head = Head::default();
    let mut rows: Vec<Vec<String>> = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let cells = cells::split_owned(line, ',');
        if at == 0 {
            let pairs = cells.chunks_exact(2);
            head.keys = pairs.map(|pair| (pair[0].to_ascii_lowercase(), pair[1].clone())).collect();
        } else if cells[0].eq_ignore_ascii_case("frame") {
            head.axes = cells;
            head.rows_from = at + 1;
            break;
        } else if cells.iter().any(|cell| !cell.is_empty()) {
            rows.push(cells);
        }
        if rows.len() > MOST_HEADER_ROWS {
            break;
        }
    }
    if head.axes.is_empty() {
        return Err(Error::malformed("Motive export: need a row that starts with Frame, got none"));
    }
    let mut unnamed = Vec::new();
    for row in rows {
        match cell(&row, 1).to_ascii_lowercase().as_str() {
            "type" => head.types = row,
            "name" => head.names = row,
            "id" => head.ids = row,
            "parent" => head.parents = row,
            _ => unnamed.push(row),
        }
    }
    // The quantities stand last; older versions leave the other rows unnamed, in this order.
    head.quantities = unnamed.pop().unwrap_or_default();
    for (slot, row) in [&mut head.types, &mut head.names, &mut head.ids].into_iter().zip(unnamed) {
        if slot.is_empty() {
            *slot = row;
        }
    }
    Ok(head)
}

/// The columns of one rigid body, bone or marker.
struct Item {
    first: usize,
    end: usize,
}

/// Runs of columns with the same type, name and ID, and no axis of a quantity twice.
fn items(head: &Head) -> Vec<Item> {
    let key = |at| (cell(&head.types, at), cell(&head.names, at), cell(&head.ids, at));
    let part = |at| (cell(&head.quantities, at), cell(&head.axes, at));
    let mut items: Vec<Item> = Vec::new();
    let mut parts = HashSet::new();
    for at in 2..head.axes.len() {
        if cell(&head.types, at).is_empty() {
            continue;
        }
        let continues =
            items.last().is_some_and(|item| item.end == at && key(item.first) == key(at));
        if continues && parts.insert(part(at)) {
            if let Some(item) = items.last_mut() {
                item.end = at + 1;
            }
        } else {
            parts.clear();
            parts.insert(part(at));
            items.push(Item { first: at, end: at + 1 });
        }
    }
    items
}

/// The ID, name and parent of a body, for poses given relative to parents.
struct Kinship {
    id: String,
    name: String,
    parent: String,
    is_bone: bool,
}

fn layout(head: &Head, unit: LengthUnit, notes: &mut Vec<Note>) -> Result<(Layout, Vec<Kinship>)> {
    let order = rotation_order(head, notes);
    let mut layout = Layout { frame: Some(0), time: Some(1), ..Layout::default() };
    let mut kinships = Vec::new();
    let mut expected: Vec<MarkerColumns> = Vec::new();
    for item in items(head) {
        let at = item.first;
        let name = cell(&head.names, at).to_owned();
        let find = |quantity: &str, axis: &str| {
            (item.first..item.end).find(|&at| {
                cell(&head.quantities, at).eq_ignore_ascii_case(quantity)
                    && cell(&head.axes, at).eq_ignore_ascii_case(axis)
            })
        };
        let xyz =
            |quantity| Some([find(quantity, "X")?, find(quantity, "Y")?, find(quantity, "Z")?]);
        let rotation = xyz("Rotation").map(|[x, y, z]| match find("Rotation", "W") {
            Some(w) => RotationColumns::Wxyz([w, x, y, z]),
            None => RotationColumns::Euler(
                order.map(|axis| ([x, y, z][usize::from(axis)], axis)),
                1f64.to_radians(),
            ),
        });
        let kind = cell(&head.types, at);
        match (rotation, xyz("Position")) {
            (Some(rotation), xyz) => {
                let text = |row: &[String]| cell(row, at).to_owned();
                kinships.push(Kinship {
                    id: text(&head.ids),
                    name: name.clone(),
                    parent: text(&head.parents),
                    is_bone: kind.eq_ignore_ascii_case("bone"),
                });
                layout.bodies.push(BodyColumns {
                    name: name.clone(),
                    xyz,
                    unit,
                    rotation,
                    origin: None,
                });
            }
            (None, Some(xyz)) => {
                let marker = MarkerColumns { label: name.clone(), xyz, unit, origin: None };
                let solved = kind.to_ascii_lowercase().ends_with(" marker");
                if solved { expected.push(marker) } else { layout.markers.push(marker) }
            }
            (None, None) => {}
        }
        for column in item.first..item.end {
            let quantity = cell(&head.quantities, column);
            if quantity.eq_ignore_ascii_case("rotation")
                || quantity.eq_ignore_ascii_case("position")
            {
                continue;
            }
            let error = quantity.to_ascii_lowercase().contains("error");
            layout.channels.push(ChannelColumn {
                label: format!("{name} {quantity}"),
                unit: if error { unit.symbol().to_owned() } else { String::new() },
                column,
            });
        }
    }
    add_expected(&mut layout, expected, notes);
    if layout.markers.is_empty() && layout.bodies.is_empty() {
        return Err(Error::malformed("Motive export: need a column with a Position, got none"));
    }
    Ok((layout, kinships))
}

/// Adds the markers where the solved body expects them, unless the measured ones are there too.
fn add_expected(layout: &mut Layout, expected: Vec<MarkerColumns>, notes: &mut Vec<Note>) {
    let measured: HashSet<String> =
        layout.markers.iter().map(|marker| marker.label.clone()).collect();
    let (twice, alone): (Vec<_>, Vec<_>) =
        expected.into_iter().partition(|marker| measured.contains(&marker.label));
    let both = "markers come both measured and as their body expects them; measured kept";
    notes.extend(Note::counted(twice.len(), "expected-markers", both));
    let one = "markers are where their body expects them, not where they were seen";
    notes.extend(Note::counted(alone.len(), "expected-markers", one));
    layout.markers.extend(alone);
}

fn rotation_order(head: &Head, notes: &mut Vec<Note>) -> [u8; 3] {
    let stated = head.keys.get("rotation type").map_or("", String::as_str);
    let axes: Vec<u8> = stated
        .chars()
        .filter_map(|c| "xyz".find(c.to_ascii_lowercase()).map(|axis| axis as u8))
        .collect();
    let is_order = stated.len() == 3 && axes.iter().collect::<HashSet<_>>().len() == 3;
    if let ([a, b, c], true) = (axes.as_slice(), is_order) {
        let text =
            format!("rotations are {stated} Euler angles, read in degrees about moving axes");
        notes.push(Note::new("euler-angles", text));
        return [*a, *b, *c];
    }
    [0, 1, 2]
}

/// Turns poses of bones relative to their parents into poses in the world.
fn resolve_local(bodies: &mut [Body], kin: &[Kinship], notes: &mut Vec<Note>) {
    let mut say = |what: &str| {
        let text = format!("bones are given relative to their parents{what}");
        notes.push(Note::new("local-poses", text));
    };
    if kin.iter().all(|kin| kin.parent.is_empty()) {
        return say(", and the file does not name the parents; left as they are");
    }
    let mut index: HashMap<&str, usize> = HashMap::new();
    for (at, kin) in kin.iter().enumerate().filter(|(_, kin)| kin.is_bone) {
        for key in [kin.id.as_str(), kin.name.as_str()] {
            index.entry(key).or_insert(at);
        }
    }
    let parent_of = |at: usize| {
        let parent = index.get(kin[at].parent.as_str()).copied();
        parent.filter(|&parent| parent != at && kin[at].is_bone && !kin[at].parent.is_empty())
    };
    // Walks up from each bone to the nearest that is done, then down again, so that every bone is
    // multiplied once; a loop of parents is cut where it closes.
    let mut done = vec![false; kin.len()];
    for start in 0..kin.len() {
        let mut chain = Vec::new();
        let mut at = Some(start);
        while let Some(bone) = at.filter(|&bone| !done[bone]) {
            done[bone] = true;
            chain.push(bone);
            at = parent_of(bone);
        }
        for bone in chain.into_iter().rev() {
            let Some(parent) = parent_of(bone) else { continue };
            for frame in 0..bodies[bone].frames() {
                let pose = bodies[parent]
                    .world_from_body(frame)
                    .zip(bodies[bone].world_from_body(frame))
                    .map(|(world_from_parent, parent_from_bone)| {
                        world_from_parent * parent_from_bone
                    });
                let origin = bodies[bone].origin(frame);
                bodies[bone].set(frame, pose, origin);
            }
        }
    }
    say("; they were carried over into the world");
}
