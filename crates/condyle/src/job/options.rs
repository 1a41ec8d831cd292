//! Everything that decides what comes of a recording, besides the recording itself.

use serde::{Deserialize, Serialize};

use super::filling::Fill;
use super::measured::Measured;
use super::weights::MarkerWeights;
use crate::angles::Smoothing;
use crate::calibrate::SegmentFrame;
use crate::fill;
use crate::marker_set::PlanText;
use crate::subject::Subject;
use crate::trackers::Playback;
use crate::whole_body::SoftTissue;

/// What is asked of the main job.
///
/// Plain data: the same options and the same recording give the same answer in every command and in the library. The
/// serialised form is complete, so it can be the key of a run (see [`Options::key`]). To use a subject that was fitted
/// before:
///
/// ```no_run
/// # use condyle::{job, subject::Subject};
/// # let text = "";
/// let mut options = job::Options::default();
/// options.subject = Some(Subject::from_json(text)?);
/// # Ok::<(), condyle::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct Options {
    /// What tells which markers are on which segment.
    pub segments_by: SegmentsBy,
    /// The segments and their markers, from a file, instead.
    pub plan: Option<PlanText>,
    /// A subject that was fitted before, instead of fitting one. Of several performers, run once for each subject.
    pub subject: Option<Subject>,
    /// Solve even if the subject does not seem to be the one recorded.
    pub accept_any_subject: bool,
    /// Only the performer of this name, of several.
    pub performer: Option<String>,
    /// The segment or body that everything hangs on, where the motion decides the tree.
    pub root: Option<String>,
    /// How far skin carries markers and sensors over the bone.
    pub soft_tissue: SoftTissue,
    /// What is known of bodies beforehand.
    pub knowledge: KnowledgeChoice,
    /// Sizes of the body that were measured; they count before those that a recording has.
    pub measured: Measured,
    /// How much markers count.
    pub weights: MarkerWeights,
    /// How the pose of a segment is found in calibration.
    pub segment_frame: SegmentFrame,
    /// Which gaps are filled before solving.
    pub fill: Fill,
    /// Gaps up to this long are bridged by a cubic, in seconds, with [`Fill::Short`], and those of markers that are on no
    /// segment; 0 for none.
    pub max_gap_s: f64,
    /// What gives way when sensors are played back through their skeleton.
    pub playback: Playback,
    /// Whether joint angles are smoothed; nothing else is.
    pub smoothing: Smoothing,
    /// The frame, counted from 0, in which all angles are zero.
    pub zero_frame: Option<usize>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            segments_by: SegmentsBy::default(),
            plan: None,
            subject: None,
            accept_any_subject: false,
            performer: None,
            root: None,
            soft_tissue: SoftTissue::default(),
            knowledge: KnowledgeChoice::default(),
            measured: Measured::default(),
            weights: MarkerWeights::default(),
            segment_frame: SegmentFrame::default(),
            fill: Fill::default(),
            max_gap_s: fill::MAX_GAP_S,
            playback: Playback::default(),
            smoothing: Smoothing::Auto,
            zero_frame: None,
        }
    }
}

impl Options {
    /// What results follow from, besides the recording's content: these options and the version of the library.
    ///
    /// # Errors
    /// A number that is not finite, which JSON cannot hold.
    pub fn key(&self) -> crate::error::Result<String> {
        let options = serde_json::to_string(self).map_err(|error| {
            crate::error::Error::from(crate::error::ErrorKind::Argument(format!(
                "options: {error}"
            )))
        })?;
        Ok(format!("{} {options}", env!("CARGO_PKG_VERSION")))
    }
}

/// What tells which markers are on which segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SegmentsBy {
    /// Their names if a marker set is recognised well, their motion if not.
    #[default]
    Auto,
    /// The marker set that the labels are from.
    Names,
    /// Which markers keep their distances; of bodies with poses, how they move against each other.
    Motion,
    /// Bodies with poses of their own, even where there are markers.
    Bodies,
}

/// What is known of bodies beforehand: where landmarks are, how long bones are, which joints are hinges.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum KnowledgeChoice {
    /// What is built in, for people whose marker set is recognised and whose markers sit on skin.
    #[default]
    Auto,
    /// Nothing: the motion alone.
    None,
    /// A knowledge file's text.
    Text(String),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subject::{Segment, SegmentMarker};
    use nalgebra::Point3;

    /// A subject of one marker at this distance.
    fn pointer(x_m: f64) -> Subject {
        let tip = SegmentMarker::new("tip", Point3::new(x_m, 0.0, 0.0));
        Subject::new("", vec![Segment::new("pointer", None, vec![tip])], Vec::new()).unwrap()
    }

    /// One struct a field, with this field changed. All fields must be here: the literal has no `..`.
    macro_rules! each_changed {
        ($of:ident { $($field:ident: $value:expr),* $(,)? }) => {{
            let all = $of { $($field: $value),* };
            vec![$((stringify!($field), $of { $field: all.$field.clone(), ..$of::default() })),*]
        }};
    }

    #[test]
    fn the_key_of_a_run_tells_every_option_apart() {
        let mut all = each_changed!(Options {
            segments_by: SegmentsBy::Motion,
            plan: Some("[plan]".into()),
            subject: Some(pointer(0.1)),
            accept_any_subject: true,
            performer: Some("JOE".into()),
            root: Some("head".into()),
            soft_tissue: SoftTissue::None,
            knowledge: KnowledgeChoice::None,
            measured: Measured { stature_m: Some(1.8), ..Measured::default() },
            weights: MarkerWeights::from_toml("LTHI = 0.3").unwrap(),
            segment_frame: SegmentFrame::Triads,
            fill: Fill::All,
            max_gap_s: 0.0,
            playback: Playback::Orientations,
            smoothing: Smoothing::At(6.0),
            zero_frame: Some(3),
        });
        let sizes = each_changed!(Measured {
            stature_m: Some(1.7),
            knee_width_m: Some(0.1),
            ankle_width_m: Some(0.1),
            elbow_width_m: Some(0.1),
            wrist_width_m: Some(0.1),
            leg_length_m: Some(0.9),
        });
        let sized = |measured| Options { measured, ..Options::default() };
        all.extend(sizes.into_iter().map(|(field, measured)| (field, sized(measured))));
        all.extend([
            ("nothing", Options::default()),
            (
                "soft tissue",
                Options { soft_tissue: SoftTissue::Metres(0.03), ..Options::default() },
            ),
            ("subject", Options { subject: Some(pointer(0.2)), ..Options::default() }),
        ]);
        let keys: Vec<String> = all.iter().map(|(_, options)| options.key().unwrap()).collect();
        for (index, key) in keys.iter().enumerate() {
            assert!(!keys[..index].contains(key), "{}: {key}", all[index].0);
        }
    }
}
