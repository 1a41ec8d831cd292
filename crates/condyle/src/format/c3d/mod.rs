//! Being written.
use crate::error::{Error, Result};
use crate::format::ReadOptions;
use crate::trial::{Note, Trial};
use std::io::{Read, Seek, Write};
/// Reads.
pub fn read(_source: impl Read + Seek, _options: &ReadOptions) -> Result<Trial> {
    Err(Error::malformed("not yet"))
}
/// Writes.
pub fn write(_trial: &Trial, _out: &mut impl Write) -> Result<Vec<Note>> {
    Err(Error::malformed("not yet"))
}
