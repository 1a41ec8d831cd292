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
        Experiment::new("chain", chain::loads, chain::run)
            .titled("Table 3.1: a chain of ten joints")
            .of_chapter(3),
        Experiment::new("convergence", |_| Vec::new(), convergence::run)
            .titled("Figures 3.17 and 3.18: iterations and time against accuracy")
            .of_chapter(3),
        Experiment::new("constrained", constrained::loads, constrained::run)
            .titled("Table 3.3: limits")
            .of_chapter(3),
        Experiment::new("humanoid", |_| Vec::new(), humanoid::run)
            .titled("Table 3.2: a dancing humanoid")
            .of_chapter(3),
        Experiment::new("tracking", |_| Vec::new(), tracking::run)
            .titled("Section 3.6.1: a moving target")
            .of_chapter(3),
    ],
};
