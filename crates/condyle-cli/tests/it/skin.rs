//! `condyle hand` to a skeleton, `condyle skin` to a surface on it.
use crate::run::condyle_in;
use std::fs;
use std::path::Path;

fn hand(folder: &Path) {
    let simulate = ["simulate", "--performer", "hand", "--routine", "fist", "-o", "fist"];
    condyle_in(folder, &[&simulate[..], &["--seconds", "3", "--rate", "50"]].concat()).expect(0);
    let described = condyle_in(folder, &["simulate", "--describe", "hand"]).expect(0);
    fs::write(folder.join("hand.toml"), described.stdout).unwrap();
    let args = ["hand", "fist/recording.c3d", "--model", "hand.toml", "-o", "hand.bvh"];
    condyle_in(folder, &args).expect(0);
}

#[test]
fn a_followed_hand_gets_a_surface_of_our_own() {
    let folder = tempfile::tempdir().unwrap();
    hand(folder.path());
    let args = ["skin", "--skeleton", "hand.bvh", "-o", "hand.glb", "--json", "--frame", "100"];
    let ran = condyle_in(folder.path(), &[&args[..], &["--vertices", "3000"]].concat()).expect(0);
    let json: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let number = |key: &str| json[key].as_f64().unwrap();
    assert!((1500.0..6000.0).contains(&number("vertices")), "{json}");
    assert_eq!((number("bones"), number("pieces_without_bone")), (24.0, 0.0));
    assert_eq!(number("open_edges"), 0.0);
    assert!((0.0..0.2).contains(&number("largest_weight_dropped")), "{json}");
    for blending in ["linear", "dual_quaternion"] {
        let percent = json["volume_percent"][blending].as_f64().unwrap();
        assert!((70.0..115.0).contains(&percent), "{json}");
    }
    // The same surface is read again, and has the colours of its weights.
    let args = ["skin", "--skeleton", "hand.toml", "-o", "rest.ply", "--vertices", "1500"];
    condyle_in(folder.path(), &args).expect(0);
    let args = ["skin", "rest.ply", "--skeleton", "hand.toml", "-o", "weights.mesh"];
    condyle_in(folder.path(), &args).expect(0);
    let mesh = fs::read_to_string(folder.path().join("weights.mesh")).unwrap();
    assert!(mesh.contains("ColorAtVertices"));
    let args = ["skin", "--skeleton", "hand.bvh", "-o", "fist.svg", "--frame", "100"];
    condyle_in(folder.path(), &args).expect(0);
    assert!(fs::read_to_string(folder.path().join("fist.svg")).unwrap().contains("polygon"));
}

#[test]
fn says_what_is_wrong_with_a_surface_or_a_skeleton() {
    let folder = tempfile::tempdir().unwrap();
    hand(folder.path());
    let in_folder = |args: &[&str]| condyle_in(folder.path(), args);
    let text = "solid a\nfacet\nvertex 0 0 0\nvertex 190 0 0\nvertex 0 90 30\nendfacet\nendsolid\n";
    fs::write(folder.path().join("mm.stl"), text).unwrap();
    let ran = in_folder(&["skin", "mm.stl", "--skeleton", "hand.bvh", "-o", "a.glb"]).expect(1);
    assert!(ran.stderr.contains("is it in metres"), "{}", ran.stderr);
    let ran = in_folder(&["skin", "--skeleton", "hand.bvh", "-o", "a.glb", "--frame", "9999"]);
    assert!(ran.expect(1).stderr.contains("need 1 to 150"));
    let ran = in_folder(&["skin", "--skeleton", "fist/recording.c3d", "-o", "a.glb"]).expect(1);
    assert!(ran.stderr.contains("need a skeleton"), "{}", ran.stderr);
    let ran = in_folder(&["skin", "hand.toml", "--skeleton", "hand.bvh", "-o", "a.glb"]).expect(1);
    assert!(ran.stderr.contains("need a surface"), "{}", ran.stderr);
    assert!(!folder.path().join("a.glb").exists());
}
