//! Ctrl-C and a request to end: temporary files go, then the program.

use std::io;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::{Mutex, PoisonError};

use tempfile::NamedTempFile;

/// The exit code of a program that was interrupted: 128 and the number of SIGINT.
const INTERRUPTED: i32 = 130;

/// Temporary files that are being written. A signal handler has no other way to know of them.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Makes a temporary file that an interruption removes first, from the moment it is there.
///
/// Without a handler (the system refused one) only an interruption leaves the file behind.
pub fn guarded(make: impl FnOnce() -> io::Result<NamedTempFile>) -> io::Result<NamedTempFile> {
    let _ = ctrlc::try_set_handler(|| {
        // Held to the end, so that no other thread begins a file that nobody would remove.
        let unfinished = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
        for path in unfinished.iter() {
            let _ = std::fs::remove_file(path);
        }
        crate::terminal::say::error("interrupted: what is written is whole, the rest is not begun");
        process::exit(INTERRUPTED);
    });
    let mut unfinished = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
    let file = make()?;
    unfinished.push(file.path().to_owned());
    Ok(file)
}

/// The file is finished, or gone.
pub fn forget(path: &Path) {
    let mut unfinished = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
    unfinished.retain(|other| other != path);
}
