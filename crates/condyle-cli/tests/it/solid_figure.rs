//! `condyle figure`, `condyle blend`, and what `condyle run --figure --segments` writes.
use crate::run::condyle_in;
use std::f64::consts::TAU;
use std::fs;

const PLY: &str = "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nelement face \
4\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 0 3 2\n";
const MESH: &str = "MeshVersionFormatted 2\nDimension 3\nVertices 4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\nTetrahedra 1\n1 2 3 4 0\nEnd\n";
const ATM: &str = "FIGURE f\nSEGMENTS 2\nMESH 0 a.mesh\nMASS 2\nNAME A\nSCALE_XYZ 1 2 3\nJOINT r\n3 0 0 0\nCHILDREN 1 1\nENDMESH\n\
MESH 1 a.mesh\nNAME B\nPARENT 0\nJOINT j\n3 0 0 1\nDEGREES_OF_FREEDOM 1 1\nVALUE 0\n3 1 0 0\nFROM -90 TO 90\nVALUE 0\n3 0 0 1\n\
FROM 0 TO 1\nENDMESH\nENDFIGURE\n";
const MOTION: &str =
    "MOTION f\nSEGMENT B\nDOF 1 FROM 0 TO 1 CENTRE 0.5 ORDER 1\n10 20\nENDMOTION\n";

/// A Klein bottle: a grid whose one way round turns the other over.
fn klein() -> String {
    let (n, m) = (12usize, 10usize);
    let at = |i: usize, j: usize| {
        if i < n { i * m + j % m } else { (i - n) * m + (2 * m - j) % m }
    };
    let mut vertices = String::new();
    let mut faces = String::new();
    for i in 0..n {
        for j in 0..m {
            let (u, v) = (TAU * i as f64 / n as f64, TAU * j as f64 / m as f64);
            let out = 2.0 + (u / 2.0).cos() * v.sin() - (u / 2.0).sin() * (2.0 * v).sin();
            let z = (u / 2.0).sin() * v.sin() + (u / 2.0).cos() * (2.0 * v).sin();
            vertices += &format!("{} {} {z}\n", out * u.cos(), out * u.sin());
            let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            faces += &format!("3 {a} {b} {c}\n3 {a} {c} {d}\n");
        }
    }
    format!(
        "ply\nformat ascii 1.0\nelement vertex {}\nproperty float x\nproperty float y\nproperty float z\nelement face {}\n\
         property list uchar int vertex_indices\nend_header\n{vertices}{faces}",
        n * m,
        2 * n * m
    )
}

