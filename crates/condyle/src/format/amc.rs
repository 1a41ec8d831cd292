//! Being written.
use crate::error::{Error, Result};
use crate::format::ReadOptions;
use crate::trial::Trial;
use std::path::{Path, PathBuf};
/// Reads.
pub fn read(_bytes: &[u8], _skeleton: &[u8], _options: &ReadOptions) -> Result<Trial> {
    Err(Error::malformed("not yet"))
}
/// Finds.
pub fn find_skeleton(_motion: &Path) -> Result<PathBuf> {
    Err(Error::malformed("not yet"))
}
