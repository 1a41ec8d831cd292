//! Labels that change places in the middle of a recording, exchanged back before anything is solved.

use std::borrow::Cow;

use condyle::Trial;
use condyle::grouping::exchange;
use condyle::plan::Performer;
use condyle::subject::Subject;

/// The recording with its labels where they belong, and what was done about them.
pub fn undone<'a>(trial: &'a Trial, segments: &[Vec<usize>]) -> (Cow<'a, Trial>, Vec<String>) {
    let markers: Vec<usize> = segments.iter().flatten().copied().collect();
    let found = exchange::find(trial, &markers);
    if found.is_empty() {
        return (Cow::Borrowed(trial), Vec::new());
    }
    let mut straight = trial.clone();
    let undone = exchange::undo(&mut straight, &found, segments);
    let name = |marker: usize| trial.markers[marker].label.as_str();
    let notes = found.iter().zip(undone).map(|(exchange, is_undone)| {
        let [a, b] = exchange.markers.map(name);
        let what = if is_undone {
            "exchanged back"
        } else {
            "left as they are, the distances to their neighbours do not tell"
        };
        format!(
            "labels-exchanged: {a} and {b} change places at frame {}: {what}",
            exchange.frame + 1
        )
    });
    (Cow::Owned(straight), notes.collect())
}

/// The markers of every segment of performers.
pub fn segments_of(performers: &[&Performer], trial: &Trial) -> Vec<Vec<usize>> {
    let segments = performers.iter().flat_map(|performer| &performer.segments);
    let known = |marker: &usize| *marker < trial.markers.len();
    segments.map(|segment| segment.markers.iter().copied().filter(known).collect()).collect()
}

/// The markers of every segment of a subject, those that the recording has.
pub fn segments_of_subject(subject: &Subject, trial: &Trial) -> Vec<Vec<usize>> {
    let labels = trial.labels();
    let Ok(columns) = condyle::solve::columns(subject, &labels) else { return Vec::new() };
    let mut columns = columns.into_iter();
    let of = |count: usize| columns.by_ref().take(count).flatten().collect();
    subject.segments.iter().map(|segment| segment.markers.len()).map(of).collect()
}
