//! A hand from recordings, in one call each: its markers found, a model calibrated, its joints followed.

use std::collections::BTreeMap;
use std::path::Path;

use nalgebra::Point3;
use serde::Serialize;

use super::assignment::Assignment;
use super::calibrate::{CalibrateOptions, Calibrated, calibrate};
use super::exchanges::ExchangeWatch;
use super::labels::{FINGERS, Found};
use super::model::{Model, Side};
use super::recording::{Followed, follow};
use super::tracker::{Options, Tracker};
use crate::error::{Error, Result};
use crate::statistics::median;
use crate::trial::{Note, Trial};

/// Markers on the back that are farther from those of the model are not those.
const MOST_UNLIKE_M: f64 = 4e-3;
/// Tips that miss by more are not those of this hand.
const FAR_M: f64 = 0.02;

/// Which hand, and which markers, where the caller knows.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Which {
    /// The side; without it by how the fingers bend.
    pub side: Option<Side>,
    /// Three markers on the back, then the tips of thumb, index, middle, ring and little finger; none: by their names.
    pub markers: Vec<String>,
    /// From the wrist to the tip of the middle finger, if that was measured.
    pub hand_length_m: Option<f64>,
}

/// A hand that was followed through a recording.
#[derive(Debug, Clone, PartialEq)]
pub struct Tracked {
    /// Its model and its poses.
    pub followed: Followed,
    /// Which marker is which.
    pub assignment: Assignment,
    /// What a user should know, without what the recording says itself.
    pub notes: Vec<Note>,
}

/// What came of a recording of a hand, as docs/hand.md has it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    /// `left` or `right`.
    pub side: &'static str,
    /// The label of every marker of the model, if it is in the recording.
    pub markers: BTreeMap<String, Option<String>>,
    /// How many frames there are.
    pub frames: usize,
    /// In how many the hand is placed.
    pub frames_posed: usize,
    /// In how many some limit holds a finger.
    pub limits_active: usize,
    /// In how many joints had to be brought back into proportion.
    pub repaired_intradigital: usize,
    /// How the tip of every finger was lost.
    pub lost: BTreeMap<String, LostSummary>,
    /// How far tips are from where they were seen, rms.
    pub tip_residual_mm: Option<f64>,
}

/// How the tip of a finger was lost.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct LostSummary {
    /// How many gaps there are.
    pub gaps: usize,
    /// The longest.
    pub longest_s: f64,
    /// How far off predicted tips are expected to be, rms.
    pub predicted_error_mm: f64,
}

impl Which {
    /// The markers by what they are called, or where nothing is by where they are, which is noted.
    fn find(
        &self,
        labels: &[&str],
        frames: &[Vec<Option<Point3<f64>>>],
    ) -> Result<(Found, Option<Note>)> {
        if !self.markers.is_empty() {
            return Ok((Found::by_list(labels, &self.markers)?, None));
        }
        Found::by_names(labels, self.side).map(|found| (found, None)).or_else(|error| {
            let found = Found::by_place(frames).map_err(|_| error)?;
            let name = |column: usize| labels.get(column).copied().unwrap_or("");
            let back: Vec<&str> = found.palm.iter().map(|column| name(*column)).collect();
            let tips = FINGERS.iter().zip(found.tips);
            let tips: Vec<String> =
                tips.filter_map(|(finger, tip)| Some(format!("{finger} {}", name(tip?)))).collect();
            let text = format!(
                "names say nothing of a hand; by where they are: back {}, {}",
                back.join(", "),
                tips.join(", ")
            );
            Ok((found, Some(Note::new("hand-markers-by-place", text))))
        })
    }

    fn options(&self, found: &Found) -> CalibrateOptions {
        CalibrateOptions {
            side: self.side.or(found.side),
            hand_length_m: self.hand_length_m,
            tips_alone: false,
        }
    }
}

/// The markers of every frame.
fn frames(trial: &Trial) -> Vec<Vec<Option<Point3<f64>>>> {
    let of = |frame: usize| {
        let mut seen_m = vec![None; trial.markers.len()];
        trial.positions_m(frame, &mut seen_m);
        seen_m
    };
    (0..trial.frames).map(of).collect()
}

/// A model of a hand from recordings in which it opens, closes and spreads, each with its name for messages.
///
/// # Errors
/// No recording, recordings with different labels, markers that are not found, or too little motion.
pub fn calibrate_recordings(
    recordings: &[(String, Trial)],
    which: &Which,
    tips_alone: bool,
) -> Result<(Calibrated, Option<Note>)> {
    let Some((first, trial)) = recordings.first() else {
        return Err(Error::argument("recordings: need 1, got none"));
    };
    let labels = trial.labels();
    let mut all = Vec::new();
    for (name, own) in recordings {
        if own.labels() != labels {
            return Err(Error::argument(format!("{name}: need the labels of {first}")));
        }
        all.extend(frames(own));
    }
    let named = |error: Error| error.with_path(Path::new(first));
    let (found, note) = which.find(&labels, &all).map_err(named)?;
    let options = CalibrateOptions { tips_alone, ..which.options(&found) };
    let calibrated = calibrate(&all, &labels, &found, &options).map_err(named)?;
    Ok((calibrated, note))
}

