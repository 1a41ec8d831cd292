//! Reading a recording from a path or from standard input.

use std::io::{self, Read};
use std::path::Path;

use condyle::format::{self, ReadOptions};
use condyle::{Result, Trial};

/// The path that stands for standard input or standard output.
pub const DASH: &str = "-";

/// Reads a recording; `-` is standard input.
pub fn read(path: &Path, options: &ReadOptions) -> Result<Trial> {
    if path != Path::new(DASH) {
        return format::read_path(path, options);
    }
    read_stdin(options).map_err(|error| error.with_path(Path::new("standard input")))
}

fn read_stdin(options: &ReadOptions) -> Result<Trial> {
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes)?;
    format::read_bytes(&bytes, options)
}
