//! Sizes of the body that were measured: by the user, or as the recording has them.

use serde::{Deserialize, Serialize};

use crate::trial::{Note, Trial, parameters};
use crate::whole_body::Knowledge;

/// Sizes of the body that were measured, in metres; the mean of both sides.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct Measured {
    /// The height of the person.
    pub stature_m: Option<f64>,
    /// Between the epicondyles of the femur.
    pub knee_width_m: Option<f64>,
    /// Between the malleoli.
    pub ankle_width_m: Option<f64>,
    /// Between the epicondyles of the humerus.
    pub elbow_width_m: Option<f64>,
    /// Between the two sides of the wrist that carry markers.
    pub wrist_width_m: Option<f64>,
    /// From the anterior superior iliac spine to the medial malleolus.
    pub leg_length_m: Option<f64>,
}

/// A size as it enters the fit.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct MeasuredSize {
    /// Its name in the knowledge.
    pub name: &'static str,
    pub value_m: f64,
    pub sd_m: f64,
    /// Where it is from, in words.
    pub from: String,
}

/// A size that can be measured.
struct Kind {
    name: &'static str,
    stated_m: fn(&Measured) -> Option<f64>,
    /// What files call it, in millimetres; of both sides their mean counts.
    parameters: &'static [&'static str],
    /// What people have, newborns and giants included.
    possible_m: [f64; 2],
    /// How well a tape or a calliper measures it.
    sd_m: f64,
}

/// Missing on purpose: `LWristWidth` of Vicon is the thickness of the wrist, not what its markers are apart; with
/// `LLegLength` hips come from the leg instead of the pelvis, which is worse where the pelvis has its markers.
const KINDS: [Kind; 6] = [
    Kind {
        name: "stature",
        stated_m: |measured| measured.stature_m,
        parameters: &["Height"],
        possible_m: [0.4, 2.6],
        sd_m: 0.01,
    },
    Kind {
        name: "knee width",
        stated_m: |measured| measured.knee_width_m,
        parameters: &["LKneeWidth", "RKneeWidth"],
        possible_m: [0.035, 0.22],
        sd_m: 0.004,
    },
    Kind {
        name: "ankle width",
        stated_m: |measured| measured.ankle_width_m,
        parameters: &["LAnkleWidth", "RAnkleWidth"],
        possible_m: [0.025, 0.13],
        sd_m: 0.004,
    },
    Kind {
        name: "elbow width",
        stated_m: |measured| measured.elbow_width_m,
        parameters: &["LElbowWidth", "RElbowWidth"],
        possible_m: [0.025, 0.14],
        sd_m: 0.004,
    },
    Kind {
        name: "wrist width",
        stated_m: |measured| measured.wrist_width_m,
        parameters: &[],
        possible_m: [0.02, 0.25],
        sd_m: 0.005,
    },
    Kind {
        name: "leg length",
        stated_m: |measured| measured.leg_length_m,
        parameters: &[],
        possible_m: [0.15, 1.4],
        sd_m: 0.015,
    },
];

/// The group of a C3D file that Vicon writes measured sizes into.
const GROUP: &str = "PROCESSING";

impl Measured {
    /// Whether nothing was measured.
    pub fn is_empty(&self) -> bool {
        KINDS.iter().all(|kind| (kind.stated_m)(self).is_none())
    }

    /// The sizes that enter a fit, and what is to be said of those that do not: what was stated counts before what
    /// the first of the recordings has that has any.
    pub(super) fn sizes<'a>(
        &self,
        trials: impl Iterator<Item = &'a Trial> + Clone,
        knowledge: &Knowledge,
    ) -> (Vec<MeasuredSize>, Vec<Note>) {
        let (mut sizes, mut notes) = (Vec::new(), Vec::new());
        for kind in &KINDS {
            let stated = (kind.stated_m)(self).map(|value_m| (value_m, "as stated".to_owned()));
            let Some((value_m, from)) =
                stated.or_else(|| trials.clone().find_map(|t| kind.in_file(t)))
            else {
                continue;
            };
            let refused = match () {
                () if !knowledge.size_names().any(|name| name == kind.name) => {
                    Some("the knowledge has no such size".to_owned())
                }
                () if !(kind.possible_m[0]..=kind.possible_m[1]).contains(&value_m) => {
                    let [least, most] = kind.possible_m.map(|m| m * 1e3);
                    Some(format!("need {least:.0} to {most:.0} mm of a person"))
                }
                () => None,
            };
            let said = format!("{} {:.0} mm, {from}", kind.name, value_m * 1e3);
            match refused {
                Some(why) => notes.push(Note::new("size-ignored", format!("{said}: {why}"))),
                None => {
                    notes.push(Note::new("size-measured", said));
                    sizes.push(MeasuredSize { name: kind.name, value_m, sd_m: kind.sd_m, from });
                }
            }
        }
        (sizes, notes)
    }
}

impl Kind {
    /// What a recording says of it.
    fn in_file(&self, trial: &Trial) -> Option<(f64, String)> {
        let number = |name: &&'static str| {
            let parameter = parameters::find(&trial.parameters, GROUP, name)?;
            Some((*name, *parameter.to_numbers().first()?))
        };
        let found: Vec<(&str, f64)> = self.parameters.iter().filter_map(number).collect();
        if found.is_empty() {
            return None;
        }
        // A side that nobody measured is zero.
        let filled: Vec<f64> = found.iter().map(|(_, mm)| *mm).filter(|mm| *mm != 0.0).collect();
        let mean_mm = (0.0 + filled.iter().sum::<f64>()) / filled.len().max(1) as f64;
        let names: Vec<String> = found.iter().map(|(name, mm)| format!("{name} {mm:.0}")).collect();
        Some((mean_mm * 1e-3, format!("by the file ({})", names.join(", "))))
    }
}
