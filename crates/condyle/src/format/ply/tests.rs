use proptest::prelude::*;

use super::*;

const SQUARE: &str = "ply\nformat ascii 1.0\ncomment two triangles\nelement vertex 4\nproperty float x\n\
    property float y\nproperty float z\nproperty uchar red\nelement face 1\n\
    property list uchar int vertex_indices\nend_header\n0 0 0 9\n1 0 0 9\n1 1 0 9\n0 1 0 9\n4 0 1 2 3\n";

#[test]
fn a_polygon_is_cut_in_triangles() {
    let (surface, notes) = read(SQUARE.as_bytes()).unwrap();
    assert_eq!(surface.triangles, [[0, 1, 2], [0, 2, 3]]);
    assert_eq!(surface.vertices_m[2], Point3::new(1.0, 1.0, 0.0));
    assert_eq!(notes[0].code, "ply-faces-cut");
}

#[test]
fn what_is_wrong_is_said_with_its_line_or_byte() {
    let refused = |text: String| read(text.as_bytes()).unwrap_err().to_string();
    assert_eq!(
        refused(SQUARE.replace("4 0 1 2 3", "4 0 1 2 4")),
        "line 16: face 1: need vertices 0 to 3, got 4"
    );
    assert_eq!(refused(SQUARE.replace("1 1 0 9", "1 nan 0 9")).split(':').next(), Some("line 14"));
    let many = refused(SQUARE.replace("vertex 4\n", "vertex 4000000000\n"));
    assert!(many.contains("need 4000000000 rows"), "{many}");
    assert!(refused(SQUARE.replace("4 0 1 2 3", "2 0 1")).contains("need 3 corners"));
    assert!(refused(SQUARE.replace("4 0 1 2 3", "4000000000 0 1")).contains("list: need a count"));
    assert!(refused(SQUARE.replace("float z", "float w")).contains("need properties x, y and z"));
    assert!(refused(SQUARE.replace("end_header", "end")).contains("line 11"));
    assert!(refused("ply\nformat ascii 1.0\n".to_owned()).contains("end of the file"));
}

proptest! {
    #[test]
    fn write_then_read_is_the_identity(
        coordinates in proptest::collection::vec(-1e6..1e6f64, 9..60),
        corners in proptest::collection::vec(0u32..1000, 0..60),
    ) {
        let vertices_m: Vec<Point3<f64>> =
            coordinates.chunks_exact(3).map(|c| Point3::new(c[0], c[1], c[2])).collect();
        let count = vertices_m.len() as u32;
        let triangles =
            corners.chunks_exact(3).map(|c| [c[0] % count, c[1] % count, c[2] % count]).collect();
        let surface = TriangleMesh { vertices_m, triangles };
        for storage in [Storage::Text, Storage::LittleEndian, Storage::BigEndian] {
            let mut bytes = Vec::new();
            write(&surface, storage, &mut bytes).unwrap();
            let (again, notes) = read(&bytes).unwrap();
            prop_assert_eq!(&again, &surface);
            prop_assert!(notes.is_empty());
            // Cut off anywhere it is refused, never a panic.
            for end in 0..bytes.len() {
                let _ = read(&bytes[..end]);
            }
        }
    }
}
