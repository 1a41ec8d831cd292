//! What a run found out, as it is kept beside its other files: everything that a report shows.

use condyle::Trial;
use condyle::fill::FilledGap;
use condyle::job::{Performance, RecordingKind, Repair, SolvedPerformer};
use condyle::marker_set::{PointKind, kinds};
use condyle::solve::{PlacedBy, SolvedMotion};
use condyle::statistics::rms;
use condyle::subject::{CentreKnown, Joint, JointKind, JointMethod, Subject};
use condyle::trial::{Axis, Event, Note, Origin};
use condyle::whole_body::{BlockStatus, Check, KnowledgeBlock};
use serde::{Deserialize, Serialize};

use super::gait::GaitResult;
use super::moving::Moving;
use super::physics::PhysicsResult;
use crate::figure::Scene;

/// Results of another version are refused.
pub const VERSION: u32 = 1;

/// One recording and its performers.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Results {
    pub version: u32,
    pub recording: RecordingResult,
    pub performers: Vec<PerformerResult>,
    pub notes: Vec<Note>,
    /// Events that the file has, on its own clock.
    #[serde(default)]
    pub events: Vec<FileEventResult>,
    /// In what everything is given.
    #[serde(default)]
    pub conventions: Vec<String>,
    /// The gait of everybody who has strides.
    #[serde(default)]
    pub gait: Vec<GaitResult>,
    /// The figure through time, for pictures.
    pub moving: Moving,
}

/// A moment that the file names.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct FileEventResult {
    pub label: String,
    pub context: String,
    pub time_s: f64,
}

/// What the numbers of results are, as they are named.
const CONVENTIONS: [&str; 4] = [
    "names end in their unit: _m metres, _s seconds, _hz hertz, _rad radians, _deg degrees, _mm millimetres",
    "sd and error are one standard deviation; sd_m of a joint is along its worst direction",
    "moving: x ahead, y to the left, z up",
    "angles: positive as their name says, zero as each says",
];

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RecordingResult {
    pub file: String,
    /// What it was taken for: `markers`, `keypoints` or `bodies`.
    #[serde(default = "markers_kind")]
    pub kind: String,
    pub format: String,
    pub frames: usize,
    pub rate_hz: f64,
    pub duration_s: f64,
    pub unit: String,
    pub up: Option<String>,
    pub markers: usize,
    /// Points that are no markers: angles, forces, what a model computed.
    #[serde(default)]
    pub other_points: usize,
    /// Bodies with poses of their own.
    #[serde(default)]
    pub bodies: usize,
    /// Gaps of the performers' markers that were filled, and the samples that were, also in other gaps.
    #[serde(alias = "bridged_gaps")]
    pub filled_gaps: usize,
    #[serde(alias = "bridged_samples")]
    pub filled_samples: usize,
    /// Gaps of which a part was filled.
    #[serde(default)]
    pub partly_filled_gaps: usize,
    /// Gaps that were to be filled and could not be, and the samples that stay missing, also in other gaps.
    #[serde(default)]
    pub left_gaps: usize,
    #[serde(default)]
    pub left_samples: usize,
}

fn markers_kind() -> String {
    RecordingKind::Markers.name().to_owned()
}

/// Points of both sides that were exchanged, and put back; frames have the recording's numbers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ExchangedResult {
    pub first_frame: i64,
    pub last_frame: i64,
    pub points: Vec<String>,
}

