//! When the samples of a Vicon `Devices` section were taken: frames, each with several sub-frames.

use std::borrow::Cow;

use crate::format::text;
use crate::trial::Note;

use super::cells;

/// Where the samples of a section start, against the first frame of the recording.
#[derive(Debug, Default)]
pub(super) struct DeviceStart {
    first_frame: i64,
    /// The frame and sub-frame of the first sample.
    first: Option<(i64, i64)>,
    /// How many samples come before the first frame.
    early: usize,
    least_sub: i64,
    most_sub: i64,
}

impl DeviceStart {
    /// Reads frame and sub-frame of every line that has a number in it.
    pub fn read<'a>(
        lines: impl Iterator<Item = &'a str>,
        delimiter: char,
        first_frame: i64,
    ) -> Self {
        let mut start =
            Self { first_frame, least_sub: i64::MAX, most_sub: i64::MIN, ..Self::default() };
        let mut is_early = true;
        let mut row: Vec<Cow<str>> = Vec::new();
        for line in lines.filter(|line| !line.trim().is_empty()) {
            cells::split(line, delimiter, &mut row);
            if !row.iter().any(|cell| text::number(cell).is_some()) {
                continue;
            }
            // A cast saturates, so a silly number stays a number.
            let number = |at: usize| Some(text::number(row.get(at)?)?.round() as i64);
            let (frame, sub) = (number(0).unwrap_or(first_frame), number(1).unwrap_or(0));
            start.first.get_or_insert((frame, sub));
            start.least_sub = start.least_sub.min(sub);
            start.most_sub = start.most_sub.max(sub);
            is_early &= frame < first_frame;
            start.early += usize::from(is_early);
        }
        start
    }

    /// How many samples from the first frame on are missing.
    pub fn missing(&self) -> usize {
        let Some((frame, sub)) = self.first.filter(|_| self.early == 0) else { return 0 };
        let in_a_frame = self.most_sub.saturating_sub(self.least_sub).saturating_add(1);
        let in_frames = frame.saturating_sub(self.first_frame).saturating_mul(in_a_frame);
        let missing = in_frames.saturating_add(sub.saturating_sub(self.least_sub));
        usize::try_from(missing).unwrap_or(0)
    }

    /// Makes samples start with the first frame: leaves out those before it, or puts NaN there.
    pub fn align(&self, samples: &mut Vec<f64>) {
        samples.drain(..self.early.min(samples.len()));
        samples.splice(..0, std::iter::repeat_n(f64::NAN, self.missing()));
    }

    /// What [`DeviceStart::align`] does, if anything.
    pub fn note(&self) -> Option<Note> {
        match (self.early, self.missing()) {
            (0, 0) => None,
            (0, missing) => Some(self.differ(&format!("{missing} samples before are NaN"))),
            (early, _) => Some(self.differ(&format!("the first {early} samples are left out"))),
        }
    }

    /// A note that the starts differ, and what was done about it.
    pub fn differ(&self, done: &str) -> Note {
        let (frame, sub) = self.first.unwrap_or_default();
        let text = format!(
            "the devices start at frame {frame}, sub-frame {sub}, the other sections at frame {}: {done}",
            self.first_frame
        );
        Note::new("sections-differ", text)
    }
}
