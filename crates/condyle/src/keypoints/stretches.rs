//! Stretches of a recording that no body can have moved like.

use std::ops::Range;

use super::away::{Away, away};
use super::tracks::{Joint, track};
use crate::marker_set::Side;
use crate::order;
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
/// Of fewer bones the noise of one point is enough.
const MIN_BONES: usize = 3;

/// Stretches of frames in which a performer cannot have been where its points are.
pub fn find_bad(trial: &Trial, markers: &[usize]) -> Vec<BadStretch> {
    if trial.rate_hz <= 0.0 || trial.frames < 3 {
        return Vec::new();
    }
    let frames = |seconds: f64| ((seconds * trial.rate_hz).round() as usize).max(1);
    let leaps = leaps(trial, markers);
    let mut found = Vec::new();
    for range in joined(&leaps.all(), frames(TOGETHER_S)) {
        let from =
            if range.start <= frames(TOGETHER_S) { 0 } else { range.start - frames(BESIDE_S) };
        let is_last = range.end + frames(TOGETHER_S) >= trial.frames;
        let to = if is_last { trial.frames } else { range.end + frames(BESIDE_S) };
        found.push(BadStretch { frames: from..to, why: leaps.why(&range) });
    }
    let whole = joined(&leaps.of_points, frames(TOGETHER_S));
    for Away { frames: away, apart_m } in away(trial, markers, &whole) {
        let is_beside = |s: &BadStretch| s.frames.start <= away.end && away.start <= s.frames.end;
        let (beside, others): (Vec<_>, Vec<_>) = found.into_iter().partition(is_beside);
        let from = beside.iter().map(|s| s.frames.start).fold(away.start, usize::min);
        let to = beside.iter().map(|s| s.frames.end).fold(away.end, usize::max);
        let why = format!(
            "all points leap by {apart_m:.1} m and are elsewhere: are they another person's?"
        );
        found = others;
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
    joined_stretches(found)
}

/// Stretches in their order, those that share frames as one, with the reasons of all.
pub fn joined_stretches(mut stretches: Vec<BadStretch>) -> Vec<BadStretch> {
    order::by_key(&mut stretches, |stretch| stretch.frames.start);
    let mut all: Vec<BadStretch> = Vec::new();
    for stretch in stretches {
        match all.last_mut().filter(|last| stretch.frames.start < last.frames.end) {
            Some(last) => {
                last.frames.end = last.frames.end.max(stretch.frames.end);
                last.why = format!("{}; {}", last.why, stretch.why);
            }
            None => all.push(stretch),
        }
    }
    all
}

/// The frames before which points leapt.
struct Leaps {
    /// Half of all points or more.
    of_points: Vec<usize>,
    /// The middle of the hips, and which of them.
    of_hips: Vec<(usize, Vec<String>)>,
}

impl Leaps {
    fn all(&self) -> Vec<usize> {
        let hips = self.of_hips.iter().map(|(frame, _)| *frame);
        let mut all: Vec<usize> = self.of_points.iter().copied().chain(hips).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// What leapt in a range, in words.
    fn why(&self, range: &Range<usize>) -> String {
        let count = self.of_points.iter().filter(|leap| range.contains(leap)).count();
        if count > 0 {
            return format!(
                "half of all points or more leap {}, {LEAP_M_S:.0} m/s faster than about it",
                times(count)
            );
        }
        let own = self.of_hips.iter().filter(|(frame, _)| range.contains(frame));
        let count = own.clone().count();
        let mut labels: Vec<&str> =
            own.flat_map(|(_, labels)| labels).map(String::as_str).collect();
        labels.sort_unstable();
        labels.dedup();
        format!(
            "{} leaps {}, and the middle of the hips with it {HIPS_LEAP_M_S:.0} m/s faster than about it",
            labels.join(" or "),
            times(count)
        )
    }
}

fn times(count: usize) -> String {
    if count == 1 { "once".to_owned() } else { format!("{count} times") }
}

/// The frames before which half of the points leapt, or the middle of the hips.
fn leaps(trial: &Trial, markers: &[usize]) -> Leaps {
    let step_m_s = |marker: usize, frame: usize| {
        let marker = &trial.markers[marker];
        let step = marker.position_m(frame)? - marker.position_m(frame.checked_sub(1)?)?;
        Some(step.norm() * trial.rate_hz)
    };
    let speed_m_s = |frame: usize| median(markers.iter().filter_map(|m| step_m_s(*m, frame)));
    let hips = [Side::Left, Side::Right].map(|side| find(trial, markers, Joint::Hip, side));
    let of_hips_m_s = |frame: usize| {
        let [Some(left), Some(right)] = hips else { return None };
        let place = |marker: usize, frame: usize| trial.markers[marker].position_m(frame);
        let at =
            |frame: usize| Some((place(left, frame)?.coords + place(right, frame)?.coords) / 2.0);
        Some((at(frame)? - at(frame.checked_sub(1)?)?).norm() * trial.rate_hz)
    };
    let points: Vec<Option<f64>> = (0..trial.frames).map(speed_m_s).collect();
    let middle: Vec<Option<f64>> = (0..trial.frames).map(of_hips_m_s).collect();
    let half = ((ABOUT_S * trial.rate_hz).round() as usize).max(2);
    let faster_m_s = |speeds_m_s: &[Option<f64>], frame: usize| {
        let about = &speeds_m_s[frame.saturating_sub(half)..(frame + half + 1).min(trial.frames)];
        let usual = median(about.iter().flatten().copied());
        speeds_m_s[frame].zip(usual).map_or(0.0, |(own, usual)| own - usual)
    };
    let faster_hips = |frame: usize| -> Vec<String> {
        let is_fast = |m: &usize| step_m_s(*m, frame).is_some_and(|own| own > HIPS_LEAP_M_S);
        let fast = hips.iter().flatten().copied().filter(is_fast);
        fast.map(|marker| trial.markers[marker].label.clone()).collect()
    };
    let of_points = (1..trial.frames).filter(|frame| faster_m_s(&points, *frame) > LEAP_M_S);
    let of_hips = (1..trial.frames).filter(|frame| faster_m_s(&middle, *frame) > HIPS_LEAP_M_S);
    Leaps {
        of_points: of_points.collect(),
        of_hips: of_hips.map(|frame| (frame, faster_hips(frame))).collect(),
    }
}

/// The marker of a joint of a side.
fn find(trial: &Trial, markers: &[usize], joint: Joint, side: Side) -> Option<usize> {
    let is_it = |m: &usize| Joint::of_label(&trial.markers[*m].label) == Some((joint, side));
    markers.iter().copied().find(is_it)
}

/// The frames in which bones are much longer or shorter than they are as a rule.
fn stretched(trial: &Trial, markers: &[usize]) -> Vec<usize> {
    let find = |joint: Joint, side: Side| {
        find(trial, markers, joint, side).map(|marker| track(trial, marker))
    };
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
        own.len() >= MIN_BONES && own.iter().sum::<f64>() / own.len() as f64 > BONE_SHARE
    };
    (0..trial.frames).filter(is_stretched).collect()
}

/// Frames as ranges, those within a distance of each other as one.
pub(super) fn joined(frames: &[usize], within: usize) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for &frame in frames {
        match ranges.last_mut() {
            Some(last) if frame <= last.end + within => last.end = frame + 1,
            _ => ranges.push(frame..frame + 1),
        }
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trial::{Format, Marker};
    use nalgebra::{Point3, Vector3};

    /// Four points that go forward, some of them aside in some frames.
    fn moved(labels: &[&str], frames: Range<usize>, by_m: f64) -> Vec<BadStretch> {
        let mut trial = Trial::new(Format::Trc, 60.0);
        trial.frames = 360;
        for (index, label) in ["LHip", "RHip", "LShoulder", "RShoulder"].into_iter().enumerate() {
            let is_moved = |frame: &usize| labels.contains(&label) && frames.contains(frame);
            let aside = |frame: usize| if is_moved(&frame) { by_m } else { 0.0 };
            let at = |f: usize| Vector3::new(0.02 * f as f64, 0.2 * index as f64 + aside(f), 1.0);
            let places = (0..360).map(|frame| Some(Point3::from(at(frame))));
            trial.markers.push(Marker::from_positions(label, places));
        }
        find_bad(&trial, &[0, 1, 2, 3])
    }

    const ALL: [&str; 4] = ["LHip", "RHip", "LShoulder", "RShoulder"];

    #[test]
    fn all_of_another_persons_points_are_bad_and_not_their_ends_alone() {
        for frames in [120..240, 0..120, 240..360] {
            let found = moved(&ALL, frames.clone(), 1.0);
            assert_eq!(found.len(), 1, "{found:?}");
            let bad = &found[0].frames;
            assert!(bad.start <= frames.start && bad.end >= frames.end, "{found:?}");
            assert!(bad.start + 4 >= frames.start && bad.end <= frames.end + 4, "{found:?}");
            assert!(found[0].why.contains("1.0 m"), "{found:?}");
        }
    }

    #[test]
    fn a_hip_that_leaps_is_named_and_not_the_whole_body() {
        let found = moved(&["RHip"], 120..124, 0.5);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].why.starts_with("RHip leaps 2 times"), "{found:?}");
        let found = moved(&ALL, 120..124, 0.5);
        assert!(found[0].why.starts_with("half of all points or more leap 2"), "{found:?}");
    }
}
