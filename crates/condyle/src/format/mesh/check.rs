//! What an index counts must be there.

use super::Mesh;
use super::keyword::{Keyword, Refers};
use super::text::Words;
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
        let bounds: Vec<i64> = columns
            .iter()
            .map(|refers| match refers {
                Refers::Label => i64::MAX,
                Refers::Row(of) => count(*of) as i64,
                Refers::Place(most) => i64::from(*most),
                Refers::PlaceOrVertex(_) => count(Keyword::Vertices).max(4) as i64,
            })
            .collect();
        let corners = keyword.corners();
        for (row, values) in rows.integers.chunks_exact(columns.len()).enumerate() {
            for (column, value) in values.iter().enumerate() {
                let is_label = bounds[column] == i64::MAX;
                if !is_label && (*value < 1 || i64::from(*value) > bounds[column]) {
                    let what = format!(
                        "{} {}: need a number from 1 to {}, got {value}",
                        keyword.name(),
                        row + 1,
                        bounds[column]
                    );
                    return Err(places.error(*keyword, row, what));
                }
            }
            let own = &values[..corners];
            if (1..corners).any(|at| own[..at].contains(&own[at])) {
                let what =
                    format!("{} {}: need vertices once each, got {own:?}", keyword.name(), row + 1);
                return Err(places.error(*keyword, row, what));
            }
        }
    }
    into_places(mesh, places)
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
