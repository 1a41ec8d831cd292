//! J. K. Knight (2008), *Rotation Points From Motion Capture Data Using a Closed Form Solution*, and the
//! worked examples of its draft of 2005.

mod accuracy;
mod as_printed;
mod bias;
mod bound;
mod breakdown;
mod ellipsoids;
mod errata;
mod examples;
mod joints;
mod methods;
mod monte_carlo;
mod predictions;
mod sample_size;
mod speed;
mod thinning;

use super::document::{Document, Experiment};

/// The thesis.
pub const DOCUMENT: Document = Document {
    name: "knight-2008",
    title: "Knight 2008, re-run",
    about: "J. K. Knight: Rotation Points From Motion Capture Data Using a Closed Form Solution. PhD thesis, \
            University of Colorado at Colorado Springs, 2008, and its draft of 2005. Numbers in \
            brackets are its equations.",
    experiments: &[
        Experiment {
            name: "examples",
            chapter: None,
            title: "The worked examples of 2005",
            loads: |_| Vec::new(),
            needs_recordings: false,
            run: examples::run,
        },
        Experiment {
            name: "monte-carlo",
            chapter: None,
            title: "The Monte-Carlo experiment of section 4.1.1",
            loads: monte_carlo::loads,
            needs_recordings: false,
            run: monte_carlo::run,
        },
        Experiment {
            name: "breakdown",
            chapter: None,
            title: "Where linear least squares breaks down",
            loads: breakdown::loads,
            needs_recordings: false,
            run: breakdown::run,
        },
        Experiment {
            name: "bound",
            chapter: None,
            title: "The Cramér-Rao bound and the acceptance limits",
            loads: bound::loads,
            needs_recordings: false,
            run: bound::run,
        },
        Experiment {
            name: "accuracy",
            chapter: None,
            title: "Accuracy of every method against the Cramér-Rao bound",
            loads: accuracy::loads,
            needs_recordings: false,
            run: accuracy::run,
        },
        Experiment {
            name: "sample-size",
            chapter: None,
            title: "Error against the number of samples",
            loads: sample_size::loads,
            needs_recordings: false,
            run: sample_size::run,
        },
        Experiment {
            name: "bias",
            chapter: None,
            title: "Bias",
            loads: bias::loads,
            needs_recordings: false,
            run: bias::run,
        },
        Experiment {
            name: "ellipsoids",
            chapter: None,
            title: "Error ellipsoids and clouds of answers",
            loads: ellipsoids::loads,
            needs_recordings: false,
            run: ellipsoids::run,
        },
        Experiment {
            name: "predictions",
            chapter: None,
            title: "Predicted spreads",
            loads: predictions::loads,
            needs_recordings: false,
            run: predictions::run,
        },
        Experiment {
            name: "joints",
            chapter: None,
            title: "Hinges, and several markers at once",
            loads: joints::loads,
            needs_recordings: false,
            run: joints::run,
        },
        Experiment {
            name: "speed",
            chapter: None,
            title: "Speed, section 6.4",
            loads: speed::loads,
            needs_recordings: false,
            run: speed::run,
        },
        Experiment {
            name: "errata",
            chapter: None,
            title: "Misprints, in numbers",
            loads: |_| Vec::new(),
            needs_recordings: false,
            run: errata::run,
        },
        Experiment {
            name: "thinning",
            chapter: None,
            title: "A recording thinned out, section 6.1",
            loads: thinning::loads,
            needs_recordings: true,
            run: thinning::run,
        },
    ],
};
