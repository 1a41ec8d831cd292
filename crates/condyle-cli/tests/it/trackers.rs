//! Recordings of sensors with six degrees of freedom, as users run them.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use crate::run::condyle_in;

/// A simulated person with sensors, as a plain table.
fn sensors(at: &Path) {
    let words = ["simulate", "-o", "rom", "--sensors", "--seconds", "12", "--rate", "60"];
    let noise = ["--noise-mm", "2", "--noise-deg", "0.2"];
    condyle_in(at, &[&words[..], &noise[..]].concat()).expect(0);
    let recording = fs::read_dir(at.join("rom")).unwrap().map(|entry| entry.unwrap().path());
    let recording = recording.into_iter().find(|path| path.file_stem().unwrap() == "recording");
    let recording = recording.unwrap();
    condyle_in(at, &["convert".as_ref(), recording.as_os_str(), "sensors.csv".as_ref()]).expect(0);
}

#[test]
fn sensors_are_fitted_solved_and_run_like_markers() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    sensors(at);
    let fitted = condyle_in(at, &["fit", "sensors.csv", "-o", "joe.json"]).expect(0);
    assert!(fitted.stdout.contains("left knee"), "{}", fitted.stdout);
    let solve =
        ["solve", "sensors.csv", "--subject", "joe.json", "-o", "joints.csv", "-o", "j.bvh"];
    condyle_in(at, &solve).expect(0);
    let kept = [&solve[..4], &["-o", "kept.csv", "--keep-orientations"]].concat();
    condyle_in(at, &kept).expect(0);
    let ran = condyle_in(at, &["run", "sensors.csv", "-o", "out", "--json"]).expect(0);
    let json = ran.json();
    assert_eq!((&json[0]["plan"], &json[0]["fixed"]), (&"bodies".into(), &0.into()));
    for file in [
        "joints.csv",
        "joints.trc",
        "angles.csv",
        "angles.mot",
        "skeleton.bvh",
        "skeleton.glb",
        "bodies.csv",
        "with-joints.c3d",
        "report.html",
        "subject.json",
    ] {
        assert!(at.join("out/sensors").join(file).is_file(), "{file}");
    }
    condyle_in(at, &["plot", "sensors.csv", "-o", "a.svg"]).expect(0);
}

/// A table of two sensors on a hinge, its rows as `row` has them.
fn table(at: &Path, row: impl Fn(usize) -> String) {
    let mut text =
        "time_s,a_x,a_y,a_z,a_qw,a_qx,a_qy,a_qz,b_x,b_y,b_z,b_qw,b_qx,b_qy,b_qz\n".to_owned();
    (0..60).for_each(|k| writeln!(text, "{}", row(k)).unwrap());
    fs::write(at.join("two.csv"), text).unwrap();
}

/// The second sensor swings on a rod of 30 cm about the first.
fn swinging(k: usize, time_s: f64, quaternion: Option<[f64; 4]>) -> String {
    let half = 0.4 * (k as f64 * 0.2).sin();
    let [w, x, y, z] = quaternion.unwrap_or([half.cos(), 0.0, 0.0, half.sin()]);
    let (at_x, at_y) = (0.3 * (2.0 * half).cos(), 0.3 * (2.0 * half).sin());
    format!("{time_s},0,0,1,1,0,0,0,{at_x},{at_y},1,{w},{x},{y},{z}")
}

#[test]
fn a_hinge_between_two_sensors_is_called_one() {
    let folder = tempfile::tempdir().unwrap();
    table(folder.path(), |k| swinging(k, k as f64 * 0.01, None));
    let fitted = condyle_in(folder.path(), &["fit", "two.csv", "--json"]).expect(0).json();
    assert_eq!(fitted["joints"][0]["kind"], "hinge");
    let axis = fitted["joints"][0]["axis_in_parent"][2].as_f64().unwrap();
    assert!((axis.abs() - 1.0).abs() < 1e-6, "{axis}");
}

#[test]
fn zero_and_stretched_quaternions_and_time_running_backwards_are_noted() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    table(at, |k| swinging(k, k as f64 * 0.01, (k == 7).then_some([0.0; 4])));
    let noted = condyle_in(at, &["info", "two.csv"]).expect(0).stdout;
    assert!(noted.contains("quaternion-zero: 1 quaternions are zero"), "{noted}");
    table(at, |k| swinging(k, k as f64 * 0.01, (k == 7).then_some([2.0, 0.0, 0.0, 0.0])));
    let noted = condyle_in(at, &["info", "two.csv"]).expect(0).stdout;
    assert!(noted.contains("quaternion-stretched: 1 quaternions"), "{noted}");
    table(at, |k| swinging(k, if k == 30 { 0.1 } else { k as f64 * 0.01 }, None));
    let noted = condyle_in(at, &["fit", "two.csv", "--json"]).expect(0).stderr;
    assert!(noted.contains("time-backwards: the time column runs backwards 1 times"), "{noted}");
}

