//! Gaps in the main job: what filling does to joints, in recordings with gaps of their own and with gaps made.

pub mod made;
pub mod natural;