/// Follows a hand through a recording; without a model it is calibrated on the recording itself.
///
/// # Errors
/// Markers that are not found, or a model that the recording does not go with.
pub fn track(
    trial: &Trial,
    model: Option<Model>,
    which: &Which,
    options: Options,
) -> Result<Tracked> {
    let mut notes = Vec::new();
    let labels = trial.labels();
    let model = match model {
        Some(model) => Model { side: which.side.unwrap_or(model.side), ..model },
        None => calibrated_here(trial, which, &mut notes)?,
    };
    let assignment = Assignment::by_model(&model, &labels).or_else(|error| {
        // A recording without names, and a model that knows distances.
        let frames = frames(trial);
        let (found, note) = which.find(&labels, &frames).map_err(|_| error)?;
        notes.extend(note);
        Assignment::by_shape(&model, &found, &frames)
    })?;
    let mut watch = ExchangeWatch::new(&model, &assignment, trial.rate_hz, options.noise_m)?;
    let mut tracker = Tracker::new(&model, assignment, trial.rate_hz, options)?;
    let followed = follow(trial, &mut tracker, Some(&mut watch));
    notes.extend(remarks(&followed));
    notes.extend(exchanged(trial, &model, &watch));
    Ok(Tracked { followed, assignment: tracker.assignment().clone(), notes })
}

fn calibrated_here(trial: &Trial, which: &Which, notes: &mut Vec<Note>) -> Result<Model> {
    let labels = trial.labels();
    let frames = frames(trial);
    let (found, note) = which.find(&labels, &frames)?;
    notes.extend(note);
    let calibrated = calibrate(&frames, &labels, &found, &which.options(&found))?;
    let text =
        "no model: the hand is calibrated on this recording; lengths of bones stay about as usual";
    notes.push(Note::new("hand-calibrated-here", text));
    Ok(calibrated.model)
}

/// What a user should know.
fn remarks(followed: &Followed) -> Vec<Note> {
    let mut notes = Vec::new();
    let unposed = followed.poses.len() - followed.frames_posed();
    let text = "frames without a pose: of the markers on the back fewer than two are where the model has them";
    notes.extend(Note::counted(unposed, "hand-not-placed", text));
    for (index, finger) in followed.model.fingers.iter().enumerate() {
        let lost = followed.poses.iter().filter(|pose| pose.fingers[index].lost_frames > 0).count();
        if lost == followed.poses.len() && lost > 0 {
            let text =
                format!("{}: its tip is never seen; the finger is drawn straight", finger.name);
            notes.push(Note::new("tip-never-seen", text));
        }
    }
    let off = followed.poses.iter().filter(|pose| pose.is_placed()).map(|pose| pose.palm_rms_m);
    if let Some(off_m) = median(off).filter(|off_m| *off_m > MOST_UNLIKE_M) {
        let text = format!(
            "markers on the back are {:.3} mm off those of the model: another hand, other markers, or another unit?",
            off_m * 1e3
        );
        notes.push(Note::new("hand-unlike-model", text));
    }
    if followed.frames_posed() == 0 && !followed.poses.is_empty() {
        let text = "no frame shows the markers on the back as the model has them: another hand, other markers, or another unit?";
        notes.push(Note::new("hand-unlike-model", text));
    }
    if bends_backwards(followed) {
        let text = "fingers are held by their limits nearly all the time: a left model on a right hand, or the other way round?";
        notes.push(Note::new("hand-other-side", text));
    }
    notes
}

/// Tips whose labels changed places.
fn exchanged(trial: &Trial, model: &Model, watch: &ExchangeWatch) -> Option<Note> {
    let said: Vec<String> = watch
        .exchanges()
        .iter()
        .map(|exchange| {
            let [a, b] = exchange.fingers.map(|finger| model.fingers[finger].name.as_str());
            format!("{a} and {b} from frame {}", trial.frame_number(exchange.frame))
        })
        .collect();
    let text = format!("tips were exchanged and are put back: {}", said.join("; "));
    (!said.is_empty()).then(|| Note::new("tips-exchanged", text))
}

/// Whether fingers seem to bend backwards: the model is of the other side.
fn bends_backwards(followed: &Followed) -> bool {
    let placed = followed.frames_posed();
    let [held, _] = followed.limits_and_repairs();
    let far = followed.tip_residual_m().is_some_and(|rms_m| rms_m > FAR_M);
    placed > 0 && far && 10 * held > 9 * placed
}

impl Tracked {
    /// What came of it.
    pub fn summary(&self, trial: &Trial) -> Summary {
        let Self { followed, assignment, .. } = self;
        let label = |column: &Option<usize>| {
            let marker = column.and_then(|column| trial.markers.get(column));
            marker.map(|marker| marker.label.clone())
        };
        let palm = followed.model.markers.iter().zip(&assignment.palm);
        let mut markers: BTreeMap<_, _> =
            palm.map(|(marker, column)| (marker.name.clone(), label(column))).collect();
        let mut lost = BTreeMap::new();
        for (index, finger) in followed.model.fingers.iter().enumerate() {
            markers.insert(finger.tip.clone(), label(&assignment.tips[index]));
            let gaps = followed.lost(index);
            let own = LostSummary {
                gaps: gaps.gaps,
                longest_s: gaps.longest_frames as f64 / trial.rate_hz.max(1e-9),
                predicted_error_mm: gaps.predicted_error_m * 1e3,
            };
            lost.insert(finger.name.clone(), own);
        }
        let [limits_active, repaired_intradigital] = followed.limits_and_repairs();
        Summary {
            side: followed.model.side.name(),
            markers,
            frames: followed.poses.len(),
            frames_posed: followed.frames_posed(),
            limits_active,
            repaired_intradigital,
            lost,
            tip_residual_mm: followed.tip_residual_m().map(|rms_m| rms_m * 1e3),
        }
    }
}
