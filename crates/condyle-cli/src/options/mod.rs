//! Options that several commands share, turned into the library's words once.

pub mod format;
pub mod job;
pub mod reading;

pub use job::{MotionArgs, PlanArgs, read_subject, read_weights};
pub use reading::ReadingArgs;
