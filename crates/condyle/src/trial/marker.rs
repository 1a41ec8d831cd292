//! One marker: a point followed through the frames of a trial.

use nalgebra::Point3;

use super::Column;

/// The largest coordinate, in metres: beyond it there is no number of millimetres.
const MAX_COORDINATE_M: f64 = 1e304;

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
    /// All of them, in the order of the bytes that they are stored as.
    pub(crate) const ALL: [Self; 4] =
        [Self::Missing, Self::Measured, Self::Filled, Self::Predicted];

    /// The origin that a stored byte means.
    #[inline]
    pub(crate) fn from_byte(byte: u8) -> Self {
        match byte {
            1 => Self::Measured,
            2 => Self::Filled,
            3 => Self::Predicted,
            _ => Self::Missing,
        }
    }

    /// The word for it in a table.
    pub(crate) fn name(self) -> &'static str {
        ["missing", "measured", "filled", "predicted"][self as usize]
    }

    /// Whether there is a position at all.
    #[inline]
    pub fn is_present(self) -> bool {
        self != Self::Missing
    }
}

/// A point trajectory: one position per frame, each with its origin.
///
/// Coordinates are contiguous per axis so that estimators stream through memory. Where the origin
/// is [`Origin::Missing`] the stored coordinates are NaN; [`Marker::position_m`] never returns them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Marker {
    /// The label as the file spells it, with its subject prefix: `JOE:RTHI`.
    pub label: String,
    /// Free text that came with the label.
    pub description: String,
    pub(crate) x_m: Column<f64>,
    pub(crate) y_m: Column<f64>,
    pub(crate) z_m: Column<f64>,
    /// [`Origin`] as a byte.
    pub(crate) origin: Column<u8>,
    /// The residual in steps in the low byte, the camera mask in the high one; empty if all zero.
    pub(crate) quality: Column<u16>,
    pub(crate) residual_step_m: f32,
    /// The standard deviation of estimated samples along each axis, zero of all others; empty if all zero.
    pub(crate) sd_m: Column<f32>,
}

/// What is stored of a missing sample: no arithmetic takes it for a place.
const NOWHERE: Point3<f64> = Point3::new(f64::NAN, f64::NAN, f64::NAN);

