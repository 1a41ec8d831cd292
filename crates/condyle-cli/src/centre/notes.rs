//! What must not be overlooked in answers of `condyle centre`.

use condyle::centre::{Shortfall, Verdict};

use super::answer::Answer;
use crate::terminal::table::short;

/// A line for everything that is doubtful; methods with the same trouble share one.
pub fn of(answers: &[Answer]) -> Vec<String> {
    let mut notes: Vec<(String, Vec<&str>)> = Vec::new();
    for answer in answers {
        for text in doubts(answer) {
            match notes.iter_mut().find(|(known, _)| *known == text) {
                Some((_, methods)) => methods.push(answer.method),
                None => notes.push((text, vec![answer.method])),
            }
        }
    }
    let named = |(text, methods): (String, Vec<&str>)| {
        if methods.len() > 1 && methods.len() == answers.len() {
            return format!("all methods: {text}");
        }
        format!("{}: {text}", methods.join(", "))
    };
    notes.into_iter().map(named).collect()
}

fn doubts(answer: &Answer) -> Vec<String> {
    let mut doubts: Vec<String> = answer.error.iter().cloned().collect();
    if answer.verdict == Some(Verdict::Insufficient) {
        doubts.push(format!("{}: not to be trusted", why(answer)));
    }
    for marker in &answer.markers {
        let (label, agreement) = (&marker.label, &marker.agreement);
        if !agreement.is_round() {
            let (sigma, radius) = (short(agreement.sigma), short(agreement.radius));
            doubts.push(format!(
                "marker {label} is on no sphere about this centre: it strays by {sigma} from {radius}"
            ));
        } else if agreement.is_elsewhere() {
            let (off, errors) = (short(agreement.off), short(agreement.off_in_errors));
            doubts.push(format!(
                "marker {label} turns about another point, {off} from this centre or {errors} standard errors"
            ));
        }
    }
    doubts
}

/// Why an answer is insufficient.
pub fn why(answer: &Answer) -> &'static str {
    let is_circle = answer.shape == "circle";
    match answer.shortfall {
        Some(Shortfall::Samples) => "too few samples to check it",
        Some(Shortfall::Roundness) if is_circle => "the points are on no circle",
        Some(Shortfall::Roundness) => "the points are on no sphere",
        Some(Shortfall::Flatness) => "the points are in no plane, which a circle must",
        Some(Shortfall::Method) => "this method went astray where others do not",
        Some(Shortfall::SoftTissue) => "skin may displace it by more than a tenth of the radius",
        Some(Shortfall::Motion) => "too little motion for the noise, or too few samples",
        None => "the points do not determine it",
    }
}
