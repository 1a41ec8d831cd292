//! The masses of the parts of a body.
//!
//! # Method
//! Of table 4 the mean of women and men. The sagittal axis is x, the longitudinal y, the transverse z. Head, shank and
//! hand are those from vertex to cervicale, knee to ankle centre, and wrist centre to third metacarpal. Upper and middle
//! trunk are one here: their masses and inertias are put together about their common centre.
//!
//! # Reference
//! P. de Leva 1996, *Adjustments to Zatsiorsky-Seluyanov's segment inertia parameters*, J. Biomechanics 29, 1223-1230,
//! table 4; as transcribed by M. Duarte and R. N. Watanabe, *Notes on Scientific Computing for Biomechanics and Motor
//! Control* (BMClab/BMC, `BSPmale_ZdeLeva.txt` and `BSPfemale_ZdeLeva.txt`).

/// A part of the body: its share of the weight, where its centre of mass is between its proximal end and its distal one,
/// and its radii of gyration about x, y and z, as shares of its length; y is along it.
pub struct PartMass {
    /// The name of the part.
    pub part: &'static str,
    /// The part that takes its mass over where it is not there.
    pub onto: &'static str,
    /// Its share of the weight.
    pub share: f64,
    /// Its centre of mass, from the proximal end.
    pub centre: f64,
    /// Radii of gyration about its own axes x, y, z.
    pub radii: [f64; 3],
}

const fn part(
    part: &'static str,
    onto: &'static str,
    share: f64,
    centre: f64,
    radii: [f64; 3],
) -> PartMass {
    PartMass { part, onto, share, centre, radii }
}

/// The table.
pub const PARTS: [PartMass; 9] = [
    part("pelvis", "", 0.1182, 0.5518, [0.524, 0.5155, 0.4765]),
    part("chest", "pelvis", 0.31195, 0.3944, [0.4072, 0.2739, 0.3548]),
    part("head", "chest", 0.0681, 0.4922, [0.287, 0.261, 0.305]),
    part("upper arm", "chest", 0.0263, 0.5763, [0.2815, 0.153, 0.2645]),
    part("forearm", "upper arm", 0.0150, 0.4567, [0.2685, 0.1075, 0.261]),
    part("hand", "forearm", 0.00585, 0.7687, [0.5795, 0.368, 0.4835]),
    part("thigh", "pelvis", 0.1447, 0.3854, [0.349, 0.1555, 0.3465]),
    part("shank", "thigh", 0.0457, 0.4374, [0.259, 0.097, 0.2545]),
    part("foot", "shank", 0.0133, 0.4215, [0.278, 0.1315, 0.262]),
];

/// The share of the weight that each of some parts carries: those that are not there are carried by their neighbours.
/// Parts that the table does not have carry nothing.
pub fn shares(parts: &[Option<(&str, bool)>]) -> Vec<f64> {
    let mut shares = vec![0.0; parts.len()];
    // Sided parts are counted once for each side.
    for own in &PARTS {
        for is_left in [false, true] {
            let is_sided = !["pelvis", "chest", "head"].contains(&own.part);
            if !is_sided && is_left {
                continue;
            }
            let mut name = own.part;
            let found = loop {
                let is_it = |part: &Option<(&str, bool)>| {
                    part.is_some_and(|(part, of_left)| {
                        let has_side = !["pelvis", "chest", "head"].contains(&part);
                        part == name && (!has_side || of_left == is_left)
                    })
                };
                if let Some(at) = parts.iter().position(is_it) {
                    break Some(at);
                }
                match PARTS.iter().find(|part| part.part == name) {
                    Some(part) if !part.onto.is_empty() => name = part.onto,
                    _ => break None,
                }
            };
            if let Some(at) = found {
                shares[at] += own.share;
            }
        }
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_the_weight_is_lost() {
        let sum: f64 = PARTS
            .iter()
            .map(|part| {
                part.share
                    * if ["pelvis", "chest", "head"].contains(&part.part) { 1.0 } else { 2.0 }
            })
            .sum();
        assert!((sum - 1.0).abs() < 2e-3, "{sum}");
        let legs = [
            Some(("pelvis", false)),
            Some(("thigh", true)),
            Some(("thigh", false)),
            Some(("shank", true)),
            None,
        ];
        let carried = shares(&legs);
        assert!((carried.iter().sum::<f64>() - sum).abs() < 1e-12);
        assert!(carried[2] > carried[1] && carried[4] == 0.0);
    }
}
