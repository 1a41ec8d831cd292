//! `condyle centre` on points whose centre is known.
use crate::points::{EXAMPLE_1, EXAMPLE_2, ball, folder_with};
use crate::run::{condyle_in, folder_with_arm};
use std::fmt::Write;
use std::path::Path;

/// The fields of the contract.
const FIELDS: [&str; 9] = [
    "method",
    "centre",
    "radius",
    "sigma",
    "covariance",
    "verdict",
    "axis",
    "coverage_rad",
    "samples",
];

fn centre(folder: &Path, args: &[&str]) -> serde_json::Value {
    let args: Vec<&str> = ["centre", "--json"].into_iter().chain(args.iter().copied()).collect();
    condyle_in(folder, &args).expect(0).json()
}

fn assert_near(got: &serde_json::Value, want: &[f64], tolerance: f64) {
    let got: Vec<f64> = got.as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect();
    assert_eq!(got.len(), want.len());
    for (g, w) in got.iter().zip(want) {
        assert!((g - w).abs() <= tolerance, "{got:?} {want:?}");
    }
}

#[test]
fn a_bare_table_gives_every_field_of_the_contract() {
    let folder = folder_with(&[("points.csv", EXAMPLE_1)]);
    let answer = centre(folder.path(), &["points.csv"]);
    for field in FIELDS {
        assert!(answer.get(field).is_some(), "{field}");
    }
    assert_eq!(answer["method"], "sc-gdk");
    assert_eq!(answer["verdict"], "ball");
    assert!(answer["axis"].is_null());
    assert_eq!(answer["samples"], 10);
    assert_near(&answer["centre"], &[0.599239, -0.189232, 0.897752], 1e-6);
    assert_eq!(answer["covariance"].as_array().unwrap().len(), 3);
}

#[test]
fn the_examples_of_2005_come_out_to_two_millionths() {
    let folder = folder_with(&[("one.csv", EXAMPLE_1), ("two.csv", EXAMPLE_2)]);
    let fit = |args: &[&str]| centre(folder.path(), args);
    let gdke = fit(&["one.csv", "--method", "gdke"]);
    assert_near(&gdke["centre"], &[0.599337, -0.189249, 0.897781], 2e-6);
    let lls = fit(&["one.csv", "--method", "lls"]);
    assert_near(&lls["centre"], &[0.599337, -0.189249, 0.897781], 2e-6);
    let mle = fit(&["one.csv", "--method", "mle"]);
    assert_near(&mle["centre"], &[0.599084, -0.189018, 0.89785], 3e-6);
    let sgdk = fit(&["two.csv", "--method", "sgdk-printed"]);
    assert_near(&sgdk["centre"], &[0.60204, -0.210872, 0.904606], 2e-6);
    assert_eq!(sgdk["verdict"], "hinge");
    assert_near(&sgdk["axis"], &[0.102284, 0.194435, 0.975568], 2e-6);
}

#[test]
fn every_method_finds_a_sphere_without_noise() {
    let folder = folder_with(&[("a.csv", &ball([1.0, -2.0, 3.0], 0.5))]);
    let methods = [
        "gdke",
        "sc-gdk",
        "sc-gdk-polished",
        "sgdk",
        "sgdk-printed",
        "taubin",
        "pratt",
        "hyper",
        "gander",
        "lls",
        "mle",
        "igdk",
    ];
    for method in methods {
        let answer = centre(folder.path(), &["a.csv", "--method", method]);
        assert_eq!(answer["method"], method);
        assert_near(&answer["centre"], &[1.0, -2.0, 3.0], 1e-9);
        assert!((answer["radius"].as_f64().unwrap() - 0.5).abs() < 1e-9, "{method}");
        assert_eq!(answer["verdict"], "ball", "{method}");
    }
    let answer = centre(folder.path(), &["a.csv", "--method", "ugdk", "--sigma", "0"]);
    assert_near(&answer["centre"], &[1.0, -2.0, 3.0], 1e-9);
    let all = centre(folder.path(), &["a.csv", "--method", "all", "--sigma", "0.001"]);
    assert_eq!(all.as_array().unwrap().len(), 13);
}

#[test]
fn numbers_are_taken_as_they_are_however_large() {
    let folder = folder_with(&[
        ("mm.csv", &ball([1000.0, -2000.0, 3000.0], 500.0)),
        ("huge.csv", &ball([1e300, 0.0, 0.0], 1e300)),
    ]);
    let answer = centre(folder.path(), &["mm.csv"]);
    assert_near(&answer["centre"], &[1000.0, -2000.0, 3000.0], 1e-6);
    let answer = centre(folder.path(), &["huge.csv"]);
    assert_near(&answer["centre"], &[1e300, 0.0, 0.0], 1e291);
}

