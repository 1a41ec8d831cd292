//! A model of somebody's hand, from recordings in which it opens, closes and spreads.
//!
//! # Method
//! The standard hand is laid into the markers first: size, place and direction in the frame of the markers on the back,
//! by least squares over frames, tips that limits keep from being met counting as far as they are missed. Then all of it
//! together with every finger: place and direction of its base, lengths, offset of the tip marker, coupling, and the
//! places of further markers on it, with what is known of hands as the prior of each. What a tip does not tell keeps its
//! prior, and its wide error bar.

mod finger;
mod fit;
mod least_squares;
mod palm;
mod placing;

use nalgebra::{Point3, UnitQuaternion, Vector3};

use fit::Fitted;
use placing::Placing;

use super::labels::Found;
use super::model::{Model, PalmMarker, Side};
use crate::error::{Error, Result};

/// What a calibration may be told.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct CalibrateOptions {
    /// Which hand it is, if it is not to be found out.
    pub side: Option<Side>,
    /// From the wrist to the tip of the middle finger, if that was measured.
    pub hand_length_m: Option<f64>,
    /// Further markers on fingers are left out.
    pub tips_alone: bool,
}

/// What came of a calibration.
#[derive(Debug, Clone, PartialEq)]
pub struct Calibrated {
    /// The hand.
    pub model: Model,
    /// Whether the side was found from how fingers bend.
    pub is_side_found: bool,
    /// How surely: the correlation that tells it, from 0 to 1.
    pub side_evidence: f64,
    /// How many frames were used.
    pub frames: usize,
    /// For every finger, how it came out.
    pub fingers: Vec<CalibratedFinger>,
}

/// How the calibration of a finger came out.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct CalibratedFinger {
    /// How far the tip is missed, rms.
    pub tip_rms_m: f64,
    /// How far further markers on it are missed, rms; 0 without any.
    pub markers_rms_m: f64,
    /// One standard deviation of each length.
    pub length_sds_m: [f64; super::model::MAX_JOINTS],
    /// One standard deviation of the place of its base.
    pub base_sd_m: f64,
}

/// The most frames that are used.
const MOST_FRAMES: usize = 300;
/// The fewest that tell anything.
const FEWEST_FRAMES: usize = 10;

/// The markers of a frame on the back, the tips and the others, in the frame of the back.
#[derive(Debug, Clone)]
struct Sample {
    tips_m: Vec<Option<Point3<f64>>>,
    on_fingers_m: Vec<Vec<Option<Point3<f64>>>>,
}

/// Calibrates a hand from frames of markers, in the order of the labels that `found` was found from.
///
/// # Errors
/// Too few frames that show the back of the hand and a tip, or markers on a line.
pub fn calibrate(
    frames: &[Vec<Option<Point3<f64>>>],
    labels: &[&str],
    found: &Found,
    options: &CalibrateOptions,
) -> Result<Calibrated> {
    let standard = Model::standard(Side::Right, options.hand_length_m.unwrap_or(0.19))?;
    let shape = palm::Shape::learn(frames, &found.palm)?;
    let count = standard.fingers.len();
    let mut samples: Vec<Sample> = frames
        .iter()
        .filter_map(|frame| {
            let shape_from_world = shape.place(frame)?.inverse();
            let at = |column: usize| {
                frame.get(column).copied().flatten().map(|at_m| shape_from_world * at_m)
            };
            let tips_m: Vec<_> = (0..count).map(|f| found.tips[f].and_then(at)).collect();
            tips_m.iter().any(Option::is_some).then(|| Sample {
                tips_m,
                on_fingers_m: (0..count)
                    .map(|f| found.on_fingers[f].iter().map(|column| at(*column)).collect())
                    .collect(),
            })
        })
        .collect();
    if samples.len() < FEWEST_FRAMES {
        let got = samples.len();
        return Err(Error::undetermined(format!(
            "calibration: need {FEWEST_FRAMES} frames that show the back of the hand and tips, got {got}"
        )));
    }
    thin(&mut samples);
    let facing = placing::Facing::of(&samples, &shape, options.side)?;
    let is_left = facing.side == Side::Left;
    let mirror = |at_m: &Point3<f64>| Point3::new(at_m.x, -at_m.y, at_m.z);
    let mut shape_m = shape.at_m.clone();
    let mut facing_right = facing.clone();
    if is_left {
        // In a mirror it is a right hand.
        shape_m = shape_m.iter().map(mirror).collect();
        for sample in &mut samples {
            let all = sample.tips_m.iter_mut().chain(sample.on_fingers_m.iter_mut().flatten());
            all.flatten().for_each(|at_m| *at_m = mirror(at_m));
        }
        facing_right = facing.mirrored();
    }
    let label = |column: &usize| labels.get(*column).copied().unwrap_or("").to_owned();
    let on_fingers: Vec<Vec<String>> = (0..count)
        .map(|index| match options.tips_alone {
            true => Vec::new(),
            false => found.on_fingers[index].iter().map(label).collect(),
        })
        .collect();
    let placing = Placing::new(&standard, &facing_right, options.hand_length_m.is_some());
    let Fitted { mut model, hand_from_shape, fingers } =
        fit::fit(&standard, &placing, &samples, &on_fingers);
    model.side = facing.side;
    "calibrated hand".clone_into(&mut model.name);
    model.markers = (found.palm.iter().zip(&shape_m))
        .map(|(column, at_m)| PalmMarker { name: label(column), at_m: hand_from_shape * at_m })
        .collect();
    for (finger, tip) in model.fingers.iter_mut().zip(&found.tips) {
        finger.tip_label = tip.as_ref().map(label);
    }
    model.check()?;
    Ok(Calibrated {
        model,
        is_side_found: options.side.is_none(),
        side_evidence: facing.evidence,
        frames: samples.len(),
        fingers,
    })
}

/// Leaves as many samples as are used, evenly.
fn thin(samples: &mut Vec<Sample>) {
    let count = samples.len();
    if count > MOST_FRAMES {
        let keep = |index: usize| index * MOST_FRAMES / count != (index + 1) * MOST_FRAMES / count;
        let mut index = 0;
        samples.retain(|_| {
            index += 1;
            keep(index - 1)
        });
    }
}

/// A small rotation.
fn turn(by_rad: &[f64]) -> UnitQuaternion<f64> {
    UnitQuaternion::new(Vector3::new(by_rad[0], by_rad[1], by_rad[2]))
}
