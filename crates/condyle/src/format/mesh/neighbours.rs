//! Tables of neighbours: checked, numbered our way, rebuilt.

use std::collections::HashMap;

use super::check::Places;
use super::keyword::Keyword;
use super::{Mesh, Rows};
use crate::error::Result;
use crate::note::Note;

/// Both tables with their elements.
const TABLES: [(Keyword, Keyword); 2] = [
    (Keyword::NeighborAtTriangleEdges, Keyword::Triangles),
    (Keyword::NeighborAtTetrahedronFaces, Keyword::Tetrahedra),
];

/// Which vertices are on face f, for numberings that files have: the first is ours.
fn numberings(corners: usize) -> &'static [[usize; 4]] {
    // The place opposite face 1, 2, 3, 4.
    match corners {
        // Opposite its vertex; edge f from vertex f to the next.
        3 => &[[0, 1, 2, 9], [2, 0, 1, 9]],
        // Opposite its vertex; Gmsh's and VTK's orders of faces.
        _ => &[[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 1, 3], [3, 0, 1, 2], [3, 2, 0, 1]],
    }
}

impl Mesh {
    /// Makes the tables of neighbours anew from what triangles and tetrahedra share. Edges of more than two triangles,
    /// and faces of more than two tetrahedra, have none.
    pub fn rebuild_neighbours(&mut self) {
        for (table, element) in TABLES {
            let rows = built(self, element);
            match rows.count {
                0 => drop(self.fields.remove(&table)),
                _ => drop(self.fields.insert(table, rows)),
            }
        }
    }
}

/// The table of an element, by element and face.
fn built(mesh: &Mesh, element: Keyword) -> Rows {
    let corners = element.corners();
    let elements = mesh.field(element).map_or(&[][..], |rows| &rows.integers);
    // The first two elements of a face, and how many there are.
    type Sides = ([(i32, i32); 2], u32);
    let mut sides: HashMap<[i32; 3], Sides> = HashMap::new();
    for (at, row) in elements.chunks_exact(corners + 1).enumerate() {
        for place in 0..corners {
            let entry = sides.entry(face(&row[..corners], place)).or_default();
            if let Some(side) = entry.0.get_mut(entry.1 as usize) {
                *side = (at as i32 + 1, place as i32 + 1);
            }
            entry.1 += 1;
        }
    }
    let mut rows: Vec<[i32; 3]> = Vec::new();
    for ([a, b], count) in sides.into_values() {
        if count == 2 {
            rows.extend([[a.0, a.1, b.0], [b.0, b.1, a.0]]);
        }
    }
    rows.sort_unstable();
    Rows { reals: Vec::new(), count: rows.len(), integers: rows.concat() }
}

/// The vertices of an element without one, sorted; an edge has a 0.
fn face(corners: &[i32], without: usize) -> [i32; 3] {
    let mut face = [0; 3];
    let own = corners.iter().enumerate().filter(|(at, _)| *at != without);
    face.iter_mut().zip(own).for_each(|(place, (_, vertex))| *place = *vertex);
    face.sort_unstable();
    face
}

/// Whether a row holds where face f is opposite the vertex that a numbering says.
fn fits(row: &[i32], elements: &[i32], corners: usize, numbering: &[usize; 4]) -> bool {
    let own = |number: i32| {
        let start = (number as usize - 1) * (corners + 1);
        &elements[start..start + corners]
    };
    let face = face(own(row[0]), numbering[row[1] as usize - 1]);
    row[0] != row[2] && face.iter().all(|vertex| *vertex == 0 || own(row[2]).contains(vertex))
}

/// Checks the tables of a file and brings them into our numbering.
pub(super) fn check(mesh: &mut Mesh, places: &Places, notes: &mut Vec<Note>) -> Result<()> {
    for (table, element) in TABLES {
        let Some(rows) = mesh.fields.remove(&table) else { continue };
        let corners = element.corners();
        let elements = mesh.field(element).map_or(&[][..], |rows| &rows.integers);
        let holds = |numbering: &&[usize; 4]| {
            rows.integers.chunks_exact(3).all(|row| fits(row, elements, corners, numbering))
        };
        let Some(numbering) = numberings(corners).iter().find(holds) else {
            let text = format!("{}: fits no numbering of faces, rebuilt", table.name());
            notes.push(Note::new("mesh-neighbours-rebuilt", text));
            let rows = built(mesh, element);
            mesh.fields.insert(table, rows);
            continue;
        };
        let mut ours = rows;
        let mut seen: HashMap<(i32, i32), i32> = HashMap::new();
        for (row, values) in ours.integers.chunks_exact_mut(3).enumerate() {
            values[1] = numbering[values[1] as usize - 1] as i32 + 1;
            if seen.insert((values[0], values[1]), values[2]).is_some() {
                let what = format!("{} {}: need a face once", table.name(), row + 1);
                return Err(places.error(table, row, what));
            }
        }
        for (row, values) in ours.integers.chunks_exact(3).enumerate() {
            let back = (1..=corners as i32).any(|f| seen.get(&(values[2], f)) == Some(&values[0]));
            if !back {
                let what = format!(
                    "{} {}: need both sides of a face, got {} beside {} alone",
                    table.name(),
                    row + 1,
                    values[2],
                    values[0]
                );
                return Err(places.error(table, row, what));
            }
        }
        mesh.fields.insert(table, ours);
    }
    Ok(())
}
