//! `condyle run`, `report` and `plot` as users run them.

use std::fs;
use std::path::Path;

use condyle::format::{ReadOptions, read_path};

use crate::run::{self, condyle_in};

/// A folder with a simulated recording in it, `rom/recording.c3d`.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let args =
        ["simulate", "-o", "rom", "--seconds", "4", "--noise-mm", "1", "--occlusion", "0.02"];
    condyle_in(folder.path(), &args).expect(0);
    folder
}

const RUN: [&str; 4] = ["run", "rom/recording.c3d", "-o", "out"];

#[test]
fn one_command_gives_everything_and_a_second_one_has_nothing_to_do() {
    let folder = folder();
    let at = folder.path();
    let ran = condyle_in(at, &RUN).expect(0);
    assert!(ran.stdout.lines().count() < 25, "{}", ran.stdout);
    let out = at.join("out").join("recording");
    for name in [
        "subject.json",
        "joints.csv",
        "joints.trc",
        "angles.csv",
        "angles.mot",
        "skeleton.bvh",
        "skeleton.glb",
        "markers.trc",
        "with-joints.c3d",
        "results.json",
        "report.html",
    ] {
        assert!(fs::metadata(out.join(name)).unwrap().len() > 100, "{name}");
        assert!(ran.stdout.contains(name), "{name} is not said in {}", ran.stdout);
    }
    let page = fs::read_to_string(out.join("report.html")).unwrap();
    assert!(!page.contains("http://") || !page.contains("src=\"http"), "the page asks a network");
    for word in ["left hip", "Bone lengths", "Joint angles", "Knight"] {
        assert!(page.contains(word), "{word}");
    }
    let before = fs::metadata(out.join("report.html")).unwrap().modified().unwrap();
    let again = condyle_in(at, &RUN).expect(0);
    assert!(again.stdout.contains("up-to-date"), "{}", again.stdout);
    assert_eq!(fs::metadata(out.join("report.html")).unwrap().modified().unwrap(), before);

    // With the subject that the first run wrote.
    let args = [
        "run",
        "rom/recording.c3d",
        "--subject",
        "out/recording/subject.json",
        "-o",
        "two",
        "--json",
    ];
    let with_subject = condyle_in(at, &args).expect(0).json();
    assert_eq!(with_subject[0]["status"], "done");
    assert_eq!(with_subject[0]["joints"], 16);
}

#[test]
fn what_others_wrote_stays_and_what_was_interrupted_is_completed() {
    let folder = folder();
    let at = folder.path();
    let out = at.join("out").join("recording");
    fs::create_dir_all(&out).unwrap();
    fs::write(out.join("joints.csv"), "mine").unwrap();
    let refused = condyle_in(at, &RUN).expect(1);
    assert!(refused.stderr.contains("--force"), "{}", refused.stderr);
    assert_eq!(fs::read_to_string(out.join("joints.csv")).unwrap(), "mine");
    let forced = [RUN.as_slice(), &["--force"]].concat();
    condyle_in(at, &forced).expect(0);
    assert!(fs::read_to_string(out.join("joints.csv")).unwrap().starts_with("frame,"));

    // As an interruption leaves it: begun, and not all there.
    fs::remove_file(out.join("report.html")).unwrap();
    let completed = condyle_in(at, &RUN).expect(0);
    assert!(completed.stdout.contains("done"), "{}", completed.stdout);
    assert!(out.join("report.html").is_file());

    // The results of another recording are not ours to overwrite.
    fs::create_dir(at.join("elsewhere")).unwrap();
    fs::copy(at.join("rom/recording.c3d"), at.join("elsewhere/recording.c3d")).unwrap();
    let other = condyle_in(at, &["run", "elsewhere/recording.c3d", "-o", "out"]).expect(1);
    assert!(other.stderr.contains("another recording"), "{}", other.stderr);
}