#[test]
fn matrices_that_are_sheared_or_left_handed_are_noted() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let turned = |k: usize| {
        let (s, c) = (0.5 * (k as f64 * 0.3).sin()).sin_cos();
        format!("{c},{},0,{s},{c},0,0,0,{}", -s, if k == 5 { -1 } else { 1 })
    };
    let mut text = "a_x,a_y,a_z,a_r11,a_r12,a_r13,a_r21,a_r22,a_r23,a_r31,a_r32,a_r33\n".to_owned();
    (0..40).for_each(|k| writeln!(text, "0,0,{},{}", k as f64 * 0.01, turned(k)).unwrap());
    text.push_str("0,0,0,1,0.2,0,0,1,0,0,0,1\n");
    fs::write(at.join("one.csv"), text).unwrap();
    let noted = condyle_in(at, &["info", "one.csv"]).expect(0).stdout;
    assert!(noted.contains("matrix-left-handed: 1 matrices"), "{noted}");
    assert!(noted.contains("matrix-repaired: 1 matrices"), "{noted}");
}

#[test]
fn one_sensor_and_sensors_that_never_move_are_refused_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let rows: String = (0..40).map(|_| "1,2,3,1,0,0,0\n").collect();
    fs::write(at.join("one.csv"), format!("a_x,a_y,a_z,a_qw,a_qx,a_qy,a_qz\n{rows}")).unwrap();
    let error = condyle_in(at, &["fit", "one.csv", "-o", "a.json"]).expect(1).stderr;
    assert!(
        error.contains("need 2 with positions that are seen in 8 frames, got 1 of 1"),
        "{error}"
    );
    table(at, |k| swinging(0, k as f64 * 0.01, None));
    let error = condyle_in(at, &["fit", "two.csv", "-o", "a.json"]).expect(1).stderr;
    assert!(
        error.contains("need two that turn against each other about a point, got none"),
        "{error}"
    );
    table(at, |k| swinging(k, k as f64 * 0.01, Some([0.0; 4])));
    let error = condyle_in(at, &["fit", "two.csv", "-o", "a.json"]).expect(1).stderr;
    assert!(error.contains("got 1 of 2; 60 quaternions are zero; taken as missing"), "{error}");
    assert!(!at.join("a.json").exists());
}

#[test]
fn columns_without_a_header_are_named_and_left_handed_axes_mirrored() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("bare.csv"), "1,2,3,0,0,0,1\n1,2,4,0,0,0,1\n").unwrap();
    let names = "B_x,B_y,B_z,B_qx,B_qy,B_qz,B_qw";
    let words = ["convert", "bare.csv", "-", "--to", "csv", "--columns", names, "--left-handed"];
    let ran = condyle_in(at, &[&words[..], &["--assume-rate", "100", "--scale", "0.5"]].concat());
    let ran = ran.expect(0);
    assert!(ran.stdout.contains("0.5,1,-1.5,1,"), "{}", ran.stdout);
    assert!(ran.stderr.contains("mirrored") && ran.stderr.contains("scaled"), "{}", ran.stderr);
    let error = condyle_in(at, &["info", "bare.csv", "--columns", "a,b"]).expect(1).stderr;
    assert!(error.contains("columns: need 7 names, got 2"), "{error}");
}

