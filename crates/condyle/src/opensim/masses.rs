//! The masses of the parts of a body.
//!
//! # Reference
//! P. de Leva 1996, *Adjustments to Zatsiorsky-Seluyanov's segment inertia parameters*, J. Biomechanics 29, table 4; the
//! mean of women and men. The numbers were written down from memory and not yet checked against the table.

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

/// The table. Upper and middle trunk are one, and so are head and neck.
pub const PARTS: [PartMass; 9] = [
    part("pelvis", "", 0.1182, 0.55, [0.52, 0.57, 0.59]),
    part("chest", "pelvis", 0.3120, 0.50, [0.32, 0.27, 0.35]),
    part("head", "chest", 0.0681, 0.50, [0.29, 0.26, 0.30]),
    part("upper arm", "chest", 0.0263, 0.576, [0.273, 0.153, 0.281]),
    part("forearm", "upper arm", 0.0150, 0.457, [0.262, 0.108, 0.268]),
    part("hand", "forearm", 0.0059, 0.768, [0.48, 0.37, 0.58]),
    part("thigh", "pelvis", 0.1447, 0.386, [0.346, 0.156, 0.349]),
    part("shank", "thigh", 0.0457, 0.438, [0.258, 0.098, 0.263]),
    part("foot", "shank", 0.0133, 0.421, [0.25, 0.13, 0.27]),
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
