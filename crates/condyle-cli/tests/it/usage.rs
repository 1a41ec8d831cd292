//! The command line itself: help, versions, completions, and what is refused.
use crate::run::{self, condyle_in};
use std::path::Path;

const COMMANDS: [&[&str]; 13] = [
    &[],
    &["run"],
    &["report"],
    &["plot"],
    &["info"],
    &["convert"],
    &["centre"],
    &["fill"],
    &["groups"],
    &["fit"],
    &["solve"],
    &["ik"],
    &["simulate"],
];

#[test]
fn help_shows_examples_and_exits_well() {
    for args in COMMANDS.map(|command| [command, &["--help"]].concat()) {
        let ran = condyle_in(Path::new("."), &args).expect(0);
        assert!(ran.stdout.contains("Examples:"), "{args:?}: {}", ran.stdout);
    }
    let convert = condyle_in(Path::new("."), &["convert", "--help"]).stdout;
    for word in ["Catmull-Rom", "slerp", "low-pass", "counted from 1", "-90 degrees about x"] {
        assert!(convert.contains(word), "{word}");
    }
}

#[test]
fn no_line_of_help_is_wider_than_a_page() {
    for args in COMMANDS.map(|command| [command, &["--help"]].concat()) {
        let ran = condyle_in(Path::new("."), &args);
        let widest = ran.stdout.lines().map(|line| line.chars().count()).max();
        assert!(widest <= Some(100), "{args:?}: {widest:?}");
    }
}

#[test]
fn the_version_is_that_of_the_package() {
    let ran = condyle_in(Path::new("."), &["--version"]).expect(0);
    assert_eq!(ran.stdout, format!("condyle {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn completions_name_every_command_for_every_shell() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let ran = condyle_in(Path::new("."), &["completions", shell]).expect(0);
        assert!(ran.stdout.contains("convert") && ran.stdout.contains("info"), "{shell}");
    }
}

#[test]
fn a_wrong_command_line_is_exit_code_2_and_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    for args in [
        vec![],
        vec!["info"],
        vec!["infos", "a.c3d"],
        vec!["convert", "a.c3d"],
        vec!["info", "a.c3d", "--units", "parsec"],
        vec!["info", "a.c3d", "--up", "w"],
        vec!["info", "a.c3d", "--assume-rate", "-5"],
        vec!["convert", "a.c3d", "b"],
        vec!["convert", "a.c3d", "b.xyz"],
        vec!["convert", "a.c3d", "b.mvnx"],
        vec!["convert", "a.c3d", "b.trc", "--to", "asf"],
        vec!["convert", "a.c3d", "b.trc", "--frames", "9:3"],
        vec!["convert", "a.c3d", "b.trc", "--frames", "0:3"],
        vec!["convert", "a.c3d", "b.trc", "--rate", "0"],
        vec!["convert", "a.c3d", "b.trc", "--rate", "inf"],
        vec!["convert", "a.c3d", "-"],
        vec!["convert", "a.c3d", "-", "--to", "csv", "--json"],
        vec!["completions", "tcl"],
        vec!["simulate"],
        vec!["simulate", "-o", "a", "--routine", "run"],
        vec!["simulate", "-o", "a", "--to", "bvh"],
        vec!["simulate", "-o", "a", "--seconds", "long"],
        vec!["simulate", "-o", "a", "--describe", "human"],
        vec!["simulate", "--describe", "cat"],
        vec!["simulate", "-o", "a", "--sensors", "--swaps", "1"],
        vec!["simulate", "-o", "a", "--noise-deg", "1"],
    ] {
        let ran = condyle_in(folder.path(), &args).expect(2);
        assert_eq!(ran.stdout, "", "{args:?}");
        assert!(ran.stderr.contains("--help"), "{args:?}: {}", ran.stderr);
    }
    assert!(run::files(folder.path()).is_empty());
}

#[test]
fn a_negative_axis_is_a_value_and_not_an_option() {
    let ran = condyle_in(Path::new("."), &["info", "--up", "-z", "no-such-file"]);
    assert!(ran.expect_one_error().contains("no-such-file"));
}