#[test]
fn several_files_are_several_markers_around_one_centre() {
    let folder = folder_with(&[
        ("near.csv", &ball([1.0, 2.0, 3.0], 0.1)),
        ("far.csv", &ball([1.0, 2.0, 3.0], 0.4)),
    ]);
    let answer = centre(folder.path(), &["near.csv", "far.csv"]);
    assert_eq!(answer["method"], "mgdk");
    assert_eq!(answer["samples"], 120);
    assert_near(&answer["centre"], &[1.0, 2.0, 3.0], 1e-9);
    assert_near(&answer["radii"], &[0.1, 0.4], 1e-9);
    for more in [&["--method", "pratt"][..], &["--method", "all"], &["--robust"]] {
        let args = [&["centre", "near.csv", "far.csv"][..], more].concat();
        let ran = condyle_in(folder.path(), &args).expect(2);
        assert!(ran.stderr.contains("marker"), "{}", ran.stderr);
    }
}

#[test]
fn a_marker_is_followed_in_the_frame_of_a_segment() {
    // A pelvis that travels and turns, and a thigh that swings about a point fixed in it.
    let mut text = "frame,time_s,A_x,A_y,A_z,B_x,B_y,B_z,C_x,C_y,C_z,T_x,T_y,T_z\n".to_owned();
    for i in 0..200 {
        let t = f64::from(i) * 0.05;
        let (sin, cos) = (0.4 * t).sin_cos();
        let place = |p: [f64; 3]| {
            [cos * p[0] - sin * p[1] + t, sin * p[0] + cos * p[1] - 0.5 * t, p[2] + 1.0]
        };
        let (a, b) = (0.6 * (1.7 * t).sin(), 0.5 * (2.9 * t).cos());
        let thigh =
            [0.3 * a.sin() + 0.1, 0.3 * b.sin() * a.cos() - 0.05, -0.3 * a.cos() * b.cos() - 0.1];
        write!(text, "{},{t}", i + 1).unwrap();
        for point in [[0.0, 0.0, 0.0], [0.25, 0.0, 0.0], [0.1, 0.2, 0.0], thigh] {
            let [x, y, z] = place(point);
            write!(text, ",{x},{y},{z}").unwrap();
        }
        text.push('\n');
    }
    let folder = folder_with(&[("walk.csv", &text)]);
    let answer = centre(folder.path(), &["walk.csv", "--marker", "T", "--in", "A,B,C"]);
    // x from A to B, z along (C - A) × x, which points down here.
    assert_near(&answer["centre"], &[0.1, 0.05, 0.1], 1e-8);
    assert_eq!(answer["verdict"], "ball");
    let ran = condyle_in(folder.path(), &["centre", "walk.csv"]);
    assert!(ran.expect_one_error().contains("need --marker to choose from 4 markers"));
    let ran = condyle_in(folder.path(), &["centre", "walk.csv", "--marker", "T", "--in", "A,B"]);
    assert!(ran.expect_one_error().contains("at least 3 markers, got 2"));
}

#[test]
fn a_person_reads_the_same_in_words() {
    let folder = folder_with(&[("two.csv", EXAMPLE_2)]);
    let ran = condyle_in(folder.path(), &["centre", "two.csv"]).expect(0);
    for word in ["sc-gdk", "hinge: the axis is determined", "± ", "degrees"] {
        assert!(ran.stdout.contains(word), "{word}: {}", ran.stdout);
    }
    let all = condyle_in(folder.path(), &["centre", "two.csv", "--method", "all"]).expect(0);
    assert_eq!(all.stdout.lines().count(), 14, "{}", all.stdout);
    assert!(all.stdout.ends_with("lengths in the unit of the table\n"), "{}", all.stdout);
}

#[test]
fn the_elbow_of_the_sample_is_a_hinge_as_seen_from_the_upper_arm() {
    let folder = folder_with_arm();
    for marker in ["FOA1", "FOA2", "WRI", "FOA1,FOA2,FOA3"] {
        // Its markers sit on bones.
        let bones = ["--soft-tissue", "none"];
        let args = ["arm.trc", "--marker", marker, "--in", "UPA1,UPA2,UPA3"];
        let args = [&args[..], &bones].concat();
        let answer = centre(folder.path(), &args);
        assert_eq!(answer["verdict"], "hinge", "{marker}: {answer}");
        assert_eq!(answer["unit"], "m");
    }
    let args = ["centre", "arm.trc", "--marker", "FOA1", "--in", "UPA1,UPA2,UPA3"];
    let page = condyle_in(folder.path(), &args).expect(0).stdout;
    assert!(page.contains("in metres") && !page.contains("-0.000000"), "{page}");
}

