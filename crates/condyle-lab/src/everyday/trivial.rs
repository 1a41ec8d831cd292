//! What anyone can do without a fit: regressions, midpoints, bare markers.

use condyle::Trial;
use condyle::trial::Marker;
use nalgebra::{Point3, Vector3, center};

use super::scene::Recorded;
use super::score::TrueJoint;

/// A point in every frame, and the rule it comes from.
pub struct Baseline {
    /// The rule.
    pub rule: &'static str,
    /// The point.
    pub positions_m: Vec<Option<Point3<f64>>>,
}

/// Labels without a side of a lateral landmark, and of its medial one.
const PAIRS: [(&str, &[&str], &[&str]); 4] = [
    ("knee", &["KNE", "LFC", "KNEL", "KNEEOUT", "FLE"], &["KNEIN", "MFC", "KNEM", "KNM", "FME"]),
    ("ankle", &["ANK", "LMAL", "ANKL", "FAL"], &["ANKIN", "MMAL", "ANKM", "MED", "TAM"]),
    ("elbow", &["ELB", "LEL", "HLE"], &["ELBIN", "MEL", "ELBM", "HME"]),
    ("wrist", &["WRA", "FARADIUS", "RSP"], &["WRB", "FAULNA", "USP"]),
];
const SHOULDER: [&str; 3] = ["SHO", "ACR", "SAE"];
const FRONT: [&str; 4] = ["ASI", "FWT", "ASIS", "IAS"];
const BACK: [&str; 5] = ["PSI", "BWT", "PSIS", "IPS", "PSI"];

/// The baseline of a joint, if the recording has markers for it.
pub fn baseline(trial: &Trial, joint: &str) -> Option<Baseline> {
    let (side, joint) = joint.split_once(' ')?;
    let letter = if side == "left" { "L" } else { "R" };
    let find =
        |names: &[&str]| names.iter().find_map(|name| marker(trial, &format!("{letter}{name}")));
    let every = |place: &dyn Fn(usize) -> Option<Point3<f64>>| -> Vec<Option<Point3<f64>>> {
        (0..trial.frames).map(place).collect()
    };
    match joint {
        "hip" => {
            let sides = |names: &[&str]| -> Option<[&Marker; 2]> {
                let of = |letter: &str| {
                    names.iter().find_map(|name| marker(trial, &format!("{letter}{name}")))
                };
                Some([of("L")?, of("R")?])
            };
            let (front, back) = (sides(&FRONT)?, sides(&BACK)?);
            let at = |frame: usize| {
                let [fl, fr] = [front[0].position_m(frame)?, front[1].position_m(frame)?];
                let [bl, br] = [back[0].position_m(frame)?, back[1].position_m(frame)?];
                harrington([fl, fr], center(&bl, &br), side == "left")
            };
            Some(Baseline { rule: "Harrington", positions_m: every(&at) })
        }
        "shoulder" => {
            let own = find(&SHOULDER)?;
            Some(Baseline { rule: "own marker", positions_m: every(&|f| own.position_m(f)) })
        }
        _ => {
            let (_, lateral, medial) = PAIRS.iter().find(|(name, ..)| *name == joint)?;
            let lateral = find(lateral)?;
            let Some(medial) = find(medial) else {
                let positions_m = every(&|frame| lateral.position_m(frame));
                return Some(Baseline { rule: "own marker", positions_m });
            };
            let at = |frame| Some(center(&lateral.position_m(frame)?, &medial.position_m(frame)?));
            Some(Baseline { rule: "midpoint", positions_m: every(&at) })
        }
    }
}

/// A marker by its label in any letter case, with or without a performer's name, that is mostly seen.
fn marker<'a>(trial: &'a Trial, name: &str) -> Option<&'a Marker> {
    let is = |marker: &&Marker| marker.name().eq_ignore_ascii_case(name);
    trial.markers.iter().find(is).filter(|marker| 2 * marker.missing_samples() < trial.frames)
}

/// A hip from the iliac spines, left and right in front, and the middle of the posterior ones.
///
/// # Reference
/// M. Harrington and others 2007, *Prediction of the hip joint centre in adults, children, and patients with cerebral palsy
/// based on magnetic resonance imaging*: x = -.24 PD - 9.9, y = -.30 PW - 10.9, z = .33 PW + 7.3 (mm; forward, up, right).
pub fn harrington(
    front_m: [Point3<f64>; 2],
    back_m: Point3<f64>,
    is_left: bool,
) -> Option<Point3<f64>> {
    let middle_m = center(&front_m[0], &front_m[1]);
    let across: Vector3<f64> = front_m[0] - front_m[1];
    let along: Vector3<f64> = middle_m - back_m;
    let (width_m, depth_m) = (across.norm(), along.norm());
    let left = across.try_normalize(1e-9)?;
    let forward = (along - left * left.dot(&along)).try_normalize(1e-9)?;
    let up = forward.cross(&left);
    let sign = if is_left { 1.0 } else { -1.0 };
    Some(
        middle_m - forward * (0.24 * depth_m + 0.0099) - up * (0.30 * width_m + 0.0109)
            + left * sign * (0.33 * width_m + 0.0073),
    )
}

/// Frames looked at.
const LOOKS: usize = 100;

/// How far the middle between the nearest markers of a joint's two segments is from it, on average.
pub fn off_m(recorded: &Recorded, joint: &TrueJoint) -> Option<f64> {
    let (trial, truth) = (&recorded.trial, &recorded.truth);
    let link = truth.joints.iter().find(|link| link.name == joint.name)?;
    let stride = trial.frames.div_ceil(LOOKS).max(1);
    let of_segment = |segment: usize| {
        let markers = truth.markers.iter().enumerate();
        markers.filter(move |(_, marker)| marker.segment == segment).map(|(index, _)| index)
    };
    let mean = |of: &dyn Fn(usize) -> Option<f64>| {
        let all: Vec<f64> = (0..trial.frames).step_by(stride).filter_map(of).collect();
        (!all.is_empty()).then(|| all.iter().sum::<f64>() / all.len() as f64)
    };
    let both = |a: usize, b: usize, frame: usize| {
        Some((trial.markers[a].position_m(frame)?, trial.markers[b].position_m(frame)?))
    };
    let pairs = of_segment(link.parent).flat_map(|a| of_segment(link.child).map(move |b| (a, b)));
    let apart = pairs.filter_map(|(a, b)| {
        let apart_m = mean(&|frame| both(a, b, frame).map(|(p, q)| (p - q).norm()))?;
        Some((apart_m, a, b))
    });
    let (_, a, b) = apart.min_by(|x, y| x.0.total_cmp(&y.0))?;
    mean(&|frame| {
        let (p, q) = both(a, b, frame)?;
        Some((center(&p, &q) - (joint.position_m)(frame)?).norm())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hip_is_behind_below_and_inside_the_iliac_spine() {
        let front_m = [Point3::new(0.0, 0.12, 1.0), Point3::new(0.0, -0.12, 1.0)];
        let back_m = Point3::new(-0.15, 0.0, 1.0);
        let left = harrington(front_m, back_m, true).unwrap();
        let right = harrington(front_m, back_m, false).unwrap();
        assert!((left - Point3::new(-0.0459, 0.0865, 0.9171)).norm() < 1e-9, "{left}");
        assert!((right.y + left.y).abs() < 1e-12);
    }
}