#[test]
fn what_is_wrong_with_a_mesh_or_a_figure_is_said_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("a.mesh"), MESH).unwrap();
    let cases: Vec<(&str, String, &[&str])> = vec![
        ("open.ply", PLY.replace("face 4", "face 3").replace("3 0 3 2\n", ""), &["3 edges", "1-3"]),
        ("klein.ply", klein(), &["one side only"]),
        ("flat.ply", PLY.replace("3 0 2 1\n", "3 0 1 1\n"), &["triangle 1"]),
        ("line.ply", PLY.replace("0 0 1\n3", "2 0 0\n3"), &["triangle 2"]),
        ("repeated.mesh", MESH.replace("1 2 3 4 0", "1 2 2 4 0"), &["line 9"]),
        ("zero.mesh", MESH.replace("1 2 3 4 0", "0 2 3 4 0"), &["line 9"]),
        ("beyond.mesh", MESH.replace("1 2 3 4 0", "1 2 3 5 0"), &["line 9"]),
        ("beyond.ply", PLY.replace("3 0 3 2", "3 0 4 2"), &["line 17", "got 4"]),
        (
            "many.mesh",
            MESH.replace("Tetrahedra 1", "Tetrahedra 4000000000"),
            &["line 8", "room for"],
        ),
        ("many.ply", PLY.replace("vertex 4", "vertex 4000000000"), &["line 10", "room for"]),
        ("corners.ply", PLY.replace("3 0 3 2", "4000000000 0 3 2"), &["line 17", "at most"]),
        ("nan.mesh", MESH.replace("0 1 0 0", "0 nan 0 0"), &["line 6"]),
        ("nan.ply", PLY.replace("0 1 0\n", "0 nan 0\n"), &["line 12"]),
        ("missing.atm", ATM.replacen("a.mesh", "b.mesh", 1), &["b.mesh", "no such file"]),
        ("outside.atm", ATM.replacen("a.mesh", "../a.mesh", 1), &["line 3"]),
        ("absolute.atm", ATM.replacen("a.mesh", "/a.mesh", 1), &["line 3"]),
        ("many.atm", ATM.replace("SEGMENTS 2", "SEGMENTS 4000000000"), &["line 2", "room for"]),
        ("cycle.atm", ATM.replace("NAME A\n", "NAME A\nPARENT 1\n"), &["line 6", "cycle"]),
        (
            "roots.atm",
            ATM.replace("PARENT 0\n", "").replace("CHILDREN 1 1\n", ""),
            &["line 10", "one root"],
        ),
        ("children.atm", ATM.replace("CHILDREN 1 1\n", "CHILDREN 0\n"), &["line 9", "PARENT"]),
        ("limits.atm", ATM.replace("FROM -90 TO 90", "FROM 90 TO -90"), &["line", "FROM"]),
        ("axis.atm", ATM.replace("3 1 0 0", "3 0 0 0"), &["line", "axis"]),
        ("nan.atm", ATM.replace("3 0 0 1\nDEGREES", "3 0 nan 1\nDEGREES"), &["line", "nan"]),
        ("mass.atm", ATM.replace("MASS 2", "MASS -2"), &["line 4"]),
        ("scale.atm", ATM.replace("SCALE_XYZ 1 2 3", "SCALE_XYZ 1 -2 3"), &["line 6"]),
    ];
    for (name, text, needed) in cases {
        assert!(text != PLY && text != MESH && text != ATM, "{name}: nothing was changed");
        fs::write(at.join(name), text).unwrap();
        let ran = condyle_in(at, &["figure", name, "--json"]);
        assert_eq!(ran.code, 1, "{name}: {}{}", ran.stdout, ran.stderr);
        let error = ran.stderr.trim();
        assert!(error.contains(name) && error.lines().count() == 1, "{name}: {error}");
        assert!(needed.iter().all(|word| error.contains(word)), "{name}: {error}");
    }
    // A mesh that is open is named, not the figure that wants it.
    fs::write(at.join("open.atm"), ATM.replacen("a.mesh", "open.ply", 1)).unwrap();
    let ran = condyle_in(at, &["figure", "open.atm"]).expect(1);
    assert!(ran.stderr.contains("open.ply: surface: need a closed one"), "{}", ran.stderr);
    // The same in bytes: the block of vertices begins at byte 20, its count 8 bytes on.
    condyle_in(at, &["figure", "a.mesh", "-o", "a.meshb"]).expect(0);
    let whole = fs::read(at.join("a.meshb")).unwrap();
    let tetrahedra = whole.windows(4).rposition(|own| own == 8u32.to_le_bytes()).unwrap();
    for (name, place, value, needed) in [
        ("many.meshb", 28, 4_000_000_000, "byte 28: Vertices: need 4000000000 rows"),
        ("zero.meshb", tetrahedra + 12, 0, "got 0"),
        ("beyond.meshb", tetrahedra + 12, 5, "from 1 to 4, got 5"),
        ("nan.meshb", 32, 0x7fc0_0000, "finite"),
        ("version.meshb", 4, 9, "byte 4: version"),
        ("back.meshb", 24, 3, "byte 24: next block"),
    ] {
        let mut bytes = whole.clone();
        bytes[place..place + 4].copy_from_slice(&u32::to_le_bytes(value));
        fs::write(at.join(name), bytes).unwrap();
        let ran = condyle_in(at, &["figure", name, "--json"]).expect(1);
        let error = ran.stderr.trim();
        assert!(error.contains(name) && error.contains("byte"), "{name}: {error}");
        assert!(error.contains(needed) && error.lines().count() == 1, "{name}: {error}");
    }
    fs::write(at.join("f.atm"), ATM).unwrap();
    let twice = MOTION.replace("ENDMOTION", "DOF 1 FROM 0.5 TO 2 CENTRE 1 ORDER 0\n3\nENDMOTION");
    fs::write(at.join("m.motion"), twice).unwrap();
    let ran = condyle_in(at, &["figure", "f.atm", "--motion", "m.motion", "-o", "m.glb"]).expect(1);
    assert!(ran.stderr.contains("m.motion: line 5: DOF: need windows apart"), "{}", ran.stderr);
    fs::write(at.join("m.motion"), MOTION).unwrap();
    condyle_in(at, &["figure", "f.atm", "--motion", "m.motion", "-o", "m.glb"]).expect(0);
}

