//! Two parts that hang together over a segment without markers: a hand on an upper arm, a foot on a thigh.

use nalgebra::{SMatrix, SVector, Vector3};

use super::part::Part;
use crate::statistics::centroid;

/// A segment without markers between two parts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Unmarked {
    /// Its length, from joint to joint.
    pub length_m: f64,
    /// How much that varies: rms over the frames.
    pub residual_m: f64,
    /// How far its joints are from the nearest points of either part, added up.
    pub reach_m: f64,
}

/// Frames in which both parts must be seen: four for every parameter.
const MIN_FRAMES: usize = 28;
/// Joints are held to the middles of their parts as if each frame said so, with a spread so many times that of
/// lengths: where the motion does not tell them they stay there.
const ANCHOR_SPREAD_RATIO: f64 = 50.0;
/// Rounds of Gauss and Newton, at most.
const ROUNDS: usize = 60;
/// A round that changes less than this is the last, in metres.
const SETTLED_M: f64 = 1e-6;

type Parameters = SVector<f64, 7>;

/// The two poses of a frame.
type Frame = [(nalgebra::Matrix3<f64>, Vector3<f64>); 2];

impl Unmarked {
    /// The segment that explains best how two parts move; nothing if one has no pose, or they are seldom seen together.
    ///
    /// # Method
    /// A point p of one part and a point q of the other keep their distance L. Of all p, q and L those with the least
    /// Σ (|a(p) - b(q)| - L)² are taken, by Gauss and Newton with damping, from the middles of both parts.
    pub fn between(a: &Part, b: &Part) -> Option<Self> {
        let (of_a, of_b) = (a.poses.as_ref()?, b.poses.as_ref()?);
        let both = |frame| Some([of_a.pose(frame)?, of_b.pose(frame)?]);
        let frames: Vec<Frame> = (0..of_a.frames()).filter_map(both).collect();
        if frames.len() < MIN_FRAMES {
            return None;
        }
        let middle = |part: &Part| {
            let points = part.points_in_part_m.iter().copied();
            centroid(points).map_or_else(Vector3::zeros, |point| point.coords)
        };
        let held = [middle(a), middle(b)];
        let mut start = Parameters::zeros();
        start.fixed_rows_mut::<3>(0).copy_from(&held[0]);
        start.fixed_rows_mut::<3>(3).copy_from(&held[1]);
        start[6] = frames.iter().map(|f| apart_m(f, &start)).sum::<f64>() / frames.len() as f64;
        let found = least_squares(&frames, &held, start);
        let square: f64 = frames.iter().map(|f| (apart_m(f, &found) - found[6]).powi(2)).sum();
        let [p, q] = points(&found).map(nalgebra::Point3::from);
        Some(Self {
            length_m: found[6],
            residual_m: (square / frames.len() as f64).sqrt(),
            reach_m: a.nearest_m(&p) + b.nearest_m(&q),
        })
    }
}

fn points(parameters: &Parameters) -> [Vector3<f64>; 2] {
    [parameters.fixed_rows::<3>(0).into_owned(), parameters.fixed_rows::<3>(3).into_owned()]
}

/// From the joint on the second part to that on the first.
fn apart([(turn_a, at_a), (turn_b, at_b)]: &Frame, parameters: &Parameters) -> Vector3<f64> {
    let [p, q] = points(parameters);
    turn_a * p + at_a - turn_b * q - at_b
}

fn apart_m(frame: &Frame, parameters: &Parameters) -> f64 {
    apart(frame, parameters).norm()
}

/// The sum of squares, joints held to the middles.
fn square(frames: &[Frame], held: &[Vector3<f64>; 2], parameters: &Parameters) -> f64 {
    let off: f64 = frames.iter().map(|f| (apart_m(f, parameters) - parameters[6]).powi(2)).sum();
    let [p, q] = points(parameters);
    let pull = (p - held[0]).norm_squared() + (q - held[1]).norm_squared();
    off + pull * frames.len() as f64 / (ANCHOR_SPREAD_RATIO * ANCHOR_SPREAD_RATIO)
}

fn least_squares(frames: &[Frame], held: &[Vector3<f64>; 2], start: Parameters) -> Parameters {
    let mut now = start;
    let mut least = square(frames, held, &now);
    let mut damping = 1e-3;
    let pull = frames.len() as f64 / (ANCHOR_SPREAD_RATIO * ANCHOR_SPREAD_RATIO);
    for _ in 0..ROUNDS {
        let (mut normal, mut gradient) = (SMatrix::<f64, 7, 7>::zeros(), Parameters::zeros());
        for frame in frames {
            let between = apart(frame, &now);
            let length_m = between.norm().max(SETTLED_M);
            let along = between / length_m;
            let mut row = Parameters::zeros();
            row.fixed_rows_mut::<3>(0).copy_from(&frame[0].0.tr_mul(&along));
            row.fixed_rows_mut::<3>(3).copy_from(&-frame[1].0.tr_mul(&along));
            row[6] = -1.0;
            normal += row * row.transpose();
            gradient += row * (length_m - now[6]);
        }
        let off = points(&now);
        for at in 0..6 {
            normal[(at, at)] += pull;
            gradient[at] += pull * (off[at / 3][at % 3] - held[at / 3][at % 3]);
        }
        let mut damped = normal;
        (0..7).for_each(|at| damped[(at, at)] *= 1.0 + damping);
        let Some(step) = damped.cholesky().map(|factor| factor.solve(&gradient)) else { break };
        let next = now - step;
        let then = square(frames, held, &next);
        if then < least {
            (now, least, damping) = (next, then, damping * 0.2);
            if step.amax() < SETTLED_M {
                break;
            }
        } else {
            damping *= 10.0;
        }
    }
    now
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulate::{Options, Performer, simulate};
    use crate::topology::spread_frames;

    #[test]
    fn a_forearm_without_markers_holds_the_hand_and_no_other_limb_does() {
        let options = Options { seconds: 20.0, noise_m: 1e-3, ..Options::default() };
        let simulation = simulate(&Performer::human(), &options).unwrap();
        let frames = spread_frames(simulation.trial.frames, 128);
        let part = |name: &str| {
            let at = simulation.truth.segments.iter().position(|s| s.name == name).unwrap();
            let markers = simulation.truth.markers.iter().enumerate();
            let own = markers.filter(|(_, marker)| marker.segment == at);
            let own: Vec<usize> = own.map(|(marker, _)| marker).collect();
            Part::of_markers(&simulation.trial, &own, &frames)
        };
        let over_m = |one: &str, other: &str| {
            Unmarked::between(&part(one), &part(other)).unwrap().residual_m
        };
        let forearm = Unmarked::between(&part("left upper arm"), &part("left hand")).unwrap();
        assert!(forearm.residual_m < 5e-3, "{forearm:?}");
        assert!((0.15..0.4).contains(&forearm.length_m), "{forearm:?}");
        assert!(over_m("right upper arm", "left hand") > 4.0 * forearm.residual_m);
        assert!(over_m("left thigh", "left hand") > 4.0 * forearm.residual_m);
    }
}