#[test]
fn other_options_and_another_content_mean_other_results() {
    let folder = folder();
    let at = folder.path();
    let status = |more: &[&str]| {
        let ran = condyle_in(at, &[RUN.as_slice(), &["--json"], more].concat()).expect(0);
        ran.json()[0]["status"].as_str().unwrap().to_owned()
    };
    assert_eq!(status(&[]), "done");
    let changes: [&[&str]; 7] = [
        &["--soft-tissue", "30"],
        &["--soft-tissue", "30", "--root", "head"],
        &["--smooth", "6"],
        &["--max-gap", "0"],
        &["--fill", "all"],
        &["--by", "motion"],
        &["--up", "z"],
    ];
    for change in changes {
        assert_eq!(status(change), "done", "{change:?}");
        assert_eq!(status(change), "up-to-date", "{change:?}");
    }
    // Same size, same time, one other sample.
    let path = at.join("rom/recording.c3d");
    let changed = fs::metadata(&path).unwrap().modified().unwrap();
    status(&[]);
    let mut bytes = fs::read(&path).unwrap();
    let last = bytes.len() - 700;
    bytes[last] ^= 1;
    fs::write(&path, bytes).unwrap();
    fs::File::options().write(true).open(&path).unwrap().set_modified(changed).unwrap();
    assert_eq!(status(&[]), "done");
}

#[test]
fn all_files_carry_the_frame_numbers_of_the_recording_and_tables_for_opensim_its_units() {
    let folder = folder();
    let at = folder.path();
    condyle_in(at, &["convert", "rom/recording.c3d", "late.c3d", "--frames", "301:400"]).expect(0);
    condyle_in(at, &["run", "late.c3d", "-o", "out"]).expect(0);
    let read = |name: &str| fs::read_to_string(at.join("out/late").join(name)).unwrap();
    for name in ["joints.csv", "angles.csv"] {
        let text = read(name);
        let first = text.lines().find(|line| line.starts_with(|c: char| c.is_ascii_digit()));
        assert!(first.unwrap().starts_with("301,"), "{name}: {first:?}");
    }
    for name in ["joints.trc", "markers.trc"] {
        let text = read(name);
        assert_eq!(text.lines().nth(2).unwrap().split('\t').nth(4), Some("mm"), "{name}");
        let first =
            text.lines().skip(5).find(|line| line.starts_with(|c: char| c.is_ascii_digit()));
        assert!(first.unwrap().starts_with("301\t"), "{name}: {first:?}");
    }
}

#[test]
fn the_recording_with_joints_has_its_labels_put_right_and_its_gaps_as_they_were() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let simulate = ["simulate", "--seconds", "12", "--noise-mm", "1", "-o"];
    let swaps = ["swapped", "--swaps", "4", "--swap-gap-s", "0.05"];
    condyle_in(at, &[&simulate[..], &swaps].concat()).expect(0);
    condyle_in(at, &[&simulate[..], &["clean"]].concat()).expect(0);
    condyle_in(at, &["run", "swapped/recording.c3d", "-o", "out"]).expect(0);
    let read = |name: &str| read_path(&at.join(name), &ReadOptions::default()).unwrap();
    let [swapped, clean, written] =
        ["swapped/recording.c3d", "clean/recording.c3d", "out/recording/with-joints.c3d"].map(read);
    assert!(written.markers.len() > clean.markers.len(), "joints are added");
    let (mut wrong_before, mut wrong, mut missing) = (0, 0, 0);
    for frame in 0..clean.frames {
        let mut seen = [0; 2];
        for (index, marker) in clean.markers.iter().enumerate() {
            let right_m = marker.position_m(frame).unwrap();
            let [before_m, after_m] =
                [&swapped, &written].map(|trial| trial.markers[index].position_m(frame));
            assert_eq!(written.markers[index].label, marker.label);
            let is_wrong = |found_m: nalgebra::Point3<f64>| (found_m - right_m).norm() > 1e-5;
            wrong_before += usize::from(before_m.is_some_and(is_wrong));
            wrong += usize::from(after_m.is_some_and(is_wrong));
            seen[0] += usize::from(before_m.is_some());
            seen[1] += usize::from(after_m.is_some());
        }
        assert_eq!(seen[0], seen[1], "frame {frame}");
        missing += clean.markers.len() - seen[0];
    }
    assert!(wrong_before > 50 && missing > 0, "{wrong_before} exchanged, {missing} missing");
    assert_eq!(wrong, 0, "of {wrong_before}");
}

