//! What a figure is made from.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use anyhow::Context;
use condyle::figure::Figure;
use condyle::format::solid;
use condyle::mannequin::Mannequin;
use condyle::subject::Subject;
use condyle::trial::Note;

/// A figure, how tall it is, and what is to be said.
pub struct Body {
    pub figure: Figure,
    pub height_m: f64,
    pub notes: Vec<Note>,
}

/// Reads whatever a file is, by its content.
pub fn read(path: &Path, weight_kg: Option<f64>) -> anyhow::Result<Body> {
    let place = || path.display().to_string();
    let of_solid =
        |(figure, notes): (Figure, Vec<Note>)| Body { height_m: figure.height_m(), figure, notes };
    // A pipe is read once.
    if path.is_file() && !is_json(&beginning(path).with_context(place)?) {
        return Ok(of_solid(solid::read_path(path)?));
    }
    let bytes = fs::read(path).with_context(place)?;
    if !is_json(&bytes) {
        return Ok(of_solid(solid::read(&bytes, path)?));
    }
    let named = |error: condyle::Error| error.with_path(path);
    let subject = Subject::from_json(&String::from_utf8_lossy(&bytes)).map_err(named)?;
    let own = Mannequin::of_subject(&subject, weight_kg).map_err(named)?;
    Ok(Body { figure: own.figure, height_m: own.height_m, notes: own.notes })
}

fn is_json(bytes: &[u8]) -> bool {
    bytes.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'{')
}

fn beginning(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    fs::File::open(path)?.take(1 << 12).read_to_end(&mut bytes)?;
    Ok(bytes)
}
