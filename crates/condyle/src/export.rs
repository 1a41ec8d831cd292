//! What a solved recording is written as: the one place that decides frame numbers, units and axes.
//!
//! Files carry the recording's own frame numbers. Tables of joints are in metres in the recording's own axes, those
//! for OpenSim in millimetres with y up, skeletons for animation in metres with y up.

#[cfg(feature = "ik")]
mod hand;
#[cfg(feature = "skin")]
mod skin;
mod solid;

#[cfg(feature = "ik")]
pub use hand::HandExport;
#[cfg(feature = "skin")]
pub use skin::{SkinExport, SkinnedMotion};
pub use solid::{FigureExport, write_moving_figure};

use std::io::Write;

use serde::{Deserialize, Serialize};

use crate::angles::AngleUnit;
use crate::error::Result;
use crate::force_plates;
#[cfg(feature = "parquet")]
use crate::format::parquet;
use crate::format::{self, csv, gltf, sto, trc};
#[cfg(feature = "parquet")]
use crate::gait;
use crate::job::{Performance, SolvedPerformer};
use crate::opensim::{self, MotModel};
use crate::rig::{self, Rig};
use crate::trial::{Axis, Channel, Format, LengthUnit, Note, Trial, edit};

/// One way to write a performer's solved motion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Export {
    /// Joint centres as a table in metres.
    CentresCsv,
    /// Joint centres as markers with y up, as OpenSim wants them.
    CentresTrc,
    /// The recording itself with joint centres as further points.
    EnrichedC3d,
    /// A skeleton and its motion.
    Bvh,
    /// The same with a shape, for any viewer.
    Glb,
    /// Joint angles as a table in degrees.
    AnglesCsv,
    /// Coordinates in OpenSim's table, as Rajagopal's model has them; joint angles of whoever has no such pelvis.
    AnglesSto,
    /// The same as gait2392 has them.
    AnglesSto2392,
    /// Joint centres and angles in columns.
    #[cfg(feature = "parquet")]
    Parquet,
}

impl Export {
    /// The extensions of [`Export::from_extension`].
    pub const EXTENSIONS: &str = "csv, trc, c3d, bvh, glb, mot, sto or parquet";

    /// What a file with this extension holds, where nothing else is said.
    pub fn from_extension(extension: &str) -> Option<Self> {
        Some(match extension {
            "csv" => Self::CentresCsv,
            "trc" => Self::CentresTrc,
            "c3d" => Self::EnrichedC3d,
            "bvh" => Self::Bvh,
            "glb" => Self::Glb,
            "mot" | "sto" => Self::AnglesSto,
            #[cfg(feature = "parquet")]
            "parquet" => Self::Parquet,
            _ => return None,
        })
    }

    /// Writes it, lengths in `unit` where the format has a choice; returns what the format cannot hold or had to be
    /// told.
    ///
    /// # Errors
    /// Writing fails, or the format cannot hold the motion at all.
    pub fn write(
        self,
        performance: &Performance,
        performer: &SolvedPerformer,
        unit: Option<LengthUnit>,
        out: &mut impl Write,
    ) -> Result<Vec<Note>> {
        let (trial, SolvedPerformer { subject, motion, angles, .. }) =
            (&performance.trial, performer);
        match self {
            Self::CentresCsv => {
                let mut centres = by_name(trial, performer);
                centres.channels = standard_errors(trial, performer);
                // In the recording's own axes whichever is up.
                centres.source.up = None;
                csv::write(&centres, out)
            }
            Self::CentresTrc => {
                let centres = rig::joint_centres(subject, trial, motion);
                write_trc(centres, unit.unwrap_or(LengthUnit::Millimetre), out)
            }
            Self::EnrichedC3d => {
                let with_gaps = performance.trial_with_gaps();
                let enriched = rig::with_joint_centres(&with_gaps, subject, motion);
                format::write(&enriched, Format::C3d, out)
            }
            Self::Bvh | Self::Glb => {
                let rig = Rig::new(subject, trial, motion)?;
                let mut rigged = rig.into_trial(trial);
                rigged.source.unit = unit.unwrap_or(LengthUnit::Metre);
                let mut notes = match self {
                    Self::Bvh => format::write(&rigged, Format::Bvh, out)?,
                    _ => gltf::write(&rigged, out)?,
                };
                notes.extend(rigged.notes);
                Ok(notes)
            }
            Self::AnglesCsv => csv::write(&angles.as_trial(trial, AngleUnit::Degrees), out),
            Self::AnglesSto | Self::AnglesSto2392 => {
                let model = match self {
                    Self::AnglesSto => MotModel::Rajagopal,
                    _ => MotModel::Gait2392,
                };
                let (table, remarks) = match opensim::coordinates(trial, performer, model) {
                    // Their zero is the model's, or said where it is not.
                    Some((table, mut remarks)) => {
                        remarks.extend(angles.treatment_in_words());
                        (table, remarks)
                    }
                    None => (angles.as_trial(trial, AngleUnit::OpenSim), angles.in_words(trial)),
                };
                sto::write_with(&table, &remarks, out)
            }
            #[cfg(feature = "parquet")]
            Self::Parquet => {
                let mut table = angles.as_trial(trial, AngleUnit::Degrees);
                table.markers = by_name(trial, performer).markers;
                table.channels.splice(0..0, standard_errors(trial, performer));
                table.events.clone_from(&trial.events);
                table.source.up = trial.source.up;
                parquet::write_with(&table, &angles.in_words(trial), out)
            }
        }
    }
}

