//! Segments from distances that stay the same.

use nalgebra::Vector3;

use super::body::{Body, BodyJoint, BodySegment};

type Frame = Vec<Option<Vector3<f64>>>;

/// At most about so many frames are looked at.
const LOOKED_AT: usize = 400;
/// Two markers that are seen together in fewer frames are not joined.
const MIN_TOGETHER: usize = 10;

/// Mean and standard deviation of a distance; `None` if it is hardly ever seen.
fn distance(frames: &[Frame], a: usize, b: usize) -> Option<[f64; 2]> {
    let stride = frames.len().div_ceil(LOOKED_AT).max(1);
    let (mut count, mut mean, mut squares) = (0.0, 0.0, 0.0);
    for frame in frames.iter().step_by(stride) {
        if let (Some(a), Some(b)) = (frame[a], frame[b]) {
            let distance = (a - b).norm();
            count += 1.0;
            let off = distance - mean;
            mean += off / count;
            squares += off * (distance - mean);
        }
    }
    (count >= MIN_TOGETHER as f64).then(|| [mean, f64::sqrt(squares / count)])
}

/// The segments that distances show, and a tree of the nearest among them.
pub(super) fn body(frames: &[Frame], spread_m: f64) -> Body {
    let markers = frames.first().map_or(0, Vec::len);
    let pairs = (0..markers).flat_map(|a| (a + 1..markers).map(move |b| [a, b]));
    let mut known: Vec<([usize; 2], [f64; 2])> =
        pairs.filter_map(|[a, b]| Some(([a, b], distance(frames, a, b)?))).collect();
    known.sort_by(|(_, a), (_, b)| a[1].total_cmp(&b[1]));
    let mut rigid = vec![false; markers * markers];
    for ([a, b], _) in known.iter().filter(|(_, [_, spread])| *spread < spread_m) {
        rigid[a * markers + b] = true;
        rigid[b * markers + a] = true;
    }
    let mut of_marker: Vec<usize> = (0..markers).collect();
    for ([a, b], _) in known.iter().filter(|([a, b], _)| rigid[a * markers + b]) {
        let (one, other) = (of_marker[*a], of_marker[*b]);
        let [first, second] = [one, other]
            .map(|group| (0..markers).filter(|m| of_marker[*m] == group).collect::<Vec<_>>());
        let is_rigid = first.iter().all(|a| second.iter().all(|b| rigid[a * markers + b]));
        if one != other && is_rigid {
            second.iter().for_each(|m| of_marker[*m] = one);
        }
    }
    let mut body = Body { markers, ..Body::default() };
    for group in 0..markers {
        let members: Vec<usize> = (0..markers).filter(|m| of_marker[*m] == group).collect();
        if members.len() >= 2 {
            body.segments.push(BodySegment { markers: members, in_segment_m: None });
        }
    }
    body.joints = tree(&body.segments, &known);
    body
}

/// Every segment but the first meets the one whose nearest marker is nearest, of those that are in the tree.
fn tree(segments: &[BodySegment], known: &[([usize; 2], [f64; 2])]) -> Vec<BodyJoint> {
    let between = |a: &BodySegment, b: &BodySegment| {
        let is_between = |[x, y]: &[usize; 2]| {
            (a.markers.contains(x) && b.markers.contains(y))
                || (a.markers.contains(y) && b.markers.contains(x))
        };
        let distances =
            known.iter().filter(|(pair, _)| is_between(pair)).map(|(_, [mean, _])| *mean);
        distances.fold(f64::INFINITY, f64::min)
    };
    let mut in_tree = vec![0];
    let mut joints = Vec::new();
    while in_tree.len() < segments.len() {
        let outside = (0..segments.len()).filter(|s| !in_tree.contains(s));
        let links = outside.flat_map(|out| in_tree.iter().map(move |within| [*within, out]));
        let length = |[a, b]: &[usize; 2]| between(&segments[*a], &segments[*b]);
        let Some(next) = links.min_by(|a, b| length(a).total_cmp(&length(b))) else { break };
        if length(&next).is_infinite() {
            break;
        }
        in_tree.push(next[1]);
        joints.push(BodyJoint { segments: next, centres_m: None });
    }
    joints
}
