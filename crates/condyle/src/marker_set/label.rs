//! Labels as people type them, brought to one spelling, and the patterns that tables match them by.

/// Which side of the body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// Its own left.
    Left,
    /// Its own right.
    Right,
    /// The middle of the body, or a limb whose label does not say.
    Unsaid,
}

impl Side {
    /// `L` or `R`; nothing if unsaid.
    pub(super) fn letter(self) -> &'static str {
        match self {
            Self::Left => "L",
            Self::Right => "R",
            Self::Unsaid => "",
        }
    }
}

/// Splits a label at its last colon into the performer's prefix and the name of the marker.
///
/// `JOE:RTHI` and `JOE::RTHI` give `JOE` and `RTHI`; a label without a colon has an empty prefix.
pub(super) fn split(label: &str) -> (&str, &str) {
    match label.rsplit_once(':') {
        Some((prefix, name)) => (prefix.trim_end_matches(':').trim(), name.trim()),
        None => ("", label.trim()),
    }
}

/// A name in the spelling of the tables: capitals and digits only, the side as one letter in front.
///
/// `R.Knee.Med`, `r_knee_med` and `RightKneeMed` are `RKNEEMED`; `knee_left` is `LKNEE`. A number
/// after a dash at the end is dropped: it is how a second trajectory of one label is told apart.
pub(super) fn normal(name: &str) -> String {
    let name = match name.rsplit_once('-') {
        Some((head, tail)) if !tail.is_empty() && tail.bytes().all(|b| b.is_ascii_digit()) => head,
        _ => name,
    };
    let mut words: Vec<String> = name
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_uppercase)
        .collect();
    let is_side = |word: &str| matches!(word, "L" | "R" | "LEFT" | "RIGHT");
    if words.len() > 1 && is_side(&words[words.len() - 1]) && !is_side(&words[0]) {
        words.rotate_right(1);
    }
    let word = words.concat();
    for (long, letter) in [("LEFT", 'L'), ("RIGHT", 'R')] {
        let rest = word.strip_prefix(long).or_else(|| word.strip_suffix(long));
        if let Some(rest) = rest.filter(|rest| !rest.is_empty()) {
            return format!("{letter}{rest}");
        }
    }
    word
}

/// Whether a word in normal spelling fits a pattern, and which side it says.
///
/// In a pattern `?` is the side (`L` or `R`), `#` a number, and `*` at the end anything at all.
pub(super) fn fit(pattern: &str, word: &str) -> Option<Side> {
    fit_from(pattern.as_bytes(), word.as_bytes(), Side::Unsaid, false)
}

/// As [`fit`], but a word may leave its side out.
pub(super) fn fit_unsided(pattern: &str, word: &str) -> Option<Side> {
    fit_from(pattern.as_bytes(), word.as_bytes(), Side::Unsaid, true)
}

fn fit_from(pattern: &[u8], word: &[u8], side: Side, may_skip: bool) -> Option<Side> {
    let Some((head, rest)) = pattern.split_first() else {
        return word.is_empty().then_some(side);
    };
    match (head, word.first()) {
        (b'*', _) => Some(side),
        (b'?', Some(b'L')) if !may_skip => fit_from(rest, &word[1..], Side::Left, may_skip),
        (b'?', Some(b'R')) if !may_skip => fit_from(rest, &word[1..], Side::Right, may_skip),
        (b'?', _) if may_skip => fit_from(rest, word, side, may_skip),
        (b'#', Some(_)) => {
            let digits = word.iter().take_while(|byte| byte.is_ascii_digit()).count();
            if digits == 0 { None } else { fit_from(rest, &word[digits..], side, may_skip) }
        }
        (letter, Some(other)) if letter == other => fit_from(rest, &word[1..], side, may_skip),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_spelling_for_all() {
        for (label, word) in [
            ("RKNE", "RKNE"),
            ("r knee 1", "RKNEE1"),
            ("R.Knee.Med", "RKNEEMED"),
            ("L_TH1", "LTH1"),
            ("RightHipCenter", "RHIPCENTER"),
            ("knee_left", "LKNEE"),
            ("BackRight", "RBACK"),
            ("toe.r", "RTOE"),
            ("RBAC-1", "RBAC"),
            ("L.Post.Fem.", "LPOSTFEM"),
            ("Left", "LEFT"),
            ("#", ""),
        ] {
            assert_eq!(normal(label), word, "{label}");
        }
    }

    #[test]
    fn splits_at_the_last_colon() {
        assert_eq!(split("JOE::RTHI"), ("JOE", "RTHI"));
        assert_eq!(split("lab:JOE:RTHI"), ("lab:JOE", "RTHI"));
        assert_eq!(split("RTHI"), ("", "RTHI"));
        assert_eq!(split(":RTHI"), ("", "RTHI"));
    }

    #[test]
    fn patterns_know_sides_numbers_and_open_ends() {
        assert_eq!(fit("?TH#", "RTH12"), Some(Side::Right));
        assert_eq!(fit("?TH#", "RTH"), None);
        assert_eq!(fit("?TH#", "TH1"), None);
        assert_eq!(fit("SCAPULA?#", "SCAPULAL3"), Some(Side::Left));
        assert_eq!(fit("?THIGH*", "LTHIGHUPPERC"), Some(Side::Left));
        assert_eq!(fit("C7", "C7"), Some(Side::Unsaid));
        assert_eq!(fit_unsided("?THIGH", "THIGH"), Some(Side::Unsaid));
        assert_eq!(fit_unsided("?THIGH", "LTHIGH"), None);
    }
}
