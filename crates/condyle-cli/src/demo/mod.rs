//! `condyle demo`: the main job on a performer that is made up, against its truth.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use condyle::Trial;
use condyle::export::Export;
use condyle::format::{self, ReadOptions};
use condyle::job::{self, SoftTissue};
use condyle::simulate::{self, Performer};
use condyle::statistics::quantile_in_place;
use condyle::trial::Format;

use crate::run::{Batch, ExportOptions, Show, run_batch};
use crate::terminal::files::Found;
use crate::terminal::output::Output;
use crate::terminal::say;

/// What the demo calls its recording, and where its joints truly were.
const RECORDING: &str = "recording.c3d";
const TRUTH: &str = "truth_joints.csv";

const EXAMPLES: &str = include_str!("help.txt").trim_ascii_end();

/// `condyle demo`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct DemoArgs {
    /// The folder to write in; it is made if there is none
    #[arg(short, long, value_name = "DIR", default_value = "condyle-demo")]
    output: PathBuf,
    /// Overwrite what is in the folder
    #[arg(long, short)]
    force: bool,
}

/// Simulates, runs and compares.
pub fn run(args: &DemoArgs) -> anyhow::Result<ExitCode> {
    let recording = args.output.join(RECORDING);
    let truth = args.output.join(TRUTH);
    let options = simulate::Options { noise_m: 1e-3, ..simulate::Options::default() };
    let simulation = simulate::simulate(&Performer::human(), &options)?;
    let joints = simulation.joint_trial();
    fs::create_dir_all(&args.output).with_context(|| args.output.display().to_string())?;
    for (path, trial, format) in
        [(&recording, &simulation.trial, Format::C3d), (&truth, &joints, Format::Csv)]
    {
        // What the demo wrote before is the same.
        if args.force || !path.is_file() {
            let output = Output::at(path, args.force)?;
            output.write(|out| Ok(format::write(trial, format, out).map(drop)?))?;
            say::wrote(&path.display().to_string());
        }
    }
    // The markers of the demo's performer sit on its bones.
    let mut options = job::Options::default();
    options.soft_tissue = SoftTissue::None;
    let batch = Batch {
        options,
        reading: ReadOptions::default(),
        exports: ExportOptions {
            norm: None,
            mot: Export::AnglesSto,
            weight_kg: None,
            urdf: false,
            mujoco: false,
            physics: false,
            figure: false,
            segments: false,
        },
        is_each: true,
        is_forced: args.force,
        show: Show::Table,
    };
    let found = Found { path: recording, within: PathBuf::new() };
    let code = run_batch(&[found], &args.output, &batch)?;
    let read = |path: &Path| format::read_path(path, &ReadOptions::default());
    let found = read(&args.output.join("recording").join("joints.csv"))?;
    let mut errors_mm = errors_mm(&found, &read(&truth)?);
    let mut at = |share| quantile_in_place(&mut errors_mm, share);
    if let (Some(median_mm), Some(most_mm)) = (at(0.5), at(0.95)) {
        anstream::println!(
            "joints against the truth: {median_mm:.1} mm off in the median, 95 % within {most_mm:.1} mm"
        );
    }
    Ok(code)
}

/// The distance of every joint of the same name in every frame.
fn errors_mm(found: &Trial, truth: &Trial) -> Vec<f64> {
    let mut errors_mm = Vec::new();
    for joint in &truth.markers {
        let Some(twin) = found.marker(&joint.label) else { continue };
        for frame in 0..truth.frames.min(found.frames) {
            if let (Some(a), Some(b)) = (joint.position_m(frame), twin.position_m(frame)) {
                errors_mm.push((a - b).norm() * 1e3);
            }
        }
    }
    errors_mm
}
