//! A table that sorts by the column whose head is clicked.

use std::fmt::Write;

use super::escaped;

/// Sorts rows by the value that each cell carries; numbers as numbers.
pub(super) const SCRIPT: &str = include_str!("sortable.js");

/// Rows under a header that sorts them.
#[derive(Debug, Clone, Default)]
pub struct Sortable {
    header: Vec<String>,
    text_columns: usize,
    rows: Vec<Vec<Cell>>,
}

/// A cell, and what it is sorted by.
#[derive(Debug, Clone, PartialEq)]
pub struct Cell {
    html: String,
    key: String,
}

impl Cell {
    /// Text.
    pub fn text(text: &str) -> Self {
        Self { html: escaped(text), key: text.to_owned() }
    }

    /// A number with so many decimals.
    pub fn number(value: f64, decimals: usize) -> Self {
        Self { html: format!("{value:.decimals$}"), key: value.to_string() }
    }

    /// A link to a page.
    pub fn link(to: &str, text: &str) -> Self {
        let html = format!("<a href=\"{}\">{}</a>", escaped(&address(to)), escaped(text));
        Self { html, key: text.to_owned() }
    }

    /// A small picture that is a link.
    pub fn picture(to: &str, picture: &str, text: &str) -> Self {
        let [to, picture, text] = [&address(to), &address(picture), text].map(escaped);
        let html =
            format!("<a href=\"{to}\"><img src=\"{picture}\" alt=\"{text}\" loading=\"lazy\"></a>");
        Self { html, key: String::new() }
    }

    /// How many are good, fair and poor, as a bar of three colours; sorted by the share that is good.
    pub fn shares(counts: [usize; 3]) -> Self {
        let all = counts.iter().sum::<usize>().max(1);
        let mut html = String::from("<span class=\"shares\">");
        for (count, class) in counts.iter().zip(["well", "fairly", "barely"]) {
            if *count > 0 {
                let _ = write!(
                    html,
                    "<i class=\"{class}\" style=\"flex:{count}\" title=\"{count} of {all} {class}\">{count}</i>"
                );
            }
        }
        html.push_str("</span>");
        let [good, fair, _] = counts.map(|count| count as f64 / all as f64);
        Self { html, key: (good + 1e-3 * fair).to_string() }
    }
}

/// A path as an address: what means something there is written otherwise.
fn address(path: &str) -> String {
    let mut address = String::new();
    for byte in path.bytes() {
        match byte {
            b'%' | b'#' | b'?' | b' ' | b'"' | b'<' | b'>' | b'\\' | b':' => {
                let _ = write!(address, "%{byte:02X}");
            }
            byte if byte.is_ascii() && !byte.is_ascii_control() => address.push(byte as char),
            byte => {
                let _ = write!(address, "%{byte:02X}");
            }
        }
    }
    address
}

impl Sortable {
    /// A table without rows yet; so many columns from the left are text, the others numbers.
    pub fn new(header: &[&str], text_columns: usize) -> Self {
        let header = header.iter().map(|name| (*name).to_owned()).collect();
        Self { header, text_columns, rows: Vec::new() }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: Vec<Cell>) {
        self.rows.push(cells);
    }

    pub(super) fn write(&self, html: &mut String) {
        let class = |column| if column < self.text_columns { "" } else { " class=\"number\"" };
        html.push_str("<div class=\"table\"><table class=\"sortable\">\n<thead><tr>");
        for (column, name) in self.header.iter().enumerate() {
            let name = match name.is_empty() {
                true => String::new(),
                false => format!("<button type=\"button\">{}</button>", escaped(name)),
            };
            let _ = write!(html, "<th{} scope=\"col\">{name}</th>", class(column));
        }
        html.push_str("</tr></thead>\n<tbody>\n");
        for row in &self.rows {
            html.push_str("<tr>");
            for (column, cell) in row.iter().enumerate() {
                let (class, key) = (class(column), escaped(&cell.key));
                // Narrow screens show a row as a list, each cell after the name of its column.
                let name = escaped(self.header.get(column).map_or("", String::as_str));
                let _ = write!(
                    html,
                    "<td{class} data-key=\"{key}\" data-name=\"{name}\">{}</td>",
                    cell.html
                );
            }
            html.push_str("</tr>\n");
        }
        let _ = writeln!(html, "</tbody></table></div>\n<script>\n{SCRIPT}</script>");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_neither_markup_nor_addresses_of_their_own() {
        let cell = Cell::link("a b/50% #1?.html", "<b>");
        assert_eq!(cell.html, "<a href=\"a%20b/50%25%20%231%3F.html\">&lt;b&gt;</a>");
        let cell = Cell::picture("javascript:x", "ü.svg", "\"");
        assert!(cell.html.contains("href=\"javascript%3Ax\""), "{}", cell.html);
        assert!(cell.html.contains("src=\"%C3%BC.svg\" alt=\"&quot;\""), "{}", cell.html);
    }

    #[test]
    fn more_well_known_joints_sort_higher() {
        let keys = [[0, 0, 3], [1, 1, 1], [1, 2, 0], [3, 0, 0]].map(|counts| {
            let key: f64 = Cell::shares(counts).key.parse().unwrap();
            key
        });
        assert!(keys.is_sorted() && keys[0] < keys[1] && keys[1] < keys[2], "{keys:?}");
    }
}
