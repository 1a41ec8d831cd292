//! Which limb is the left one: bodies bend, walk and look forwards.

use nalgebra::Vector3;

use super::matching::Match;
use super::measure::{Measured, Track};
use super::template::Template;
use super::{Creature, Side};
use crate::statistics::mean;

/// So far a knee is before the line from hip to ankle, in shares of the body's size, that it tells; elbows are behind
/// theirs, and feet before their ankle.
const KNEE: f64 = 0.015;
const ELBOW: f64 = 0.03;
const FOOT: f64 = 0.02;
/// Whoever travels as far as a share of the body's size does it forwards, as a rule.
const TRAVELS: f64 = 0.6;
/// What each of them counts at most, as a logarithm of odds.
const KNEE_ODDS: f64 = 3.0;
const ELBOW_ODDS: f64 = 1.0;
const FOOT_ODDS: f64 = 2.0;
const TRAVEL_ODDS: f64 = 2.5;
/// A trunk that lies along the ground tells forwards.
const TRUNK_ODDS: f64 = 5.0;
/// Both pairs of limbs are on the same sides.
const PAIR_ODDS: f64 = 6.0;
const PAIR: f64 = 0.3;

/// Limbs: connected segments of one side.
pub(super) struct Limb {
    pub segments: Vec<usize>,
    pub is_leg: bool,
    pub side: Option<Side>,
    pub confidence: f64,
}

/// Finds the limbs and their sides.
pub(super) fn limbs(
    template: &Template,
    found: &Match,
    measured: &Measured,
    up: &Vector3<f64>,
) -> Vec<Limb> {
    let mut limbs = connected(template, found, measured);
    let of_kind = |is_leg: bool| -> Vec<usize> {
        (0..limbs.len()).filter(|limb| limbs[*limb].is_leg == is_leg).collect()
    };
    let body = Body { template, found, measured, up };
    let [legs, arms] = [true, false].map(of_kind);
    let told = |pair: &[usize]| match pair {
        [one, other] => Some(body.across(&limbs[*one], &limbs[*other])),
        _ => None,
    };
    let [by_legs, by_arms] = [&legs, &arms].map(|pair| told(pair));
    // How surely the first limb of a pair is the left one, as a logarithm of odds.
    let evidence = |across: &Option<Track>| {
        across.as_ref().map_or(0.0, |across| body.forwards(&limbs, across))
    };
    let own = [evidence(&by_legs), evidence(&by_arms)];
    let agree = by_legs.as_ref().zip(by_arms.as_ref()).map_or(0.0, |(a, b)| same_way(a, b));
    let bound = |odds: f64| odds.clamp(-agree.abs(), agree.abs()) * agree.signum();
    // Evidence of all limbs is in both, where both are there: of the one that is measured against the hips.
    let legs_odds = if by_legs.is_some() { own[0] } else { 0.0 };
    let arms_odds = if by_legs.is_some() { bound(own[0]) } else { own[1] };
    for (pair, odds) in [(legs, legs_odds), (arms, arms_odds)] {
        if let [one, other] = pair[..] {
            let is_left = odds > 0.0;
            let confidence = 1.0 / (1.0 + (-odds.abs()).exp());
            for (limb, is_left) in [(one, is_left), (other, !is_left)] {
                limbs[limb].confidence = confidence;
                limbs[limb].side = Some(if is_left { Side::Left } else { Side::Right });
            }
        }
    }
    limbs
}

/// Segments with sided roles that hang together.
fn connected(template: &Template, found: &Match, measured: &Measured) -> Vec<Limb> {
    let sided = |segment: usize| found.roles[segment].filter(|role| template.is_sided(*role));
    let mut limbs: Vec<Limb> = Vec::new();
    let mut seen = vec![false; found.roles.len()];
    for first in 0..found.roles.len() {
        let Some(role) = sided(first).filter(|_| !seen[first]) else { continue };
        let mut segments = vec![first];
        seen[first] = true;
        let mut at = 0;
        while at < segments.len() {
            for [a, b] in &measured.edges {
                for (from, to) in [(*a, *b), (*b, *a)] {
                    if from == segments[at] && !seen[to] && sided(to).is_some() {
                        seen[to] = true;
                        segments.push(to);
                    }
                }
            }
            at += 1;
        }
        limbs.push(Limb { segments, is_leg: template.is_leg(role), side: None, confidence: 0.5 });
    }
    limbs
}

struct Body<'a> {
    template: &'a Template,
    found: &'a Match,
    measured: &'a Measured,
    up: &'a Vector3<f64>,
}

