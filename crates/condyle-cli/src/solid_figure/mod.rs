//! `condyle figure`: solid figures from subjects and files.

mod input;
mod json;
mod write;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Args;
use condyle::figure::Figure;
use condyle::format::figure_motion;
use condyle::format::gltf::FigureFrames;
use condyle::trial::Note;

use crate::terminal::{say, table};

pub use input::{Body, read};

const EXAMPLES: &str = include_str!("help.txt").trim_ascii_end();

/// `condyle figure`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct FigureArgs {
    /// A subject that condyle fit or condyle run wrote, or an ATM, MESH, PLY or STL file
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Where to write it: .atm with its meshes beside it, .mesh, .meshb, .ply, .stl, .glb, or .png, a picture
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// How tall the figure shall be, in metres; without it as tall as it is
    #[arg(long, value_name = "M", value_parser = positive, allow_negative_numbers = true)]
    height_m: Option<f64>,
    /// What it shall weigh, in kilograms; without it 70 for people, and what its volume weighs as water for others
    #[arg(long, value_name = "KG", value_parser = positive, allow_negative_numbers = true)]
    weight_kg: Option<f64>,
    /// Fill surfaces with tetrahedra
    #[arg(long)]
    solid: bool,
    /// Move it by a motion file that condyle analyse wrote, or somebody by hand; needs a .glb to write
    #[arg(long, value_name = "M.motion", requires = "output")]
    motion: Option<PathBuf>,
    /// Frames a second of the motion
    #[arg(long, value_name = "HZ", value_parser = rate, allow_negative_numbers = true, default_value_t = 30.0)]
    rate: f64,
    /// Overwrite what is there
    #[arg(long, short)]
    force: bool,
    /// Print a JSON object (documented in docs/figure.md)
    #[arg(long)]
    json: bool,
}

fn positive(text: &str) -> Result<f64, String> {
    let value = text.parse::<f64>().ok().filter(|value| (1e-3..=1e4).contains(value));
    value.ok_or_else(|| format!("need 0.001 to 10000, got '{text}'"))
}

fn rate(text: &str) -> Result<f64, String> {
    let value = text.parse::<f64>().ok().filter(|value| (1e-2..=1e5).contains(value));
    value.ok_or_else(|| format!("need 0.01 to 100000 frames a second, got '{text}'"))
}

/// Makes, weighs, writes.
pub fn run(args: &FigureArgs) -> anyhow::Result<ExitCode> {
    let target =
        args.output.as_deref().map(|path| write::Target::at(path, args.force)).transpose()?;
    if args.motion.is_some() && !target.as_ref().is_some_and(write::Target::moves) {
        bail!("a motion is written as .glb alone: need -o OUT.glb");
    }
    let Body { mut figure, mut height_m, mut notes } = read(&args.file, args.weight_kg)?;
    if let Some(wanted_m) = args.height_m {
        figure = figure.scaled(wanted_m / height_m);
        height_m = wanted_m;
    }
    if let Some(kg) = args.weight_kg {
        figure = figure.with_mass_kg(kg);
    }
    if args.solid {
        figure = figure.filled().with_context(|| args.file.display().to_string())?;
    }
    let moved = args.motion.as_deref().map(|path| {
        let named = |error: condyle::Error| error.with_path(path);
        let bytes = std::fs::read(path).with_context(|| path.display().to_string())?;
        let motion = figure_motion::read(&bytes, &figure).map_err(named)?;
        motion.frames(&figure, args.rate).map_err(anyhow::Error::from)
    });
    let moved = moved.transpose()?;
    let held = moved.as_ref().map_or(0, |moved| moved.held);
    let text = "values outside the limits of their freedoms were held there";
    notes.extend(Note::counted(held, "freedoms-held", text));
    if let Some(target) = target {
        let frames = moved.as_ref().map(|moved| moved.world_from_rest.as_slice());
        let frames =
            frames.map(|world_from_rest| FigureFrames { world_from_rest, rate_hz: args.rate });
        for path in target.write(&figure, frames)? {
            say::wrote(&path.display().to_string());
        }
    }
    if args.json {
        json::print(&figure, height_m, &notes)?;
    } else {
        say::notes(&notes);
        print(&figure, height_m)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn print(figure: &Figure, height_m: f64) -> anyhow::Result<()> {
    let header = ["segment", "on", "kg", "litres", "freedoms"];
    let mut rows = table::table(&header, 2);
    for segment in figure.segments() {
        let on = segment.parent.map_or("", |at| &figure.segments()[at].name);
        rows.add_row([
            segment.name.clone(),
            on.to_owned(),
            format!("{:.3}", segment.mass.mass_kg),
            format!("{:.3}", 1e3 * segment.mass.volume_m3),
            segment.joint.freedoms.len().to_string(),
        ]);
    }
    let mut out = anstream::stdout();
    table::print(&rows, "", &mut out)?;
    let (kg, count) = (figure.mass_kg(), figure.freedom_count());
    anstream::println!("{height_m:.3} m tall, {kg:.3} kg, {count} freedoms");
    Ok(())
}
