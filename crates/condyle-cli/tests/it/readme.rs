//! The session in README.md, run line by line through the real binary, and its Rust, compiled.
use crate::run;
use std::fs;
use std::path::Path;

/// The commands of the first `console` block with what the README says they print.
fn session(readme: &str) -> Vec<(String, String)> {
    let block = readme.split("```console\n").nth(1).unwrap().split("```").next().unwrap();
    let mut session: Vec<(String, String)> = Vec::new();
    for line in block.lines() {
        match line.strip_prefix("$ condyle ") {
            Some(command) => session.push((command.to_owned(), String::new())),
            None => {
                let output = &mut session.last_mut().unwrap().1;
                output.push_str(line);
                output.push('\n');
            }
        }
    }
    session
}

/// Splits a command at blanks; single quotes keep words together.
fn words(command: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut is_quoted = false;
    for letter in command.chars() {
        match letter {
            '\'' => is_quoted = !is_quoted,
            ' ' if !is_quoted => words.push(String::new()),
            letter => words.last_mut().unwrap().push(letter),
        }
    }
    words
}

#[test]
fn the_session_is_true() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("examples/data")).unwrap();
    fs::copy(run::arm(), folder.path().join("examples/data/arm.trc")).unwrap();
    let session = session(&fs::read_to_string(root.join("README.md")).unwrap());
    assert!(session.len() >= 3, "no session found");
    let mut actual = String::new();
    let mut expected = String::new();
    for (command, printed) in session {
        let ran = run::condyle_in(folder.path(), &words(&command)).expect(0);
        actual.push_str(&format!("$ condyle {command}\n{}{}", ran.stderr, ran.stdout));
        expected.push_str(&format!("$ condyle {command}\n{printed}"));
    }
    assert!(actual == expected, "README.md should say:\n{actual}");
}

#[test]
fn the_rust_of_the_readme_is_the_doc_test_of_the_library() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |path: &str| fs::read_to_string(root.join(path)).unwrap().replace('\r', "");
    let readme = read("README.md");
    let shown = readme.split("```rust\n").nth(1).unwrap().split("```").next().unwrap();
    let library = read("crates/condyle/src/lib.rs");
    let block = library.split("//! ```no_run\n").nth(1).unwrap().split("//! ```").next().unwrap();
    let lines = block.lines().map(|line| line.trim_start_matches("//!"));
    let lines = lines.map(|line| line.strip_prefix(' ').unwrap_or(line));
    let compiled: Vec<&str> = lines.filter(|line| !line.starts_with("# ")).collect();
    assert_eq!(shown.lines().collect::<Vec<_>>(), compiled);
}
