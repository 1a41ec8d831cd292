use proptest::prelude::*;

use super::*;

/// A file with every field.
const EVERYTHING: &str = "# two tetrahedra
MeshVersionFormatted 1
Dimension
3
Vertices
5
0 0 0 1   1 0 0 2   0 1 0 3
0 0 1 4
1 1 1.5 -5
Edges 2
1 2 0
2 3 7
Triangles 2
1 2 3 0
2 3 5 0
Quadrilaterals 1
1 2 5 3 0
Tetrahedra 2
1 2 3 4 0
2 3 4 5 0
Hexaedra 0
Corner 1
1
Ridge 1
2
RequiredVertices 2
1 4
RequiredEdges 1
1
Normals 2
0 0 1
1 0 0
Tangents 1
0 1 0
NormalAtVertices 1
1 2
NormalAtTriangleVertices 2
1 3 1
2 5 2
NormalAtQuadrilateralVertices 1
1 4 1
TangentAtEdges 1
2 2 1
Colors 2 4
1 0 0 1
0 0.5 0 1
ColorAtVertices 1
3 2
NeighborAtTriangleEdges 2
1 1 2
2 3 1
NeighborAtTetrahedronFaces 2
1 1 2
2 4 1
Oddities 1
2 3 4
End
";

#[test]
fn every_field_is_read_and_written() {
    let (mesh, notes) = read(EVERYTHING.as_bytes()).unwrap();
    assert_eq!(mesh.tetrahedra(), [[0, 1, 2, 3], [1, 2, 3, 4]]);
    assert_eq!(mesh.fields.len(), 20);
    assert_eq!(notes.len(), 1, "{notes:?}");
    assert!(notes[0].text.contains("Oddities"));
    // The vertex that is named by its number became a place.
    assert_eq!(mesh.fields[&Keyword::NormalAtTriangleVertices].integers, [1, 3, 1, 2, 3, 2]);
    let mut text = Vec::new();
    write(&mesh, Storage::Text, &mut text).unwrap();
    let (again, notes) = read(&text).unwrap();
    assert_eq!(again, mesh);
    assert!(notes.is_empty());
    for storage in [Storage::LittleEndian, Storage::BigEndian] {
        let mut bytes = Vec::new();
        let notes = write(&mesh, storage, &mut bytes).unwrap();
        assert!(notes[0].text.contains("Colors"), "{notes:?}");
        let (again, _) = read(&bytes).unwrap();
        for (keyword, rows) in &mesh.fields {
            let is_binary = keyword.code().is_some();
            assert_eq!(again.fields.get(keyword), is_binary.then_some(rows), "{keyword:?}");
        }
        (0..bytes.len()).for_each(|end| drop(read(&bytes[..end])));
    }
    (0..text.len()).for_each(|end| drop(read(&text[..end])));
}

#[test]
fn neighbours_are_rebuilt_equal_and_other_numberings_recognised() {
    let (mut mesh, _) = read(EVERYTHING.as_bytes()).unwrap();
    let before = mesh.clone();
    mesh.rebuild_neighbours();
    assert_eq!(mesh, before);
    // Counted from the far end.
    let other = EVERYTHING.replace("1 1 2\n2 4 1\nOdd", "1 4 2\n2 1 1\nOdd");
    assert_eq!(read(other.as_bytes()).unwrap().0, before);
    let nonsense = EVERYTHING.replace("1 1 2\n2 4 1\nOdd", "1 2 2\n2 2 1\nOdd");
    let (mesh, notes) = read(nonsense.as_bytes()).unwrap();
    assert_eq!(mesh, before);
    assert!(notes.iter().any(|note| note.code == "mesh-neighbours-rebuilt"), "{notes:?}");
    let one_sided = EVERYTHING.replace(
        "NeighborAtTetrahedronFaces 2\n1 1 2\n2 4 1",
        "NeighborAtTetrahedronFaces 1\n1 1 2",
    );
    let error = read(one_sided.as_bytes()).unwrap_err().to_string();
    assert!(error.contains("both sides") && error.starts_with("line "), "{error}");
}

