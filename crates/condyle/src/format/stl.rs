//! STL, the format of stereolithography: triangles by their corners, binary and text. Read, not written.
//!
//! Normals are left out: the order of the corners says the same. Coordinates are numbers without a unit: whoever reads
//! takes them for metres. Corners that are shared are repeated; [`crate::solid::TriangleMesh`] holds them so.
//!
//! # Reference
//! 3D Systems 1988, *Stereolithography interface specification*.

use nalgebra::Point3;

use crate::error::{Error, ErrorKind, Result};
use crate::solid::TriangleMesh;

/// Before the count of a binary file there is anything at all.
const HEADER: usize = 80;
/// A normal, three corners and two bytes more.
const RECORD: usize = 50;

/// Whether a file is one of these: text, or binary and as long as it says.
pub fn is_stl(bytes: &[u8]) -> bool {
    is_binary(bytes) || bytes.trim_ascii_start().starts_with(b"solid")
}

fn is_binary(bytes: &[u8]) -> bool {
    let count = bytes.get(HEADER..HEADER + 4).and_then(|count| count.try_into().ok());
    let count = count.map(|count| u32::from_le_bytes(count) as usize);
    count.is_some_and(|count| bytes.len() == HEADER + 4 + RECORD * count)
}

/// Reads a surface.
///
/// # Errors
/// There are fewer corners than triangles need, or a coordinate is not a finite number; with the line.
pub fn read(bytes: &[u8]) -> Result<TriangleMesh> {
    if bytes.is_empty() {
        return Err(ErrorKind::Empty.into());
    }
    let vertices_m = if is_binary(bytes) { binary(bytes) } else { text(bytes)? };
    if vertices_m.is_empty() || !vertices_m.len().is_multiple_of(3) {
        let got = vertices_m.len();
        return Err(Error::malformed(format!("stl: need three corners a triangle, got {got}")));
    }
    if let Some(at) = vertices_m.iter().position(|p| !p.iter().all(|x| x.is_finite())) {
        let what = format!("triangle {}: need finite coordinates, got others", at / 3 + 1);
        return Err(Error::malformed(what));
    }
    let count = u32::try_from(vertices_m.len() / 3)
        .map_err(|_| Error::malformed("stl: need fewer triangles, got more than can be counted"))?;
    let triangles = (0..count).map(|at| [3 * at, 3 * at + 1, 3 * at + 2]).collect();
    Ok(TriangleMesh { vertices_m, triangles })
}

fn binary(bytes: &[u8]) -> Vec<Point3<f64>> {
    let records = bytes[HEADER + 4..].as_chunks::<RECORD>().0;
    let number = |record: &[u8; RECORD], at: usize| {
        let own: [u8; 4] = std::array::from_fn(|byte| record[4 * at + byte]);
        f64::from(f32::from_le_bytes(own))
    };
    let corners = records.iter().flat_map(|record| {
        [3, 6, 9].map(|at| {
            Point3::new(number(record, at), number(record, at + 1), number(record, at + 2))
        })
    });
    corners.collect()
}

fn text(bytes: &[u8]) -> Result<Vec<Point3<f64>>> {
    let mut vertices_m = Vec::new();
    for (number, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
        let line = String::from_utf8_lossy(line);
        let Some(rest) = line.trim().strip_prefix("vertex") else { continue };
        let values: Vec<f64> =
            rest.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        let [x, y, z] = values[..] else {
            return Err(Error::at_line(number + 1, "need three numbers after vertex"));
        };
        vertices_m.push(Point3::new(x, y, z));
    }
    Ok(vertices_m)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1e0 0\n\
                        endloop\nendfacet\nendsolid a\n";

    #[test]
    fn text_and_binary_are_the_same_triangle() {
        let own = read(TEXT.as_bytes()).unwrap();
        let mut bytes = vec![0u8; HEADER];
        bytes.extend(1u32.to_le_bytes());
        let numbers: [f32; 12] = [0., 0., 1., 0., 0., 0., 1., 0., 0., 0., 1., 0.];
        bytes.extend(numbers.iter().flat_map(|x| x.to_le_bytes()));
        bytes.extend([0; 2]);
        assert!(is_stl(&bytes) && is_stl(TEXT.as_bytes()));
        assert_eq!(read(&bytes).unwrap(), own);
        assert_eq!((own.vertices_m.len(), own.triangles.len()), (3, 1));
    }

    #[test]
    fn what_is_cut_off_is_refused_with_its_place() {
        assert!(read(b"").is_err());
        let error = read(TEXT.replace("1 0 0", "1 0").as_bytes()).unwrap_err();
        assert!(error.to_string().contains("three numbers"), "{error}");
        let error = read(TEXT.replace("vertex 1 0 0\n", "").as_bytes()).unwrap_err();
        assert!(error.to_string().contains("three corners"), "{error}");
        assert!(read(TEXT.replace("1e0", "nan").as_bytes()).is_err());
        assert!(!is_stl(b"ply\n"));
    }
}
