//! Ctrl-C and a request to end: the temporary file goes, then the program.

use std::path::{Path, PathBuf};
use std::process;
use std::sync::{Mutex, PoisonError};

/// The exit code of a program that was interrupted: 128 and the number of SIGINT.
const INTERRUPTED: i32 = 130;

/// The temporary file that is being written. A signal handler has no other way to know of it.
static UNFINISHED: Mutex<Option<PathBuf>> = Mutex::new(None);

/// From now on an interruption removes this file first.
///
/// Without a handler (the system refused one) only an interruption leaves the file behind.
pub fn remove_on_interruption(path: &Path) {
    set(Some(path.to_owned()));
    let _ = ctrlc::try_set_handler(|| {
        if let Some(path) = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).take() {
            let _ = std::fs::remove_file(path);
        }
        process::exit(INTERRUPTED);
    });
}

/// The file is finished, or gone.
pub fn forget() {
    set(None);
}

fn set(path: Option<PathBuf>) {
    *UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner) = path;
}
