//! The command line: what can be said, and how it is explained.

use std::path::PathBuf;

use clap::error::ErrorKind as Usage;
use clap::{Args, CommandFactory, Parser, Subcommand};
use condyle::angles::Smoothing;
use condyle::centre::Method;
use condyle::format::ReadOptions;
use condyle::trial::{Axis, Format, LengthUnit};

use crate::fit::FitArgs;
use crate::groups::GroupsArgs;
use crate::ik::IkArgs;
use crate::plot::PlotArgs;
use crate::report::ReportArgs;
use crate::run::RunArgs;
use crate::solve::SolveArgs;

const EXAMPLES: &str = "\
Examples:
  condyle run walk.c3d                      all of it: skeleton, motion, angles, a report
  condyle demo                              the same on a performer that is made up
  condyle info walk.c3d                     what is in a recording
  condyle info *.c3d                        a table, one row a file
  condyle convert walk.c3d walk.trc         from one format to another
  condyle centre points.csv                 the centre that points rotate about
  condyle fit rom.c3d -o joe.json           a performer's skeleton, with error bars
  condyle solve walk.c3d --subject joe.json -o joints.csv
  condyle groups walk.c3d                   which markers are on which segment
  condyle plot walk.c3d -o walk.png         a picture of the skeleton
  condyle run trackers.csv                  sensors with six degrees of freedom instead of markers
  condyle pivot stylus.mha --tool Stylus    the tip of a tracked pointer
  condyle ik chain.json targets.csv         joints that reach for targets, within limits
  condyle simulate -o walk --routine walk   a made-up recording, with its truth

Formats are recognised by content. Read: c3d, trc, csv, bvh, asf/amc, sto/mot, mvnx, lists of poses.
Written: c3d, trc, csv, bvh, sto/mot, glb, parquet (by run and solve).";

const INFO_EXAMPLES: &str = "\
Examples:
  condyle info walk.c3d                     one file in full
  condyle info *.c3d                        several files: a table, one row a file
  condyle info --json walk.c3d | jq '.[0].labels'
  condyle info --units mm --up z walk.c3d   when the file is silent or wrong
  cat walk.c3d | condyle info -             from standard input

Exit code: 0 if every file was read, 1 if some were not, 2 if the command line is wrong.";

const CONVERT_EXAMPLES: &str = "\
Examples:
  condyle convert walk.c3d walk.trc
  condyle convert walk.c3d legs.csv --markers 'L*,R*' --frames 100:250
  condyle convert walk.c3d walk.trc --rate 60 --out-units m --out-up y
  condyle convert --to csv walk.c3d - | head

Resampling (--rate): between two neighbouring samples the position follows a cubic
(Catmull-Rom), orientations follow the great arc (slerp). Samples that coincide are kept as
they are, gaps stay gaps, and no low-pass filter is applied.

Turning (--out-up): everything turns by a quarter turn, from z-up to y-up by -90 degrees about x,
so (x, y, z) becomes (x, z, -y).

What the output format cannot hold is said in a note on standard error.
Exit code: 0 if the file was written, 1 if not, 2 if the command line is wrong.";

const CENTRE_EXAMPLES: &str = "\
Examples:
  condyle centre examples/data/arm.trc --marker UPA1
                                            a marker about the shoulder, which does not move
  condyle centre examples/data/arm.trc --marker FOA1 --in UPA1,UPA2,UPA3
                                            a marker of the forearm as seen from the upper arm
  condyle centre examples/data/arm.trc --marker FOA1,FOA2,FOA3 --in UPA1,UPA2,UPA3
                                            several markers around one centre (mgdk)
  condyle centre points.csv                 a bare table with columns x,y,z
  condyle centre points.csv --method all    every method side by side
  condyle centre a.csv b.csv --json         several markers, one file a marker
  condyle centre knee.csv --shape circle    an arc in space: its centre and its axis

Lengths are in metres. The numbers of a bare table are taken as they are, whatever their unit, and
lengths are in that unit; with --units they are converted to metres.

The frame of --in: origin in its first marker, x towards the second, z along (third - first) x x,
of the mean shape; each frame's pose is the best fit to the markers seen, at least three.

