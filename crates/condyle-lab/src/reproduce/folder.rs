//! The folder that a page and its data go to.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use condyle_page::terminal::output::Output;

/// A folder that may be written to.
pub struct Folder {
    path: PathBuf,
    is_forced: bool,
}

impl Folder {
    /// Checks before any work is done: the folder must be empty, or not be there yet, unless forced.
    /// Nothing is made until something is written.
    pub fn at(path: &Path, is_forced: bool) -> anyhow::Result<Self> {
        let name = path.display();
        match fs::read_dir(path) {
            Ok(mut entries) => {
                if entries.next().is_some() && !is_forced {
                    bail!("{name}: the folder is not empty: need --force to write into it");
                }
                try_out(path)?;
            }
            Err(_) if fs::metadata(path).is_ok_and(|metadata| !metadata.is_dir()) => {
                bail!("{name}: need a folder to write to, got a file");
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
                let parent = parent.unwrap_or(Path::new("."));
                if !parent.is_dir() {
                    bail!(
                        "{name}: need a folder to write in, got no folder '{}'",
                        parent.display()
                    );
                }
                try_out(parent)?;
            }
            Err(error) => return Err(error).with_context(|| name.to_string()),
        }
        Ok(Self { path: path.to_owned(), is_forced })
    }

    /// The path of a file in the folder.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Writes a file, whole or not at all.
    pub fn write(&self, name: &str, text: &str) -> anyhow::Result<()> {
        fs::create_dir_all(&self.path).with_context(|| self.path.display().to_string())?;
        let output = Output::at(&self.file(name), self.is_forced)?;
        output.write(|out| Ok(out.write_all(text.as_bytes())?))
    }
}

/// Fails where no file can be made; minutes of work would end in the same error.
fn try_out(folder: &Path) -> anyhow::Result<()> {
    let made = tempfile::tempfile_in(folder).map_err(|error| error.kind());
    made.map(drop)
        .map_err(|kind| anyhow::anyhow!("cannot write in folder {}: {kind}", folder.display()))
}
