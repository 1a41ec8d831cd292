//! The machine-readable form of `condyle solve`, documented in docs/json.md.

use std::io::{self, Write};
use std::path::Path;

use condyle::angles::JointAngles;
use condyle::job::{Performance, SolvedPerformer};
use condyle::solve::Placed;
use condyle::subject::{CentreKnown, JointKind};
use serde::Serialize;

#[derive(Serialize)]
struct Report<'a> {
    file: String,
    subject: String,
    frames: usize,
    rate_hz: Option<f64>,
    median_residual_m: Option<f64>,
    segments: Vec<SegmentReport<'a>>,
    joints: Vec<JointReport<'a>>,
}

#[derive(Serialize)]
struct SegmentReport<'a> {
    name: &'a str,
    frames_by_markers: usize,
    frames_with_joints: usize,
    frames_twist_open: usize,
    /// Of bodies: how far playback moved them, and so what it discarded.
    #[serde(skip_serializing_if = "Option::is_none")]
    discarded_m: Option<f64>,
}

#[derive(Serialize)]
struct JointReport<'a> {
    name: &'a str,
    kind: JointKind,
    centre: CentreKnown,
    sd_m: f64,
    from_motion: f64,
    from_knowledge: f64,
    frames: usize,
    gap_m: Option<f64>,
    bone_length_m: Option<f64>,
    bone_sd_m: Option<f64>,
    angles: AnglesReport<'a>,
}

#[derive(Serialize)]
struct AnglesReport<'a> {
    convention: String,
    components: [&'a str; 3],
    columns: [&'a str; 3],
    zero: String,
    centre: CentreKnown,
    range_rad: Option<[[f64; 2]; 3]>,
    near_gimbal_frames: usize,
}

fn angles_report(joint: &JointAngles) -> AnglesReport<'_> {
    AnglesReport {
        convention: joint.convention.name(),
        components: joint.components.each_ref().map(|component| component.name),
        columns: joint.components.each_ref().map(|component| component.column.as_str()),
        zero: joint.zero.in_words(),
        centre: joint.centre_known,
        range_rad: joint.range_rad,
        near_gimbal_frames: joint.near_gimbal_frames(),
    }
}

/// Prints one object.
pub fn print(
    file: &Path,
    performance: &Performance,
    performer: &SolvedPerformer,
    out: &mut impl Write,
) -> io::Result<()> {
    let (trial, SolvedPerformer { subject, motion: solved, angles, .. }) =
        (&performance.trial, performer);
    let report = Report {
        file: file.to_string_lossy().into_owned(),
        subject: subject.name.clone(),
        frames: trial.frames,
        rate_hz: Some(trial.rate_hz).filter(|rate_hz| *rate_hz > 0.0),
        median_residual_m: solved.evidence().residual_m,
        segments: subject
            .segments()
            .iter()
            .zip(solved.segments())
            .enumerate()
            .map(|(index, (segment, track))| SegmentReport {
                name: &segment.name,
                frames_by_markers: track.origin().frames_placed(Placed::ByMarkers),
                frames_with_joints: track.origin().frames_placed(Placed::WithJoints),
                frames_twist_open: track.origin().frames_placed(Placed::TwistOpen),
                // A body is its only marker.
                discarded_m: match subject.is_of_bodies() {
                    true => solved.evidence().marker_residual_m[index],
                    false => None,
                },
            })
            .collect(),
        joints: subject
            .joints()
            .iter()
            .enumerate()
            .map(|(index, joint)| JointReport {
                name: &joint.name,
                kind: joint.kind,
                centre: joint.centre_known(),
                sd_m: joint.worst_sd_m(),
                from_motion: 1.0 - joint.from_knowledge,
                from_knowledge: joint.from_knowledge,
                frames: solved.joints()[index].frames_present(),
                gap_m: solved.evidence().gaps_m[index],
                bone_length_m: subject.bone_length_m(joint.child),
                bone_sd_m: solved.evidence().bone_sd_m[index],
                angles: angles_report(&angles.joints[index]),
            })
            .collect(),
    };
    serde_json::to_writer_pretty(&mut *out, &report).map_err(io::Error::from)?;
    writeln!(out)
}
