//! The native half of condyle for Python: the library's data as classes and arrays, its functions one by one.
//!
//! The package around it (`python/condyle`) has the words that users see: keyword options become the library's options,
//! as JSON, in `_options.py` and nowhere else. No step is made here that the library does not have. Every function that
//! computes lets other Python threads run meanwhile, but `Live`, which alone changes after it is made (and `Reacher`).

mod arrays;
mod blend;
mod centre;
mod error;
mod figure;
mod fill;
mod gait;
mod hand;
mod ik;
mod job;
mod label;
mod live;
mod motion;
mod performance;
mod simulate;
mod skin;
mod subject;
mod trackers;
mod trial;

use pyo3::prelude::*;

/// The native half of condyle.
#[pymodule(gil_used = false)]
mod _condyle {
    #[pymodule_export]
    use super::blend::blend;
    #[pymodule_export]
    use super::centre::{centre, centre_many};
    #[pymodule_export]
    use super::figure::{Figure, analyse};
    #[pymodule_export]
    use super::fill::fill_gaps;
    #[pymodule_export]
    use super::gait::{gait_means, gait_of, gait_scores};
    #[pymodule_export]
    use super::hand::{HandTrack, calibrate_hand, check_hand, track_hand};
    #[pymodule_export]
    use super::ik::Reacher;
    #[pymodule_export]
    use super::job::{default_options, fit, key, plan, read_plan, run, weights};
    #[pymodule_export]
    use super::label::label_tracks;
    #[pymodule_export]
    use super::live::Live;
    #[pymodule_export]
    use super::performance::Performance;
    #[pymodule_export]
    use super::simulate::{describe, simulate_trial};
    #[pymodule_export]
    use super::skin::{Skeletal, Skin};
    #[pymodule_export]
    use super::subject::Subject;
    #[pymodule_export]
    use super::trackers::{pivot, scale};
    #[pymodule_export]
    use super::trial::{Trial, default_read_options, sniff};

    /// The version of the library.
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}
