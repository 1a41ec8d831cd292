//! The ways to fill a gap, by name.

use std::fmt;
use std::str::FromStr;

/// How gaps are filled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Method {
    /// What promises the smallest error, gap by gap.
    #[default]
    Auto,
    /// A cubic between both ends of the gap.
    Spline,
    /// The motion of the most rigid neighbour.
    Pattern,
    /// The frame of the four most rigid neighbours.
    Rigid,
    /// Principal components of all markers.
    LowRank,
    /// A Gaussian process in the frame of the most rigid neighbours.
    Local,
    /// The same from the past alone.
    Causal,
    /// The document's predictor: from the past alone, by segments, centres of rotation and an unscented Kalman filter.
    Ukf,
    /// From the past alone, a Kalman filter with constant velocity.
    Velocity,
    /// From the past alone, on a line.
    Linear,
    /// From the past alone, on a circle.
    Circular,
}

impl Method {
    /// All of them.
    pub const ALL: [Self; 11] = [
        Self::Auto,
        Self::Spline,
        Self::Pattern,
        Self::Rigid,
        Self::LowRank,
        Self::Local,
        Self::Causal,
        Self::Ukf,
        Self::Velocity,
        Self::Linear,
        Self::Circular,
    ];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Spline => "spline",
            Self::Pattern => "pattern",
            Self::Rigid => "rigid",
            Self::LowRank => "low-rank",
            Self::Local => "local",
            Self::Causal => "causal",
            Self::Ukf => "ukf",
            Self::Velocity => "velocity",
            Self::Linear => "linear",
            Self::Circular => "circular",
        }
    }

    /// Whether it looks at nothing that comes later.
    pub fn is_causal(self) -> bool {
        matches!(self, Self::Causal | Self::Ukf | Self::Velocity | Self::Linear | Self::Circular)
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Method {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|method| method.name() == text).ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            format!("method: need one of {names}, got '{text}'")
        })
    }
}
