//! Whether bones are to each other as they are in people, whatever their size.

use super::tracks::Joint;
use crate::marker_set::Side;

/// What is measured of a body, from joint to joint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Thigh,
    Shank,
    UpperArm,
    Forearm,
    Leg,
    Arm,
    Trunk,
    Hips,
    Shoulders,
}

/// Two parts, and between what their ratio is in people, newborn or grown, wherever detectors take joints to be.
///
/// Grown people have 1.0, 1.2, 1.6, 0.6 and 2.0 (Winter 2009, *Biomechanics and motor control of human movement*, figure
/// 4.1); newborns' trunks are as long as their legs and their arms as well. The rest is room for offsets.
const RATIOS: [(Part, Part, f64, f64); 5] = [
    (Part::Thigh, Part::Shank, 0.55, 1.8),
    (Part::UpperArm, Part::Forearm, 0.55, 2.2),
    (Part::Leg, Part::Arm, 0.8, 2.7),
    (Part::Trunk, Part::Leg, 0.35, 1.35),
    (Part::Shoulders, Part::Hips, 0.8, 4.5),
];

impl Part {
    fn name(self) -> &'static str {
        match self {
            Self::Thigh => "thighs",
            Self::Shank => "shanks",
            Self::UpperArm => "upper arms",
            Self::Forearm => "forearms",
            Self::Leg => "legs",
            Self::Arm => "arms",
            Self::Trunk => "the trunk",
            Self::Hips => "the distance of the hips",
            Self::Shoulders => "the distance of the shoulders",
        }
    }

    /// The mean of both sides, or one.
    fn length_m(self, apart_m: &impl Fn(JointOf, JointOf) -> Option<f64>) -> Option<f64> {
        let [left, right] = [Side::Left, Side::Right];
        let along = |joints: &[Joint]| {
            let of_side = |side: Side| -> Option<f64> {
                joints.windows(2).map(|pair| apart_m((pair[0], side), (pair[1], side))).sum()
            };
            match (of_side(left), of_side(right)) {
                (Some(l), Some(r)) => Some((l + r) / 2.0),
                (l, r) => l.or(r),
            }
        };
        match self {
            Self::Thigh => along(&[Joint::Hip, Joint::Knee]),
            Self::Shank => along(&[Joint::Knee, Joint::Ankle]),
            Self::UpperArm => along(&[Joint::Shoulder, Joint::Elbow]),
            Self::Forearm => along(&[Joint::Elbow, Joint::Wrist]),
            Self::Leg => along(&[Joint::Hip, Joint::Knee, Joint::Ankle]),
            Self::Arm => along(&[Joint::Shoulder, Joint::Elbow, Joint::Wrist]),
            Self::Trunk => along(&[Joint::Hip, Joint::Shoulder]),
            Self::Hips => apart_m((Joint::Hip, left), (Joint::Hip, right)),
            Self::Shoulders => apart_m((Joint::Shoulder, left), (Joint::Shoulder, right)),
        }
    }
}

pub(super) type JointOf = (Joint, Side);

/// What is out of proportion, in words: nothing of a person.
pub(super) fn out_of_proportion(apart_m: &impl Fn(JointOf, JointOf) -> Option<f64>) -> Vec<String> {
    let mut all = Vec::new();
    for (a, b, least, most) in RATIOS {
        let (Some(a_m), Some(b_m)) = (a.length_m(apart_m), b.length_m(apart_m)) else { continue };
        let ratio = a_m / b_m.max(1e-9);
        if !(least..=most).contains(&ratio) {
            all.push(format!(
                "{} {:.2} m against {} {:.2} m (people: {least} to {most} times)",
                a.name(),
                a_m,
                b.name(),
                b_m
            ));
        }
    }
    all
}
