//! What an option of the command line can do about an error or a note of the library.

use condyle::Error;

/// What to try about an error: the library says what was needed, this says how to ask for it.
pub fn about(error: &Error) -> Option<&'static str> {
    Some(match error.code()? {
        "labels-unknown" => "try --by motion, or say it in a file (--plan FILE)",
        "nothing-moves" => "record more movement, or say it in a file (--plan FILE)",
        "already-solved" => {
            "condyle convert writes it in other formats, condyle plot draws it, --by motion looks for segments among \
             its joints all the same"
        }
        "columns-unnamed" => {
            "name them with --columns, as in --columns A_x,A_y,A_z,A_qw,A_qx,A_qy,A_qz,..."
        }
        "nothing-recorded" => "condyle info says what it holds",
        "markers-unseen" => "condyle info says more",
        "another-performer" => "fit it again, or use --anyway",
        "subject-does-not-fit" => "--anyway gives its labels as suggestions",
        "performer-unknown" => "--performer takes one of them",
        "zero-frame" => "--zero-frame takes a position counted from 1",
        "asf-missing" => "--skeleton FILE names one",
        "set-missing" => "--set mediapipe says it",
        "rate-missing" => "--rate HZ says it",
        "rate-unknown" => "--assume-rate says it",
        "no-skeleton" => "condyle run does",
        "not-a-subject" => "condyle fit writes one",
        _ => return None,
    })
}

/// What to try about a note, by its code.
pub fn about_note(code: &str) -> Option<&'static str> {
    Some(match code {
        "up" => "--up says better",
        "units" | "unit-assumed" => "--units says better",
        "rate-unknown" => "--assume-rate says it",
        "all-invalid" => "--keep-invalid keeps them",
        "unknown-layout" => "--columns names them",
        "joints-undetermined" => "condyle fit, then --subject",
        "all-sides-exchanged" => "--left-handed if its axes are",
        "unlabelled-markers" => "condyle label names them from a subject",
        _ => return None,
    })
}
