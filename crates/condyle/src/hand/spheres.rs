//! The palm as the document has it: every joint of it where spheres about p and q meet the plane of p, q and r.
//!
//! # Reference
//! A. Aristidou (2010), (5.2)–(5.7). Of the two points nearer to the joint's last place is taken, or at first that on the
//! side of r as in the model. Spheres that do not meet give the middle of p and q in the text, centimetres off; so here.

use nalgebra::{Isometry3, Point3};

use super::model::Model;
use crate::rigid::{Pair, place};

/// The palm by spheres.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Spheres {
    /// The last pose, for which of two points is nearer.
    last: Option<Isometry3<f64>>,
}

impl Spheres {
    /// Where the hand is, from its joints found one by one. The model's first three markers are r, p and q.
    pub fn place(
        &mut self,
        model: &Model,
        at_m: impl Fn(usize) -> Option<Point3<f64>>,
    ) -> Option<Isometry3<f64>> {
        let [r, p, q] = [at_m(0)?, at_m(1)?, at_m(2)?];
        let places: [Point3<f64>; 3] = [0, 1, 2].map(|marker| model.markers[marker].at_m);
        let own = |index: usize| places[index];
        let pairs = (model.fingers.iter())
            .filter_map(|finger| {
                let in_segment_m = finger.base_in_hand_m;
                let in_world_m =
                    meet(&in_segment_m, [own(0), own(1), own(2)], [r, p, q], self.last)?;
                Some(Pair { in_segment_m, in_world_m, weight: 1.0 })
            })
            .chain([r, p, q].into_iter().enumerate().map(|(index, in_world_m)| Pair {
                in_segment_m: own(index),
                in_world_m,
                weight: 1.0,
            }));
        let placed = place(pairs)?.world_from_segment;
        self.last = Some(placed);
        Some(placed)
    }
}

/// A joint of the palm: where the spheres about p and q meet the plane, on its side; its height over the plane is kept.
fn meet(
    in_hand_m: &Point3<f64>,
    own: [Point3<f64>; 3],
    [r, p, q]: [Point3<f64>; 3],
    last: Option<Isometry3<f64>>,
) -> Option<Point3<f64>> {
    let normal_of = |r: &Point3<f64>, p: &Point3<f64>, q: &Point3<f64>| {
        (p - r).cross(&(q - r)).try_normalize(1e-9)
    };
    let own_normal = normal_of(&own[0], &own[1], &own[2])?;
    let normal = normal_of(&r, &p, &q)?;
    let height_m = (in_hand_m - own[0]).dot(&own_normal);
    let flat_m = in_hand_m - own_normal * height_m;
    let [to_p, to_q] = [(flat_m - own[1]).norm(), (flat_m - own[2]).norm()];
    let between = q - p;
    let length_m = between.norm();
    let along_m = (length_m * length_m + to_p * to_p - to_q * to_q) / (2.0 * length_m);
    let square = to_p * to_p - along_m * along_m;
    let found = if square < 0.0 {
        p + between * 0.5
    } else {
        let aside = normal.cross(&between).try_normalize(1e-12)?;
        let foot = p + between * (along_m / length_m);
        let [one, other] = [1.0, -1.0].map(|sign| foot + aside * (sign * square.sqrt()));
        let near = match last {
            Some(pose) => pose * flat_m,
            None => {
                let own_aside = own_normal.cross(&(own[2] - own[1]));
                let sign = own_aside.dot(&(flat_m - own[1])).signum();
                foot + aside * sign
            }
        };
        if (one - near).norm() <= (other - near).norm() { one } else { other }
    };
    Some(found + normal * height_m)
}