Methods: auto (sc-gdk of one marker, mgdk of several), sc-gdk (finds the noise itself and knows a
hinge), sc-gdk-polished (one step more over the points, for noise above a twentieth of the radius),
gdke, ugdk (needs --sigma), sgdk (the circle in the plane wherever it is no ball), sgdk-printed (the
same as its author printed it, biased), taubin, pratt, hyper, gander, lls, mle, igdk, all of these;
for several markers mgdk (sc-gdk is the same), gdke or ugdk.

Verdicts: ball (the centre is determined), hinge (only the axis is: the centre is that of the arc,
in the plane of the points), insufficient (do not trust the centre; it says why). What moves along
the axis by less than twice the noise, or by less than half a degree, does not make a ball. A
cylinder's centre is the point of its axis nearest to the points, a plane's the mean of them.
Exit code: 0 if there is an answer, 1 if not, 2 if the command line is wrong.";

const REPRODUCE_EXAMPLES: &str = "\
Examples:
  condyle reproduce knight-2008             a minute; writes knight-2008/knight-2008.html
  condyle reproduce knight-2008 --full      the whole range of the thesis, many minutes
  condyle reproduce knight-2008 --only accuracy,speed -o table
  condyle reproduce knight-2008 --only thinning --recording dance.c3d -o dance
  condyle reproduce aristidou-2010 --chapter 3
  condyle reproduce knight-2008 --json | jq '.sections[].lines[] | select(.verdict == \"fails\")'

Documents:
  aristidou-2010  A. Aristidou, Tracking and Modelling Motion for Biomechanical Analysis
                  (PhD, 2010); --chapter 3 is inverse kinematics; recordings are those of
                  CONDYLE_DATA
  knight-2008     J. K. Knight, Rotation Points From Motion Capture Data Using a Closed Form
                  Solution (PhD, 2008), with the worked examples of its draft of 2005
  obrien-2000     J. F. O'Brien and others, Automatic Joint Parameter Estimation from Magnetic
                  Motion Capture Data (Graphics Interface 2000)

Every figure is printed beside the document's with a verdict: reproduced, not reproduced (and why),
misprint (and the correction holds), holds or fails for what is wanted of our own methods,
undecided where more trials are needed. The page needs no network; the data behind every chart
is a CSV file beside it. The same seed gives the same numbers, but for the timings.
Exit code: 0 if the page was written, whatever it says, 1 if not, 2 if the command line is wrong.";

/// Markers in, skeleton out: motion-capture recordings turned into skeletons and their motion
#[derive(Debug, Parser)]
#[command(name = "condyle", version, max_term_width = 100, after_help = EXAMPLES)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Do it all: recordings to skeletons, their motion, and a report for each
    Run(RunArgs),
    /// Do it all on a performer that is made up, and compare with its truth
    Demo(crate::demo::DemoArgs),
    /// Say what is in one or more recordings
    Info(InfoArgs),
    /// Convert a recording to another format, or take part of it
    Convert(ConvertArgs),
    /// Find the centre that markers rotate about, and say how sure it is
    Centre(CentreArgs),
    /// Say which markers belong together on a segment, and how the segments hang together
    Groups(GroupsArgs),
    /// Fit a performer's skeleton to calibration recordings
    Fit(FitArgs),
    /// Find where a fitted performer's joints are in every frame of a recording
    Solve(SolveArgs),
    /// Make a page about a run from the results that it kept, or about two
    Report(ReportArgs),
    /// Draw some frames of a recording, with the skeleton found in it
    Plot(PlotArgs),
    /// Move the joints of a chain, a tree or a skeleton so that its ends reach targets
    Ik(IkArgs),
    /// Find the tip of a tracked pointer that was turned about it
    Pivot(crate::pivot::PivotArgs),
    /// Find the scale of a tracking system from two sensors at a known distance
    Scale(crate::scale::ScaleArgs),
    /// Re-run the experiments of a document, its figures beside ours, on one page
    Reproduce(ReproduceArgs),
    /// Make up a recording whose truth is known: a person, a dog or a robot arm that moves
    Simulate(crate::simulate_args::SimulateArgs),
    /// Print a completion script for a shell
    #[command(
        after_help = "Example:\n  condyle completions bash > ~/.local/share/bash-completion/completions/condyle"
    )]
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
}

