//! Writes tiny recordings for the fuzzers to start from: `make_seeds CORPUS_FOLDER`.

use std::fs::{create_dir_all, write};
use std::path::Path;

use condyle_lab::mutants::small;

fn main() -> std::io::Result<()> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| "corpus".into());
    let folder = Path::new(&folder);
    for file in small::files().map_err(std::io::Error::other)? {
        create_dir_all(folder.join(file.target))?;
        write(folder.join(file.target).join(file.name), file.bytes)?;
    }
    Ok(())
}
