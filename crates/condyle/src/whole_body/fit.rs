//! From a plan and frames to a fitted body.

use std::ops::Range;

use nalgebra::Vector3;
use serde::{Deserialize, Serialize};

use super::camera::{self, MARKER_NOISE_M};
use super::choose::Reading;
use super::gauss_newton::{self, Minimum, State};
use super::guards::Guarded;
use super::knowledge::Knowledge;
use super::model::Model;
use super::noise::NoiseRule;
use super::posterior::Posterior;
use super::problem::Problem;
use super::result::{Fitted, WholeBody};
use super::rows::Instances;
use super::tree::Structure;
use super::{choose, start};
use crate::error::{ErrorKind, Result};
use crate::plan::{Performer, PlanOrigin};
use crate::rigid::Traces;

/// What is fitted.
#[derive(Clone, Copy)]
pub struct Input<'a> {
    /// The segments, with markers as indices into the labels.
    pub performer: &'a Performer,
    /// The labels of a frame's positions.
    pub labels: &'a [&'a str],
    /// The frames of one recording, or of several of one performer in a row.
    pub frames: &'a dyn Traces,
}

/// How far skin carries markers and sensors over the bone: residuals cannot show it, so it is stated.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SoftTissue {
    /// What is typical of the performer: of people some millimetres, of anything else nothing.
    #[default]
    Auto,
    /// Markers sit on something rigid: a robot, a rig, a simulation.
    None,
    /// As in people, scaled so that a marker on the thigh moves by so much: root mean square, 3-D.
    Metres(f64),
}

/// Choices of a fit.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// How far markers move against the bone.
    pub soft_tissue: SoftTissue,
    /// How many frames are fitted, at most; every further recording adds a quarter.
    pub frames: usize,
    /// How many independent frames the recording counts for, where that is known: keypoints stray slowly.
    pub independent_frames: Option<f64>,
    /// Where recordings in a row end, in frames; empty if there is one.
    pub recording_ends: Vec<usize>,
    /// Sizes of the body that were measured: the name in the knowledge (`stature`, `knee width`, `leg length`), the
    /// value and its standard deviation, in metres.
    pub measured: Vec<(String, f64, f64)>,
    /// How much every label's marker is to count, above 0; empty if all do alike.
    pub weights: Vec<f64>,
    /// Whether knowledge is tested against the motion.
    pub guards: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            soft_tissue: SoftTissue::Auto,
            frames: 40,
            independent_frames: None,
            recording_ends: Vec::new(),
            measured: Vec::new(),
            weights: Vec::new(),
            guards: true,
        }
    }
}

/// A second start has bones without markers at both ends this much shorter: with too long a shank the ankle begins below
/// the line from heel to toe, and a foot of two markers stays upside down.
const SHORT_BONES: f64 = 0.85;
/// Steps of each frame by itself before all are fitted together.
const POSE_STEPS: usize = 8;
/// What a recording counts for in independent frames: skin moves the same way with every step.
///
/// Of 2, 4, 5, 8 and 16, simulated walks with skin are best at 2, rigid markers at 16; at 5 neither loses a tenth, and
/// the bones of a performer repeat to a centimetre. Error bars do not depend on it.
const EFFECTIVE_FRAMES: f64 = 5.0;
/// The same where markers sit on bones. Their noise is new in every frame, but what the knowledge assumes of joints is
/// not exact: of 20, 40 and 120, knees of simulated walks are 4.9, 4.8 and 16.9 mm off.
const RIGID_EFFECTIVE_FRAMES: f64 = 40.0;
/// The correlation of the skin under two markers of a segment: more than two tell less than they would apart.
const SHARED_SKIN: f64 = 0.2;

