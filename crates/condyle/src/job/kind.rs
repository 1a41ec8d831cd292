//! What a recording was taken for.

use super::{Performance, keypoints};

/// What a recording was taken for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RecordingKind {
    /// Markers on something that moves.
    Markers,
    /// Joints that cameras saw without markers.
    Keypoints,
    /// Bodies with poses of their own.
    Bodies,
}

impl RecordingKind {
    /// The name in small letters, which does not change.
    pub fn name(self) -> &'static str {
        match self {
            Self::Markers => "markers",
            Self::Keypoints => "keypoints",
            Self::Bodies => "bodies",
        }
    }
}

impl Performance {
    /// What the recording was taken for.
    pub fn kind(&self) -> RecordingKind {
        let mut subjects = self.performers.iter().map(|performer| &performer.subject);
        match subjects.next() {
            Some(first) if first.is_of_bodies() => RecordingKind::Bodies,
            Some(first) if keypoints::is_of_keypoints(first) => RecordingKind::Keypoints,
            _ => RecordingKind::Markers,
        }
    }
}