#[test]
fn every_command_gives_the_same_joints() {
    let folder = folder();
    let at = folder.path();
    condyle_in(at, &RUN).expect(0);
    condyle_in(at, &["fit", "rom/recording.c3d", "-o", "joe.json"]).expect(0);
    let read = |path: &str| fs::read(at.join(path)).unwrap();
    assert!(read("joe.json") == read("out/recording/subject.json"), "fit and run differ");
    let solve = ["solve", "rom/recording.c3d", "--subject", "joe.json", "-o", "joints.csv"];
    condyle_in(at, &[solve.as_slice(), &["--angles", "angles.csv"]].concat()).expect(0);
    let with = ["run", "rom/recording.c3d", "--subject", "joe.json", "-o", "known"];
    condyle_in(at, &with).expect(0);
    for name in ["joints.csv", "angles.csv"] {
        let once = read(&format!("out/recording/{name}"));
        assert!(read(name) == once, "solve and run differ in {name}");
        assert!(
            read(&format!("known/recording/{name}")) == once,
            "run --subject differs in {name}"
        );
    }
}

#[test]
fn the_segments_of_sensors_are_shown_as_they_are_run() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let made = ["simulate", "-o", "s", "--sensors", "--seconds", "6", "--routine", "exercise"];
    condyle_in(at, &made).expect(0);
    for more in [&[][..], &["--by", "bodies"]] {
        let args = [&["groups", "s/recording.csv", "--json"][..], more].concat();
        let json = condyle_in(at, &args).expect(0).json();
        assert_eq!(json["by"], "bodies");
        assert!(json["performers"][0]["segments"].as_array().unwrap().len() > 10, "{json}");
        condyle_in(at, &[&["run", "s/recording.csv", "-o", "out"][..], more].concat()).expect(0);
    }
}

#[test]
fn one_failure_does_not_stop_the_rest() {
    let folder = folder();
    let at = folder.path();
    fs::write(at.join("broken.c3d"), b"no recording").unwrap();
    let args = ["run", "broken.c3d", "absent.c3d", "rom/recording.c3d", "-o", "out", "--json"];
    let ran = condyle_in(at, &args).expect(1);
    let outcomes = ran.json();
    let status: Vec<&str> = (0..3).map(|i| outcomes[i]["status"].as_str().unwrap()).collect();
    assert_eq!(status, ["failed", "failed", "done"]);
    assert!(outcomes[1]["error"].as_str().unwrap().contains("absent.c3d"), "{}", ran.stdout);
    assert_eq!(ran.stderr.lines().filter(|line| line.starts_with("error: ")).count(), 2);
    assert!(!at.join("out").join("broken").exists());
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_written_is_named_and_nothing_is_left() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder();
    let at = folder.path();
    fs::create_dir(at.join("out")).unwrap();
    fs::set_permissions(at.join("out"), fs::Permissions::from_mode(0o555)).unwrap();
    if fs::write(at.join("out").join("probe"), "").is_ok() {
        // A superuser may write anywhere.
        return;
    }
    let ran = condyle_in(at, &RUN).expect(1);
    assert!(ran.stderr.contains("out"), "{}", ran.stderr);
    assert_eq!(fs::read_dir(at.join("out")).unwrap().count(), 0);
}

