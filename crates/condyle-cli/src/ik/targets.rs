//! The targets of `condyle ik`: a table, a JSON array, or the points of a recording.

use std::fs;
use std::io::Read;
use std::path::Path;

use condyle::format::ReadOptions;
use condyle::ik::{Model, Target};
use condyle::trial::Note;
use condyle::{Error, Result};
use nalgebra::{Point3, Quaternion, UnitQuaternion};
use serde::Deserialize;

use crate::terminal::input::{self, DASH};
use crate::terminal::say;

/// What is wanted of one row.
#[derive(Debug, Default)]
pub struct Row {
    /// Where effectors should be; those without a target go along.
    pub targets: Vec<Target>,
    /// Where the base is, if the targets know.
    pub base_m: Option<Point3<f64>>,
}

/// All rows, and how many there are a second, if the file knows.
pub struct Rows {
    pub rows: Vec<Row>,
    pub rate_hz: Option<f64>,
}

/// Reads the targets of a model's effectors.
pub fn read(path: &Path, model: &Model, options: &ReadOptions) -> Result<Rows> {
    let named = |error: Error| error.with_path(path);
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or("");
    let rows = match extension.to_ascii_lowercase().as_str() {
        "json" => of_json(&fs::read_to_string(path).map_err(|e| named(e.into()))?, model),
        "" | "csv" | "txt" | "tsv" => {
            let text = text(path).map_err(|error| named(error.into()))?;
            of_table(&text, &model.effectors)
        }
        _ => return of_recording(path, model, options).map_err(named),
    };
    let rows = rows.map_err(named)?;
    if rows.is_empty() {
        return Err(named(Error::malformed("targets: need a row, got none")));
    }
    Ok(Rows { rows, rate_hz: None })
}

fn text(path: &Path) -> std::io::Result<String> {
    if path != Path::new(DASH) {
        return fs::read_to_string(path);
    }
    let mut text = String::new();
    std::io::stdin().lock().read_to_string(&mut text)?;
    Ok(text)
}

/// x, y, z of every effector from every row; a header and empty lines are passed over.
fn of_table(text: &str, effectors: &[usize]) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    let need = 3 * effectors.len();
    let mut is_first = true;
    for (index, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        // Between commas or semicolons a cell may be empty; blanks only ever separate.
        let cells: Vec<&str> = match line.contains([',', ';']) {
            true => line.split([',', ';']).map(str::trim).collect(),
            false => line.split_whitespace().collect(),
        };
        let is_word = |cell: &&str| !cell.is_empty() && cell.parse::<f64>().is_err();
        let header = is_first
            && cells.iter().any(is_word)
            && cells.iter().all(|cell| cell.parse::<f64>().is_err());
        is_first = false;
        if header {
            continue;
        }
        let at_line = |what: String| Error::at_line(index + 1, what);
        if cells.len() != need {
            let effectors = effectors.len();
            let got = cells.len();
            return Err(at_line(format!(
                "need {need} numbers, x, y, z of {effectors} effectors, got {got}"
            )));
        }
        let mut row = Row::default();
        for (effector, cells) in effectors.iter().zip(cells.chunks_exact(3)) {
            if cells.iter().all(|cell| cell.is_empty()) {
                continue;
            }
            let mut at_m = Point3::origin();
            for (axis, cell) in cells.iter().enumerate() {
                let number = cell.parse::<f64>().ok().filter(|number| number.is_finite());
                at_m[axis] =
                    number.ok_or_else(|| at_line(format!("need a finite number, got '{cell}'")))?;
            }
            row.targets.push(Target::at(*effector, at_m));
        }
        rows.push(row);
    }
    Ok(rows)
}

/// A row of a JSON file: numbers as in a table, or targets by the names of joints.
#[derive(Deserialize)]
#[serde(untagged)]
enum GivenRow {
    Numbers(Vec<f64>),
    Places(Vec<Option<[f64; 3]>>),
    Named(std::collections::BTreeMap<String, Option<GivenTarget>>),
}

