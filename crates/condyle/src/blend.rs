//! One motion of a skeleton after another, passing over from the first to the second in a stated time.
//!
//! # Method
//! The second motion is turned about up, and moved along the ground, so that its root is where that of the first is, and
//! faces the same way, in the middle of the passage. In the passage every joint turns along the shortest way between the
//! two, by a share that rises from 0 to 1 as 3s² − 2s³, whose rate is zero at both ends; a root goes straight. Bones are
//! those of the skeleton throughout.
//!
//! # Reference
//! L. Kovar, M. Gleicher and F. Pighin 2002, *Motion graphs*, SIGGRAPH, section 3.2.

#[cfg(feature = "skeleton")]
mod recordings;

#[cfg(feature = "skeleton")]
pub use recordings::{Blended, recordings};

use nalgebra::{Isometry3, Translation3, Unit, UnitQuaternion, Vector3};

use crate::cardan::Sequence;
use crate::error::{Error, Result};
use crate::motion::{Motion, parent_from_joint};
use crate::skeleton::{Joint, JointChannel};

/// Bones of one subject differ by no more, as files round them.
const SAME_M: f64 = 1e-4;

/// A motion and where the passage is in it.
#[derive(Debug, Clone, PartialEq)]
pub struct Blend {
    /// The first motion, the passage, the rest of the second.
    pub motion: Motion,
    /// The frames in which it is neither of the two.
    pub passage: std::ops::Range<usize>,
}

/// Blends the end of one motion into the begin of another, over so many frames.
///
/// # Errors
/// The skeletons are not the same, or a motion is shorter than the passage.
pub fn blend(
    one: &Motion,
    other: &Motion,
    frames: usize,
    up: &Unit<Vector3<f64>>,
) -> Result<Blend> {
    check_same(one, other)?;
    for (name, motion) in [("first", one), ("second", other)] {
        if motion.frames() < frames.max(1) {
            let what = format!(
                "blend: need {} frames in the {name} motion, got {}",
                frames.max(1),
                motion.frames()
            );
            return Err(Error::argument(what));
        }
    }
    let skeleton = one.skeleton();
    let begin = one.frames() - frames;
    let middle = frames / 2;
    let last = |motion: &Motion, frame: usize| frame.min(motion.frames() - 1);
    let there = root(one, last(one, begin + middle));
    let here = root(other, last(other, middle));
    let moved = aligned(&there, &here, up);
    let mut values = Vec::with_capacity((begin + other.frames()) * skeleton.channel_count());
    for frame in 0..begin {
        values.extend_from_slice(one.frame_values(frame).unwrap_or_default());
    }
    for frame in 0..other.frames() {
        let share = passed(frame, frames);
        let own = one.frame_values(begin + frame).filter(|_| frame < frames);
        let next = other.frame_values(frame).unwrap_or_default();
        for (index, joint) in skeleton.joints().iter().enumerate() {
            let channels = skeleton.channels_of(index);
            let next = &next[channels.clone()];
            let own = own.map(|own| &own[channels]);
            // What is moved as a whole hangs on nothing.
            let moved = if joint.parent.is_none() { moved } else { Isometry3::identity() };
            let start = values.len().checked_sub(skeleton.channel_count());
            let before: Vec<f64> = match start {
                Some(start) => values[start..start + next.len()].to_vec(),
                None => next.to_vec(),
            };
            joint_values(joint, own, next, share, &moved, &before, &mut values);
        }
    }
    let motion = Motion::new(skeleton.clone(), begin + other.frames(), values)?;
    Ok(Blend { motion, passage: begin..begin + frames })
}

/// How much of the second motion there is in a frame of the passage: never none and never all.
fn passed(frame: usize, frames: usize) -> f64 {
    if frame >= frames {
        return 1.0;
    }
    let s = (frame + 1) as f64 / (frames + 1) as f64;
    s * s * (3.0 - 2.0 * s)
}

fn root(motion: &Motion, frame: usize) -> Isometry3<f64> {
    let joints = motion.skeleton().joints();
    let at = joints.iter().position(|joint| joint.parent.is_none());
    let values = motion.frame_values(frame).unwrap_or_default();
    at.and_then(|at| {
        let own = values.get(motion.skeleton().channels_of(at))?;
        Some(parent_from_joint(&joints[at], own))
    })
    .unwrap_or_default()
}

