//! Where the new frames fall among the old ones.

/// How near to an old frame a new one counts as the same, in old frames.
const COINCIDENT_FRAMES: f64 = 1e-6;

/// The old and the new frames on one clock that starts at the first frame.
pub(super) struct Clock {
    old_per_new: f64,
    old_frames: usize,
}

/// Where a new frame falls.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Place {
    /// On an old frame.
    On(usize),
    /// A fraction, between 0 and 1, of the way from an old frame to the next.
    After(usize, f64),
}

impl Clock {
    /// A clock for at least one old frame.
    pub(super) fn new(old_rate_hz: f64, new_rate_hz: f64, old_frames: usize) -> Self {
        Self { old_per_new: old_rate_hz / new_rate_hz, old_frames }
    }

    /// How many new frames there are: those up to the last old frame.
    pub(super) fn frames(&self) -> usize {
        let last = (self.old_frames - 1) as f64 + COINCIDENT_FRAMES;
        (last / self.old_per_new).floor() as usize + 1
    }

    /// Where the new frames fall, in order.
    pub(super) fn places(&self) -> impl Iterator<Item = Place> + '_ {
        (0..self.frames()).map(|frame| self.place(frame as f64 * self.old_per_new))
    }

    fn place(&self, old: f64) -> Place {
        let nearest = old.round();
        let last = self.old_frames - 1;
        if (old - nearest).abs() <= COINCIDENT_FRAMES {
            return Place::On((nearest as usize).min(last));
        }
        Place::After((old as usize).min(last), old.fract())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_new_frames_on_and_between_old_ones() {
        let clock = Clock::new(100.0, 200.0, 3);
        let places: Vec<Place> = clock.places().collect();
        assert_eq!(places.len(), 5);
        assert_eq!(places[1], Place::After(0, 0.5));
        assert_eq!(places[4], Place::On(2));
    }

    #[test]
    fn stays_on_the_frames_of_a_rate_that_is_no_whole_number() {
        let clock = Clock::new(59.94, 29.97, 100_001);
        assert_eq!(clock.frames(), 50_001);
        assert!(clock.places().enumerate().all(|(new, place)| place == Place::On(2 * new)));
    }
}
