//! What came of reaching for targets.

/// What came of it, with its evidence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reach {
    /// Whether the targets are met.
    pub outcome: Outcome,
    /// The largest distance of an effector from its target, or of a loop from being closed.
    pub distance_m: f64,
    /// The largest angle between an effector and the orientation asked for; 0 where none is.
    pub angle_rad: f64,
    /// Passes over the joints, of all kinds: FABRIK's, steps of a finish, Newton steps.
    pub iterations: usize,
    /// How many new starts were tried.
    pub restarts: usize,
    /// How many joints stand at a limit.
    pub limits_active: usize,
    /// Whether joints would have come nearer had they been allowed a larger step
    /// ([`Options::max_step_m`](super::Options::max_step_m) and its ratio).
    pub is_held_back: bool,
}

/// Whether the targets are met.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// Within tolerance.
    Reached,
    /// Not, and no progress any more or no iterations left: limits in the way, or a slow method.
    Stalled,
    /// No pose reaches, limits or not: too far, too near for a long bone, or a loop that is too short.
    Unreachable,
}

impl Outcome {
    /// In a word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Reached => "reached",
            Self::Stalled => "stalled",
            Self::Unreachable => "unreachable",
        }
    }
}

impl Reach {
    /// Whether the targets are met.
    pub fn is_reached(&self) -> bool {
        self.outcome == Outcome::Reached
    }
}
