//! What a figure is made from.

use std::fs;
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
    let bytes = fs::read(path).with_context(|| path.display().to_string())?;
    let named = |error: condyle::Error| error.with_path(path);
    if bytes.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'{') {
        let subject = Subject::from_json(&String::from_utf8_lossy(&bytes)).map_err(named)?;
        let own = Mannequin::of_subject(&subject, weight_kg).map_err(named)?;
        return Ok(Body { figure: own.figure, height_m: own.height_m, notes: own.notes });
    }
    let (figure, notes) = solid::read_path(path)?;
    Ok(Body { height_m: figure.height_m(), figure, notes })
}
