//! Whether keypoints can be those of one body in space.

use super::facing;
use super::frozen::{MIN_FRAMES, repeats_throughout};
use super::proportions::out_of_proportion;
use super::tracks::{Joint, Track, track};
use crate::error::{Error, Result};
use crate::marker_set::Side;
use crate::statistics::median;
use crate::trial::{Note, Trial};

/// Limbs of which every bone is longer than this are in another unit.
const SHORTEST_TOO_LONG_M: f64 = 1.2;
/// All points within this along one axis, in all frames, are a picture and no body.
const FLAT_M: f64 = 1e-3;
/// Bones of the two sides differ by less than this factor in one body; so many may by chance.
const LEFT_RIGHT: f64 = 1.6;
const MOST_UNLIKE: usize = 1;
/// No bone of a limb is longer than this.
const LONGEST_M: f64 = 0.8;
/// No hips are farther apart than this, no shoulders, and no shoulder from its hip; whoever has two people's points has.
const WIDEST_HIPS_M: f64 = 0.5;
const WIDEST_SHOULDERS_M: f64 = 0.7;
const LONGEST_TRUNK_M: f64 = 0.9;
/// No two points of one segment are farther apart than this, and no two names of one joint.
const LARGEST_SEGMENT_M: f64 = 0.7;
const ONE_JOINT_M: f64 = 0.25;
/// No leg is shorter than this, from hip to ankle: a newborn's is 0.15 m. Below the second it is said.
const SHORTEST_LEG_M: f64 = 0.12;
const SMALL_LEG_M: f64 = 0.4;
/// So much may be out of proportion by chance; it is said.
const MOST_OUT_OF_PROPORTION: usize = 1;

const BONES: [(Joint, Joint, &str); 4] = [
    (Joint::Hip, Joint::Knee, "thighs"),
    (Joint::Knee, Joint::Ankle, "shanks"),
    (Joint::Shoulder, Joint::Elbow, "upper arms"),
    (Joint::Elbow, Joint::Wrist, "forearms"),
];

