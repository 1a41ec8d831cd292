//! Labels: too many for one parameter, too few, too many, empty, twice, or numbers only.

use condyle::trial::{Parameter, Trial};

use super::file::{File, codes, frames};

fn labels(trial: &Trial) -> Vec<&str> {
    trial.markers.iter().map(|marker| marker.label.as_str()).collect()
}

/// A file of three points with labels of one's own.
fn labelled(labels: &[&str]) -> File {
    let mut file = File::float(&frames(3, 2));
    file.set("POINT", Parameter::strings("LABELS", labels));
    file
}

#[test]
fn more_than_255_labels_and_descriptions_run_on_in_numbered_parameters() {
    let mut file = File::float(&frames(600, 2));
    (file.parameter_blocks, file.data_block) = (20, 22);
    let names: Vec<String> = (0..600).map(|p| format!("M{p}")).collect();
    let texts: Vec<String> = (0..600).map(|p| format!("text {p}")).collect();
    for (number, from) in [("", 0), ("2", 255), ("3", 510)] {
        let part = from..(from + 255).min(600);
        let name = |name: &str| format!("{name}{number}");
        file.set("POINT", Parameter::strings(&name("LABELS"), &names[part.clone()]));
        file.set("POINT", Parameter::strings(&name("DESCRIPTIONS"), &texts[part]));
    }
    let trial = file.read();
    assert_eq!(labels(&trial), names);
    assert_eq!(trial.markers[599].description, "text 599");
    assert_eq!(codes(&trial), [""; 0]);
}

#[test]
fn points_beyond_the_labels_are_named_by_their_number() {
    let trial = labelled(&["A"]).read();
    assert_eq!(labels(&trial), ["A", "*2", "*3"]);
    assert_eq!(codes(&trial), ["labels-missing"]);
}

#[test]
fn a_file_without_labels_names_points_by_their_number() {
    let mut file = File::float(&frames(2, 2));
    file.remove("POINT", "LABELS");
    let trial = file.read();
    assert_eq!(labels(&trial), ["*1", "*2"]);
    assert_eq!(codes(&trial), ["labels-missing"]);
}

#[test]
fn labels_beyond_the_points_are_left_out() {
    let trial = labelled(&["A", "B", "C", "D"]).read();
    assert_eq!(labels(&trial), ["A", "B", "C"]);
    assert_eq!(codes(&trial), ["labels-extra"]);
}

#[test]
fn empty_labels_become_numbers_and_padding_beyond_the_points_is_nothing() {
    let trial = labelled(&["A", "", "C", ""]).read();
    assert_eq!(labels(&trial), ["A", "*2", "C"]);
    assert_eq!(codes(&trial), ["labels-empty"]);
}

#[test]
fn duplicate_labels_stay_as_they_are() {
    let trial = labelled(&["A", "B", "A"]).read();
    assert_eq!(labels(&trial), ["A", "B", "A"]);
    assert_eq!(codes(&trial), ["duplicate-labels"]);
}

#[test]
fn trajectories_nobody_named_keep_their_numbers() {
    let trial = labelled(&["A", "*12", "JOE:*13"]).read();
    assert_eq!(labels(&trial), ["A", "*12", "JOE:*13"]);
    assert_eq!(trial.markers.iter().filter(|marker| marker.is_unlabelled()).count(), 2);
    assert_eq!(codes(&trial), ["unlabelled-markers"]);
}

#[test]
fn labels_in_latin_1_and_with_nul_padding_are_read() {
    let mut file = File::float(&frames(1, 2));
    file.set(
        "POINT",
        Parameter::with(
            "LABELS",
            vec![6, 1],
            condyle::trial::ParameterData::Text(b"F\xfc\xdf\0\0\0".into()),
        ),
    );
    assert_eq!(labels(&file.read()), ["Füß"]);
}
