//! `condyle plot`: a picture of some frames.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::bail;
use clap::Args;
use clap::builder::{PathBufValueParser, TypedValueParser};
use condyle::Trial;
use condyle::job::{self, Recording};
use condyle::trial::Note;

use crate::figure::{self, Scene, View};
use crate::options::{MotionArgs, PlanArgs, ReadingArgs, read_subject};
use crate::terminal::input;
use crate::terminal::output::Output;
use crate::terminal::progress::Progress;
use crate::terminal::say;

const EXAMPLES: &str = include_str!("help.txt").trim_ascii_end();

/// `condyle plot`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct PlotArgs {
    /// The recording
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The subject that `condyle fit` wrote; without it one is fitted to the recording
    #[arg(long, value_name = "SUBJECT.json")]
    subject: Option<PathBuf>,
    /// Draw only the markers
    #[arg(long, conflicts_with = "subject")]
    markers_only: bool,
    /// Draw this frame: a position counted from 1, whatever numbers the file gives; several may be given
    #[arg(long, value_name = "N", conflicts_with = "count")]
    frame: Vec<usize>,
    /// Draw so many frames, evenly spread
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=100))]
    count: u16,
    /// Look from here; several may be given
    #[arg(long, value_enum, value_name = "VIEW", default_values = ["front", "side"])]
    view: Vec<View>,
    /// Where to write the picture: png or svg
    #[arg(short, long, value_name = "PICTURE",
        value_parser = PathBufValueParser::new().try_map(|path| kind(&path).map(|_| path)))]
    output: Option<PathBuf>,
    /// Overwrite the picture if it exists
    #[arg(long, short)]
    force: bool,
    #[command(flatten)]
    plan: PlanArgs,
    #[command(flatten)]
    motion: MotionArgs,
    #[command(flatten)]
    reading: ReadingArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Png,
    Svg,
}

/// Draws a picture.
pub fn run(args: &PlotArgs) -> anyhow::Result<ExitCode> {
    let target = match &args.output {
        Some(path) => Some((kind(path)?, Output::at(path, args.force)?, path)),
        None if io::stdout().is_terminal() => None,
        None => bail!("need -o PICTURE.png or .svg where standard output is no terminal"),
    };
    let progress = Progress::through_stages("reading");
    let trial = input::read(&args.file, &args.reading.options())?;
    progress.stage("finding the skeleton");
    let (scene, notes) = scene(trial, args)?;
    let frames = frames(args, &scene)?;
    progress.stage("drawing");
    let svg = figure::strip(&scene, &frames, &args.view);
    let is_shown = match target {
        Some((Kind::Svg, output, _)) => {
            output.write(|out| Ok(out.write_all(svg.as_bytes())?)).map(|()| true)?
        }
        Some((Kind::Png, output, _)) => {
            let png = figure::from_svg(&svg)?;
            output.write(|out| Ok(out.write_all(&png)?)).map(|()| true)?
        }
        None => figure::to_terminal(&figure::from_svg(&svg)?, &mut io::stdout().lock())?,
    };
    drop(progress);
    say::notes(&notes);
    if !is_shown {
        bail!(
            "this terminal shows no pictures (kitty, iTerm2 and WezTerm do): need -o PICTURE.png or .svg"
        );
    }
    if let Some(path) = &args.output {
        say::wrote(&path.display().to_string());
    }
    Ok(ExitCode::SUCCESS)
}

/// A picture that another command makes, by the same drawing with the usual options.
pub struct Picture<'a> {
    /// Where it goes: png or svg.
    pub to: &'a Path,
    /// Whether it may replace what is there.
    pub is_forced: bool,
    /// Where to look from.
    pub view: View,
}

impl Picture<'_> {
    /// Draws up to five frames of a stretch of a recording, counted from 1, or of all of it.
    pub fn of_stretch(&self, file: &Path, stretch: Option<[usize; 2]>) -> anyhow::Result<ExitCode> {
        kind(self.to)?;
        let frame = match stretch {
            Some([from, to]) => {
                figure::spread(to + 1 - from, 5).iter().map(|at| from + at).collect()
            }
            None => Vec::new(),
        };
        run(&PlotArgs {
            file: file.to_owned(),
            view: vec![self.view],
            frame,
            output: Some(self.to.to_owned()),
            force: self.is_forced,
            ..usual()
        })
    }
}

/// What `condyle plot` does where nothing is said.
fn usual() -> PlotArgs {
    use clap::FromArgMatches;
    let command = PlotArgs::augment_args(clap::Command::new("plot").no_binary_name(true));
    let matches = command.get_matches_from(["file"]);
    PlotArgs::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
}

