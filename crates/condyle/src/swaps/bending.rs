//! The inner side of an elbow for its outer one, and the two sides of a wrist, told by the way elbows bend.

use nalgebra::{Point3, Vector3};

use super::landmarks::{ELBOW_INNER, ELBOW_OUTER, SHOULDER, WRIST_RADIAL, WRIST_ULNAR};
use super::pointing::{Votes, cosine, find};
use super::throughout::{MIN_FRAMES, Segments, spread_frames};
use crate::marker_set::Side;
use crate::trial::Trial;

/// An elbow that is bent by less tells nothing: the sine of the angle.
const MIN_BENT: f64 = 0.34;
/// The cosine to where it should point below which a pair points the other way.
const AGAINST: f64 = -0.3;

/// The pairs that bear each other's labels.
///
/// # Method
/// With u from shoulder to elbow and f from elbow to wrist, an elbow bends about u × f, which points inwards on the left
/// and outwards on the right. Between the ends of pronation the thumb's side of the wrist faces the upper arm, along
/// f (f·u) - u.
pub(super) fn exchanged(trial: &Trial, segments: &Segments) -> Vec<[usize; 2]> {
    [Side::Left, Side::Right].iter().flat_map(|side| of_arm(trial, segments, *side)).collect()
}

fn of_arm(trial: &Trial, segments: &Segments, side: Side) -> Vec<[usize; 2]> {
    let markers = segments.markers.concat();
    let find = |patterns: &[&str]| find(trial, &markers, patterns, side);
    let elbow = [find(ELBOW_INNER), find(ELBOW_OUTER)];
    let wrist = [find(WRIST_ULNAR), find(WRIST_RADIAL)];
    let Some(shoulder) = find(SHOULDER) else { return Vec::new() };
    let mut votes = [Votes::default(), Votes::default()];
    for frame in spread_frames(trial) {
        let at = |marker: usize| trial.markers[marker].position_m(frame);
        let Some([upper, fore]) = bones(at(shoulder), elbow.map(|m| at(m?)), wrist.map(|m| at(m?)))
        else {
            continue;
        };
        let outwards = upper.cross(&fore) * if side == Side::Left { -1.0 } else { 1.0 };
        if outwards.norm() < MIN_BENT {
            continue;
        }
        let towards_shoulder = fore * fore.dot(&upper) - upper;
        let pairs = [(elbow, outwards), (wrist, towards_shoulder)];
        for (votes, (pair, expected)) in votes.iter_mut().zip(pairs) {
            let [from, to] = pair.map(|marker| at(marker?));
            votes.extend(
                from.zip(to).and_then(|(from, to)| cosine(&(to - from), &expected)),
                AGAINST,
            );
        }
    }
    let pairs = [elbow, wrist].into_iter().zip(&votes);
    let wrong = pairs.filter(|(_, votes)| votes.all >= MIN_FRAMES && votes.is_against());
    wrong.filter_map(|([from, to], _)| Some([from?, to?])).collect()
}

/// The directions from shoulder to elbow and from there to the wrist; a joint is in the middle of its markers.
fn bones(
    shoulder_m: Option<Point3<f64>>,
    elbow_m: [Option<Point3<f64>>; 2],
    wrist_m: [Option<Point3<f64>>; 2],
) -> Option<[Vector3<f64>; 2]> {
    let middle = |m: [Option<Point3<f64>>; 2]| match m {
        [Some(a), Some(b)] => Some(nalgebra::center(&a, &b)),
        [one, other] => one.or(other),
    };
    let (elbow_m, wrist_m) = (middle(elbow_m)?, middle(wrist_m)?);
    let along = |from: Point3<f64>, to: Point3<f64>| (to - from).try_normalize(1e-6);
    Some([along(shoulder_m?, elbow_m)?, along(elbow_m, wrist_m)?])
}
