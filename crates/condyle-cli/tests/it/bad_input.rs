//! Files that cannot be read: one clear line, exit code 1, and nothing left behind.
use crate::run::{condyle_in, condyle_with_input, files, folder_with_arm};
use std::fs;
use std::path::Path;

/// Insists that `info` and `convert` both refuse a file in the same single line.
fn expect_refusal(folder: &Path, name: &str, reason: &str) {
    let before = files(folder);
    let info = condyle_in(folder, &["info", name]).expect_one_error();
    let convert = condyle_in(folder, &["convert", name, "out.csv"]).expect_one_error();
    assert_eq!(info, convert);
    assert!(info.starts_with(&format!("error: {name}: ")), "{info}");
    assert!(info.contains(reason), "{info}");
    assert_eq!(files(folder), before);
}

/// The same bytes on every run, with no pattern a reader would know.
fn noise(length: usize) -> Vec<u8> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 56) as u8
    };
    (0..length).map(|_| next()).collect()
}

#[test]
fn a_missing_file() {
    // The words of the system itself, whichever that is.
    let reason = fs::read("none.c3d").unwrap_err().to_string();
    expect_refusal(folder_with_arm().path(), "none.c3d", &reason);
}

#[test]
fn a_directory() {
    let folder = folder_with_arm();
    fs::create_dir(folder.path().join("sub")).unwrap();
    expect_refusal(folder.path(), "sub", "directory");
}

#[cfg(unix)]
#[test]
fn an_unreadable_file() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder_with_arm();
    let path = folder.path().join("arm.trc");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o0)).unwrap();
    match fs::read(&path) {
        Err(error) => expect_refusal(folder.path(), "arm.trc", &error.to_string()),
        // Permissions do not bind the superuser, nor the program when it is run by one.
        Ok(_) => drop(condyle_in(folder.path(), &["info", "arm.trc"]).expect(0)),
    }
}

/// The memory of a process opens like a file, but not even the superuser can read its first byte.
#[cfg(target_os = "linux")]
#[test]
fn a_file_that_opens_but_cannot_be_read() {
    let reason = fs::read("/proc/self/mem").unwrap_err().to_string();
    expect_refusal(folder_with_arm().path(), "/proc/self/mem", &reason);
}

#[test]
fn an_empty_file() {
    let folder = folder_with_arm();
    fs::write(folder.path().join("a.c3d"), "").unwrap();
    expect_refusal(folder.path(), "a.c3d", "the file is empty");
    let ran = condyle_with_input(folder.path(), &["info", "-"], b"");
    assert!(ran.expect_one_error().starts_with("error: standard input: the file is empty"));
}

#[test]
fn random_bytes() {
    let folder = folder_with_arm();
    fs::write(folder.path().join("a.c3d"), noise(20_000)).unwrap();
    expect_refusal(folder.path(), "a.c3d", "not recognised");
}

#[test]
fn a_text_that_is_no_recording() {
    let folder = folder_with_arm();
    fs::write(folder.path().join("a.c3d"), "hello\n").unwrap();
    expect_refusal(folder.path(), "a.c3d", "hello");
}

#[test]
fn a_name_with_a_line_end_in_it_stays_on_one_line() {
    let ran = condyle_in(Path::new("."), &["info", "no\nsuch"]);
    assert!(ran.expect_one_error().contains("no\\nsuch"));
}

#[test]
fn a_file_cut_at_every_kilobyte_is_read_or_refused_but_never_half_written() {
    let folder = folder_with_arm();
    condyle_in(folder.path(), &["convert", "arm.trc", "arm.c3d"]).expect(0);
    for name in ["arm.trc", "arm.c3d"] {
        let bytes = fs::read(folder.path().join(name)).unwrap();
        for length in (1024..bytes.len()).step_by(1024) {
            fs::write(folder.path().join("cut"), &bytes[..length]).unwrap();
            let ran = condyle_in(folder.path(), &["convert", "cut", "out.csv"]);
            let is_written = files(folder.path()).contains(&"out.csv".to_owned());
            match ran.code {
                0 => {
                    assert!(is_written);
                    condyle_in(folder.path(), &["info", "out.csv"]).expect(0);
                    fs::remove_file(folder.path().join("out.csv")).unwrap();
                }
                _ => {
                    ran.expect_one_error();
                    assert!(!is_written, "{name} cut at {length}");
                }
            }
        }
    }
}

#[test]
fn a_folder_that_is_not_there_is_refused_before_reading() {
    let folder = folder_with_arm();
    let error = condyle_in(folder.path(), &["convert", "none.c3d", "no/b.csv"]).expect_one_error();
    assert!(error.starts_with("error: no/b.csv: need a folder"), "{error}");
}

