//! PLY, Stanford's format of surfaces: text and both byte orders.
//!
//! Vertices have `x`, `y`, `z`; faces a list `vertex_indices` or `vertex_index`. Faces of more corners are cut into
//! triangles from their first corner, with a note; everything else that a file holds is skipped. Coordinates are numbers
//! without a unit: whoever reads takes them for metres. Triangles are written.
//!
//! # Reference
//! G. Turk 1994, *The PLY polygon file format*.

mod header;
mod values;

use std::io::Write;

use nalgebra::Point3;

use header::{Encoding, Header, Property};
use values::Values;

use crate::error::{Error, ErrorKind, Result, check_finite};
use crate::note::Note;
use crate::solid::TriangleMesh;

/// How a surface is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Storage {
    /// Text.
    Text,
    /// Binary, the least significant byte first.
    #[default]
    LittleEndian,
    /// Binary, the most significant byte first.
    BigEndian,
}

/// Whether a file begins like one of these.
pub fn is_ply(head: &[u8]) -> bool {
    head.starts_with(b"ply\n") || head.starts_with(b"ply\r")
}

/// Reads a surface; returns notes on what was cut or left out. Whether it is closed is for
/// [`crate::solid::ClosedSurface`] to say.
///
/// # Errors
/// The header is not one of PLY, there are fewer bytes than it says, an index is beyond the vertices, or a coordinate is
/// not finite; with the line or the byte.
pub fn read(bytes: &[u8]) -> Result<(TriangleMesh, Vec<Note>)> {
    if bytes.is_empty() {
        return Err(ErrorKind::Empty.into());
    }
    let header = Header::read(bytes)?;
    let mut values = Values::new(bytes, &header);
    let mut surface = TriangleMesh::default();
    let (mut skipped, mut cut) = (Vec::new(), 0usize);
    for element in &header.elements {
        values.check_room(element)?;
        match element.name.as_str() {
            "vertex" => vertices(element, &mut values, &mut surface.vertices_m)?,
            "face" => faces(element, &mut values, &mut surface.triangles, &mut cut)?,
            name => {
                skipped.push(name.to_owned());
                for _ in 0..element.count {
                    element.properties.iter().try_for_each(|own| values.skip(own))?;
                }
            }
        }
    }
    let count = surface.vertices_m.len();
    let beyond = |triangle: &[u32; 3]| triangle.iter().any(|at| *at as usize >= count);
    if let Some(at) = surface.triangles.iter().position(beyond) {
        // Faces before vertices: nobody writes that, and the place is no longer known.
        let what = format!("triangle {}: need vertices 0 to {count}, got one beyond", at + 1);
        return Err(Error::malformed(what));
    }
    let mut notes = Vec::new();
    notes.extend(Note::counted(
        cut,
        "ply-faces-cut",
        "faces of more corners were cut in triangles",
    ));
    if !skipped.is_empty() {
        let text =
            format!("elements other than vertex and face were skipped: {}", skipped.join(", "));
        notes.push(Note::new("ply-elements-skipped", text));
    }
    Ok((surface, notes))
}

fn vertices(
    element: &header::Element,
    values: &mut Values,
    vertices_m: &mut Vec<Point3<f64>>,
) -> Result<()> {
    let place = |name: &str| element.properties.iter().position(|own| own.name() == name);
    let Some([x, y, z]) = place("x").zip(place("y")).zip(place("z")).map(|((x, y), z)| [x, y, z])
    else {
        return Err(Error::malformed("vertex: need properties x, y and z, got others"));
    };
    vertices_m.reserve(element.count);
    let mut row = vec![0.0; element.properties.len()];
    for _ in 0..element.count {
        let start = values.place();
        for (own, value) in element.properties.iter().zip(&mut row) {
            match own {
                Property::Scalar { kind, .. } => *value = values.real(*kind)?,
                Property::List { .. } => values.skip(own)?,
            }
        }
        let vertex_m = Point3::new(row[x], row[y], row[z]);
        if !vertex_m.iter().all(|x| x.is_finite()) {
            let what =
                format!("vertex {}: need finite coordinates, got {vertex_m}", vertices_m.len() + 1);
            return Err(values.error(start, what));
        }
        vertices_m.push(vertex_m);
    }
    values.set_vertices(vertices_m.len());
    Ok(())
}

