//! J. F. O'Brien, R. E. Bodenheimer, G. J. Brostow, J. K. Hodgins (2000), *Automatic Joint Parameter
//! Estimation from Magnetic Motion Capture Data*.

mod figure;
mod hierarchy;
mod hinge;
mod lengths;
mod linkage;
mod people;
mod scale;
mod slip;
mod speed;

use super::document::{Document, Experiment};

/// The paper.
pub const DOCUMENT: Document = Document {
    name: "obrien-2000",
    title: "O'Brien and others 2000, re-run",
    about: "J. F. O'Brien, R. E. Bodenheimer, G. J. Brostow, J. K. Hodgins: Automatic Joint Parameter Estimation \
            from Magnetic Motion Capture Data. Graphics Interface 2000. Its recordings are not public: its set-ups \
            are simulated here with the noise it reports, and its figures stand beside ours.",
    experiments: &[
        Experiment::new("figure", |_| Vec::new(), figure::run)
            .titled("Section 4: the simulated figure with 48 degrees of freedom"),
        Experiment::new("linkage", linkage::loads, linkage::run)
            .titled("Table 1: the wooden linkage"),
        Experiment::new("people", people::loads, people::run)
            .titled("Tables 2 to 4: people who exercise and walk"),
        Experiment::new("hierarchy", hierarchy::loads, hierarchy::run)
            .titled("Section 3.3: the hierarchy from the motion"),
        Experiment::new("hinge", hinge::loads, hinge::run)
            .titled("Section 3.2: joints with a single axis"),
        Experiment::new("slip", slip::loads, slip::run).titled("Section 5: sensors that slip"),
        Experiment::new("scale", scale::loads, scale::run)
            .titled("Section 4: the scale of the tracking system"),
        Experiment::new("speed", |_| Vec::new(), speed::run).titled("Section 4: time"),
    ],
};
