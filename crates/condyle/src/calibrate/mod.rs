//! Calibration: from marker positions, frame by frame, to a [`Subject`].

mod body;
pub(crate) mod correlation;
pub(crate) mod edge;
mod frames;
mod lever;
mod one_sided;
mod poses;
mod prior;
pub(crate) mod range;
pub(crate) mod two_sided;
mod view;
mod walk;

use nalgebra::Point3;
use serde::{Deserialize, Serialize};

pub use frames::MAX_FRAMES;
pub(crate) use frames::{Frames, Sample};

use crate::error::{Error, Result};
use crate::plan::Performer;
use crate::subject::{Provenance, Subject};

/// How the pose of a segment is found in a frame that shows three points of it or more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SegmentFrame {
    /// From all points that are seen, each by its weight.
    #[default]
    AllMarkers,
    /// From the three that span the largest triangle, as Knight (2008), section 5.5.1, builds frames: to
    /// reproduce the document. Half as noisy again.
    Triads,
}

/// A calibration under way: fed frame by frame, asked for an answer at any time.
///
/// It remembers at most [`MAX_FRAMES`] frames, evenly spread over all that came, so its memory is bounded
/// and an answer costs the same however long the performer has been moving. Fed with a whole trial it
/// is the batch calibration: there is no other. Several trials are fed one after the other.
///
/// ```
/// # use condyle::calibrate::Calibration;
/// # use condyle::plan::{JointRule, Performer, PlanOrigin, PlannedSegment};
/// # use nalgebra::Point3;
/// # let segment = |name: &str, parent, markers: &[usize]| PlannedSegment {
/// #     name: name.into(), parent, markers: markers.to_vec(), joint_name: None,
/// #     joint_rule: JointRule::Auto };
/// let performer = Performer {
///     name: String::new(),
///     origin: PlanOrigin::File,
///     segments: vec![segment("upper", None, &[0, 1, 2]), segment("lower", Some(0), &[3, 4, 5])],
///     is_tree_known: true,
/// };
/// let mut calibration = Calibration::new(&performer, &["a", "b", "c", "d", "e", "f"])?;
/// # let still = [[0.0, 0.0, 0.0], [0.1, 0.0, 0.0], [0.0, 0.2, 0.0], [0.4, 0.0, 0.0], [0.5, 0.1, 0.0], [0.4, 0.1, 0.1]];
/// for frame in 0..100 {
///     // Six positions a frame, from a file or a stream; `None` where a marker is not seen.
/// #   let turn = nalgebra::Rotation3::from_euler_angles(0.3 * (frame as f64 * 0.1).sin(), 0.4 * (frame as f64 * 0.07).sin(), 0.0);
/// #   let positions_m: Vec<_> = still.iter().enumerate().map(|(i, p)| {
/// #       let p = Point3::from(*p); Some(if i < 3 { p } else { turn * p }) }).collect();
///     calibration.push(&positions_m);
/// }
/// let subject = calibration.fit()?;
/// assert!(subject.joints()[0].centre_in_parent_m.coords.norm().is_finite());
/// # Ok::<(), condyle::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Calibration {
    performer: Performer,
    /// The labels of the performer's markers, segment by segment.
    labels: Vec<String>,
    /// For every kept marker its place in a frame.
    columns: Vec<usize>,
    /// For every segment its markers, as indices into `columns`.
    markers: Vec<Vec<usize>>,
    frames: Frames,
    recordings: Vec<String>,
    segment_frame: SegmentFrame,
}

impl Calibration {
    /// A calibration that has seen nothing yet. `labels` are those of a frame's positions.
    ///
    /// # Errors
    /// A plan whose tree is not known, without segments, or with markers that have no label.
    pub fn new(performer: &Performer, labels: &[&str]) -> Result<Self> {
        performer.check()?;
        if !performer.is_tree_known {
            return Err(Error::argument(
                "plan: need a tree, got segments whose parents are not known",
            ));
        }
        if performer.segments.is_empty() {
            return Err(Error::argument("plan: need at least 1 segment, got 0"));
        }
        let performer = without_empty(performer);
        let (mut columns, mut markers, mut kept) = (Vec::new(), Vec::new(), Vec::new());
        for segment in &performer.segments {
            markers.push((columns.len()..columns.len() + segment.markers.len()).collect());
            for &marker in &segment.markers {
                let label = labels.get(marker).ok_or_else(|| {
                    Error::argument(format!(
                        "segment '{}': need markers among {}, got number {marker}",
                        segment.name,
                        labels.len()
                    ))
                })?;
                kept.push(own_label(label, &performer.name));
                columns.push(marker);
            }
        }
        let frames = Frames::new(columns.len());
        let (recordings, segment_frame) = (Vec::new(), SegmentFrame::default());
        Ok(Self { performer, labels: kept, columns, markers, frames, recordings, segment_frame })
    }

    /// Takes the next frame: one position a label, `None` where the marker is not seen.
    pub fn push(&mut self, positions_m: &[Option<Point3<f64>>]) {
        let columns = &self.columns;
        self.frames.push(columns.iter().map(|column| positions_m.get(*column).copied().flatten()));
    }

    /// Chooses how poses of segments are found.
    pub fn set_segment_frame(&mut self, rule: SegmentFrame) {
        self.segment_frame = rule;
    }

    /// Says how much the markers are to count beside what their residuals show: one weight a label, above 0.
    pub fn set_weights(&mut self, weights: &[f64]) {
        let weight = |column: &usize| weights.get(*column).copied().unwrap_or(1.0);
        self.frames.set_weights(self.columns.iter().map(weight).collect());
    }

    /// How many frames it was given.
    pub fn frames(&self) -> usize {
        self.frames.pushed()
    }

    /// Says which recording the next frames are from.
    pub fn begin_recording(&mut self, name: impl Into<String>) {
        self.recordings.push(name.into());
    }

    /// The subject as far as it can be known by now.
    ///
    /// # Errors
    /// No segment has three markers that are ever seen together, so nothing has an orientation.
    pub fn fit(&self) -> Result<Subject> {
        let Self { performer, frames, markers, labels, segment_frame, .. } = self;
        let mut subject = walk::fit(performer, frames, markers, labels, *segment_frame)?;
        subject.provenance = Provenance {
            recordings: self.recordings.clone(),
            plan: self.performer.origin.name().to_owned(),
            frames: self.frames(),
        };
        Ok(subject)
    }
}

/// The same performer without segments that carry no marker: their children hang on the next ancestor.
fn without_empty(performer: &Performer) -> Performer {
    let mut new_index = vec![None; performer.segments.len()];
    let mut segments = Vec::new();
    for (index, segment) in performer.segments.iter().enumerate() {
        let mut parent = segment.parent;
        while let Some(empty) = parent.filter(|&p| performer.segments[p].markers.is_empty()) {
            parent = performer.segments[empty].parent;
        }
        if !segment.markers.is_empty() {
            new_index[index] = Some(segments.len());
            let mut kept = segment.clone();
            kept.parent = parent.and_then(|parent| new_index[parent]);
            segments.push(kept);
        }
    }
    Performer { segments, ..performer.clone() }
}

/// A label without the performer's prefix.
pub(crate) fn own_label(label: &str, performer: &str) -> String {
    let own = label.strip_prefix(performer).and_then(|rest| rest.strip_prefix(':'));
    own.filter(|_| !performer.is_empty()).unwrap_or(label).to_owned()
}
