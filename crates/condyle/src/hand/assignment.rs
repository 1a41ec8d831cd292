//! Which marker of a recording is which of the hand.

use crate::error::{Error, Result};

use super::model::Model;

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
        let tip = |finger: &super::model::Finger| match &finger.tip_label {
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
