//! When to give up: nothing moves any more.

/// Watches the distance that is left.
///
/// Stuck is who has not come nearer by a ten-thousandth of the tolerance in a whole row of passes: a
/// limit in the way makes single passes rest, and slow methods come nearer by little at a time.
#[derive(Debug)]
pub(super) struct Stall {
    step_m: f64,
    least_m: f64,
    rests: usize,
}

/// So many passes without progress in a row are the end.
const ROW: usize = 12;

impl Stall {
    pub(super) fn new(tolerance_m: f64) -> Self {
        Self { step_m: 1e-4 * tolerance_m, least_m: f64::INFINITY, rests: 0 }
    }

    /// Takes note of the distance that is left; whether it is time to give up.
    pub(super) fn is_stuck(&mut self, distance_m: f64) -> bool {
        // What is not a number is no progress either.
        if distance_m < self.least_m - self.step_m {
            self.least_m = distance_m;
            self.rests = 0;
        } else {
            self.rests += 1;
        }
        self.rests >= ROW
    }
}