fn scene(trial: Trial, args: &PlotArgs) -> anyhow::Result<(Scene, Vec<Note>)> {
    if args.markers_only {
        return Ok((Scene::of_markers(&trial), Vec::new()));
    }
    let mut options = args.plan.options()?;
    args.motion.apply(&mut options);
    options.subject = args.subject.as_deref().map(read_subject).transpose()?;
    let is_free = options.subject.is_none() && args.plan.is_free();
    if let Some(motion) = trial.motion.as_ref().filter(|_| is_free) {
        return Ok((Scene::of_motion(&trial, motion), Vec::new()));
    }
    let recording = Recording::new(args.file.display().to_string(), trial.clone());
    match job::run(recording, &options) {
        Ok(performance) => Ok((Scene::of_performance(&performance), performance.all_notes())),
        Err(error) if options.subject.is_none() => {
            let note = Note::new("markers-only", error.to_string());
            Ok((Scene::of_markers(&trial), vec![note]))
        }
        Err(error) => Err(error.into()),
    }
}

/// The frames to draw, counted from 0.
fn frames(args: &PlotArgs, scene: &Scene) -> anyhow::Result<Vec<usize>> {
    let count = scene.frames();
    if count == 0 {
        bail!("{}: need frames, got none", args.file.display());
    }
    if let Some(wrong) = args.frame.iter().find(|frame| **frame == 0 || **frame > count) {
        bail!("--frame: need 1 to {count} (the frames of {}), got {wrong}", args.file.display());
    }
    if !args.frame.is_empty() {
        return Ok(args.frame.iter().map(|frame| frame - 1).collect());
    }
    Ok(scene.telling_frames(usize::from(args.count)))
}

fn kind(path: &Path) -> anyhow::Result<Kind> {
    let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    match extension.as_str() {
        "png" => Ok(Kind::Png),
        "svg" => Ok(Kind::Svg),
        _ => bail!("{}: need the extension png or svg, got '{extension}'", path.display()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;
    use condyle::format::{self, ReadOptions};
    use condyle::simulate;
    use condyle::stick::Stick;
    use condyle::trial::Format;

    #[derive(Parser)]
    struct Cli {
        #[command(flatten)]
        plot: PlotArgs,
    }

    /// The scene of `condyle plot` with these options, and the job's own answer.
    fn plotted(path: &Path, more: &[&str]) -> (Scene, job::Performance) {
        let trial = || format::read_path(path, &ReadOptions::default()).unwrap();
        let file = path.to_str().unwrap();
        let args = Cli::parse_from([&["plot", file, "-o", "a.svg"], more].concat()).plot;
        let options = job::Options::default();
        (scene(trial(), &args).unwrap().0, job::run(trial(), &options).unwrap())
    }

    fn assert_same_joints((scene, performance): &(Scene, job::Performance)) {
        let mut first = 0;
        for performer in &performance.performers {
            let joints = performer.subject.joints().len();
            assert!(joints > 1 && scene.dots.len() >= first + joints);
            for (frame, points_m) in scene.points_m.iter().enumerate() {
                for joint in 0..joints {
                    assert_eq!(points_m[first + joint], performer.motion.joint_m(frame, joint));
                }
            }
            first += Stick::from_subject(&performer.subject).points.len();
        }
        assert_eq!(scene.dots.len(), first);
    }

    #[test]
    fn the_joints_of_a_picture_are_those_of_the_job() {
        let options = simulate::Options {
            seconds: 6.0,
            noise_m: 1e-3,
            occlusion: 0.02,
            swaps: 2,
            performers: 2,
            ..Default::default()
        };
        let made = simulate::simulate(&simulate::Performer::human(), &options).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        let mut bytes = Vec::new();
        format::write(&made.trial, Format::Csv, &mut bytes).unwrap();
        std::fs::write(&path, bytes).unwrap();
        assert_same_joints(&plotted(&path, &[]));
        // And it follows the options.
        let (other, usual) = plotted(&path, &["--knowledge", "none", "--fill", "off"]);
        assert_ne!(other.points_m, Scene::of_performance(&usual).points_m);
    }

    #[test]
    fn the_joints_of_pictures_of_public_recordings_are_those_of_the_job() {
        let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
        let data = std::env::var_os("CONDYLE_DATA").map_or(shared, PathBuf::from);
        for name in ["btkdata/PiG/PiG_Motion3_FF.c3d", "cmu/02_01.c3d", "nimble/JA1Gait35.c3d"] {
            let path = data.join(name);
            match path.is_file() {
                true => assert_same_joints(&plotted(&path, &[])),
                false => eprintln!("skipped: no {}; set CONDYLE_DATA", path.display()),
            }
        }
    }
}
