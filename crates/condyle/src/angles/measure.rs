//! From the poses of two segments to three angles a frame.

use nalgebra::{Quaternion, UnitQuaternion};

use super::convention::{self, Convention};
use super::{Options, ZeroPose, swing_twist, zero_of};
use crate::anatomy::Anatomy;
use crate::cardan::Sequence;
use crate::marker_set::Side;
use crate::solve::SolvedMotion;
use crate::subject::{Joint, Subject};

/// A turn that is known worse than this, 20 degrees, and so many times worse than in a frame that shows all markers, is
/// no angle.
const MAX_TURN_SD_RAD: f64 = 0.35;
const MAX_TIMES_TYPICAL: f64 = 3.0;

/// Whether a turn with this standard error is shown, beside that of a frame that shows all markers.
pub(super) fn is_shown(sd_rad: Option<f64>, typical_rad: Option<f64>) -> bool {
    let most_rad = MAX_TURN_SD_RAD.max(MAX_TIMES_TYPICAL * typical_rad.unwrap_or(0.0));
    sd_rad.is_none_or(|sd_rad| sd_rad <= most_rad)
}

/// The orientation of every segment in one pose; `None` where it was not placed.
pub(super) type Orientations<'a> = dyn Fn(usize) -> Option<UnitQuaternion<f64>> + 'a;

/// The axes of both segments of a joint, and how to get angles from them.
#[derive(Debug, Clone)]
pub(super) struct Frames {
    pub convention: Convention,
    pub zero: ZeroPose,
    proximal: usize,
    distal: usize,
    proximal_from_axes: UnitQuaternion<f64>,
    distal_from_axes: UnitQuaternion<f64>,
    signs: [f64; 3],
}

impl Frames {
    /// `has_zero_frame`: a pose will be given in which all angles are zero.
    pub(super) fn new(
        subject: &Subject,
        joint: &Joint,
        anatomy: &Anatomy,
        has_zero_frame: bool,
    ) -> Self {
        // About a pose that is not anatomical y-x-y is at its lock where it should be zero.
        let is_sound = |frames: &Self| match frames.convention {
            Convention::Isb { sequence: Sequence::YXY, .. } => {
                frames.zero == ZeroPose::Anatomical && !has_zero_frame
            }
            _ => true,
        };
        Self::of_body(joint, anatomy)
            .filter(is_sound)
            .unwrap_or_else(|| Self::with_swing_and_twist(subject, joint))
    }

    /// Makes the pose in a frame the zero; changes nothing if it does not show the joint.
    pub(super) fn set_zero(&mut self, frame: usize, world_from: &Orientations) {
        if let Some(axes) = self.relative(world_from) {
            // What is turned away in that frame is taken out of the distal axes.
            self.distal_from_axes *= axes.inverse();
            self.zero = ZeroPose::Frame(frame);
        }
    }

    /// A joint between two parts of the body that have axes, if it has a name.
    fn of_body(joint: &Joint, anatomy: &Anatomy) -> Option<Self> {
        let [parent, child] = [joint.parent, joint.child]
            .map(|segment| Some((segment, anatomy.parts[segment]?, anatomy.axes[segment]?)));
        let (parent, child) = (parent?, child?);
        let is_parent_proximal = convention::is_proximal(parent.1.name, child.1.name)?;
        let (proximal, distal) = if is_parent_proximal { (parent, child) } else { (child, parent) };
        let named = convention::named(distal.1.name)?;
        Some(Self {
            convention: Convention::Isb {
                sequence: named.sequence(),
                distal: &named.distal,
                side: distal.1.side,
            },
            zero: zero_of(proximal.2.from, distal.2.from),
            proximal: proximal.0,
            distal: distal.0,
            proximal_from_axes: proximal.2.segment_from_axes,
            distal_from_axes: distal.2.segment_from_axes,
            signs: named.signs,
        })
    }

    /// Any joint: zero in its mean pose, y along what it twists about.
    fn with_swing_and_twist(subject: &Subject, joint: &Joint) -> Self {
        let child_from_axes = swing_twist::axes_of(subject, joint);
        Self {
            convention: Convention::SwingTwist,
            zero: ZeroPose::MeanPose,
            proximal: joint.parent,
            distal: joint.child,
            proximal_from_axes: joint.parent_from_child_rest * child_from_axes,
            distal_from_axes: child_from_axes,
            signs: [1.0; 3],
        }
    }

