//! A named moment in a trial.

/// Something that happened at a time: a foot strike, a trigger, a comment.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Event {
    /// What happened: `Foot Strike`.
    pub label: String,
    /// On which side or of what kind: `Left`, `Right`, `General`; empty if not said.
    pub context: String,
    /// Whom it concerns; empty if not said.
    pub subject: String,
    /// When, in seconds, on the same clock as [`Trial::time_s`](super::Trial::time_s).
    pub time_s: f64,
}

impl Event {
    /// An event of which nothing more is known.
    pub fn new(label: impl Into<String>, time_s: f64) -> Self {
        Self { label: label.into(), time_s, ..Self::default() }
    }
}
