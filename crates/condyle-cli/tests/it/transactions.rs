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

#[test]
fn a_run_that_cannot_go_on_leaves_no_part_of_its_results() {
    let folder = folder();
    let out = folder.path().join("out/recording");
    fs::create_dir_all(out.join("report.html")).unwrap();
    let ran = condyle_in(folder.path(), &[&RUN[..], &["--force"]].concat());
    assert_eq!(ran.code, 1);
    let left = fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().file_name());
    let mut left: Vec<_> = left.collect();
    left.sort();
    assert_eq!(left, [".condyle-lock", "report.html"]);
}

#[test]
fn a_run_that_fails_after_a_killed_one_leaves_the_folder_ours() {
    let folder = folder();
    let out = folder.path().join("out/recording");
    assert_eq!(status(folder.path()), "done");
    // As a run is found that was killed before its end: a part of the results, and a record that calls nothing done.
    let record = fs::read_to_string(out.join("run.json")).unwrap();
    let mut record: serde_json::Value = serde_json::from_str(&record).unwrap();
    record["outcome"] = serde_json::Value::Null;
    fs::write(out.join("run.json"), record.to_string()).unwrap();
    // The next cannot go on.
    fs::remove_file(out.join("angles.csv")).unwrap();
    fs::create_dir(out.join("angles.csv")).unwrap();
    let failed = condyle_in(folder.path(), &RUN);
    assert_eq!(failed.code, 1);
    fs::remove_dir(out.join("angles.csv")).unwrap();
    assert_eq!(status(folder.path()), "done");
    assert_eq!(status(folder.path()), "up-to-date");
}

#[test]
fn what_a_killed_run_had_written_with_other_options_goes() {
    let folder = folder();
    let out = folder.path().join("out/recording");
    condyle_in(folder.path(), &[&RUN[..], &["--urdf"]].concat()).expect(0);
    assert!(out.join("subject.urdf").exists());
    let record = fs::read_to_string(out.join("run.json")).unwrap();
    let mut record: serde_json::Value = serde_json::from_str(&record).unwrap();
    record["outcome"] = serde_json::Value::Null;
    fs::write(out.join("run.json"), record.to_string()).unwrap();
    fs::write(out.join("letter.txt"), "theirs").unwrap();
    assert_eq!(status(folder.path()), "done");
    assert!(!out.join("subject.urdf").exists() && out.join("letter.txt").exists());
}

/// A plan and a performer of so many segments, one on the other.
fn chain(segments: usize) -> [String; 2] {
    let mut performer = "name = \"chain\"\nfixed = true\n".to_owned();
    let mut plan = "version = 1\n[[performer]]\n".to_owned();
    for i in 0..segments {
        let (parent, joint) = match i {
            0 => (String::new(), "at = [0.0, 0.0, 0.5]\n".to_owned()),
            _ => (
                format!("parent = \"s{}\"\njoint = \"j{i}\"\n", i - 1),
                "kind = \"hinge\"\nat = [0.0, 0.0, 0.1]\naxes = [[1, 0, 0]]\nrange_deg = [[-60, 60]]\nrom_deg = [[-40, 40]]\n".to_owned(),
            ),
        };
        performer.push_str(&format!(
            "[[segment]]\nname = \"s{i}\"\n{parent}{joint}skin = 0.0\nmarkers = [{{ at = [0.05, 0.0, 0.03], name = \"A{i}\" }}, \
             {{ at = [-0.04, 0.04, 0.05], name = \"B{i}\" }}, {{ at = [-0.03, -0.05, 0.08], name = \"C{i}\" }}]\n"
        ));
        plan.push_str(&format!(
            "[[performer.segment]]\nname = \"s{i}\"\n{parent}markers = [\"A{i}\", \"B{i}\", \"C{i}\"]\n"
        ));
    }
    [performer, plan]
}

#[test]
fn a_chain_of_125_segments_is_solved_to_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let [performer, plan] = chain(125);
    fs::write(at.join("chain.toml"), performer).unwrap();
    fs::write(at.join("plan.toml"), plan).unwrap();
    let simulate =
        ["simulate", "--performer", "chain.toml", "-o", "chain", "--seconds", "2", "--rate", "20"];
    condyle_in(at, &simulate).expect(0);
    let run = ["run", "chain/recording.c3d", "--plan", "plan.toml", "-o", "out", "--json"];
    let outcome = &condyle_in(at, &run).expect(0).json()[0];
    assert_eq!((&outcome["status"], &outcome["segments"]), (&"done".into(), &125.into()));
    condyle_in(at, &["info", "out/recording/skeleton.bvh"]).expect(0);
}

/// Nobody, root neither, makes a file in `/proc`.
#[cfg(target_os = "linux")]
#[test]
fn that_nothing_can_be_written_is_found_before_the_work() {
    let folder = tempfile::tempdir().unwrap();
    // The work would fail too, in other words.
    let lone = "frame,time_s,A_x,A_y,A_z\n1,0,1,2,3\n2,0.01,1,2,3\n";
    fs::write(folder.path().join("lone.csv"), lone).unwrap();
    for args in [["run", "lone.csv", "-o", "/proc/out"], ["fit", "lone.csv", "-o", "/proc/a.json"]]
    {
        let error = condyle_in(folder.path(), &args).expect(1).stderr;
        assert!(error.contains("cannot write in folder /proc"), "{error}");
    }
}

#[test]
fn of_several_recordings_it_is_said_where_their_notes_are() {
    let folder = folder();
    let at = folder.path();
    fs::copy(at.join("rom/recording.c3d"), at.join("rom/other.c3d")).unwrap();
    // Nobody who moves like this is so tall.
    let ran = condyle_in(at, &["run", "rom", "-o", "out", "--each", "--height-m", "1.2"]).expect(0);
    assert!(ran.stdout.contains("each in the report.html of its recording"), "{}", ran.stdout);
}
