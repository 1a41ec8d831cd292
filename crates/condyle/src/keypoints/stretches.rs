//! Stretches of a recording that no body can have moved like.

use std::ops::Range;

use super::tracks::{Joint, Track, track};
use crate::marker_set::Side;
use crate::statistics::median;
use crate::trial::Trial;

/// Frames that are not to be trusted, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct BadStretch {
    /// The frames.
    pub frames: Range<usize>,
    /// Why, in words.
    pub why: String,
}

/// Half of all points going so much faster, from one frame to the next, than they do about that time: no body leaps so.
const LEAP_M_S: f64 = 4.0;
const ABOUT_S: f64 = 0.25;
/// The same of the middle of the hips, of which one alone may jump.
const HIPS_LEAP_M_S: f64 = 6.0;
/// Leaps so near to each other, or to an end, are one stretch; a leap by itself says that its neighbours are bad.
const TOGETHER_S: f64 = 0.5;
const BESIDE_S: f64 = 0.05;
/// Bones of limbs that differ by so much from their median length, on average over them all, for so long.
const BONE_SHARE: f64 = 0.2;
const BONE_S: f64 = 0.1;

/// Stretches of frames in which a performer cannot have been where its points are.
pub fn find_bad(trial: &Trial, markers: &[usize]) -> Vec<BadStretch> {
    if trial.rate_hz <= 0.0 || trial.frames < 3 {
        return Vec::new();
    }
    let frames = |seconds: f64| ((seconds * trial.rate_hz).round() as usize).max(1);
    let leaps = leaps(trial, markers);
    let mut found = Vec::new();
    for range in joined(&leaps, frames(TOGETHER_S)) {
        let from =
            if range.start <= frames(TOGETHER_S) { 0 } else { range.start - frames(BESIDE_S) };
        let is_last = range.end + frames(TOGETHER_S) >= trial.frames;
        let to = if is_last { trial.frames } else { range.end + frames(BESIDE_S) };
        let count = leaps.iter().filter(|leap| range.contains(leap)).count();
        let why =
            format!("the whole body leaps {count} times, {LEAP_M_S:.0} m/s faster than about it");
        found.push(BadStretch { frames: from..to, why });
    }
    let stretched = stretched(trial, markers);
    for range in joined(&stretched, frames(BONE_S)) {
        let is_new = found
            .iter()
            .all(|other| other.frames.end < range.start || range.end < other.frames.start);
        if range.len() >= frames(BONE_S) && is_new {
            let why =
                format!("bones differ from their length by more than {:.0} %", 1e2 * BONE_SHARE);
            found.push(BadStretch { frames: range, why });
        }
    }
    found.sort_by_key(|stretch| stretch.frames.start);
    found
}

/// The frames before which half of the points leapt.
fn leaps(trial: &Trial, markers: &[usize]) -> Vec<usize> {
    let speed_m_s = |frame: usize| {
        let steps_m = markers.iter().filter_map(|marker| {
            let marker = &trial.markers[*marker];
            Some((marker.position_m(frame)? - marker.position_m(frame.checked_sub(1)?)?).norm())
        });
        median(steps_m).map(|step_m| step_m * trial.rate_hz)
    };
    let hips = [Side::Left, Side::Right].map(|side| find(trial, markers, Joint::Hip, side));
    let of_hips_m_s = |frame: usize| {
        let [Some(left), Some(right)] = &hips else { return None };
        let at = |frame: usize| Some((left[frame]? + right[frame]?) / 2.0);
        Some((at(frame)? - at(frame.checked_sub(1)?)?).norm() * trial.rate_hz)
    };
    let points: Vec<Option<f64>> = (0..trial.frames).map(speed_m_s).collect();
    let hips: Vec<Option<f64>> = (0..trial.frames).map(of_hips_m_s).collect();
    let half = ((ABOUT_S * trial.rate_hz).round() as usize).max(2);
    let faster_m_s = |speeds_m_s: &[Option<f64>], frame: usize| {
        let about = &speeds_m_s[frame.saturating_sub(half)..(frame + half + 1).min(trial.frames)];
        let usual = median(about.iter().flatten().copied());
        speeds_m_s[frame].zip(usual).map_or(0.0, |(own, usual)| own - usual)
    };
    let is_leap = |frame: &usize| {
        faster_m_s(&points, *frame) > LEAP_M_S || faster_m_s(&hips, *frame) > HIPS_LEAP_M_S
    };
    (1..trial.frames).filter(is_leap).collect()
}

/// A joint of a side.
fn find(trial: &Trial, markers: &[usize], joint: Joint, side: Side) -> Option<Track> {
    let is_it = |m: &&usize| Joint::of_label(&trial.markers[**m].label) == Some((joint, side));
    markers.iter().find(is_it).map(|marker| track(trial, *marker))
}

/// The frames in which bones are much longer or shorter than they are as a rule.
fn stretched(trial: &Trial, markers: &[usize]) -> Vec<usize> {
    let find = |joint: Joint, side: Side| find(trial, markers, joint, side);
    let mut shares: Vec<Vec<Option<f64>>> = Vec::new();
    for side in [Side::Left, Side::Right] {
        for [a, b] in [
            [Joint::Hip, Joint::Knee],
            [Joint::Knee, Joint::Ankle],
            [Joint::Shoulder, Joint::Elbow],
            [Joint::Elbow, Joint::Wrist],
        ] {
            let (Some(a), Some(b)) = (find(a, side), find(b, side)) else { continue };
            let lengths_m: Vec<Option<f64>> =
                a.iter().zip(&b).map(|(a, b)| Some(((*a)? - (*b)?).norm())).collect();
            let Some(usual_m) = median(lengths_m.iter().flatten().copied()) else { continue };
            let share = |m: Option<f64>| m.map(|m| (m / usual_m.max(1e-6) - 1.0).abs());
            shares.push(lengths_m.into_iter().map(share).collect());
        }
    }
    let is_stretched = |frame: &usize| {
        let own: Vec<f64> = shares.iter().filter_map(|bone| bone[*frame]).collect();
        !own.is_empty() && own.iter().sum::<f64>() / own.len() as f64 > BONE_SHARE
    };
    (0..trial.frames).filter(is_stretched).collect()
}

/// Frames as ranges, those within a distance of each other as one.
fn joined(frames: &[usize], within: usize) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for &frame in frames {
        match ranges.last_mut() {
            Some(last) if frame <= last.end + within => last.end = frame + 1,
            _ => ranges.push(frame..frame + 1),
        }
    }
    ranges
}