impl Marker {
    /// A marker with every sample missing.
    pub fn all_missing(label: impl Into<String>, frames: usize) -> Self {
        Self {
            label: label.into(),
            x_m: vec![f64::NAN; frames].into(),
            y_m: vec![f64::NAN; frames].into(),
            z_m: vec![f64::NAN; frames].into(),
            origin: vec![Origin::Missing as u8; frames].into(),
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

    /// Appends one frame, measured if there is a position that can be written in every unit, missing if not.
    pub fn push(&mut self, position_m: Option<Point3<f64>>) {
        let position_m = position_m.filter(is_position);
        let p = position_m.unwrap_or(NOWHERE);
        self.x_m.to_mut().push(p.x);
        self.y_m.to_mut().push(p.y);
        self.z_m.to_mut().push(p.z);
        let origin = if position_m.is_some() { Origin::Measured } else { Origin::Missing };
        self.origin.to_mut().push(origin as u8);
        if !self.quality.is_empty() {
            self.quality.to_mut().push(0);
        }
        if !self.sd_m.is_empty() {
            self.sd_m.to_mut().push(0.0);
        }
    }

    /// Makes room for more frames, exactly, so that readers take no more memory than they need.
    pub(crate) fn reserve(&mut self, frames: usize) {
        self.x_m.to_mut().reserve_exact(frames);
        self.y_m.to_mut().reserve_exact(frames);
        self.z_m.to_mut().reserve_exact(frames);
        self.origin.to_mut().reserve_exact(frames);
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
        self.origin.get(frame).map_or(Origin::Missing, |byte| Origin::from_byte(*byte))
    }

    /// Replaces the sample of a frame; a position that is not finite in every unit becomes missing.
    ///
    /// Does nothing beyond the last frame.
    pub fn set(&mut self, frame: usize, position_m: Option<Point3<f64>>, origin: Origin) {
        if frame >= self.frames() {
            return;
        }
        let position_m = position_m.filter(is_position).filter(|_| origin.is_present());
        let p = position_m.unwrap_or(NOWHERE);
        self.x_m.to_mut()[frame] = p.x;
        self.y_m.to_mut()[frame] = p.y;
        self.z_m.to_mut()[frame] = p.z;
        let origin = if position_m.is_some() { origin } else { Origin::Missing };
        self.origin.to_mut()[frame] = origin as u8;
        if position_m.is_none() && !self.quality.is_empty() {
            self.quality.to_mut()[frame] = 0;
        }
        if !self.sd_m.is_empty() {
            self.sd_m.to_mut()[frame] = 0.0;
        }
    }

    /// The standard deviation along each axis of a sample that was filled or predicted, in metres, where it is known.
    pub fn sd_m(&self, frame: usize) -> Option<f64> {
        let sd_m = self.sd_m.get(frame).copied().filter(|sd_m| *sd_m > 0.0)?;
        self.origin(frame).is_present().then_some(f64::from(sd_m))
    }

    /// Says how far a sample that was filled or predicted may be off along each axis: one standard deviation.
    ///
    /// Does nothing beyond the last frame, or if it is no number above zero.
    pub fn set_sd_m(&mut self, frame: usize, sd_m: f64) {
        if frame >= self.frames() || !(sd_m.is_finite() && sd_m > 0.0) {
            return;
        }
        if self.sd_m.is_empty() {
            self.sd_m = vec![0.0; self.frames()].into();
        }
        self.sd_m.to_mut()[frame] = sd_m as f32;
    }

    /// The three coordinates of every frame in metres, one contiguous slice per axis.
    ///
    /// Entries whose origin is missing are NaN: look at [`Marker::origins`].
    pub fn coordinates_m(&self) -> [&[f64]; 3] {
        [&self.x_m, &self.y_m, &self.z_m]
    }

    /// Puts the three axes, origins and standard deviations where clones share them until they change: each in one
    /// piece of memory, the axes one after another. What the C3D reader made is so already.
    pub fn share_columns(&mut self) {
        if self.axes_m().is_none() {
            let axes = [&mut self.x_m, &mut self.y_m, &mut self.z_m];
            Column::join(axes);
        }
        Column::join([&mut self.origin]);
        Column::join([&mut self.sd_m]);
    }

    /// The coordinates of all frames as one piece of memory, x, then y, then z, NaN where missing; `None` unless they
    /// lie so: see [`Marker::share_columns`].
    pub fn axes_m(&self) -> Option<&[f64]> {
        Column::adjacent([&self.x_m, &self.y_m, &self.z_m])
    }

    /// The origin of every frame's sample as the byte that it is stored as, in the order of [`Origin`].
    pub fn origin_bytes(&self) -> &[u8] {
        &self.origin
    }

    /// The standard deviation along each axis of every frame's sample, zero of those that were measured; empty if no
    /// sample has one.
    pub fn sds_m(&self) -> &[f32] {
        &self.sd_m
    }

    /// The origin of every frame's sample.
    pub fn origins(&self) -> impl ExactSizeIterator<Item = Origin> + '_ {
        self.origin.iter().map(|byte| Origin::from_byte(*byte))
    }

    /// The reconstruction residual of a frame in metres, where the file recorded one.
    pub fn residual_m(&self, frame: usize) -> Option<f32> {
        let word = self.quality(frame)?;
        Some(f32::from(word & 0xff) * self.residual_step_m)
    }

    /// Which of up to seven cameras saw the marker in a frame, one bit each, where recorded.
    pub fn cameras(&self, frame: usize) -> Option<u8> {
        Some((self.quality(frame)? >> 8) as u8)
    }

    fn quality(&self, frame: usize) -> Option<u16> {
        self.quality.get(frame).copied().filter(|_| self.origin(frame).is_present())
    }

    /// Says how fine residuals are recorded; recordings resolve them into 255 steps.
    pub fn set_residual_step_m(&mut self, step_m: f32) {
        self.residual_step_m = step_m;
    }

    /// Records a residual, in steps, and a camera mask for a frame that has a position.
    pub fn set_quality(&mut self, frame: usize, residual_steps: u8, cameras: u8) {
        let word = u16::from(residual_steps) | u16::from(cameras & 0x7f) << 8;
        if !self.origin(frame).is_present() || (word == 0 && self.quality.is_empty()) {
            return;
        }
        if self.quality.is_empty() {
            self.quality = vec![0; self.frames()].into();
        }
        self.quality.to_mut()[frame] = word;
    }

    /// Replaces the sample of a frame by one of another marker, with all that is known of it.
    pub fn copy_sample(&mut self, frame: usize, from: &Self, from_frame: usize) {
        self.set(frame, from.position_m(from_frame), from.origin(from_frame));
        if let Some(word) = from.quality(from_frame).filter(|word| *word != 0) {
            self.residual_step_m = from.residual_step_m;
            self.set_quality(frame, word as u8, (word >> 8) as u8);
        }
        if let Some(sd_m) = from.sd_m(from_frame) {
            self.set_sd_m(frame, sd_m);
        }
    }

    /// Puts another position in place of each that there is; origins stay.
    pub(crate) fn map_positions(&mut self, map: impl Fn(Point3<f64>) -> Point3<f64>) {
        for frame in 0..self.frames() {
            let sd_m = self.sd_m(frame);
            self.set(frame, self.position_m(frame).map(&map), self.origin(frame));
            self.set_sd_m(frame, sd_m.unwrap_or(0.0));
        }
    }

    /// The samples of these frames in this order, missing where there is `None`.
    pub(crate) fn rearranged(&self, sources: &[Option<usize>]) -> Self {
        let mut new = Self::all_missing(self.label.as_str(), sources.len());
        new.description.clone_from(&self.description);
        for (frame, source) in sources.iter().enumerate() {
            new.copy_sample(frame, self, source.unwrap_or(usize::MAX));
        }
        new
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
        is_unlabelled(&self.label)
    }

    /// How many samples are missing.
    pub fn missing_samples(&self) -> usize {
        self.origin.iter().filter(|byte| !Origin::from_byte(**byte).is_present()).count()
    }

    /// The stretches of missing samples as half-open frame ranges, in order.
    pub fn gaps(&self) -> Vec<std::ops::Range<usize>> {
        gaps(&self.origin, |byte| Origin::from_byte(byte).is_present())
    }
}

/// The stretches of missing samples as half-open frame ranges, in order.
pub(super) fn gaps<T: Copy>(
    origins: &[T],
    is_present: impl Fn(T) -> bool,
) -> Vec<std::ops::Range<usize>> {
    let mut gaps = Vec::new();
    let next = |from: usize, present: bool| {
        let ends = |origin: &T| is_present(*origin) == present;
        origins[from..].iter().position(ends).map_or(origins.len(), |after| from + after)
    };
    let mut start = next(0, false);
    while start < origins.len() {
        let end = next(start, true);
        gaps.push(start..end);
        start = next(end, false);
    }
    gaps
}

/// Whether a label is none: `*12`, or empty.
pub(crate) fn is_unlabelled(label: &str) -> bool {
    let (_, name) = split_prefix(label);
    name.is_empty() || name.starts_with('*')
}

pub(crate) fn split_prefix(label: &str) -> (Option<&str>, &str) {
    match label.split_once(':') {
        Some((subject, name)) => (Some(subject).filter(|subject| !subject.is_empty()), name),
        None => (None, label),
    }
}

/// Whether a position is finite, also in millimetres.
pub(super) fn is_position(p: &Point3<f64>) -> bool {
    p.iter().all(|coordinate_m| coordinate_m.abs() <= MAX_COORDINATE_M)
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
        marker.push(Some(Point3::new(0.0, 1.7e308, 0.0)));
        assert_eq!(marker.position_m(2), None);
    }
}
