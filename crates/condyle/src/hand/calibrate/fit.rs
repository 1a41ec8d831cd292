//! All fingers and the place of the hand fitted together.
//!
//! What a tip tells of its finger depends on where the hand lies among the markers on its back, and all fingers together
//! tell that: a hand laid in first and kept would leave its error to the shape of every finger.

use nalgebra::{Isometry3, Point3};

use super::super::model::{MAX_JOINTS, Model};
use super::finger::{MARKER_M, TIP_M, Template, marker_m, ready, residuals};
use super::least_squares::{Parameters, Solution, solve};
use super::placing::Placing;
use super::{CalibratedFinger, Sample};

/// Frames in which bones are chosen for markers.
const FEW: usize = 40;
/// How a finger points where it is begun anew, in standard deviations.
const PITCHES: [f64; 3] = [0.0, -1.5, 1.5];
/// Frames over which it is seen how sure joints are.
const WITNESSES: usize = 20;
/// How far joints are moved to see it, in standard deviations.
const MOVED: f64 = 0.3;

/// The hand that was fitted.
pub(super) struct Fitted {
    pub model: Model,
    pub hand_from_shape: Isometry3<f64>,
    pub fingers: Vec<CalibratedFinger>,
}

/// Fits the standard hand; `labels` are those of the further markers of each finger.
pub(super) fn fit(
    standard: &Model,
    placing: &Placing,
    samples: &[Sample],
    labels: &[Vec<String>],
) -> Fitted {
    let step = samples.len().div_ceil(FEW).max(1);
    let few: Vec<Sample> = samples.iter().step_by(step).cloned().collect();
    let mut templates: Vec<Template> = (standard.fingers.iter().zip(labels))
        .map(|(finger, labels)| Template {
            standard: finger.clone(),
            labels: labels.clone(),
            bones: vec![0; labels.len()],
        })
        .collect();
    let start = Parameters {
        common: placing.begin(standard, samples),
        ..Parameters::usual(0, templates.iter().map(Template::parameters))
    };
    let mut parameters = solved(placing, &templates, start, &few).parameters;
    for (index, template) in templates.iter_mut().enumerate() {
        begin_anew(placing, (template, index), &mut parameters, &few);
    }
    parameters = solved(placing, &templates, parameters, &few).parameters;
    let solution = solved(placing, &templates, parameters, samples);
    let placed = placing.at(&solution.parameters.common);
    let mut model = standard.clone().scaled(placed.scale);
    let mut fingers = Vec::with_capacity(templates.len());
    for (index, template) in templates.iter().enumerate() {
        model.fingers[index] = template.with(placed.scale, &solution.parameters.own[index]);
        let (evidence, sds_m) = evidence(placing, template, index, samples, &solution);
        model.fingers[index].joint_sds_m = sds_m;
        fingers.push(evidence);
    }
    Fitted { model, hand_from_shape: placed.hand_from_shape, fingers }
}

/// Begins a finger anew, the hand staying where it is: with its further markers on every bone, and pointing higher or
/// lower, for a longer finger that is always bent may meet the same tips. The best is kept.
fn begin_anew(
    placing: &Placing,
    (template, index): (&mut Template, usize),
    parameters: &mut Parameters,
    samples: &[Sample],
) {
    let placed = placing.at(&parameters.common);
    let mut best: Option<(f64, usize, Vec<f64>)> = None;
    let bones = if template.labels.is_empty() { 1 } else { template.standard.joints.len() };
    for bone in 0..bones {
        template.bones.fill(bone);
        for pitch in PITCHES {
            let mut own = vec![0.0; template.parameters()];
            own[Template::PITCH] = pitch;
            let start = Parameters { common: Vec::new(), own: vec![own] };
            let solution = solve(start, |_, _, own, out| {
                let finger = template.with(placed.scale, own);
                residuals(&finger, index, samples, &placed.hand_from_shape, out);
            });
            let cost = solution.costs[0];
            if best.as_ref().is_none_or(|(least, ..)| cost < *least) {
                best = solution.parameters.own.into_iter().next().map(|own| (cost, bone, own));
            }
        }
    }
    if let Some((_, bone, own)) = best {
        template.bones.fill(bone);
        parameters.own[index] = own;
    }
}

