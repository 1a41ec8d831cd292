//! Chapter 5: a hand from eight markers. The document judges by eye; here simulated hands have their truth.

mod limits;
mod lost;
mod pictures;
mod rates;

pub use limits::run as limits;
pub use lost::run as lost;
pub use pictures::run as pictures;
pub use rates::run as rates;

/// The seed of hands, not one that anything was tuned on.
const SEED: u64 = 5101;
