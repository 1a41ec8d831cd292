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
        Experiment {
            name: "figure",
            chapter: None,
            title: "Section 4: the simulated figure with 48 degrees of freedom",
            loads: |_| Vec::new(),
            needs_recordings: false,
            run: figure::run,
        },
        Experiment {
            name: "linkage",
            chapter: None,
            title: "Table 1: the wooden linkage",
            loads: linkage::loads,
            needs_recordings: false,
            run: linkage::run,
        },
        Experiment {
            name: "people",
            chapter: None,
            title: "Tables 2 to 4: people who exercise and walk",
            loads: people::loads,
            needs_recordings: false,
            run: people::run,
        },
        Experiment {
            name: "hierarchy",
            chapter: None,
            title: "Section 3.3: the hierarchy from the motion",
            loads: hierarchy::loads,
            needs_recordings: false,
            run: hierarchy::run,
        },
        Experiment {
            name: "hinge",
            chapter: None,
            title: "Section 3.2: joints with a single axis",
            loads: hinge::loads,
            needs_recordings: false,
            run: hinge::run,
        },
        Experiment {
            name: "slip",
            chapter: None,
            title: "Section 5: sensors that slip",
            loads: slip::loads,
            needs_recordings: false,
            run: slip::run,
        },
        Experiment {
            name: "scale",
            chapter: None,
            title: "Section 4: the scale of the tracking system",
            loads: scale::loads,
            needs_recordings: false,
            run: scale::run,
        },
        Experiment {
            name: "speed",
            chapter: None,
            title: "Section 4: time",
            loads: |_| Vec::new(),
            needs_recordings: false,
            run: speed::run,
        },
    ],
};
