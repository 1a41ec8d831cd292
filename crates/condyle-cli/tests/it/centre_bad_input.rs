//! `condyle centre` on points that leave the answer open: one clear line, never a wrong answer.
use crate::points::{ball, folder_with};
use crate::run::condyle_in;
use std::fmt::Write;
use std::path::Path;

/// Every way of asking for one marker's centre.
const WAYS: [&[&str]; 18] = [
    &[],
    &["--method", "gdke"],
    &["--method", "ugdk", "--sigma", "0"],
    &["--method", "sc-gdk"],
    &["--method", "sc-gdk-polished"],
    &["--method", "sgdk"],
    &["--method", "sgdk-printed"],
    &["--method", "taubin"],
    &["--method", "pratt"],
    &["--method", "hyper"],
    &["--method", "gander"],
    &["--method", "lls"],
    &["--method", "mle"],
    &["--method", "igdk"],
    &["--robust"],
    &["--shape", "circle"],
    &["--shape", "plane"],
    &["--shape", "cylinder"],
];

fn args<'a>(way: &[&'a str], files: &[&'a str]) -> Vec<&'a str> {
    ["centre", "--json"].iter().chain(files).chain(way).copied().collect()
}

/// Insists on one line that names the file and says why, whichever way it is asked.
fn expect_refusal(table: &str, why: &str) {
    let good = ball([1.0, 2.0, 3.0], 0.5);
    let folder = folder_with(&[("bad.csv", table), ("good.csv", &good)]);
    for way in WAYS {
        let error = condyle_in(folder.path(), &args(way, &["bad.csv"])).expect_one_error();
        assert!(error.contains("bad.csv") && error.contains(why), "{way:?}: {error}");
    }
    let error = condyle_in(folder.path(), &args(&[], &["good.csv", "bad.csv"])).expect_one_error();
    assert!(error.contains("bad.csv") && error.contains(why), "two files: {error}");
}

fn centre_by(folder: &Path, way: &[&str], files: &[&str]) -> [f64; 3] {
    let answer = condyle_in(folder, &args(way, files)).expect(0).json();
    [0, 1, 2].map(|axis| answer["centre"][axis].as_f64().unwrap())
}

/// The ways that look for the centre of a ball.
fn of_spheres() -> impl Iterator<Item = &'static [&'static str]> {
    WAYS.into_iter().filter(|way| !way.contains(&"--shape"))
}

#[test]
fn a_file_that_is_not_there() {
    let folder = tempfile::tempdir().unwrap();
    for way in WAYS {
        let error = condyle_in(folder.path(), &args(way, &["none.csv"])).expect_one_error();
        assert!(error.contains("none.csv"), "{way:?}: {error}");
    }
}

#[test]
fn fewer_points_than_it_takes() {
    expect_refusal("x,y,z\n1,2,3\n2,3,1\n", "got 2");
    let folder = folder_with(&[("three.csv", "x,y,z\n1,2,3\n2,3,1\n3,1,2\n")]);
    for way in of_spheres() {
        let error = condyle_in(folder.path(), &args(way, &["three.csv"])).expect_one_error();
        assert!(error.contains("need 4, got 3"), "{way:?}: {error}");
    }
}

#[test]
fn identical_points() {
    expect_refusal(&format!("x,y,z\n{}", "1.1,2.2,3.3\n".repeat(20)), "one place");
}

#[test]
fn collinear_points() {
    let line: String = (0..20).map(|i| format!("{},{},7\n", 0.1 * f64::from(i), i)).collect();
    let table = format!("x,y,z\n{line}");
    let folder = folder_with(&[("line.csv", &table)]);
    for way in WAYS {
        let error = condyle_in(folder.path(), &args(way, &["line.csv"])).expect_one_error();
        assert!(error.contains("line.csv") && error.contains("straight line"), "{way:?}: {error}");
    }
    let two = condyle_in(folder.path(), &args(&[], &["line.csv", "line.csv"])).expect_one_error();
    assert!(two.contains("straight line"), "{two}");
}

#[test]
fn values_that_are_no_numbers() {
    // A sample without a position is a gap: it is left out, and that is said.
    let table = format!("{}nan,1,2\ninf,0,0\n1,-inf,2\n", ball([1.0, 2.0, 3.0], 0.5));
    let folder = folder_with(&[("gaps.csv", &table)]);
    for way in WAYS {
        let ran = condyle_in(folder.path(), &args(way, &["gaps.csv"])).expect(0);
        assert!(ran.stderr.contains("3 samples without a position"), "{way:?}: {}", ran.stderr);
        assert_eq!(ran.json()["samples"], 60, "{way:?}");
    }
    let none = format!("x,y,z\n{}", "nan,1,2\n".repeat(20));
    let folder = folder_with(&[("none.csv", &none)]);
    for way in WAYS {
        let ran = condyle_in(folder.path(), &args(way, &["none.csv"])).expect(1);
        assert_eq!(ran.stdout, "");
        assert!(ran.stderr.contains("error: none.csv: points: need"), "{way:?}: {}", ran.stderr);
        assert!(ran.stderr.contains("got 0"), "{way:?}: {}", ran.stderr);
    }
}

#[test]
fn values_of_1e300_and_of_1e_minus_300() {
    for (scale, name) in [(1e300, "huge.csv"), (1e-300, "tiny.csv")] {
        let table = ball([scale, -scale, 0.5 * scale], scale);
        let folder = folder_with(&[(name, &table)]);
        for way in of_spheres() {
            let got = centre_by(folder.path(), way, &[name]);
            for (got, want) in got.iter().zip([1.0, -1.0, 0.5]) {
                assert!((got / scale - want).abs() < 1e-8, "{way:?}: {got:e}");
            }
        }
        for shape in ["circle", "plane", "cylinder"] {
            let way = ["--shape", shape];
            let got = centre_by(folder.path(), &way, &[name]);
            assert!(got.iter().all(|v| (v / scale).abs() < 10.0), "{shape}: {got:?}");
        }
        // Several markers at once are not rescaled, and say so.
        let error = condyle_in(folder.path(), &args(&[], &[name, name])).expect_one_error();
        assert!(error.contains("need a spread from 1e-60 to 1e60"), "{error}");
    }
}

#[test]
fn points_a_million_radii_from_the_origin() {
    let centre = [1e6, -1e6, 1e6];
    let mut table = ball(centre, 1.0);
    writeln!(table).unwrap();
    let folder = folder_with(&[("far.csv", &table)]);
    for way in of_spheres() {
        let answer = condyle_in(folder.path(), &args(way, &["far.csv"])).expect(0).json();
        let off = (0..3)
            .map(|axis| (answer["centre"][axis].as_f64().unwrap() - centre[axis]).powi(2))
            .sum::<f64>()
            .sqrt();
        // What is not centred loses digits there, and its standard error says so.
        let error = answer["standard_error"].as_f64().unwrap();
        assert!(off < 1e-8 || error > 0.1 * off, "{way:?}: off by {off:e}, says {error:e}");
    }
    let got = centre_by(folder.path(), &[], &["far.csv", "far.csv"]);
    assert!(got.iter().zip(centre).all(|(got, want)| (got - want).abs() < 1e-8), "{got:?}");
}
