//! `condyle demo`: the main job on a performer that is made up, against its truth.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::{Args, Parser};
use condyle::Trial;
use condyle::format::{ReadOptions, read_path};

use crate::cli::{Cli, Command};
use crate::run;
use crate::simulate;

const EXAMPLES: &str = "\
A person is made up who moves every joint for half a minute, with 48 markers and 1 mm of noise; then
condyle run finds the skeleton from the markers alone, and what it found is compared with the truth.
Start with DIR/recording/report.html.
Exit code: 0 if all went well, 1 if not, 2 if the command line is wrong.";

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
    let folder = args.output.as_os_str();
    let force: &[&str] = if args.force { &["--force"] } else { &[] };
    let parse = |words: &[&str], output: &std::ffi::OsStr| {
        let words = words.iter().chain(force).map(std::ffi::OsString::from);
        Cli::try_parse_from(words.chain(["--output".into(), output.to_owned()]))
    };
    let recording = args.output.join("recording.c3d");
    let is_made = recording.is_file() && args.output.join("truth_joints.csv").is_file();
    let made = parse(&["condyle", "simulate", "--noise-mm", "1"], folder)?;
    if let Command::Simulate(made) = &made.command
        && (args.force || !is_made)
    {
        simulate::run(made)?;
    }
    let path = recording.to_str().context("the folder needs a name that is text")?;
    let ran = parse(&["condyle", "run", path], folder)?;
    if let Command::Run(ran) = &ran.command {
        run::run(ran)?;
    }
    let read = |path: &Path| read_path(path, &ReadOptions::default());
    let found = read(&args.output.join("recording").join("joints.csv"))?;
    let truth = read(&args.output.join("truth_joints.csv"))?;
    let mut errors_mm = errors_mm(&found, &truth);
    errors_mm.sort_by(f64::total_cmp);
    let quantile = |share: f64| errors_mm[((errors_mm.len() - 1) as f64 * share) as usize];
    if !errors_mm.is_empty() {
        anstream::println!(
            "joints against the truth: {:.1} mm off in the median, 95 % within {:.1} mm",
            quantile(0.5),
            quantile(0.95)
        );
    }
    Ok(ExitCode::SUCCESS)
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
