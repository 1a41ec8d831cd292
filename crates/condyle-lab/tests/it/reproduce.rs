//! `condyle reproduce` with few trials: what is written, and what is not.
use crate::run::{files, reproduce_in};
use condyle::format;
use condyle::simulate::{Options, Performer, simulate};
use condyle::trial::Format;
use std::fs;
use std::path::Path;

const FEW: [&str; 3] = ["knight-2008", "--trials", "3"];

fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&FEW, more].concat()
}

/// Every experiment but those that take times, which is quick.
const QUICK: &str = "examples,errata,breakdown,ellipsoids,sample-size";

#[test]
fn everything_runs_and_the_page_needs_nothing_but_itself() {
    let folder = tempfile::tempdir().unwrap();
    let ran = reproduce_in(folder.path(), &FEW).expect(0);
    let lines: Vec<&str> = ran.stdout.lines().filter(|line| line.contains("example ")).collect();
    let is_reproduced =
        |what: &str| lines.iter().any(|line| line.contains(what) && line.ends_with(" reproduced"));
    for what in [
        "example 1: A (2.1.3)",
        "example 1: b (2.1.4)",
        "example 1: condition of A",
        "example 1: centre, minimum variance",
        "example 1: centre, least squares",
        "example 2: A (2.1.3)",
        "example 2: condition of A",
        "example 2: null vector",
        "example 2: centre, projected",
    ] {
        assert!(is_reproduced(what), "{what}: {lines:#?}");
    }
    let written = folder.path().join("knight-2008");
    let page = fs::read_to_string(written.join("knight-2008.html")).unwrap();
    for outside in ["http:", "https:", "src=", "<script", "<link", "@import"] {
        assert!(!page.contains(outside), "{outside}");
    }
    assert_eq!(page.matches("url(").count(), page.matches("url(#").count());
    assert_eq!(page.matches("<svg").count(), page.matches("</svg>").count());
    for chart in page.split("<svg").skip(1).filter_map(|rest| rest.split("</svg>").next()) {
        assert!(!chart.contains("NaN") && !chart.contains("inf "), "{chart}");
    }
    let names = files(&written);
    for figure in ["08", "13", "14", "15", "16", "19", "20", "21", "23", "26", "27"] {
        assert!(names.contains(&format!("figure-{figure}.csv")), "{figure}: {names:?}");
    }
    assert!(lines_of(&ran.stdout, "cube of five tetrahedra").ends_with(" reproduced"));
    assert!(names.contains(&"drift.csv".to_owned()), "{names:?}");
    // A file a chart; the page, the examples, the trials and the two accuracy tables besides.
    assert_eq!(page.matches("<figure").count() + 5, names.len(), "{names:?}");
    assert!(ran.stderr.contains("wrote knight-2008/knight-2008.html"), "{}", ran.stderr);
}

fn lines_of<'a>(text: &'a str, what: &str) -> &'a str {
    text.lines().find(|line| line.contains(what)).unwrap_or_default()
}

#[test]
fn nothing_is_overwritten_without_force() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("out/knight-2008.html");
    fs::create_dir(folder.path().join("out")).unwrap();
    fs::write(&page, "mine").unwrap();
    let only = ["--only", "examples", "-o", "out"];
    let error = reproduce_in(folder.path(), &with(&only)).expect_one_error();
    assert!(error.contains("out: the folder is not empty: need --force"), "{error}");
    assert_eq!(fs::read_to_string(&page).unwrap(), "mine");
    assert_eq!(files(&folder.path().join("out")), ["knight-2008.html"]);
    fs::write(folder.path().join("out/notes.txt"), "mine too").unwrap();
    reproduce_in(folder.path(), &with(&[&only[..], &["--force"]].concat())).expect(0);
    assert!(fs::read_to_string(&page).unwrap().starts_with("<!DOCTYPE html>"));
    assert_eq!(fs::read_to_string(folder.path().join("out/notes.txt")).unwrap(), "mine too");
}

#[test]
fn what_cannot_be_written_is_said_before_the_work() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("file"), "").unwrap();
    let error = reproduce_in(folder.path(), &with(&["-o", "file"])).expect_one_error();
    assert!(error.contains("file: need a folder to write to, got a file"), "{error}");
    let error = reproduce_in(folder.path(), &with(&["-o", "no/such"])).expect_one_error();
    assert!(error.contains("got no folder 'no'"), "{error}");
    assert_eq!(files(folder.path()), ["file"]);
}

fn data(folder: &Path) -> Vec<(String, String)> {
    let csv = files(folder).into_iter().filter(|name| name.ends_with(".csv"));
    csv.map(|name| (name.clone(), fs::read_to_string(folder.join(name)).unwrap())).collect()
}

