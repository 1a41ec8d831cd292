//! A table of a page.

use std::fmt::Write;

use super::escaped;

/// How a cell sounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tone {
    /// As any other.
    #[default]
    Plain,
    /// As hoped for.
    Good,
    /// Not as hoped for.
    Bad,
    /// Not decided.
    Open,
    /// Of less weight.
    Faint,
}

/// Rows of text under a header.
#[derive(Debug, Clone, Default)]
pub struct Table {
    /// What it shows, below it.
    pub caption: String,
    /// The names of the columns.
    pub header: Vec<String>,
    /// How many columns from the left are text; the others are numbers.
    pub text_columns: usize,
    /// The cells.
    pub rows: Vec<Vec<(String, Tone)>>,
    /// Whether a row begins a new group: where its first cell differs from the one above.
    pub is_grouped: bool,
    /// How its columns share the width, if not by what is in them; a class of the style sheet.
    pub layout: &'static str,
}

impl Table {
    /// A table without rows yet.
    pub fn new(header: &[&str], text_columns: usize) -> Self {
        let header = header.iter().map(|name| (*name).to_owned()).collect();
        Self { header, text_columns, ..Self::default() }
    }

    /// The same with the names of the columns in one text, `|` between them.
    pub fn columns(header: &str, text_columns: usize) -> Self {
        Self::new(&header.split('|').map(str::trim).collect::<Vec<_>>(), text_columns)
    }

    /// Adds a row of plain cells.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().map(|cell| (cell, Tone::Plain)).collect());
    }

    pub(super) fn write(&self, html: &mut String) {
        let class = |column| if column < self.text_columns { "" } else { "number" };
        let _ = writeln!(html, "<div class=\"table\"><table{}>", attribute(self.layout, ""));
        if !self.caption.is_empty() {
            let _ = writeln!(html, "<caption>{}</caption>", escaped(&self.caption));
        }
        html.push_str("<thead><tr>");
        for (column, name) in self.header.iter().enumerate() {
            let _ = write!(html, "<th{}>{}</th>", attribute(class(column), ""), escaped(name));
        }
        html.push_str("</tr></thead>\n<tbody>\n");
        let mut group = None;
        for row in &self.rows {
            let first = row.first().map(|(text, _)| text);
            let is_break = self.is_grouped && group.is_some() && group != first;
            group = first;
            html.push_str(if is_break { "<tr class=\"break\">" } else { "<tr>" });
            for (column, (text, tone)) in row.iter().enumerate() {
                let attribute = attribute(class(column), tone.class());
                let _ = write!(html, "<td{attribute}>{}</td>", escaped(text));
            }
            html.push_str("</tr>\n");
        }
        html.push_str("</tbody></table></div>\n");
    }
}

impl Tone {
    pub(super) fn class(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Good => "good",
            Self::Bad => "bad",
            Self::Open => "open",
            Self::Faint => "faint",
        }
    }
}

fn attribute(one: &str, other: &str) -> String {
    match (one, other) {
        ("", "") => String::new(),
        (one, "") | ("", one) => format!(" class=\"{one}\""),
        (one, other) => format!(" class=\"{one} {other}\""),
    }
}