/// Frames that are not to be trusted; they have the recording's numbers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BadStretchResult {
    pub first_frame: i64,
    pub last_frame: i64,
    pub why: String,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct PerformerResult {
    pub name: String,
    /// Of keypoints: frames in which sides were put right, and which points.
    #[serde(default)]
    pub exchanged: Vec<ExchangedResult>,
    /// Of keypoints: frames in which no body can have moved so.
    #[serde(default)]
    pub bad_stretches: Vec<BadStretchResult>,
    /// How segments were found: a marker set, `motion` or `file`.
    pub plan: String,
    /// The recordings that the subject was fitted to.
    pub fitted_to: Vec<String>,
    pub residual_m: Option<f64>,
    pub segments: Vec<SegmentResult>,
    pub joints: Vec<JointResult>,
    pub markers: Vec<MarkerResult>,
    pub angles: Vec<AngleResult>,
    /// What was believed of the knowledge of bodies, block by block; empty where it was not used.
    #[serde(default)]
    pub knowledge: Vec<BlockResult>,
    /// Whether the result looks like a body.
    #[serde(default)]
    pub checks: Vec<CheckResult>,
    /// Centre of mass, energy and momentum, where they were asked for.
    #[serde(default)]
    pub physics: Option<PhysicsResult>,
    /// A picture of the solid figure as base64, where there is one.
    #[serde(default)]
    pub figure_png: Option<String>,
    pub notes: Vec<Note>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SegmentResult {
    pub name: String,
    pub parent: Option<String>,
    pub sigma_m: f64,
    pub frames_placed: usize,
    pub frames_twist_open: usize,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct JointResult {
    pub name: String,
    pub kind: JointKind,
    /// How well its centre is known.
    pub centre: CentreKnown,
    pub method: JointMethod,
    /// The standard error of the centre along its worst and its best direction.
    pub sd_m: f64,
    pub best_sd_m: f64,
    /// How much of what is known of the centre the motion told, and how much knowledge of bodies gave: 0 to 1.
    pub from_motion: f64,
    pub from_knowledge: f64,
    pub ranges_rad: [f64; 3],
    pub samples: usize,
    pub gap_m: Option<f64>,
    pub bone_m: Option<f64>,
    pub bone_sd_m: Option<f64>,
    /// How far the bone to the joint above may be off, at most: the standard errors of both ends together.
    #[serde(default)]
    pub bone_error_m: Option<f64>,
    pub frames_placed: usize,
    pub advice: Option<String>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct MarkerResult {
    pub label: String,
    pub segment: String,
    pub residual_m: Option<f64>,
    pub missing: usize,
    pub filled: usize,
    /// How far filled samples are expected to be off, root mean square; nothing where that is not known.
    #[serde(default)]
    pub filled_error_m: Option<f64>,
    /// For stretches of time: `.` seen, `f` filled in some frames, `x` missing in some.
    pub seen: String,
}

/// A block of knowledge, and what was believed of it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct BlockResult {
    pub name: String,
    /// `used`, `widened` or `dropped`.
    pub status: String,
    /// Why it was not used as it is.
    pub why: String,
}

impl BlockResult {
    fn of(block: &KnowledgeBlock) -> Self {
        let status = match block.status {
            BlockStatus::Used => "used",
            BlockStatus::Widened(_) => "widened",
            BlockStatus::Dropped => "dropped",
        };
        Self { name: block.name.clone(), status: status.to_owned(), why: block.why.clone() }
    }
}

/// Something about the result that can be right or wrong.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct CheckResult {
    pub name: String,
    pub value: f64,
    pub expected: [f64; 2],
    pub passed: bool,
}

impl CheckResult {
    fn of(check: &Check) -> Self {
        let (name, value, expected) = (check.name.clone(), check.value, check.expected);
        Self { name, value, expected, passed: check.is_passed() }
    }
}

/// One angle of a joint through time, thinned out for charts.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct AngleResult {
    pub joint: String,
    pub name: String,
    /// The pose in which it is zero.
    pub zero: String,
    /// How well the centre of the joint is known; angles of one that is barely known may be off by a constant.
    #[serde(default)]
    pub centre: Option<CentreKnown>,
    /// The cutoff of the filter that smoothed it, if any did.
    #[serde(default)]
    pub smoothed_hz: Option<f64>,
    /// In how many frames its joint is near gimbal lock.
    #[serde(default)]
    pub near_gimbal_frames: usize,
    pub least_deg: f64,
    pub most_deg: f64,
    pub times_s: Vec<f32>,
    pub values_deg: Vec<Option<f32>>,
}

