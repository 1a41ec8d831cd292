//! What a predictor says of a marker in one frame.

use nalgebra::{Matrix3, Point3};

/// How a position came about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Case {
    /// It is seen.
    Observed,
    /// It is seen again, and brought back from where it was predicted.
    Returning,
    /// All other markers of its segment are seen.
    OneMissing,
    /// Some other marker of its segment is seen.
    SeveralMissing,
    /// None of its segment is seen, a neighbouring segment is.
    SegmentMissing,
    /// Neither its segment nor a neighbour is seen.
    NeighboursMissing,
    /// A camera sees it.
    Ray,
    /// It was never seen: it has no position.
    Unseen,
}

impl Case {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Observed,
        Self::Returning,
        Self::OneMissing,
        Self::SeveralMissing,
        Self::SegmentMissing,
        Self::NeighboursMissing,
        Self::Ray,
        Self::Unseen,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Observed => "observed",
            Self::Returning => "returning",
            Self::OneMissing => "one missing",
            Self::SeveralMissing => "several missing",
            Self::SegmentMissing => "segment missing",
            Self::NeighboursMissing => "segment and neighbours missing",
            Self::Ray => "on a ray",
            Self::Unseen => "never seen",
        }
    }

    /// Whether the marker was seen in this frame.
    pub fn is_observed(self) -> bool {
        matches!(self, Self::Observed | Self::Returning)
    }
}

/// A marker in one frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    /// Where it is, in metres; `None` if it was never seen.
    pub position_m: Option<Point3<f64>>,
    /// How that came about.
    pub case: Case,
    /// Whether it was reported where it cannot be, and taken as missing.
    pub is_rejected: bool,
    /// How sure the position is, in square metres.
    pub covariance_m2: Matrix3<f64>,
}

impl Sample {
    pub(super) const UNSEEN: Self = Self {
        position_m: None,
        case: Case::Unseen,
        is_rejected: false,
        covariance_m2: Matrix3::new(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    };
}
