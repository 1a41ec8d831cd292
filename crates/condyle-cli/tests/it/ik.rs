//! `condyle ik` as users run it.
use crate::run::{Ran, condyle_in, condyle_with_input};
use std::fs;
use std::path::{Path, PathBuf};

const METHODS: [&str; 12] = [
    "fabrik",
    "arc",
    "ccd",
    "jt",
    "pinv",
    "dls",
    "svd-dls",
    "sdls",
    "triangulation",
    "ftl",
    "smc",
    "gauss-newton",
];

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/ik").join(name)
}

/// A folder with a chain of five joints a unit apart.
fn folder(limits: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let joints = "[0,0,0],[0,0,1],[0,0.2,2],[0,0,3],[0,0,4]";
    let text = format!("{{\"joints\": [{joints}], \"limits\": [{limits}]}}");
    fs::write(folder.path().join("chain.json"), text).unwrap();
    fs::write(folder.path().join("targets.csv"), "x,y,z\n1,1,2\n0,-2,1.5\n7,0,0\n").unwrap();
    folder
}

fn ik(folder: &Path, more: &[&str]) -> Ran {
    condyle_in(folder, &[&["ik", "chain.json", "targets.csv"], more].concat())
}

#[test]
fn every_method_keeps_to_the_contract() {
    let folder = folder("");
    for method in METHODS {
        let tolerance = ["--tolerance", "0.001"];
        let ran = ik(folder.path(), &[&["--method", method, "--json"][..], &tolerance].concat());
        let answers = ran.expect(0).json();
        let answers = answers.as_array().unwrap();
        assert_eq!(answers.len(), 3, "{method}");
        for (answer, target) in
            answers.iter().zip([[1.0, 1.0, 2.0], [0.0, -2.0, 1.5], [7.0, 0.0, 0.0]])
        {
            let joints: Vec<Vec<f64>> = serde_json::from_value(answer["joints"].clone()).unwrap();
            assert_eq!(joints.len(), 5, "{method}");
            let end = &joints[4];
            let distance: f64 =
                end.iter().zip(target).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
            assert!((distance - answer["distance"].as_f64().unwrap()).abs() < 1e-9, "{method}");
            assert_eq!(answer["reached"], distance <= 0.001, "{method}: {answer}");
            assert!(answer["iterations"].as_u64().unwrap() >= 1, "{method}");
        }
        let reached: Vec<bool> = answers.iter().map(|a| a["reached"] == true).collect();
        // Only who lets go of the base reaches what is too far.
        assert_eq!(reached, [true, true, method == "ftl"], "{method}");
    }
}

#[test]
fn limits_hold_in_what_is_printed() {
    let folder = folder("null, 30, 30, 30");
    let answers = ik(folder.path(), &["--json"]).expect(0).json();
    for answer in answers.as_array().unwrap() {
        let joints: Vec<[f64; 3]> = serde_json::from_value(answer["joints"].clone()).unwrap();
        let bones: Vec<[f64; 3]> = joints
            .windows(2)
            .map(|pair| [0, 1, 2].map(|axis| pair[1][axis] - pair[0][axis]))
            .collect();
        for pair in bones.windows(2) {
            let dot = |a: &[f64; 3], b: &[f64; 3]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
            let cos = dot(&pair[0], &pair[1])
                / (dot(&pair[0], &pair[0]) * dot(&pair[1], &pair[1])).sqrt();
            assert!(cos.acos().to_degrees() < 30.0 + 1e-6, "{answer}");
        }
    }
}

