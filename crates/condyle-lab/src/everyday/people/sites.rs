//! Where markers are put on a person, and their labels in each set.

use std::collections::BTreeMap;

use condyle::simulate::Site;
use nalgebra::{Point3, Vector3};

use super::body::{Body, MARKER_RADIUS_M};
use super::chance::Chance;
use super::performer::{LIMBS, Worn};

/// A marker that is put on a segment.
struct Put {
    /// The label in Plug-in Gait, without its side.
    label: &'static str,
    /// The label in CMU's set if it has another.
    cmu: Option<&'static str>,
    /// Whether CMU's set and Plug-in Gait have it.
    is_in: [bool; 2],
    /// From how many markers a limb's segment on it is worn; nought for markers that are always worn.
    from: usize,
    mean_m: [f64; 3],
    sd_m: [f64; 3],
}

/// A marker of both sets.
fn both(label: &'static str, from: usize, mean_m: [f64; 3], sd_m: [f64; 3]) -> Put {
    Put { label, cmu: None, is_in: [true, true], from, mean_m, sd_m }
}

/// A marker that is worn only where segments have more markers than sets give them.
fn more(label: &'static str, from: usize, mean_m: [f64; 3]) -> Put {
    Put { label, cmu: None, is_in: [false, false], from, mean_m, sd_m: [0.012; 3] }
}

impl Put {
    fn called_by_cmu(self, label: &'static str) -> Self {
        Self { cmu: Some(label), ..self }
    }

    fn only_cmu(self) -> Self {
        Self { is_in: [true, false], ..self }
    }

    /// As a site; `side` is `L`, `R` or nothing.
    fn site(&self, side: &str, chance: &mut Chance) -> Site {
        let name = |label: &str| format!("{side}{label}");
        let mut labels = BTreeMap::new();
        if self.is_in[0] {
            labels.insert(Worn::Cmu41.set().to_owned(), name(self.cmu.unwrap_or(self.label)));
        }
        if self.is_in[1] {
            labels.insert(Worn::PlugInGait.set().to_owned(), name(self.label));
        }
        for count in LIMBS {
            if self.from <= count {
                labels.insert(Worn::Limbs(count).set().to_owned(), name(self.label));
            }
        }
        Site { in_segment_m: chance.place(self.mean_m, self.sd_m), labels }
    }
}

/// The sites of a segment by its name.
pub(super) fn of(segment: &str, body: &Body, chance: &mut Chance) -> Vec<Site> {
    let (side, index, part) = match segment.split_once(' ') {
        Some(("left", part)) => ("L", 0, part),
        Some(("right", part)) => ("R", 1, part),
        _ => ("", 0, segment),
    };
    let s = [1.0, -1.0][index];
    let puts = match part {
        "pelvis" => return pelvis(body, chance),
        "chest" => return chest(body, chance),
        "head" => return head(body, chance),
        "clavicle" => clavicle(body, index),
        "thigh" => thigh(body, body.thighs_m[index], s),
        "shank" => shank(body, body.shanks_m[index], s),
        "foot" => foot(body.k, s),
        "upper arm" => upper_arm(body, body.upper_arms_m[index], s),
        "forearm" => forearm(body, body.forearms_m[index], s),
        "hand" => hand(body.k, s),
        _ => Vec::new(),
    };
    puts.iter().map(|put| put.site(side, chance)).collect()
}

fn millimetres(values: [f64; 3]) -> [f64; 3] {
    values.map(|value| 1e-3 * value)
}

/// Four markers near the iliac spines; CMU's are on a belt, which wanders half as much again.
fn pelvis(body: &Body, chance: &mut Chance) -> Vec<Site> {
    let mut sites = Vec::new();
    for (middle_m, label, cmu, aside_m) in [
        (body.front_m, "ASI", "FWT", body.pelvis_width_m / 2.0),
        (body.back_m, "PSI", "BWT", 0.030 * 1.75 * body.k),
    ] {
        for (side, s) in [("L", 1.0), ("R", -1.0)] {
            let mean_m = [middle_m.x, middle_m.y + s * aside_m, middle_m.z];
            let put = both(label, 0, mean_m, [0.008, 0.006, 0.009]).called_by_cmu(cmu);
            sites.push(put.site(side, chance));
        }
    }
    sites
}

