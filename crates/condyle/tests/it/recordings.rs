//! Finds the real recordings, which are not part of the project.
use std::path::{Path, PathBuf};

/// The folder of recordings, or `None` with a message on stderr if there is none.
pub fn folder() -> Option<PathBuf> {
    let folder = match std::env::var_os("CONDYLE_DATA") {
        Some(folder) => PathBuf::from(folder),
        None => [env!("CARGO_MANIFEST_DIR"), "..", "..", "..", "shared", "data"].iter().collect(),
    };
    if !folder.is_dir() {
        eprintln!("skipped: no recordings at {}; set CONDYLE_DATA", folder.display());
        return None;
    }
    Some(folder)
}

/// All files below a folder whose extension is one of these, letter case ignored, sorted.
pub fn files(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
            if path.is_dir() {
                folders.push(path);
            } else if extensions.contains(&extension.as_str()) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// A path relative to the folder of recordings, with forward slashes on every system.
pub fn name(folder: &Path, path: &Path) -> String {
    let parts = path.strip_prefix(folder).unwrap_or(path).components();
    parts.map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}
