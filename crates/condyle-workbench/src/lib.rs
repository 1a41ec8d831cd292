//! Builds what runs in browsers: the module, the app around it, and the package for JavaScript.
//!
//! Nothing that is built is committed, and nothing here is run by Cargo on its own: where Node or the target of the
//! module is missing, a step says what was skipped and what to do, and everything else is built all the same.

mod app;
mod module;
mod package;
mod tools;

use std::path::PathBuf;

pub use app::app;
pub use module::module;
pub use package::package;

/// What came of a step.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// It is built, here.
    Built(PathBuf),
    /// It was skipped: what is missing, and what to do.
    Skipped(String),
}

impl Step {
    /// What was built; `None` with a word to whoever asks if it was skipped.
    pub fn built(self, say: impl FnOnce(&str)) -> Option<PathBuf> {
        match self {
            Self::Built(path) => Some(path),
            Self::Skipped(why) => {
                say(&why);
                None
            }
        }
    }
}

/// Where things are.
#[derive(Debug, Clone)]
pub struct Places {
    /// The repository.
    pub root: PathBuf,
    /// What Cargo builds into.
    pub target: PathBuf,
}

impl Places {
    /// Of the repository that this was built in; `CARGO_TARGET_DIR` counts as it does for Cargo.
    pub fn of_this_repository() -> Self {
        let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
        let root = root.canonicalize().unwrap_or(root);
        let named = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
        let target = named.map_or_else(|| root.join("target"), |target| root.join(target));
        Self { root, target }
    }
}