/// Fits the whole body.
///
/// # Method
/// Segments have anatomical frames; the origin of each is its joint to its parent. Shared by all frames are the
/// sizes of the body, the centre of every joint in its parent and the position of every marker in its segment;
/// poses are free in every frame. Minimised, by Gauss-Newton with poses eliminated along the tree, is
///
/// ```text
/// Σ_t [ τ Σ_i ρ(|R m_i + p − y_it|²/σ_i²) + τ Σ_j ρ(|R c_j + p − p_child|²/s_j²)
///       + Σ_a (n_a/F) (u·v − sin μ_a)²/ω_a² ] + Σ_k ρ((g_k − e_k)²/d_k²)
/// ```
///
/// over the F frames t, markers i, joints j, angles a and equations k of the knowledge, with ρ of the Student t
/// distribution. τ = N/F: frames are no independent witnesses, since skin moves the same way with every step,
/// and count for N = 5 of them however many there are. Last, where there is skin, so is the way it slides: of every
/// marker linear in the main turns of the joints beside its segment, as much as the skin is assumed to, or less
/// where the recording clearly shows less of it.
///
/// # Errors
/// Too few labels are known, or no frame shows the root of the body.
///
/// # Reference
/// Each number of the knowledge names its own source. Robust weights: K. L. Lange, R. J. A. Little, J. M. G.
/// Taylor (1989), *Robust statistical modeling using the t distribution*.
pub fn fit(input: &Input, knowledge: &Knowledge, options: &Options) -> Result<WholeBody> {
    if let PlanOrigin::Names { marker_set } = &input.performer.origin
        && knowledge.not_for.contains(marker_set)
    {
        let name = &knowledge.name;
        let what =
            format!("knowledge '{name}': need markers on the skin, got the set '{marker_set}'");
        return Err(ErrorKind::Undetermined(what).into());
    }
    let columns: Vec<usize> =
        input.performer.segments.iter().flat_map(|segment| &segment.markers).copied().collect();
    let frames = choose::frames(&columns, input.frames, &options.recording_ends, options.frames);
    let seen_in = |column: usize| {
        frames.iter().filter(|frame| input.frames.position_m(**frame, column).is_some()).count()
    };
    let fewest = MIN_SIGHTINGS.min(frames.len());
    let without = columns.iter().copied().filter(|column| seen_in(*column) < fewest).collect();
    let reading = Reading { without, ..Reading::default() };
    let stated = measured(knowledge, options)?;
    let attempt = Attempt { input, knowledge, options, frames: &frames, measured: &stated };
    let (measured, left_out) = match options.guards {
        true => attempt.believable(&reading),
        false => (stated.clone(), Vec::new()),
    };
    let attempt = Attempt { measured: &measured, ..attempt };
    let (fitted, mut guarded) = match options.guards {
        true => attempt.fit_guarded(reading)?,
        false => (attempt.fit(&reading)?, Guarded::default()),
    };
    guarded.blocks.splice(..0, left_out);
    if options.guards && measured.first().is_none_or(Option::is_none) {
        possible(fitted.posterior.size(0).0, knowledge)?;
    }
    let fitted = match options.soft_tissue {
        SoftTissue::None => fitted,
        _ => attempt.fit_skin(fitted)?,
    };
    Ok(WholeBody::new(fitted, guarded, knowledge))
}

/// Shorter and taller people are hardly ever recorded: a newborn has 0.5 m, giants up to 2.7, and whoever is one can say
/// so with a measured stature.
const PEOPLE_M: Range<f64> = 0.62..2.45;

/// Whether people can be so tall: what is known of skin and bones is in millimetres, and holds at no other scale.
fn possible(stature_m: f64, knowledge: &Knowledge) -> Result<()> {
    let is_stature = knowledge.size_names().next() == Some("stature");
    if !is_stature || PEOPLE_M.contains(&stature_m) {
        return Ok(());
    }
    let Range { start, end } = PEOPLE_M;
    let what = format!(
        "knowledge '{}': need a person {start} to {end} m tall, got {stature_m:.2} m: is the unit of length right?",
        knowledge.name
    );
    Err(ErrorKind::Undetermined(what).into())
}

