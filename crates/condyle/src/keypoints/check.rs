//! Whether keypoints can be those of one body in space.

use super::tracks::{Joint, Track, track};
use crate::error::{Error, Result};
use crate::marker_set::Side;
use crate::statistics::median;
use crate::trial::Trial;

/// All points within this along one axis, in all frames, are a picture and no body.
const FLAT_M: f64 = 1e-3;
/// Bones of the two sides differ by less than this factor in one body; so many may by chance.
const LEFT_RIGHT: f64 = 1.6;
const MOST_UNLIKE: usize = 1;
/// No bone of a limb is longer than this.
const LONGEST_M: f64 = 0.8;

/// Refuses points that cannot be those of one body: pictures, and points of several people.
///
/// # Errors
/// What is wrong with them.
pub fn check(trial: &Trial, markers: &[usize]) -> Result<()> {
    let tracks: Vec<Track> = markers.iter().map(|marker| track(trial, *marker)).collect();
    let seen = || tracks.iter().flatten().flatten();
    for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
        let least = seen().map(|at| at[axis]).fold(f64::INFINITY, f64::min);
        let most = seen().map(|at| at[axis]).fold(f64::NEG_INFINITY, f64::max);
        if most - least < FLAT_M {
            let what = format!(
                "keypoints: need points in space, got a picture: {name} is the same everywhere; several cameras, \
                 or a program that lifts the picture, give the third dimension"
            );
            return Err(Error::undetermined(what).with_code("keypoints-flat"));
        }
    }
    let find = |joint: Joint, side: Side| {
        let is_it = |m: &usize| Joint::of_label(&trial.markers[*m].label) == Some((joint, side));
        markers.iter().position(is_it).map(|index| &tracks[index])
    };
    let length_m = |a: Joint, b: Joint, side: Side| {
        let (a, b) = (find(a, side)?, find(b, side)?);
        median(a.iter().zip(b).filter_map(|(a, b)| Some(((*a)? - (*b)?).norm())))
    };
    let bones = [
        (Joint::Hip, Joint::Knee, "thighs"),
        (Joint::Knee, Joint::Ankle, "shanks"),
        (Joint::Shoulder, Joint::Elbow, "upper arms"),
        (Joint::Elbow, Joint::Wrist, "forearms"),
    ];
    let is_unlike = |&(a, b, _): &(Joint, Joint, &str)| {
        let both = length_m(a, b, Side::Left).zip(length_m(a, b, Side::Right));
        both.is_some_and(|(l, r)| l.max(r) > LEFT_RIGHT * l.min(r) || l.min(r) > LONGEST_M)
    };
    let unlike: Vec<&str> =
        bones.iter().filter(|bone| is_unlike(bone)).map(|bone| bone.2).collect();
    if unlike.len() > MOST_UNLIKE {
        let what = format!(
            "keypoints: need those of one body, got {} that are longer than {LONGEST_M} m, or on one side {LEFT_RIGHT} \
             times as long as on the other: are points of two people mixed?",
            unlike.join(" and ")
        );
        return Err(Error::undetermined(what).with_code("keypoints-mixed"));
    }
    Ok(())
}