#[test]
fn the_same_seed_gives_the_same_numbers_and_another_gives_others() {
    let folder = tempfile::tempdir().unwrap();
    for (name, seed) in [("a", "7"), ("b", "7"), ("c", "8")] {
        let more = ["--only", QUICK, "--seed", seed, "-o", name];
        reproduce_in(folder.path(), &with(&more)).expect(0);
    }
    let [a, b, c] = ["a", "b", "c"].map(|name| data(&folder.path().join(name)));
    assert!(a.len() >= 4, "{a:?}");
    assert_eq!(a, b);
    assert_ne!(a, c);
}

#[test]
fn an_experiment_gives_the_same_numbers_alone() {
    let folder = tempfile::tempdir().unwrap();
    for (name, only) in [("a", "ellipsoids"), ("b", "examples,ellipsoids")] {
        reproduce_in(folder.path(), &with(&["--only", only, "-o", name])).expect(0);
    }
    let [a, b] = ["a", "b"].map(|name| folder.path().join(name).join("figure-20.csv"));
    assert_eq!(fs::read(a).unwrap(), fs::read(b).unwrap());
}

#[test]
fn json_has_every_figure_with_its_verdict() {
    let folder = tempfile::tempdir().unwrap();
    let ran = reproduce_in(folder.path(), &with(&["--only", "examples", "--json"])).expect(0);
    let json = ran.json();
    assert_eq!(json["document"], "knight-2008");
    assert_eq!((&json["seed"], &json["trials"]), (&1.into(), &3.into()));
    assert_eq!(json["files"][0], "knight-2008.html");
    let lines = json["sections"][0]["lines"].as_array().unwrap();
    let centre = lines.iter().find(|line| line["what"] == "example 1: centre, minimum variance");
    let centre = centre.unwrap();
    assert_eq!(centre["document"], "0.599337 -0.189249 0.897781");
    assert_eq!(centre["ours"], "0.599337 -0.189250 0.897780");
    assert_eq!(centre["verdict"], "reproduced");
    assert_eq!(ran.stderr, "");
}

#[test]
fn an_unknown_document_or_experiment_is_a_wrong_command_line() {
    let folder = tempfile::tempdir().unwrap();
    for args in [
        vec![],
        vec!["knight-1908"],
        vec!["knight-2008", "--only", "exmples"],
        vec!["knight-2008", "--trials", "0"],
        vec!["knight-2008", "--seed", "-1"],
    ] {
        let ran = reproduce_in(folder.path(), &args).expect(2);
        assert!(ran.stderr.contains("--help") && ran.stdout.is_empty(), "{args:?}: {}", ran.stderr);
    }
    assert!(files(folder.path()).is_empty());
}

#[test]
fn without_a_recording_the_thinning_is_skipped_and_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let ran = reproduce_in(folder.path(), &with(&["--only", "thinning"])).expect(0);
    assert!(ran.stdout.contains("skipped") && ran.stdout.contains("--recording"), "{}", ran.stdout);
    let page = fs::read_to_string(folder.path().join("knight-2008/knight-2008.html")).unwrap();
    assert!(page.contains("Skipped: this needs a recording"));
}

#[test]
fn a_recording_that_is_named_is_thinned_out() {
    let folder = tempfile::tempdir().unwrap();
    let options = Options { seconds: 6.0, noise_m: 1e-3, ..Options::default() };
    let arm = simulate(&Performer::arm(), &options).unwrap().trial;
    let mut file = Vec::new();
    format::write(&arm, Format::C3d, &mut file).unwrap();
    fs::write(folder.path().join("arm.c3d"), file).unwrap();
    let more = ["--only", "thinning", "--recording", "arm.c3d", "--json"];
    let json = reproduce_in(folder.path(), &with(&more)).expect(0).json();
    assert_eq!(json["files"][1], "figure-24.csv");
    let lines = json["sections"][0]["lines"].as_array().unwrap();
    let below =
        |line: &&serde_json::Value| line["what"].as_str().unwrap().contains("largest median");
    assert!(lines.iter().filter(below).all(|line| line["verdict"] == "reproduced"), "{lines:#?}");
    let missing = ["--only", "thinning", "--recording", "none.c3d", "-o", "other"];
    let error = reproduce_in(folder.path(), &with(&missing)).expect_one_error();
    assert!(error.contains("none.c3d"), "{error}");
}

#[test]
fn help_shows_examples_under_the_name_that_users_type() {
    let ran = reproduce_in(Path::new("."), &["--help"]).expect(0);
    assert!(ran.stdout.contains("Usage: condyle reproduce [OPTIONS] <DOCUMENT>"), "{}", ran.stdout);
    assert!(ran.stdout.contains("Examples:"), "{}", ran.stdout);
    let widest = ran.stdout.lines().map(|line| line.chars().count()).max();
    assert!(widest <= Some(100), "{widest:?}");
}
