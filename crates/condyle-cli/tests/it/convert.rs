//! `condyle convert` on files that can be read.
use crate::run::{self, condyle_in, condyle_with_input, files, folder_with_arm};
use condyle::format::{ReadOptions, read_path};
use condyle::trial::{Axis, LengthUnit, Origin};
use std::fs;
use std::path::Path;

fn read(path: &Path) -> condyle::Trial {
    read_path(path, &ReadOptions::default()).unwrap()
}

#[test]
fn every_table_format_keeps_every_position() {
    let folder = folder_with_arm();
    let before = read(&folder.path().join("arm.trc"));
    for name in ["b.trc", "b.csv", "b.c3d"] {
        condyle_in(folder.path(), &["convert", "arm.trc", name]).expect(0);
        let after = read(&folder.path().join(name));
        assert_eq!((after.frames, after.rate_hz), (before.frames, before.rate_hz), "{name}");
        // A C3D file holds 32-bit floats: seven digits of 1.4 m.
        let tolerance_m = if name == "b.c3d" { 2e-7 } else { 0.0 };
        for (a, b) in after.markers.iter().zip(&before.markers) {
            assert_eq!(a.label, b.label);
            assert_eq!(a.gaps(), b.gaps(), "{name} {}", a.label);
            for frame in 0..before.frames {
                if let (Some(p), Some(q)) = (a.position_m(frame), b.position_m(frame)) {
                    assert!((p - q).amax() <= tolerance_m, "{name} {} {frame}", a.label);
                }
            }
        }
    }
}

#[test]
fn takes_markers_and_frames() {
    let folder = folder_with_arm();
    let args = ["convert", "arm.trc", "b.csv", "--markers", "WRI,UPA*", "--frames", "11:20"];
    condyle_in(folder.path(), &args).expect(0);
    let (before, after) =
        (read(&folder.path().join("arm.trc")), read(&folder.path().join("b.csv")));
    let labels: Vec<&str> = after.markers.iter().map(|marker| marker.label.as_str()).collect();
    assert_eq!(labels, ["WRI", "UPA1", "UPA2", "UPA3"]);
    assert_eq!(after.frames, 10);
    assert_eq!(after.markers[0].position_m(0), before.markers[7].position_m(10));
}

#[test]
fn unknown_markers_and_frames_are_refused_with_a_way_out() {
    let folder = folder_with_arm();
    let ran = condyle_in(folder.path(), &["convert", "arm.trc", "b.csv", "--markers", "WRIST"]);
    let error = ran.expect_one_error();
    assert!(error.contains("arm.trc: markers: ") && error.contains("WRI"), "{error}");
    let ran = condyle_in(folder.path(), &["convert", "arm.trc", "b.csv", "--frames", "100:121"]);
    assert!(ran.expect_one_error().contains("within 1 to 120"));
    assert_eq!(files(folder.path()), ["arm.trc"]);
}

#[test]
fn resamples_and_says_how() {
    let folder = folder_with_arm();
    let ran =
        condyle_in(folder.path(), &["convert", "arm.trc", "b.csv", "--rate", "120"]).expect(0);
    assert!(ran.stderr.contains("note: resampled: from 60 Hz to 120 Hz: cubic"), "{}", ran.stderr);
    let after = read(&folder.path().join("b.csv"));
    assert_eq!((after.frames, after.rate_hz), (239, 120.0));
    // Half-way samples beside the gap need both neighbours, so the gap grows by one on each side.
    assert_eq!(after.markers[3].gaps().first(), Some(&(79..104)));
    let down =
        condyle_in(folder.path(), &["convert", "arm.trc", "c.csv", "--rate", "30"]).expect(0);
    assert!(down.stderr.contains("no low-pass filter"), "{}", down.stderr);
}

#[test]
fn turns_and_changes_units() {
    let folder = folder_with_arm();
    let path = folder.path();
    let args = ["convert", "arm.trc", "b.c3d", "--up", "y", "--out-up", "z", "--out-units", "m"];
    let ran = condyle_in(path, &args).expect(0);
    assert!(ran.stderr.contains("+90 degrees about x"), "{}", ran.stderr);
    let (before, after) = (read(&path.join("arm.trc")), read(&path.join("b.c3d")));
    assert_eq!(after.source.up, Some(Axis::Z));
    assert_eq!(after.source.unit, LengthUnit::Metre);
    let (p, q) =
        (before.markers[7].position_m(9).unwrap(), after.markers[7].position_m(9).unwrap());
    assert!((p.y - q.z).abs() < 1e-6 && (p.z + q.y).abs() < 1e-6 && (p.x - q.x).abs() < 1e-6);
    assert_eq!(after.markers[7].origin(9), Origin::Measured);
    let unknown = condyle_in(path, &["convert", "arm.trc", "c.trc", "--out-up", "z"]);
    assert!(unknown.expect_one_error().contains("say it with --up"));
}

