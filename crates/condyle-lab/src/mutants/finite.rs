//! Numbers in files that are not finite, but for a format's own mark for missing.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::kit::Kit;

/// What is wrong in the files of a folder that are not of the kit.
pub fn wrong_in(folder: &Path, kit: &Kit) -> anyhow::Result<Vec<String>> {
    let mut found = Vec::new();
    for path in files(folder)? {
        let name = path.strip_prefix(folder).unwrap_or(&path).to_string_lossy().into_owned();
        // What is said is for people, but where it is JSON.
        let is_said = name == "stdout.txt";
        let is_changed = fs::metadata(&path)?.len() != kit.named(&name).len() as u64;
        if kit.has(&name) && !is_changed {
            continue;
        }
        let bytes = fs::read(&path)?;
        let name = if is_said { "stdout.json".to_owned() } else { name };
        if is_said && !bytes.starts_with(b"{") && !bytes.starts_with(b"[") {
            continue;
        }
        if let Some(what) = wrong(&name, &bytes).filter(|_| !kit.has(&name)) {
            found.push(format!("{name}: {what}"));
        }
    }
    Ok(found)
}

/// All files below a folder.
fn files(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    Ok(files)
}

/// What is wrong in a file.
pub fn wrong(name: &str, bytes: &[u8]) -> Option<String> {
    let ending = name.rsplit('.').next().unwrap_or_default();
    match ending {
        "c3d" => c3d(bytes),
        "glb" => glb(bytes),
        "json" => json(bytes),
        // Its cells are null where there is no number, and what they hold has a test of its own.
        "parquet" => None,
        _ => {
            let text = String::from_utf8_lossy(bytes);
            match ending {
                // A table's head holds labels; the cells after it hold numbers.
                "csv" => text.lines().skip(1).find_map(|line| cell(line, ',', false)),
                "trc" => text
                    .lines()
                    .skip(2)
                    .filter(|line| !line.starts_with("Frame"))
                    .find_map(|line| cell(line, '\t', false)),
                "sto" | "mot" => rows_of_sto(&text),
                "bvh" => text.lines().find_map(|line| cell(line.trim(), ' ', false)),
                "svg" | "html" | "xml" | "osim" | "urdf" => attributes(&text),
                _ => text.lines().find_map(|line| cell(line, ' ', false)),
            }
        }
    }
}

/// A cell that is a number and not finite; `NaN` may be how the format says missing.
fn cell(line: &str, separator: char, may_be_nan: bool) -> Option<String> {
    let mut cells = line.split([separator, ' ']);
    let is_wrong = |cell: &&str| match cell.trim().parse::<f64>() {
        Ok(value) => !(value.is_finite() || may_be_nan && value.is_nan()),
        Err(_) => false,
    };
    cells
        .find(is_wrong)
        .map(|cell| format!("'{cell}' in '{}'", line.chars().take(60).collect::<String>()))
}

fn rows_of_sto(text: &str) -> Option<String> {
    let rows = text.split_once("endheader").map_or("", |(_, rows)| rows);
    rows.lines().skip(2).find_map(|row| cell(&row.replace(',', "\t"), '\t', true))
}

/// Numbers inside of tags: of text between them nobody reckons.
fn attributes(text: &str) -> Option<String> {
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        let tag = &rest[at..];
        let end = tag.find('>').map_or(tag.len(), |end| end + 1);
        let words = tag[..end].split(|c: char| !(c.is_alphanumeric() || "-+.".contains(c)));
        let is_wrong = |word: &&str| {
            let word = word.trim_start_matches(['M', 'L', 'Z', '-', '+']);
            matches!(word, "NaN" | "inf" | "Infinity")
        };
        if let Some(word) = words.clone().find(is_wrong) {
            return Some(format!("'{word}' in '{}'", tag.chars().take(60).collect::<String>()));
        }
        rest = &tag[end..];
    }
    None
}

/// JSON has no mark for what is not finite: it must be JSON, one value or one after the other.
fn json(bytes: &[u8]) -> Option<String> {
    let values = serde_json::Deserializer::from_slice(bytes).into_iter::<Value>();
    let errors = values.filter_map(Result::err);
    errors.map(|error| format!("no JSON: {error}")).next()
}