#[test]
fn what_a_format_cannot_hold_leaves_no_file() {
    let folder = folder_with_arm();
    condyle_in(folder.path(), &["convert", "arm.trc", "b.bvh"]).expect_one_error();
    assert_eq!(files(folder.path()), ["arm.trc"]);
}

#[test]
fn a_bone_of_a_length_beyond_reason_is_refused_and_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let bone = |length: &str| {
        format!(
            ":version 1.10\n:units\n  length 0.45\n  angle deg\n:root\n  order TX TY TZ RX RY RZ\n  axis XYZ\n  position 0 0 0\n  \
             orientation 0 0 0\n:bonedata\n  begin\n    id 1\n    name thigh\n    direction 0 -1 0\n    length {length}\n    \
             axis 0 0 0 XYZ\n    dof rx\n  end\n:hierarchy\n  begin\n    root thigh\n  end\n"
        )
    };
    fs::write(folder.path().join("leg.asf"), bone("7.5")).unwrap();
    condyle_in(folder.path(), &["convert", "leg.asf", "leg.bvh"]).expect(0);
    fs::write(folder.path().join("huge.asf"), bone("1e300")).unwrap();
    let error = condyle_in(folder.path(), &["convert", "huge.asf", "b.bvh"]).expect_one_error();
    assert!(error.contains("need an offset of at most 1e12 m"), "{error}");
    assert_eq!(files(folder.path()), ["huge.asf", "leg.asf", "leg.bvh"]);
}

/// A table of trajectories `u1`, `u2`, … without a name: where each is in a frame, in millimetres.
fn table(tracks: usize, frames: usize, at: impl Fn(usize, usize) -> Option<[f64; 3]>) -> String {
    let names: Vec<String> = (1..=tracks).map(|number| format!("u{number}")).collect();
    let mut text = format!(
        "PathFileType\t4\t(X/Y/Z)\ta.trc\nDataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\t\
         OrigNumFrames\n100\t100\t{frames}\t{tracks}\tmm\t100\t1\t{frames}\nFrame#\tTime\t{}\n\t\t{}\n\n",
        names.join("\t\t\t"),
        (1..=tracks).map(|n| format!("X{n}\tY{n}\tZ{n}")).collect::<Vec<_>>().join("\t"),
    );
    for frame in 0..frames {
        let place = |track: usize| match at(track, frame) {
            Some([x, y, z]) => format!("{x:.3}\t{y:.3}\t{z:.3}"),
            None => "\t\t".to_owned(),
        };
        let places: Vec<String> = (0..tracks).map(place).collect();
        text += &format!("{}\t{:.2}\t{}\n", frame + 1, frame as f64 / 100.0, places.join("\t"));
    }
    text
}

#[test]
fn trajectories_that_show_nobody_are_refused_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let one_place = |_, _| Some([100.0, 200.0, 300.0]);
    fs::write(at.join("same.trc"), table(40, 100, one_place)).unwrap();
    let one_each =
        |track: usize, frame: usize| (track == frame).then_some([track as f64, 3.0, 700.0]);
    fs::write(at.join("each.trc"), table(200, 200, one_each)).unwrap();
    for name in ["same.trc", "each.trc"] {
        let groups = condyle_in(at, &["groups", name]).expect_one_error();
        assert!(
            groups.contains("match no known marker") && groups.contains("by motion"),
            "{groups}"
        );
        let run = condyle_in(at, &["run", name, "-o", "out"]).expect(1);
        assert!(run.stderr.contains("match no known marker"), "{}", run.stderr);
    }
}

#[test]
fn three_hundred_points_that_go_their_own_ways_are_answered() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    // Each on a circle of its own, none at the pace of another.
    let way = |track: usize, frame: usize| {
        let turn = frame as f64 * (0.02 + 1e-4 * track as f64) + track as f64;
        let (x, y) = ((track % 20) as f64 * 150.0, (track / 20) as f64 * 150.0);
        Some([x + 90.0 * turn.cos(), y + 90.0 * turn.sin(), 900.0 + 40.0 * (0.7 * turn).sin()])
    };
    fs::write(at.join("many.trc"), table(300, 60, way)).unwrap();
    let ran = condyle_in(at, &["groups", "many.trc", "--json"]);
    assert!(ran.code == 0 || ran.stderr.lines().filter(|l| l.starts_with("error")).count() == 1);
    assert!(!ran.stderr.contains("panicked"), "{}", ran.stderr);
}
