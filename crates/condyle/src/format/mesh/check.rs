//! What an index counts must be there.

use super::keyword::{Keyword, Refers};
use super::text::Words;
use super::{Mesh, Rows};
use crate::error::{Error, Result};

/// Where the rows of fields are in a file.
pub(super) enum Places<'a> {
    /// In text: for every field its first byte and how many words a row has.
    Lines { bytes: &'a [u8], starts: &'a [(Keyword, usize, usize)] },
    /// In bytes: for every field its first byte and how long a row is.
    Bytes { starts: &'a [(Keyword, usize, usize)] },
}

impl Places<'_> {
    /// An error at a row.
    pub fn error(&self, keyword: Keyword, row: usize, what: String) -> Error {
        let of = |starts: &[(Keyword, usize, usize)]| {
            starts.iter().find(|(own, ..)| *own == keyword).copied()
        };
        match self {
            Self::Lines { bytes, starts } => match of(starts) {
                Some((_, start, words)) => {
                    let mut found = Words::from(bytes, start);
                    (0..=row * words).for_each(|_| {
                        found.next();
                    });
                    Error::at_line(found.line(), what)
                }
                None => Error::malformed(what),
            },
            Self::Bytes { starts } => match of(starts) {
                Some((_, start, length)) => Error::at_byte((start + row * length) as u64, what),
                None => Error::malformed(what),
            },
        }
    }
}

/// Checks every row; a vertex of a triangle that is given by its number is turned into its place.
pub(super) fn check(mesh: &mut Mesh, places: &Places) -> Result<()> {
    let counts: Vec<(Keyword, usize)> =
        mesh.fields.iter().map(|(keyword, rows)| (*keyword, rows.count)).collect();
    let count = |keyword| counts.iter().find(|(own, _)| *own == keyword).map_or(0, |own| own.1);
    for (keyword, rows) in &mesh.fields {
        if let Some(at) = rows.reals.iter().position(|real| !real.is_finite()) {
            let width = rows.reals.len() / rows.count.max(1);
            let what = format!("{}: need finite numbers, got {}", keyword.name(), rows.reals[at]);
            return Err(places.error(*keyword, at / width.max(1), what));
        }
        let columns = keyword.integers();
        if columns.is_empty() {
            continue;
        }
        // Labels may be anything; a bound for each of the others.
        let bounds: Vec<Option<u32>> = columns
            .iter()
            .map(|refers| match refers {
                Refers::Label => None,
                Refers::Row(of) => Some(count(*of) as u32),
                Refers::Place(most) => Some(*most as u32),
                Refers::PlaceOrVertex(_) => Some(count(Keyword::Vertices).max(4) as u32),
            })
            .collect();
        let odd = match columns.len() {
            1 => odd_row::<1>(rows, &bounds, 0),
            2 => odd_row::<2>(rows, &bounds, 0),
            // Of three numbers only an edge begins with corners.
            3 => odd_row::<3>(rows, &bounds, keyword.corners()),
            4 => odd_row::<4>(rows, &bounds, 3),
            5 => odd_row::<5>(rows, &bounds, 4),
            _ => odd_row::<9>(rows, &bounds, 8),
        };
        if let Some(row) = odd {
            let values = &rows.integers[row * columns.len()..(row + 1) * columns.len()];
            return Err(places.error(*keyword, row, what_is_odd(*keyword, row, values, &bounds)));
        }
    }
    into_places(mesh, places)
}

/// The first row with a number out of its bounds, or with a vertex twice among its corners.
fn odd_row<const N: usize>(rows: &Rows, bounds: &[Option<u32>], corners: usize) -> Option<usize> {
    // A number from 1 to a bound, less 1, is below it; a 0 is far above. A label is below all bounds.
    let mut most = [u32::MAX; N];
    let mut is_label = [0; N];
    for (at, bound) in bounds.iter().enumerate().take(N) {
        (most[at], is_label[at]) = bound.map_or((u32::MAX, u32::MAX), |bound| (bound, 0));
    }
    rows.integers.as_chunks::<N>().0.iter().position(|row| {
        let mut is_odd = false;
        for at in 0..N {
            is_odd |= (row[at].wrapping_sub(1) as u32) & !is_label[at] >= most[at];
        }
        for at in 1..N.min(corners) {
            for before in 0..at {
                is_odd |= row[before] == row[at];
            }
        }
        is_odd
    })
}

fn what_is_odd(keyword: Keyword, row: usize, values: &[i32], bounds: &[Option<u32>]) -> String {
    let name = format!("{} {}", keyword.name(), row + 1);
    for (value, most) in values.iter().zip(bounds) {
        if let Some(most) = most.filter(|most| *value < 1 || *value as u32 > *most) {
            return format!("{name}: need a number from 1 to {most}, got {value}");
        }
    }
    let own = &values[..keyword.corners()];
    format!("{name}: need vertices once each, got {own:?}")
}

/// Knight's text and his table disagree on whether a vertex is given by its place or its number: both are read.
fn into_places(mesh: &mut Mesh, places: &Places) -> Result<()> {
    let of = [
        (Keyword::NormalAtTriangleVertices, Keyword::Triangles),
        (Keyword::NormalAtQuadrilateralVertices, Keyword::Quadrilaterals),
        (Keyword::TangentAtEdges, Keyword::Edges),
    ];
    for (keyword, element) in of {
        let Some(mut rows) = mesh.fields.remove(&keyword) else { continue };
        let corners = element.corners();
        let elements = mesh.field(element).map_or(&[][..], |rows| &rows.integers);
        for (row, values) in rows.integers.chunks_exact_mut(3).enumerate() {
            if values[1] <= corners as i32 {
                continue;
            }
            let start = (values[0] as usize - 1) * (corners + 1);
            let own = &elements[start..start + corners];
            let Some(place) = own.iter().position(|vertex| *vertex == values[1]) else {
                let what = format!(
                    "{} {}: need one of the vertices {own:?}, got {}",
                    keyword.name(),
                    row + 1,
                    values[1]
                );
                return Err(places.error(keyword, row, what));
            };
            values[1] = place as i32 + 1;
        }
        mesh.fields.insert(keyword, rows);
    }
    Ok(())
}
