//! A description as it is written, field by field.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;

/// A text with its place in the description.
pub(super) type Named = Spanned<String>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Description {
    pub(super) name: String,
    pub(super) marker_set: Option<Named>,
    #[serde(default)]
    pub(super) mirror: bool,
    #[serde(default)]
    pub(super) fixed: bool,
    pub(super) segment: Vec<SegmentEntry>,
    #[serde(default)]
    pub(super) leg: Vec<LegEntry>,
    pub(super) walk: Option<GaitEntry>,
    #[serde(rename = "chicken-walk")]
    pub(super) chicken_walk: Option<GaitEntry>,
    #[serde(default)]
    pub(super) exercise: Vec<ExerciseEntry>,
}

#[derive(Deserialize, Clone)]
#[serde(deny_unknown_fields)]
pub(super) struct SegmentEntry {
    pub(super) name: Named,
    pub(super) parent: Option<Named>,
    pub(super) joint: Option<Named>,
    pub(super) kind: Option<Named>,
    pub(super) at: [f64; 3],
    #[serde(default)]
    pub(super) axes: Vec<[f64; 3]>,
    #[serde(default)]
    pub(super) range_deg: Vec<[f64; 2]>,
    pub(super) rom_deg: Option<Vec<[f64; 2]>>,
    pub(super) rest_deg: Option<Vec<f64>>,
    pub(super) skin: Option<f64>,
    #[serde(default)]
    pub(super) markers: Vec<MarkerEntry>,
}

#[derive(Deserialize, Clone)]
#[serde(deny_unknown_fields)]
pub(super) struct MarkerEntry {
    pub(super) at: [f64; 3],
    pub(super) name: Option<String>,
    #[serde(default)]
    pub(super) names: BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LegEntry {
    #[serde(default)]
    pub(super) side: String,
    pub(super) hip: Named,
    pub(super) knee: Named,
    pub(super) ankle: Named,
    pub(super) heel: [f64; 3],
    pub(super) ball: [f64; 3],
    pub(super) phase: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GaitEntry {
    pub(super) speed_m_s: f64,
    pub(super) cycle_s: Spanned<f64>,
    pub(super) stance: Spanned<f64>,
    pub(super) turn_radius_m: Option<Spanned<f64>>,
    pub(super) lift_m: f64,
    #[serde(default)]
    pub(super) spread_m: f64,
    #[serde(default)]
    pub(super) strike_deg: f64,
    #[serde(default)]
    pub(super) toe_off_deg: f64,
    #[serde(default)]
    pub(super) hang_deg: f64,
    #[serde(default)]
    pub(super) bob_m: f64,
    #[serde(default)]
    pub(super) sway_m: f64,
    #[serde(default)]
    pub(super) crouch_m: f64,
    #[serde(default)]
    pub(super) lean_deg: f64,
    #[serde(default)]
    pub(super) yaw_deg: f64,
    #[serde(default)]
    pub(super) roll_deg: f64,
    #[serde(default)]
    pub(super) swing: Vec<SwingEntry>,
    #[serde(default)]
    pub(super) drive: Vec<Named>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SwingEntry {
    pub(super) joint: Named,
    pub(super) axis: Spanned<usize>,
    #[serde(default)]
    pub(super) mean_deg: f64,
    pub(super) amplitude_deg: f64,
    #[serde(default)]
    pub(super) phase: f64,
    pub(super) harmonic: Option<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ExerciseEntry {
    pub(super) name: String,
    #[serde(default)]
    pub(super) joints: Vec<Named>,
    #[serde(default)]
    pub(super) high_step_m: f64,
}