#[test]
fn a_closed_mesh_is_weighed_and_written_as_stl_and_back() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("a.ply"), PLY).unwrap();
    condyle_in(at, &["figure", "a.ply", "-o", "a.stl"]).expect(0);
    for name in ["a.ply", "a.stl"] {
        let json = condyle_in(at, &["figure", name, "--json"]).expect(0).json();
        let segment = &json["segments"][0];
        assert!((segment["volume_m3"].as_f64().unwrap() - 1.0 / 6.0).abs() < 1e-12, "{json}");
        let centre = segment["centre_of_mass_m"][2].as_f64().unwrap();
        assert!((centre - 0.25).abs() < 1e-12, "{json}");
    }
    condyle_in(at, &["figure", "a.ply", "-o", "a.png"]).expect(0);
    assert!(fs::read(at.join("a.png")).unwrap().starts_with(b"\x89PNG"));
}

#[test]
fn a_run_writes_body_and_physics_and_shows_them() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    condyle_in(at, &["simulate", "--routine", "walk", "--seconds", "2", "--rate", "50", "-o", "w"])
        .expect(0);
    let args =
        ["run", "w/recording.c3d", "--figure", "--segments", "--weight-kg", "62", "-o", "out"];
    condyle_in(at, &args).expect(0);
    let out = at.join("out/recording");
    let table = fs::read_to_string(out.join("physics.csv")).unwrap();
    let header: Vec<&str> = table.lines().next().unwrap().split(',').collect();
    assert_eq!(header[14..], ["inertia_about_spin", "com_sd_m", "com_sd_by_masses_m"]);
    let row: Vec<f64> =
        table.lines().nth(50).unwrap().split(',').map(|word| word.parse().unwrap()).collect();
    // A walker's centre of mass is known to a centimetre or two, less by the table alone.
    assert!((0.003..0.04).contains(&row[15]) && row[16] <= row[15], "{row:?}");
    assert!((0.3..20.0).contains(&row[14]), "{row:?}");
    // The segments of a frame have the mass and the momentum of the whole.
    let segments = fs::read_to_string(out.join("physics-segments.csv")).unwrap();
    let frame = table.lines().nth(50).unwrap().split(',').next().unwrap();
    let rows: Vec<Vec<&str>> = segments
        .lines()
        .map(|line| line.split(',').collect::<Vec<_>>())
        .filter(|row| row[0] == frame)
        .collect();
    let sum =
        |column: usize| rows.iter().map(|row| row[column].parse::<f64>().unwrap()).sum::<f64>();
    assert!((sum(3) - 62.0).abs() < 1e-9, "{}", sum(3));
    for axis in 0..3 {
        assert!((sum(7 + axis) - row[5 + axis]).abs() < 1e-9 * 62.0, "{axis}");
    }
    assert!((sum(13) - row[11]).abs() < 1e-6, "{} {}", sum(13), row[11]);
    let page = fs::read_to_string(out.join("report.html")).unwrap();
    assert!(page.contains("Body and physics") && page.contains("data:image/png;base64,"));
    assert!(page.contains("62.0 kg, by a table of masses of people"));
    // What was written is read, drawn, followed and played.
    let figure = "out/recording/figure.atm";
    condyle_in(at, &["figure", figure, "-o", "body.png"]).expect(0);
    let follow = ["analyse", "w/recording.c3d", "--figure", figure, "--order", "3"];
    let more = ["--subject", "out/recording/subject.json", "--window", "0.5:0.7", "-o", "a.motion"];
    let ran = condyle_in(at, &[&follow[..], &more].concat()).expect(0);
    assert!(ran.stdout.contains("prediction error"), "{}", ran.stdout);
    condyle_in(at, &["figure", figure, "--motion", "a.motion", "-o", "moved.glb"]).expect(0);
    // The report is made again from what was kept.
    condyle_in(at, &["report", "out/recording", "-o", "again.html"]).expect(0);
    assert!(fs::read_to_string(at.join("again.html")).unwrap().contains("Body and physics"));
}