/// Writes the markers of a recording for OpenSim: millimetres, y up. Angles, forces, moments and powers that a model
/// put among the points are no markers and left out.
///
/// # Errors
/// Writing fails.
pub fn write_markers_trc(trial: &Trial, out: &mut impl Write) -> Result<Vec<Note>> {
    let mut places = trial.clone();
    // The names that the model has.
    let names = opensim::marker_names(&trial.labels());
    for (marker, name) in places.markers.iter_mut().zip(names) {
        marker.label = name;
    }
    let mut is_place = trial.is_position().into_iter();
    places
        .markers
        .retain(|marker| is_place.next().unwrap_or(true) && !is_called_quantity(&marker.label));
    write_trc(places, LengthUnit::Millimetre, out)
}

/// Whether a label is one that models give quantities which are no places, where the file does not list them.
fn is_called_quantity(label: &str) -> bool {
    const ENDS: [&str; 7] = ["Angles", "Force", "Forces", "Moment", "Moments", "Power", "Powers"];
    ENDS.iter().any(|end| label.len() > end.len() && label.ends_with(end))
}

/// Whether a recording has force plates that can be used; writes their ground reaction forces for OpenSim if so.
///
/// # Errors
/// Writing fails.
pub fn write_ground_reaction(trial: &Trial, out: &mut impl Write) -> Result<bool> {
    let Some(up) = trial.source.up else { return Ok(false) };
    let (plates, _) = force_plates::read(trial, up.direction());
    let Some((table, remarks)) = opensim::ground_reaction(trial, &plates) else { return Ok(false) };
    sto::write_with(&table, &remarks, out)?;
    Ok(true)
}

/// Writes mean angles and mean joint centres over the gait cycle as one table: `side`, `joint`, `curve` (an angle, or
/// `ahead`, `up` or `right`), `unit` (`deg` or `m`), `percent`, `mean`, `sd`, `n`. Points without a value are left out.
///
/// # Errors
/// Writing fails.
#[cfg(feature = "parquet")]
pub fn write_gait_cycles(
    cycles: &[gait::MeanCycle],
    centres: &[gait::MeanCentre],
    out: &mut impl Write,
) -> Result<()> {
    let angles = cycles.iter().map(|own| (own.side, &own.joint, &*own.angle, "deg", &own.points));
    let centres = centres.iter().map(|own| (own.side, &own.joint, own.axis, "m", &own.points));
    let (mut texts, mut counts, mut numbers) =
        ([(); 4].map(|()| Vec::new()), [(); 2].map(|()| Vec::new()), [(); 2].map(|()| Vec::new()));
    for (side, joint, curve, unit, points) in angles.chain(centres) {
        for (percent, point) in points.iter().enumerate() {
            let Some((mean, sd, n)) = *point else { continue };
            for (column, text) in texts.iter_mut().zip([side.name(), joint, curve, unit]) {
                column.push(text);
            }
            counts[0].push(percent as i64);
            counts[1].push(n as i64);
            numbers[0].push(mean);
            numbers[1].push(sd);
        }
    }
    use parquet::Cells::{Counts, Numbers, Texts};
    let ([side, joint, curve, unit], [percent, n], [mean, sd]) = (texts, counts, numbers);
    let columns = [
        ("side", Texts(side)),
        ("joint", Texts(joint)),
        ("curve", Texts(curve)),
        ("unit", Texts(unit)),
        ("percent", Counts(percent)),
        ("mean", Numbers(mean)),
        ("sd", Numbers(sd)),
        ("n", Counts(n)),
    ];
    parquet::write_cells(&columns, GAIT_CYCLES, out)
}

