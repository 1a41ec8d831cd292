//! A figure that follows a solved performer, its freedoms as polynomials of time.
//!
//! # Method
//! In every frame of the window, and of the next of its length, the figure follows the segments of the performer; a
//! polynomial is fitted to each freedom over the window. Its residual is what it leaves there, its prediction error what
//! it leaves over the next.
//!
//! # Reference
//! J. Knight 2008, sections 7.3 and 7.4.

use std::collections::HashMap;

use nalgebra::Isometry3;

use super::Mannequin;
use crate::error::{Error, Result};
use crate::figure::{
    Figure, FigureMotion, Follower, FreedomKind, TaylorWindow, fit_window, prediction_rms,
};
use crate::job::{Performance, SolvedPerformer};
use crate::note::Note;

/// Joints of figure and subject so far apart belong to different bodies.
const APART_M: f64 = 0.03;
/// What the freedoms of a segment leave of its motion is said above these.
const RESIDUAL_RAD: f64 = 0.5 * std::f64::consts::PI / 180.0;
const RESIDUAL_M: f64 = 1e-3;

/// What is fitted.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AnalysisOptions {
    /// From when to when.
    pub window_s: [f64; 2],
    /// The order of the polynomials.
    pub order: usize,
    /// For segments of the figure their names in the recording, where they differ.
    pub names: HashMap<String, String>,
}

/// A freedom, and how well a polynomial fits it, in radians or metres.
#[derive(Debug, Clone, PartialEq)]
pub struct FreedomFit {
    /// The segment.
    pub segment: String,
    /// Which of its freedoms, from 0.
    pub freedom: usize,
    /// Whether it turns or slides.
    pub kind: FreedomKind,
    /// What the polynomial leaves in the window, rms.
    pub residual: f64,
    /// What it leaves over the next window of the same length, rms, if that was recorded.
    pub prediction: Option<f64>,
}

/// The freedoms of a figure as polynomials of time.
#[derive(Debug, Clone, PartialEq)]
pub struct Analysis {
    /// The polynomials.
    pub motion: FigureMotion,
    /// How well they fit.
    pub freedoms: Vec<FreedomFit>,
    /// What does not go together.
    pub notes: Vec<Note>,
}

/// What the figure did in the frames of two windows.
struct Seen {
    /// Of every freedom its values and when.
    samples: Vec<Vec<(f64, f64)>>,
    /// Of every segment the squares of what its freedoms leave, radians and metres, and their count.
    left: Vec<[f64; 3]>,
}

/// Lets a figure follow a performer, and fits every freedom.
///
/// # Errors
/// A recording without a rate, no segment of the same name, or a window that does not show the figure.
pub fn analyse(
    figure: &Figure,
    performance: &Performance,
    performer: &SolvedPerformer,
    options: &AnalysisOptions,
) -> Result<Analysis> {
    let [from, to] = options.window_s;
    if !(from.is_finite() && to.is_finite() && from < to) {
        let what = format!("window: need two times in order, got {from} and {to} s");
        return Err(Error::argument(what));
    }
    if performance.trial.rate_hz <= 0.0 {
        return Err(Error::argument("rate: need frames a second, got none"));
    }
    let own = Mannequin::of_subject(&performer.subject, None)?;
    let mut notes = Vec::new();
    let places = places(figure, &own, &options.names, &mut notes)?;
    let seen = seen(figure, &own, &places, performance, performer, options.window_s);
    let mut windows = Vec::new();
    let mut freedoms = Vec::new();
    for (at, segment) in figure.segments().iter().enumerate() {
        for (freedom, of) in figure.freedoms_of(at).enumerate() {
            let (own, next): (Vec<_>, Vec<_>) =
                seen.samples[of].iter().copied().partition(|(time_s, _)| *time_s <= to);
            let Some(fit) = fit_window(&own, options.window_s, options.order) else {
                let name = format!("{} {}", segment.name, freedom + 1);
                let text = format!("{name}: too few frames in the window show it");
                notes.push(Note::new("freedom-not-fitted", text));
                continue;
            };
            let window = TaylorWindow {
                segment: segment.name.clone(),
                freedom,
                span_s: options.window_s,
                centre_s: fit.centre_s,
                coefficients: fit.coefficients,
            };
            freedoms.push(FreedomFit {
                segment: segment.name.clone(),
                freedom,
                kind: segment.joint.freedoms[freedom].kind,
                residual: fit.residual_rms,
                prediction: prediction_rms(&window, &next),
            });
            windows.push(window);
        }
        notes.extend(residual(&segment.name, seen.left[at]));
    }
    if windows.is_empty() {
        let what =
            format!("window: need frames that show the figure from {from} to {to} s, got none");
        return Err(Error::undetermined(what));
    }
    Ok(Analysis { motion: FigureMotion::new(figure.name.clone(), windows)?, freedoms, notes })
}