/// What was measured of every size of the knowledge.
fn measured(knowledge: &Knowledge, options: &Options) -> Result<Vec<Option<(f64, f64)>>> {
    let mut all = vec![None; knowledge.sizes.len()];
    for (name, value_m, sd_m) in &options.measured {
        let size = knowledge.size_names().position(|size| size == name).ok_or_else(|| {
            let names: Vec<&str> = knowledge.size_names().collect();
            ErrorKind::Argument(format!("measured: need one of {}, got '{name}'", names.join(", ")))
        })?;
        if !(value_m.is_finite() && *value_m > 0.0 && sd_m.is_finite() && *sd_m > 0.0) {
            let what = format!("{name}: need a positive length and sd, got {value_m} and {sd_m}");
            return Err(ErrorKind::Argument(what).into());
        }
        all[size] = Some((*value_m, *sd_m));
    }
    Ok(all)
}

/// A marker that fewer of the chosen frames show is left out.
const MIN_SIGHTINGS: usize = 2;

/// One fit: what it is made from.
pub(super) struct Attempt<'a> {
    pub input: &'a Input<'a>,
    pub knowledge: &'a Knowledge,
    pub options: &'a Options,
    pub frames: &'a [usize],
    pub measured: &'a [Option<(f64, f64)>],
}

impl Attempt<'_> {
    /// Fits from the start; of several starts the one that explains the recording best.
    pub(super) fn fit(&self, reading: &Reading) -> Result<Fitted> {
        let model = Model::new(self.input, self.knowledge, reading);
        check(&model, self.knowledge)?;
        let first = self.fit_from(model.clone(), 1.0);
        if !start::has_open_bones(&model, self.knowledge) {
            return first;
        }
        match (first, self.fit_from(model, SHORT_BONES)) {
            (Ok(first), Ok(other)) => {
                let gain = first.posterior.misfit() - other.posterior.misfit();
                let (mut better, worse) = if gain > 0.0 { (other, first) } else { (first, other) };
                better.doubt(&worse, (-gain.abs()).exp());
                Ok(better)
            }
            (first, other) => first.or(other),
        }
    }

    /// Fits from a start whose open bones are so many times as long as expected.
    fn fit_from(&self, model: Model, open_bones: f64) -> Result<Fitted> {
        let (mut problem, Begun { frames, state }) = self.begin(model, open_bones)?;
        let noise = self.noise_rule();
        let minimum = gauss_newton::minimise(&mut problem, state, &noise, gauss_newton::FROM_START);
        let minimum = minimum.ok_or_else(|| {
            ErrorKind::Undetermined(
                "whole body: need every part observable, got a singular fit".into(),
            )
        })?;
        Ok(Fitted { frames, posterior: Posterior::new(problem, minimum) })
    }
}

impl Attempt<'_> {
    /// Fits the skin too, from a fit that has it in its noise.
    pub(super) fn fit_skin(&self, fitted: Fitted) -> Result<Fitted> {
        let Fitted { frames, posterior } = fitted;
        let Posterior { mut problem, minimum, skin, doubts, .. } = posterior;
        let mut state = minimum.state;
        problem.slide(&skin, &mut state.parameters);
        let mut minimum = self.minimise_skin(&mut problem, state)?;
        // What the user says of skin is not doubted.
        if self.options.soft_tissue == SoftTissue::Auto
            && let Some(shown) = problem.shown_skin(&minimum)
        {
            problem.shrink_skin(shown);
            let single = frames.len().min(self.options.frames);
            let less = SoftTissue::Metres(shown.sqrt() * THIGH_RMS_M).effective_frames(single);
            problem.effective_frames *= less / SoftTissue::Auto.effective_frames(single);
            minimum = self.minimise_skin(&mut problem, minimum.state)?;
        }
        Ok(Fitted { frames, posterior: Posterior::with_skin(problem, minimum, skin, doubts) })
    }

    fn minimise_skin(&self, problem: &mut Problem, state: State) -> Result<Minimum> {
        gauss_newton::minimise(problem, state, &self.noise_rule(), 1).ok_or_else(|| {
            let what = "whole body: need every part observable, got a singular fit";
            ErrorKind::Undetermined(what.into()).into()
        })
    }

    pub(super) fn noise_rule(&self) -> NoiseRule {
        match self.options.soft_tissue {
            SoftTissue::None if self.options.independent_frames.is_some() => NoiseRule::FILMED,
            SoftTissue::None => NoiseRule { min_m: 1e-3, ..NoiseRule::RIGID },
            _ => NoiseRule::SKIN,
        }
    }
}

