//! What is known of a kind of body before it is recorded, as data.

mod entries;
mod expression;
mod read;

use crate::error::Result;

const HUMAN: &str = include_str!("../human.toml");
const KEYPOINTS: &str = include_str!("../keypoints.toml");
/// Between keypoints nothing shows how far the two sides of a joint are apart: hardly at all.
const KEYPOINT_CLOSURE_M: f64 = 2e-3;
/// What detectors call the wrist is anywhere between the joint and the hand: forearms differ by this share.
const KEYPOINT_FOREARM: f64 = 0.15;

/// Everything that is known of a kind of body: sizes, segments, landmarks, lengths, rules, postures.
///
/// Lengths are in metres, angles in radians; standard deviations are as the file has them, without the
/// inflation.
#[derive(Debug, Clone, PartialEq)]
pub struct Knowledge {
    /// What it is about: `human`.
    pub name: String,
    /// Every standard deviation is multiplied by this.
    pub inflation: f64,
    /// Marker sets whose labels mean something else.
    pub not_for: Vec<String>,
    /// Whether hands and feet are part of the body also where no point of them is seen: what is seen of wrist and ankle
    /// is the joint itself.
    pub(super) has_ends: bool,
    pub(super) sizes: Vec<Size>,
    pub(super) segments: Vec<SegmentKind>,
    pub(super) bones: Vec<Bone>,
    pub(super) rules: Vec<Rule>,
    pub(super) landmarks: Vec<Landmark>,
    pub(super) offsets: Vec<Offset>,
    pub(super) angles: Vec<Angle>,
}

/// A size of the body; its logarithm is estimated.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Size {
    pub name: String,
    pub mean: Sum,
    pub relative_sd: f64,
    pub source: Source,
}

/// Where a number comes from.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Source {
    /// Author and year; `None` for the program's own means.
    pub text: Option<String>,
    /// Whether the number was looked up there.
    pub is_verified: bool,
}

/// A segment as a kind: both thighs are one.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SegmentKind {
    pub name: String,
    pub is_sided: bool,
    /// The kind it hangs on, and its joint.
    pub parent: Option<usize>,
    pub joint: String,
    pub is_hinge: bool,
    pub closure_m: f64,
    pub start: [Sum; 3],
    pub noise_m: f64,
    /// The kind whose joint is on this one's z axis, and whether upwards.
    pub bone: Option<(usize, bool)>,
}

/// The length of a segment's bone.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Bone {
    pub segment: usize,
    pub length: Sum,
    pub relative_sd: f64,
    pub left_right_sd: Option<f64>,
    pub between: Option<[usize; 2]>,
    pub source: Source,
}

/// Equations that are believed or doubted together.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Rule {
    pub name: String,
    /// Whether it defines a frame: it is exact by definition and never doubted.
    pub is_frame: bool,
    pub is_sided: bool,
    pub equations: Vec<Equation>,
    /// Landmarks that must be there: one of each list.
    pub needs: Vec<Vec<usize>>,
    /// Landmarks none of which may be there.
    pub unless: Vec<usize>,
    /// A size that must have been measured, and one that must not.
    pub needs_measured: Option<usize>,
    pub unless_measured: Option<usize>,
    pub belt_factor: f64,
    pub source: Source,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Equation {
    pub left: Sum,
    pub right: Sum,
    pub sd: Deviation,
    pub unless: Vec<usize>,
}

/// How well an equation holds.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Deviation {
    /// In metres; may grow with the body.
    Absolute(Sum),
    /// As a share of either side.
    Relative(f64),
}

/// A place on a segment that labels name.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Landmark {
    pub name: String,
    pub segment: usize,
    pub is_sided: bool,
    /// Whether it tells its segment but no place that counts as recognised.
    pub is_offset: bool,
    pub labels: Vec<String>,
    pub belt_labels: Vec<String>,
    /// Where to begin.
    pub start: Option<[Sum; 3]>,
    /// Where it is expected, if anywhere, and how well.
    pub expected: Option<([Sum; 3], [Sum; 3])>,
    pub noise_m: Option<f64>,
    pub source: Source,
}

