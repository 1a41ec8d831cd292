//! One run at a time in a folder.

use std::fs::{File, TryLockError};
use std::path::Path;

use anyhow::Context;

use crate::terminal::say;

/// The name of the file that is locked. It stays: to remove it would let two runs hold two of them.
pub const FILE: &str = ".condyle-lock";

/// Holds a folder until it is dropped, or until the program ends in whatever way.
pub struct FolderLock(#[allow(dead_code, reason = "it is held, not looked at")] File);

impl FolderLock {
    /// Waits until no other run writes in the folder.
    pub fn hold(folder: &Path) -> anyhow::Result<Self> {
        let name = || folder.display().to_string();
        let file = File::create(folder.join(FILE)).with_context(name)?;
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
}
