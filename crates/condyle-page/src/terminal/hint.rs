//! What an option of the command line can do about an error or a note of the library.

use condyle::{Error, ErrorKind};

/// What to try, by how the message begins: the library says what was needed, this says how to ask for it.
const HINTS: &[(&str, &str)] = &[
    ("labels: ", "try --by motion, or say it in a file (--plan FILE)"),
    ("motion: need two groups", "record more movement, or say it in a file (--plan FILE)"),
    (
        "motion: need markers that were recorded",
        "condyle convert writes it in other formats, condyle plot draws it, --by motion looks for segments among its \
         joints all the same",
    ),
    ("columns: ", "name them with --columns, as in --columns A_x,A_y,A_z,A_qw,A_qx,A_qy,A_qz,..."),
    ("recording: ", "condyle info says what it holds"),
    ("markers: need some that are seen", "condyle info says more"),
    ("subject: need the performer", "fit it again, or use --anyway"),
    ("performer: ", "--performer takes one of them"),
    ("zero frame: ", "--zero-frame takes a position counted from 1"),
];

/// What to try about an error.
pub fn about(error: &Error) -> Option<&'static str> {
    let (ErrorKind::Undetermined(text) | ErrorKind::Argument(text)) = error.kind() else {
        return None;
    };
    HINTS.iter().find(|(start, _)| text.starts_with(start)).map(|(_, hint)| *hint)
}

/// What to try about a note, by its code.
pub fn about_note(code: &str) -> Option<&'static str> {
    Some(match code {
        "up" => "--up says better",
        "joints-undetermined" => "condyle fit, then --subject",
        _ => return None,
    })
}
