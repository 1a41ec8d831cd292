//! Every public recording of ten markers or more is recognised by its labels, or is not, as listed.
//!
//! `marker_sets.tsv` lists what is expected of each: a file that is recognised otherwise, or one
//! not listed, fails. `CONDYLE_BLESS=1` rewrites the table.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a test may stop at the first surprise and say what it saw"
)]

mod recordings;

use std::fmt::Write;
use std::path::Path;

use condyle::Trial;
use condyle::format::{ReadOptions, read_path};
use condyle::marker_set::{Recognition, recognise};
use condyle::plan::Reason;

/// The fewest markers a recording must have to be listed.
const FEWEST_MARKERS: usize = 10;

const HEADER: &str =
    "file\tperformer\tmarker set\tstrength\tlabels\tplaced\tsegments\tset aside\tunknown\n";

fn aside(trial: &Trial, found: &Recognition, reason: Reason) -> Vec<String> {
    let asides = found.plan.set_aside.iter().filter(|aside| aside.reason == reason);
    asides.map(|aside| trial.markers[aside.marker].label.clone()).collect()
}

fn describe(trial: &Trial, name: &str, table: &mut String) {
    let found = recognise(trial);
    for performer in &found.plan.performers {
        performer.check().unwrap();
    }
    let on_segments: usize = found
        .plan
        .performers
        .iter()
        .flat_map(|performer| &performer.segments)
        .map(|segment| segment.markers.len())
        .sum();
    let count = on_segments + found.plan.set_aside.len();
    assert_eq!(count, trial.markers.len(), "{name}: every marker is somewhere, once");
    let of = |reason| aside(trial, &found, reason).len();
    let (computed, nameless, unseen) =
        (of(Reason::ModelOutput), of(Reason::Unlabelled), of(Reason::NeverSeen));
    let unknown = aside(trial, &found, Reason::NotClaimed);
    for performer in &found.performers {
        let plan = found.plan.performers.iter().find(|plan| plan.name == performer.name);
        writeln!(
            table,
            "{name}\t{}\t{}\t{:?}\t{}\t{}\t{}\t{computed} {nameless} {unseen}\t{}",
            if performer.name.is_empty() { "-" } else { &performer.name },
            performer.marker_set.unwrap_or("-"),
            performer.strength,
            performer.labels,
            performer.placed,
            plan.map_or(0, |plan| plan.segments.len()),
            unknown.join(" "),
        )
        .unwrap();
    }
    if found.performers.is_empty() {
        writeln!(table, "{name}\t-\t-\tNone\t0\t0\t0\t{computed} {nameless} {unseen}\t").unwrap();
    }
}

#[test]
fn every_public_recording_is_recognised_as_the_table_says() {
    let Some(folder) = recordings::folder() else { return };
    let mut table = String::from(HEADER);
    for path in recordings::files(&folder, &["c3d", "trc"]) {
        let Ok(trial) = read_path(&path, &ReadOptions::default()) else { continue };
        if trial.markers.len() >= FEWEST_MARKERS {
            describe(&trial, &recordings::name(&folder, &path), &mut table);
        }
    }
    let expected_at = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join("marker_sets.tsv");
    if std::env::var_os("CONDYLE_BLESS").is_some() {
        std::fs::write(&expected_at, &table).unwrap();
    }
    let expected = std::fs::read_to_string(&expected_at).unwrap();
    let new: Vec<&str> =
        table.lines().filter(|line| !expected.lines().any(|other| other == *line)).collect();
    let gone: Vec<&str> =
        expected.lines().filter(|line| !table.lines().any(|other| other == *line)).collect();
    assert!(
        new.is_empty() && gone.is_empty(),
        "now:\n{}\nwas:\n{}",
        new.join("\n"),
        gone.join("\n")
    );
}
