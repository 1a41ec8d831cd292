//! A. Aristidou (2010), *Tracking and modelling motion for biomechanical analysis*.

mod chain;
mod constrained;
mod convergence;
mod hand;
mod humanoid;
mod occlusion;
mod six_metres;
mod tracking;

use super::document::{Document, Experiment};
use occlusion::{camera, centres, lengths, markers, recordings, speed};

/// The thesis.
pub const DOCUMENT: Document = Document {
    name: "aristidou-2010",
    title: "Aristidou 2010, re-run",
    about: "A. Aristidou: Tracking and modelling motion for biomechanical analysis. PhD thesis, University of \
            Cambridge, 2010. Chapter 3: inverse kinematics by forward and backward reaching (FABRIK); chapter 4: markers that are not seen; chapter 5: a \
            hand. \
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
        Experiment::new("occlusion", markers::loads, markers::run)
            .titled("Table 4.1 and figure 4.15: one, two and all markers of a segment missing")
            .of_chapter(4),
        Experiment::new("one-camera", camera::loads, camera::run)
            .titled("Table 4.2: a marker that one camera sees")
            .of_chapter(4),
        Experiment::new("bone-lengths", lengths::loads, lengths::run)
            .titled("Table 4.3: bone lengths kept by reaching")
            .of_chapter(4),
        Experiment::new("rotation-centres", |_| Vec::new(), centres::run)
            .titled("Section 4.4: centres of rotation")
            .of_chapter(4),
        Experiment::new("deleted", recordings::loads, recordings::run)
            .titled("Markers deleted in real recordings")
            .on_recordings()
            .of_chapter(4),
        Experiment::new("prediction-speed", |_| Vec::new(), speed::run)
            .titled("Page 105: pairs of segments a second")
            .of_chapter(4),
        Experiment::new("hand-rates", |_| Vec::new(), hand::rates)
            .titled("Table 5.2: a hand at 100, 10 and 3 Hz")
            .of_chapter(5),
        Experiment::new("hand-proportions", |_| Vec::new(), hand::limits)
            .titled("Section 5.5 and figure 5.8: joints in proportion")
            .of_chapter(5),
        Experiment::new("hand-lost", |_| Vec::new(), hand::lost)
            .titled("Section 5.6: tips that are not seen")
            .of_chapter(5),
        Experiment::new("hand-pictures", |_| Vec::new(), hand::pictures)
            .titled("Figures 5.10, 5.12 and 5.14: a fist, and its skin")
            .of_chapter(5),
    ],
};