/// What the landmarks of a joint have in common: how far the joint is from where they let it expect.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Offset {
    pub name: String,
    pub landmarks: Vec<usize>,
    /// How it is weighed.
    pub sd: [Sum; 3],
    /// How far off it may be, which error bars count.
    pub error_sd: [Sum; 3],
    pub source: Source,
}

/// What is known of an angle of a joint.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Angle {
    /// The kind of segment whose joint it is.
    pub child: usize,
    /// The axis of the parent and that of the child.
    pub axes: [usize; 2],
    pub limit: Limit,
    pub sd: f64,
    /// How many frames it counts for; `None` for all that count.
    pub frames: Option<f64>,
}

/// What the cosine between two axes is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Limit {
    Near(f64),
    AtLeast(f64),
    AtMost(f64),
}

/// A sum of quantities, each with a factor.
pub(super) type Sum = Vec<(f64, Quantity)>;

/// A number that depends on the body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Quantity {
    /// One metre.
    One,
    /// A size, in metres.
    Size(usize),
    /// The length of the bone of a kind of segment, or of the one that is spoken of.
    Length(Option<usize>),
    /// A coordinate of a point, y outwards.
    Coordinate(Side, Point, usize),
    /// The distance between a point and its mirror image.
    Width(Point),
}

/// A joint, by the kind of its child, or a landmark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Point {
    Joint(usize),
    Landmark(usize),
}

/// Which of two sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Own,
    Left,
    Right,
    Mean,
}

impl Knowledge {
    /// What is known of people.
    ///
    /// # Errors
    /// None, unless the file that is compiled in is broken.
    pub fn human() -> Result<Self> {
        Self::from_toml(HUMAN)
    }

    /// The same where cameras saw joints, without markers.
    ///
    /// # Errors
    /// None, unless the files that are compiled in are broken.
    pub fn keypoints() -> Result<Self> {
        let mut knowledge = read::read_with(HUMAN, KEYPOINTS)?;
        knowledge.name = "keypoints".into();
        knowledge.not_for.clear();
        knowledge.has_ends = true;
        for bone in &mut knowledge.bones {
            if knowledge.segments[bone.segment].name == "forearm" {
                bone.relative_sd = KEYPOINT_FOREARM;
            }
        }
        for segment in &mut knowledge.segments {
            segment.closure_m = segment.closure_m.min(KEYPOINT_CLOSURE_M);
        }
        Ok(knowledge)
    }

    /// The offset that a landmark shares with others.
    pub(super) fn offset_of(&self, landmark: usize) -> Option<usize> {
        self.offsets.iter().position(|offset| offset.landmarks.contains(&landmark))
    }

    /// Nothing at all.
    pub(super) fn none() -> Self {
        Self {
            name: "none".into(),
            inflation: 1.0,
            not_for: Vec::new(),
            has_ends: false,
            sizes: Vec::new(),
            segments: Vec::new(),
            bones: Vec::new(),
            rules: Vec::new(),
            landmarks: Vec::new(),
            offsets: Vec::new(),
            angles: Vec::new(),
        }
    }

    /// Reads a knowledge file.
    ///
    /// # Errors
    /// Text that is not such a file: the line, what was needed and what was found.
    pub fn from_toml(text: &str) -> Result<Self> {
        read::read(text)
    }

    /// The knowledge file that is compiled in, to be copied and changed.
    pub fn human_toml() -> &'static str {
        HUMAN
    }

    /// The names of the sizes that can be measured: `stature`, `knee width`.
    pub fn size_names(&self) -> impl Iterator<Item = &str> {
        self.sizes.iter().map(|size| size.name.as_str())
    }

    /// The sources that are named, each with whether it was looked up.
    pub fn sources(&self) -> impl Iterator<Item = &Source> {
        let of_sizes = self.sizes.iter().map(|size| &size.source);
        let of_bones = self.bones.iter().map(|bone| &bone.source);
        let of_rules = self.rules.iter().map(|rule| &rule.source);
        let of_landmarks = self.landmarks.iter().map(|landmark| &landmark.source);
        let of_offsets = self.offsets.iter().map(|offset| &offset.source);
        let all = of_sizes.chain(of_bones).chain(of_rules).chain(of_landmarks).chain(of_offsets);
        all.filter(|source| source.text.is_some())
    }
}

#[cfg(test)]
mod tests;