#[test]
fn what_is_wrong_is_said_with_its_line() {
    let refused = |from: &str, to: &str| {
        let text = EVERYTHING.replace(from, to);
        assert_ne!(text, EVERYTHING);
        read(text.as_bytes()).unwrap_err().to_string()
    };
    assert_eq!(
        refused("2 3 4 5 0", "2 3 4 6 0"),
        "line 20: Tetrahedra 2: need a number from 1 to 5, got 6"
    );
    assert!(refused("2 3 4 5 0", "2 3 4 0 0").contains("got 0"));
    assert!(refused("2 3 4 5 0", "2 3 3 5 0").contains("once each, got [2, 3, 3, 5]"));
    assert!(refused("Tetrahedra 2", "Tetrahedra 4000000000").contains("need 4000000000 rows"));
    assert_eq!(refused("1 1 1.5 -5", "1 1 NaN -5"), "line 9: number: need a finite one, got 'NaN'");
    assert!(refused("Dimension\n3", "Dimension 2").contains("need 3, got 2"));
    assert!(refused("2 3 7", "2 x 7").contains("'x'"));
    assert!(refused("Quadrilaterals 1\n", "Triangles 1\n").contains("twice"));
    assert!(read(b"").is_err());
    assert!(read(b"MeshVersionFormatted 1\nDimension 3\nVertices 1\n0 0").is_err());
    let mut bytes = Vec::new();
    let (mesh, _) = read(EVERYTHING.as_bytes()).unwrap();
    write(&mesh, Storage::LittleEndian, &mut bytes).unwrap();
    // The count of vertices.
    bytes[28..32].copy_from_slice(&4_000_000_000u32.to_le_bytes());
    let error = read(&bytes).unwrap_err().to_string();
    assert!(error.starts_with("byte 28: Vertices: need 4000000000 rows"), "{error}");
}

#[test]
fn a_file_in_pieces_is_what_it_is_at_once() {
    let vertices_m: Vec<Point3<f64>> =
        (0..9_000).map(|at| Point3::new(f64::from(at), 0.1, 1.0 / f64::from(1 + at))).collect();
    let triangles: Vec<[u32; 3]> = (0..8_998).map(|at| [at, at + 1, at + 2]).collect();
    let mesh = Mesh::new(&vertices_m, &triangles, &[]).unwrap();
    let path = std::env::temp_dir().join(format!("condyle-meshb-{}", std::process::id()));
    let read_file = |bytes: &[u8]| {
        std::fs::write(&path, bytes).unwrap();
        read_path(&path)
    };
    for storage in [Storage::Text, Storage::LittleEndian, Storage::BigEndian] {
        let mut bytes = Vec::new();
        write(&mesh, storage, &mut bytes).unwrap();
        assert_eq!(read_file(&bytes).unwrap(), (mesh.clone(), Vec::new()));
        for length in [0, 3, 4, 9, 70_000, bytes.len() / 2] {
            let error = read_file(&bytes[..length]).unwrap_err();
            let at_once = read(&bytes[..length]).unwrap_err();
            assert_eq!(error.path(), Some(path.as_path()));
            assert_eq!(error.place(), at_once.place(), "{length}: {error}");
        }
        if storage == Storage::LittleEndian {
            // A block of an unknown kind, longer than a piece, before the others.
            let mut more = bytes[..20].to_vec();
            let length = 100_000u32;
            more.extend([99u32, 20 + 8 + length].map(u32::to_le_bytes).concat());
            more.resize((20 + 8 + length) as usize, 7);
            more.extend(moved(&bytes[20..], length + 8));
            let (again, notes) = read_file(&more).unwrap();
            assert_eq!((again, notes.len()), (mesh.clone(), 1));
        }
    }
    std::fs::remove_file(&path).unwrap();
}

/// Blocks of version 2 whose places are so much farther on.
fn moved(blocks: &[u8], by: u32) -> Vec<u8> {
    let mut moved = blocks.to_vec();
    let mut at = 0;
    loop {
        let place = u32::from_le_bytes(blocks[at + 4..at + 8].try_into().unwrap());
        if place == 0 {
            return moved;
        }
        moved[at + 4..at + 8].copy_from_slice(&(place + by).to_le_bytes());
        at = place as usize - 20;
    }
}

proptest! {
    #[test]
    fn write_then_read_is_the_identity(
        coordinates in proptest::collection::vec(-1e6..1e6f64, 12..60),
        corners in proptest::collection::vec(0u32..1000, 0..60),
        is_single: bool,
    ) {
        let cut = |x: f64| if is_single { f64::from(x as f32) } else { x };
        let vertices_m: Vec<Point3<f64>> = coordinates
            .chunks_exact(3)
            .map(|c| Point3::new(cut(c[0]), cut(c[1]), cut(c[2])))
            .collect();
        let count = vertices_m.len() as u32;
        let at = |c: u32, place: u32| (c + place) % count;
        let triangles: Vec<[u32; 3]> =
            corners.iter().map(|c| [at(*c, 0), at(*c, 1), at(*c, 2)]).collect();
        let tetrahedra: Vec<[u32; 4]> =
            corners.iter().map(|c| [at(*c, 0), at(*c, 1), at(*c, 2), at(*c, 3)]).collect();
        let mesh = Mesh::new(&vertices_m, &triangles, &tetrahedra).unwrap();
        for storage in [Storage::Text, Storage::LittleEndian, Storage::BigEndian] {
            let mut bytes = Vec::new();
            write(&mesh, storage, &mut bytes).unwrap();
            let (again, notes) = read(&bytes).unwrap();
            prop_assert_eq!(&again, &mesh);
            prop_assert!(notes.is_empty());
        }
        prop_assert_eq!(mesh.vertices_m(), vertices_m);
        prop_assert_eq!(mesh.tetrahedra(), tetrahedra);
    }
}