/// The landmarks that must be recognised at least: of the root, and of all; and the share of markers whose label
/// is known.
const MIN_LANDMARKS_OF_ROOT: usize = 2;
const MIN_LANDMARKS: usize = 6;
const MIN_KNOWN_SHARE: f64 = 0.35;

fn check(model: &Model, knowledge: &Knowledge) -> Result<()> {
    let is_place = |landmark: usize| {
        let landmark = &knowledge.landmarks[landmark];
        landmark.start.is_some() && !landmark.is_offset
    };
    let known = model.markers.iter().filter(|m| m.landmark.is_some_and(is_place));
    let (all, of_root) = (known.clone().count(), known.filter(|m| m.segment == 0).count());
    if all < MIN_LANDMARKS || of_root < MIN_LANDMARKS_OF_ROOT {
        let root = model.segments.first().map_or("body", |segment| segment.name.as_str());
        return Err(ErrorKind::Undetermined(format!(
            "knowledge '{}': need {MIN_LANDMARKS} landmarks by name, {MIN_LANDMARKS_OF_ROOT} of them on the \
             {root}, got {all} and {of_root}",
            knowledge.name
        ))
        .into());
    }
    let named = model.markers.iter().filter(|marker| marker.landmark.is_some()).count();
    if (named as f64) < MIN_KNOWN_SHARE * model.markers.len() as f64 {
        return Err(ErrorKind::Undetermined(format!(
            "knowledge '{}': need {:.0} % of the labels known, got {named} of {}",
            knowledge.name,
            1e2 * MIN_KNOWN_SHARE,
            model.markers.len()
        ))
        .into());
    }
    Ok(())
}

pub(super) struct Begun {
    pub frames: Vec<usize>,
    pub state: State,
}