fn solved(
    placing: &Placing,
    templates: &[Template],
    start: Parameters,
    samples: &[Sample],
) -> Solution {
    solve(start, |index, common, own, out| {
        let placed = placing.at(common);
        let finger = templates[index].with(placed.scale, own);
        residuals(&finger, index, samples, &placed.hand_from_shape, out);
    })
}

/// How a finger came out, and how sure each of its joints is among the markers on the back.
fn evidence(
    placing: &Placing,
    template: &Template,
    index: usize,
    samples: &[Sample],
    solution: &Solution,
) -> (CalibratedFinger, [f64; MAX_JOINTS + 1]) {
    let Parameters { common, own } = &solution.parameters;
    let placed = placing.at(common);
    let finger = template.with(placed.scale, &own[index]);
    let joints = finger.joints.len();
    let chain = ready(&finger);
    let (mut tip, mut tips, mut others, mut count) = (0.0, 0.0_f64, 0.0, 0.0_f64);
    for sample in samples {
        let Some(tip_m) = sample.tips_m[index] else { continue };
        let tip_m = placed.hand_from_shape * tip_m;
        let closed = chain.solve(&tip_m, TIP_M);
        tip += (chain.marker_m(&closed.angles) - tip_m).norm_squared();
        tips += 1.0;
        for (marker, seen_m) in finger.markers.iter().zip(&sample.on_fingers_m[index]) {
            if let Some(seen_m) = seen_m {
                let off = marker_m(&chain, &closed, marker) - placed.hand_from_shape * seen_m;
                others += off.norm_squared();
                count += 1.0;
            }
        }
    }
    let markers_rms_m = if count > 0.0 { (others / count).sqrt() } else { 0.0 };
    // Where the model does not meet the markers, all of it is as much less sure.
    let excess = (markers_rms_m / (MARKER_M * 3f64.sqrt())).max(1.0);
    let covariance = solution.covariance_of(index);
    let mut length_sds_m = [0.0; MAX_JOINTS];
    for (joint, slot) in length_sds_m.iter_mut().enumerate().take(joints) {
        let at = common.len() + Template::LENGTHS + joint;
        let sd = (covariance[(at, at)].sqrt() * excess).min(1.0);
        *slot = template.length_sd_m(&finger, joint, sd);
    }
    // How far joints move with the parameters, over some of the frames.
    let step = samples.len().div_ceil(WITNESSES).max(1);
    let some: Vec<Point3<f64>> =
        samples.iter().step_by(step).filter_map(|sample| sample.tips_m[index]).collect();
    let places_m = |common: &[f64], own: &[f64]| -> Vec<[Point3<f64>; MAX_JOINTS + 2]> {
        let placed = placing.at(common);
        let chain = ready(&template.with(placed.scale, own));
        let back = placed.hand_from_shape.inverse();
        let place = |tip_m: &Point3<f64>| {
            let closed = chain.solve(&(placed.hand_from_shape * tip_m), TIP_M);
            chain.places_m(&closed.angles).map(|at_m| back * at_m)
        };
        some.iter().map(place).collect()
    };
    let here = places_m(common, &own[index]);
    let mut variances = [0.0; MAX_JOINTS + 1];
    if let Some(root) = covariance.cholesky() {
        let lower = root.l();
        for column in 0..lower.ncols() {
            let mut moved = Vec::with_capacity(lower.nrows());
            for (row, value) in common.iter().chain(&own[index]).enumerate() {
                moved.push(value + MOVED * lower[(row, column)]);
            }
            let there = places_m(&moved[..common.len()], &moved[common.len()..]);
            for (here, there) in here.iter().zip(&there) {
                for joint in 0..=joints {
                    let by = (there[joint] - here[joint]).norm_squared() / (MOVED * MOVED) / 3.0;
                    variances[joint] += excess * excess * by / some.len().max(1) as f64;
                }
            }
        }
    }
    let calibrated = CalibratedFinger {
        tip_rms_m: if tips > 0.0 { (tip / tips).sqrt() } else { 0.0 },
        markers_rms_m,
        length_sds_m,
        base_sd_m: (3.0 * variances[0]).sqrt(),
    };
    (calibrated, variances.map(f64::sqrt))
}
