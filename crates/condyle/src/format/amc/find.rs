//! Finding the skeleton that belongs to a motion.

use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

/// The ASF file beside an AMC file: the one of the same name, or else the one with the longest name
/// that the motion's name starts with (`02_01.amc` has `02.asf`).
///
/// Letter case is ignored.
///
/// # Errors
/// The folder cannot be read or holds no such file; the message says what was looked for.
pub fn find_skeleton(motion: &Path) -> Result<PathBuf> {
    let folder = match motion.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let stem = lower_stem(motion);
    let mut best: Option<(usize, PathBuf)> = None;
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let is_asf = path.extension().is_some_and(|ext| ext.eq_ignore_ascii_case("asf"));
        let candidate = lower_stem(&path);
        if !is_asf || candidate.is_empty() || !stem.starts_with(&candidate) {
            continue;
        }
        let found = (candidate.len(), path);
        // Among equals the first by name, whatever order the folder lists them in.
        let is_better = best
            .as_ref()
            .is_none_or(|best| found.0 > best.0 || (found.0 == best.0 && found.1 < best.1));
        if is_better {
            best = Some(found);
        }
    }
    best.map(|(_, path)| path).ok_or_else(|| {
        let shown = motion.file_stem().unwrap_or_default().to_string_lossy();
        Error::not_recognised(format!(
            "skeleton: need {shown}.asf, or an .asf file whose name {shown} starts with, in {}; found none",
            folder.display()
        ))
        .with_code("asf-missing")
    })
}

fn lower_stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str, files: &[&str]) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("condyle-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        for file in files {
            std::fs::write(folder.join(file), "").unwrap();
        }
        folder
    }

    #[test]
    fn takes_the_same_name_then_the_longest_beginning() {
        let folder =
            folder("find", &["02.ASF", "02_0.asf", "0.asf", "03_01.asf", "03.asf", "b.txt"]);
        for (motion, skeleton) in
            [("02_01.amc", "02_0.asf"), ("02.amc", "02.ASF"), ("03_01.AMC", "03_01.asf")]
        {
            assert_eq!(find_skeleton(&folder.join(motion)).unwrap(), folder.join(skeleton));
        }
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn says_what_it_looked_for() {
        let folder = folder("none", &["99.asf"]);
        let error = find_skeleton(&folder.join("02_01.amc")).unwrap_err();
        assert!(error.to_string().contains("need 02_01.asf"), "{error}");
        assert_eq!(error.code(), Some("asf-missing"));
        std::fs::remove_dir_all(folder).unwrap();
    }
}