impl Body<'_> {
    fn segment(&self, limb: &Limb, name: &str) -> Option<usize> {
        let role = self.template.role(name);
        limb.segments.iter().copied().find(|segment| self.found.roles[*segment] == role)
    }

    /// The joint between two segments.
    fn joint(&self, a: usize, b: usize) -> Option<&Track> {
        let is_it = |edge: &[usize; 2]| *edge == [a, b] || *edge == [b, a];
        let edge = self.measured.edges.iter().position(is_it)?;
        Some(&self.measured.joints_m[edge])
    }

    /// Where a limb hangs on the trunk, or its first segment.
    fn root(&self, limb: &Limb) -> Track {
        let edge = self.measured.edges.iter().position(|[a, b]| {
            limb.segments.contains(a) != limb.segments.contains(b)
                && [a, b].iter().all(|at| self.found.roles[**at].is_some())
        });
        match edge {
            Some(edge) => self.measured.joints_m[edge].clone(),
            None => self.measured.middles_m[limb.segments[0]].clone(),
        }
    }

    /// The way from the second limb to the first, level.
    fn across(&self, one: &Limb, other: &Limb) -> Track {
        let level = |way: Vector3<f64>| way - self.up * way.dot(self.up);
        let both = self.root(one).into_iter().zip(self.root(other));
        both.map(|(a, b)| level(a? - b?).try_normalize(1e-3)).collect()
    }

    /// How surely a way across points to the left.
    fn forwards(&self, limbs: &[Limb], across: &Track) -> f64 {
        // Left times up is forward.
        let ahead: Track = across.iter().map(|left| Some(left.as_ref()?.cross(self.up))).collect();
        let size_m = self.found.size_m;
        let mut odds = 0.0;
        let told = |by: Option<f64>, usual: f64, most: f64| {
            by.map_or(0.0, |by_m| most * (by_m / usual).tanh())
        };
        if self.template.creature == Creature::Person {
            for limb in limbs.iter().filter(|limb| limb.is_leg) {
                let bend = self.bend(limb, ["thigh", "shank", "foot"], &ahead);
                odds += told(bend, KNEE * size_m, KNEE_ODDS);
                odds += told(self.toes(limb, &ahead), FOOT * size_m, FOOT_ODDS);
            }
            for limb in limbs.iter().filter(|limb| !limb.is_leg) {
                let bend = self.bend(limb, ["upper arm", "forearm", "hand"], &ahead);
                odds -= told(bend, ELBOW * size_m, ELBOW_ODDS);
            }
        }
        odds + self.along_trunk(&ahead) + self.travels(&ahead)
    }

    /// How far the middle joint of a limb is before the line between its outer ones.
    fn bend(&self, limb: &Limb, [upper, lower, end]: [&str; 3], ahead: &Track) -> Option<f64> {
        let (upper, lower) = (self.segment(limb, upper)?, self.segment(limb, lower)?);
        let middle = self.joint(upper, lower)?;
        let top = self.root(limb);
        let bottom = match self.segment(limb, end).and_then(|end| self.joint(lower, end)) {
            Some(joint) => joint,
            None => &self.measured.middles_m[lower],
        };
        let frames = (0..ahead.len()).filter_map(|frame| {
            let (top, bottom) = (top[frame]?, bottom[frame]?);
            let line = (bottom - top).try_normalize(1e-3)?;
            let off_m = middle[frame]? - top;
            Some((off_m - line * off_m.dot(&line)).dot(&ahead[frame]?))
        });
        mean(frames)
    }

    /// How far the markers of a foot are before its ankle.
    fn toes(&self, limb: &Limb, ahead: &Track) -> Option<f64> {
        let foot = self.segment(limb, "foot")?;
        let shank = self.segment(limb, "shank")?;
        let ankle = self.joint(shank, foot)?;
        let frames = (0..ahead.len()).filter_map(|frame| {
            Some((self.measured.middles_m[foot][frame]? - ankle[frame]?).dot(&ahead[frame]?))
        });
        mean(frames)
    }

    /// A trunk that lies: from the pelvis to the chest, and on to the head.
    fn along_trunk(&self, ahead: &Track) -> f64 {
        if self.template.creature != Creature::Quadruped {
            return 0.0;
        }
        let of = |name: &str| {
            let role = self.template.role(name)?;
            self.found.roles.iter().position(|own| *own == Some(role))
        };
        let front = ["chest", "neck", "head"].into_iter().find_map(of);
        let back = ["pelvis", "abdomen"].into_iter().find_map(of);
        let Some((front, back)) = front.zip(back) else { return 0.0 };
        let frames = (0..ahead.len()).filter_map(|frame| {
            let way =
                self.measured.middles_m[front][frame]? - self.measured.middles_m[back][frame]?;
            Some(way.try_normalize(1e-3)?.dot(&ahead[frame]?))
        });
        TRUNK_ODDS * (mean(frames).unwrap_or(0.0) / PAIR).tanh()
    }

    /// How far the body goes ahead, and how far in all.
    fn travels(&self, ahead: &Track) -> f64 {
        let trunk = self.found.roles.iter().position(|role| *role == Some(0));
        let trunk = trunk.or_else(|| self.found.roles.iter().position(Option::is_some));
        let Some(trunk) = trunk else { return 0.0 };
        let middles_m = &self.measured.middles_m[trunk];
        let (mut along_m, mut all_m) = (0.0, 0.0);
        for frame in 1..ahead.len() {
            let step = middles_m[frame].zip(middles_m[frame - 1]);
            if let Some(((to, from), ahead)) = step.zip(ahead[frame]) {
                let step_m = to - from;
                let level_m = step_m - self.up * step_m.dot(self.up);
                along_m += level_m.dot(&ahead);
                all_m += level_m.norm();
            }
        }
        // Swaying is no travel.
        let far = (along_m.abs() / (TRAVELS * self.found.size_m)).min(1.0);
        let share = along_m / all_m.max(1e-6);
        TRAVEL_ODDS * far * (share / PAIR).tanh()
    }
}

/// How surely two ways across point to the same side: negative if they are opposite.
fn same_way(one: &Track, other: &Track) -> f64 {
    let cosines = one.iter().zip(other).filter_map(|(a, b)| Some((*a)?.dot(&(*b)?)));
    PAIR_ODDS * (mean(cosines).unwrap_or(0.0) / PAIR).tanh()
}
