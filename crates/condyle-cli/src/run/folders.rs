//! A folder for every recording, named after it, no two alike.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use crate::terminal::files::Found;

/// The folder of every recording: its name without extension, with as much more as tells it from the others, in the
/// same folders as the recording.
pub fn of(files: &[Found], root: &Path) -> Vec<PathBuf> {
    let mut taken: HashSet<String> = HashSet::new();
    let mut folders = Vec::new();
    for file in files {
        let names = [name(file), with_extension(file), with_parent(file)];
        let alone = |candidate: &str, index: usize| {
            let same = |other: &&Found| match index {
                0 => name(other),
                1 => with_extension(other),
                _ => with_parent(other),
            } == candidate;
            files.iter().filter(same).count() == 1
        };
        let free = names.iter().enumerate().find(|(index, candidate)| {
            alone(candidate, *index) && !taken.contains(&candidate.to_lowercase())
        });
        let mut chosen = free.map_or_else(|| with_parent(file), |(_, candidate)| candidate.clone());
        let base = chosen.clone();
        let mut number = 2;
        // Letter case does not tell folders apart everywhere.
        while !taken.insert(chosen.to_lowercase()) {
            chosen = format!("{base}-{number}");
            number += 1;
        }
        folders.push(root.join(chosen));
    }
    folders
}

fn name(file: &Found) -> String {
    let stem = file.path.file_stem().unwrap_or_default().to_string_lossy();
    // A file may be called `..c3d`; `.` is the folder around all of them.
    let is_dots = stem.chars().all(|c| c == '.');
    within(file, if is_dots { "recording" } else { &stem })
}

fn within(file: &Found, name: &str) -> String {
    file.within.join(name).to_string_lossy().into_owned()
}

fn with_extension(file: &Found) -> String {
    let extension = file.path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    format!("{}-{extension}", name(file))
}

fn with_parent(file: &Found) -> String {
    let parent = file.path.parent().and_then(Path::file_name).unwrap_or_default();
    let stem = file.path.file_stem().unwrap_or_default().to_string_lossy();
    let extension = file.path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    within(file, &format!("{}-{stem}-{extension}", parent.to_string_lossy()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str) -> Found {
        Found { path: path.into(), within: PathBuf::new() }
    }

    #[test]
    fn folders_are_short_where_they_can_be_and_never_the_same() {
        let files = ["a/x.c3d", "a/y.c3d", "a/y.trc", "b/x.c3d", "b/x.c3d"].map(found);
        let folders = of(&files, Path::new("out"));
        let wanted = ["a-x-c3d", "y-c3d", "y-trc", "b-x-c3d", "b-x-c3d-2"];
        assert_eq!(folders, wanted.map(|name| Path::new("out").join(name)));
        let alone = of(&[found("walk.c3d")], Path::new("out"));
        assert_eq!(alone, [Path::new("out").join("walk")]);
        let dots = of(&[found("..c3d")], Path::new("out"));
        assert_eq!(dots, [Path::new("out").join("recording")]);
        let below = ["anna", "bert"].map(|name| Found {
            path: Path::new("in").join(name).join("walk.c3d"),
            within: name.into(),
        });
        assert_eq!(
            of(&below, Path::new("out")),
            ["out/anna/walk", "out/bert/walk"].map(PathBuf::from)
        );
    }
}
