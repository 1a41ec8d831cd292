//! `condyle label` as users run it.

use std::fs;
use std::path::Path;

use crate::run::condyle_in;
use serde_json::Value;

/// A calibration, its subject, and a walk of the same performer as a table whose columns are `u1`, `u2` and so on; the
/// labels that the columns had.
fn recorded(at: &Path) -> Vec<String> {
    let noise = ["--noise-mm", "0.5"];
    condyle_in(at, &[&["simulate", "-o", "rom", "--seconds", "6"][..], &noise].concat()).expect(0);
    let walk = ["simulate", "-o", "walk", "--routine", "walk", "--seconds", "3", "--seed", "5"];
    condyle_in(at, &[&walk[..], &noise].concat()).expect(0);
    condyle_in(at, &["fit", "rom/recording.c3d", "-o", "joe.json"]).expect(0);
    condyle_in(at, &["convert", "walk/recording.c3d", "walk.trc"]).expect(0);
    let text = fs::read_to_string(at.join("walk.trc")).unwrap();
    let header = text.lines().nth(3).unwrap();
    let labels: Vec<String> = header
        .split('\t')
        .skip(2)
        .filter(|label| !label.trim().is_empty())
        .map(|label| label.trim().to_owned())
        .collect();
    let numbers = labels.iter().enumerate().map(|(index, _)| format!("u{}", index + 1));
    let numbers: Vec<String> = numbers.collect();
    let unnamed = format!("Frame#\tTime\t{}\t\t", numbers.join("\t\t\t"));
    fs::write(at.join("unnamed.trc"), text.replacen(header, &unnamed, 1)).unwrap();
    labels
}

#[test]
fn names_columns_from_a_subject_and_from_a_labelled_frame() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let labels = recorded(at);
    let label = ["label", "unnamed.trc", "--subject", "joe.json", "-o", "named.trc", "--json"];
    let answer: Value = serde_json::from_str(&condyle_in(at, &label).expect(0).stdout).unwrap();
    let tracks = answer["tracks"].as_array().unwrap();
    assert_eq!(tracks.len(), labels.len());
    let mut named = 0;
    for track in tracks {
        let index = track["track"].as_u64().unwrap() as usize;
        assert_eq!((track["first_frame"].as_i64(), track["frames"].as_u64()), (Some(1), Some(300)));
        if let Some(name) = track["label"].as_str() {
            assert_eq!(name, labels[index], "{track}");
            assert!(track["confidence"].as_f64().unwrap() > 0.5, "{track}");
            named += 1;
        }
    }
    assert!(named * 20 >= labels.len() * 19, "{named} of {}", labels.len());
    let again = condyle_in(at, &label).expect(1);
    assert!(again.stderr.contains("--force"), "{}", again.stderr);
    let info = condyle_in(at, &["info", "named.trc", "--json"]).expect(0);
    let info: Value = serde_json::from_str(&info.stdout).unwrap();
    assert_eq!(info[0]["markers"], labels.len());
    assert!(info[0]["labels"].as_array().unwrap().contains(&labels[0].as_str().into()));

    // Labels are those of a file's set, in a frame.
    let quoted: Vec<String> = labels.iter().map(|label| format!("\"{label}\"")).collect();
    let plan = format!("[[segment]]\nname = \"all\"\nmarkers = [{}]\n", quoted.join(", "));
    fs::write(at.join("set.toml"), plan).unwrap();
    let by_frame =
        ["label", "walk.trc", "--set", "set.toml", "--labelled-frame", "150", "-o", "f.trc"];
    let page = condyle_in(at, &by_frame).expect(0);
    assert!(page.stdout.contains("fragments named"), "{}", page.stdout);
}

#[test]
fn refuses_a_subject_of_another_creature_an_old_one_and_an_unknown_set() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    recorded(at);
    let dog = ["simulate", "-o", "dog", "--performer", "dog", "--seconds", "6"];
    condyle_in(at, &dog).expect(0);
    condyle_in(at, &["fit", "dog/recording.c3d", "-o", "dog.json"]).expect(0);
    let label = |subject: &'static str| {
        ["label", "unnamed.trc", "--subject", subject, "-o", "named.trc", "--json"]
    };
    let refused = condyle_in(at, &label("dog.json")).expect(1);
    assert!(refused.stderr.contains("constant distances"), "{}", refused.stderr);
    assert!(refused.stderr.contains("--anyway"), "it says what can be done: {}", refused.stderr);
    assert!(!at.join("named.trc").exists());
    let mut anyway = label("dog.json").to_vec();
    anyway.push("--anyway");
    let suggested = condyle_in(at, &anyway).expect(0);
    assert!(suggested.stderr.contains("labels-suggested"), "{}", suggested.stderr);

    let mut old: Value =
        serde_json::from_str(&fs::read_to_string(at.join("joe.json")).unwrap()).unwrap();
    old["version"] = 1.into();
    old.as_object_mut().unwrap().remove("marker_poses");
    fs::write(at.join("old.json"), old.to_string()).unwrap();
    let refused = condyle_in(at, &[&label("old.json")[..], &["--force"]].concat()).expect(1);
    assert!(refused.stderr.contains("fit it again"), "{}", refused.stderr);
    let solve = ["solve", "walk.trc", "--subject", "old.json", "--json"];
    condyle_in(at, &solve).expect(0);

    let set = ["label", "walk.trc", "--set", "nobody's", "--labelled-frame", "1", "-o", "x.trc"];
    let refused = condyle_in(at, &set).expect(1);
    assert!(refused.stderr.contains("need a file or one of"), "{}", refused.stderr);
    condyle_in(at, &["label", "walk.trc", "-o", "x.trc"]).expect(2);
}
