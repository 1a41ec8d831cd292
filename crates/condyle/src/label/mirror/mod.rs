//! Parts of a body that could be their mirror images: which labels change sides, and whether they should.

mod partners;
mod parts;
mod sides;

use nalgebra::Point3;

use super::body_shape::{BodyShape, CELL_M, CELLS, Evidence, height_m};
use super::pose::Pose;
use super::tracklet::Look;
use partners::partners;
use parts::parts;
use sides::{Side, sides};

/// How often a height is not what it was.
const ASTRAY: f64 = 0.1;
/// How much a change of sides must be worse, a label, for its labels to be sure.
const MIN_MARGIN: f64 = 0.05;
const MAX_PASSES: usize = 20;

/// Which labels are mirror images of each other, and which change sides together.
pub(super) struct Mirror {
    partner: Vec<usize>,
    /// Labels that change sides together, as they may do it: single parts, and all beyond a joint.
    parts: Vec<Vec<usize>>,
    sides: Vec<Vec<Side>>,
}

/// A frame with the point of every label.
pub(super) struct Held<'a> {
    pub(super) look: &'a Look,
    pub(super) point_of: Vec<Option<usize>>,
}

impl<'a> Held<'a> {
    pub(super) fn new(
        look: &'a Look,
        labels: usize,
        label_of: impl Fn(usize) -> Option<usize>,
    ) -> Self {
        let mut point_of = vec![None; labels];
        for point in 0..look.tracklets.len() {
            if let Some(label) = label_of(point) {
                point_of[label] = Some(point);
            }
        }
        Self { look, point_of }
    }

    fn position_m(&self, label: usize) -> Option<Point3<f64>> {
        Some(self.look.positions_m[self.point_of[label]?])
    }
}

/// What changes sides in the best labelling, and what might as well.
pub(super) struct Settled {
    /// The new label of every label.
    pub(super) label_from: Vec<usize>,
    /// Labels whose side is not sure.
    pub(super) is_doubtful: Vec<bool>,
}

impl Mirror {
    /// # Method
    /// A pose is reflected in a plane and its markers are assigned to the reflections, from planes across the
    /// principal axes on and refined. Labels that keep together are parts; of a tree of parts by nearness, every
    /// part and everything on either side of an edge may change sides.
    pub(super) fn new(shape: &BodyShape, evidence: Evidence) -> Self {
        let partner = partners(shape.labels, evidence.poses);
        let parts = parts(shape, &partner);
        let sides = sides(shape, evidence);
        Self { partner, parts, sides }
    }

    /// Whether nothing has a mirror image.
    pub(super) fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Lets parts change sides as long as the labels of some frames fit better.
    pub(super) fn settle(&self, shape: &BodyShape, frames: &[Held]) -> Settled {
        let labels = shape.labels;
        let mut label_from: Vec<usize> = (0..labels).collect();
        let changed = |label_from: &[usize], part: &[usize]| {
            let mut new = label_from.to_vec();
            for (old, label) in label_from.iter().enumerate() {
                if part.contains(label) {
                    new[old] = self.partner[*label];
                }
            }
            new
        };
        let mut value = self.value(shape, frames, &label_from);
        let mut is_doubtful = vec![false; labels];
        for _ in 0..MAX_PASSES {
            let candidates = self.parts.iter().map(|part| {
                let new = changed(&label_from, part);
                (self.value(shape, frames, &new), new)
            });
            let candidates: Vec<(f64, Vec<usize>)> = candidates.collect();
            let best = candidates.iter().max_by(|a, b| a.0.total_cmp(&b.0));
            match best.filter(|(new, _)| *new > value + 1e-9) {
                Some((new, labels)) => (value, label_from) = (*new, labels.clone()),
                None => {
                    for ((other, _), part) in candidates.iter().zip(&self.parts) {
                        let seen = self.count(frames, part);
                        if seen > 0.0 && value - other < MIN_MARGIN * seen {
                            part.iter().for_each(|label| is_doubtful[*label] = true);
                        }
                    }
                    break;
                }
            }
        }
        Settled { label_from, is_doubtful }
    }

    fn count(&self, frames: &[Held], part: &[usize]) -> f64 {
        let seen =
            |frame: &Held| part.iter().filter(|label| frame.point_of[**label].is_some()).count();
        frames.iter().map(seen).sum::<usize>() as f64
    }

    /// How well frames fit if labels are called otherwise: the sum over labels of the means of their evidence.
    fn value(&self, shape: &BodyShape, frames: &[Held], label_from: &[usize]) -> f64 {
        let mut sum = 0.0;
        let mut position_m: Pose = vec![None; shape.labels];
        for frame in frames {
            position_m.fill(None);
            for (old, new) in label_from.iter().enumerate() {
                position_m[*new] = frame.position_m(old);
            }
            for label in 0..shape.labels {
                let Some(own_m) = position_m[label] else { continue };
                let (mut gain, mut mates) = (0.0, 0.0_f64);
                for mate in &shape.mates[label] {
                    let Some(other_m) = position_m[mate.label] else { continue };
                    let cell = ((own_m - other_m).norm() / CELL_M + 0.5) as usize;
                    gain += f64::from(mate.gain[cell.min(CELLS - 1)]);
                    mates += 1.0;
                }
                sum += gain / mates.max(4.0);
                let heights = self.sides[label].iter().filter_map(|side| {
                    let [a, b, c] = side.marks.map(|mark| position_m[mark]);
                    let z = (height_m(&own_m, [a?, b?, c?])? - side.height_m) / side.spread_m;
                    Some(((1.0 - ASTRAY) * (-0.5 * z * z).exp() + ASTRAY).ln())
                });
                let (count, total) = heights.fold((0.0, 0.0), |(n, t), value| (n + 1.0, t + value));
                if count > 0.0 {
                    sum += total / count;
                }
            }
        }
        sum
    }
}
