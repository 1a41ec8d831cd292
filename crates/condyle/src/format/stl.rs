//! STL, the format of stereolithography: triangles by their corners. Binary and text are read, binary is written.
//!
//! Normals are left out: the order of the corners says the same. Coordinates are numbers without a unit: whoever reads
//! takes them for metres. Corners that are shared are repeated; [`crate::solid::TriangleMesh`] holds them so.
//!
//! # Reference
//! 3D Systems 1988, *Stereolithography interface specification*.

use std::io::Write;

use nalgebra::{Point3, Vector3};

use crate::error::{Error, ErrorKind, Result, check_finite};
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

/// Writes a surface as binary, in single precision, as the format has it.
///
/// # Errors
/// A triangle needs a vertex that there is not, there are more triangles than can be counted, a coordinate is not finite
/// in single precision, or writing fails.
pub fn write(surface: &TriangleMesh, out: &mut impl Write) -> Result<()> {
    let TriangleMesh { vertices_m, triangles } = surface;
    let count = u32::try_from(triangles.len());
    let count = count.map_err(|_| ErrorKind::CannotHold("stl: too many triangles".to_owned()))?;
    let single =
        vertices_m.iter().flat_map(|vertex_m| vertex_m.iter().map(|x| f64::from(*x as f32)));
    check_finite("stl", single)?;
    let mut header = [b' '; HEADER];
    header[..7].copy_from_slice(b"condyle");
    out.write_all(&header)?;
    out.write_all(&count.to_le_bytes())?;
    for triangle in triangles {
        let corner = |at: &u32| vertices_m.get(*at as usize).copied();
        let [Some(a), Some(b), Some(c)] = triangle.each_ref().map(corner) else {
            let what =
                format!("stl: need vertices below {}, got a triangle beyond", vertices_m.len());
            return Err(ErrorKind::CannotHold(what).into());
        };
        let normal = (b - a).cross(&(c - a)).try_normalize(0.0).unwrap_or_else(Vector3::zeros);
        let mut record = [0u8; RECORD];
        let numbers = [normal, a.coords, b.coords, c.coords];
        for (place, x) in record.chunks_exact_mut(4).zip(numbers.iter().flat_map(|own| own.iter()))
        {
            place.copy_from_slice(&(*x as f32).to_le_bytes());
        }
        out.write_all(&record)?;
    }
    Ok(())
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
    fn what_is_written_reads_the_same_and_closes_when_its_corners_are_welded() {
        let ball = crate::solid::RoundCone { ends_m: [Point3::origin(); 2], radii_m: [0.25; 2] };
        let ball = ball.surface(12).unwrap();
        let own = TriangleMesh {
            vertices_m: ball.vertices_m().to_vec(),
            triangles: ball.triangles().to_vec(),
        };
        let mut bytes = Vec::new();
        write(&own, &mut bytes).unwrap();
        let read = read(&bytes).unwrap();
        assert_eq!(read.vertices_m.len(), 3 * own.triangles.len());
        let welded = read.welded();
        assert_eq!(welded.vertices_m.len(), own.vertices_m.len());
        let closed = crate::solid::ClosedSurface::new(welded.vertices_m, welded.triangles).unwrap();
        let volumes = [&closed, &ball].map(|own| own.mass_properties(1.0).volume_m3);
        assert!((volumes[0] - volumes[1]).abs() < 1e-6 * volumes[1], "{volumes:?}");
        let wrong = TriangleMesh { vertices_m: own.vertices_m, triangles: vec![[0, 1, 1 << 30]] };
        assert!(write(&wrong, &mut Vec::new()).is_err());
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