#[test]
fn methods_are_compared_without_outliers_where_that_is_asked_for() {
    let mut table = ball([1.0, 2.0, 3.0], 0.5);
    table.push_str("9,9,9\n-8,7,3\n");
    let folder = folder_with(&[("spikes.csv", &table)]);
    let all = centre(folder.path(), &["spikes.csv", "--method", "all", "--robust"]);
    for answer in all.as_array().unwrap() {
        assert!(answer["rejected"].as_u64().unwrap() >= 2, "{answer}");
        assert_near(&answer["centre"], &[1.0, 2.0, 3.0], 1e-6);
    }
}

#[test]
fn where_no_method_has_an_answer_that_is_said_once() {
    let line: String = (0..20).map(|i| format!("{i},{},{}\n", 2 * i, 3 * i)).collect();
    let folder = folder_with(&[("line.csv", &format!("x,y,z\n{line}"))]);
    let ran = condyle_in(folder.path(), &["centre", "line.csv", "--method", "all"]).expect(1);
    assert!(ran.stderr.contains("all methods: "), "{}", ran.stderr);
    assert!(ran.stderr.contains("error: no method has an answer"), "{}", ran.stderr);
    assert_eq!(ran.stderr.lines().count(), 2, "{}", ran.stderr);
}

#[test]
fn a_marker_that_turns_about_another_point_is_named() {
    let folder = folder_with(&[
        ("near.csv", &ball([1.0, 2.0, 3.0], 0.2)),
        ("odd.csv", &ball([1.1, 2.0, 3.0], 0.3)),
    ]);
    let ran = condyle_in(folder.path(), &["centre", "near.csv", "odd.csv", "--json"]).expect(0);
    assert!(ran.stderr.contains("odd.csv turns about another point"), "{}", ran.stderr);
    let answer = ran.json();
    assert_eq!(answer["markers"][1]["agrees"], false);
    assert!(answer["standard_error"].as_f64().unwrap() > 0.01, "{answer}");
}

#[test]
fn what_changes_nothing_is_said() {
    let folder = folder_with(&[("a.csv", &ball([1.0, 2.0, 3.0], 0.5))]);
    let sigma = condyle_in(folder.path(), &["centre", "a.csv", "--sigma", "1"]).expect(0);
    assert!(sigma.stderr.contains("only ugdk takes it"), "{}", sigma.stderr);
    let mgdk = condyle_in(folder.path(), &["centre", "a.csv", "--method", "mgdk"]).expect(0);
    assert!(mgdk.stderr.contains("of one marker that is sc-gdk"), "{}", mgdk.stderr);
}

#[test]
fn columns_that_are_no_positions_are_not_fitted() {
    let with = |head: &str, columns: usize| {
        let row = |i: usize| (0..columns).map(|c| format!("{}", (i * (c + 3)) % 17)).collect();
        let rows: Vec<Vec<String>> = (0..30).map(row).collect();
        let rows: String = rows.iter().map(|row| format!("{}\n", row.join(","))).collect();
        format!("{head}{rows}")
    };
    for (head, columns, why) in [
        ("emg1,emg2,force\n", 3, "got the columns emg1, emg2, force"),
        ("", 2, "got 2 columns without names"),
        ("", 4, "got 4 columns without names"),
    ] {
        let folder = folder_with(&[("t.csv", &with(head, columns))]);
        let error = condyle_in(folder.path(), &["centre", "t.csv"]).expect(1).stderr;
        assert!(error.contains(why), "{error}");
    }
    let folder = folder_with(&[("t.csv", &with("", 3))]);
    condyle_in(folder.path(), &["centre", "t.csv"]).expect(0);
}

#[test]
fn what_is_odd_in_a_file_is_said() {
    let table = ball([1.0, 2.0, 3.0], 0.5).replacen("x,y,z\n", "x,y,z\nfoo,bar,baz\n", 1);
    let folder = folder_with(&[("odd.csv", &table)]);
    let info = condyle_in(folder.path(), &["info", "--json", "odd.csv"]).expect(0).json();
    let note = info[0]["notes"][0].as_str().unwrap().to_owned();
    let ran = condyle_in(folder.path(), &["centre", "odd.csv"]).expect(0);
    assert!(ran.stderr.contains(&note), "{note}: {}", ran.stderr);
}

#[test]
fn a_wrong_command_line_is_exit_code_2() {
    let folder = tempfile::tempdir().unwrap();
    for args in [
        vec!["centre"],
        vec!["centre", "a.csv", "--method", "ugdk"],
        vec!["centre", "a.csv", "--method", "guess"],
        vec!["centre", "a.csv", "--method", "ugdk", "--sigma", "-1"],
        vec!["centre", "a.csv", "--in", "A,B,C"],
    ] {
        let ran = condyle_in(folder.path(), &args).expect(2);
        assert!(ran.stderr.contains("--help"), "{args:?}: {}", ran.stderr);
    }
    let help = condyle_in(folder.path(), &["centre", "--help"]).expect(0).stdout;
    assert!(help.contains("Examples:") && help.lines().all(|line| line.chars().count() <= 100));
}