    /// The distal axes as the proximal ones see them in a pose.
    fn relative(&self, world_from: &Orientations) -> Option<UnitQuaternion<f64>> {
        let proximal = world_from(self.proximal)? * self.proximal_from_axes;
        let distal = world_from(self.distal)? * self.distal_from_axes;
        Some(proximal.inverse() * distal)
    }

    /// The three angles in every frame that shows them.
    pub(super) fn angles_rad(
        &self,
        solved: &SolvedMotion,
        is_shown: impl Fn(usize) -> bool,
    ) -> Vec<Option<[f64; 3]>> {
        let at = |frame: usize, previous: &mut Option<[f64; 3]>| {
            if !is_shown(frame) {
                return None;
            }
            let world_from = |segment| Some(solved.world_from_segment(frame, segment)?.rotation);
            self.next_rad(&world_from, previous)
        };
        let frames = solved.frames();
        let mut previous = None;
        let mut all: Vec<_> = (0..frames).map(|frame| at(frame, &mut previous)).collect();
        // A joint that was turned round when the recording began is not turned round ever after.
        let alone = |frame: usize| at(frame, &mut None);
        let is_elsewhere = |frame: &usize| match (all[*frame], alone(*frame)) {
            (Some(here), Some(alone)) => (0..3).any(|i| (here[i] - alone[i]).abs() > 1.0),
            _ => false,
        };
        let elsewhere: Vec<usize> = (0..frames).filter(is_elsewhere).collect();
        let square = |angles: [f64; 3]| angles.iter().map(|a| a * a).sum::<f64>();
        let size = |frame: &usize| alone(*frame).map_or(f64::INFINITY, square);
        let begin = elsewhere.iter().copied().min_by(|a, b| size(a).total_cmp(&size(b)));
        if let Some(begin) = begin.filter(|_| 2 * elsewhere.len() > all.iter().flatten().count()) {
            let mut previous = None;
            (begin..frames).for_each(|frame| all[frame] = at(frame, &mut previous));
            previous = None;
            (0..=begin).rev().for_each(|frame| all[frame] = at(frame, &mut previous));
        }
        all
    }

    /// The three angles in a pose, as near as can be to those of the pose before that showed the joint.
    pub(super) fn next_rad(
        &self,
        world_from: &Orientations,
        previous: &mut Option<[f64; 3]>,
    ) -> Option<[f64; 3]> {
        let turned = self.relative(world_from)?;
        let angles = match self.convention {
            Convention::Isb { sequence, side, .. } => {
                let turned = if side == Side::Left { mirrored(&turned) } else { turned };
                let before = previous.unwrap_or_else(|| self.first(sequence, &turned));
                sequence.angles(&turned, before)
            }
            Convention::SwingTwist => swing_twist::angles(&turned, *previous),
        };
        *previous = Some(angles);
        Some(std::array::from_fn(|i| angles[i] * self.signs[i]))
    }

    /// Where to begin: near zero, and with the arm's elevation positive.
    fn first(&self, sequence: Sequence, turned: &UnitQuaternion<f64>) -> [f64; 3] {
        let [a, b, c] = sequence.angles(turned, [0.0; 3]);
        let is_elevated = b * self.signs[1] >= 0.0;
        if sequence != Sequence::YXY || is_elevated {
            return [0.0; 3];
        }
        let half_turn = |angle: f64| angle - std::f64::consts::PI.copysign(angle);
        [half_turn(a), -b, half_turn(c)]
    }

    /// Whether two of the three axes are nearly one.
    pub(super) fn is_near_gimbal(&self, angles_rad: &[f64; 3], options: &Options) -> bool {
        match self.convention {
            Convention::Isb { sequence, .. } => {
                sequence.from_gimbal_rad(angles_rad[1]) < options.gimbal_rad
            }
            Convention::SwingTwist => swing_twist::is_near_lock(angles_rad, options.gimbal_rad),
        }
    }
}

/// The rotation as a mirror between left and right shows it: turns about x and y change their sign.
fn mirrored(rotation: &UnitQuaternion<f64>) -> UnitQuaternion<f64> {
    let q = rotation.quaternion();
    UnitQuaternion::new_unchecked(Quaternion::new(q.w, -q.i, -q.j, q.k))
}
