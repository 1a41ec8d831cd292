//! What every point of a recording is: a marker, or one of those that programs keep beside them.

use super::recognise::recognise_trial;
use crate::plan::ExclusionReason;
use crate::trial::Trial;

/// What a point is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum PointKind {
    /// Something on a performer or a thing.
    Marker,
    /// A trajectory without a name.
    Unlabelled,
    /// A place that was computed: a joint centre, the middle of two markers.
    Virtual,
    /// Something that never moves: on the floor, on a wall.
    Reference,
    /// Three angles.
    Angle,
    /// A force.
    Force,
    /// A moment.
    Moment,
    /// A power.
    Power,
    /// Another number.
    Scalar,
}

impl PointKind {
    /// Every kind, in the order in which they are listed.
    pub const ALL: [Self; 9] = [
        Self::Marker,
        Self::Unlabelled,
        Self::Virtual,
        Self::Reference,
        Self::Angle,
        Self::Force,
        Self::Moment,
        Self::Power,
        Self::Scalar,
    ];

    /// The name in small letters, which does not change.
    pub fn name(self) -> &'static str {
        match self {
            Self::Marker => "marker",
            Self::Unlabelled => "unlabelled",
            Self::Virtual => "virtual",
            Self::Reference => "reference",
            Self::Angle => "angle",
            Self::Force => "force",
            Self::Moment => "moment",
            Self::Power => "power",
            Self::Scalar => "scalar",
        }
    }

    /// The kind that a list of a C3D file, or the end of a label, means.
    fn of_quantity(name: &str) -> Option<Self> {
        let name = name.to_ascii_uppercase();
        [
            ("ANGLE", Self::Angle),
            ("MOMENT", Self::Moment),
            ("POWER", Self::Power),
            ("FORCE", Self::Force),
            ("GRF", Self::Force),
            ("SCALAR", Self::Scalar),
        ]
        .into_iter()
        .find_map(|(word, kind)| name.contains(word).then_some(kind))
    }
}

/// The kind of every point: as the groups of the file say, then as labels do, then as the points behave.
///
/// Behaviour is asked only of points whose label is that of no marker: a labelled foot that stands still is a foot.
pub fn kinds(trial: &Trial) -> Vec<PointKind> {
    let mut kinds = vec![PointKind::Marker; trial.markers.len()];
    let listed = trial.listed_as();
    for aside in recognise_trial(trial).plan.excluded {
        let marker = aside.marker;
        let by_label = || PointKind::of_quantity(trial.markers[marker].name());
        kinds[marker] = match aside.reason {
            ExclusionReason::ModelOutput => listed[marker]
                .and_then(PointKind::of_quantity)
                .or_else(by_label)
                .unwrap_or(PointKind::Virtual),
            ExclusionReason::Combination => PointKind::Virtual,
            ExclusionReason::NeverMoves => PointKind::Reference,
            ExclusionReason::Unlabelled => PointKind::Unlabelled,
            _ => PointKind::Marker,
        };
    }
    kinds
}
