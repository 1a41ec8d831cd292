//! `condyle skin`: a surface that goes with a skeleton.

mod input;
mod picture;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::bail;
use clap::Args;
use condyle::export::{SkinExport, SkinnedMotion};
use condyle::format::ReadOptions;
use condyle::skin::{Blending, Skin, Summary};
use condyle::trial::{Axis, LengthUnit};
use serde::Serialize;

use self::input::Rig;
use crate::figure::from_svg;
use crate::terminal::output::Output;
use crate::terminal::progress::Progress;
use crate::terminal::{print_json, say};

const EXAMPLES: &str = include_str!("help.txt").trim_ascii_end();

/// `condyle skin`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct SkinArgs {
    /// A surface of triangles, closed or nearly so: PLY, MESH or STL; without it one of our own is made
    #[arg(value_name = "SURFACE")]
    surface: Option<PathBuf>,
    /// What holds the skeleton: a file with a motion, a subject, or the model of a hand
    #[arg(long, value_name = "FILE")]
    skeleton: PathBuf,
    /// Where to write: .glb, .mesh, .ply, .png or .svg
    #[arg(short, long, value_name = "OUT.glb")]
    output: PathBuf,
    /// About so many vertices of a surface of our own
    #[arg(long, value_name = "N", default_value_t = 8000, value_parser = clap::value_parser!(u32).range(100..=500_000))]
    vertices: u32,
    /// The frame that is shown or weighed, from 1; without it the skeleton is at rest
    #[arg(long, value_name = "K")]
    frame: Option<usize>,
    /// How bones are put together where the surface is shown: linear, as files mean it, or dual-quaternion
    #[arg(long, value_name = "HOW", default_value = "linear", value_parser = blending)]
    blending: Blending,
    /// Overwrite the output if it exists
    #[arg(long, short)]
    force: bool,
    /// Print what came of it as a JSON object (documented in docs/skin.md)
    #[arg(long)]
    json: bool,
    /// The unit of length of the skeleton's numbers, instead of what its file says: m, dm, cm, mm, in, ft
    #[arg(long, value_name = "UNIT")]
    units: Option<LengthUnit>,
    /// Which axis of the skeleton is up, instead of what its file says: x, y, z, -x, -y, -z
    #[arg(long, value_name = "AXIS", allow_hyphen_values = true)]
    up: Option<Axis>,
}

fn blending(name: &str) -> Result<Blending, String> {
    match name {
        "linear" => Ok(Blending::Linear),
        "dual-quaternion" => Ok(Blending::DualQuaternion),
        _ => Err(format!("need linear or dual-quaternion, got '{name}'")),
    }
}

/// What can be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Export(SkinExport),
    Png,
    Svg,
}

impl Kind {
    fn of(path: &Path) -> anyhow::Result<Self> {
        let extension = path.extension().and_then(|own| own.to_str()).unwrap_or("");
        Ok(match extension.to_ascii_lowercase().as_str() {
            "png" => Self::Png,
            "svg" => Self::Svg,
            other => match SkinExport::from_extension(other) {
                Some(export) => Self::Export(export),
                None => bail!("{}: need .glb, .mesh, .ply, .png or .svg to write", path.display()),
            },
        })
    }
}

/// What `--json` prints.
#[derive(Serialize)]
struct Answer {
    #[serde(flatten)]
    summary: Summary,
    notes: Vec<String>,
}

/// Binds a surface to a skeleton.
pub fn run(args: &SkinArgs) -> anyhow::Result<ExitCode> {
    let kind = Kind::of(&args.output)?;
    let output = Output::at(&args.output, args.force)?;
    let progress = Progress::through_stages("reading");
    let reading = ReadOptions { unit: args.units, up: args.up, ..ReadOptions::default() };
    let rig = Rig::read(&args.skeleton, &reading)?;
    let skeleton = rig.motion.skeleton();
    let frames = rig.motion.frames();
    if let Some(frame) = args.frame.filter(|frame| !(1..=frames).contains(frame)) {
        bail!("frame: need 1 to {frames}, got {frame}");
    }
    let poses = rig.motion.poses(args.frame.map(|frame| frame - 1))?;
    let mut notes = rig.notes.clone();
    let surface = match &args.surface {
        Some(path) => {
            let (surface, own) = input::surface(path, skeleton)?;
            notes.extend(own);
            surface
        }
        None => rig.own_surface(args.vertices as usize)?,
    };
    progress.stage("binding");
    let skin = Skin::bind(surface, skeleton)?;
    let shown = skin.surface().with_vertices_m(skin.pose(&poses, args.blending));
    progress.stage("writing");
    output.write(|out| match kind {
        Kind::Export(export) => {
            let Rig { motion, rate_hz, up, .. } = &rig;
            let own =
                SkinnedMotion { skin: &skin, motion, rate_hz: *rate_hz, up: *up, shown: &shown };
            Ok(export.write(&own, out)?)
        }
        Kind::Png | Kind::Svg => {
            let joint_from_world = poses.first().copied().unwrap_or_default().inverse();
            let text = picture::svg(&shown, &joint_from_world, &skin.colours());
            let bytes = if kind == Kind::Png { from_svg(&text)? } else { text.into_bytes() };
            Ok(out.write_all(&bytes)?)
        }
    })?;
    drop(progress);
    say::notes(&notes);
    let summary = skin.summary(&poses);
    if args.json {
        let notes = notes.iter().map(ToString::to_string).collect();
        print_json(&Answer { summary, notes }, &mut std::io::stdout().lock())?;
    }
    say::wrote(&format!(
        "{}: {} vertices, {} bones, at most {:.3} of a vertex dropped",
        args.output.display(),
        summary.vertices,
        summary.bones,
        summary.largest_weight_dropped
    ));
    Ok(ExitCode::SUCCESS)
}
