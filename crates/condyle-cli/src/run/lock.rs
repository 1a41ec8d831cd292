//! One run at a time in a folder.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::Path;

use anyhow::Context;

use crate::terminal::say;

/// The name of the file that is locked. It stays: to remove it would let two runs hold two of them.
pub const FILE: &str = ".condyle-lock";

/// Holds a folder until it is dropped, or until the program ends in whatever way.
///
/// The file says what its holder writes, a name a line, so that the next run knows what a killed one has left.
pub struct FolderLock(File);

impl FolderLock {
    /// Waits until no other run writes in the folder.
    pub fn hold(folder: &Path) -> anyhow::Result<Self> {
        let name = || folder.display().to_string();
        let mut options = OpenOptions::new();
        // What it says stays: its holder lives, or was killed.
        options.read(true).write(true).create(true).truncate(false);
        let file = options.open(folder.join(FILE)).with_context(name)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                say::note(&format!("{}: another run writes here: waiting for it", name()));
                file.lock().with_context(name)?;
            }
            // A file system that knows no locks: its runs are not kept apart.
            Err(TryLockError::Error(_)) => {}
        }
        Ok(Self(file))
    }

    /// Says that a file is about to be written.
    pub fn announce(&self, name: &str) -> io::Result<()> {
        let mut file = &self.0;
        file.seek(io::SeekFrom::End(0))?;
        file.write_all(format!("{name}\n").as_bytes())
    }

    /// The files that were announced since the last [`FolderLock::forget`], by whichever run.
    pub fn announced(&self) -> io::Result<Vec<String>> {
        let mut file = &self.0;
        let mut bytes = Vec::new();
        file.rewind()?;
        file.read_to_end(&mut bytes)?;
        Ok(String::from_utf8_lossy(&bytes).lines().map(str::to_owned).collect())
    }

    /// Forgets what was announced: it is gone, or in the record.
    pub fn forget(&self) -> io::Result<()> {
        self.0.set_len(0)
    }
}
