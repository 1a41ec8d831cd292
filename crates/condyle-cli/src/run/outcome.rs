//! How a recording went, on one screen or as JSON.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::Path;

use condyle::subject::{CentreKnown, JointKind};
use serde::{Deserialize, Serialize};

use super::index::INDEX;
use crate::report::{
    BadStretchResult, ExchangedResult, JointResult, PerformerResult, REPORT, Results,
};
use crate::terminal::{print_json, table};

/// How one recording went.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Outcome {
    pub file: String,
    /// `done`, `up-to-date` or `failed`.
    pub status: String,
    pub error: Option<String>,
    pub folder: Option<String>,
    pub outputs: Vec<String>,
    /// What the recording was taken for: its `kind` is `markers`, `keypoints` or `bodies`.
    #[serde(default)]
    pub recording: RecordingOutcome,
    pub frames: usize,
    pub rate_hz: f64,
    pub markers: usize,
    pub performers: usize,
    /// The recordings that the subject of its first performer was fitted to.
    #[serde(default)]
    pub fitted_to: Vec<String>,
    /// Of every performer what was put right, and what is not to be trusted.
    #[serde(default)]
    pub repaired: Vec<RepairedOutcome>,
    pub plan: String,
    pub segments: usize,
    pub joints: usize,
    pub balls: usize,
    pub hinges: usize,
    pub fixed: usize,
    pub well: usize,
    pub fairly: usize,
    pub barely: usize,
    /// Every joint, and how well it is known.
    #[serde(default)]
    pub centres: Vec<CentreOutcome>,
    pub residual_m: Option<f64>,
    /// The largest standard deviation of a bone at a joint that moved enough.
    pub worst_bone_sd_m: Option<f64>,
    pub seconds: f64,
    /// How many remarks there are in its report.
    pub notes: usize,
}

/// What a recording was taken for.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct RecordingOutcome {
    pub kind: String,
}

/// What was put right of a performer's keypoints, and which frames are not to be trusted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RepairedOutcome {
    pub performer: String,
    pub exchanged: Vec<ExchangedResult>,
    pub bad_stretches: Vec<BadStretchResult>,
}

/// A joint, and how well its centre is known.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CentreOutcome {
    pub performer: String,
    pub joint: String,
    pub kind: JointKind,
    pub centre: CentreKnown,
    pub sd_m: f64,
    pub from_motion: f64,
    pub from_knowledge: f64,
}

impl CentreOutcome {
    fn of(performer: &PerformerResult, joint: &JointResult) -> Self {
        Self {
            performer: performer.name.clone(),
            joint: joint.name.clone(),
            kind: joint.kind,
            centre: joint.centre,
            sd_m: joint.sd_m,
            from_motion: joint.from_motion,
            from_knowledge: joint.from_knowledge,
        }
    }
}

impl Outcome {
    /// A recording that could not be done.
    pub fn failed(file: &Path, error: String) -> Self {
        Self {
            file: file.display().to_string(),
            status: "failed".into(),
            error: Some(error),
            ..Self::default()
        }
    }