/// Floats of the header and the samples of a C3D file in Intel's order.
fn c3d(bytes: &[u8]) -> Option<String> {
    let word =
        |at: usize| bytes.get(at..at + 2).map(|b| usize::from(u16::from_le_bytes([b[0], b[1]])));
    let float =
        |at: usize| bytes.get(at..at + 4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]));
    let (points, analog) = (word(2)?, word(4)?);
    let (scale, data, rate) = (float(12)?, word(16)?, float(20)?);
    if !scale.is_finite() || !rate.is_finite() {
        return Some(format!("header: scale {scale}, rate {rate}"));
    }
    let frame = (4 * points + analog) * 4;
    let start = data.saturating_sub(1) * 512;
    // Poses follow, whose mark for missing is what is not finite.
    let frames = (word(8)? + 1).saturating_sub(word(6)?);
    let end = bytes.len().saturating_sub(3).min(start + frames * frame);
    if scale >= 0.0 || frame == 0 {
        return None;
    }
    (start..end).step_by(4).find_map(|at| {
        let value = float(at).filter(|value| !value.is_finite())?;
        let within = (at - start) % frame / 4;
        let what = if within < 4 * points { "point" } else { "analog" };
        Some(format!("{value} in frame {}, {what} word {within}", (at - start) / frame))
    })
}

/// All floats of a binary glTF file.
fn glb(bytes: &[u8]) -> Option<String> {
    let length = |at: usize| {
        bytes.get(at..at + 4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]) as usize)
    };
    let json_bytes = length(12)?;
    let root: Value = match serde_json::from_slice(bytes.get(20..20 + json_bytes)?) {
        Ok(root) => root,
        Err(error) => return Some(format!("no JSON: {error}")),
    };
    if has_null(&root) {
        return Some("null in the document".to_owned());
    }
    let numbers = bytes.get(20 + json_bytes + 8..)?;
    for (index, accessor) in root["accessors"].as_array()?.iter().enumerate() {
        // 5126: 32-bit floats.
        if accessor["componentType"] != 5126 {
            continue;
        }
        let view = &root["bufferViews"][accessor["bufferView"].as_u64()? as usize];
        let start = view["byteOffset"].as_u64().unwrap_or(0) as usize;
        let part = numbers.get(start..start + view["byteLength"].as_u64()? as usize)?;
        let is_wrong = |b: &[u8]| !f32::from_le_bytes([b[0], b[1], b[2], b[3]]).is_finite();
        if part.chunks_exact(4).any(is_wrong) {
            return Some(format!("accessor {index} holds what is not finite"));
        }
    }
    None
}

/// Where a number is null it was not finite.
fn has_null(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(values) => values.iter().any(has_null),
        Value::Object(values) => values.values().any(has_null),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_finite_is_found_in_every_kind_of_file() {
        for (name, text) in [
            ("a.csv", "time_s,nan_x\n0,nan\n"),
            ("a.csv", "time_s,a\n0,1e999\n"),
            ("a.trc", "P\nD\n1\tinf\n"),
            ("a.sto", "endheader\ntime\ta\n0\tinf\n"),
            ("a.bvh", "OFFSET 0 0 NaN\n"),
            ("a.svg", "<path d=\"M0 0L1 NaN\"/>"),
            ("a.json", "{\"a\": NaN}"),
            ("a.mesh", "0 0 inf\n"),
        ] {
            assert!(wrong(name, text.as_bytes()).is_some(), "{name}: {text}");
        }
    }

    #[test]
    fn labels_and_marks_for_missing_are_left_alone() {
        for (name, text) in [
            ("a.csv", "time_s,nan\n0,\n"),
            ("a.sto", "endheader\ntime\tnan\n0\tNaN,NaN,NaN\n"),
            ("a.svg", "<text>NaN</text>"),
        ] {
            assert_eq!(wrong(name, text.as_bytes()), None, "{name}: {text}");
        }
    }
}