/// Stretches of time that a marker's line in the map of gaps has.
const STRETCHES: usize = 120;

impl Results {
    /// What was odd about the recording and its performers.
    pub fn notes(&self) -> impl Iterator<Item = &Note> {
        let of_performers = self.performers.iter().flat_map(|performer| &performer.notes);
        self.notes.iter().chain(of_performers)
    }

    /// Gathers what was found out about a recording.
    pub fn of(file: &str, performance: &Performance) -> Self {
        let (trial, performers) = (&performance.trial, &performance.performers);
        let scene = Scene::of_performance(performance);
        let gaps = GapCounts::of(&performance.gaps);
        let is_marker = kinds(trial).into_iter().filter(|kind| *kind == PointKind::Marker);
        let markers = is_marker.count();
        let repaired = performance.repairs.iter().filter_map(|repair| repair.note(trial));
        let notes =
            trial.notes.iter().cloned().chain(repaired).chain(performance.notes.iter().cloned());
        Self {
            version: VERSION,
            recording: RecordingResult {
                file: file.to_owned(),
                kind: performance.kind().name().to_owned(),
                format: trial.source.format.name().to_owned(),
                frames: trial.frames,
                rate_hz: trial.rate_hz,
                duration_s: trial.duration_s(),
                unit: trial.source.unit.symbol().to_owned(),
                up: trial.source.up.map(Axis::symbol).map(str::to_owned),
                markers,
                other_points: trial.markers.len() - markers,
                bodies: trial.bodies.len(),
                filled_gaps: gaps.filled,
                filled_samples: gaps.filled_samples,
                partly_filled_gaps: gaps.partly,
                left_gaps: gaps.left,
                left_samples: gaps.left_samples,
            },
            performers: performers
                .iter()
                .enumerate()
                .map(|(index, performer)| {
                    let mut result = PerformerResult::of(trial, performer);
                    result.add_repairs(trial, &performance.repairs);
                    // As their files are numbered.
                    if result.name.is_empty() && performers.len() > 1 {
                        result.name = format!("Performer {}", index + 1);
                    }
                    result
                })
                .collect(),
            notes: notes.collect(),
            events: trial.events.iter().map(FileEventResult::of).collect(),
            conventions: CONVENTIONS.map(str::to_owned).to_vec(),
            gait: Vec::new(),
            moving: Moving::of(&scene),
        }
    }
}

/// What became of gaps: one that was filled in part comes in parts, and counts once.
#[derive(Debug, Default, PartialEq)]
struct GapCounts {
    filled: usize,
    partly: usize,
    left: usize,
    filled_samples: usize,
    left_samples: usize,
}

impl GapCounts {
    fn of(parts: &[FilledGap]) -> Self {
        let mut sorted: Vec<&FilledGap> = parts.iter().collect();
        sorted.sort_by_key(|part| (part.marker, part.frames.start));
        let is_one_gap =
            |a: &&FilledGap, b: &&FilledGap| a.marker == b.marker && a.frames.end == b.frames.start;
        let mut counts = Self::default();
        for gap in sorted.chunk_by(is_one_gap) {
            let samples = |is_filled: bool| -> usize {
                let own = gap.iter().filter(|part| part.is_filled == is_filled);
                own.map(|part| part.frames.len()).sum()
            };
            let (filled, left) = (samples(true), samples(false));
            counts.filled_samples += filled;
            counts.left_samples += left;
            *match (filled, left) {
                (_, 0) => &mut counts.filled,
                (0, _) => &mut counts.left,
                _ => &mut counts.partly,
            } += 1;
        }
        counts
    }
}

impl PerformerResult {
    /// Nobody, for tests.
    #[cfg(test)]
    pub fn empty() -> Self {
        Self {
            name: String::new(),
            exchanged: Vec::new(),
            bad_stretches: Vec::new(),
            plan: String::new(),
            fitted_to: Vec::new(),
            residual_m: None,
            segments: Vec::new(),
            joints: Vec::new(),
            markers: Vec::new(),
            angles: Vec::new(),
            knowledge: Vec::new(),
            checks: Vec::new(),
            physics: None,
            figure_png: None,
            notes: Vec::new(),
        }
    }

