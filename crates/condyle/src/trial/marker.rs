//! One marker: a point followed through the frames of a trial.

use nalgebra::Point3;

/// Where a sample's position came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(u8)]
pub enum Origin {
    /// No position in this frame.
    #[default]
    Missing,
    /// Seen by the recording system.
    Measured,
    /// Interpolated between measured samples on both sides.
    Filled,
    /// Predicted from the past alone.
    Predicted,
}

impl Origin {
    /// Whether there is a position at all.
    pub fn is_present(self) -> bool {
        self != Self::Missing
    }
}

/// A point trajectory: one position per frame, each with its origin.
///
/// Coordinates are contiguous per axis so that estimators stream through memory. Where the origin
/// is [`Origin::Missing`] the stored coordinates are zero and mean nothing; [`Marker::position_m`]
/// never returns them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Marker {
    /// The label as the file spells it, with its subject prefix: `JOE:RTHI`.
    pub label: String,
    /// Free text that came with the label.
    pub description: String,
    pub(crate) x_m: Vec<f64>,
    pub(crate) y_m: Vec<f64>,
    pub(crate) z_m: Vec<f64>,
    pub(crate) origin: Vec<Origin>,
    pub(crate) residual_m: Vec<f32>,
    pub(crate) cameras: Vec<u8>,
}

impl Marker {
    /// A marker with every sample missing.
    pub fn all_missing(label: impl Into<String>, frames: usize) -> Self {
        Self {
            label: label.into(),
            x_m: vec![0.0; frames],
            y_m: vec![0.0; frames],
            z_m: vec![0.0; frames],
            origin: vec![Origin::Missing; frames],
            ..Self::default()
        }
    }

    /// A marker from one optional position per frame, present ones counted as measured.
    pub fn from_positions(
        label: impl Into<String>,
        positions_m: impl IntoIterator<Item = Option<Point3<f64>>>,
    ) -> Self {
        let mut marker = Self { label: label.into(), ..Self::default() };
        for position_m in positions_m {
            marker.push(position_m);
        }
        marker
    }

    /// Appends one frame, measured if there is a finite position and missing if not.
    pub fn push(&mut self, position_m: Option<Point3<f64>>) {
        let position_m = position_m.filter(is_finite);
        let p = position_m.unwrap_or_default();
        self.x_m.push(p.x);
        self.y_m.push(p.y);
        self.z_m.push(p.z);
        self.origin.push(if position_m.is_some() { Origin::Measured } else { Origin::Missing });
        if !self.residual_m.is_empty() {
            self.residual_m.push(0.0);
        }
        if !self.cameras.is_empty() {
            self.cameras.push(0);
        }
    }

    /// Gives every array `frames` entries, whatever they hold, for a reader that fills them all.
    pub(crate) fn resize(&mut self, frames: usize) {
        resize(&mut self.x_m, frames);
        resize(&mut self.y_m, frames);
        resize(&mut self.z_m, frames);
        resize(&mut self.residual_m, frames);
        resize(&mut self.cameras, frames);
        self.origin.resize(frames, Origin::Missing);
    }

    /// Makes room for more frames, exactly, so that readers take no more memory than they need.
    pub(crate) fn reserve(&mut self, frames: usize) {
        self.x_m.reserve_exact(frames);
        self.y_m.reserve_exact(frames);
        self.z_m.reserve_exact(frames);
        self.origin.reserve_exact(frames);
    }

    /// How many frames there are.
    pub fn frames(&self) -> usize {
        self.origin.len()
    }

    /// The position in a frame, in metres, or `None` where it is missing or there is no such frame.
    pub fn position_m(&self, frame: usize) -> Option<Point3<f64>> {
        self.origin(frame)
            .is_present()
            .then(|| Point3::new(self.x_m[frame], self.y_m[frame], self.z_m[frame]))
    }

    /// Where the sample of a frame came from; missing beyond the last frame.
    pub fn origin(&self, frame: usize) -> Origin {
        self.origin.get(frame).copied().unwrap_or_default()
    }

    /// Replaces the sample of a frame; a position that is not finite becomes missing.
    ///
    /// Does nothing beyond the last frame.
    pub fn set(&mut self, frame: usize, position_m: Option<Point3<f64>>, origin: Origin) {
        if frame >= self.frames() {
            return;
        }
        let position_m = position_m.filter(is_finite).filter(|_| origin.is_present());
        let p = position_m.unwrap_or_default();
        (self.x_m[frame], self.y_m[frame], self.z_m[frame]) = (p.x, p.y, p.z);
        self.origin[frame] = if position_m.is_some() { origin } else { Origin::Missing };
        if position_m.is_none() {
            if let Some(residual_m) = self.residual_m.get_mut(frame) {
                *residual_m = 0.0;
            }
            if let Some(cameras) = self.cameras.get_mut(frame) {
                *cameras = 0;
            }
        }
    }