#[test]
fn a_pointer_is_calibrated_and_a_wand_gives_the_scale() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    // The tip is 16 cm along the tool's z, the post at (1, 2, 3).
    let mut text = "tool_x,tool_y,tool_z,tool_r11,tool_r12,tool_r13,tool_r21,tool_r22,tool_r23,tool_r31,tool_r32,tool_r33\n".to_owned();
    for k in 0..80 {
        let (sa, ca) = (0.5 * (f64::from(k) * 0.3).sin()).sin_cos();
        let (sb, cb) = (0.4 * (f64::from(k) * 0.21).cos()).sin_cos();
        // R = Rx(a) Ry(b); its third column is (sin b, -sin a cos b, cos a cos b).
        let z = [sb, -sa * cb, ca * cb];
        let origin = [1.0 - 0.16 * z[0], 2.0 - 0.16 * z[1], 3.0 - 0.16 * z[2]];
        let rows = [cb, 0.0, sb, sa * sb, ca, z[1], -ca * sb, sa, z[2]];
        let cells: Vec<String> = origin.iter().chain(&rows).map(ToString::to_string).collect();
        writeln!(text, "{}", cells.join(",")).unwrap();
    }
    fs::write(at.join("tool.csv"), text).unwrap();
    let found = condyle_in(at, &["pivot", "tool.csv", "--json", "--units", "m"]).expect(0).json();
    let number = |key: &str, k: usize| found[0][key][k].as_f64().unwrap();
    assert!((number("tip_in_tool_m", 2) - 0.16).abs() < 1e-9, "{found}");
    assert!((number("pivot_m", 1) - 2.0).abs() < 1e-9, "{found}");
    assert_eq!(found[0]["verdict"], "ball");
    let missing = condyle_in(at, &["pivot", "tool.csv", "none.csv"]).expect(1);
    assert!(missing.stdout.contains("tool.csv") && missing.stderr.contains("none.csv"));
    table(at, |k| swinging(k, k as f64 * 0.01, None));
    let scale = condyle_in(at, &["scale", "two.csv", "--distance-mm", "282", "--json"]).expect(0);
    assert!((scale.json()["factor"].as_f64().unwrap() - 0.94).abs() < 1e-9);
    let error = condyle_in(at, &["scale", "tool.csv", "--distance-mm", "3"]).expect(1).stderr;
    assert!(error.contains("need two bodies, got 1"), "{error}");
}

#[test]
fn a_pointer_that_turns_about_one_axis_alone_is_an_error_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let mut text = "tool_x,tool_y,tool_z,tool_qw,tool_qx,tool_qy,tool_qz\n".to_owned();
    for k in 0..80 {
        // About x, with the tip 0.2 m below.
        let angle_rad = 0.5 * (f64::from(k) * 0.3).sin();
        let [(s, c), (sin, cos)] = [angle_rad, angle_rad / 2.0].map(f64::sin_cos);
        writeln!(text, "0,{},{},{cos},{sin},0,0", -0.2 * s, 0.2 * c).unwrap();
    }
    fs::write(folder.path().join("hinge.csv"), text).unwrap();
    let ran = condyle_in(folder.path(), &["pivot", "hinge.csv", "--units", "m"]).expect(1);
    let errors: Vec<&str> = ran.stderr.lines().filter(|line| line.starts_with("error:")).collect();
    assert_eq!(errors, ["error: hinge.csv: need turns about one point, got verdict hinge"]);
}

#[test]
fn info_names_the_bodies_and_their_gaps() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let pose = "0.1,0.2,0.3,1,0,0,0";
    table(at, |k| match k {
        // A row that is not there, and one sensor that is not seen.
        20 => String::new(),
        30..40 => format!("{:.4},,,,,,,,{pose}", k as f64 / 60.0),
        _ => format!("{:.4},{pose},{pose}", k as f64 / 60.0),
    });
    let json = condyle_in(at, &["info", "--json", "two.csv"]).expect(0).json();
    let bodies = &json[0]["bodies"];
    assert_eq!((&json[0]["frames"], bodies.as_array().unwrap().len()), (&60.into(), 2));
    let ranges = |body: usize| bodies[body]["ranges"].clone();
    assert_eq!(ranges(0), serde_json::json!([[21, 21], [31, 40]]));
    assert_eq!(ranges(1), serde_json::json!([[21, 21]]));
    let a = &bodies[0];
    assert_eq!(
        (&a["name"], &a["has_positions"], &a["missing"], &a["gaps"], &a["longest_gap_frames"]),
        (&"a".into(), &true.into(), &11.into(), &2.into(), &10.into())
    );
    let page = condyle_in(at, &["info", "two.csv"]).expect(0);
    let row = page.stdout.lines().find(|line| line.trim_start().starts_with("a ")).unwrap();
    let cells: Vec<&str> = row.split_whitespace().collect();
    assert_eq!(cells, ["a", "18.3", "2", "10", "0.167"]);
}

#[test]
fn a_table_without_names_is_refused_with_the_way_to_name_its_columns() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("bare.csv"), "0.1,0.2,0.3,1,0,0,0\n".repeat(20)).unwrap();
    let ran = condyle_in(at, &["fit", "bare.csv", "-o", "a.json"]).expect(1);
    assert!(ran.stderr.contains("a table of 7 columns") && ran.stderr.contains("--columns A_x"));
}
