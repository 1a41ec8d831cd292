//! `condyle reproduce` hands its arguments to the laboratory, and says how to get one.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

/// Runs a `condyle` that stands in this folder, with nothing on the path but `path`.
fn reproduce(folder: &Path, path: &Path, arguments: &[&str]) -> Output {
    let condyle = folder.join("condyle");
    fs::copy(env!("CARGO_BIN_EXE_condyle"), &condyle).unwrap();
    Command::new(condyle).arg("reproduce").args(arguments).env("PATH", path).output().unwrap()
}

/// A laboratory that prints its name and arguments, and ends with exit code 7.
fn put_laboratory(folder: &Path, name: &str) {
    let program = folder.join("condyle-reproduce");
    fs::write(&program, format!("#!/bin/sh\necho {name} \"$@\"\nexit 7\n")).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn the_laboratory_gets_every_argument_and_its_exit_code_is_ours() {
    let [condyle, path] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    put_laboratory(path.path(), "path");
    for arguments in [&["--help"][..], &["knight-2008", "--only", "a,b", "-o", "x"], &[]] {
        let output = reproduce(condyle.path(), path.path(), arguments);
        assert_eq!(output.status.code(), Some(7));
        let printed = String::from_utf8(output.stdout).unwrap();
        assert_eq!(printed.trim_end(), [&["path"], arguments].concat().join(" "));
    }
}

#[test]
fn the_laboratory_beside_the_program_comes_before_one_on_the_path() {
    let [condyle, path] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    put_laboratory(condyle.path(), "beside");
    put_laboratory(path.path(), "path");
    let output = reproduce(condyle.path(), path.path(), &["obrien-2000"]);
    assert_eq!(output.stdout, b"beside obrien-2000\n");
}

#[test]
fn without_a_laboratory_it_says_how_to_build_one() {
    let [condyle, path] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let output = reproduce(condyle.path(), path.path(), &["knight-2008"]);
    assert_eq!(output.status.code(), Some(1));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("cargo build --release -p condyle-lab"), "{error}");
    assert_eq!(error.lines().count(), 1, "{error}");
}
