//! Writing a file whole or not at all.

use std::ffi::OsStr;
use std::fs::{self, Permissions, TryLockError};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use tempfile::NamedTempFile;

use crate::terminal::interrupt;

/// How the names of files begin and end that are not whole yet.
const PREFIX: &str = ".condyle-";
/// See [`PREFIX`].
const SUFFIX: &str = ".tmp";

/// A file to be written: nothing is at its path until [`Output::write`] has succeeded.
pub struct Output {
    path: PathBuf,
    is_forced: bool,
    permissions: Option<Permissions>,
}

impl Output {
    /// Checks that a path may be written to, before any work is done.
    pub fn at(path: &Path, is_forced: bool) -> anyhow::Result<Self> {
        let mut output = Self { path: path.to_owned(), is_forced, permissions: None };
        match fs::metadata(path) {
            Ok(metadata) if !metadata.is_file() => {
                let what = if metadata.is_dir() { "a directory" } else { "a device or pipe" };
                bail!(
                    "{}: need a file to write, got {what} (- is standard output)",
                    path.display()
                );
            }
            Ok(_) if !is_forced => bail!("{}", taken(path)),
            Ok(metadata) => {
                // Through a link the file itself is replaced, not the link.
                output.path = fs::canonicalize(path).with_context(|| path.display().to_string())?;
                output.permissions = Some(metadata.permissions());
            }
            Err(_) => {}
        }
        check_folder_of(&output.path)?;
        Ok(output)
    }

    /// Writes the whole file beside its place, then moves it there; on failure nothing is left.
    pub fn write<T>(
        self,
        fill: impl FnOnce(&mut BufWriter<&mut NamedTempFile>) -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        let name = || self.path.display().to_string();
        let make = || temporary(folder(&self.path));
        let mut file = interrupt::guarded(make).with_context(name)?;
        let temporary = file.path().to_owned();
        let mut buffer = BufWriter::with_capacity(1 << 18, &mut file);
        // The temporary name would mean nothing to the user.
        let renamed = |error: anyhow::Error| {
            let text = format!("{error:#}");
            let without = text.replace(&format!(" at path {temporary:?}"), "");
            if text == without { error } else { anyhow!("{}: {without}", self.path.display()) }
        };
        let filled = fill(&mut buffer).map_err(renamed)?;
        buffer.flush().map_err(anyhow::Error::from).map_err(renamed).with_context(name)?;
        drop(buffer);
        // On the disk before its name is: after a crash the name never stands for half a file.
        file.as_file().sync_all().with_context(name)?;
        if let Some(permissions) = &self.permissions {
            fs::set_permissions(file.path(), permissions.clone()).with_context(name)?;
        }
        let moved = if self.is_forced {
            file.persist(&self.path)
        } else {
            file.persist_noclobber(&self.path)
        };
        interrupt::forget(&temporary);
        match moved {
            Ok(_) => Ok(filled),
            // Somebody else wrote there meanwhile.
            Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => {
                bail!("{}", taken(&self.path))
            }
            Err(error) => Err(error.error).with_context(name),
        }
    }
}

fn taken(path: &Path) -> String {
    format!("{}: the file exists: need --force to overwrite it", path.display())
}

fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn is_folder(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| metadata.is_dir())
}

/// Checks that a new file can be made at a path: found before the work, not after it.
///
/// # Errors
/// There is no folder for it, or no file can be made in it.
pub fn check_folder_of(path: &Path) -> anyhow::Result<()> {
    let folder = folder(path);
    if !is_folder(folder) {
        bail!(
            "{}: need a folder to write in, got no folder '{}'",
            path.display(),
            folder.display()
        );
    }
    check_folder(folder).with_context(|| path.display().to_string())
}

/// Checks that files can be made in a folder, or, where there is none yet, in the one that it will be made in.
///
/// # Errors
/// No file can be made there: no permission, a file system that is read-only.
pub fn check_folder(folder: &Path) -> io::Result<()> {
    let is_there = |folder: &&Path| folder.as_os_str().is_empty() || is_folder(folder);
    let there = folder.ancestors().find(is_there).unwrap_or(Path::new("."));
    let there = if there.as_os_str().is_empty() { Path::new(".") } else { there };
    let file = interrupt::guarded(|| temporary(there))?;
    let path = file.path().to_owned();
    let gone = file.close();
    interrupt::forget(&path);
    gone
}

/// A temporary file that is locked while its writer lives, so that [`sweep`] leaves it alone.
fn temporary(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX);
    // A temporary file is private by default; the umask alone decides about ours.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    loop {
        // The temporary name would mean nothing to the user.
        let file = builder.tempfile_in(folder).map_err(|error| {
            let kind = error.kind();
            io::Error::new(kind, format!("cannot write in folder {}: {kind}", folder.display()))
        })?;
        let is_swept = matches!(file.as_file().try_lock(), Err(TryLockError::WouldBlock));
        // A sweep that came between making and locking has taken it: another one, then.
        if !is_swept && file.path().exists() {
            return Ok(file);
        }
    }
}

/// Whether a file of this name is not whole yet, or never will be.
pub fn is_temporary(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    name.starts_with(PREFIX) && name.ends_with(SUFFIX)
}

/// Removes the temporary files in a folder whose writers are dead; those of living ones are locked.
pub fn sweep(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if !is_temporary(&entry.file_name()) {
            continue;
        }
        let is_dead = fs::File::open(entry.path()).is_ok_and(|file| file.try_lock().is_ok());
        if is_dead {
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_folder_that_takes_no_files_is_named_without_the_temporary_name() {
        let error = temporary(Path::new("/proc")).unwrap_err().to_string();
        assert!(error.starts_with("cannot write in folder /proc: "), "{error}");
        assert!(!error.contains(".tmp"), "{error}");
    }

    #[test]
    fn leaves_nothing_behind_when_writing_fails() {
        let folder = tempfile::tempdir().unwrap();
        let output = Output::at(&folder.path().join("a.csv"), false).unwrap();
        let result: anyhow::Result<()> = output.write(|out| {
            out.write_all(b"half")?;
            bail!("broken")
        });
        assert!(result.is_err());
        assert!(files(folder.path()).is_empty());
    }

    #[test]
    fn sweeps_temporary_files_of_the_dead_alone() {
        let folder = tempfile::tempdir().unwrap();
        let living = temporary(folder.path()).unwrap();
        fs::write(folder.path().join(format!("{PREFIX}dead{SUFFIX}")), "half").unwrap();
        fs::write(folder.path().join("a.csv"), "theirs").unwrap();
        sweep(folder.path());
        let mut left = files(folder.path());
        left.sort();
        let name = living.path().file_name().unwrap().to_str().unwrap();
        assert_eq!(left, [name, "a.csv"]);
    }

    #[test]
    fn keeps_the_old_file_until_the_new_one_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        fs::write(&path, "old").unwrap();
        assert!(Output::at(&path, false).is_err());
        let broken: anyhow::Result<()> =
            Output::at(&path, true).unwrap().write(|_| bail!("broken"));
        assert!(broken.is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        Output::at(&path, true).unwrap().write(|out| Ok(out.write_all(b"new")?)).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(files(folder.path()), ["a.csv"]);
    }

    #[test]
    fn does_not_overwrite_a_file_that_appeared_meanwhile() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        let output = Output::at(&path, false).unwrap();
        fs::write(&path, "theirs").unwrap();
        assert!(output.write(|out| Ok(out.write_all(b"ours")?)).is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), "theirs");
    }
}