#[derive(Deserialize)]
#[serde(untagged)]
enum GivenTarget {
    Place([f64; 3]),
    Full(FullTarget),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FullTarget {
    at: [f64; 3],
    /// How the bone that ends there is turned against how it is in the model's file.
    turn_wxyz: Option<[f64; 4]>,
    weight: Option<f64>,
}

fn of_json(text: &str, model: &Model) -> Result<Vec<Row>> {
    let given: Vec<GivenRow> = serde_json::from_str(text).map_err(|error| {
        let what =
            "need an array of rows: numbers, [x,y,z] or null an effector, or an object of joints";
        Error::at_line(error.line(), format!("{what}; {error}"))
    })?;
    let rows = given.into_iter().enumerate();
    rows.map(|(index, row)| {
        row.targets(model).map_err(|error| Error::malformed(format!("row {}: {error}", index + 1)))
    })
    .collect()
}

impl GivenRow {
    fn targets(self, model: &Model) -> Result<Row> {
        let refused = |what: String| Err(Error::malformed(what));
        let effectors = &model.effectors;
        let mut row = Row::default();
        match self {
            Self::Numbers(numbers) if numbers.len() != 3 * effectors.len() => {
                return refused(format!(
                    "need {} numbers, x, y, z of {} effectors, got {}",
                    3 * effectors.len(),
                    effectors.len(),
                    numbers.len()
                ));
            }
            Self::Numbers(numbers) => {
                let places = effectors.iter().zip(numbers.chunks_exact(3));
                row.targets.extend(places.map(|(j, at)| Target::at(*j, Point3::from_slice(at))));
            }
            Self::Places(places) if places.len() != effectors.len() => {
                return refused(format!("need {} places, got {}", effectors.len(), places.len()));
            }
            Self::Places(places) => {
                let places = effectors.iter().zip(places);
                let targets = places.filter_map(|(j, at)| Some(Target::at(*j, Point3::from(at?))));
                row.targets.extend(targets);
            }
            Self::Named(named) => {
                for (name, given) in named {
                    let Some(joint) = model.find(&name) else {
                        return refused(format!("no joint '{name}'"));
                    };
                    let Some(given) = given else { continue };
                    if joint == 0 {
                        row.base_m = Some(given.at());
                        continue;
                    }
                    row.targets.push(given.target(model, joint)?);
                }
            }
        }
        Ok(row)
    }
}

impl GivenTarget {
    fn at(&self) -> Point3<f64> {
        match self {
            Self::Place(at) | Self::Full(FullTarget { at, .. }) => Point3::from(*at),
        }
    }

