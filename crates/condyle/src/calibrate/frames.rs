//! The frames that a calibration remembers: never more than a fixed number.

use nalgebra::{Isometry3, Point3};

use crate::rigid::Traces;

/// The most frames kept. A recording of up to this many is used whole.
pub const MAX_FRAMES: usize = 8192;

/// What a frame has of one marker or one body.
pub(crate) trait Sample: Copy {
    fn is_finite(&self) -> bool;
}

impl Sample for Point3<f64> {
    fn is_finite(&self) -> bool {
        self.coords.iter().all(|value| value.is_finite())
    }
}

impl Sample for Isometry3<f64> {
    fn is_finite(&self) -> bool {
        let numbers = self.translation.vector.iter().chain(self.rotation.coords.iter());
        numbers.copied().all(f64::is_finite)
    }
}

/// Frames evenly spread over everything that was pushed.
///
/// When it is full every second stretch of frames is dropped, and from then on only every second one of those that
/// come is kept: memory stays bounded however long the stream, and what is kept does not depend on how the stream was
/// cut. A stretch is a single frame, unless whatever looks at the frames needs some in a row.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Frames<T = Point3<f64>> {
    columns: usize,
    samples: Vec<Option<T>>,
    /// So many frames in a row are kept or dropped together; divides [`MAX_FRAMES`].
    stretch: usize,
    /// Every so many stretches one is kept.
    stride: usize,
    pushed: usize,
    /// How much every column is to count; empty if all do alike.
    weights: Vec<f64>,
}

impl<T: Sample> Frames<T> {
    /// Nothing yet.
    pub fn new(columns: usize) -> Self {
        Self { columns, samples: Vec::new(), stretch: 1, stride: 1, pushed: 0, weights: Vec::new() }
    }

    /// Nothing yet, but room for all that will ever be kept; `stretch` frames in a row stay together.
    pub fn with_room(columns: usize, stretch: usize) -> Self {
        Self { samples: Vec::with_capacity(columns * MAX_FRAMES), stretch, ..Self::new(columns) }
    }

    /// Says how much every column is to count.
    pub fn set_weights(&mut self, weights: Vec<f64>) {
        self.weights = weights;
    }

    /// How much a column is to count.
    pub fn weight(&self, column: usize) -> f64 {
        self.weights.get(column).copied().unwrap_or(1.0)
    }

    /// Takes the next frame: one sample a column.
    pub fn push(&mut self, samples: impl Iterator<Item = Option<T>>) {
        if self.is_next_kept() && self.kept() == MAX_FRAMES {
            self.thin();
        }
        // Thinning may have made this frame one that is not kept.
        if self.is_next_kept() {
            let row = samples.map(|sample| sample.filter(T::is_finite));
            self.samples.extend(row.take(self.columns));
            self.samples.resize(self.samples.len().next_multiple_of(self.columns.max(1)), None);
        }
        self.pushed += 1;
    }

    fn is_next_kept(&self) -> bool {
        (self.pushed / self.stretch).is_multiple_of(self.stride)
    }

    fn thin(&mut self) {
        let length = self.stretch * self.columns;
        let stretches = self.samples.len() / length.max(1);
        for kept in 0..stretches / 2 {
            self.samples.copy_within(2 * kept * length..(2 * kept + 1) * length, kept * length);
        }
        self.samples.truncate(stretches / 2 * length);
        self.stride *= 2;
    }

    /// How many frames were pushed, kept or not.
    pub fn pushed(&self) -> usize {
        self.pushed
    }

    /// How many frames are kept.
    pub fn kept(&self) -> usize {
        self.samples.len() / self.columns.max(1)
    }

    /// One stretch of frames in so many is kept.
    pub fn stride(&self) -> usize {
        self.stride
    }

    /// Which of the frames that were pushed a kept one is.
    pub fn pushed_as(&self, kept: usize) -> usize {
        kept / self.stretch * self.stretch * self.stride + kept % self.stretch
    }

    /// A sample of a kept frame.
    #[inline]
    pub fn sample(&self, kept: usize, column: usize) -> Option<T> {
        self.samples[kept * self.columns + column]
    }
}

impl Traces for Frames {
    fn frames(&self) -> usize {
        self.kept()
    }

    #[inline]
    fn position_m(&self, frame: usize, marker: usize) -> Option<Point3<f64>> {
        self.sample(frame, marker)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_a_bounded_number_evenly_spread() {
        let mut frames = Frames::new(2);
        for k in 0..5 * MAX_FRAMES {
            frames.push([Some(Point3::new(k as f64, 0.0, 0.0)), None].into_iter());
        }
        assert_eq!((frames.stride, frames.pushed()), (8, 5 * MAX_FRAMES));
        assert_eq!(frames.frames(), 5 * MAX_FRAMES / 8);
        for frame in 0..frames.frames() {
            assert_eq!(frames.position_m(frame, 0).unwrap().x, 8.0 * frame as f64);
        }
    }

    #[test]
    fn stretches_stay_together() {
        let mut frames = Frames::with_room(1, 64);
        let room = frames.samples.capacity();
        for k in 0..5 * MAX_FRAMES {
            frames.push([Some(Point3::new(k as f64, 0.0, 0.0))].into_iter());
        }
        assert_eq!((frames.stride(), frames.kept()), (8, 5 * MAX_FRAMES / 8));
        assert_eq!(frames.samples.capacity(), room);
        for frame in 0..frames.kept() {
            let pushed_as = 8 * 64 * (frame / 64) + frame % 64;
            assert_eq!(frames.sample(frame, 0).unwrap().x, pushed_as as f64);
            assert_eq!(frames.pushed_as(frame), pushed_as);
        }
    }

    #[test]
    fn what_is_not_finite_or_not_given_is_missing() {
        let mut frames = Frames::new(3);
        frames.push([Some(Point3::new(f64::NAN, 0.0, 0.0)), Some(Point3::origin())].into_iter());
        frames.push(std::iter::repeat_n(Some(Point3::origin()), 9));
        assert_eq!(frames.frames(), 2);
        assert_eq!(frames.position_m(0, 0), None);
        assert!(frames.position_m(0, 1).is_some());
        assert_eq!(frames.position_m(0, 2), None);
        assert!(frames.position_m(1, 2).is_some());
    }
}