#[test]
fn a_unit_that_the_format_has_no_choice_of_is_noted() {
    let folder = folder_with_arm();
    let args = ["convert", "arm.trc", "b.csv", "--out-units", "mm"];
    let ran = condyle_in(folder.path(), &args).expect(0);
    let note = "note: units-ignored: csv is always in metres: --out-units mm was ignored";
    assert!(ran.stderr.contains(note), "{}", ran.stderr);
    let args = ["convert", "arm.trc", "c.csv", "--out-units", "m"];
    assert!(!condyle_in(folder.path(), &args).expect(0).stderr.contains("ignored"));
}

#[test]
fn never_overwrites_without_being_told() {
    let folder = folder_with_arm();
    fs::write(folder.path().join("b.csv"), "precious").unwrap();
    let ran = condyle_in(folder.path(), &["convert", "arm.trc", "b.csv"]);
    assert!(ran.expect_one_error().contains("need --force"));
    assert_eq!(fs::read_to_string(folder.path().join("b.csv")).unwrap(), "precious");
    condyle_in(folder.path(), &["convert", "arm.trc", "b.csv", "--force"]).expect(0);
    assert_eq!(read(&folder.path().join("b.csv")).markers.len(), 8);
    assert_eq!(files(folder.path()), ["arm.trc", "b.csv"]);
}

#[test]
fn a_file_can_be_converted_onto_itself() {
    let folder = folder_with_arm();
    let ran = condyle_in(folder.path(), &["convert", "arm.trc", "./arm.trc"]);
    assert!(ran.expect_one_error().contains("need --force"));
    let args = ["convert", "arm.trc", "./arm.trc", "--force", "--markers", "WRI"];
    condyle_in(folder.path(), &args).expect(0);
    assert_eq!(read(&folder.path().join("arm.trc")).markers.len(), 1);
}

#[test]
fn pipes_from_standard_input_to_standard_output() {
    let folder = folder_with_arm();
    let bytes = fs::read(run::arm()).unwrap();
    let args = ["convert", "-", "-", "--to", "csv", "--quiet"];
    let ran = condyle_with_input(folder.path(), &args, &bytes).expect(0);
    assert_eq!(ran.stderr, "");
    fs::write(folder.path().join("b.csv"), ran.stdout).unwrap();
    assert_eq!(read(&folder.path().join("b.csv")).markers.len(), 8);
}

#[test]
fn the_format_asked_for_wins_over_the_extension() {
    let folder = folder_with_arm();
    condyle_in(folder.path(), &["convert", "arm.trc", "b.dat", "--to", "csv"]).expect(0);
    let path = folder.path().join("b.dat");
    assert_eq!(read(&path).source.format, condyle::trial::Format::Csv);
}

#[test]
fn json_sums_up_what_was_written() {
    let folder = folder_with_arm();
    let args = ["convert", "arm.trc", "b.csv", "--json", "--rate", "30"];
    let ran = condyle_in(folder.path(), &args).expect(0);
    let json = ran.json();
    assert_eq!(json["format"], "csv");
    assert_eq!(json["frames"], 60);
    assert_eq!(json["rate_hz"], 30.0);
    assert!(json["notes"][0].as_str().unwrap().starts_with("resampled: "), "{json}");
}

#[cfg(unix)]
#[test]
fn the_new_file_has_ordinary_permissions_and_keeps_those_of_the_old() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder_with_arm();
    let mode =
        |name: &str| fs::metadata(folder.path().join(name)).unwrap().permissions().mode() & 0o777;
    fs::write(folder.path().join("plain"), "").unwrap();
    condyle_in(folder.path(), &["convert", "arm.trc", "b.csv"]).expect(0);
    assert_eq!(mode("b.csv"), mode("plain"));
    fs::set_permissions(folder.path().join("b.csv"), fs::Permissions::from_mode(0o640)).unwrap();
    condyle_in(folder.path(), &["convert", "arm.trc", "b.csv", "--force"]).expect(0);
    assert_eq!(mode("b.csv"), 0o640);
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link_and_a_device_is_refused() {
    let folder = folder_with_arm();
    fs::write(folder.path().join("real.csv"), "old").unwrap();
    std::os::unix::fs::symlink("real.csv", folder.path().join("link.csv")).unwrap();
    condyle_in(folder.path(), &["convert", "arm.trc", "link.csv", "--force"]).expect(0);
    assert!(fs::symlink_metadata(folder.path().join("link.csv")).unwrap().is_symlink());
    assert_eq!(read(&folder.path().join("real.csv")).markers.len(), 8);
    let args = ["convert", "arm.trc", "/dev/null", "--to", "csv", "--force"];
    assert!(condyle_in(folder.path(), &args).expect_one_error().contains("device"));
}