/// `condyle info`.
#[derive(Debug, Args)]
#[command(after_help = INFO_EXAMPLES)]
pub struct InfoArgs {
    /// The recordings; - reads standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Print one JSON array, an object a file (documented in docs/json.md)
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub reading: ReadingArgs,
}

/// `condyle convert`.
#[derive(Debug, Args)]
#[command(after_help = CONVERT_EXAMPLES)]
pub struct ConvertArgs {
    /// The recording, in any format that can be read; - reads standard input
    #[arg(value_name = "IN")]
    pub input: PathBuf,
    /// Where to write; the extension names the format; - writes standard output and needs --to
    #[arg(value_name = "OUT")]
    pub output: PathBuf,
    /// The output format, instead of the extension of OUT
    #[arg(long, value_name = "FORMAT", value_parser = writable_format)]
    pub to: Option<Format>,
    /// Keep only these markers, in this order: names with or without prefix, * for any characters
    #[arg(long, value_name = "A,B,...", value_delimiter = ',', help_heading = "Taking part")]
    pub markers: Vec<String>,
    /// Keep only these frames: positions counted from 1, both ends included, an end may be left
    /// out, a single one is one frame
    #[arg(long, value_name = "A:B", value_parser = frame_span, help_heading = "Taking part")]
    pub frames: Option<FrameSpan>,
    /// Resample to this many frames a second; samples between old ones count as filled (method below)
    #[arg(long, value_name = "HZ", value_parser = rate_hz, allow_negative_numbers = true, help_heading = "Changing")]
    pub rate: Option<f64>,
    /// Write lengths in this unit, where the format has a choice: m, dm, cm, mm, in, ft
    #[arg(long, value_name = "UNIT", help_heading = "Changing")]
    pub out_units: Option<LengthUnit>,
    /// Turn everything so that this axis is up: x, y, z, -x, -y, -z
    #[arg(long, value_name = "AXIS", allow_hyphen_values = true, help_heading = "Changing")]
    pub out_up: Option<Axis>,
    /// Overwrite OUT if it exists
    #[arg(long, short)]
    pub force: bool,
    /// Say nothing but errors
    #[arg(long, short)]
    pub quiet: bool,
    /// Print a summary of what was written as a JSON object on standard output
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub reading: ReadingArgs,
}

/// `condyle centre`.
#[derive(Debug, Args)]
#[command(after_help = CENTRE_EXAMPLES)]
pub struct CentreArgs {
    /// Recordings, or bare tables of x,y,z; several mean several markers around one centre
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The markers that rotate; not needed where a file holds only one
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    pub marker: Vec<String>,
    /// Take positions relative to the segment that carries these three or more markers
    #[arg(long = "in", value_name = "A,B,C,...", value_delimiter = ',', requires = "marker")]
    pub segment: Vec<String>,
    /// How: see below; all compares the methods
    #[arg(long, value_name = "METHOD", value_enum, default_value_t, hide_possible_values = true)]
    pub method: MethodChoice,
    /// What the points lie on: sphere, circle, plane or cylinder (its axis is found too)
    #[arg(long, value_name = "SHAPE", value_enum, default_value_t, hide_possible_values = true)]
    pub shape: ShapeChoice,
    /// For ugdk, the noise of the points: one standard deviation an axis, in their unit
    #[arg(long, value_name = "SIGMA", value_parser = not_negative, allow_negative_numbers = true)]
    #[arg(required_if_eq("method", "ugdk"))]
    pub sigma: Option<f64>,
    /// Leave out gross outliers: swapped markers, spikes (up to a tenth of the samples, and more)
    #[arg(long)]
    pub robust: bool,
    /// Print a JSON object, or an array for --method all (documented in docs/json.md)
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub reading: ReadingArgs,
}

/// What the points of one marker lie on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum ShapeChoice {
    #[default]
    Sphere,
    Circle,
    Plane,
    Cylinder,
}