    /// The three coordinates of every frame in metres, one contiguous slice per axis.
    ///
    /// Entries whose origin is missing are zero and mean nothing: look at [`Marker::origins`].
    pub fn coordinates_m(&self) -> [&[f64]; 3] {
        [&self.x_m, &self.y_m, &self.z_m]
    }

    /// The origin of every frame's sample.
    pub fn origins(&self) -> &[Origin] {
        &self.origin
    }

    /// The reconstruction residual of a frame in metres, where the file recorded one.
    pub fn residual_m(&self, frame: usize) -> Option<f32> {
        self.residual_m.get(frame).copied().filter(|_| self.origin(frame).is_present())
    }

    /// Which of up to seven cameras saw the marker in a frame, one bit each, where recorded.
    pub fn cameras(&self, frame: usize) -> Option<u8> {
        self.cameras.get(frame).copied().filter(|_| self.origin(frame).is_present())
    }

    /// Records a residual and a camera mask for a frame that has a position.
    pub fn set_quality(&mut self, frame: usize, residual_m: f32, cameras: u8) {
        if !self.origin(frame).is_present() {
            return;
        }
        if self.residual_m.is_empty() && residual_m != 0.0 {
            self.residual_m = vec![0.0; self.frames()];
        }
        if self.cameras.is_empty() && cameras != 0 {
            self.cameras = vec![0; self.frames()];
        }
        if let Some(slot) = self.residual_m.get_mut(frame) {
            *slot = residual_m;
        }
        if let Some(slot) = self.cameras.get_mut(frame) {
            *slot = cameras;
        }
    }

    /// The label without its subject prefix: `RTHI` of `JOE:RTHI`.
    pub fn name(&self) -> &str {
        split_prefix(&self.label).1
    }

    /// The subject prefix: `JOE` of `JOE:RTHI`.
    pub fn subject(&self) -> Option<&str> {
        split_prefix(&self.label).0
    }

    /// Whether the recording system left the trajectory without a name (`*12`, or empty).
    pub fn is_unlabelled(&self) -> bool {
        let name = self.name();
        name.is_empty() || name.starts_with('*')
    }

    /// How many samples are missing.
    pub fn missing_samples(&self) -> usize {
        self.origin.iter().filter(|origin| !origin.is_present()).count()
    }

    /// The stretches of missing samples as half-open frame ranges, in order.
    pub fn gaps(&self) -> Vec<std::ops::Range<usize>> {
        let mut gaps = Vec::new();
        let mut start = None;
        for (frame, origin) in self.origin.iter().enumerate() {
            match (origin.is_present(), start) {
                (false, None) => start = Some(frame),
                (true, Some(first)) => {
                    gaps.push(first..frame);
                    start = None;
                }
                _ => {}
            }
        }
        gaps.extend(start.map(|first| first..self.frames()));
        gaps
    }
}

/// Like [`Vec::resize`], but new memory comes zeroed from the system instead of being written.
fn resize<T: Clone + Default>(values: &mut Vec<T>, length: usize) {
    if values.capacity() < length {
        *values = vec![T::default(); length];
    } else {
        values.resize(length, T::default());
    }
}

fn split_prefix(label: &str) -> (Option<&str>, &str) {
    match label.split_once(':') {
        Some((subject, name)) => (Some(subject).filter(|subject| !subject.is_empty()), name),
        None => (None, label),
    }
}

fn is_finite(p: &Point3<f64>) -> bool {
    p.x.is_finite() && p.y.is_finite() && p.z.is_finite()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(pattern: &str) -> Marker {
        let at = |c| (c == 'x').then(|| Point3::new(1.0, 2.0, 3.0));
        Marker::from_positions("JOE:RTHI", pattern.chars().map(at))
    }

    #[test]
    fn finds_gaps_at_the_start_inside_and_at_the_end() {
        assert_eq!(seen("..x.xx..").gaps(), [0..2, 3..4, 6..8]);
        assert!(seen("xxx").gaps().is_empty());
    }

    #[test]
    fn splits_subject_from_name() {
        let marker = seen("x");
        assert_eq!((marker.subject(), marker.name()), (Some("JOE"), "RTHI"));
    }

    #[test]
    fn never_returns_the_position_of_a_missing_sample() {
        let mut marker = seen("xx");
        marker.set(1, Some(Point3::new(f64::NAN, 0.0, 0.0)), Origin::Measured);
        assert_eq!(marker.position_m(1), None);
        assert_eq!(marker.origin(1), Origin::Missing);
        assert_eq!(marker.position_m(9), None);
    }
}
