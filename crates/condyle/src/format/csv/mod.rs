//! Being written.
use crate::error::{Error, Result};
use crate::format::ReadOptions;
use crate::trial::{Note, Trial};
/// Reads.
pub fn read(_bytes: &[u8], _options: &ReadOptions) -> Result<Trial> {
    Err(Error::malformed("not yet"))
}
/// Writes.
pub fn write(_trial: &Trial, _out: &mut impl std::io::Write) -> Result<Vec<Note>> {
    Err(Error::malformed("not yet"))
}
