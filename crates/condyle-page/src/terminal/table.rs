//! Tables without rules, numbers to the right, and how numbers are printed.

use anstyle::Style;
use comfy_table::{CellAlignment, Table, presets};

use crate::terminal::say::printable;
use crate::terminal::{Out, Written};

/// How long a table may be: a row takes a kilobyte until it is printed, and a file of two kilobytes
/// may name 65,535 points. What is longer goes into several tables.
pub const ROWS_AT_ONCE: usize = 5000;

const HEADER: Style = Style::new().bold();

/// A table with a header; the first `text_columns` columns are text, the others numbers.
pub fn table(header: &[&str], text_columns: usize) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(header.to_vec());
    for (index, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 2));
        if index >= text_columns {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

/// Prints a table, indented, its header in bold where the terminal can.
pub fn print(table: &Table, indent: &str, out: Out) -> Written {
    for (index, line) in table.lines().enumerate() {
        let line = line.trim_end();
        if index == 0 {
            writeln!(out, "{indent}{HEADER}{line}{HEADER:#}")?;
        } else {
            writeln!(out, "{indent}{line}")?;
        }
    }
    Ok(())
}

/// A label for a cell.
pub fn text(label: &str) -> String {
    if label.is_empty() { "-".to_owned() } else { printable(label) }
}

/// A number with at most three decimals and no trailing zeros.
pub fn number(value: f64) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Three significant digits.
pub fn short(value: f64) -> String {
    if value == 0.0 || (1e-3..1e4).contains(&value.abs()) {
        let decimals = 2 - (value.abs().max(1e-3).log10().floor() as i32).min(2);
        format!("{value:.*}", decimals as usize)
    } else {
        format!("{value:.2e}")
    }
}

/// A number that may be unknown.
pub fn known(value: Option<f64>) -> String {
    value.map_or_else(|| "?".to_owned(), number)
}

/// A share in per cent with one decimal; never `0.0` for something nor `100.0` for not all.
pub fn percent(part: usize, whole: usize) -> String {
    if whole == 0 {
        return "-".to_owned();
    }
    let percent = 100.0 * part as f64 / whole as f64;
    match part {
        0 => "0".to_owned(),
        part if part == whole => "100".to_owned(),
        _ => format!("{:.1}", percent.clamp(0.1, 99.9)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_numbers_shortly() {
        assert_eq!(number(100.0), "100");
        assert_eq!(number(59.94), "59.94");
        assert_eq!(number(0.0), "0");
    }

    #[test]
    fn a_share_is_zero_only_if_it_is() {
        assert_eq!(percent(0, 10_000), "0");
        assert_eq!(percent(1, 10_000), "0.1");
        assert_eq!(percent(9_999, 10_000), "99.9");
        assert_eq!(percent(5, 5), "100");
    }
}
