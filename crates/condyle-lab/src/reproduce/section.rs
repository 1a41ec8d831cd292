//! What an experiment found, beside what the document says.

use serde::Serialize;

use condyle_page::page::{Chart, Table, Tone};

/// One experiment's part of the page.
#[derive(Debug, Default)]
pub struct Section {
    /// What was done, a paragraph each.
    pub text: Vec<String>,
    /// The document's figures beside ours.
    pub lines: Vec<Line>,
    /// Tables of our own.
    pub tables: Vec<Table>,
    /// Charts, each with a data file of its name.
    pub charts: Vec<Chart>,
    /// Further data files.
    pub data: Vec<Data>,
}

/// One figure of the document, or one thing wanted, beside ours.
#[derive(Debug, Clone, Serialize)]
pub struct Line {
    /// What it is.
    pub what: String,
    /// Where the document says it: equation, figure or page.
    pub source: String,
    /// As the document has it.
    pub document: String,
    /// As we have it.
    pub ours: String,
    /// What to think of it.
    pub verdict: Verdict,
    /// Why, where that needs saying.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub why: String,
}

/// So many standard errors beyond a limit are no chance, among a hundred figures.
pub const BEYOND_CHANCE: f64 = 3.0;

/// What to think of a figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Ours is the document's.
    Reproduced,
    /// Ours is another.
    NotReproduced,
    /// What is printed is wrong, and the correction holds.
    Corrected,
    /// What we want of our own methods holds.
    Holds,
    /// It does not.
    Fails,
    /// Too few trials to tell.
    Undecided,
}

impl Verdict {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Reproduced => "reproduced",
            Self::NotReproduced => "not reproduced",
            Self::Corrected => "misprint corrected",
            Self::Holds => "holds",
            Self::Fails => "fails",
            Self::Undecided => "undecided",
        }
    }

    /// How it sounds on the page.
    pub fn tone(self) -> Tone {
        match self {
            Self::Reproduced | Self::Holds | Self::Corrected => Tone::Good,
            Self::NotReproduced | Self::Fails => Tone::Bad,
            Self::Undecided => Tone::Open,
        }
    }
}

impl Line {
    /// A figure, and where the document says it; not decided yet.
    pub fn new(what: impl Into<String>, source: impl Into<String>) -> Self {
        let (what, source) = (what.into(), source.into());
        let [document, ours, why] = [const { String::new() }; 3];
        Self { what, source, document, ours, verdict: Verdict::Undecided, why }
    }

    /// As the document has it, and as we do.
    pub fn compare(self, document: impl Into<String>, ours: impl Into<String>) -> Self {
        Self { document: document.into(), ours: ours.into(), ..self }
    }

    /// The same, made together.
    pub fn texts(self, [document, ours]: [String; 2]) -> Self {
        Self { document, ours, ..self }
    }

    /// What to think of it.
    pub fn verdict(self, verdict: Verdict) -> Self {
        Self { verdict, ..self }
    }

    /// Reproduced or not.
    pub fn reproduced(self, is_so: bool) -> Self {
        self.verdict(if is_so { Verdict::Reproduced } else { Verdict::NotReproduced })
    }

    /// A misprint whose correction is confirmed, or is not.
    pub fn corrected(self, is_so: bool) -> Self {
        self.verdict(if is_so { Verdict::Corrected } else { Verdict::NotReproduced })
    }

    /// Whether what we want holds.
    pub fn holds(self, is_so: bool) -> Self {
        self.verdict(if is_so { Verdict::Holds } else { Verdict::Fails })
    }

    /// What we want, exceeded by so much with such a standard error: what chance may do decides
    /// nothing.
    pub fn wanted(self, excess: f64, error: f64) -> Self {
        self.verdict(match excess {
            excess if excess <= 0.0 => Verdict::Holds,
            excess if excess <= BEYOND_CHANCE * error => Verdict::Undecided,
            _ => Verdict::Fails,
        })
    }

    /// The same with a reason.
    pub fn because(self, why: impl Into<String>) -> Self {
        Self { why: why.into(), ..self }
    }
}

/// A table for programs.
#[derive(Debug, Clone)]
pub struct Data {
    /// The file's name, without extension.
    pub name: &'static str,
    /// The names of the columns.
    pub header: Vec<String>,
    /// The cells.
    pub rows: Vec<Vec<String>>,
}

impl Data {
    /// Rows under the names of columns, which are separated by blanks.
    pub fn new(name: &'static str, header: &str, rows: Vec<Vec<String>>) -> Self {
        Self { name, header: header.split(' ').map(str::to_owned).collect(), rows }
    }

    /// As CSV; cells are quoted where they need it.
    pub fn csv(&self) -> String {
        let mut text = String::new();
        for row in std::iter::once(&self.header).chain(&self.rows) {
            let cells: Vec<String> = row.iter().map(|cell| quoted(cell)).collect();
            text.push_str(&cells.join(","));
            text.push('\n');
        }
        text
    }
}

impl From<&Chart> for Data {
    fn from(chart: &Chart) -> Self {
        let (header, rows) = chart.rows();
        Self { name: chart.name, header, rows }
    }
}

fn quoted(cell: &str) -> String {
    match cell.contains([',', '"', '\n']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_with_commas_are_quoted() {
        let header = vec!["a".to_owned(), "b".to_owned()];
        let rows = vec![vec!["1,2".to_owned(), "say \"x\"".to_owned()]];
        let data = Data { name: "a", header, rows };
        assert_eq!(data.csv(), "a,b\n\"1,2\",\"say \"\"x\"\"\"\n");
    }
}
