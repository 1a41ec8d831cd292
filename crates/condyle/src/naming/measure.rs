//! What is measured of a tree of segments: where its joints and its segments are, over some frames.

use nalgebra::{Point3, Vector3};

use crate::joint::{PairMotion, PairRule, PairSums};
use crate::plan::Performer;
use crate::statistics::{mean, median};
use crate::topology::{Part, spread_frames};
use crate::trial::Trial;

/// Frames looked at, at most.
const FRAMES: usize = 200;
/// A centre of rotation that is farther from either part than this, in sizes of the larger one, is none.
const FARTHEST: f64 = 1.5;
/// Parts are at least of this size, in metres.
const LEAST_SIZE_M: f64 = 0.05;

pub(super) type Track = Vec<Option<Vector3<f64>>>;

/// A tree of segments.
pub(super) struct Measured {
    /// Pairs of segments, in the order of the children.
    pub edges: Vec<[usize; 2]>,
    /// For every pair where its joint is.
    pub joints_m: Vec<Track>,
    /// For every segment the middle of its markers.
    pub middles_m: Vec<Track>,
}

impl Measured {
    pub fn of(trial: &Trial, performer: &Performer) -> Self {
        let frames = spread_frames(trial.frames, FRAMES);
        let part = |segment: &crate::plan::PlannedSegment| {
            let known = segment.markers.iter().filter(|marker| **marker < trial.markers.len());
            Part::of_markers(trial, &known.copied().collect::<Vec<_>>(), &frames)
        };
        let parts: Vec<Part> = performer.segments.iter().map(part).collect();
        let parents = performer.segments.iter().enumerate();
        let edges: Vec<[usize; 2]> =
            parents.filter_map(|(child, segment)| Some([segment.parent?, child])).collect();
        let joints_m =
            edges.iter().map(|[a, b]| joint(&parts[*a], &parts[*b], frames.len())).collect();
        let middles_m = parts
            .iter()
            .map(|part| (0..frames.len()).map(|frame| part.middle_m(frame)).collect())
            .collect();
        Self { edges, joints_m, middles_m }
    }

    /// The median distance between two joints.
    pub fn apart_m(&self, a: usize, b: usize) -> Option<f64> {
        let both = self.joints_m[a].iter().zip(&self.joints_m[b]);
        median(both.filter_map(|(a, b)| Some(((*a)? - (*b)?).norm())))
    }

    /// The mean cosine between a direction and the way from one segment to another.
    pub fn cosine(&self, from: usize, to: usize, along: &Vector3<f64>) -> Option<f64> {
        let both = self.middles_m[from].iter().zip(&self.middles_m[to]);
        let ways = both.filter_map(|(from, to)| ((*to)? - (*from)?).try_normalize(1e-6));
        mean(ways.map(|way| way.dot(along)))
    }
}

/// Where two parts meet: their centre of rotation, or, where they hardly turn, between their nearest markers.
fn joint(a: &Part, b: &Part, frames: usize) -> Track {
    turning(a, b, frames).unwrap_or_else(|| between(a, b, frames))
}

fn turning(a: &Part, b: &Part, frames: usize) -> Option<Track> {
    let (of_a, of_b) = (a.poses.as_ref()?, b.poses.as_ref()?);
    let fit = PairSums::from_poses(of_b, of_a).fit(&PairRule::default()).ok()?;
    let (in_b, in_a) = (fit.centre_in_child_m, fit.centre_in_parent_m);
    let size_m = size_m(a).max(size_m(b)).max(LEAST_SIZE_M);
    if fit.motion == PairMotion::None
        || a.nearest_m(&in_a).max(b.nearest_m(&in_b)) > FARTHEST * size_m
    {
        return None;
    }
    let at = |frame: usize| {
        let by = |poses: &crate::joint::Poses, point_m: &Point3<f64>| {
            Some((poses.isometry(frame)? * point_m).coords)
        };
        match (by(of_a, &in_a), by(of_b, &in_b)) {
            (Some(a), Some(b)) => Some((a + b) / 2.0),
            (one, other) => one.or(other),
        }
    };
    Some((0..frames).map(at).collect())
}

/// How far apart the points of a part are.
fn size_m(part: &Part) -> f64 {
    let points = &part.points_in_part_m;
    let apart = points.iter().flat_map(|a| points.iter().map(move |b| (a - b).norm()));
    apart.fold(0.0, f64::max)
}

fn between(a: &Part, b: &Part, frames: usize) -> Track {
    let pairs = a.tracks_m.iter().flat_map(|one| b.tracks_m.iter().map(move |other| (one, other)));
    let apart_m = |(one, other): &(&Track, &Track)| {
        let both = one.iter().zip(other.iter());
        mean(both.filter_map(|(one, other)| Some(((*one)? - (*other)?).norm())))
            .unwrap_or(f64::INFINITY)
    };
    let nearest = pairs.min_by(|one, other| apart_m(one).total_cmp(&apart_m(other)));
    match nearest {
        Some((one, other)) => {
            one.iter().zip(other).map(|(one, other)| Some(((*one)? + (*other)?) / 2.0)).collect()
        }
        None => vec![None; frames],
    }
}
