//! The knowledge file as it is written, field by field.

use serde::Deserialize;
use toml::Spanned;

pub(super) type Text = Spanned<String>;
pub(super) type Number = Spanned<f64>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    pub version: Spanned<i64>,
    pub name: String,
    pub marker_radius_mm: Option<Number>,
    pub inflation: Option<Number>,
    #[serde(default)]
    pub not_for: Vec<String>,
    #[serde(default)]
    pub size: Vec<Size>,
    #[serde(default)]
    pub define: Vec<Define>,
    #[serde(default)]
    pub segment: Vec<Segment>,
    #[serde(default)]
    pub bone: Vec<Bone>,
    #[serde(default)]
    pub rule: Vec<Rule>,
    #[serde(default)]
    pub landmark: Vec<Landmark>,
    #[serde(default)]
    pub offset: Vec<Offset>,
    #[serde(default)]
    pub angle: Vec<Angle>,
}

/// Landmarks, and angles that take the place of others.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Landmarks {
    pub landmark: Vec<Landmark>,
    #[serde(default)]
    pub angle: Vec<Angle>,
}

/// Where a number comes from.
#[derive(Deserialize, Default, Clone)]
pub(super) struct Origin {
    pub source: Option<String>,
    #[serde(default)]
    pub verified: bool,
    #[allow(dead_code, reason = "for readers of the file")]
    pub note: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct Size {
    pub symbol: Text,
    pub name: String,
    pub mean: Text,
    pub sd_percent: Number,
    #[serde(flatten)]
    pub origin: Origin,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Define {
    pub symbol: Text,
    pub is: Text,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Segment {
    pub name: Text,
    #[serde(default)]
    pub sided: bool,
    pub parent: Option<Text>,
    pub joint: Option<Text>,
    pub kind: Option<Text>,
    pub closure: Option<Number>,
    pub start: Option<[Text; 3]>,
    pub noise: Number,
    pub bone: Option<BoneEnd>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BoneEnd {
    pub to: Text,
    #[serde(default)]
    pub up: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Bone {
    pub segment: Text,
    pub length: Text,
    pub sd_percent: Number,
    pub left_right_percent: Option<Number>,
    pub between: Option<[Text; 2]>,
    pub source: Option<String>,
    #[serde(default)]
    pub verified: bool,
    #[allow(dead_code, reason = "for readers of the file")]
    pub note: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Rule {
    pub name: Text,
    #[serde(default)]
    pub frame: bool,
    #[serde(default)]
    pub sided: bool,
    pub equations: Vec<Equation>,
    #[serde(default)]
    pub needs: Vec<Text>,
    pub unless: Option<Text>,
    pub needs_measured: Option<Text>,
    pub unless_measured: Option<Text>,
    pub belt_factor: Option<Number>,
    pub source: Option<String>,
    #[serde(default)]
    pub verified: bool,
    #[allow(dead_code, reason = "for readers of the file")]
    pub note: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Equation {
    pub is: Text,
    pub sd: Option<Spanned<Amount>>,
    pub sd_percent: Option<Number>,
    pub unless: Option<Text>,
}

/// A number, or one that grows with the body: `30 k`.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Amount {
    Number(f64),
    Text(String),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Landmark {
    pub name: Text,
    pub segment: Text,
    #[serde(default)]
    pub sided: bool,
    #[serde(default)]
    pub offset: bool,
    #[serde(default)]
    pub labels: String,
    #[serde(default)]
    pub belt: String,
    pub start: Option<[Text; 3]>,
    pub at: Option<[Text; 3]>,
    pub sd: Option<[Spanned<Amount>; 3]>,
    pub noise: Option<Number>,
    pub source: Option<String>,
    #[serde(default)]
    pub verified: bool,
    #[allow(dead_code, reason = "for readers of the file")]
    pub note: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Offset {
    pub name: Text,
    pub landmarks: Text,
    pub sd: [Spanned<Amount>; 3],
    pub error_sd: Option<[Spanned<Amount>; 3]>,
    pub source: Option<String>,
    #[serde(default)]
    pub verified: bool,
    #[allow(dead_code, reason = "for readers of the file")]
    pub note: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Angle {
    pub joint: Text,
    pub axes: Text,
    #[serde(default)]
    pub mean: f64,
    pub sd: Number,
    pub frames: Option<Spanned<Frames>>,
    pub at_least: Option<f64>,
    pub at_most: Option<f64>,
    #[allow(dead_code, reason = "for readers of the file")]
    pub source: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Frames {
    Number(f64),
    All(String),
}
