//! The targets of `condyle ik`: a table of coordinates, one row a target.

use std::fs;
use std::io::Read;
use std::path::Path;

use condyle::{Error, ErrorKind, Result};
use nalgebra::Point3;

use crate::input::DASH;

/// Reads x, y, z of every effector from every row; a header and empty lines are passed over.
pub fn read(path: &Path, effectors: usize) -> Result<Vec<Vec<Point3<f64>>>> {
    let named = |error: Error| error.with_path(path);
    let text = text(path).map_err(|error| named(error.into()))?;
    parse(&text, effectors).map_err(named)
}

fn text(path: &Path) -> std::io::Result<String> {
    if path != Path::new(DASH) {
        return fs::read_to_string(path);
    }
    let mut text = String::new();
    std::io::stdin().lock().read_to_string(&mut text)?;
    Ok(text)
}

fn parse(text: &str, effectors: usize) -> Result<Vec<Vec<Point3<f64>>>> {
    let mut rows = Vec::new();
    let need = 3 * effectors;
    let mut is_first = true;
    for (index, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let cells: Vec<&str> = line
            .split([',', ';', '\t', ' '])
            .map(str::trim)
            .filter(|cell| !cell.is_empty())
            .collect();
        let header = is_first && cells.iter().all(|cell| cell.parse::<f64>().is_err());
        is_first = false;
        if header {
            continue;
        }
        if cells.len() != need {
            return Err(Error::at_line(
                index + 1,
                format!(
                    "need {need} numbers, x, y, z of {effectors} effectors, got {}",
                    cells.len()
                ),
            ));
        }
        let mut numbers = Vec::with_capacity(need);
        for cell in cells {
            match cell.parse::<f64>().ok().filter(|number| number.is_finite()) {
                Some(number) => numbers.push(number),
                None => {
                    let what = format!("need a finite number, got '{cell}'");
                    return Err(Error::at_line(index + 1, what));
                }
            }
        }
        rows.push(numbers.chunks_exact(3).map(Point3::from_slice).collect());
    }
    if rows.is_empty() {
        return Err(ErrorKind::Malformed("targets: need a row, got none".into()).into());
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_comments_and_any_separator_are_taken() {
        let rows = parse("x,y,z\n# note\n1,2,3\n\n4; 5;6\n7\t8 9\n", 1).unwrap();
        assert_eq!(rows.len(), 3);
        assert_eq!(rows[2][0], Point3::new(7.0, 8.0, 9.0));
    }

    #[test]
    fn a_wrong_row_is_named() {
        let text = |text: &str, n| parse(text, n).unwrap_err().to_string();
        assert_eq!(
            text("1,2,3\n1,2\n", 1),
            "line 2: need 3 numbers, x, y, z of 1 effectors, got 2"
        );
        assert_eq!(text("1,2,nan\n", 1), "line 1: need a finite number, got 'nan'");
        assert!(text("x,y,z\n", 1).contains("need a row"));
        assert!(text("1,2,3\n", 2).contains("need 6 numbers"));
    }
}
