//! The import table of ARCHITECTURE.md, enforced.
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

type Imports = BTreeMap<String, BTreeSet<String>>;

/// A crate whose modules of the first level have a table.
struct Layered {
    /// Its folder among the crates.
    folder: &'static str,
    /// How the header of its table begins.
    header: &'static str,
}

const CRATES: [Layered; 2] = [
    Layered { folder: "condyle", header: "| module | may import" },
    Layered { folder: "condyle-cli", header: "| room | may import" },
];

/// The folder of the project.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

impl Layered {
    fn sources(&self) -> Vec<PathBuf> {
        sources(&self.folder())
    }

    fn folder(&self) -> PathBuf {
        root().join("crates").join(self.folder).join("src")
    }
}

/// The rows below the header of a table: which modules each may import.
fn allowed(header: &str) -> Imports {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let rows = text.lines().skip_while(|line| !line.starts_with(header));
    let mut allowed = Imports::new();
    for row in rows.skip(2).take_while(|line| line.starts_with('|')) {
        let cells: Vec<&str> = row.split('|').collect();
        let module = names(cells[1]).pop_first().unwrap();
        assert!(allowed.insert(module, names(cells[2])).is_none(), "two rows: {row}");
    }
    allowed
}

/// The words between backticks.
fn names(cell: &str) -> BTreeSet<String> {
    cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

/// The module of the first level that a file belongs to; `None` for the root of the crate.
fn module_of(file: &Path, folder: &Path) -> Option<String> {
    let inside = file.strip_prefix(folder).unwrap();
    let first = Path::new(inside.iter().next().unwrap()).file_stem().unwrap().to_str().unwrap();
    (!["lib", "main"].contains(&first)).then(|| first.to_owned())
}

/// The modules that code names as `crate::…`, comments and unit tests left out.
fn imports(code: &str) -> BTreeSet<String> {
    let code: String = code
        .lines()
        .take_while(|line| !line.starts_with("mod tests {"))
        .map(|line| line.split("//").next().unwrap_or(""))
        .collect::<Vec<_>>()
        .join(" ");
    let mut found = BTreeSet::new();
    for after in code.split("crate::").skip(1) {
        if let Some(group) = after.strip_prefix('{') {
            found.extend(first_names(group));
        } else {
            found.insert(first_word(after));
        }
    }
    found
}

/// The first word of every entry of a braced list that has lost its opening brace.
fn first_names(group: &str) -> Vec<String> {
    let mut depth = 1;
    let mut entries = vec![String::new()];
    for letter in group.chars() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        match (depth, letter) {
            (0, _) => break,
            (1, ',') => entries.push(String::new()),
            _ => entries.last_mut().unwrap().push(letter),
        }
    }
    entries.iter().map(|entry| first_word(entry.trim())).filter(|word| !word.is_empty()).collect()
}

fn first_word(text: &str) -> String {
    text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

#[test]
fn every_module_imports_only_what_the_table_allows() {
    let mut wrong = Vec::new();
    for layered in &CRATES {
        let allowed = allowed(layered.header);
        for file in layered.sources() {
            let Some(module) = module_of(&file, &layered.folder()) else { continue };
            let Some(may_import) = allowed.get(&module) else {
                wrong.push(format!("{}: module `{module}` has no row", file.display()));
                continue;
            };
            // Names with a capital are the crate's own re-exports: the full path says more.
            for import in imports(&fs::read_to_string(&file).unwrap()) {
                if import != module && !may_import.contains(&import) {
                    wrong.push(format!("{}: `{module}` may not import `{import}`", file.display()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "against ARCHITECTURE.md:\n{}", wrong.join("\n"));
}

#[test]
fn the_tables_speak_only_of_modules_that_exist_and_have_no_circles() {
    for layered in &CRATES {
        let allowed = allowed(layered.header);
        assert!(allowed.len() > 3, "no table found: {allowed:?}");
        let folder = layered.folder();
        let files = layered.sources();
        let exist: BTreeSet<String> =
            files.iter().filter_map(|file| module_of(file, &folder)).collect();
        let mut placed = BTreeSet::new();
        for (module, may_import) in &allowed {
            assert!(exist.contains(module), "`{module}` does not exist");
            assert!(may_import.is_subset(&exist), "`{module}`: {may_import:?}");
        }
        while placed.len() < allowed.len() {
            let next = allowed.iter().find(|(m, i)| !placed.contains(*m) && i.is_subset(&placed));
            let (module, _) = next.unwrap_or_else(|| panic!("a circle beyond {placed:?}"));
            placed.insert(module.clone());
        }
    }
}

#[test]
fn finds_imports_however_they_are_written() {
    let code = "use crate::{error::{Error, Result}, trial::Trial};\nuse crate::format;\n// crate::no\nlet x = crate::motion::about(1);\nmod tests {\nuse crate::hidden;";
    let expected = ["error", "format", "motion", "trial"].map(str::to_owned);
    assert_eq!(imports(code), BTreeSet::from(expected));
}