fn chest(body: &Body, chance: &mut Chance) -> Vec<Site> {
    let (k, neck_m) = (body.k, body.trunk_m);
    // Reed 1999: the neck is .55 of the way from C7 to the jugular notch, turned up by 8 degrees; 128 mm apart, 35
    // degrees down.
    let at = |x: f64, y: f64, z: f64| [x * k * 1e-3, y * k * 1e-3, neck_m + z * k * 1e-3];
    let puts = [
        both("C7", 0, at(-69.0, 0.0, 35.0), millimetres([15.0, 6.0, 18.0])),
        both("CLAV", 0, at(49.0, 0.0, -43.0), millimetres([20.0, 6.0, 25.0])),
        both("STRN", 0, at(95.0, 0.0, -200.0), millimetres([25.0, 8.0, 40.0])),
        both("T10", 0, at(-112.0, 0.0, -265.0), millimetres([25.0, 8.0, 40.0])),
        both("RBAK", 0, at(-110.0, -95.0, -150.0), millimetres([20.0, 25.0, 40.0]))
            .called_by_cmu("RBAC"),
    ];
    puts.iter().map(|put| put.site("", chance)).collect()
}

fn head(body: &Body, chance: &mut Chance) -> Vec<Site> {
    let k = body.k * 1e-3;
    let mut sites = Vec::new();
    for (side, s) in [("L", 1.0), ("R", -1.0)] {
        let sd_m = millimetres([18.0, 12.0, 25.0]);
        sites.push(both("FHD", 0, [112.0 * k, s * 72.0 * k, 172.0 * k], sd_m).site(side, chance));
        sites.push(both("BHD", 0, [-80.0 * k, s * 68.0 * k, 168.0 * k], sd_m).site(side, chance));
    }
    sites
}

/// The marker on the acromioclavicular joint: above the shoulder, Reed 1999.
fn clavicle(body: &Body, index: usize) -> Vec<Put> {
    let (k, s) = (body.k * 1e-3, [1.0, -1.0][index]);
    let shoulder: Vector3<f64> = body.shoulders_m[index] - body.sternoclaviculars_m[index];
    let at = Point3::from(shoulder) + Vector3::new(5.0 * k, -s * 8.0 * k, 53.0 * k);
    vec![both("SHO", 0, [at.x, at.y, at.z], millimetres([14.0, 14.0, 10.0]))]
}

fn thigh(body: &Body, length_m: f64, s: f64) -> Vec<Put> {
    let k = body.k * 1e-3;
    let knee_m = s * (body.knee_width_m / 2.0 + MARKER_RADIUS_M);
    let side_m = s * (body.knee_width_m / 2.0 + 0.030);
    vec![
        both("KNE", 2, [0.0, knee_m, -length_m], millimetres([9.0, 4.0, 10.0])),
        both("THI", 2, [15.0 * k, side_m, -0.55 * length_m], millimetres([30.0, 10.0, 60.0])),
        more("TH1", 3, [75.0 * k, s * 45.0 * k, -0.37 * length_m]),
        more("TH2", 4, [-25.0 * k, s * 85.0 * k, -0.48 * length_m]),
        more("TH3", 5, [60.0 * k, s * 50.0 * k, -0.75 * length_m]),
    ]
}

