//! The recordings that are meant by files and folders.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

/// What a run writes into the folder of a recording.
pub const RECORD: &str = "run.json";

/// Whether a run wrote this folder, or began to.
pub fn is_ours(folder: &Path) -> bool {
    folder.join(RECORD).is_file()
}

/// A recording, and what its results are called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    pub path: PathBuf,
    /// The folders between the one that was named and the recording; empty for a file that was named.
    pub within: PathBuf,
}

/// Every recording once; those in a folder, and in the folders in it, in the order of their names.
///
/// Results of ours are no recordings: `output`, and every folder that a run wrote, is passed over.
pub fn recordings(paths: &[PathBuf], output: &Path) -> anyhow::Result<Vec<Found>> {
    let mut search = Search { output: fs::canonicalize(output).ok(), ..Search::default() };
    for path in paths {
        if !path.is_dir() {
            search.add(path.clone(), Path::new(""));
            continue;
        }
        let before = search.found.len();
        search.seen_folders.clear();
        search.is_any = false;
        search.folder(path, Path::new(""))?;
        if search.found.len() == before && !search.is_any {
            bail!("{}: need C3D or TRC files in the folder or below it, got none", path.display());
        }
    }
    Ok(search.found)
}

#[derive(Default)]
struct Search {
    output: Option<PathBuf>,
    seen_files: HashSet<PathBuf>,
    /// Links may lead round in circles.
    seen_folders: HashSet<PathBuf>,
    found: Vec<Found>,
    /// Whether the folder has recordings, also ones that were named before.
    is_any: bool,
}

impl Search {
    fn add(&mut self, path: PathBuf, within: &Path) {
        let whole = fs::canonicalize(&path).unwrap_or_else(|_| path.clone());
        if self.seen_files.insert(whole) {
            self.found.push(Found { path, within: within.to_owned() });
        }
    }

    fn folder(&mut self, folder: &Path, within: &Path) -> anyhow::Result<()> {
        let name = || folder.display().to_string();
        let whole = fs::canonicalize(folder).with_context(name)?;
        let is_ours = is_ours(folder) || self.output.as_ref() == Some(&whole);
        // A folder that was named is meant, whatever it holds.
        if (is_ours && !within.as_os_str().is_empty()) || !self.seen_folders.insert(whole) {
            return Ok(());
        }
        let entries = fs::read_dir(folder).with_context(name)?;
        let mut paths: Vec<PathBuf> =
            entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        paths.sort();
        let is_hidden = |path: &PathBuf| {
            path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'))
        };
        let (folders, files): (Vec<_>, Vec<_>) =
            paths.into_iter().filter(|path| !is_hidden(path)).partition(|path| path.is_dir());
        for path in files {
            let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
            if path.is_file() && (extension == "c3d" || extension == "trc") {
                self.is_any = true;
                self.add(path, within);
            }
        }
        for path in folders {
            let below = within.join(path.file_name().unwrap_or_default());
            self.folder(&path, &below)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_searched_to_the_bottom_and_results_are_passed_over() {
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path();
        let files = ["b/two.TRC", "a/deep/one.c3d", "a/notes.txt", ".git/x.c3d", "out/w/x.c3d"];
        for file in files.iter().chain(&["old/w/with-joints.c3d", "old/w/run.json"]) {
            fs::create_dir_all(at.join(file).parent().unwrap()).unwrap();
            fs::write(at.join(file), "").unwrap();
        }
        let found = recordings(&[at.to_owned()], &at.join("out")).unwrap();
        let names: Vec<_> = found.iter().map(|found| found.within.clone()).collect();
        assert_eq!(names, ["a/deep", "b"].map(PathBuf::from), "{found:?}");
        // Each once, however it was named.
        let twice = [at.join("b/two.TRC"), at.to_owned(), at.join("b")];
        assert_eq!(recordings(&twice, &at.join("out")).unwrap().len(), 2);
        let none = recordings(&[at.join(".git/..").join("old")], &at.join("out"));
        assert!(none.unwrap_err().to_string().contains("got none"));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_the_folder_above_does_not_go_round() {
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path();
        fs::create_dir(at.join("a")).unwrap();
        fs::write(at.join("a/one.c3d"), "").unwrap();
        std::os::unix::fs::symlink(at, at.join("a/up")).unwrap();
        assert_eq!(recordings(&[at.to_owned()], Path::new("out")).unwrap().len(), 1);
    }
}
