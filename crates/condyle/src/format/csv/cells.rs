//! Lines of a CSV file as cells: which delimiter, and quotes.

use std::borrow::Cow;

use crate::format::table::MAX_COLUMNS;

/// The delimiter of a file: the candidate on most of its first lines.
///
/// Of equals a semicolon or a tab wins over a comma, which may be the decimal sign.
pub(super) fn delimiter(text: &str) -> char {
    const LOOKED_AT: usize = 50;
    let lines = || text.lines().filter(|line| !line.trim().is_empty()).take(LOOKED_AT);
    let on_lines = |candidate| lines().filter(|line| has_unquoted(line, candidate)).count();
    let mut best = (',', on_lines(','));
    for candidate in ['\t', ';'] {
        let count = on_lines(candidate);
        if count > 0 && count >= best.1 {
            best = (candidate, count);
        }
    }
    best.0
}

/// Whether a character stands on a line outside quotes.
fn has_unquoted(line: &str, wanted: char) -> bool {
    line.split('"').step_by(2).any(|outside| outside.contains(wanted))
}

/// Splits a line into cells; reuses `cells`, and stops beyond [`MAX_COLUMNS`].
///
/// A cell in quotes keeps its blanks and may hold the delimiter; any other is trimmed.
pub(super) fn split<'a>(line: &'a str, delimiter: char, cells: &mut Vec<Cow<'a, str>>) {
    cells.clear();
    if !line.contains('"') {
        let plain = line.split(delimiter).take(MAX_COLUMNS + 1);
        cells.extend(plain.map(|cell| Cow::Borrowed(cell.trim())));
        return;
    }
    let mut rest = line;
    while cells.len() <= MAX_COLUMNS {
        let quoted = rest.trim_start_matches(' ').strip_prefix('"').and_then(unquote);
        let (cell, after) = match quoted {
            // Whatever stands between the closing quote and the delimiter is dropped.
            Some((cell, after)) => (cell, &after[after.find(delimiter).unwrap_or(after.len())..]),
            None => {
                let end = rest.find(delimiter).unwrap_or(rest.len());
                (Cow::Borrowed(rest[..end].trim()), &rest[end..])
            }
        };
        cells.push(cell);
        match after.strip_prefix(delimiter) {
            Some(next) => rest = next,
            None => break,
        }
    }
}

/// The text up to the closing quote, and what follows it; `None` if the quote never closes.
fn unquote(text: &str) -> Option<(Cow<'_, str>, &str)> {
    let mut from = 0;
    loop {
        let quote = from + text[from..].find('"')?;
        if text[quote + 1..].starts_with('"') {
            from = quote + 2;
            continue;
        }
        let inside = &text[..quote];
        let cell = if inside.contains('"') {
            Cow::Owned(inside.replace("\"\"", "\""))
        } else {
            Cow::Borrowed(inside)
        };
        return Some((cell, &text[quote + 1..]));
    }
}

/// The cells of one line, for headers.
pub(super) fn split_owned(line: &str, delimiter: char) -> Vec<String> {
    let mut cells = Vec::new();
    split(line, delimiter, &mut cells);
    cells.into_iter().map(Cow::into_owned).collect()
}

/// Whether a spreadsheet would take a cell for a formula, but for apostrophes before it.
fn is_formula(cell: &str) -> bool {
    cell.trim_start_matches('\'').starts_with(['=', '+', '-', '@'])
}

/// Writes the name of a column: what a spreadsheet would reckon out has an apostrophe before it.
pub(super) fn push_name(out: &mut String, name: &str) {
    match is_formula(name) {
        true => push_quoted(out, &format!("'{name}")),
        false => push_quoted(out, name),
    }
}

/// The name of a column without the apostrophe of [`push_name`].
pub(super) fn name(cell: &str) -> &str {
    cell.strip_prefix('\'').filter(|name| is_formula(name)).unwrap_or(cell)
}

/// Writes a cell, in quotes where it would not read back as itself without.
pub(super) fn push_quoted(out: &mut String, cell: &str) {
    let plain = !cell.contains([',', ';', '\t', '"']) && cell.trim() == cell;
    if plain {
        out.push_str(cell);
    } else {
        out.push('"');
        out.push_str(&cell.replace('"', "\"\""));
        out.push('"');
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn no_name_is_a_formula_and_every_name_is_read_back() {
        for label in ["=1+1", "+A", "-A", "@A", "'=A", "''@A", "'A", "A=1", "=\"A\",B"] {
            let mut line = String::new();
            push_name(&mut line, label);
            assert!(!line.trim_matches('"').starts_with(['=', '+', '-', '@']), "{line}");
            assert_eq!(name(&split_owned(&line, ',')[0]), label);
        }
    }

    #[test]
    fn finds_the_delimiter() {
        assert_eq!(delimiter("a,b\n1,2\n"), ',');
        assert_eq!(delimiter("a;b\n1,5;2,5\n"), ';');
        assert_eq!(delimiter("a\tb\n1,5\t2,5\n"), '\t');
        assert_eq!(delimiter("Trajectories\n100\na,b;c\n1,2\n"), ',');
        assert_eq!(delimiter("frame,\"a;_x\",\"a;_y\"\n"), ',');
    }

    #[test]
    fn keeps_quoted_delimiters_and_literal_quotes() {
        assert_eq!(split_owned(r#"a, "b,""c""" ,5" d,"#, ','), ["a", "b,\"c\"", "5\" d", ""]);
        assert_eq!(split_owned(r#""open,b"#, ','), ["\"open", "b"]);
    }

    proptest! {
        #[test]
        fn a_quoted_cell_reads_back_as_itself(cell in "[a-c,;\t\" ]{0,8}") {
            let mut line = String::from("x,");
            push_quoted(&mut line, &cell);
            line.push_str(",y");
            prop_assert_eq!(split_owned(&line, ','), ["x", cell.as_str(), "y"]);
        }
    }
}
