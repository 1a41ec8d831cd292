//! Everyday recordings: how far estimates of joints are from the truth, and whether they know it.
//!
//! The binary `everyday` prints the tables; every claim about everyday recordings is one of its commands.

pub mod baselines;
pub mod cmu;
pub mod coverage;
pub mod estimate;
pub mod flexion;
pub mod functional;
pub mod guards;
pub mod halves;
mod main_job;
pub mod people;
pub mod plug_in_gait;
mod quadruped;
pub mod recordings;
pub mod said;
pub mod scene;
pub mod score;
mod separate_fits;
pub mod simulated;
pub mod soft_tissue;
pub mod speed;
mod subject_motion;
pub mod table;
mod trivial;
pub mod walkers;
mod whole_body;

use estimate::Estimator;

/// The estimators that can be measured.
pub fn estimators() -> Vec<Box<dyn Estimator>> {
    vec![
        Box::new(separate_fits::SeparateFits),
        Box::new(whole_body::OneFit),
        Box::new(main_job::MainJob),
    ]
}
