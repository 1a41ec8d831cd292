//! Every code of a note or an error is listed in docs/notes.md, and nothing else is.
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found
}

/// The string literals that start right after any of these openings, white space aside.
fn codes(source: &str) -> BTreeSet<String> {
    let openings = ["Note::new(", ".note(", ".with_code("];
    let mut codes = BTreeSet::new();
    for opening in openings {
        for rest in source.split(opening).skip(1) {
            if let Some(literal) = rest.trim_start().strip_prefix('"') {
                codes.extend(literal.split('"').next().map(str::to_owned));
            }
        }
    }
    codes
}

/// The lines of a source that name an option of a command line, but for comments and ignored tests.
fn lines_with_options(source: &str) -> Vec<&str> {
    let has_option = |line: &str| {
        line.match_indices("--").any(|(at, _)| {
            line[at + 2..].starts_with(|c: char| c.is_ascii_lowercase())
                && !line[..at].ends_with('-')
        })
    };
    let is_text = |line: &&str| !["//", "#[ignore"].iter().any(|start| line.starts_with(start));
    source.lines().map(str::trim_start).filter(is_text).filter(|line| has_option(line)).collect()
}

#[test]
fn no_text_of_the_library_names_an_option_of_the_command_line() {
    let said = r#"let what = format!("rate: need one, say it with --assume-rate");"#;
    assert_eq!(lines_with_options(&format!("// see --up\n  {said}")), [said]);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for path in sources(&folder) {
        let source = std::fs::read_to_string(&path).unwrap();
        assert_eq!(lines_with_options(&source), [""; 0], "{}", path.display());
    }
}

#[test]
fn every_code_is_listed_and_every_listed_code_occurs() {
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let docs = crate_folder.join("..").join("..").join("docs").join("notes.md");
    let docs = std::fs::read_to_string(docs).unwrap();
    let rows = docs.lines().filter_map(|line| line.strip_prefix("| `"));
    let listed: BTreeSet<&str> = rows.filter_map(|row| row.split('`').next()).collect();
    let folders = [crate_folder.join("src"), crate_folder.join("../condyle-cli/src")];
    let files = folders.iter().flat_map(|folder| sources(folder));
    let text: String = files.map(|path| std::fs::read_to_string(path).unwrap()).collect();
    let used = codes(&text);
    assert!(used.len() > 80, "only {} codes were found", used.len());
    let unlisted: Vec<_> = used.iter().filter(|code| !listed.contains(code.as_str())).collect();
    assert!(unlisted.is_empty(), "not in docs/notes.md: {unlisted:?}");
    let gone: Vec<_> =
        listed.iter().filter(|code| !text.contains(&format!("\"{code}\""))).collect();
    assert!(gone.is_empty(), "in docs/notes.md but in no source: {gone:?}");
}
