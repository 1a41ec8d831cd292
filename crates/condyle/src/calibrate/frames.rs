//! The frames that a calibration remembers: never more than a fixed number.

use nalgebra::Point3;

use crate::rigid::Traces;

/// The most frames kept. A recording of up to this many is used whole.
pub const MAX_FRAMES: usize = 8192;

/// Frames evenly spread over everything that was pushed.
///
/// When it is full every second frame is dropped, and from then on only every second one of those that
/// come is kept: memory stays bounded however long the stream, and what is kept does not depend on how
/// the stream was cut.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Frames {
    markers: usize,
    positions_m: Vec<Option<Point3<f64>>>,
    /// Every so many frames one is kept.
    stride: usize,
    pushed: usize,
}

impl Frames {
    pub fn new(markers: usize) -> Self {
        Self { markers, positions_m: Vec::new(), stride: 1, pushed: 0 }
    }

    /// Takes the next frame: one position a marker.
    pub fn push(&mut self, positions_m: impl Iterator<Item = Option<Point3<f64>>>) {
        if self.pushed.is_multiple_of(self.stride) {
            if self.frames() == MAX_FRAMES {
                self.thin();
            }
            // Thinning may have made this frame one that is not kept.
            if self.pushed.is_multiple_of(self.stride) {
                let finite = |p: &Point3<f64>| p.coords.iter().all(|v| v.is_finite());
                let row = positions_m.map(|position_m| position_m.filter(finite));
                self.positions_m.extend(row.take(self.markers));
                self.positions_m
                    .resize(self.positions_m.len().next_multiple_of(self.markers.max(1)), None);
            }
        }
        self.pushed += 1;
    }

    fn thin(&mut self) {
        for kept in 0..self.frames() / 2 {
            let (to, from) = (kept * self.markers, 2 * kept * self.markers);
            self.positions_m.copy_within(from..from + self.markers, to);
        }
        self.positions_m.truncate(self.frames() / 2 * self.markers);
        self.stride *= 2;
    }

    /// How many frames were pushed, kept or not.
    pub fn pushed(&self) -> usize {
        self.pushed
    }
}

impl Traces for Frames {
    fn frames(&self) -> usize {
        self.positions_m.len() / self.markers.max(1)
    }

    #[inline]
    fn position_m(&self, frame: usize, marker: usize) -> Option<Point3<f64>> {
        self.positions_m[frame * self.markers + marker]
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
