//! Which marker of a recording is which of the hand.

use nalgebra::Point3;

use super::labels::{FINGERS, Found};
use super::model::{Finger, Model};
use crate::error::{Error, Result};
use crate::statistics::median;

/// Distances on the back of a hand may be so far from those of its model.
const MOST_OFF_M: f64 = 4e-3;

/// For everything of a hand that wears a marker, the place of that marker among those of a recording.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Assignment {
    /// Of each marker on the back of the hand.
    pub palm: Vec<Option<usize>>,
    /// Of the tip of each finger.
    pub tips: Vec<Option<usize>>,
    /// Of each further marker of each finger.
    pub on_fingers: Vec<Vec<Option<usize>>>,
}

impl Assignment {
    /// By the labels that the model itself has.
    ///
    /// # Errors
    /// Fewer than three markers on the back of the hand, or no tip.
    pub fn by_model(model: &Model, labels: &[&str]) -> Result<Self> {
        let find = |name: &str| {
            let bare = |label: &str| label.rsplit(':').next().unwrap_or(label).to_owned();
            labels
                .iter()
                .position(|label| *label == name)
                .or_else(|| labels.iter().position(|label| bare(label).eq_ignore_ascii_case(name)))
        };
        let tip = |finger: &Finger| match &finger.tip_label {
            Some(label) => find(label),
            None => find(&finger.tip),
        };
        let assignment = Self {
            palm: model.markers.iter().map(|marker| find(&marker.name)).collect(),
            tips: model.fingers.iter().map(tip).collect(),
            on_fingers: (model.fingers.iter())
                .map(|finger| finger.markers.iter().map(|marker| find(&marker.label)).collect())
                .collect(),
        };
        assignment.check()?;
        Ok(assignment)
    }

    /// By what was found: tips by their fingers, and the three markers on the back in the order in which their distances
    /// are those of the model.
    ///
    /// # Errors
    /// A model with other than three markers on its back, or of which the distances are others.
    pub fn by_shape(
        model: &Model,
        found: &Found,
        frames: &[Vec<Option<Point3<f64>>>],
    ) -> Result<Self> {
        let [a, b, c] = model.markers.iter().map(|marker| marker.at_m).collect::<Vec<_>>()[..]
        else {
            let got = model.markers.len();
            return Err(Error::undetermined(format!(
                "markers on the back of the hand: need 3 in the model to find them without names, got {got}"
            ))
            .with_code("no-hand"));
        };
        let sides_m = [(a - b).norm(), (b - c).norm(), (c - a).norm()];
        let off_m = |columns: [usize; 3]| {
            let [a, b, c] = columns;
            let sides =
                [[a, b], [b, c], [c, a]].into_iter().zip(sides_m).map(|([a, b], side_m)| {
                    let apart =
                        frames.iter().filter_map(|frame| Some((frame[a]? - frame[b]?).norm()));
                    median(apart).map_or(f64::INFINITY, |apart_m| (apart_m - side_m).abs())
                });
            sides.fold(0.0, f64::max)
        };
        let [x, y, z] = found.palm[..] else {
            return Self::default().check().map(|()| Self::default());
        };
        let orders = [[x, y, z], [x, z, y], [y, x, z], [y, z, x], [z, x, y], [z, y, x]];
        let best = orders.map(|order| (off_m(order), order));
        let (off_m, palm) = best.into_iter().fold((f64::INFINITY, orders[0]), |best, other| {
            if other.0 < best.0 { other } else { best }
        });
        if off_m > MOST_OFF_M {
            return Err(Error::undetermined(format!(
                "markers on the back of the hand: need distances as in the model, got them off by {:.1} mm",
                off_m * 1e3
            ))
            .with_code("no-hand"));
        }
        let tip = |finger: &Finger| {
            let at = FINGERS.iter().position(|name| *name == finger.name)?;
            found.tips[at]
        };
        let assignment = Self {
            palm: palm.map(Some).to_vec(),
            tips: model.fingers.iter().map(tip).collect(),
            on_fingers: model
                .fingers
                .iter()
                .map(|finger| vec![None; finger.markers.len()])
                .collect(),
        };
        assignment.check()?;
        Ok(assignment)
    }

    /// # Errors
    /// Fewer than three markers on the back of the hand, or no tip.
    pub fn check(&self) -> Result<()> {
        let palm = self.palm.iter().flatten().count();
        let tips = self.tips.iter().flatten().count();
        if palm < 3 {
            return Err(Error::undetermined(format!(
                "markers on the back of the hand: need 3, found {palm}"
            ))
            .with_code("no-hand"));
        }
        if tips == 0 {
            return Err(
                Error::undetermined("tips of fingers: need one, found none").with_code("no-hand")
            );
        }
        Ok(())
    }
}