#[test]
fn two_motions_of_one_subject_are_blended() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for (name, seed) in [("a", "1"), ("b", "2")] {
        let args =
            ["simulate", "--routine", "walk", "--seconds", "2", "--rate", "50", "--seed", seed];
        condyle_in(at, &[&args[..], &["-o", name]].concat()).expect(0);
    }
    let words = ["blend", "a/recording.c3d", "b/recording.c3d", "--over", "0.4", "-o"];
    let ran = condyle_in(at, &[&words[..], &["both.bvh"]].concat()).expect(0);
    assert!(ran.stderr.contains("180 frames"), "{}", ran.stderr);
    condyle_in(at, &["info", "both.bvh"]).expect(0);
    let ran =
        condyle_in(at, &["blend", "both.bvh", "both.bvh", "--over", "9", "-o", "c.glb"]).expect(1);
    assert!(ran.stderr.contains("need 450 frames"), "{}", ran.stderr);
    condyle_in(at, &["blend", "both.bvh", "both.bvh", "--over", "0.5", "-o", "c.glb"]).expect(0);
}

#[test]
fn a_known_radius_tells_the_noise() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    // Points in all directions, their distances off by 1 mm to either side.
    let mut table = "x,y,z\n".to_owned();
    for k in 0..600 {
        let z = 1.0 - 2.0 * (f64::from(k) + 0.5) / 600.0;
        let (angle, flat) = (2.4 * f64::from(k), (1.0 - z * z).sqrt());
        let r = 0.5 + if k % 2 == 0 { 1e-3 } else { -1e-3 };
        table +=
            &format!("{},{},{}\n", 1.0 + r * flat * angle.cos(), r * flat * angle.sin(), r * z);
    }
    fs::write(at.join("wand.csv"), table).unwrap();
    let words = ["centre", "wand.csv", "--json", "--known-radius", "0.5"];
    let json = condyle_in(at, &words).expect(0).json();
    let sigma = json["known_radius_sigma"].as_f64().unwrap();
    assert!((sigma - 1e-3).abs() < 2e-5, "{json}");
    let json =
        condyle_in(at, &[&words[..], &["--known-centre", "1,0,0"]].concat()).expect(0).json();
    assert!((json["known_radius_sigma"].as_f64().unwrap() - 1e-3).abs() < 1e-6, "{json}");
    condyle_in(at, &["centre", "wand.csv", "--known-radius", "-1"]).expect(2);
    let plain = condyle_in(at, &["centre", "wand.csv", "--known-radius", "0.5"]).expect(0);
    assert!(plain.stdout.contains("by the known radius of 0.5"), "{}", plain.stdout);
}
