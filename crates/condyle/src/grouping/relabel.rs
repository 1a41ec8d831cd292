//! Exchanged labels put back, frame by frame, by the distances to the other markers of their segments.

use super::exchange::{Exchange, MAX_GAP_S};
use crate::statistics::median;
use crate::trial::Trial;

/// Labels are exchanged where that leaves less than this share of how far their distances are off.
const MAX_SHARE: f64 = 0.5;
/// And where it mends so much at least, in metres.
const MIN_MENDED_M: f64 = 0.01;
/// A few frames by themselves say nothing.
const MIN_RUN_FRAMES: usize = 3;

/// Exchanges labels back; the frames in which they truly changed places (`true`), and the exchanges that were found
/// but left alone (`false`), in the order of their frames.
///
/// # Method
/// `segments` are markers that keep their distances. Of two labels that changed places anywhere, every frame is asked
/// whether the one, the other or both are as far from the other markers of their segments as they usually are (the
/// median over the recording), or rather if they were exchanged. So an exchange of which only one edge was seen ends
/// where it ends, and two markers that pass each other are left alone. Where no distance can show it, the jumps decide.
pub fn undo(
    trial: &mut Trial,
    exchanges: &[Exchange],
    segments: &[Vec<usize>],
) -> Vec<(Exchange, bool)> {
    let mut pairs: Vec<[usize; 2]> =
        exchanges.iter().map(|exchange| sorted(exchange.markers)).collect();
    pairs.sort_unstable();
    pairs.dedup();
    let near = (MAX_GAP_S * trial.rate_hz) as usize + MIN_RUN_FRAMES;
    let mut edges = Vec::new();
    for markers in pairs {
        let of_pair = exchanges.iter().filter(|exchange| sorted(exchange.markers) == markers);
        let jumps: Vec<usize> = of_pair.map(|exchange| exchange.frame).collect();
        let is_exchanged = exchanged_frames(trial, markers, segments, &jumps);
        let mut before = false;
        for (frame, &now) in is_exchanged.iter().enumerate() {
            if now != before {
                edges.push((Exchange { frame, markers }, true));
            }
            before = now;
            if now {
                trial.exchange(frame, markers);
            }
        }
        let of_pair = exchanges.iter().filter(|exchange| sorted(exchange.markers) == markers);
        for exchange in of_pair {
            let is_near = |(edge, _): &(Exchange, bool)| {
                edge.markers == markers && edge.frame.abs_diff(exchange.frame) <= near
            };
            if !edges.iter().any(is_near) {
                edges.push((*exchange, false));
            }
        }
    }
    edges.sort_by_key(|(edge, _)| edge.frame);
    edges
}

fn sorted([a, b]: [usize; 2]) -> [usize; 2] {
    [a.min(b), a.max(b)]
}

/// For every frame whether two labels are exchanged in it.
fn exchanged_frames(
    trial: &Trial,
    markers: [usize; 2],
    segments: &[Vec<usize>],
    jumps: &[usize],
) -> Vec<bool> {
    let mates = markers.map(|marker| usual_distances_m(trial, marker, markers, segments));
    let mut votes: Vec<Option<bool>> =
        (0..trial.frames).map(|frame| vote(trial, frame, markers, &mates)).collect();
    drop_short_runs(&mut votes);
    let is_same_segment =
        segments.iter().any(|segment| markers.iter().all(|marker| segment.contains(marker)));
    if is_same_segment && votes.iter().all(Option::is_none) {
        return between_jumps(trial.frames, jumps);
    }
    // Where nothing is seen it is as it was before, or will be.
    let mut state = votes.iter().flatten().next().copied().unwrap_or(false);
    votes
        .into_iter()
        .map(|vote| {
            state = vote.unwrap_or(state);
            state
        })
        .collect()
}

/// Two markers of one segment as far from its others may be exchanged without a distance that shows it; where they
/// jump to each other's place says when. Fewer frames are exchanged than not.
fn between_jumps(frames: usize, jumps: &[usize]) -> Vec<bool> {
    let count = |frame: usize| jumps.iter().filter(|jump| **jump <= frame).count();
    let mut is_exchanged: Vec<bool> = (0..frames).map(|frame| count(frame) % 2 == 1).collect();
    if 2 * is_exchanged.iter().filter(|is| **is).count() > frames {
        is_exchanged.iter_mut().for_each(|is| *is = !*is);
    }
    is_exchanged
}

