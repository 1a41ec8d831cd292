//! Markers that have no names: which three are on the back of the hand, and whose tips the others are.
//!
//! # Method
//! Those on the back keep their distances while fingers move: the three whose distances vary least. Seen from there the
//! thumb's tip is the least far ahead; the others follow each other around the palm from the thumb's side on, the index
//! first. That is so for either hand and for any pose that is no fist.

use nalgebra::{Point3, Vector3};

use super::labels::{FINGERS, Found};
use crate::error::{Error, Result};
use crate::statistics::{mean, mean_and_sd};

/// A hand wears so many.
const MARKERS: usize = 8;
/// A column that is seen in fewer frames is no marker of it.
const LEAST_SEEN: f64 = 0.5;
/// Distances on the back vary at most so much, are at most so long, and make a triangle at least so high.
const MOST_SD_M: f64 = 2e-3;
const MOST_APART_M: f64 = 0.16;
const LEAST_HEIGHT_M: f64 = 8e-3;
/// So many frames are looked at.
const FRAMES: usize = 400;

impl Found {
    /// Finds the markers of a hand by where they are: three on the back, five tips.
    ///
    /// # Errors
    /// Not eight markers, none of which keep their distances, or tips that lie as no hand's do.
    pub fn by_place(frames: &[Vec<Option<Point3<f64>>>]) -> Result<Self> {
        let step = frames.len().div_ceil(FRAMES).max(1);
        let chosen: Vec<&Vec<Option<Point3<f64>>>> = frames.iter().step_by(step).collect();
        let columns = chosen.first().map_or(0, |frame| frame.len());
        let seen = |column: usize| chosen.iter().filter(|frame| frame[column].is_some()).count();
        let own: Vec<usize> = (0..columns)
            .filter(|column| seen(*column) as f64 > LEAST_SEEN * chosen.len() as f64)
            .collect();
        if own.len() != MARKERS {
            let got = own.len();
            return Err(no_hand(format!("need {MARKERS} markers without names, got {got}")));
        }
        let palm = rigid_three(&chosen, &own).ok_or_else(|| {
            no_hand("need three markers that keep their distances, got none".into())
        })?;
        let tips: Vec<usize> = own.into_iter().filter(|column| !palm.contains(column)).collect();
        let tips = name_tips(&chosen, palm, &tips)
            .ok_or_else(|| no_hand("need frames that show all markers, got none".into()))?;
        Ok(Self { palm: palm.to_vec(), tips, ..Self::default() })
    }
}

fn no_hand(what: String) -> Error {
    Error::undetermined(format!("hand: {what}")).with_code("no-hand")
}

/// The three markers whose distances vary least.
fn rigid_three(frames: &[&Vec<Option<Point3<f64>>>], own: &[usize]) -> Option<[usize; 3]> {
    let distances = |a: usize, b: usize| {
        frames.iter().filter_map(move |frame| Some((frame[a]? - frame[b]?).norm()))
    };
    let mut best: Option<(f64, [usize; 3])> = None;
    for (i, a) in own.iter().enumerate() {
        for (j, b) in own.iter().enumerate().skip(i + 1) {
            for c in own.iter().skip(j + 1) {
                let sides =
                    [(*a, *b), (*b, *c), (*c, *a)].map(|(a, b)| mean_and_sd(distances(a, b)));
                let [Some(ab), Some(bc), Some(ca)] = sides else { continue };
                let [x, y, z] = [ab.0, bc.0, ca.0];
                // Heron's formula, and the height over the longest side.
                let half = 0.5 * (x + y + z);
                let square = half * (half - x) * (half - y) * (half - z);
                let longest_m = x.max(y).max(z);
                let height_m = 2.0 * square.max(0.0).sqrt() / longest_m.max(1e-9);
                let sd_m = ab.1.max(bc.1).max(ca.1);
                if longest_m > MOST_APART_M || height_m < LEAST_HEIGHT_M || sd_m > MOST_SD_M {
                    continue;
                }
                if best.is_none_or(|(least, _)| sd_m < least) {
                    best = Some((sd_m, [*a, *b, *c]));
                }
            }
        }
    }
    best.map(|(_, three)| three)
}

/// The tips in the order of [`FINGERS`].
fn name_tips(
    frames: &[&Vec<Option<Point3<f64>>>],
    palm: [usize; 3],
    tips: &[usize],
) -> Option<[Option<usize>; 5]> {
    // Where each tip is in the mean, in axes of the palm.
    let in_palm = |frame: &Vec<Option<Point3<f64>>>, column: usize| {
        let [a, b, c] = palm.map(|column| frame[column]);
        let (a, b, c) = (a?, b?, c?);
        let middle = Point3::from((a.coords + b.coords + c.coords) / 3.0);
        let x = (b - a).try_normalize(1e-9)?;
        let z = x.cross(&(c - a)).try_normalize(1e-9)?;
        let off = frame[column]? - middle;
        Some(Vector3::new(off.dot(&x), off.dot(&z.cross(&x)), off.dot(&z)))
    };
    let middle = |column: usize| {
        let axis = |axis: usize| {
            mean(frames.iter().filter_map(|frame| in_palm(frame, column).map(|at| at[axis])))
        };
        Some(Vector3::new(axis(0)?, axis(1)?, axis(2)?))
    };
    let at_m: Vec<Vector3<f64>> =
        tips.iter().map(|column| middle(*column)).collect::<Option<_>>()?;
    let sum: Vector3<f64> = at_m.iter().sum();
    let ahead = Vector3::new(sum.x, sum.y, 0.0).try_normalize(1e-6)?;
    let far = |index: &usize| at_m[*index].dot(&ahead);
    let thumb = (0..tips.len()).min_by(|a, b| far(a).total_cmp(&far(b)))?;
    let mut others: Vec<usize> = (0..tips.len()).filter(|index| *index != thumb).collect();
    // Across the palm, from the thumb's side on.
    let count = others.len() as f64;
    let own = others.iter().map(|index| at_m[*index]).sum::<Vector3<f64>>() / count;
    let across = Vector3::z().cross(&ahead);
    let to_thumb = across * (at_m[thumb] - own).dot(&across).signum();
    others.sort_by(|a, b| at_m[*b].dot(&to_thumb).total_cmp(&at_m[*a].dot(&to_thumb)));
    let mut found = [None; FINGERS.len()];
    for (slot, index) in others.into_iter().chain([thumb]).enumerate() {
        found[slot] = Some(tips[index]);
    }
    Some(found)
}
