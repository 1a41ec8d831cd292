//! `condyle hand`: from a hand's back and finger tips to all of its joints.

mod calibrate;
mod json;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::{Args, Subcommand};
use condyle::Trial;
use condyle::hand::{
    Assignment, CalibrateOptions, ExchangeWatch, FINGERS, Followed, Found, Method, Model, Options,
    Side, Tracker, follow,
};
use condyle::statistics::median;
use condyle::trial::{Format, Note};
use nalgebra::Point3;

use crate::options::ReadingArgs;
use crate::terminal::output::Output;
use crate::terminal::progress::Progress;
use crate::terminal::{input, say};

const EXAMPLES: &str = include_str!("help.txt").trim_ascii_end();

/// `condyle hand`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct HandArgs {
    #[command(subcommand)]
    command: Option<HandCommand>,
    /// The recording, in any format that can be read
    #[arg(value_name = "RECORDING", required = true)]
    input: Option<PathBuf>,
    /// Where to write: csv, trc, c3d, bvh, glb or parquet
    #[arg(short, long, value_name = "OUT.csv", required = true)]
    output: Option<PathBuf>,
    #[command(flatten)]
    hand: WhichArgs,
    /// The model that `condyle hand calibrate` wrote, or one of your own
    #[arg(long, value_name = "MODEL.toml")]
    model: Option<PathBuf>,
    /// How fingers are posed: closed, fabrik, document, unlimited
    #[arg(long, value_name = "METHOD", default_value = "closed", value_parser = method)]
    method: Method,
    /// Overwrite the output if it exists
    #[arg(long, short)]
    force: bool,
    /// Print what came of it as a JSON object (documented in docs/hand.md)
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    reading: ReadingArgs,
}

/// What else can be done.
#[derive(Debug, Subcommand)]
enum HandCommand {
    /// Fit a model of a hand to recordings in which it opens, closes and spreads
    Calibrate(calibrate::CalibrateArgs),
}

/// Which hand, and which markers.
#[derive(Debug, Args)]
pub struct WhichArgs {
    /// left, right or auto: by how the fingers bend
    #[arg(long, value_name = "SIDE", default_value = "auto", value_parser = side)]
    side: Which,
    /// Three markers on the back, then the tips of thumb, index, middle, ring and little finger
    #[arg(long, value_name = "A,B,C,T,I,M,R,L", value_delimiter = ',')]
    markers: Vec<String>,
    /// From the wrist to the tip of the middle finger, if that was measured
    #[arg(long, value_name = "MM")]
    hand_length_mm: Option<f64>,
}

/// A side, or none said.
#[derive(Debug, Clone, Copy)]
struct Which(Option<Side>);

fn side(name: &str) -> Result<Which, String> {
    match name {
        "auto" => Ok(Which(None)),
        _ => name
            .parse()
            .map(|side| Which(Some(side)))
            .map_err(|_| format!("need left, right or auto, got '{name}'")),
    }
}

fn method(name: &str) -> Result<Method, String> {
    let found = Method::ALL.into_iter().find(|method| method.name() == name);
    found.ok_or_else(|| format!("need {}, got '{name}'", Method::ALL.map(Method::name).join(", ")))
}

impl WhichArgs {
    /// The markers by what they are called, or where nothing is by where they are.
    fn find(
        &self,
        labels: &[&str],
        frames: &[Vec<Option<Point3<f64>>>],
    ) -> condyle::Result<(Found, Option<Note>)> {
        match self.markers.as_slice() {
            [] => {
                Found::by_names(labels, self.side.0).map(|found| (found, None)).or_else(|error| {
                    let found = Found::by_place(frames).map_err(|_| error)?;
                    let name = |column: usize| labels.get(column).copied().unwrap_or("");
                    let back: Vec<&str> = found.palm.iter().map(|column| name(*column)).collect();
                    let tips = FINGERS.iter().zip(found.tips);
                    let tips: Vec<String> = tips
                        .filter_map(|(finger, tip)| Some(format!("{finger} {}", name(tip?))))
                        .collect();
                    let text = format!(
                        "names say nothing of a hand; by where they are: back {}, {}",
                        back.join(", "),
                        tips.join(", ")
                    );
                    Ok((found, Some(Note::new("hand-markers-by-place", text))))
                })
            }
            list => Ok((Found::by_list(labels, list)?, None)),
        }
    }

