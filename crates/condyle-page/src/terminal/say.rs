//! Lines on standard error, each exactly one line whatever a file's names hold.

use std::borrow::Cow;
use std::io::Write;

use anstyle::{AnsiColor, Style};
use condyle::trial::Note;

use super::hint;

const ERROR: Style = AnsiColor::Red.on_default().bold();
const NOTE: Style = AnsiColor::Cyan.on_default();

/// Characters of a line at most: labels and paths may be of any length.
const LINE_CHARS: usize = 280;
/// How many of them are from the end, where the advice stands.
const END_CHARS: usize = 80;
/// Notes that are said one by one; a file may have one for each of its markers.
const NOTES_AT_ONCE: usize = 20;

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
    notes.iter().take(NOTES_AT_ONCE).for_each(|one| note(&in_words(one)));
    if let Some(more) = notes.len().checked_sub(NOTES_AT_ONCE).filter(|more| *more > 0) {
        note(&format!("{more} more notes: --json and the report have all of them"));
    }
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
    let _ = writeln!(anstream::stderr(), "{head} {}", shortened(&printable(text)));
}

/// The beginning and the end of a text that is too long for a line.
fn shortened(text: &str) -> Cow<'_, str> {
    let chars = text.chars().count();
    if chars <= LINE_CHARS {
        return Cow::Borrowed(text);
    }
    let head: String = text.chars().take(LINE_CHARS - END_CHARS - 3).collect();
    let tail: String = text.chars().skip(chars - END_CHARS).collect();
    Cow::Owned(format!("{head} … {tail}"))
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
    fn a_line_is_short_however_long_a_label_is() {
        let text = format!("{}: need a number, got 'x'", "é".repeat(100_000));
        let line = shortened(&text);
        assert_eq!(line.chars().count(), LINE_CHARS);
        assert!(line.ends_with(": need a number, got 'x'") && line.contains(" … "));
        assert_eq!(shortened("short"), "short");
    }

    #[test]
    fn a_label_cannot_start_a_new_line_or_a_colour() {
        assert_eq!(printable("A\nB\u{1b}[31mé"), "A\\nB\\u{1b}[31mé");
    }
}