/// `condyle reproduce`.
#[derive(Debug, Args)]
#[command(after_help = REPRODUCE_EXAMPLES)]
pub struct ReproduceArgs {
    /// The document
    #[arg(value_name = "DOCUMENT")]
    pub document: DocumentName,
    /// The folder to write the page and its data to, instead of one of the document's name
    #[arg(long, short, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Write into a folder that is not empty, over files of the same names
    #[arg(long, short)]
    pub force: bool,
    /// The whole range of the document and more trials: many minutes
    #[arg(long)]
    pub full: bool,
    /// So many trials of everything, instead of each experiment's own number
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    pub trials: Option<u32>,
    /// Only these experiments, by the names of their headings in --json
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    pub only: Vec<String>,
    /// A recording for the experiments that need one, instead of those known in the folder that
    /// CONDYLE_DATA names; may be given several times
    #[arg(long, value_name = "FILE")]
    pub recording: Vec<PathBuf>,
    /// Only the experiments of this chapter, where the document is run by chapters
    #[arg(long, value_name = "N")]
    pub chapter: Option<u32>,
    /// Where the random numbers begin
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Print a JSON object on standard output (documented in docs/json.md)
    #[arg(long)]
    pub json: bool,
}

/// A document that can be re-run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum DocumentName {
    #[value(name = "aristidou-2010")]
    Aristidou2010,
    #[value(name = "knight-2008")]
    Knight2008,
    #[value(name = "obrien-2000")]
    Obrien2000,
}

/// A method by its name on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum MethodChoice {
    /// sc-gdk for one marker, mgdk for several.
    #[default]
    #[value(name = "auto")]
    Default,
    All,
    Gdke,
    Ugdk,
    #[value(name = "sc-gdk")]
    ScGdk,
    #[value(name = "sc-gdk-polished")]
    ScGdkPolished,
    Sgdk,
    #[value(name = "sgdk-printed")]
    SgdkPrinted,
    Taubin,
    Pratt,
    Hyper,
    Gander,
    Lls,
    Mle,
    Igdk,
    Mgdk,
}

impl std::fmt::Display for MethodChoice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let value = clap::ValueEnum::to_possible_value(self);
        f.write_str(value.as_ref().map_or("", |value| value.get_name()))
    }
}

impl MethodChoice {
    /// The method for one marker, where the name alone says it.
    pub fn method(self) -> Option<Method> {
        Some(match self {
            Self::Gdke => Method::Gdke,
            Self::Default | Self::ScGdk | Self::Mgdk => Method::ScGdk,
            Self::ScGdkPolished => Method::ScGdkPolished,
            Self::Sgdk => Method::Sgdk,
            Self::SgdkPrinted => Method::SgdkPrinted,
            Self::Taubin => Method::Taubin,
            Self::Pratt => Method::Pratt,
            Self::Hyper => Method::Hyper,
            Self::Gander => Method::Gander,
            Self::Lls => Method::Lls,
            Self::Mle => Method::Mle,
            Self::Igdk => Method::Igdk,
            Self::All | Self::Ugdk => return None,
        })
    }
}

pub fn not_negative(text: &str) -> Result<f64, String> {
    let sigma = text.parse::<f64>().ok().filter(|sigma| sigma.is_finite() && *sigma >= 0.0);
    sigma.ok_or_else(|| format!("need a number from 0 up, got '{text}'"))
}

/// What the caller knows better than the file.
#[derive(Debug, Args)]
#[command(next_help_heading = "Instead of what the file says")]
pub struct ReadingArgs {
    /// The unit of length of the stored numbers: m, dm, cm, mm, in, ft
    #[arg(long, value_name = "UNIT")]
    pub units: Option<LengthUnit>,
    /// Which axis is up: x, y, z, -x, -y, -z
    #[arg(long, value_name = "AXIS", allow_hyphen_values = true)]
    pub up: Option<Axis>,
    /// Frames a second
    #[arg(long, value_name = "HZ", value_parser = rate_hz, allow_negative_numbers = true)]
    pub assume_rate: Option<f64>,
    /// The skeleton of an AMC motion, instead of the ASF file beside it
    #[arg(long, value_name = "FILE.asf")]
    pub skeleton: Option<PathBuf>,
    /// Keep the coordinates of C3D samples that the file marks as invalid
    #[arg(long)]
    pub keep_invalid: bool,
    /// The names of a table's columns, where it has no header or a wrong one: tool_x,tool_y,tool_z,tool_qx,...
    #[arg(long, value_name = "A,B,...", value_delimiter = ',')]
    pub columns: Option<Vec<String>>,
    /// The axes are left-handed, as in Unity: mirror everything, z to -z
    #[arg(long)]
    pub left_handed: bool,
    /// Multiply all lengths: the scale of a tracking system (condyle scale finds it)
    #[arg(long, value_name = "FACTOR", value_parser = scale)]
    pub scale: Option<f64>,
}

