//! A. Aristidou (2010), *Tracking and modelling motion for biomechanical analysis*.

mod chain;
mod constrained;
mod convergence;
mod humanoid;
mod six_metres;
mod tracking;

use super::document::{Document, Experiment};

/// The thesis.
pub const DOCUMENT: Document = Document {
    name: "aristidou-2010",
    title: "Aristidou 2010, re-run",
    about: "A. Aristidou: Tracking and modelling motion for biomechanical analysis. PhD thesis, University of \
            Cambridge, 2010. Chapter 3: inverse kinematics by forward and backward reaching (FABRIK). \
            Its times are of MATLAB on a computer of 2008: only ratios compare.",
    experiments: &[
        Experiment {
            name: "chain",
            chapter: Some(3),
            title: "Table 3.1: a chain of ten joints",
            loads: chain::loads,
            needs_recordings: false,
            run: chain::run,
        },
        Experiment {
            name: "convergence",
            chapter: Some(3),
            title: "Figures 3.17 and 3.18: iterations and time against accuracy",
            loads: |_| Vec::new(),
            needs_recordings: false,
            run: convergence::run,
        },
        Experiment {
            name: "constrained",
            chapter: Some(3),
            title: "Table 3.3: limits",
            loads: constrained::loads,
            needs_recordings: false,
            run: constrained::run,
        },
        Experiment {
            name: "humanoid",
            chapter: Some(3),
            title: "Table 3.2: a dancing humanoid",
            loads: |_| Vec::new(),
            needs_recordings: false,
            run: humanoid::run,
        },
        Experiment {
            name: "tracking",
            chapter: Some(3),
            title: "Section 3.6.1: a moving target",
            loads: |_| Vec::new(),
            needs_recordings: false,
            run: tracking::run,
        },
    ],
};
