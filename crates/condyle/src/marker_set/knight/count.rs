//! The first line of both files, and their keywords.

use crate::error::{Error, Result};
use crate::trial::Note;

/// Lines of a text that say something, with their numbers from 1. A line of dots, with which
/// printed examples leave something out, says nothing.
pub(super) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let says_something = |(_, line): &(usize, &str)| !line.trim_matches(['.', '…']).is_empty();
    text.lines().enumerate().map(|(index, line)| (index + 1, line.trim())).filter(says_something)
}

/// The number of `46 WANDS`.
pub(super) fn wands(line: &str) -> Option<usize> {
    let (number, word) = line.trim().split_once(char::is_whitespace)?;
    word.trim().eq_ignore_ascii_case("WANDS").then(|| number.parse().ok())?
}

/// What follows a keyword; empty if nothing does, `None` for another line.
pub(super) fn after<'a>(line: &'a str, keyword: &str) -> Option<&'a str> {
    let line = line.trim();
    let head = line.get(..keyword.len())?;
    let rest = &line[keyword.len()..];
    let is_whole = rest.is_empty() || rest.starts_with(char::is_whitespace);
    (head.eq_ignore_ascii_case(keyword) && is_whole).then(|| rest.trim())
}

/// Takes the first line, which must be a count.
pub(super) fn first<'a>(lines: &mut impl Iterator<Item = (usize, &'a str)>) -> Result<usize> {
    match lines.next() {
        Some((number, line)) => wands(line).ok_or_else(|| {
            Error::at_line(
                number,
                format!("need a count and WANDS, as in '51 WANDS', got '{line}'"),
            )
        }),
        None => Err(Error::at_line(1, "need a count and WANDS, got the end of the file")),
    }
}

/// Says so if there are not as many as the first line promises.
pub(super) fn note(declared: usize, found: usize) -> Option<Note> {
    (declared != found).then(|| {
        let text = format!("the first line promises {declared} markers, {found} follow");
        Note::new("plan-count", text)
    })
}
