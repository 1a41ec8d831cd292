//! How well a joint between two parts explains how they move.

use nalgebra::{Point3, Vector3};

use super::part::Part;
use crate::centre::{ManyMethod, sphere_many};
use crate::joint::{AllPairs, PairMotion, PairRule, PairSums, Poses};
use crate::statistics::{mean, mean_and_variance, median};

/// What a link was found from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LinkEvidence {
    /// The poses of both parts.
    TwoSided,
    /// The pose of one part and the markers of the other.
    OneSided,
    /// Distances between markers: neither part has a pose.
    Distances,
}

/// The best joint between two parts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Link {
    /// How far the parts are from being held by it: rms over the frames.
    pub residual_m: f64,
    /// How far it is from the nearest point of either part, added up.
    pub reach_m: f64,
    /// Whether the motion makes all three of its coordinates observable.
    pub is_observable: bool,
    pub evidence: LinkEvidence,
}

/// Frames in which both parts must be seen.
const MIN_FRAMES: usize = 8;

impl Link {
    /// The best joint between two parts; `None` if they are hardly ever seen together.
    pub fn between(a: &Part, b: &Part, spacing_m: f64) -> Option<Self> {
        match (&a.poses, &b.poses) {
            (Some(of_a), Some(of_b)) => two_sided((a, of_a), (b, of_b)),
            (Some(of_a), None) => one_sided((a, of_a), b, spacing_m),
            (None, Some(of_b)) => one_sided((b, of_b), a, spacing_m),
            (None, None) => better(along(a, b, spacing_m), along(b, a, spacing_m), spacing_m),
        }
    }

    /// The residual, made worse by how far beyond the usual spacing of parts the joint would be.
    ///
    /// Parts that do not move against each other leave the same small residual wherever the joint is: then
    /// those belong together that are near.
    pub fn weight_m(&self, spacing_m: f64) -> f64 {
        let out = (self.reach_m - spacing_m).max(0.0) / spacing_m.max(LEAST_RESIDUAL_M);
        self.residual_m.hypot(LEAST_RESIDUAL_M) * (1.0 + out)
    }
}

/// Residuals below this are as good as none.
const LEAST_RESIDUAL_M: f64 = 1e-4;

fn better(one: Option<Link>, other: Option<Link>, spacing_m: f64) -> Option<Link> {
    let both = [one, other].into_iter().flatten();
    both.min_by(|a, b| a.weight_m(spacing_m).total_cmp(&b.weight_m(spacing_m)))
}

fn two_sided((a, of_a): (&Part, &Poses), (b, of_b): (&Part, &Poses)) -> Option<Link> {
    from_sums(&PairSums::from_poses(of_a, of_b), |c, l| a.nearest_m(c) + b.nearest_m(l))
}

fn from_sums(sums: &PairSums, reach_m: impl Fn(&Point3<f64>, &Point3<f64>) -> f64) -> Option<Link> {
    if sums.samples() < MIN_FRAMES {
        return None;
    }
    let fit = sums.fit(&PairRule::default()).ok()?;
    Some(Link {
        residual_m: fit.residual_m,
        reach_m: reach_m(&fit.centre_in_child_m, &fit.centre_in_parent_m),
        is_observable: fit.motion == PairMotion::Ball,
        evidence: LinkEvidence::TwoSided,
    })
}

/// A joint that the motion tells counts as at most so far beyond the usual spacing, as a share of it.
const MOST_OUT: f64 = 0.3;

/// Every pair of bodies that has a link, with it; of a body its origin is all that is known. That may be anywhere on
/// it, on a finger near its joints and on an arm far from them: how far counts little where the motion tells the
/// joint.
pub(crate) fn of_pairs(pairs: &AllPairs, spacing_m: f64) -> Vec<([usize; 2], Link)> {
    linked(pairs.bodies(), spacing_m, |a, b| {
        let mut link = from_sums(&pairs.pair(a, b), |c, l| c.coords.norm() + l.coords.norm())?;
        if link.is_observable {
            link.reach_m = link.reach_m.min((1.0 + MOST_OUT) * spacing_m);
        }
        Some(link)
    })
}

