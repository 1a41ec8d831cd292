//! Tables for people and for programs.

use serde_json::{Map, Value};

/// A table with a title.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    title: String,
    headers: Vec<String>,
    rows: Vec<Vec<String>>,
    remarks: Vec<String>,
}

impl Table {
    /// A table without rows.
    pub fn new(title: impl Into<String>, headers: &[&str]) -> Self {
        let headers = headers.iter().map(|header| (*header).to_owned()).collect();
        Self { title: title.into(), headers, rows: Vec::new(), remarks: Vec::new() }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// Adds a line below the table.
    pub fn remark(&mut self, text: impl Into<String>) {
        self.remarks.push(text.into());
    }

    /// With columns aligned: the first to the left, the others to the right.
    pub fn to_text(&self) -> String {
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells
                .chain(self.headers.get(column))
                .map(|cell| cell.chars().count())
                .max()
                .unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.headers.len()).map(width).collect();
        let line = |cells: &[String]| {
            let padded = cells.iter().zip(&widths).enumerate().map(|(column, (cell, width))| {
                if column == 0 { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
            });
            padded.collect::<Vec<_>>().join("  ").trim_end().to_owned()
        };
        let mut lines = vec![self.title.clone(), line(&self.headers)];
        lines.extend(self.rows.iter().map(|row| line(row)));
        lines.extend(self.remarks.iter().cloned());
        lines.join("\n") + "\n"
    }

    /// As an object: the title, the rows as objects by header, the remarks.
    pub fn to_json(&self) -> Value {
        let value = |cell: &String| match cell.parse::<f64>() {
            Ok(number) if number.is_finite() => Value::from(number),
            _ => Value::from(cell.as_str()),
        };
        let row = |row: &Vec<String>| -> Value {
            let pairs = self.headers.iter().zip(row);
            pairs.map(|(header, cell)| (header.clone(), value(cell))).collect::<Map<_, _>>().into()
        };
        let rows: Vec<Value> = self.rows.iter().map(row).collect();
        serde_json::json!({ "title": self.title, "rows": rows, "remarks": self.remarks })
    }
}

/// Metres as millimetres with one digit after the point; a dash for what is not a number.
pub fn mm(metres: f64) -> String {
    if metres.is_finite() { format!("{:.1}", metres * 1e3) } else { "-".to_owned() }
}

/// A share as a percentage with one digit after the point; a dash for what is not a number.
pub fn percent(share: f64) -> String {
    if share.is_finite() { format!("{:.1}", share * 100.0) } else { "-".to_owned() }
}