    fn target(&self, model: &Model, joint: usize) -> Result<Target> {
        let target = Target::at(joint, self.at());
        let Self::Full(full) = self else { return Ok(target) };
        let world_from_bone = match full.turn_wxyz {
            None => None,
            Some([w, x, y, z]) => {
                let turn = Quaternion::new(w, x, y, z);
                if !(turn.norm().is_finite() && turn.norm() > 1e-6) {
                    let what = format!("turn_wxyz: need a rotation, got {:?}", [w, x, y, z]);
                    return Err(Error::malformed(what));
                }
                let turn = UnitQuaternion::from_quaternion(turn);
                Some(turn * model.linkage.world_from_bone_at_rest(joint))
            }
        };
        Ok(Target { world_from_bone, weight: full.weight.unwrap_or(1.0), ..target })
    }
}

/// The points that are called as joints, frame by frame: those that are missing have no target.
fn of_recording(path: &Path, model: &Model, options: &ReadOptions) -> Result<Rows> {
    let trial = input::read(path, options)?;
    let mut columns = Vec::new();
    let mut unknown = Vec::new();
    for (index, label) in trial.labels().iter().enumerate() {
        let plain = label.rsplit(':').next().unwrap_or(label);
        if let Some(joint) = model.find(plain).filter(|_| plain.parse::<usize>().is_err()) {
            columns.push((index, joint));
        } else {
            unknown.push(plain.to_owned());
        }
    }
    if !unknown.is_empty() && !columns.is_empty() {
        let count = unknown.len();
        unknown.truncate(12);
        let text = format!(
            "{count} points are called as no joint and are left out: {}",
            unknown.join(", ")
        );
        say::note(&Note::new("points-unknown", text).to_string());
    }
    if columns.is_empty() {
        let names = model.names.iter().take(40).map(String::as_str).collect::<Vec<_>>().join(", ");
        let what = format!("targets: need points that are called as joints ({names}), got none");
        return Err(Error::argument(what));
    }
    let mut positions_m = vec![None; trial.markers.len()];
    let mut rows = Vec::with_capacity(trial.frames);
    for frame in 0..trial.frames {
        trial.positions_m(frame, &mut positions_m);
        let mut row = Row::default();
        for (column, joint) in &columns {
            match (positions_m[*column], joint) {
                (at_m, 0) => row.base_m = at_m,
                (Some(at_m), joint) => row.targets.push(Target::at(*joint, at_m)),
                (None, _) => {}
            }
        }
        rows.push(row);
    }
    Ok(Rows { rows, rate_hz: (trial.rate_hz > 0.0).then_some(trial.rate_hz) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str, effectors: &[usize]) -> Result<Vec<Row>> {
        of_table(text, effectors)
    }

    #[test]
    fn a_header_comments_and_any_separator_are_taken() {
        let rows = parse("x,y,z\n# note\n1,2,3\n\n4; 5;6\n7\t8 9\n", &[1]).unwrap();
        assert_eq!(rows.len(), 3);
        assert_eq!(rows[2].targets[0].at_m, Point3::new(7.0, 8.0, 9.0));
    }

    #[test]
    fn empty_cells_are_no_target() {
        let rows = parse("1,2,3,,,\n,,,4,5,6\n", &[2, 5]).unwrap();
        let joints: Vec<usize> =
            rows.iter().flat_map(|row| &row.targets).map(|t| t.joint).collect();
        assert_eq!(joints, [2, 5]);
    }

    #[test]
    fn a_wrong_row_is_named() {
        let text =
            |text: &str, effectors: &[usize]| parse(text, effectors).unwrap_err().to_string();
        assert_eq!(
            text("1,2,3\n1,2\n", &[1]),
            "line 2: need 3 numbers, x, y, z of 1 effectors, got 2"
        );
        assert_eq!(text("1,2,nan\n", &[1]), "line 1: need a finite number, got 'nan'");
        assert_eq!(text("1,,3\n", &[1]), "line 1: need a finite number, got ''");
        assert!(text("1,2,3\n", &[1, 2]).contains("need 6 numbers"));
    }

    #[test]
    fn rows_of_json_are_numbers_places_or_names() {
        let model = Model::from_json(
            r#"{"joints": [[0,0,0],[0,0,1],[0,0,2]], "names": ["a", "b", "c d"], "effectors": [1, 2]}"#,
        )
        .unwrap();
        let rows = of_json(
            r#"[[1,2,3,4,5,6], [null, [7,8,9]],
                {"c_d": {"at": [1,1,1], "turn_wxyz": [0,1,0,0], "weight": 2}, "a": [0,0,5]}]"#,
            &model,
        )
        .unwrap();
        assert_eq!(rows[0].targets.len(), 2);
        assert_eq!(rows[1].targets[0].joint, 2);
        let last = &rows[2].targets[0];
        assert_eq!(
            (last.joint, last.weight, rows[2].base_m),
            (2, 2.0, Some([0.0, 0.0, 5.0].into()))
        );
        assert!((last.world_from_bone.unwrap() * nalgebra::Vector3::z()).z < -0.999);
        let error = |text: &str| of_json(text, &model).unwrap_err().to_string();
        assert!(error("[[1,2,3]]").contains("row 1: need 6 numbers"));
        assert!(error(r#"[{"e": [1,2,3]}]"#).contains("row 1: no joint 'e'"));
        assert!(error("{}").contains("need an array of rows"));
    }
}
