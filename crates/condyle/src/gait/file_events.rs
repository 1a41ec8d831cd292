//! The events that a file itself has: foot strikes and offs, however they are spelt.

use super::{EventKind, GaitEvent, Side, Source};
use crate::trial::{Event, Trial};

/// The foot strikes and offs among a recording's events, of one performer where events say whose they are.
pub(super) fn read(trial: &Trial, performer: &str) -> Vec<GaitEvent> {
    let is_own = |event: &&Event| {
        event.subject.is_empty()
            || performer.is_empty()
            || event.subject.eq_ignore_ascii_case(performer)
    };
    let event = |event: &Event| {
        let (side, kind) = meaning(&event.label, &event.context)?;
        Some(GaitEvent { side, kind, time_s: event.time_s, source: Source::File, sd_s: sd_s(kind) })
    };
    let mut events: Vec<GaitEvent> = trial.events.iter().filter(is_own).filter_map(event).collect();
    events.sort_by(|a, b| a.time_s.total_cmp(&b.time_s));
    events.dedup_by(|a, b| a.side == b.side && a.kind == b.kind && a.time_s - b.time_s < SAME_S);
    events
}

/// How far the events of files are from the crossings of force plates: 36 pairs of eight public files
/// (median 2.7 and 8.3 ms, 95 % within 23 and 44 ms).
fn sd_s(kind: EventKind) -> f64 {
    match kind {
        EventKind::FootStrike => 0.012,
        EventKind::FootOff => 0.022,
    }
}

/// Two events of one foot and kind that are nearer are one.
const SAME_S: f64 = 0.005;

/// What a label and its context mean: `Foot Strike` and `Left`; `RHS`; `Right Toe Off`.
fn meaning(label: &str, context: &str) -> Option<(Side, EventKind)> {
    let text = format!("{context} {label}").to_lowercase();
    let words: Vec<&str> =
        text.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).collect();
    let short = words.iter().find_map(|word| match *word {
        "lhs" | "lfs" | "lic" | "lfc" => Some((Side::Left, EventKind::FootStrike)),
        "rhs" | "rfs" | "ric" | "rfc" => Some((Side::Right, EventKind::FootStrike)),
        "lto" | "lfo" => Some((Side::Left, EventKind::FootOff)),
        "rto" | "rfo" => Some((Side::Right, EventKind::FootOff)),
        _ => None,
    });
    let side = match words.iter().find(|word| ["left", "right", "l", "r"].contains(word)) {
        Some(word) if word.starts_with('l') => Side::Left,
        Some(_) => Side::Right,
        None => return short,
    };
    let has = |parts: &[&str]| parts.iter().any(|part| words.contains(part));
    if has(&["strike", "contact", "hs", "fs", "ic", "down"]) {
        Some((side, EventKind::FootStrike))
    } else if has(&["off", "to", "fo"]) {
        Some((side, EventKind::FootOff))
    } else {
        short
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_known_however_they_are_spelt() {
        use {EventKind::*, Side::*};
        for (label, context, means) in [
            ("Foot Strike", "Left", Some((Left, FootStrike))),
            ("Foot Off", "Right", Some((Right, FootOff))),
            ("RHS", "", Some((Right, FootStrike))),
            ("", "LTO", Some((Left, FootOff))),
            ("Right Toe Off", "", Some((Right, FootOff))),
            ("left heel strike", "General", Some((Left, FootStrike))),
            ("Event", "Left", None),
            ("Foot Strike", "General", None),
            ("STRT", "", None),
        ] {
            assert_eq!(meaning(label, context), means, "{label} {context}");
        }
    }
}
