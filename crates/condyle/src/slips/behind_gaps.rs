//! Markers that slipped while they were hidden: nothing shows a jump, but they sit elsewhere when they are seen again.

use super::lasting::{self, Sitting};
use super::{APART_S, Candidate, LEAST_SHIFT_M, Looked};

/// So clear is it at least where a marker sits, as many standard deviations of that: no jump speaks for the slip.
/// Chosen on simulated people of seeds 71001 to 71010, where gaps without a slip come to 4.
const LEAST_SDS: f64 = 8.0;

/// What is found behind gaps, besides what slipped in sight.
pub(super) fn all(looked: &Looked, in_sight: &[Candidate]) -> Vec<Candidate> {
    let hidden: Vec<(f64, Candidate)> =
        (0..looked.places_m.len()).flat_map(|own| of_marker(looked, own)).collect();
    let apart = looked.count_in(APART_S);
    let is_near = |one: &Candidate, other: &Candidate| one.at.abs_diff(other.at) <= apart;
    let is_told =
        |one: &Candidate| in_sight.iter().any(|other| other.own == one.own && is_near(one, other));
    // Whose slip it is, a neighbour that was hidden at the time tells less well.
    let is_clearest = |sds: f64, one: &Candidate| {
        let near = hidden.iter().filter(|(_, other)| is_near(one, other));
        near.fold(0.0, |most, (sds, _)| f64::max(most, *sds)) <= sds
    };
    let new = hidden.iter().filter(|(sds, one)| !is_told(one) && is_clearest(*sds, one));
    new.map(|(_, candidate)| candidate.clone()).collect()
}

fn of_marker(looked: &Looked, own: usize) -> Vec<(f64, Candidate)> {
    let is_seen = |at: &usize| looked.places_m[own][*at].is_some();
    let seen: Vec<usize> = (0..looked.places_m[own].len()).filter(is_seen).collect();
    let again = seen.windows(2).filter(|pair| pair[1] - pair[0] > 1).map(|pair| pair[1]);
    let again: Vec<usize> = again.collect();
    if again.is_empty() {
        return Vec::new();
    }
    let sitting = Sitting::all(looked, own);
    let candidate = |at: usize| {
        let moved = lasting::moved(&sitting, at, LEAST_SDS)?;
        let lasts = Some(moved.stays().gain());
        let found = Candidate { own, at, shift_m: moved.shift_m, jumps: 0.0, lasts };
        (moved.shift_m.norm() > LEAST_SHIFT_M).then_some((moved.sds(), found))
    };
    again.into_iter().filter_map(candidate).collect()
}