    fn options(&self, found: &Found) -> CalibrateOptions {
        CalibrateOptions {
            side: self.side.0.or(found.side),
            hand_length_m: self.hand_length_mm.map(|mm| mm * 1e-3),
            tips_alone: false,
        }
    }
}

/// Follows a hand, or calibrates one.
pub fn run(args: &HandArgs) -> anyhow::Result<ExitCode> {
    if let Some(HandCommand::Calibrate(args)) = &args.command {
        return calibrate::run(args);
    }
    let (Some(path), Some(output)) = (&args.input, &args.output) else {
        bail!("need a recording and a file to write: -o OUT.csv")
    };
    let target = Target::at(output, args.force)?;
    let progress = Progress::through_stages("reading");
    let trial = input::read(path, &args.reading.options())?;
    let at_fault = |error: condyle::Error| error.with_path(path);
    let mut notes: Vec<Note> = trial.notes.clone();
    progress.stage("following");
    let labels = trial.labels();
    let model = model(args, &trial, &mut notes).map_err(|error| match error.downcast() {
        Ok(error) => anyhow::Error::from(at_fault(error)),
        Err(error) => error,
    })?;
    let assignment = Assignment::by_model(&model, &labels).or_else(|error| {
        // A recording without names, and a model that knows distances.
        let frames = calibrate::frames(&trial);
        let (found, note) = args.hand.find(&labels, &frames).map_err(|_| error)?;
        notes.extend(note);
        Assignment::by_shape(&model, &found, &frames)
    });
    let assignment = assignment.map_err(at_fault)?;
    let options = Options { method: args.method, ..Options::default() };
    let watch = ExchangeWatch::new(&model, &assignment, trial.rate_hz, options.noise_m);
    let mut watch = watch.map_err(at_fault)?;
    let mut tracker = Tracker::new(&model, assignment, trial.rate_hz, options).map_err(at_fault)?;
    let followed = follow(&trial, &mut tracker, Some(&mut watch));
    notes.extend(remarks(&followed));
    notes.extend(exchanged(&trial, &model, &watch));
    progress.stage("writing");
    notes.extend(target.write(&followed, &trial)?);
    drop(progress);
    say::notes(&notes);
    if args.json {
        json::print(&followed, &trial, tracker.assignment(), &notes)?;
    }
    let posed = followed.frames_posed();
    say::wrote(&format!(
        "{}: {} hand, {} joints, {posed} of {} frames",
        output.display(),
        followed.model.side,
        followed.model.joint_names().len(),
        trial.frames
    ));
    Ok(ExitCode::SUCCESS)
}

/// The model of a file, or one calibrated on the recording itself.
fn model(args: &HandArgs, trial: &Trial, notes: &mut Vec<Note>) -> anyhow::Result<Model> {
    if let Some(path) = &args.model {
        let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
        let mut model = Model::from_toml(&text).map_err(|error| error.with_path(path))?;
        if let Some(side) = args.hand.side.0 {
            model.side = side;
        }
        return Ok(model);
    }
    let labels = trial.labels();
    let frames = calibrate::frames(trial);
    let (found, note) = args.hand.find(&labels, &frames)?;
    notes.extend(note);
    let options = args.hand.options(&found);
    let calibrated = condyle::hand::calibrate(&frames, &labels, &found, &options)?;
    let text =
        "no model: the hand is calibrated on this recording; lengths of bones stay about as usual";
    notes.push(Note::new("hand-calibrated-here", text));
    Ok(calibrated.model)
}

/// Markers on the back that are farther from those of the model are not those.
const MOST_UNLIKE_M: f64 = 4e-3;