fn scale(text: &str) -> Result<f64, String> {
    let factor = text.parse::<f64>().ok().filter(|factor| factor.is_finite() && *factor > 0.0);
    factor.ok_or_else(|| format!("need a positive factor, got '{text}'"))
}

impl ReadingArgs {
    /// The options in the library's words.
    pub fn options(&self) -> ReadOptions {
        ReadOptions {
            unit: self.units,
            up: self.up,
            rate_hz: self.assume_rate,
            skeleton: self.skeleton.clone(),
            keep_invalid: self.keep_invalid,
            columns: self.columns.clone(),
            is_left_handed: self.left_handed,
            scale: self.scale,
        }
    }
}

/// The first and the last frame to keep, counted from 1; `None` for an open end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FrameSpan {
    pub first: Option<usize>,
    pub last: Option<usize>,
}

fn frame_span(text: &str) -> Result<FrameSpan, String> {
    let wrong = || format!("need A:B, A:, :B or A with frames counted from 1, got '{text}'");
    let end = |text: &str| match text {
        "" => Ok(None),
        text => text.parse().ok().filter(|&frame| frame > 0).map(Some).ok_or_else(wrong),
    };
    let (first, last) = text.split_once(':').unwrap_or((text, text));
    let span = FrameSpan { first: end(first)?, last: end(last)? };
    match span {
        FrameSpan { first: None, last: None } => Err(wrong()),
        FrameSpan { first: Some(first), last: Some(last) } if first > last => {
            Err(format!("need the first frame before the last, got {first} after {last}"))
        }
        span => Ok(span),
    }
}

/// A positive frequency.
pub fn rate_hz(text: &str) -> Result<f64, String> {
    let rate_hz = text.parse::<f64>().ok().filter(|rate_hz| rate_hz.is_finite() && *rate_hz > 0.0);
    rate_hz.ok_or_else(|| format!("need a positive number of hertz, got '{text}'"))
}

/// Whether angles are smoothed: `off`, `auto` or a cutoff in hertz.
pub fn smoothing(text: &str) -> Result<Smoothing, String> {
    match text {
        "off" => Ok(Smoothing::Off),
        "auto" => Ok(Smoothing::Auto),
        _ => rate_hz(text)
            .map(Smoothing::At)
            .map_err(|_| format!("need auto, off or a positive number of hertz, got '{text}'")),
    }
}

/// A format by its extension, if it can be written.
pub fn writable_format(name: &str) -> Result<Format, String> {
    match Format::from_extension(name) {
        Some(format @ (Format::Asf | Format::Amc | Format::Mvnx | Format::Poses)) => Err(format!(
            "{format} can be read but not written: need c3d, trc, csv, bvh, glb, sto or mot"
        )),
        Some(format) => Ok(format),
        None => Err(format!("need c3d, trc, csv, bvh, glb, sto or mot, got '{name}'")),
    }
}

/// Ends with the exit code for a wrong command line, which only the work itself could see.
pub fn usage(command: &str, what: &str) -> ! {
    let mut cli = Cli::command();
    cli.build();
    match cli.find_subcommand_mut(command) {
        Some(command) => command.error(Usage::ValueValidation, what).exit(),
        None => cli.error(Usage::ValueValidation, what).exit(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn reads_spans_of_frames_with_open_ends() {
        let span = |first, last| Ok(FrameSpan { first, last });
        assert_eq!(frame_span("3:7"), span(Some(3), Some(7)));
        assert_eq!(frame_span("3:"), span(Some(3), None));
        assert_eq!(frame_span(":7"), span(None, Some(7)));
        assert_eq!(frame_span("3"), span(Some(3), Some(3)));
        assert!(frame_span("7:3").unwrap_err().contains("got 7 after 3"));
        for wrong in ["", ":", "0", "0:4", "7:3", "a:b", "1:2:3", "-1:4"] {
            assert!(frame_span(wrong).is_err(), "{wrong}");
        }
    }
}
