//! Formats by name.

use condyle::trial::Format;

/// A format by its extension, if it can be written.
pub fn writable_format(name: &str) -> Result<Format, String> {
    match Format::from_extension(name) {
        Some(format @ (Format::Asf | Format::Amc | Format::Mvnx | Format::Poses | Format::Npy)) => {
            Err(format!(
                "{format} can be read but not written: need c3d, trc, csv, bvh, glb, sto or mot"
            ))
        }
        Some(format) => Ok(format),
        None => Err(format!("need c3d, trc, csv, bvh, glb, sto or mot, got '{name}'")),
    }
}
