//! `condyle centre --shape` on points whose shape is known.
use crate::points::{EXAMPLE_2, ball, folder_with};
use crate::run::condyle_in;
use std::fmt::Write;
use std::path::Path;

fn shape(folder: &Path, file: &str, shape: &str) -> serde_json::Value {
    condyle_in(folder, &["centre", "--json", file, "--shape", shape]).expect(0).json()
}

fn off(got: &serde_json::Value, want: [f64; 3]) -> f64 {
    (0..3).map(|i| (got[i].as_f64().unwrap() - want[i]).abs()).fold(0.0, f64::max)
}

/// A cylinder of radius 2 about (1, 2, z).
fn tube() -> String {
    let mut text = "x,y,z\n".to_owned();
    for i in 0..80 {
        let (angle, height) = (f64::from(i) * 0.37, f64::from(i % 7) * 0.5);
        let (x, y) = (1.0 + 2.0 * angle.cos(), 2.0 + 2.0 * angle.sin());
        writeln!(text, "{x},{y},{height}").unwrap();
    }
    text
}

#[test]
fn a_circle_and_its_plane() {
    let folder = folder_with(&[("arc.csv", EXAMPLE_2)]);
    let circle = shape(folder.path(), "arc.csv", "circle");
    assert_eq!(circle["shape"], "circle");
    assert_eq!(circle["verdict"], "hinge");
    assert!(off(&circle["centre"], [0.602038, -0.210837, 0.904599]) < 1e-6);
    assert!(off(&circle["axis"], [0.102284, 0.194435, 0.975568]) < 2e-6);
    let plane = shape(folder.path(), "arc.csv", "plane");
    assert_eq!(plane["shape"], "plane");
    assert!(plane["radius"].is_null() && plane["verdict"].is_null());
    assert_eq!(plane["axis"], circle["axis"]);
    assert!(plane["sigma"].as_f64().unwrap() < 0.01);
}

#[test]
fn a_cylinder_whose_axis_is_not_given() {
    let folder = folder_with(&[("tube.csv", &tube())]);
    let answer = shape(folder.path(), "tube.csv", "cylinder");
    assert_eq!(answer["shape"], "cylinder");
    assert_eq!(answer["verdict"], "hinge");
    assert!(off(&answer["axis"], [0.0, 0.0, 1.0]) < 1e-9, "{answer}");
    let (x, y) = (answer["centre"][0].as_f64().unwrap(), answer["centre"][1].as_f64().unwrap());
    assert!((x - 1.0).abs() < 1e-8 && (y - 2.0).abs() < 1e-8);
    assert!((answer["radius"].as_f64().unwrap() - 2.0).abs() < 1e-8);
    let words = condyle_in(folder.path(), &["centre", "tube.csv", "--shape", "cylinder"]).expect(0);
    for word in ["cylinder", "point", "radius", "axis", "hinge"] {
        assert!(words.stdout.contains(word), "{word}: {}", words.stdout);
    }
}

#[test]
fn a_ball_is_no_cylinder() {
    let folder = folder_with(&[("ball.csv", &ball([1.0, 2.0, 3.0], 0.5))]);
    let args = ["centre", "--json", "ball.csv", "--shape", "cylinder"];
    let ran = condyle_in(folder.path(), &args).expect(0);
    assert_eq!(ran.json()["verdict"], "insufficient");
    assert!(ran.stderr.contains("not to be trusted"), "{}", ran.stderr);
}

#[test]
fn a_ball_is_no_circle_and_that_is_why() {
    let folder = folder_with(&[("ball.csv", &ball([1.0, 2.0, 3.0], 0.5))]);
    let ran = condyle_in(folder.path(), &["centre", "ball.csv", "--shape", "circle"]).expect(0);
    assert!(
        !ran.stdout.contains("motion") && ran.stdout.contains("the points are"),
        "{}",
        ran.stdout
    );
}

#[test]
fn what_only_a_sphere_has_is_refused() {
    let folder = folder_with(&[("tube.csv", &tube())]);
    for more in [&["--method", "mle"][..], &["--robust"], &["--sigma", "1"]] {
        let args = [&["centre", "tube.csv", "--shape", "circle"][..], more].concat();
        let error = condyle_in(folder.path(), &args).expect(2).stderr;
        assert!(error.contains("need --shape sphere"), "{error}");
    }
    let two = ["centre", "tube.csv", "tube.csv", "--shape", "plane"];
    let error = condyle_in(folder.path(), &two).expect(2).stderr;
    assert!(error.contains("need one marker for this shape, got 2"), "{error}");
    let unknown = condyle_in(folder.path(), &["centre", "tube.csv", "--shape", "cube"]).expect(2);
    assert!(unknown.stderr.contains("--help"), "{}", unknown.stderr);
}