fn faces(
    element: &header::Element,
    values: &mut Values,
    triangles: &mut Vec<[u32; 3]>,
    cut: &mut usize,
) -> Result<()> {
    let is_corners = |own: &Property| matches!(own, Property::List { name, .. } if name == "vertex_indices" || name == "vertex_index");
    if !element.properties.iter().any(is_corners) {
        return Err(Error::malformed("face: need a list vertex_indices, got none"));
    }
    // A file of empty lists would make much of nothing.
    triangles.reserve(element.count.min(values.left() / 4));
    for face in 0..element.count {
        for own in &element.properties {
            match own {
                Property::List { count, item, .. } if is_corners(own) => {
                    let start = values.place();
                    let corners = values.count(*count, *item)?;
                    if corners < 3 {
                        let what = format!("face {}: need 3 corners, got {corners}", face + 1);
                        return Err(values.error(start, what));
                    }
                    *cut += usize::from(corners > 3);
                    let first = values.index(*item, face)?;
                    let mut before = values.index(*item, face)?;
                    for _ in 2..corners {
                        let next = values.index(*item, face)?;
                        triangles.push([first, before, next]);
                        before = next;
                    }
                }
                _ => values.skip(own)?,
            }
        }
    }
    Ok(())
}

/// Writes triangles, coordinates in double precision.
///
/// # Errors
/// An index is beyond the vertices or above what the format counts, a coordinate is not finite, or writing fails.
pub fn write(surface: &TriangleMesh, storage: Storage, out: &mut impl Write) -> Result<()> {
    let TriangleMesh { vertices_m, triangles } = surface;
    check_finite("ply", vertices_m.iter().flat_map(|vertex_m| vertex_m.iter().copied()))?;
    let count = vertices_m.len();
    if triangles.iter().flatten().any(|at| *at as usize >= count || *at > i32::MAX as u32) {
        let what = format!("ply: need vertices below {count}, got a triangle beyond");
        return Err(ErrorKind::CannotHold(what).into());
    }
    let encoding = match storage {
        Storage::Text => Encoding::Text,
        Storage::LittleEndian => Encoding::Little,
        Storage::BigEndian => Encoding::Big,
    };
    let name = encoding.name();
    write!(
        out,
        "ply\nformat {name} 1.0\nelement vertex {count}\nproperty double x\nproperty double y\nproperty double z\n\
         element face {}\nproperty list uchar int vertex_indices\nend_header\n",
        triangles.len()
    )?;
    let mut bytes = Vec::new();
    let mut text = String::new();
    for vertex_m in vertices_m {
        match encoding {
            Encoding::Text => {
                text.clear();
                for (axis, value) in vertex_m.iter().enumerate() {
                    crate::format::text::write_number(&mut text, *value);
                    text.push(if axis == 2 { '\n' } else { ' ' });
                }
                bytes.extend_from_slice(text.as_bytes());
            }
            Encoding::Little => bytes.extend(vertex_m.iter().flat_map(|x| x.to_le_bytes())),
            Encoding::Big => bytes.extend(vertex_m.iter().flat_map(|x| x.to_be_bytes())),
        }
    }
    for [a, b, c] in triangles {
        match encoding {
            Encoding::Text => bytes.extend_from_slice(format!("3 {a} {b} {c}\n").as_bytes()),
            Encoding::Little => {
                bytes.push(3);
                bytes.extend([a, b, c].iter().flat_map(|at| at.to_le_bytes()));
            }
            Encoding::Big => {
                bytes.push(3);
                bytes.extend([a, b, c].iter().flat_map(|at| at.to_be_bytes()));
            }
        }
    }
    Ok(out.write_all(&bytes)?)
}

#[cfg(test)]
mod tests;
