//! Fingers that are all but straight: a tip hardly moves while its finger begins to bend, and what little it moves two
//! postures share, so one distance does not tell the bend.
//!
//! # Method
//! The distance d of the tip from the base depends on the driving angle θ by d = D(θ), which rises and falls again where
//! the finger is straight, for its marker is on the nail. Every angle is as likely as the noise σ of the distance lets it
//! be, as far as the base may then be bent, and the more the likelier the more alike base and middle joint are bent, as
//! they are when a hand closes: p(θ) ∝ exp(-(d-D(θ))²/2σ²) exp(-(θ-φ)²/2s²) for flexions φ of the base within limits. The
//! angle that is taken is the one to be expected of that; how sure it is, is where the angles below and above it lie.
//!
//! # Reference
//! M. Santello, M. Flanders and J. F. Soechting (1998), *Postural hand synergies for tool use*: base and middle joints
//! bend together in the first of their components. The rest is ours.

use super::chain::Chain;

/// Angles are this near to each other in the table.
const STEP_RAD: f64 = 0.01;
/// Angles that are so many σ off are left out.
const BEYOND: f64 = 4.5;
/// How unlike base and driving angle are, one standard deviation.
const UNLIKE_RAD: f64 = 0.6;
/// How softly limits of the base end, one standard deviation.
const SOFT_RAD: f64 = 0.03;

/// The table; empty where the noise is not known.
#[derive(Debug, Clone, Default)]
pub(super) struct Straight {
    noise_m: f64,
    base_rad: [f64; 2],
    /// Tips that are nearer than this are bent for certain, and none is farther than the other.
    reach_m: [f64; 2],
    nodes: Vec<Node>,
}

#[derive(Debug, Clone, Copy)]
struct Node {
    drive_rad: f64,
    distance_m: f64,
    /// The direction of the tip when the base is not bent, as a flexion.
    turned_rad: f64,
}

/// What is to be expected of a driving angle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Expected {
    pub mean_rad: f64,
    /// The mean of the angles below and above that mean, and how likely it is to be among them.
    pub sides: [[f64; 2]; 2],
    /// How many times the variance of all angles is that of the two.
    pub variance_ratio: f64,
}

impl Straight {
    /// The table of a finger for the noise of the distance of its tip.
    pub fn of(chain: &Chain, noise_m: f64) -> Self {
        if noise_m.is_nan() || noise_m <= 1e-9 {
            return Self::default();
        }
        let [least, most] = chain.legal_range();
        let most_steps = (MOST_NODES - 1) as f64;
        let count = ((most - least) / STEP_RAD).ceil().clamp(1.0, most_steps) as usize;
        let nodes: Vec<Node> = (0..=count)
            .map(|step| {
                let drive_rad = least + (most - least) * step as f64 / count as f64;
                let [x, z] = chain.end(drive_rad).0;
                Node { drive_rad, distance_m: x.hypot(z), turned_rad: f64::atan2(-z, x) }
            })
            .collect();
        // What is farther than the least bent finger is the only angle at its distance.
        let least_m = nodes[0].distance_m.min(chain.reach_m[0]) - BEYOND * noise_m;
        let last = nodes.iter().rposition(|node| node.distance_m >= least_m - BEYOND * noise_m);
        let kept = last.map_or(0, |last| last + 1);
        Self {
            noise_m,
            base_rad: chain.flexion_rad[0],
            reach_m: [least_m, nodes.iter().map(|node| node.distance_m).fold(0.0, f64::max)],
            nodes: nodes[..kept].to_vec(),
        }
    }

    /// What is to be expected for a tip so far from the base in a direction, as a flexion; `None` where the finger is
    /// bent for certain, or its tip out of reach.
    pub fn expected(&self, distance_m: f64, direction_rad: f64) -> Option<Expected> {
        let [least_m, farthest_m] = self.reach_m;
        if self.nodes.is_empty() || distance_m < least_m {
            return None;
        }
        // What is out of reach is as if it were just in reach.
        let distance_m = distance_m.min(farthest_m);
        let weight = |node: &Node| {
            let off = (distance_m - node.distance_m) / self.noise_m;
            if off.abs() > BEYOND {
                return 0.0;
            }
            let base_rad = super::closed_form::wrapped(direction_rad - node.turned_rad);
            let [least, most] = self.base_rad;
            let outside = (least - base_rad).max(base_rad - most).max(0.0) / SOFT_RAD;
            let unlike = (node.drive_rad - base_rad) / UNLIKE_RAD;
            (-0.5 * (off * off + outside * outside + unlike * unlike)).exp()
        };
        let (mut sum, mut first, mut second) = (0.0, 0.0, 0.0);
        let mut weights = [0.0; MOST_NODES];
        for (node, slot) in self.nodes.iter().zip(&mut weights) {
            let own = weight(node);
            *slot = own;
            sum += own;
            first += own * node.drive_rad;
            second += own * node.drive_rad * node.drive_rad;
        }
        if sum < LEAST_SUM {
            return None;
        }
        let mean_rad = first / sum;
        let variance = (second / sum - mean_rad * mean_rad).max(STEP_RAD * STEP_RAD / 12.0);
        let mut halves = [[0.0; 2]; 2];
        for (node, own) in self.nodes.iter().zip(weights) {
            let half = &mut halves[usize::from(node.drive_rad > mean_rad)];
            half[0] += own * node.drive_rad;
            half[1] += own;
        }
        let sides = halves.map(|[first, own]| match own > 0.0 {
            true => [first / own, own / sum],
            false => [mean_rad, 0.0],
        });
        let of_two: f64 = sides.iter().map(|[at, own]| own * (at - mean_rad).powi(2)).sum();
        let variance_ratio = if of_two > 0.0 { (variance / of_two).min(4.0) } else { 1.0 };
        Some(Expected { mean_rad, sides, variance_ratio })
    }
}

/// Room for the angles of any finger: a full turn.
const MOST_NODES: usize = 640;
/// Less than this is said by nothing but tails.
const LEAST_SUM: f64 = 1e-12;