/// What brings one pose over another along the ground, with a turn about up alone.
fn aligned(
    there: &Isometry3<f64>,
    here: &Isometry3<f64>,
    up: &Unit<Vector3<f64>>,
) -> Isometry3<f64> {
    let between = there.rotation * here.rotation.inverse();
    let angle = 2.0 * between.imag().dot(up).atan2(between.w);
    let turn = UnitQuaternion::from_axis_angle(up, angle);
    let way = there.translation.vector - turn * here.translation.vector;
    let level = way - up.into_inner() * way.dot(up);
    Isometry3::from_parts(Translation3::from(level), turn)
}

/// The values of a joint in a frame: between its own in both motions.
fn joint_values(
    joint: &Joint,
    own: Option<&[f64]>,
    next: &[f64],
    share: f64,
    moved: &Isometry3<f64>,
    before: &[f64],
    values: &mut Vec<f64>,
) {
    let to = moved * parent_from_joint(joint, next);
    let pose = own.map_or(to, |own| {
        let from = parent_from_joint(joint, own);
        // A half turn has no shortest way: the second motion is taken at once.
        let turn = from.rotation.try_slerp(&to.rotation, share, 1e-9).unwrap_or(to.rotation);
        let at = from.translation.vector.lerp(&to.translation.vector, share);
        Isometry3::from_parts(Translation3::from(at), turn)
    });
    let turned = joint.joint_from_axes.inverse() * pose.rotation * joint.joint_from_axes;
    let turns = joint.channels.iter().enumerate().filter_map(|(at, channel)| match channel {
        JointChannel::Rotation(axis) => Some((at, *axis)),
        JointChannel::Translation(_) => None,
    });
    let turns: Vec<(usize, u8)> = turns.collect();
    let angles = match turns[..] {
        [(a, first), (b, second), (c, third)] => Sequence::new([first, second, third])
            .map(|order| order.angles(&turned, [before[a], before[b], before[c]])),
        _ => None,
    };
    let mut turn = 0;
    for (at, channel) in joint.channels.iter().enumerate() {
        values.push(match (channel, angles) {
            (JointChannel::Translation(axis), _) => {
                pose.translation.vector[usize::from((*axis).min(2))]
            }
            (JointChannel::Rotation(_), Some(angles)) => {
                turn += 1;
                angles[turn - 1]
            }
            // A hinge turns on a line.
            (JointChannel::Rotation(_), None) => {
                let from = own.map_or(next[at], |own| own[at]);
                let whole = std::f64::consts::TAU;
                let to = next[at] + whole * ((from - next[at]) / whole).round();
                from + (to - from) * share
            }
        });
    }
}

