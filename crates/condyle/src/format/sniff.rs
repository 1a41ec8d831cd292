//! Recognising a format by content.

use crate::error::{Error, ErrorKind, Result};
use crate::format::{poses, text};
use crate::trial::Format;

/// How much of a file [`sniff`] looks at.
pub(super) const HEAD_BYTES: u64 = 8192;

/// The format of a file that starts with these bytes.
///
/// # Errors
/// The file is empty, or the content is none that we know; the message says what it looks like.
pub fn sniff(head: &[u8]) -> Result<Format> {
    if head.is_empty() {
        return Err(ErrorKind::Empty.into());
    }
    if head.starts_with(super::npy::MAGIC) {
        return Ok(Format::Npy);
    }
    // A C3D header: any block number, then the key 0x50, after the zeros that some exporters write.
    // No text format has 'P' second but "XPath…"; TRC starts "PathFileType", so it has 'a' there.
    let zeros = head.iter().take_while(|&&b| b == 0).count();
    if head.get(zeros + 1) == Some(&0x50) && !looks_like_text(head) {
        return Ok(Format::C3d);
    }
    if poses::is_sequence(&text::decode(head)) {
        return Ok(Format::Poses);
    }
    if !looks_like_text(head) {
        let found = head.get(1).map_or("end of file".to_owned(), |b| format!("{b:#04x}"));
        let what = FOREIGN.iter().find(|(start, _)| head.starts_with(start)).map_or_else(
            || format!("binary data that does not start like c3d (byte 1 need 0x50, got {found})"),
            |(_, name)| (*name).to_owned(),
        );
        return Err(not_recognised(&what));
    }
    let text = text::decode(head);
    sniff_text(&text)
}

fn sniff_text(text: &str) -> Result<Format> {
    let first_line = text.lines().find(|line| !line.trim().is_empty()).unwrap_or("");
    let first = first_line.trim_start();
    let starts =
        |prefix: &str| first.get(..prefix.len()).is_some_and(|s| s.eq_ignore_ascii_case(prefix));
    let has_line = |wanted: &str| text.lines().any(|line| line.trim().eq_ignore_ascii_case(wanted));
    if starts("PathFileType") || starts("DataRate\t") {
        return Ok(Format::Trc);
    }
    if starts("HIERARCHY") {
        return Ok(Format::Bvh);
    }
    if first.starts_with('<') && text.contains("<mvnx") {
        return Ok(Format::Mvnx);
    }
    if first.starts_with('<') {
        return Err(not_recognised("xml that is not mvnx"));
    }
    let acclaim = first.starts_with('#') || first.starts_with(':');
    let has_section = |name: &str| {
        text.lines().any(|line| line.trim_start().to_ascii_lowercase().starts_with(name))
    };
    if acclaim && (has_section(":bonedata") || has_section(":root") || has_section(":units")) {
        return Ok(Format::Asf);
    }
    if acclaim
        && (has_section(":fully-specified") || has_section(":degrees") || has_section(":radians"))
    {
        return Ok(Format::Amc);
    }
    if has_line("endheader") {
        return Ok(Format::Sto);
    }
    if poses::is_list(text) {
        return Ok(Format::Poses);
    }
    if text.contains(',') || text.contains(';') || text.contains('\t') {
        return Ok(Format::Csv);
    }
    Err(not_recognised(&format!("text that starts with '{}'", text::cut(first).trim_end())))
}

/// How files begin that people try, and what they are.
const FOREIGN: [(&[u8], &str); 5] = [
    (b"Kaydara FBX Binary", "an fbx file"),
    (b"MATLAB 5.0 MAT-file", "a matlab file"),
    (b"glTF", "a gltf file"),
    (b"PK\x03\x04", "a zip archive"),
    (b"\x1f\x8b", "a gzip archive"),
];

fn not_recognised(what: &str) -> Error {
    let known = "c3d, trc, csv, bvh, asf/amc, sto/mot, mvnx, npy or a list of poses";
    Error::not_recognised(format!("format not recognised: need {known}, got {what}"))
}

/// The share of control bytes that a text may have: one in so many.
const TEXT_BYTES_PER_CONTROL: usize = 32;

/// Whether bytes are text: UTF-16 with a mark, or no zero and hardly a control byte among them.
fn looks_like_text(head: &[u8]) -> bool {
    let is_control = |b: &&u8| **b < 0x20 && !matches!(**b, b'\t' | b'\n' | b'\r' | 0x0c);
    let controls = head.iter().filter(is_control).count();
    text::has_utf16_mark(head)
        || (!head.contains(&0) && controls * TEXT_BYTES_PER_CONTROL <= head.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recognises_each_format_by_content() {
        for (head, format) in [
            (&b"\x02\x50\x00"[..], Format::C3d),
            (b"\0\0\0\x02\x50\x00", Format::C3d),
            (b"PathFileType\t4\t(X/Y/Z)\ta.trc\r\n", Format::Trc),
            (b"\xef\xbb\xbfPathFileType 4", Format::Trc),
            (b"HIERARCHY\nROOT Hips\n", Format::Bvh),
            (b"# comment\n:version 1.10\n:units\n", Format::Asf),
            (b"#!OML:ASF\n:FULLY-SPECIFIED\n:DEGREES\n1\n", Format::Amc),
            (b"first trial\nnRows=73\nendheader\ntime\ta\n", Format::Sto),
            (b"<?xml version=\"1.0\"?>\n<mvnx version=\"4\">", Format::Mvnx),
            (b"frame,time_s,A_x,A_y,A_z\n", Format::Csv),
        ] {
            assert_eq!(sniff(head).unwrap(), format);
        }
    }

    #[test]
    fn a_stray_control_character_does_not_make_a_text_binary() {
        let head = b"frame,time_s,A\x01_x,A\x01_y,A\x01_z\n1,0,0.1,0.2,0.3\n2,0.01,0.1,0.2,0.3\n3,0.02,0.1,0.2,0.3\n4,0.03,0.1,0.2,0.3\n";
        assert_eq!(sniff(head).unwrap(), Format::Csv);
    }

    #[test]
    fn refuses_empty_and_foreign_content_with_a_reason() {
        assert!(sniff(b"").unwrap_err().to_string().contains("empty"));
        assert!(sniff(b"\x7fELF\0\0").unwrap_err().to_string().contains("binary"));
        assert!(sniff(b"hello world").unwrap_err().to_string().contains("hello world"));
    }
}