/// What a user should know.
fn remarks(followed: &Followed) -> Vec<Note> {
    let mut notes = Vec::new();
    let unposed = followed.poses.len() - followed.frames_posed();
    let text = "frames without a pose: of the markers on the back fewer than two are where the model has them";
    notes.extend(Note::counted(unposed, "hand-not-placed", text));
    for (index, finger) in followed.model.fingers.iter().enumerate() {
        let lost = followed.poses.iter().filter(|pose| pose.fingers[index].lost_frames > 0).count();
        if lost == followed.poses.len() && lost > 0 {
            let text =
                format!("{}: its tip is never seen; the finger is drawn straight", finger.name);
            notes.push(Note::new("tip-never-seen", text));
        }
    }
    let off = followed.poses.iter().filter(|pose| pose.is_placed()).map(|pose| pose.palm_rms_m);
    if let Some(off_m) = median(off).filter(|off_m| *off_m > MOST_UNLIKE_M) {
        let text = format!(
            "markers on the back are {:.3} mm off those of the model: another hand, other markers, or another unit?",
            off_m * 1e3
        );
        notes.push(Note::new("hand-unlike-model", text));
    }
    if followed.frames_posed() == 0 && !followed.poses.is_empty() {
        let text = "no frame shows the markers on the back as the model has them: another hand, other markers, or another unit?";
        notes.push(Note::new("hand-unlike-model", text));
    }
    if bends_backwards(followed) {
        let text = "fingers are held by their limits nearly all the time: a left model on a right hand, or the other way round?";
        notes.push(Note::new("hand-other-side", text));
    }
    notes
}

/// Tips whose labels changed places.
fn exchanged(trial: &Trial, model: &Model, watch: &ExchangeWatch) -> Option<Note> {
    let said: Vec<String> = watch
        .exchanges()
        .iter()
        .map(|exchange| {
            let [a, b] = exchange.fingers.map(|finger| model.fingers[finger].name.as_str());
            format!("{a} and {b} from frame {}", trial.frame_number(exchange.frame))
        })
        .collect();
    let text = format!("tips were exchanged and are put back: {}", said.join("; "));
    (!said.is_empty()).then(|| Note::new("tips-exchanged", text))
}

/// Whether fingers seem to bend backwards: the model is of the other side.
fn bends_backwards(followed: &Followed) -> bool {
    let placed = followed.frames_posed();
    let [held, _] = followed.limits_and_repairs();
    let far = followed.tip_residual_m().is_some_and(|rms_m| rms_m > 0.02);
    placed > 0 && far && 10 * held > 9 * placed
}

/// Where the joints are written.
struct Target<'a> {
    path: &'a Path,
    kind: Kind,
    output: Output,
}

enum Kind {
    Table,
    Parquet,
    Points(Format),
    Skeleton(Format),
}

impl<'a> Target<'a> {
    fn at(path: &'a Path, is_forced: bool) -> anyhow::Result<Self> {
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or("");
        let kind = match extension {
            "csv" => Kind::Table,
            "trc" => Kind::Points(Format::Trc),
            "c3d" => Kind::Points(Format::C3d),
            "bvh" => Kind::Skeleton(Format::Bvh),
            "glb" => Kind::Skeleton(Format::Gltf),
            "parquet" => Kind::Parquet,
            _ => bail!(
                "{}: need csv, trc, c3d, bvh, glb or parquet to write, got '{extension}'",
                path.display()
            ),
        };
        Ok(Self { path, kind, output: Output::at(path, is_forced)? })
    }

    fn write(self, followed: &Followed, trial: &Trial) -> anyhow::Result<Vec<Note>> {
        let path = self.path;
        let named = |error: condyle::Error| error.with_path(path);
        match self.kind {
            Kind::Table => {
                self.output
                    .write(|mut out| Ok(followed.write_csv(trial, &mut out).map_err(named)?))?;
                Ok(Vec::new())
            }
            Kind::Points(format) => {
                let mut joints = followed.joint_trial(trial);
                joints.channels.clear();
                self.output
                    .write(|out| Ok(condyle::format::write(&joints, format, out).map_err(named)?))
            }
            #[cfg(feature = "parquet")]
            Kind::Parquet => {
                let joints = followed.joint_trial(trial);
                self.output
                    .write(|out| Ok(condyle::format::parquet::write(&joints, out).map_err(named)?))
            }
            #[cfg(not(feature = "parquet"))]
            Kind::Parquet => bail!("{}: built without parquet", path.display()),
            Kind::Skeleton(format) => {
                let Some(motion) = followed.motion().map_err(named)? else {
                    bail!("{}: need a frame in which the hand is placed, got none", path.display());
                };
                let mut moving = followed.joint_trial(trial);
                moving.markers.clear();
                moving.channels.clear();
                moving.motion = Some(motion);
                self.output
                    .write(|out| Ok(condyle::format::write(&moving, format, out).map_err(named)?))
            }
        }
    }
}
