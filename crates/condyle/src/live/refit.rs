//! A calibration that is due, apart from the stream that it is for.

use super::hidden::{self, Learnt};
use crate::error::Result;
use crate::job::{self, Options};
use crate::plan::Plan;
use crate::subject::Subject;
use crate::trial::{Note, Trial};

/// A calibration that is due: the kept frames of a stream, to be fitted wherever there is time, such as in another
/// thread.
#[derive(Debug, Clone)]
pub struct Refit {
    /// How many frames had come.
    pub(super) frames: usize,
    pub(super) trial: Trial,
    pub(super) options: Options,
}

/// What came of a calibration; for [`super::Live::adopt`].
#[derive(Debug)]
pub struct Refitted {
    pub(super) frames: usize,
    pub(super) fitted: Result<Fitted>,
    pub(super) learnt: Learnt,
}

#[derive(Debug)]
pub(super) struct Fitted {
    pub(super) subjects: Vec<Subject>,
    pub(super) plan: Option<Plan>,
    pub(super) notes: Vec<Note>,
}

impl Refit {
    /// Fits the frames, by [`job::fit`], unless the subject is given; and learns where hidden markers are.
    pub fn run(self) -> Refitted {
        let Self { frames, trial, options } = self;
        let recording = || vec![trial.clone().into()];
        let fitted = match &options.subject {
            Some(subject) => {
                Ok(Fitted { subjects: vec![subject.clone()], plan: None, notes: Vec::new() })
            }
            None => job::fit(recording(), &options).map(|fitted| Fitted {
                subjects: fitted.subjects,
                plan: fitted.plan.map(|found| found.plan),
                notes: fitted.notes,
            }),
        };
        let subjects =
            fitted.as_ref().map_or_else(|_| Default::default(), |f| f.subjects.as_slice());
        let learnt = hidden::learn(&trial, subjects, &options);
        Refitted { frames, fitted, learnt }
    }
}
