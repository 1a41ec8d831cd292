//! Which of a recording's markers are the subject's.

use crate::error::{Error, Result};
use crate::subject::Subject;

/// For every marker of the subject, segment by segment, its place among the labels.
///
/// With the subject's own prefix first; then without any prefix, if that is unambiguous.
///
/// # Errors
/// Fewer than half of the subject's markers are there, or none.
pub fn columns(subject: &Subject, labels: &[&str]) -> Result<Vec<Option<usize>>> {
    let bare =
        |label: &str| -> String { label.rsplit(':').next().unwrap_or(label).to_ascii_uppercase() };
    let bare_labels: Vec<String> = labels.iter().map(|label| bare(label)).collect();
    let column = |own: &str| {
        let prefixed = format!("{}:{own}", subject.name);
        let exact = labels.iter().position(|label| *label == prefixed);
        exact.or_else(|| labels.iter().position(|label| *label == own)).or_else(|| {
            let wanted = bare(own);
            let mut found = bare_labels.iter().enumerate().filter(|(_, label)| **label == wanted);
            let first = found.next()?;
            found.next().is_none().then_some(first.0)
        })
    };
    let markers = subject.segments.iter().flat_map(|segment| &segment.markers);
    let columns: Vec<Option<usize>> = markers.clone().map(|marker| column(&marker.label)).collect();
    let found = columns.iter().flatten().count();
    if 2 * found < columns.len() || found == 0 {
        let lost = markers.zip(&columns).find(|(_, column)| column.is_none());
        let lost = lost.map_or("", |(marker, _)| marker.label.as_str());
        return Err(Error::argument(format!(
            "markers: need those of the subject, got {found} of {} ('{lost}' is not there): \
             is it another performer or another marker set?",
            columns.len()
        )));
    }
    Ok(columns)
}
