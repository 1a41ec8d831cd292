//! Markers whose labels were exchanged in the middle of a recording.

use nalgebra::Point3;

use crate::order;
use crate::statistics::median;
use crate::trial::Trial;

/// Two labels that changed places from one frame to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exchange {
    /// The first frame in which they have changed places.
    pub frame: usize,
    /// The two markers, as indices into the trial's.
    pub markers: [usize; 2],
}

/// A step so many times the usual one is a jump.
const JUMP: f64 = 8.0;
/// And so long at least, in metres.
const MIN_JUMP_M: f64 = 0.02;
/// After an exchange the two steps crosswise are this much shorter than straight on.
const MAX_CROSSWISE: f64 = 0.25;
/// A marker may be out of sight for so long while it is exchanged, in seconds.
const MAX_GAP_S: f64 = 0.1;

/// A step of one marker that is far longer than its usual ones.
struct Jump {
    frame: usize,
    marker: usize,
    before_m: Point3<f64>,
    after_m: Point3<f64>,
}

/// Finds labels that changed places: two markers jump at once, each to where the other was.
///
/// Exchanges are in the order of their frames. Labels that change back are exchanged twice.
pub fn find(trial: &Trial, markers: &[usize]) -> Vec<Exchange> {
    let mut jumps: Vec<Jump> = Vec::new();
    for &marker in markers {
        jumps_of(trial, marker, &mut jumps);
    }
    order::by_key(&mut jumps, |jump| (jump.frame, jump.marker));
    let mut found = Vec::new();
    for same_frame in jumps.chunk_by(|a, b| a.frame == b.frame) {
        let mut taken = vec![false; same_frame.len()];
        for (i, one) in same_frame.iter().enumerate() {
            let best = (i + 1..same_frame.len())
                .filter(|j| !taken[*j])
                .map(|j| (crosswise(one, &same_frame[j]), j))
                .min_by(|a, b| a.0.total_cmp(&b.0));
            if let Some((_, j)) = best.filter(|(share, _)| *share < MAX_CROSSWISE && !taken[i]) {
                taken[j] = true;
                let markers = [one.marker, same_frame[j].marker];
                found.push(Exchange { frame: one.frame, markers });
            }
        }
    }
    found
}

/// The steps each to where the other was, as a share of the steps that were made.
fn crosswise(a: &Jump, b: &Jump) -> f64 {
    let straight = (a.after_m - a.before_m).norm() + (b.after_m - b.before_m).norm();
    ((a.after_m - b.before_m).norm() + (b.after_m - a.before_m).norm()) / straight
}

fn jumps_of(trial: &Trial, marker: usize, jumps: &mut Vec<Jump>) {
    let lengths_m = steps(trial, marker).map(|(length_m, _)| length_m);
    let Some(usual_m) = median(lengths_m) else { return };
    let limit_m = (JUMP * usual_m).max(MIN_JUMP_M);
    jumps.extend(steps(trial, marker).filter(|step| step.0 > limit_m).map(|(_, jump)| jump));
}

/// Every step of a marker from where it was last seen, and its length.
fn steps(trial: &Trial, marker: usize) -> impl Iterator<Item = (f64, Jump)> + '_ {
    let longest_gap = ((MAX_GAP_S * trial.rate_hz) as usize).max(1);
    let track = &trial.markers[marker];
    let mut last: Option<(usize, Point3<f64>)> = None;
    let seen = (0..track.frames()).filter_map(|frame| Some((frame, track.position_m(frame)?)));
    seen.filter_map(move |(frame, after_m)| {
        let (at, before_m) = last.replace((frame, after_m))?;
        let jump = Jump { frame, marker, before_m, after_m };
        (frame - at <= longest_gap).then(|| ((after_m - before_m).norm(), jump))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trial::{Format, Marker};

    fn at(marker: usize, frame: usize) -> Point3<f64> {
        let t = frame as f64 * 0.02;
        Point3::new(t + 0.15 * marker as f64, t.sin(), 0.05 * (3.0 * t + marker as f64).cos())
    }

    fn trial(
        label_of: impl Fn(usize, usize) -> usize,
        seen: impl Fn(usize, usize) -> bool,
    ) -> Trial {
        let mut trial = Trial::new(Format::C3d, 100.0);
        trial.frames = 300;
        for marker in 0..4 {
            let positions = (0..300)
                .map(|frame| seen(marker, frame).then(|| at(label_of(marker, frame), frame)));
            trial.markers.push(Marker::from_positions(format!("m{marker}"), positions));
        }
        trial
    }

    fn exchanged(marker: usize, frame: usize) -> usize {
        match (marker, (120..200).contains(&frame)) {
            (1, true) => 3,
            (3, true) => 1,
            _ => marker,
        }
    }

    #[test]
    fn finds_the_frames_in_which_labels_change_places_and_change_back() {
        let there = Exchange { frame: 120, markers: [1, 3] };
        let back = Exchange { frame: 200, markers: [1, 3] };
        assert_eq!(find(&trial(exchanged, |_, _| true), &[0, 1, 2, 3]), [there, back]);
        assert!(find(&trial(|marker, _| marker, |_, _| true), &[0, 1, 2, 3]).is_empty());
    }

    #[test]
    fn a_short_gap_does_not_hide_an_exchange() {
        let seen = |marker: usize, frame: usize| marker != 1 || !(117..120).contains(&frame);
        let found = find(&trial(exchanged, seen), &[0, 1, 2, 3]);
        assert_eq!(found.len(), 2, "{found:?}");
    }

    #[test]
    fn a_jump_of_one_marker_is_no_exchange() {
        let mut alone = trial(|marker, _| marker, |_, _| true);
        alone.markers[2].set(50, Some(Point3::new(9.0, 9.0, 9.0)), crate::trial::Origin::Measured);
        assert!(find(&alone, &[0, 1, 2, 3]).is_empty());
    }
}
