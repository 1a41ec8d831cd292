//! Joints between two bodies whose poses are known, whatever the poses come from.
//!
//! | what | where |
//! |---|---|
//! | the point fixed in two bodies at once, from sums over the frames | [`pair::PairSums`] |
//! | the poses of a body laid out for such sums | [`poses::Poses`] |

pub mod pair;
pub mod poses;
