//! A surface about a hand: how thick fingers and palm are.

use nalgebra::{Point3, Vector3};

use super::model::{Finger, Model, WRIST};
use crate::error::Result;
use crate::skeleton::Skeleton;
use crate::skin::{Coat, Thickness, bones};

/// Radii as shares of the hand's length: of fingers at their base, joints and tip, of the thumb, of the palm at its
/// knuckles, its near end and the wrist. Half of breadth and depth as ergonomics has them, in the mean.
const FINGER: [f64; 4] = [0.050, 0.046, 0.041, 0.036];
const THUMB: [f64; 4] = [0.070, 0.058, 0.052, 0.043];
const KNUCKLE: f64 = 0.058;
const NEAR: f64 = 0.063;
const AT_WRIST: f64 = 0.078;
/// The little finger is so much thinner.
const SMALL: f64 = 0.88;
/// How far the bones of the palm melt into each other, and fingers into it.
const MELTS: [f64; 2] = [0.09, 0.015];
/// The palm.
const PALM: usize = 0;

/// A surface about a hand at rest, with about so many vertices.
///
/// # Errors
/// A model that is none.
pub fn coat(model: &Model, vertices: usize) -> Result<Coat> {
    let skeleton = model.skeleton()?;
    let length_m = model.hand_length_m;
    let names = skeleton.joints();
    let all = bones(&skeleton).into_iter().filter_map(|bone| {
        let [from, to] = bone.ends.map(|joint| names[joint].name.as_str());
        let owns = |finger: &&Finger| {
            finger.tip == to
                || finger.joints.iter().any(|joint| joint.name == to)
                || finger.metacarpal.as_ref().is_some_and(|(name, _)| name == to)
        };
        let number = model.fingers.iter().position(|finger| owns(&finger))?;
        let finger = &model.fingers[number];
        let at = finger.joints.iter().position(|joint| joint.name == from);
        let mut ends_m = [bone.from_m, bone.to_m];
        let (shares, group) = match at {
            // A finger begins at its knuckle; its last bone ends where its tip is.
            Some(at) => {
                let table = if finger.metacarpal.is_some() { FINGER } else { THUMB };
                let thin = if finger.name == "little" { SMALL } else { 1.0 };
                let of = |index: usize| thin * table[index.min(table.len() - 1)];
                if finger.tip == to {
                    ends_m[1] = shortened(ends_m, of(at + 1) * length_m);
                }
                ([of(at), of(at + 1)], PALM + 1 + number)
            }
            None if from == WRIST => ([AT_WRIST, NEAR], PALM),
            None => ([NEAR, KNUCKLE], PALM),
        };
        let melt_m = if group == PALM { MELTS[0] * length_m } else { 0.0 };
        Some(Thickness { ends_m, radii_m: shares.map(|share| share * length_m), group, melt_m })
    });
    let mut own: Vec<Thickness> = all.collect();
    own.sort_by_key(|bone| bone.group);
    let coat = Coat { cell_m: 0.0, melt_m: MELTS[1] * length_m, bones: own };
    Ok(coat.with_vertices(vertices))
}

/// A surface about whatever skeleton at rest, with about so many vertices; one that is a hand's by its names gets that of
/// a hand.
///
/// # Errors
/// A hand that is none.
pub fn coat_of_skeleton(skeleton: &Skeleton, vertices: usize) -> Result<Coat> {
    match Model::of_skeleton(skeleton) {
        Some(model) => coat(&model, vertices),
        None => Ok(Coat::usual(&bones(skeleton), vertices)),
    }
}

fn shortened([from_m, to_m]: [Point3<f64>; 2], by_m: f64) -> Point3<f64> {
    let along: Vector3<f64> = to_m - from_m;
    let length_m = along.norm();
    from_m + along * ((length_m - by_m).max(0.2 * length_m) / length_m.max(1e-9))
}
