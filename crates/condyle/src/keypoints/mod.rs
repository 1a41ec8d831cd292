//! Recordings of keypoints: joints that cameras saw without markers, with correlated noise, jumps and exchanged sides.
//!
//! | file | holds |
//! |---|---|
//! | `tracks` | keypoints through the frames, and which joint each is |
//! | `check` | whether points can be those of one body |
//! | `facing` | whether left and right bear each other's names |
//! | `proportions` | whether bones are to each other as they are in people |
//! | `exchange` | legs, or all, taken for those of the other side for a while |
//! | `jumps` | samples far from where the point is just before and after |
//! | `frozen` | samples that repeat the one before |
//! | `bandwidth` | how fast every point moves, and how noisy it is |
//! | `smooth` | a trajectory without the noise that is faster than the point |
//! | `stretches` | frames that no body can have moved like |
//! | `away` | pieces in which all points are somewhere else |
//! | `solve` | the pose of a body in every frame, from smoothed keypoints |

mod away;
mod bandwidth;
mod check;
mod exchange;
mod facing;
mod frozen;
mod jumps;
mod proportions;
mod smooth;
mod solve;
mod stretches;
mod tracks;

pub use check::check;
pub use exchange::{Exchanged, put_back};
pub(crate) use frozen::{frozen_stretches, remove_frozen};
pub use jumps::remove_jumps;
pub use smooth::smoothed_trial;
pub use solve::solve_trial;
pub(crate) use stretches::joined_stretches;
pub use stretches::{BadStretch, find_bad};
pub(crate) use tracks::is_of_joint;