/// A part with a pose, and one or two markers, or markers on a line, about a point of it: the centre
/// of the spheres they are on, or one of its own points.
fn one_sided((a, of_a): (&Part, &Poses), b: &Part, spacing_m: f64) -> Option<Link> {
    let tracks: Vec<[Vec<f64>; 3]> = b
        .tracks_m
        .iter()
        .map(|track| in_part(of_a, track))
        .filter(|t| t[0].len() >= MIN_FRAMES)
        .collect();
    let markers: Vec<[&[f64]; 3]> =
        tracks.iter().map(|[x, y, z]| [&x[..], &y[..], &z[..]]).collect();
    if markers.is_empty() {
        return None;
    }
    let sphere = sphere_many(&markers, ManyMethod::SelfCalibrated).ok().map(|fit| fit.centre);
    let finite = sphere.filter(|c| c.coords.iter().all(|v| v.is_finite()));
    let centres = finite.into_iter().chain(a.points_in_part_m.iter().copied());
    let links = centres.map(|centre| {
        let (square, nearest_m) =
            markers.iter().fold((0.0, f64::INFINITY), |(square, nearest), track| {
                let at = |k: usize| Vector3::new(track[0][k], track[1][k], track[2][k]);
                let apart_m = (0..track[0].len()).map(|k| (at(k) - centre.coords).norm());
                let (mean, variance) = mean_and_variance(apart_m).unwrap_or_default();
                (square + variance, nearest.min(mean))
            });
        Link {
            residual_m: comparable(square, markers.len()),
            reach_m: a.nearest_m(&centre) + nearest_m,
            is_observable: false,
            evidence: LinkEvidence::OneSided,
        }
    });
    links.min_by(|one, other| one.weight_m(spacing_m).total_cmp(&other.weight_m(spacing_m)))
}

/// A marker's positions in the frame of a part, where both are seen, one vector an axis.
fn in_part(poses: &Poses, track_m: &[Option<Vector3<f64>>]) -> [Vec<f64>; 3] {
    let mut axes: [Vec<f64>; 3] = Default::default();
    for (frame, seen) in track_m.iter().enumerate() {
        if let (Some(seen), Some((rotation, origin_m))) = (seen, poses.pose(frame)) {
            let point = rotation.tr_mul(&(seen - origin_m));
            axes.iter_mut().zip(point.iter()).for_each(|(axis, value)| axis.push(*value));
        }
    }
    axes
}

/// Neither part has a pose: the joint is looked for along the line through the markers of `a`.
fn along(a: &Part, b: &Part, spacing_m: f64) -> Option<Link> {
    let (first, last) = (a.tracks_m.first()?, a.tracks_m.last()?);
    let is_point = a.tracks_m.len() == 1;
    let mut best = None;
    for step in -4..=12 {
        if is_point && step != 0 {
            continue;
        }
        let share = f64::from(step) / 8.0;
        let at = |frame: usize| Some(first[frame]? * (1.0 - share) + last[frame]? * share);
        let (mut square, mut markers, mut nearest_m) = (0.0, 0, f64::INFINITY);
        for track in &b.tracks_m {
            let distances: Vec<f64> = (0..track.len())
                .filter_map(|frame| Some((track[frame]? - at(frame)?).norm()))
                .collect();
            if distances.len() >= MIN_FRAMES {
                let (mean, variance) =
                    mean_and_variance(distances.iter().copied()).unwrap_or_default();
                (square, markers) = (square + variance, markers + 1);
                nearest_m = nearest_m.min(mean);
            }
        }
        if markers > 0 {
            let lengths = (0..first.len()).filter_map(|f| Some((first[f]? - last[f]?).norm()));
            let length_m = mean(lengths).unwrap_or(0.0);
            let link = Link {
                residual_m: comparable(square, markers),
                reach_m: nearest_m + length_m * share.abs().min((1.0 - share).abs()),
                is_observable: false,
                evidence: LinkEvidence::Distances,
            };
            best = better(best, Some(link), spacing_m);
        }
    }
    best
}

/// The rms of so many distances, made worse for want of the three that two poses give: one or two are
/// easily kept by chance.
fn comparable(square: f64, distances: usize) -> f64 {
    (square / distances as f64).sqrt() * 3.0 / distances.min(3) as f64
}

/// The usual spacing of parts: the median distance of a part to its nearest.
pub(crate) fn spacing_m(parts: &[Part]) -> f64 {
    let distance_m = |a: &Part, b: &Part| {
        let frames = a.tracks_m.first().map_or(0, Vec::len);
        let seen = (0..frames).filter_map(|f| Some((a.middle_m(f)? - b.middle_m(f)?).norm()));
        mean(seen).unwrap_or(f64::INFINITY)
    };
    let nearest = (0..parts.len()).map(|a| {
        let others = (0..parts.len()).filter(|b| *b != a);
        others.map(|b| distance_m(&parts[a], &parts[b])).fold(f64::INFINITY, f64::min)
    });
    median(nearest.filter(|apart_m| apart_m.is_finite())).unwrap_or(0.0)
}

/// Every pair of parts that has a link, with it.
pub(crate) fn all(parts: &[Part], spacing_m: f64) -> Vec<([usize; 2], Link)> {
    linked(parts.len(), spacing_m, |a, b| Link::between(&parts[a], &parts[b], spacing_m))
}

fn linked(
    parts: usize,
    spacing_m: f64,
    between: impl Fn(usize, usize) -> Option<Link>,
) -> Vec<([usize; 2], Link)> {
    let mut links = Vec::new();
    for a in 0..parts {
        for b in a + 1..parts {
            let usable = between(a, b).filter(|link| link.weight_m(spacing_m).is_finite());
            links.extend(usable.map(|link| ([a, b], link)));
        }
    }
    links
}