/// The other markers of a marker's segment, and how far from it each is in the median.
fn usual_distances_m(
    trial: &Trial,
    marker: usize,
    pair: [usize; 2],
    segments: &[Vec<usize>],
) -> Vec<(usize, f64)> {
    let segment = segments.iter().find(|segment| segment.contains(&marker));
    let mates = segment.into_iter().flatten().filter(|mate| !pair.contains(mate));
    mates
        .filter_map(|&mate| {
            let [one, other] = [marker, mate].map(|m| &trial.markers[m]);
            let apart = |frame| Some((one.position_m(frame)? - other.position_m(frame)?).norm());
            let apart_m = (0..trial.frames).filter_map(apart);
            Some((mate, median(apart_m)?))
        })
        .collect()
}

/// Whether the labels are exchanged in a frame, if it shows.
fn vote(
    trial: &Trial,
    frame: usize,
    markers: [usize; 2],
    mates: &[Vec<(usize, f64)>; 2],
) -> Option<bool> {
    let (mut kept_m, mut exchanged_m) = (0.0, 0.0);
    for (i, marker) in markers.into_iter().enumerate() {
        let off = [i, 1 - i].map(|i| off_m(trial, frame, marker, &mates[i]));
        if let [Some(own_m), Some(other_m)] = off {
            kept_m += own_m;
            exchanged_m += other_m;
        }
    }
    let (less_m, more_m) = (kept_m.min(exchanged_m), kept_m.max(exchanged_m));
    let is_clear = less_m < MAX_SHARE * more_m && more_m - less_m > MIN_MENDED_M;
    is_clear.then_some(exchanged_m < kept_m)
}

/// How far a marker's distances to others are off what is usual: the median over the others.
fn off_m(trial: &Trial, frame: usize, marker: usize, mates: &[(usize, f64)]) -> Option<f64> {
    let place_m = trial.markers[marker].position_m(frame)?;
    let off = |(mate, usual_m): &(usize, f64)| {
        Some(((place_m - trial.markers[*mate].position_m(frame)?).norm() - usual_m).abs())
    };
    median(mates.iter().filter_map(off))
}

/// Forgets votes of fewer than [`MIN_RUN_FRAMES`] frames in a row.
fn drop_short_runs(votes: &mut [Option<bool>]) {
    let mut run: Vec<usize> = Vec::new();
    let mut current = None;
    for frame in 0..=votes.len() {
        let vote = votes.get(frame).copied().flatten();
        if frame < votes.len() && vote.is_none() {
            continue;
        }
        if vote != current || frame == votes.len() {
            if run.len() < MIN_RUN_FRAMES {
                run.iter().for_each(|frame| votes[*frame] = None);
            }
            run.clear();
            current = vote;
        }
        run.push(frame);
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::Point3;

    use super::super::exchange::find;
    use super::*;
    use crate::trial::{Format, Marker};

    #[test]
    fn what_was_exchanged_is_exchanged_back_where_distances_say_so() {
        // Rigid pairs: 0 with 1, 2 with 3, far apart.
        let place = |marker: usize, frame: usize| {
            let t = frame as f64 * 0.02;
            let pair = Point3::new(t, 0.4 * (marker / 2) as f64 + 0.1 * (t * 2.0).sin(), 0.0);
            pair + nalgebra::Vector3::new(0.0, 0.0, 0.1 * (marker % 2) as f64)
        };
        let good = {
            let mut trial = Trial::new(Format::C3d, 100.0);
            trial.frames = 300;
            for marker in 0..4 {
                let positions = (0..300).map(|frame| Some(place(marker, frame)));
                trial.markers.push(Marker::from_positions(format!("m{marker}"), positions));
            }
            trial
        };
        let mut bad = good.clone();
        for frame in 120..200 {
            bad.markers[1].set(frame, Some(place(3, frame)), crate::trial::Origin::Measured);
            bad.markers[3].set(frame, Some(place(1, frame)), crate::trial::Origin::Measured);
        }
        let spoilt = bad.clone();
        let segments = [vec![0, 1], vec![2, 3]];
        let found = find(&bad, &[0, 1, 2, 3]);
        let undone = undo(&mut bad, &found, &segments);
        assert_eq!(undone, [(found[0], true), (found[1], true)]);
        assert_eq!(bad.markers, good.markers);
        // What never changed places stays.
        let wrong = [Exchange { frame: 100, markers: [1, 3] }];
        assert_eq!(undo(&mut bad, &wrong, &segments), [(wrong[0], false)]);
        assert_eq!(bad.markers, good.markers);
        // One edge is enough: distances show the other.
        for known in &found {
            let mut bad = spoilt.clone();
            let undone = undo(&mut bad, std::slice::from_ref(known), &segments);
            assert_eq!(undone, [(found[0], true), (found[1], true)]);
            assert_eq!(bad.markers, good.markers);
        }
    }
}
