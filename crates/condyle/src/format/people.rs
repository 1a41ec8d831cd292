//! How tall the people of a recording are, by what their markers are called.

use super::cloud::FRAMES_LOOKED_AT;
use crate::statistics::median;
use crate::trial::{Marker, Trial};

const KNEE: &[&str] = &["KNE", "KNEE", "KNEL", "LFC", "FLE", "LFE", "KNEEOUT", "KNEELAT"];
const ANKLE: &[&str] = &["ANK", "ANKL", "ANKLE", "LMAL", "FAL", "LMA", "ANKLEOUT", "ANKLELAT"];
const SHOULDER: &[&str] = &["SHO", "ACR", "SAE", "SHOULDER", "SHOULDERTOP"];
const ELBOW: &[&str] = &["ELB", "ELBOW", "LEL", "HLE", "ELBOWOUT", "ELBOWLAT"];
const WRIST: &[&str] = &["WRA", "WRI", "WRIST", "RSP", "FARADIUS", "WRISTIN"];
const SPINE: &[&str] = &["ASI", "ASIS", "IAS", "FWT", "WAISTFRONT"];

/// Markers on the two ends of a bone, their labels behind the letter of the side, and how far they are apart as a
/// share of the stature.
///
/// # Reference
/// R. Drillis, R. Contini (1966), *Body segment parameters*, in D. A. Winter, *Biomechanics and Motor Control of Human
/// Movement*: shank, forearm, and upper arm from the acromion.
const BONES: [(&[&str], &[&str], f64); 3] =
    [(KNEE, ANKLE, 0.246), (SHOULDER, ELBOW, 0.186), (ELBOW, WRIST, 0.146)];
/// The same of both anterior spines: mean of people.
const SPINES_APART: f64 = 0.143;
/// So many of these distances are needed; a set of the legs has three.
const MIN_DISTANCES: usize = 3;

/// The height of the performers, in metres; nothing where labels do not say where enough markers are.
pub(super) fn typical_height_m(trial: &Trial) -> Option<f64> {
    let names: Vec<String> = trial.markers.iter().map(name).collect();
    let step = trial.frames.div_ceil(FRAMES_LOOKED_AT).max(1);
    let apart_m = |one: usize, other: usize| {
        let at = |frame: usize| {
            let ends = [one, other].map(|marker| trial.markers[marker].position_m(frame));
            Some((ends[0]? - ends[1]?).norm())
        };
        median((0..trial.frames).step_by(step).filter_map(at))
    };
    let mut all_m = Vec::new();
    for (one, own) in trial.markers.iter().enumerate() {
        let Some((side, rest)) = names[one].split_at_checked(1) else { continue };
        if !["L", "R"].contains(&side) {
            continue;
        }
        let mut add = |other_side: &str, ends: &[&str], share: f64| {
            let is_other = |other: &usize| {
                let (there, end) = names[*other].split_at_checked(1).unwrap_or_default();
                there == other_side
                    && ends.contains(&end)
                    && trial.markers[*other].subject() == own.subject()
            };
            let other = (0..names.len()).find(is_other);
            all_m.extend(other.and_then(|other| apart_m(one, other)).map(|m| m / share));
        };
        for (upper, lower, share) in BONES {
            if upper.contains(&rest) {
                add(side, lower, share);
            }
        }
        if side == "L" && SPINE.contains(&rest) {
            add("R", &[rest], SPINES_APART);
        }
    }
    (all_m.len() >= MIN_DISTANCES).then(|| median(all_m)).flatten()
}

/// The letters and digits of a marker's name, in capitals: `L.Knee` is `LKNEE`; `WaistLFront` begins with its side.
fn name(marker: &Marker) -> String {
    let letters = marker.name().chars().filter(|c| c.is_ascii_alphanumeric());
    let name: String = letters.map(|c| c.to_ascii_uppercase()).collect();
    match ["L", "R"].iter().find(|side| name == format!("WAIST{side}FRONT")) {
        Some(side) => format!("{side}WAISTFRONT"),
        None => name,
    }
}
