//! Joints between two bodies whose poses are known, whatever the poses come from.
//!
//! | what | where |
//! |---|---|
//! | the poses of a body laid out for sums over the frames | [`Poses`] |
//! | what is kept of two bodies, frame by frame or all at once | [`PairSums`] |
//! | the point fixed in both, its covariance, or the axis | [`PairSums::fit`], [`PairFit`] |
//! | the sums of every pair of many bodies | [`AllPairs`] |
//! | how noisy poses are | [`PoseNoise`] |

mod all_pairs;
mod fit;
mod noise;
mod pair;
mod poses;
mod slow;

pub use all_pairs::AllPairs;
pub use fit::{PairAxis, PairFit, PairMotion, PairRule};
pub use noise::PoseNoise;
pub use pair::PairSums;
pub use poses::Poses;
pub(crate) use slow::slow_share;