fn seen(
    figure: &Figure,
    own: &Mannequin,
    places: &[Option<usize>],
    performance: &Performance,
    performer: &SolvedPerformer,
    [from, to]: [f64; 2],
) -> Seen {
    let until = to + (to - from);
    let mut follower = Follower::new(figure);
    let mut seen = Seen {
        samples: vec![Vec::new(); figure.freedom_count()],
        left: vec![[0.0f64; 3]; figure.segments().len()],
    };
    for frame in 0..performance.trial.frames {
        let time_s = performance.trial.time_s(frame);
        if time_s < from || time_s > until {
            continue;
        }
        let placed = own.placed(&performer.motion, frame);
        let poses: Vec<Option<Isometry3<f64>>> =
            places.iter().map(|at| at.and_then(|at| placed[at])).collect();
        let followed = follower.follow(&poses);
        for (own, value) in seen.samples.iter_mut().zip(&followed.values) {
            own.extend(value.map(|value| (time_s, value)));
        }
        if time_s <= to {
            let residuals = followed.residual_rad.iter().zip(&followed.residual_m);
            for (left, (rad, m)) in seen.left.iter_mut().zip(residuals) {
                *left = [left[0] + rad * rad, left[1] + m * m, left[2] + 1.0];
            }
        }
    }
    seen
}

/// What the freedoms of a segment leave of its motion, where that is much.
fn residual(segment: &str, [rad, m, count]: [f64; 3]) -> Option<Note> {
    let [rad, m] = [rad, m].map(|sum| (sum / count.max(1.0)).sqrt());
    let text = format!(
        "{segment}: its freedoms leave {:.1} degrees and {:.1} mm of the motion (rms)",
        rad.to_degrees(),
        m * 1e3
    );
    (rad > RESIDUAL_RAD || m > RESIDUAL_M).then(|| Note::new("figure-residual", text))
}

/// For every segment of the figure that of the subject.
fn places(
    figure: &Figure,
    own: &Mannequin,
    names: &HashMap<String, String>,
    notes: &mut Vec<Note>,
) -> Result<Vec<Option<usize>>> {
    let mut places = Vec::new();
    for segment in figure.segments() {
        let name = names.get(&segment.name).unwrap_or(&segment.name);
        let found = own.figure.find(name);
        match found {
            None => {
                let text =
                    format!("segment '{}' of the figure is not in the recording", segment.name);
                notes.push(Note::new("segment-not-found", text));
            }
            Some(at) => {
                let there = &own.figure.segments()[at].joint;
                let apart_m = (there.centre_m - segment.joint.centre_m).norm();
                if segment.parent.is_some() && apart_m > APART_M {
                    let text = format!(
                        "joint of '{}': {:.0} mm from where the subject at rest has it; was the figure made for it?",
                        segment.name,
                        apart_m * 1e3
                    );
                    notes.push(Note::new("figure-of-another", text));
                }
            }
        }
        places.push(found);
    }
    if places.iter().all(Option::is_none) {
        let what = "segments: need names that figure and recording share, got none";
        return Err(Error::argument(what));
    }
    Ok(places)
}
