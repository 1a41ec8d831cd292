//! The options of the main job as the command line says them.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use condyle::angles::Smoothing;
use condyle::export::Export;
use condyle::fill;
use condyle::job::{Fill, KnowledgeChoice, MarkerWeights, Options, SegmentsBy, SoftTissue};
use condyle::marker_set::PlanText;
use condyle::subject::Subject;
use condyle::trackers::Playback;
use condyle::whole_body::Knowledge;

use super::reading::smoothing;

/// Where segments come from.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Which markers are on which segment")]
pub struct PlanArgs {
    /// Find segments by the names of the markers, by their motion, or by names if they are known
    #[arg(long, value_name = "HOW", value_enum, default_value_t, conflicts_with = "plan")]
    by: By,
    /// Take them from a file: a plan in TOML, or an association or marker-set file of Knight's
    #[arg(long, value_name = "FILE")]
    plan: Option<PathBuf>,
    /// The segment or body that everything hangs on, where the motion decides; otherwise names tell, or the middle
    #[arg(long, value_name = "NAME")]
    root: Option<String>,
    /// How far skin carries markers over the bone: auto (typical of people, nothing elsewhere), none, or millimetres
    #[arg(long, value_name = "MM", default_value = "auto", value_parser = soft_tissue, allow_negative_numbers = true)]
    soft_tissue: SoftTissue,
    /// What is known of bodies beforehand: auto (for people whose marker set is recognised), none, or a file
    #[arg(long, value_name = "FILE", default_value = "auto")]
    knowledge: String,
    /// How much markers count, in fitting and solving: a TOML file with a line LABEL = WEIGHT each; 0 leaves one out
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    #[command(flatten)]
    measured: MeasuredArgs,
}

/// Sizes of the body that were measured.
#[derive(Debug, Default, Args)]
#[command(
    next_help_heading = "Sizes that were measured, for people (instead of those in the file)"
)]
pub struct MeasuredArgs {
    /// The person's height, in metres
    #[arg(long, value_name = "M", allow_negative_numbers = true)]
    height_m: Option<f64>,
    /// Between the two sides of the knee, mean of left and right
    #[arg(long, value_name = "MM", allow_negative_numbers = true)]
    knee_width_mm: Option<f64>,
    /// Between the malleoli
    #[arg(long, value_name = "MM", allow_negative_numbers = true)]
    ankle_width_mm: Option<f64>,
    /// Between the two sides of the elbow
    #[arg(long, value_name = "MM", allow_negative_numbers = true)]
    elbow_width_mm: Option<f64>,
    /// Between the two sides of the wrist that carry markers
    #[arg(long, value_name = "MM", allow_negative_numbers = true)]
    wrist_width_mm: Option<f64>,
    /// From the front of the pelvis (ASIS) to the inner malleolus
    #[arg(long, value_name = "MM", allow_negative_numbers = true)]
    leg_length_mm: Option<f64>,
}

impl MeasuredArgs {
    fn apply(&self, options: &mut Options) {
        let metres = |mm: Option<f64>| mm.map(|mm| mm * 1e-3);
        options.measured.stature_m = self.height_m;
        options.measured.knee_width_m = metres(self.knee_width_mm);
        options.measured.ankle_width_m = metres(self.ankle_width_mm);
        options.measured.elbow_width_m = metres(self.elbow_width_mm);
        options.measured.wrist_width_m = metres(self.wrist_width_mm);
        options.measured.leg_length_m = metres(self.leg_length_mm);
    }
}

/// How motion and angles are made.
#[derive(Debug, Args)]
#[command(next_help_heading = "Motion and angles")]
pub struct MotionArgs {
    /// Which gaps of markers to fill before solving, as explained below
    #[arg(long, value_name = "WHICH", value_enum, default_value_t)]
    fill: FillChoice,
    /// Bridge gaps up to so many seconds by a cubic and fill no others: --fill short; 0 for none [default: 0.1]
    #[arg(long, value_name = "S", value_parser = gap_s, allow_negative_numbers = true)]
    max_gap: Option<f64>,
    /// Smooth the angles by a Butterworth filter without lag: auto (a cutoff for each joint, by cross-validation),
    /// a cutoff in hertz (6 is usual for gait) or off; nothing else is smoothed
    #[arg(long, value_name = "HZ", default_value = "auto", value_parser = smoothing)]
    smooth: Smoothing,
    /// Let all angles be zero in this frame, a person who stands still: a position counted from 1, as --frames counts,
    /// whatever numbers the file gives
    #[arg(long, value_name = "FRAME", value_parser = clap::value_parser!(u64).range(1..))]
    zero_frame: Option<u64>,
    /// The OpenSim model whose names, signs and zero MOT and STO files follow: rajagopal (knees bend with a positive
    /// angle) or gait2392 (negative)
    #[arg(long, value_name = "MODEL", value_enum, default_value_t)]
    mot_model: MotChoice,
    /// Of bodies with poses: keep their orientations and let positions give way, as O'Brien (2000) does
    #[arg(long)]
    keep_orientations: bool,
}

