//! Lines on standard error, each exactly one line whatever a file's names hold.

use std::io::Write;

use anstyle::{AnsiColor, Style};
use condyle::trial::Note;

use super::hint;

const ERROR: Style = AnsiColor::Red.on_default().bold();
const NOTE: Style = AnsiColor::Cyan.on_default();

/// `error: …`
pub fn error(text: &str) {
    line(&format!("{ERROR}error:{ERROR:#}"), text);
}

/// `note: …`
pub fn note(text: &str) {
    line(&format!("{NOTE}note:{NOTE:#}"), text);
}

/// Notes of the library, each with what an option can do about it.
pub fn notes(notes: &[Note]) {
    notes.iter().for_each(|one| note(&in_words(one)));
}

/// A note in one line, with what an option can do about it.
pub fn in_words(note: &Note) -> String {
    match hint::about_note(&note.code) {
        Some(hint) => format!("{note} ({hint})"),
        None => note.to_string(),
    }
}

/// `wrote …`
pub fn wrote(text: &str) {
    line("wrote", text);
}

fn line(head: &str, text: &str) {
    // Where standard error is closed there is nobody left to tell.
    let _ = writeln!(anstream::stderr(), "{head} {}", printable(text));
}

/// The text with control characters escaped, so that a label cannot drive the terminal.
pub fn printable(text: &str) -> String {
    let is_plain = |c: char| !c.is_control();
    if text.chars().all(is_plain) {
        return text.to_owned();
    }
    text.chars()
        .map(|c| if is_plain(c) { c.to_string() } else { c.escape_default().to_string() })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_cannot_start_a_new_line_or_a_colour() {
        assert_eq!(printable("A\nB\u{1b}[31mé"), "A\\nB\\u{1b}[31mé");
    }
}