    /// A recording that was done.
    pub fn of(file: &Path, folder: &Path, results: &Results, outputs: Vec<String>) -> Self {
        let joints = || results.performers.iter().flat_map(|performer| &performer.joints);
        let of_kind = |kind| joints().filter(|joint| joint.kind == kind).count();
        let known = |known| joints().filter(|joint| joint.centre == known).count();
        let moved = joints().filter(|joint| joint.kind != JointKind::Fixed);
        let first = results.performers.first();
        Self {
            status: "done".into(),
            error: None,
            folder: Some(folder.display().to_string()),
            outputs,
            recording: RecordingOutcome { kind: results.recording.kind.clone() },
            repaired: results
                .performers
                .iter()
                .map(|performer| RepairedOutcome {
                    performer: performer.name.clone(),
                    exchanged: performer.exchanged.clone(),
                    bad_stretches: performer.bad_stretches.clone(),
                })
                .collect(),
            frames: results.recording.frames,
            rate_hz: results.recording.rate_hz,
            markers: results.recording.markers,
            performers: results.performers.len(),
            fitted_to: first.map_or_else(Vec::new, |performer| performer.fitted_to.clone()),
            plan: first.map_or_else(String::new, |performer| performer.plan.clone()),
            segments: results.performers.iter().map(|performer| performer.segments.len()).sum(),
            joints: joints().count(),
            balls: of_kind(JointKind::Ball),
            hinges: of_kind(JointKind::Hinge),
            fixed: of_kind(JointKind::Fixed),
            well: known(CentreKnown::Well),
            fairly: known(CentreKnown::Fairly),
            barely: known(CentreKnown::Barely),
            centres: results
                .performers
                .iter()
                .flat_map(|p| p.joints.iter().map(|joint| CentreOutcome::of(p, joint)))
                .collect(),
            residual_m: first.and_then(|performer| performer.residual_m),
            notes: results.notes().count(),
            worst_bone_sd_m: moved.filter_map(|joint| joint.bone_sd_m).reduce(f64::max),
            ..Self::failed(file, String::new())
        }
    }

    /// The same, from an earlier run.
    pub fn skipped(self) -> Self {
        Self { status: "up-to-date".into(), ..self }
    }
}

const COLUMNS: [&str; 11] = [
    "recording",
    "outcome",
    "frames",
    "segments",
    "joints",
    "well known",
    "fairly",
    "barely",
    "residual mm",
    "notes",
    "s",
];

/// Prints how recordings went.
pub fn print(outcomes: &[Outcome], output: &Path, is_json: bool) -> io::Result<()> {
    let mut out = anstream::stdout().lock();
    if is_json {
        return print_json(outcomes, &mut out);
    }
    let mut rows = table::table(&COLUMNS, 2);
    for outcome in outcomes {
        let name = Path::new(&outcome.file).file_name().unwrap_or_default().to_string_lossy();
        let residual = outcome.residual_m.map_or_else(|| "-".into(), |m| format!("{:.1}", m * 1e3));
        rows.add_row(vec![
            table::text(&name),
            outcome.status.clone(),
            outcome.frames.to_string(),
            outcome.segments.to_string(),
            outcome.joints.to_string(),
            outcome.well.to_string(),
            outcome.fairly.to_string(),
            outcome.barely.to_string(),
            residual,
            outcome.notes.to_string(),
            format!("{:.2}", outcome.seconds),
        ]);
    }
    table::print(&rows, "", &mut out)?;
    if let [Outcome { folder: Some(folder), outputs, error: None, .. }] = outcomes {
        writeln!(out, "{folder}: {}", outputs.join(", "))?;
        return writeln!(out, "start with {}", Path::new(folder).join(REPORT).display());
    }
    let shared: BTreeSet<&[String]> = outcomes.iter().map(|o| o.fitted_to.as_slice()).collect();
    for names in shared.into_iter().filter(|names| names.len() > 1) {
        let names: Vec<_> = names.iter().map(|name| table::text(name)).collect();
        writeln!(out, "one subject for {} recordings: {}", names.len(), names.join(", "))?;
    }
    let index = output.join(INDEX);
    let mut folders = outcomes.iter().filter_map(|outcome| outcome.folder.as_ref());
    match folders.next() {
        Some(_) if index.is_file() => {
            writeln!(out, "a folder each, start with {}", index.display())?;
        }
        Some(folder) => {
            let report = Path::new(folder).join(REPORT);
            writeln!(out, "a folder each, the first report is {}", report.display())?;
        }
        None => {}
    }
    let notes: usize = outcomes.iter().map(|outcome| outcome.notes).sum();
    if notes > 0 {
        writeln!(out, "notes: {notes} in all, each in the {REPORT} of its recording")?;
    }
    let count = |status: &str| outcomes.iter().filter(|outcome| outcome.status == status).count();
    writeln!(
        out,
        "{} recording{}: {} done, {} up to date, {} failed",
        outcomes.len(),
        if outcomes.len() == 1 { "" } else { "s" },
        count("done"),
        count("up-to-date"),
        count("failed")
    )
}
