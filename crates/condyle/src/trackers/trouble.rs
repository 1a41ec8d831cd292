//! What goes wrong with sensors: they slip, change names, freeze or fall silent.

use std::ops::Range;

use super::{exchange, silence, slip};
use crate::order;
use crate::subject::Subject;
use crate::trial::{Body, Note, Trial};

/// Something that went wrong, where and when.
#[derive(Debug, Clone, PartialEq)]
pub struct Trouble {
    /// What it was.
    pub kind: TroubleKind,
    /// The name of the body.
    pub body: String,
    /// The frames, counted from 0: from when on, or in which.
    pub frames: Range<usize>,
}

/// What went wrong.
#[derive(Debug, Clone, PartialEq)]
pub enum TroubleKind {
    /// The sensor moved on what it is fixed to, and stayed there.
    Slip {
        /// How far its joints moved in its frame.
        shift_m: f64,
        /// How many times beyond chance: twelve is the least that is reported.
        statistic: f64,
    },
    /// It had the name of another, which had its name. Put right before anything else is done.
    Exchange {
        /// The other.
        with: String,
    },
    /// It repeated the same pose, to the last digit.
    Frozen,
    /// It was not seen.
    Silent,
}

impl TroubleKind {
    /// The name in small letters, which does not change.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Slip { .. } => "slip",
            Self::Exchange { .. } => "exchange",
            Self::Frozen => "frozen",
            Self::Silent => "silent",
        }
    }
}

impl Trouble {
    /// What to say of it, with the frame numbers of its recording.
    pub fn note(&self, trial: &Trial) -> Note {
        let Self { kind, body, frames } = self;
        let [first, last] =
            [frames.start, frames.end.saturating_sub(1)].map(|frame| trial.frame_number(frame));
        let note = match kind {
            TroubleKind::Slip { shift_m, .. } => {
                let shift_mm = shift_m * 1e3;
                let text = format!("{body} at about frame {first}, by {shift_mm:.1} mm");
                Note::new("sensor-slipped", text)
            }
            TroubleKind::Exchange { with } => {
                let text = format!(
                    "{body} and {with} have each other's name in frames {first} to {last}; they were put right"
                );
                Note::new("bodies-exchanged", text)
            }
            TroubleKind::Frozen => {
                let text = format!(
                    "{body} repeats one pose in frames {first} to {last}, which do not count"
                );
                Note::new("sensor-frozen", text)
            }
            TroubleKind::Silent => {
                let text = format!("{body} is not seen in frames {first} to {last}");
                Note::new("sensor-silent", text)
            }
        };
        note.about(body).at_frame(frames.start)
    }
}

/// Everything that goes wrong with the bodies of a recording, in the order of time.
pub fn find(subject: &Subject, trial: &Trial) -> Vec<Trouble> {
    let of = |name: &str| trial.bodies.iter().find(|body| body.name == name);
    let mut bodies: Vec<Body> = Vec::new();
    for segment in &subject.segments {
        bodies.push(of(&segment.name).cloned().unwrap_or_else(|| Body::new(&segment.name)));
    }
    let mut troubles = exchange::repair(&mut bodies);
    for body in &mut bodies {
        troubles.extend(silence::find(body));
        silence::leave_out_frozen(body);
    }
    // Frames that show nobody are the recording's, not a sensor's.
    let is_empty = |frame: usize| bodies.iter().all(|body| body.world_from_body(frame).is_none());
    troubles.retain(|trouble| {
        trouble.kind != TroubleKind::Silent || !trouble.frames.clone().all(is_empty)
    });
    troubles.extend(slip::find(subject, &bodies));
    order::by_key(&mut troubles, |trouble| trouble.frames.start);
    troubles
}