#[test]
fn a_table_is_printed_and_the_motion_written_once() {
    let folder = folder("");
    let ran = ik(folder.path(), &["-o", "motion.csv", "--track"]).expect(0);
    assert!(ran.stdout.contains("unreachable") && ran.stdout.contains("2 of 3 targets reached"));
    assert!(ran.stderr.contains("wrote motion.csv: 5 joints, 3 frames"), "{}", ran.stderr);
    let error = ik(folder.path(), &["-o", "motion.csv"]).expect_one_error();
    assert!(error.contains("need --force"), "{error}");
    let error = ik(folder.path(), &["-o", "motion.png"]).expect_one_error();
    assert!(error.contains("need csv, trc, c3d or bvh"), "{error}");
    let ran = ik(folder.path(), &["-o", "motion.bvh", "--track", "--json"]).expect(0);
    assert!(ran.stderr.contains("wrote motion.bvh: 5 joints, 3 frames"), "{}", ran.stderr);
    let again = condyle_in(folder.path(), &["convert", "motion.bvh", "again.csv", "--units", "m"]);
    again.expect(0);
    let text = fs::read_to_string(folder.path().join("again.csv")).unwrap();
    let last = text.lines().last().unwrap().split(',').rev().take(3);
    let end: Vec<f64> = last.map(|cell| cell.parse().unwrap()).collect();
    let joints: Vec<[f64; 3]> = serde_json::from_value(ran.json()[2]["joints"].clone()).unwrap();
    for (found, expected) in end.iter().rev().zip(joints[4]) {
        assert!((found - expected).abs() < 1e-5, "{end:?} {joints:?}");
    }
}

#[test]
fn bad_input_is_one_line_with_its_place() {
    let folder = folder("");
    let with_targets = |text: &str| {
        condyle_with_input(folder.path(), &["ik", "chain.json", "-"], text.as_bytes())
            .expect_one_error()
    };
    assert!(with_targets("1,2,nan\n").contains("line 1: need a finite number, got 'nan'"));
    assert!(with_targets("1,2\n").contains("need 3 numbers"));
    assert!(with_targets("").contains("need a row"));
    for (chain, what) in [
        ("{\"joints\": []}", "joints: need 2, got 0"),
        ("{\"joints\": [[0,0,0],[0,0,0]]}", "need a bone with a length"),
        ("{\"joints\": [[0,0,0],[0,0,1]], \"limits\": [-4]}", "need an angle from 0 to 180"),
        (
            "{\"joints\": [[0,0,0],[0,0,1]], \"limits\": [{\"type\": \"hinge\", \"axis\": [1,0,0], \"range_deg\": [9, 1]}]}",
            "9 to 1",
        ),
        ("{\"joints\": [[0,0,0],[0,0,1]], \"loops\": [[1,1]]}", "loop: need two"),
        ("[1", "bad.json: line 1"),
    ] {
        fs::write(folder.path().join("bad.json"), chain).unwrap();
        let error =
            condyle_in(folder.path(), &["ik", "bad.json", "targets.csv"]).expect_one_error();
        assert!(error.contains(what) && error.contains("bad.json"), "{error}");
    }
    let ran = ik(folder.path(), &["--method", "fabric"]).expect(2);
    assert!(ran.stderr.contains("got 'fabric'"), "{}", ran.stderr);
}

#[test]
fn the_models_of_the_thesis_are_there_and_reach() {
    let folder = tempfile::tempdir().unwrap();
    for (name, joints, targets) in [
        ("chain-10.json", 10, "3,2,5"),
        ("chain-10-limited.json", 10, "3,2,5"),
        ("y-10.json", 10, "-1.5,0.3,5,1.5,0,4.5"),
        ("humanoid-13.json", 13, "0.1,0.2,0.3,-0.1,0,0.1,0.4,0.3,1.2,-0.3,0.2,1"),
        ("humanoid-13-limited.json", 13, "0.1,0.1,0.2,-0.1,0,0.1,0.3,0.3,1.1,-0.3,0.2,1"),
        (
            "hand-26-limited.json",
            26,
            "-0.1,0.11,-0.04,-0.04,0.165,-0.05,0,0.175,-0.05,0.03,0.165,-0.05,0.058,0.138,-0.045",
        ),
        (
            "hand-26.json",
            26,
            "-0.07,0.08,-0.03,-0.03,0.16,-0.05,0,0.16,-0.05,0.03,0.15,-0.05,0.05,0.12,-0.04",
        ),
    ] {
        fs::write(folder.path().join("t.csv"), targets).unwrap();
        let model = example(name);
        let args = ["ik", model.to_str().unwrap(), "t.csv", "--json", "--tolerance", "0.001"];
        let answer = &condyle_in(folder.path(), &args).expect(0).json()[0];
        assert_eq!(answer["joints"].as_array().unwrap().len(), joints, "{name}");
        assert_eq!(answer["reached"], true, "{name}: {answer}");
    }
}