/// Refuses points that cannot be those of one body: pictures, points of several people, and points under wrong names.
/// Says what is doubtful. The points are given segment by segment.
///
/// # Errors
/// What is wrong with them.
pub fn check(trial: &Trial, segments: &[&[usize]]) -> Result<Vec<Note>> {
    let markers: &[usize] = &segments.concat();
    if trial.rate_hz <= 0.0 {
        let what = "keypoints: need frames a second, got a recording that does not say them";
        return Err(Error::argument(what).with_code("rate-missing"));
    }
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
    let apart_m = |a: (Joint, Side), b: (Joint, Side)| {
        let (a, b) = (find(a.0, a.1)?, find(b.0, b.1)?);
        median(a.iter().zip(b).filter_map(|(a, b)| Some(((*a)? - (*b)?).norm())))
    };
    let length_m = |a: Joint, b: Joint, side: Side| apart_m((a, side), (b, side));
    let (left, right) = (Side::Left, Side::Right);
    let limbs_m =
        BONES.iter().flat_map(|(a, b, _)| [left, right].map(|side| length_m(*a, *b, side)));
    let shortest_m = limbs_m.flatten().min_by(f64::total_cmp);
    if let Some(shortest_m) = shortest_m.filter(|m| *m > SHORTEST_TOO_LONG_M) {
        let what = format!(
            "keypoints: need those of a person in metres, got no bone of a limb that is shorter than {shortest_m:.1} m: \
             are they pixels of a picture, or is it another unit?"
        );
        return Err(Error::undetermined(what).with_code("keypoints-size"));
    }
    one_segment_each(trial, segments)?;
    for (what, found_m, most_m) in [
        ("hips", apart_m((Joint::Hip, left), (Joint::Hip, right)), WIDEST_HIPS_M),
        (
            "shoulders",
            apart_m((Joint::Shoulder, left), (Joint::Shoulder, right)),
            WIDEST_SHOULDERS_M,
        ),
        ("left hip and shoulder", length_m(Joint::Hip, Joint::Shoulder, left), LONGEST_TRUNK_M),
        ("right hip and shoulder", length_m(Joint::Hip, Joint::Shoulder, right), LONGEST_TRUNK_M),
    ] {
        if let Some(found_m) = found_m.filter(|found_m| *found_m > most_m) {
            let what = format!(
                "keypoints: need those of one body, got {what} that are {found_m:.2} m apart, {most_m} m at most in \
                 one: are points of two people mixed, is it another unit, or another set of points?"
            );
            return Err(Error::undetermined(what).with_code("keypoints-mixed"));
        }
    }
    let leg_m = |side: Side| {
        let thigh_m = length_m(Joint::Hip, Joint::Knee, side)?;
        Some(thigh_m + length_m(Joint::Knee, Joint::Ankle, side)?)
    };
    let leg_m = leg_m(left).or_else(|| leg_m(right));
    if let Some(leg_m) = leg_m.filter(|m| *m < SHORTEST_LEG_M) {
        let what = format!(
            "keypoints: need those of a person in metres, got a leg of {leg_m:.3} m, {SHORTEST_LEG_M} m at least: is it \
             another unit, or are they not to scale?"
        );
        return Err(Error::undetermined(what).with_code("keypoints-size"));
    }
    let is_unlike = |&(a, b, _): &(Joint, Joint, &str)| {
        let both = length_m(a, b, Side::Left).zip(length_m(a, b, Side::Right));
        both.is_some_and(|(l, r)| l.max(r) > LEFT_RIGHT * l.min(r) || l.min(r) > LONGEST_M)
    };
    let unlike: Vec<&str> =
        BONES.iter().filter(|bone| is_unlike(bone)).map(|bone| bone.2).collect();
    if unlike.len() > MOST_UNLIKE {
        let what = format!(
            "keypoints: need those of one body, got {} that are longer than {LONGEST_M} m, or on one side {LEFT_RIGHT} \
             times as long as on the other: are points of two people mixed, or is it another set of points?",
            unlike.join(" and ")
        );
        return Err(Error::undetermined(what).with_code("keypoints-mixed"));
    }
    let mut notes = Vec::new();
    if trial.frames >= MIN_FRAMES && repeats_throughout(&tracks) {
        let text = format!(
            "all points are in one place in all {} frames: a recording that is frozen, or one frame of it?",
            trial.frames
        );
        notes.push(Note::new("keypoints-frozen", text));
    }
    notes.extend(facing::faces_backwards(trial, markers).then(|| {
        let text = "nose or toes are where the back of the body is, by its shoulders and hips: left and right bear each \
                    other's names throughout, or the recording is mirrored (left-handed axes)";
        Note::new("keypoints-mirrored", text)
    }));
    let odd = out_of_proportion(&apart_m);
    if odd.len() > MOST_OUT_OF_PROPORTION {
        let what = format!(
            "keypoints: need the proportions of a person, got {}: is it another set of points, or do points bear wrong \
             names?",
            odd.join(", ")
        );
        return Err(Error::undetermined(what).with_code("keypoints-proportions"));
    }
    if let [odd] = &odd[..] {
        let text = format!("{odd}: are these the points of one person, under their own names?");
        notes.push(Note::new("keypoints-proportions", text));
    }
    if let Some(leg_m) = leg_m.filter(|m| *m < SMALL_LEG_M) {
        let text = format!(
            "legs of {leg_m:.2} m: a small child, or a recording that is not to scale? Errors in millimetres are \
             those of grown people"
        );
        notes.push(Note::new("keypoints-small", text));
    }
    Ok(notes)
}

/// Refuses segments whose points are too far apart to be of one: those of two people under the same names.
fn one_segment_each(trial: &Trial, segments: &[&[usize]]) -> Result<()> {
    for segment in segments {
        for (index, &a) in segment.iter().enumerate() {
            for &b in &segment[..index] {
                let [one, other] = [b, a].map(|marker| track(trial, marker));
                let both = one.iter().zip(&other);
                let apart_m = median(both.filter_map(|(a, b)| Some(((*a)? - (*b)?).norm())));
                let [one, other] = [b, a].map(|marker| trial.markers[marker].label.as_str());
                let joint = Joint::of_label(one).filter(|own| Joint::of_label(other) == Some(*own));
                let most_m = if joint.is_some() { ONE_JOINT_M } else { LARGEST_SEGMENT_M };
                if let Some(apart_m) = apart_m.filter(|apart_m| *apart_m > most_m) {
                    let what = format!(
                        "keypoints: need those of one body, got {one} and {other}, names of one segment, that are \
                         {apart_m:.2} m apart, {most_m} m at most in one: are points of two people mixed? Names of \
                         each with a prefix of its own (P1:, P2:) tell them apart"
                    );
                    return Err(Error::undetermined(what).with_code("keypoints-mixed"));
                }
            }
        }
    }
    Ok(())
}
