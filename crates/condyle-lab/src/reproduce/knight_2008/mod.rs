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
mod solids;
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
        Experiment::new("examples", |_| Vec::new(), examples::run)
            .titled("The worked examples of 2005"),
        Experiment::new("monte-carlo", monte_carlo::loads, monte_carlo::run)
            .titled("The Monte-Carlo experiment of section 4.1.1"),
        Experiment::new("breakdown", breakdown::loads, breakdown::run)
            .titled("Where linear least squares breaks down"),
        Experiment::new("bound", bound::loads, bound::run)
            .titled("The Cramér-Rao bound and the acceptance limits"),
        Experiment::new("accuracy", accuracy::loads, accuracy::run)
            .titled("Accuracy of every method against the Cramér-Rao bound"),
        Experiment::new("sample-size", sample_size::loads, sample_size::run)
            .titled("Error against the number of samples"),
        Experiment::new("bias", bias::loads, bias::run).titled("Bias"),
        Experiment::new("ellipsoids", ellipsoids::loads, ellipsoids::run)
            .titled("Error ellipsoids and clouds of answers"),
        Experiment::new("predictions", predictions::loads, predictions::run)
            .titled("Predicted spreads"),
        Experiment::new("joints", joints::loads, joints::run)
            .titled("Hinges, and several markers at once"),
        Experiment::new("speed", speed::loads, speed::run).titled("Speed, section 6.4"),
        Experiment::new("errata", |_| Vec::new(), errata::run).titled("Misprints, in numbers"),
        Experiment::new("thinning", thinning::loads, thinning::run)
            .titled("A recording thinned out, section 6.1")
            .on_recordings(),
        Experiment::new("solids", |_| Vec::new(), solids::run)
            .titled("Solid figures, section 7.2 and chapters 2 and 3 of 2005"),
    ],
};
