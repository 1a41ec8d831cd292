//! A run is whole or made again: damaged results, two runs at once, what the dead left behind.

use std::fs;
use std::path::Path;
use std::thread;

use crate::run::condyle_in;

const RUN: [&str; 5] = ["run", "rom/recording.c3d", "-o", "out", "--json"];

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    condyle_in(folder.path(), &["simulate", "-o", "rom", "--seconds", "2"]).expect(0);
    folder
}

fn status(at: &Path) -> String {
    condyle_in(at, &RUN).expect(0).json()[0]["status"].as_str().unwrap().to_owned()
}

#[test]
fn results_that_were_damaged_are_made_again() {
    let folder = folder();
    let out = folder.path().join("out/recording");
    assert_eq!(status(folder.path()), "done");
    let whole = fs::read(out.join("joints.csv")).unwrap();
    assert_eq!(status(folder.path()), "up-to-date");
    let mut other = whole.clone();
    other[10] ^= 1;
    for damaged in [Vec::new(), whole[..whole.len() / 2].to_vec(), other] {
        fs::write(out.join("joints.csv"), damaged).unwrap();
        assert_eq!(status(folder.path()), "done");
        assert_eq!(fs::read(out.join("joints.csv")).unwrap(), whole);
        assert_eq!(status(folder.path()), "up-to-date");
    }
}

#[test]
fn runs_into_one_folder_wait_for_each_other() {
    let folder = folder();
    let at = folder.path();
    let statuses: Vec<String> = thread::scope(|scope| {
        let runs: Vec<_> = (0..4).map(|_| scope.spawn(|| status(at))).collect();
        runs.into_iter().map(|run| run.join().unwrap()).collect()
    });
    assert_eq!(statuses.iter().filter(|status| *status == "done").count(), 1, "{statuses:?}");
    assert_eq!(status(at), "up-to-date");
}

#[test]
fn what_a_killed_run_left_half_written_goes() {
    let folder = folder();
    let out = folder.path().join("out/recording");
    status(folder.path());
    let left = out.join(".condyle-dead.tmp");
    fs::write(&left, "half").unwrap();
    fs::remove_file(out.join("report.html")).unwrap();
    assert_eq!(status(folder.path()), "done");
    assert!(!left.exists());
}
