//! `condyle hand calibrate`: a model of somebody's hand.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use condyle::hand::{FINGERS, calibrate_recordings};

use super::WhichArgs;
use crate::options::ReadingArgs;
use crate::terminal::output::Output;
use crate::terminal::progress::Progress;
use crate::terminal::{input, say};

/// `condyle hand calibrate`.
#[derive(Debug, Args)]
pub struct CalibrateArgs {
    /// Recordings of one hand with the same labels, in which it opens, closes and spreads
    #[arg(value_name = "FILE", required = true)]
    inputs: Vec<PathBuf>,
    /// Where to write the model
    #[arg(short, long, value_name = "MODEL.toml")]
    output: PathBuf,
    #[command(flatten)]
    hand: WhichArgs,
    /// Leave out further markers on the fingers
    #[arg(long)]
    tips_alone: bool,
    /// Overwrite the output if it exists
    #[arg(long, short)]
    force: bool,
    #[command(flatten)]
    reading: ReadingArgs,
}

/// Calibrates.
pub fn run(args: &CalibrateArgs) -> anyhow::Result<ExitCode> {
    let output = Output::at(&args.output, args.force)?;
    let progress = Progress::through_stages("reading");
    let mut recordings = Vec::new();
    for path in &args.inputs {
        let trial = input::read(path, &args.reading.options())?;
        recordings.push((path.display().to_string(), trial));
    }
    progress.stage("calibrating");
    let (calibrated, note) =
        calibrate_recordings(&recordings, &args.hand.words(), args.tips_alone)?;
    say::notes(note.as_slice());
    output.write(|out| Ok(out.write_all(calibrated.model.to_toml().as_bytes())?))?;
    drop(progress);
    for (name, finger) in FINGERS.iter().zip(&calibrated.fingers) {
        let sds = finger.length_sds_m.iter().take(3).map(|sd_m| format!("{:.1}", sd_m * 1e3));
        let sds = sds.collect::<Vec<_>>().join(", ");
        say::wrote(&format!(
            "{name}: base known to {:.1} mm, bones to {sds} mm, further markers met to {:.1} mm",
            finger.base_sd_m * 1e3,
            finger.markers_rms_m * 1e3
        ));
    }
    say::wrote(&format!(
        "{}: {} hand of {:.0} mm, from {} frames",
        args.output.display(),
        calibrated.model.side,
        calibrated.model.hand_length_m * 1e3,
        calibrated.frames
    ));
    Ok(ExitCode::SUCCESS)
}