    /// What was repaired of its keypoints.
    fn add_repairs(&mut self, trial: &Trial, repairs: &[Repair]) {
        let last = |frame: usize, frames: usize| trial.frame_number(frame + frames.max(1) - 1);
        for repair in repairs {
            match repair {
                Repair::SidesExchanged { pairs, frame, frames } => {
                    let is_own = |label: &String| {
                        self.markers.iter().any(|own| label.ends_with(own.label.as_str()))
                    };
                    let points: Vec<String> = pairs.iter().flatten().cloned().collect();
                    if points.iter().any(is_own) {
                        self.exchanged.push(ExchangedResult {
                            first_frame: trial.frame_number(*frame),
                            last_frame: last(*frame, *frames),
                            points,
                        });
                    }
                }
                Repair::BadStretch { performer, frame, frames, why } if *performer == self.name => {
                    self.bad_stretches.push(BadStretchResult {
                        first_frame: trial.frame_number(*frame),
                        last_frame: last(*frame, *frames),
                        why: why.clone(),
                    });
                }
                _ => {}
            }
        }
    }

    fn of(trial: &Trial, performer: &SolvedPerformer) -> Self {
        let SolvedPerformer { subject, motion: solved, notes, .. } = performer;
        let blocks = performer.knowledge.iter().flat_map(|knowledge| &knowledge.blocks);
        let names = subject.segments();
        let segments = subject.segments().iter().zip(solved.segments()).map(|(segment, track)| {
            SegmentResult {
                name: segment.name.clone(),
                parent: segment.parent.map(|parent| names[parent].name.clone()),
                sigma_m: segment.sigma_m,
                frames_placed: track.origin().frames_present(),
                frames_twist_open: track.origin().frames_placed(PlacedBy::TwistOpen),
            }
        });
        let joints = subject.joints().iter().enumerate();
        let joints = joints.map(|(index, joint)| JointResult::of(index, joint, performer));
        Self {
            name: subject.name.clone(),
            exchanged: Vec::new(),
            bad_stretches: Vec::new(),
            plan: subject.provenance.plan.clone(),
            fitted_to: subject.provenance.recordings.clone(),
            residual_m: solved.evidence().residual_m,
            segments: segments.collect(),
            joints: joints.collect(),
            markers: markers(trial, subject, solved),
            angles: Vec::new(),
            knowledge: blocks.map(BlockResult::of).collect(),
            checks: performer.checks.iter().map(CheckResult::of).collect(),
            physics: None,
            figure_png: None,
            notes: notes.clone(),
        }
    }
}

impl FileEventResult {
    fn of(event: &Event) -> Self {
        let (label, context) = (event.label.clone(), event.context.clone());
        Self { label, context, time_s: event.time_s }
    }
}

impl JointResult {
    fn of(index: usize, joint: &Joint, performer: &SolvedPerformer) -> Self {
        let SolvedPerformer { subject, motion: solved, .. } = performer;
        let variances = joint.covariance_m2.symmetric_eigenvalues();
        Self {
            name: joint.name.clone(),
            kind: joint.kind,
            centre: joint.centre_known(),
            method: joint.method,
            sd_m: joint.worst_sd_m(),
            from_motion: 1.0 - joint.from_knowledge,
            from_knowledge: joint.from_knowledge,
            best_sd_m: variances.min().max(0.0).sqrt(),
            ranges_rad: joint.ranges_rad,
            samples: joint.samples,
            gap_m: solved.evidence().separations_m[index],
            bone_m: subject.bone_length_m(joint.child),
            bone_sd_m: solved.evidence().bone_sd_m[index],
            bone_error_m: subject
                .joint_of(joint.parent)
                .map(|near| near.worst_sd_m().hypot(joint.worst_sd_m())),
            frames_placed: solved.joints()[index].frames_present(),
            advice: joint.advice.clone(),
        }
    }
}