/// The ankle is between the malleoli, of which the lateral one is lower and farther back.
fn shank(body: &Body, length_m: f64, s: f64) -> Vec<Put> {
    let k = body.k * 1e-3;
    let ankle_m = s * (body.ankle_width_m / 2.0 + MARKER_RADIUS_M);
    vec![
        both("ANK", 2, [-11.0 * k, ankle_m, -length_m - 4.0 * k], millimetres([10.0, 4.0, 10.0])),
        both("TIB", 2, [15.0 * k, s * 50.0 * k, -0.5 * length_m], millimetres([20.0, 8.0, 60.0]))
            .called_by_cmu("SHN"),
        more("SK1", 3, [55.0 * k, s * 20.0 * k, -0.27 * length_m]),
        more("SK2", 4, [-20.0 * k, s * 55.0 * k, -0.4 * length_m]),
        more("SK3", 5, [40.0 * k, s * 25.0 * k, -0.7 * length_m]),
    ]
}

fn foot(k: f64, s: f64) -> Vec<Put> {
    let k = k * 1e-3;
    vec![
        both("HEE", 2, [-64.0 * k, 0.0, -40.0 * k], millimetres([12.0, 8.0, 12.0])),
        both("TOE", 2, [130.0 * k, 0.0, -38.0 * k], millimetres([22.0, 14.0, 12.0])),
        both("MT5", 3, [92.0 * k, s * 45.0 * k, -50.0 * k], millimetres([18.0, 10.0, 10.0]))
            .only_cmu(),
        more("MT1", 4, [105.0 * k, -s * 32.0 * k, -42.0 * k]),
        more("CAL", 5, [-35.0 * k, s * 28.0 * k, -35.0 * k]),
    ]
}

fn upper_arm(body: &Body, length_m: f64, s: f64) -> Vec<Put> {
    let k = body.k * 1e-3;
    let elbow_m = s * (body.elbow_width_m / 2.0 + MARKER_RADIUS_M);
    vec![
        both("ELB", 2, [-3.0 * k, elbow_m, -length_m], millimetres([8.0, 4.0, 9.0])),
        both("UPA", 2, [3.0 * k, s * 52.0 * k, -0.5 * length_m], millimetres([20.0, 8.0, 40.0])),
        more("UA1", 3, [45.0 * k, s * 28.0 * k, -0.35 * length_m]),
        more("UA2", 4, [-32.0 * k, s * 42.0 * k, -0.55 * length_m]),
        more("UA3", 5, [20.0 * k, s * 50.0 * k, -0.75 * length_m]),
    ]
}

/// The thumb points forward when all angles are zero.
fn forearm(body: &Body, length_m: f64, s: f64) -> Vec<Put> {
    let (k, half_m) = (body.k * 1e-3, body.wrist_width_m / 2.0);
    let wrist = [5.0, 8.0, 10.0];
    vec![
        both("WRA", 2, [half_m, s * 5.0 * k, -length_m + 4.0 * k], millimetres(wrist)),
        both("WRB", 2, [-half_m, s * 8.0 * k, -length_m + 2.0 * k], millimetres(wrist)),
        both("FRM", 3, [8.0 * k, s * 42.0 * k, -0.47 * length_m], millimetres([15.0, 8.0, 35.0])),
        more("FOREARM1", 4, [38.0 * k, s * 20.0 * k, -0.32 * length_m]),
        more("FOREARM2", 5, [-25.0 * k, s * 33.0 * k, -0.6 * length_m]),
    ]
}

fn hand(k: f64, s: f64) -> Vec<Put> {
    let k = k * 1e-3;
    vec![
        both("FIN", 2, [6.0 * k, s * 20.0 * k, -86.0 * k], millimetres([12.0, 6.0, 12.0])),
        more("HAND1", 2, [-32.0 * k, s * 14.0 * k, -60.0 * k]),
        more("HAND2", 3, [36.0 * k, s * 14.0 * k, -62.0 * k]),
        more("HAND3", 4, [0.0, s * 22.0 * k, -40.0 * k]),
        more("HAND4", 5, [-20.0 * k, s * 18.0 * k, -100.0 * k]),
    ]
}