fn check_same(one: &Motion, other: &Motion) -> Result<()> {
    let [a, b] = [one, other].map(|motion| motion.skeleton().joints());
    if a.len() != b.len() {
        let what = format!(
            "blend: need two motions of one skeleton, got {} and {} joints",
            a.len(),
            b.len()
        );
        return Err(Error::argument(what));
    }
    for (a, b) in a.iter().zip(b) {
        let is_same_tree = a.name == b.name && a.parent == b.parent && a.channels == b.channels;
        let apart_m = (a.offset_in_parent_m - b.offset_in_parent_m).norm();
        let turned = a.joint_from_axes.angle_to(&b.joint_from_axes);
        // Where a root is at rest says nothing.
        if !is_same_tree || (a.parent.is_some() && apart_m > SAME_M) || turned > 1e-6 {
            let what = format!(
                "blend: need two motions of one skeleton, got joint '{}' and joint '{}', {:.1} mm apart in their bones",
                a.name,
                b.name,
                1e3 * apart_m
            );
            return Err(Error::argument(what));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::skeleton::Skeleton;

    /// A root with six channels, a ball joint and a hinge.
    fn motion(frames: usize, turn: f64, speed: f64) -> Motion {
        let mut root = Joint::new("root", None, Vector3::zeros());
        root.channels = [0, 1, 2].map(JointChannel::Translation).into();
        root.channels.extend([2, 0, 1].map(JointChannel::Rotation));
        let mut ball = Joint::new("ball", Some(0), Vector3::new(0.0, 0.4, 0.0));
        ball.channels = [2, 0, 1].map(JointChannel::Rotation).into();
        let mut hinge = Joint::new("hinge", Some(1), Vector3::new(0.3, 0.1, 0.0));
        hinge.channels = vec![JointChannel::Rotation(0)];
        let end = Joint::new("end", Some(2), Vector3::new(0.2, 0.0, 0.1));
        let skeleton = Skeleton::new(vec![root, ball, hinge, end]).unwrap();
        let values = (0..frames).flat_map(|frame| {
            let t = frame as f64 / 50.0;
            let heading = turn + 0.2 * t;
            let way = speed * t;
            let at = [way * heading.sin(), 0.9 + 0.02 * (9.0 * t).sin(), way * heading.cos()];
            let swing = (6.0 * t + turn).sin();
            [at[0], at[1], at[2], 0.05 * swing, 0.1, heading, 0.4 * swing, 0.3, -0.2, 0.7 * swing]
        });
        Motion::new(skeleton, frames, values.collect()).unwrap()
    }

    #[test]
    fn joints_are_continuous_and_bones_constant() {
        let (one, other) = (motion(100, 0.3, 1.2), motion(120, 2.5, 1.0));
        let own = blend(&one, &other, 25, &Vector3::y_axis()).unwrap();
        assert_eq!((own.motion.frames(), own.passage.clone()), (195, 75..100));
        let places: Vec<_> =
            (0..195).map(|frame| own.motion.joint_positions_m(frame).unwrap()).collect();
        let bones = [(0, 1, 0.4), (1, 2, 0.1f64.sqrt()), (2, 3, 0.05f64.sqrt())];
        for place in &places {
            for (a, b, length_m) in bones {
                assert!(((place[a] - place[b]).norm() - length_m).abs() < 1e-12);
            }
        }
        // No frame goes farther than frames of the motions do, but for what lies between them, spread over the passage.
        let steps = |all: &[Vec<nalgebra::Point3<f64>>]| -> Vec<f64> {
            let step = |pair: &[Vec<nalgebra::Point3<f64>>]| {
                pair[0].iter().zip(&pair[1]).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max)
            };
            all.windows(2).map(step).collect()
        };
        let of = |motion: &Motion| {
            let all: Vec<_> =
                (0..motion.frames()).map(|f| motion.joint_positions_m(f).unwrap()).collect();
            steps(&all).into_iter().fold(0.0, f64::max)
        };
        let most = of(&one).max(of(&other));
        let blended = steps(&places);
        assert!(blended.iter().all(|step| *step < 1.6 * most), "{most} {blended:?}");
        // Before and after it is the motions themselves: the second along the ground and about up alone.
        assert_eq!(own.motion.frame_values(74), one.frame_values(74));
        let there = other.joint_positions_m(60).unwrap();
        for (own, there) in places[75 + 60].iter().zip(there) {
            assert!((own.y - there.y).abs() < 1e-12);
        }
    }

    #[test]
    fn other_skeletons_and_short_motions_are_refused() {
        let (one, other) = (motion(10, 0.0, 1.0), motion(30, 0.0, 1.0));
        let up = Vector3::y_axis();
        let error = blend(&one, &other, 11, &up).unwrap_err().to_string();
        assert!(error.contains("need 11 frames in the first motion, got 10"), "{error}");
        let mut joints = one.skeleton().joints().to_vec();
        joints[2].offset_in_parent_m.x += 1e-3;
        let longer =
            Motion::new(Skeleton::new(joints).unwrap(), 10, one.values().to_vec()).unwrap();
        let error = blend(&longer, &other, 5, &up).unwrap_err().to_string();
        assert!(error.contains("'hinge'") && error.contains("1.0 mm"), "{error}");
        let none = blend(&one, &other, 0, &up).unwrap();
        assert_eq!((none.motion.frames(), none.passage), (40, 10..10));
    }
}