fn markers(trial: &Trial, subject: &Subject, solved: &SolvedMotion) -> Vec<MarkerResult> {
    let prefixed = |label: &str| format!("{}:{label}", subject.name);
    let find = |label: &str| trial.marker(label).or_else(|| trial.marker(&prefixed(label)));
    let all = subject.segments().iter().flat_map(|segment| {
        segment.markers.iter().map(move |marker| (segment.name.as_str(), marker))
    });
    all.zip(&solved.evidence().marker_residual_m)
        .map(|((segment, marker), residual_m)| {
            let found = find(&marker.label);
            let sds_m =
                found.iter().flat_map(|found| (0..trial.frames).filter_map(|f| found.sd_m(f)));
            let origins: Vec<Origin> = match found {
                Some(marker) => marker.origins().collect(),
                None => of_body(trial, &marker.label),
            };
            let count = |origin: Origin| origins.iter().filter(|o| **o == origin).count();
            MarkerResult {
                label: marker.label.clone(),
                segment: segment.to_owned(),
                residual_m: *residual_m,
                missing: if origins.is_empty() { trial.frames } else { count(Origin::Missing) },
                filled: count(Origin::Filled),
                filled_error_m: rms(sds_m.map(|sd_m| 3f64.sqrt() * sd_m)),
                seen: if origins.is_empty() { "x".into() } else { seen(&origins) },
            }
        })
        .collect()
}

/// Where the poses of a body come from; nothing if there is no such body.
fn of_body(trial: &Trial, name: &str) -> Vec<Origin> {
    let body = trial.bodies.iter().find(|body| body.name == name);
    body.map_or_else(Vec::new, |body| (0..body.frames()).map(|f| body.origin(f)).collect())
}

/// How a marker was seen through time.
fn seen(origins: &[Origin]) -> String {
    let (frames, stretches) = (origins.len(), STRETCHES.min(origins.len()));
    let stretch = |k: usize| {
        let range = k * frames / stretches..((k + 1) * frames).div_ceil(stretches);
        let worst = range.map(|frame| match origins[frame] {
            Origin::Missing => 2,
            Origin::Filled | Origin::Predicted => 1,
            Origin::Measured => 0,
        });
        ['.', 'f', 'x'][worst.max().unwrap_or(0)]
    };
    (0..stretches).map(stretch).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use condyle::trial::Marker;
    use nalgebra::Point3;

    #[test]
    fn a_gap_that_is_filled_in_part_counts_once() {
        let part = |marker: usize, frames: std::ops::Range<usize>, is_filled: bool| FilledGap {
            marker,
            frames,
            method: condyle::fill::Method::Spline,
            reason: String::new(),
            predicted_error_m: None,
            is_filled,
        };
        let parts = [
            part(1, 20..80, false),
            part(0, 5..10, true),
            part(1, 10..20, true),
            part(2, 80..90, false),
            part(2, 95..96, true),
        ];
        let wanted =
            GapCounts { filled: 2, partly: 1, left: 1, filled_samples: 16, left_samples: 70 };
        assert_eq!(GapCounts::of(&parts), wanted);
    }

    #[test]
    fn a_gap_shows_in_its_stretch_however_short() {
        let place = |k: usize| (k != 500).then(Point3::origin);
        let mut marker = Marker::from_positions("a", (0..1200).map(place));
        let seen = |marker: &Marker| seen(&marker.origins().collect::<Vec<_>>());
        let line = seen(&marker);
        assert_eq!(line.len(), STRETCHES);
        assert_eq!(line.find('x'), Some(50));
        marker.set(500, Some(Point3::origin()), Origin::Filled);
        assert_eq!(seen(&marker).matches('f').count(), 1);
        assert_eq!(seen(&Marker::all_missing("b", 0)), "");
    }
}