impl Attempt<'_> {
    /// The problem with its first guess.
    ///
    /// Bones whose ends wear no markers begin `open_bones` times as long as expected.
    pub(super) fn begin(&self, model: Model, open_bones: f64) -> Result<(Problem, Begun)> {
        let Self { input, knowledge, options, frames: chosen, measured } = *self;
        let all: Vec<Vec<Option<Vector3<f64>>>> =
            chosen.iter().map(|frame| choose::positions_m(&model, input.frames, *frame)).collect();
        let weights = start::weights(&model, knowledge);
        let instances = Instances { model: &model, knowledge, measured };
        let parameters = start::parameters(&instances, &all, open_bones);
        let (mut frames, mut observed_m, mut poses) = (Vec::new(), Vec::new(), Vec::new());
        for (&frame, seen_m) in chosen.iter().zip(all) {
            if let Some(posed) = start::pose(&model, &weights, &parameters, &seen_m) {
                frames.push(frame);
                observed_m.push(seen_m);
                poses.push(posed);
            }
        }
        if frames.is_empty() {
            let what = "whole body: need a frame that shows three points of its root, got none";
            return Err(ErrorKind::Undetermined(what.into()).into());
        }
        let mut state = State { parameters, poses };
        start::place_unknown(&model, &weights, &observed_m, &mut state);
        let rows = Instances { model: &model, knowledge, measured }.rows(&state.parameters);
        let structure = Structure::of(&model);
        let mut model = model;
        let scale = options.soft_tissue.scale();
        let skin_m = options.soft_tissue.skin_m(&model);
        let places: Vec<usize> = model.markers.iter().map(|marker| marker.column).collect();
        let camera_m = camera::noise_m(&places, input.frames, &frames);
        // Frames of a further recording come on top: a frame counts as much as it does of the first alone.
        let single = frames.len().min(options.frames);
        let several = frames.len() as f64 / single.max(1) as f64;
        let mut worn = vec![0_usize; model.segments.len()];
        model.markers.iter().for_each(|marker| worn[marker.segment] += 1);
        for marker in &mut model.markers {
            let others = worn[marker.segment].saturating_sub(2) as f64;
            let shared = (1.0 + others * SHARED_SKIN / (1.0 + SHARED_SKIN)).sqrt();
            let is_rigid = options.soft_tissue == SoftTissue::None;
            let scale = if is_rigid { scale } else { shared * scale };
            marker.sigma_m = (scale * marker.sigma_m).hypot(camera_m);
            marker.weight = options.weights.get(marker.column).copied().unwrap_or(1.0);
        }
        let problem = Problem {
            sigma_m: model.markers.iter().map(|m| m.sigma_m / m.weight.sqrt()).collect(),
            closure_m: model.joints.iter().map(|joint| joint.closure_m).collect(),
            camera_m,
            sliding: None,
            is_noise_taken_off: false,
            skin_m,
            effective_frames: match options.independent_frames {
                Some(independent) => independent.min(frames.len() as f64),
                None => several * options.soft_tissue.effective_frames(single),
            },
            rows,
            structure,
            observed_m,
            model,
        };
        gauss_newton::pose_frames(&problem, &mut state, POSE_STEPS);
        Ok((problem, Begun { frames, state }))
    }
}

impl SoftTissue {
    /// How far markers slide, root mean square over three dimensions: what is stated, or typical of people's thighs.
    pub fn rms_m(self, is_person: bool) -> f64 {
        self.stated_m().unwrap_or(if is_person { THIGH_RMS_M } else { 0.0 })
    }

    /// The stated size in metres; `None` where it is left to what is typical.
    pub fn stated_m(self) -> Option<f64> {
        match self {
            Self::Auto => None,
            Self::None => Some(0.0),
            Self::Metres(m) => Some(m),
        }
    }

    /// What the noise of the knowledge is multiplied by.
    fn scale(self) -> f64 {
        match self {
            Self::Auto | Self::None => 1.0,
            Self::Metres(rms_m) => rms_m / THIGH_RMS_M,
        }
    }

    /// How far the skin under every marker slides: sd a coordinate.
    ///
    /// The knowledge's noise is that of a thigh of which three coordinates together move by [`THIGH_RMS_M`].
    fn skin_m(self, model: &Model) -> Vec<f64> {
        let share = if self == Self::None { 0.0 } else { self.scale() / 3f64.sqrt() };
        model.markers.iter().map(|marker| share * marker.sigma_m).collect()
    }

    /// How many independent frames so many count for: skin repeats itself, the noise of cameras does not.
    pub(super) fn effective_frames(self, frames: usize) -> f64 {
        let frames = frames as f64;
        if self == Self::None {
            return frames.min(RIGID_EFFECTIVE_FRAMES);
        }
        let skin_m = self.rms_m(true);
        let repeated = skin_m.powi(2) / (skin_m.powi(2) + 3.0 * MARKER_NOISE_M.powi(2));
        (repeated / EFFECTIVE_FRAMES.min(frames) + (1.0 - repeated) / frames).recip()
    }
}

/// What `SoftTissue::Auto` assumes of the thigh: root mean square, 3-D.
const THIGH_RMS_M: f64 = 0.01;