/// The model of MOT and STO files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
enum MotChoice {
    /// Rajagopal and others 2016.
    #[default]
    Rajagopal,
    /// Delp and others 1990.
    Gait2392,
}

/// Which gaps are filled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
enum FillChoice {
    /// As far as the error that is to be expected allows: 50 mm.
    #[default]
    Auto,
    /// None.
    Off,
    /// Those up to --max-gap, by a cubic.
    Short,
    /// All for which there is any way.
    All,
}

/// What tells the segments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
enum By {
    /// By names if a marker set is recognised well, by motion if not.
    #[default]
    Auto,
    /// The marker set that the labels are from.
    Names,
    /// Which markers keep their distances; of bodies with poses, how they move against each other.
    Motion,
    /// Bodies with poses of their own, even where there are markers.
    Bodies,
}

impl PlanArgs {
    /// The options of the job, everything else as usual.
    pub fn options(&self) -> anyhow::Result<Options> {
        let mut options = Options::default();
        options.segments_by = match self.by {
            By::Auto => SegmentsBy::Auto,
            By::Names => SegmentsBy::Names,
            By::Motion => SegmentsBy::Motion,
            By::Bodies => SegmentsBy::Bodies,
        };
        options.plan = self.plan.as_deref().map(PlanText::read).transpose()?;
        options.root.clone_from(&self.root);
        options.soft_tissue = self.soft_tissue;
        options.knowledge = match self.knowledge.as_str() {
            "auto" | "" => KnowledgeChoice::Auto,
            "none" => KnowledgeChoice::None,
            path => {
                let text = fs::read_to_string(path).with_context(|| path.to_owned())?;
                // Refused here, where the file still has a name.
                Knowledge::from_toml(&text).map_err(|error| error.with_path(Path::new(path)))?;
                KnowledgeChoice::Text(text)
            }
        };
        if let Some(path) = &self.weights {
            options.weights = read_weights(path)?;
        }
        self.measured.apply(&mut options);
        Ok(options)
    }

    /// Whether nothing is said about segments.
    pub fn is_free(&self) -> bool {
        self.plan.is_none() && self.by == By::Auto
    }
}

impl MotionArgs {
    /// How MOT and STO files are written.
    pub fn mot_export(&self) -> Export {
        match self.mot_model {
            MotChoice::Rajagopal => Export::AnglesSto,
            MotChoice::Gait2392 => Export::AnglesSto2392,
        }
    }

    /// Puts what was said into the options of the job.
    pub fn apply(&self, options: &mut Options) {
        options.fill = match self.fill {
            FillChoice::Auto if self.max_gap.is_some() => Fill::Short,
            FillChoice::Auto => Fill::Auto,
            FillChoice::Off => Fill::Off,
            FillChoice::Short => Fill::Short,
            FillChoice::All => Fill::All,
        };
        options.max_gap_s = self.max_gap.unwrap_or(fill::MAX_GAP_S);
        options.smoothing = self.smooth;
        options.zero_frame = self.zero_frame.map(|frame| frame as usize - 1);
        if self.keep_orientations {
            options.playback = Playback::Orientations;
        }
    }
}

/// Reads a file of marker weights.
pub fn read_weights(path: &Path) -> anyhow::Result<MarkerWeights> {
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    Ok(MarkerWeights::from_toml(&text).map_err(|error| error.with_path(path))?)
}

/// Reads a subject file.
pub fn read_subject(path: &Path) -> anyhow::Result<Subject> {
    let bytes = fs::read(path).with_context(|| path.display().to_string())?;
    // Whatever is no text is no JSON either, and is said to be so.
    let text = String::from_utf8_lossy(&bytes);
    Ok(Subject::from_json(&text).map_err(|error| error.with_path(path))?)
}

fn gap_s(text: &str) -> Result<f64, String> {
    let value = text.parse::<f64>().ok().filter(|value| (0.0..=10.0).contains(value));
    value.ok_or_else(|| format!("need 0 to 10 seconds, got '{text}'"))
}

/// How far skin carries markers: `auto`, `none` or millimetres.
pub fn soft_tissue(text: &str) -> Result<SoftTissue, String> {
    let wrong = || format!("need auto, none or 0 to 100 millimetres, got '{text}'");
    Ok(match text {
        "auto" => SoftTissue::Auto,
        "none" => SoftTissue::None,
        _ => {
            let mm = text.parse::<f64>().ok().filter(|mm| (0.0..=100.0).contains(mm));
            SoftTissue::Metres(mm.ok_or_else(wrong)? * 1e-3)
        }
    })
}
