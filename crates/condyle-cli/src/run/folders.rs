//! A folder for every recording, named after it, no two alike.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// The folder of every file: its name without extension, with as much more as tells it from the others.
pub fn of(files: &[PathBuf], root: &Path) -> Vec<PathBuf> {
    let mut taken: HashSet<String> = HashSet::new();
    let mut folders = Vec::new();
    for file in files {
        let names = [name(file), with_extension(file), with_parent(file)];
        let alone = |candidate: &str, index: usize| {
            let same = |other: &&PathBuf| match index {
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

fn name(file: &Path) -> String {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    // A file may be called `..c3d`; `.` is the folder around all of them.
    let is_dots = stem.chars().all(|c| c == '.');
    if is_dots { "recording".into() } else { stem.into_owned() }
}

fn with_extension(file: &Path) -> String {
    let extension = file.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    format!("{}-{extension}", name(file))
}

fn with_parent(file: &Path) -> String {
    let parent = file.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
    format!("{parent}-{}", with_extension(file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_short_where_they_can_be_and_never_the_same() {
        let files = ["a/x.c3d", "a/y.c3d", "a/y.trc", "b/x.c3d", "b/x.c3d"].map(PathBuf::from);
        let folders = of(&files, Path::new("out"));
        let wanted = ["a-x-c3d", "y-c3d", "y-trc", "b-x-c3d", "b-x-c3d-2"];
        assert_eq!(folders, wanted.map(|name| Path::new("out").join(name)));
        let alone = of(&[PathBuf::from("walk.c3d")], Path::new("out"));
        assert_eq!(alone, [Path::new("out").join("walk")]);
        let dots = of(&[PathBuf::from("..c3d")], Path::new("out"));
        assert_eq!(dots, [Path::new("out").join("recording")]);
    }
}
