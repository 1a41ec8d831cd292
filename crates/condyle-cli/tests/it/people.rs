//! People in everyday recordings: what the command line says of them, and is told of them.

use std::fs;
use std::path::Path;

use crate::run::condyle_in;

/// A folder with a person of 41 markers who walks, `walk/recording.c3d`.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let args = [
        "simulate",
        "-o",
        "walk",
        "--routine",
        "walk",
        "--markers",
        "cmu41",
        "--seconds",
        "3",
        "--rate",
        "50",
        "--noise-mm",
        "1",
        "--skin-mm",
        "5",
    ];
    condyle_in(folder.path(), &args).expect(0);
    folder
}

fn results(at: &Path) -> serde_json::Value {
    let text = fs::read_to_string(at.join("out/recording/results.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

#[test]
fn results_say_of_every_joint_what_motion_told_and_knowledge_gave() {
    let folder = folder();
    let args = ["run", "walk/recording.c3d", "-o", "out", "--knee-width-mm", "104", "--json"];
    let ran = condyle_in(folder.path(), &args).expect(0).json();
    let results = results(folder.path());
    let performer = &results["performers"][0];
    let joints = performer["joints"].as_array().unwrap();
    let centres = ran[0]["centres"].as_array().unwrap();
    assert_eq!(joints.len(), centres.len());
    for (joint, centre) in joints.iter().zip(centres) {
        for key in ["kind", "centre", "sd_m", "from_motion", "from_knowledge"] {
            assert_eq!(joint[key], centre[key], "{key}");
            assert!(!joint[key].is_null(), "{key}");
        }
        let shares = ["from_motion", "from_knowledge"].map(|key| joint[key].as_f64().unwrap());
        assert!((shares[0] + shares[1] - 1.0).abs() < 1e-9, "{shares:?}");
    }
    assert!(joints.iter().any(|joint| joint["from_knowledge"].as_f64() > Some(0.1)));
    let blocks = performer["knowledge"].as_array().unwrap();
    let measured = blocks.iter().find(|block| block["name"] == "measured knee width").unwrap();
    assert_eq!(measured["status"], "used");
    assert_eq!(measured["why"], "104 mm, as stated");
    let checks = performer["checks"].as_array().unwrap();
    assert!(checks.iter().all(|check| check["passed"] == true), "{checks:#?}");
    let fit = ["fit", "walk/recording.c3d", "--knee-width-mm", "104", "--json"];
    let subject = condyle_in(folder.path(), &fit).expect(0).json();
    for (joint, again) in joints.iter().zip(subject["joints"].as_array().unwrap()) {
        for key in ["name", "kind", "centre", "sd_m", "from_motion", "from_knowledge"] {
            assert_eq!(joint[key], again[key], "{key}");
        }
    }
    // What knowledge gave is still known when the subject is used again.
    let args = ["solve", "walk/recording.c3d", "--subject", "out/recording/subject.json", "--json"];
    let solved = condyle_in(folder.path(), &args).expect(0).json();
    for (joint, again) in joints.iter().zip(solved["joints"].as_array().unwrap()) {
        for key in ["name", "kind", "centre", "sd_m", "from_motion", "from_knowledge"] {
            assert_eq!(joint[key], again[key], "{key}");
        }
    }
}

#[test]
fn files_of_knowledge_and_weights_are_refused_by_name_and_line() {
    let folder = folder();
    let at = folder.path();
    fs::write(at.join("clinic.toml"), "version = 1\nname = \"clinic\"\ninflation = -2\n").unwrap();
    fs::write(at.join("weights.toml"), "LTHI = 0.5\nRTHI = -1\n").unwrap();
    for (args, wanted) in [
        (
            ["--knowledge", "clinic.toml"],
            "error: clinic.toml: line 3: inflation: need a positive number, got -2",
        ),
        (
            ["--weights", "weights.toml"],
            "error: weights.toml: line 2: RTHI: need a number from 0 up, got -1",
        ),
    ] {
        let args = [["run", "walk/recording.c3d"], args].concat();
        assert_eq!(condyle_in(at, &args).expect_one_error(), wanted);
    }
}

#[test]
fn weights_change_what_is_up_to_date() {
    let folder = folder();
    let at = folder.path();
    fs::write(at.join("weights.toml"), "LTHI = 0\nNOBODY = 3\n").unwrap();
    let plain = ["run", "walk/recording.c3d", "-o", "out", "--json"];
    let weighed = [&plain[..], &["--weights", "weights.toml"]].concat();
    assert_eq!(condyle_in(at, &plain).expect(0).json()[0]["status"], "done");
    assert_eq!(condyle_in(at, &weighed).expect(0).json()[0]["status"], "done");
    assert_eq!(condyle_in(at, &weighed).expect(0).json()[0]["status"], "up-to-date");
    let results = results(at);
    let markers = results["performers"][0]["markers"].as_array().unwrap();
    assert!(!markers.iter().any(|marker| marker["label"] == "LTHI"));
    let notes = results["notes"].as_array().unwrap();
    assert!(notes.iter().any(|note| note["code"] == "weights-unknown"), "{notes:#?}");
}

#[test]
fn labels_that_are_all_on_other_markers_are_not_exchanged_one_by_one() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let walk = "simulate -o walk --routine walk --seconds 2 --rate 50 --markers plug-in-gait";
    condyle_in(at, &walk.split(' ').collect::<Vec<_>>()).expect(0);
    // The header has the data begin two blocks early: every label is on the marker 29 places further on.
    let path = at.join("walk/recording.c3d");
    let mut bytes = fs::read(&path).unwrap();
    assert_eq!(bytes[16], 4);
    bytes[16] = 2;
    fs::write(&path, bytes).unwrap();
    let fit = condyle_in(at, &["fit", "walk/recording.c3d", "-o", "s.json"]).expect(0);
    let (said, shown) = (fit.stderr, fit.stdout);
    // What the fit of the whole body would exchange, each after dozens of fits: no two sides, no neighbours.
    assert!(!said.contains("LPSI and LTHI bear") && !said.contains("LELB and LWRA bear"), "{said}");
    assert!(shown.contains("knowledge of bodies is not used"), "{shown}");
}