/// What the curves of [`write_gait_cycles`] are.
#[cfg(feature = "parquet")]
const GAIT_CYCLES: &str = "means over the strides of a side, from a foot strike (0 %) to the next of the same foot (100 %)\n\
    angles in degrees, joints without their side\n\
    joint centres in metres, ahead, up and to the right of a point that goes evenly from the middle of the hips at one \
    strike to where it is at the next";

/// Writes a recording with the joints of all its performers as further points, its gaps as they were.
///
/// # Errors
/// Writing fails.
pub fn write_with_joints(performance: &Performance, out: &mut impl Write) -> Result<Vec<Note>> {
    write_enriched(performance.trial_with_gaps(), performance, out)
}

/// The same with gaps filled, as they were for solving.
///
/// # Errors
/// Writing fails.
pub fn write_filled(performance: &Performance, out: &mut impl Write) -> Result<Vec<Note>> {
    write_enriched(performance.trial.clone(), performance, out)
}

fn write_enriched(
    mut enriched: Trial,
    performance: &Performance,
    out: &mut impl Write,
) -> Result<Vec<Note>> {
    for SolvedPerformer { subject, motion, .. } in &performance.performers {
        enriched = rig::with_joint_centres(&enriched, subject, motion);
    }
    format::write(&enriched, Format::C3d, out)
}

/// A table of points for OpenSim, which has y up.
fn write_trc(mut points: Trial, unit: LengthUnit, out: &mut impl Write) -> Result<Vec<Note>> {
    let before = points.notes.len();
    if points.source.up.is_some() {
        points = edit::with_up(points, Axis::Y)?;
    }
    points.source.unit = unit;
    let mut notes = trc::write(&points, out)?;
    notes.retain(|note| note.code != "up");
    notes.extend(points.notes.into_iter().skip(before));
    Ok(notes)
}

/// The joint centres under the names of the joints.
fn by_name(trial: &Trial, performer: &SolvedPerformer) -> Trial {
    let mut centres = rig::joint_centres(&performer.subject, trial, &performer.motion);
    for (marker, joint) in centres.markers.iter_mut().zip(&performer.subject.joints) {
        marker.label.clone_from(&joint.name);
    }
    centres
}

/// How far every joint may be off in every frame, in metres; no number where it is not placed.
fn standard_errors(trial: &Trial, performer: &SolvedPerformer) -> Vec<Channel> {
    let SolvedPerformer { subject, motion, .. } = performer;
    let errors = |joint: usize| {
        (0..trial.frames).map(|frame| motion.joint_sd_m(frame, joint).unwrap_or(f64::NAN)).collect()
    };
    let joints = subject.joints.iter().enumerate();
    let column = |name: &str| format!("{name}_sd_m");
    joints
        .map(|(index, joint)| {
            Channel::from_values(column(&joint.name), "", trial.rate_hz, errors(index))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use nalgebra::Point3;

    use super::*;
    use crate::trial::{Group, Marker, Parameter};

    #[test]
    fn quantities_of_a_model_are_no_markers() {
        let mut trial = Trial::new(Format::C3d, 100.0);
        trial.frames = 1;
        let labels =
            ["LKNE", "LKneeAngles", "LKneePower", "RGroundReactionForce", "listed", "LTOE"];
        let seen = |label| Marker::from_positions(label, [Some(Point3::new(0.1, 0.2, 0.3))]);
        trial.markers = labels.map(seen).into();
        let parameters = vec![Parameter::strings("SCALARS", &["listed"])];
        trial.parameters = vec![Group { name: "POINT".into(), parameters, ..Group::default() }];
        let mut written = Vec::new();
        write_markers_trc(&trial, &mut written).unwrap();
        let text = String::from_utf8(written).unwrap();
        let header = text.lines().nth(3).unwrap();
        assert!(header.contains("LKNE") && header.contains("LTOE"), "{header}");
        for label in &labels[1..5] {
            assert!(!header.contains(label), "{header}");
        }
    }
}
