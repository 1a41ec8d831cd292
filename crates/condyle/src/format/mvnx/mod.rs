//! MVNX, the XML of Xsens suits: the pose of every segment in every frame.
//!
//! # What the file means
//! - Frames of type `normal` are the recording; the calibration poses before them (`identity`,
//!   `tpose`, `tpose-isb`) are skipped and noted.
//! - `<orientation>` lists `w x y z` for every segment in the order of `<segments>`, `<position>`
//!   lists `x y z` in metres; right-handed, Z up. A segment is missing in a frame that lacks its
//!   numbers. A file without positions gives bodies without positions.
//! - `<marker>` inside a frame is an event at that frame.
//!
//! Entities are never expanded, so a file cannot grow by them.

mod recording;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event as Xml};

use crate::error::{Error, Result};
use crate::format::{ReadOptions, text};
use crate::trial::{Axis, Format, LengthUnit, Trial};
use crate::xml::{attribute, local_name};
use recording::Recording;

/// Elements inside one another at most; MVNX uses seven.
const DEEPEST: usize = 100;

/// Reads an MVNX file.
///
/// # Errors
/// The XML is broken before the first frame, or there are no segments.
pub fn read(bytes: &[u8], options: &ReadOptions) -> Result<Trial> {
    let text = text::decode(bytes);
    let unit = options.unit.unwrap_or(LengthUnit::Metre);
    let mut recording = Recording::new(unit.metres(), bytes.len());
    let broken = walk(&text, &mut recording)?;
    let mut trial = Trial::new(Format::Mvnx, 0.0);
    trial.source.unit = unit;
    trial.source.up = Some(options.up.unwrap_or(Axis::Z));
    recording.finish(&mut trial, options)?;
    if let Some(broken) = broken {
        trial.note("truncated", format!("{broken}: the whole frames before are kept"));
    }
    Ok(trial)
}

/// Hands every element to the recording; returns where the XML broke off after the first frame.
fn walk(text: &str, recording: &mut Recording) -> Result<Option<String>> {
    let mut xml = Reader::from_str(text);
    let mut depth = 0_usize;
    loop {
        let at = xml.buffer_position();
        match xml.read_event() {
            Ok(Xml::Start(element)) => {
                depth += 1;
                if depth > DEEPEST {
                    let what = format!("xml: need elements at most {DEEPEST} deep, got deeper");
                    return Err(Error::at_byte(at, what));
                }
                start(&element, recording);
            }
            Ok(Xml::Empty(element)) => {
                start(&element, recording);
                recording.end(&local_name(&element)).map_err(|error| at_byte(error, at))?;
            }
            Ok(Xml::Text(content)) => recording.text(&content.xml10_content()),
            Ok(Xml::CData(content)) => recording.text(&content.xml10_content()),
            Ok(Xml::End(element)) => {
                depth = depth.saturating_sub(1);
                let name = element.local_name();
                let name: &str = name.as_ref();
                recording.end(name).map_err(|error| at_byte(error, at))?;
            }
            Ok(Xml::Eof) if depth == 0 => return Ok(None),
            Ok(Xml::Eof) => {
                return broken_off(recording, at, format!("the file ends inside {depth} elements"));
            }
            Ok(_) => {}
            Err(error) => {
                return broken_off(recording, xml.error_position(), format!("broken xml, {error}"));
            }
        }
    }
}

/// What is broken is an error before the first frame and a note after it.
fn broken_off(recording: &Recording, at: u64, what: String) -> Result<Option<String>> {
    if recording.frames() == 0 {
        return Err(Error::at_byte(at, what));
    }
    Ok(Some(format!("byte {at}: {what}")))
}

fn at_byte(error: Error, at: u64) -> Error {
    error.with_place(crate::error::Place::Byte(at))
}

fn start(element: &BytesStart<'_>, recording: &mut Recording) {
    recording.start(&local_name(element), &|wanted: &str| attribute(element, wanted));
}

#[cfg(test)]
mod tests;