#[test]
fn reports_are_made_again_and_compared() {
    let folder = folder();
    let at = folder.path();
    condyle_in(at, &RUN).expect(0);
    let args = ["report", "out/recording", "-o", "again.html"];
    condyle_in(at, &args).expect(0);
    let read = |path: &str| fs::read_to_string(at.join(path)).unwrap();
    assert_eq!(read("again.html"), read("out/recording/report.html"));
    // The report of a run is made again where it is; another file is not overwritten.
    condyle_in(at, &["report", "out/recording"]).expect(0);
    let refused = condyle_in(at, &args).expect(1);
    assert!(refused.stderr.contains("--force"), "{}", refused.stderr);
    let both = ["report", "out/recording", "out/recording", "--compare", "-o", "both.html"];
    condyle_in(at, &both).expect(0);
    assert!(read("both.html").contains("B bone mm"));
    condyle_in(at, &["report", "out/recording", "out/recording", "-o", "x.html"]).expect(2);
    let absent = condyle_in(at, &["report", "rom", "-o", "x.html"]).expect_one_error();
    assert!(absent.contains("that condyle run wrote"), "{absent}");
    let old = read("out/recording/results.json").replacen("\"version\":1", "\"version\":99", 1);
    fs::write(at.join("old.json"), old).unwrap();
    let refused = condyle_in(at, &["report", "old.json", "-o", "x.html"]).expect_one_error();
    assert!(refused.contains("need 1, got 99"), "{refused}");
}

#[test]
fn pictures_are_drawn_of_recordings_and_of_skeletons() {
    let folder = folder();
    let at = folder.path();
    let plot = |file: &str, picture: &str| {
        condyle_in(at, &["plot", file, "-o", picture, "--count", "2"]).expect(0);
        fs::read(at.join(picture)).unwrap()
    };
    let svg = String::from_utf8(plot("rom/recording.c3d", "a.svg")).unwrap();
    // Two frames from two sides, each with every joint.
    assert!(svg.matches("r=\"2.4\"").count() >= 4 * 16, "{svg}");
    assert!(plot("rom/recording.c3d", "a.png").starts_with(b"\x89PNG"));
    fs::copy(run::arm(), at.join("arm.trc")).unwrap();
    plot("arm.trc", "arm.png");
    let wrong = condyle_in(at, &["plot", "arm.trc", "-o", "arm.gif"]).expect(2);
    assert!(wrong.stderr.contains("png or svg"), "{}", wrong.stderr);
    let wrong =
        condyle_in(at, &["plot", "arm.trc", "--frame", "999", "-o", "b.png"]).expect_one_error();
    assert!(wrong.contains("need 1 to 120 (the frames of arm.trc), got 999"), "{wrong}");
    assert!(!Path::new(&at.join("b.png")).exists());
}

#[test]
fn a_folder_stands_for_its_recordings_and_each_runs_once() {
    let folder = run::folder_with_arm();
    let at = folder.path();
    fs::write(at.join("notes.txt"), "no recording").unwrap();
    let ran = condyle_in(at, &["run", ".", "arm.trc", "-o", "out", "--json"]).expect(0);
    assert_eq!(ran.json().as_array().unwrap().len(), 1);
    let quiet = condyle_in(at, &["run", ".", "-o", "out", "--quiet"]).expect(0);
    assert_eq!((quiet.stdout.as_str(), quiet.stderr.as_str()), ("", ""));
    fs::create_dir(at.join("empty")).unwrap();
    let none = condyle_in(at, &["run", "empty", "-o", "out"]).expect_one_error();
    assert!(none.contains("need C3D or TRC files"), "{none}");
}

#[test]
fn angles_of_a_run_say_how_they_were_smoothed() {
    let folder = folder();
    let at = folder.path();
    let header = |smooth: &[&str], out: &str| {
        condyle_in(at, &[&["run", "rom/recording.c3d", "-o", out][..], smooth].concat()).expect(0);
        fs::read_to_string(at.join(out).join("recording").join("angles.mot")).unwrap()
    };
    assert!(header(&[], "auto").contains("smoothed: Butterworth, fourth order, "));
    assert!(header(&["--smooth", "9"], "nine").contains("order, 9 Hz"));
    assert!(!header(&["--smooth", "off"], "off").contains("smoothed"));
    let wrong = condyle_in(at, &["run", "rom/recording.c3d", "--smooth", "much"]).expect(2);
    assert!(wrong.stderr.contains("need auto, off or a positive number"), "{}", wrong.stderr);
}
