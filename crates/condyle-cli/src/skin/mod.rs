//! `condyle skin`: a surface that goes with a skeleton.

mod input;
mod picture;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::bail;
use clap::Args;
use condyle::format::gltf::{self, SkinnedSurface};
use condyle::format::{ReadOptions, mesh, ply};
use condyle::skin::{Blending, Skin, Surface};
use condyle::solid::TriangleMesh;
use condyle::trial::{Axis, LengthUnit};
use nalgebra::Isometry3;
use serde_json::json;

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
    Glb,
    Mesh,
    Ply,
    Png,
    Svg,
}

impl Kind {
    fn of(path: &Path) -> anyhow::Result<Self> {
        let extension = path.extension().and_then(|own| own.to_str()).unwrap_or("");
        Ok(match extension.to_ascii_lowercase().as_str() {
            "glb" => Self::Glb,
            "mesh" => Self::Mesh,
            "ply" => Self::Ply,
            "png" => Self::Png,
            "svg" => Self::Svg,
            _ => bail!("{}: need .glb, .mesh, .ply, .png or .svg to write", path.display()),
        })
    }
}

/// Binds a surface to a skeleton.
pub fn run(args: &SkinArgs) -> anyhow::Result<ExitCode> {
    let kind = Kind::of(&args.output)?;
    let output = Output::at(&args.output, args.force)?;
    let progress = Progress::through_stages("reading");
    let reading = ReadOptions { unit: args.units, up: args.up, ..ReadOptions::default() };
    let rig = Rig::read(&args.skeleton, &reading)?;
    let skeleton = rig.motion.skeleton();
    let poses = poses(&rig, args.frame)?;
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
    let colours = colours(&skin);
    let moved = |blending| skin.surface().with_vertices_m(skin.pose(&poses, blending));
    let shown = moved(args.blending);
    progress.stage("writing");
    output.write(|out| match kind {
        Kind::Glb => {
            let normals = skin.surface().normals();
            let own = SkinnedSurface {
                name: "skin",
                vertices_m: skin.vertices_m(),
                normals: &normals,
                triangles: skin.surface().triangles(),
                joints: &skin.weights().joints,
                weights: &skin.weights().weights,
            };
            Ok(gltf::write_skin(&rig.motion, rig.rate_hz, &own, rig.up, out)?)
        }
        Kind::Mesh => {
            let own = mesh::Mesh::new(shown.vertices_m(), shown.triangles(), &[])?;
            let own = own.with_colours(&colours)?;
            Ok(mesh::write(&own, mesh::Storage::Text, out).map(drop)?)
        }
        Kind::Ply => Ok(ply::write(&triangles(&shown), ply::Storage::default(), out)?),
        Kind::Png | Kind::Svg => {
            let joint_from_world = poses.first().copied().unwrap_or_default().inverse();
            let text = picture::svg(&shown, &joint_from_world, &colours);
            let bytes = if kind == Kind::Png { from_svg(&text)? } else { text.into_bytes() };
            Ok(out.write_all(&bytes)?)
        }
    })?;
    drop(progress);
    say::notes(&notes);
    let weights = skin.weights();
    let bones = condyle::skin::bones(skeleton).len();
    if args.json {
        let rest_m3 = skin.surface().volume_m3();
        let percent = |blending| 100.0 * moved(blending).volume_m3() / rest_m3;
        let value = json!({
            "vertices": skin.vertices_m().len(),
            "triangles": skin.surface().triangles().len(),
            "bones": bones,
            "largest_weight_dropped": weights.largest_dropped,
            "pieces_without_bone": skin.pieces_without_bone(),
            "open_edges": skin.surface().open_edges(),
            "volume_cm3": rest_m3 * 1e6,
            "volume_percent": {
                "linear": percent(Blending::Linear),
                "dual_quaternion": percent(Blending::DualQuaternion),
            },
            "notes": notes.iter().map(ToString::to_string).collect::<Vec<_>>(),
        });
        print_json(&value, &mut std::io::stdout().lock())?;
    }
    say::wrote(&format!(
        "{}: {} vertices, {bones} bones, at most {:.3} of a vertex dropped",
        args.output.display(),
        skin.vertices_m().len(),
        weights.largest_dropped
    ));
    Ok(ExitCode::SUCCESS)
}

/// Where the joints are in a frame, or at rest.
fn poses(rig: &Rig, frame: Option<usize>) -> anyhow::Result<Vec<Isometry3<f64>>> {
    let rest = rig.motion.skeleton().rest_positions_m();
    let mut poses: Vec<Isometry3<f64>> =
        rest.iter().map(|p| Isometry3::translation(p.x, p.y, p.z)).collect();
    if let Some(frame) = frame {
        let frames = rig.motion.frames();
        if !(1..=frames).contains(&frame) {
            bail!("frame: need 1 to {frames}, got {frame}");
        }
        rig.motion.world_from_joints(frame - 1, &mut poses)?;
    }
    Ok(poses)
}

/// Every vertex in the colours of its joints, mixed by weight.
fn colours(skin: &Skin) -> Vec<[f64; 3]> {
    let weights = skin.weights();
    let held = weights.joints.iter().zip(&weights.weights);
    let mixed = held.map(|(joints, shares)| {
        std::array::from_fn(|i| {
            joints.iter().zip(shares).map(|(joint, share)| share * colour(*joint)[i]).sum()
        })
    });
    mixed.collect()
}

/// Neighbouring numbers have colours that are far apart: a third of the circle and a little less.
fn colour(joint: u16) -> [f64; 3] {
    const STEP: f64 = 0.309;
    let turn = f64::from(joint) * STEP * std::f64::consts::TAU;
    [0.0, 1.0, 2.0].map(|part| 0.72 + 0.22 * (turn - part * std::f64::consts::TAU / 3.0).cos())
}

fn triangles(surface: &Surface) -> TriangleMesh {
    TriangleMesh {
        vertices_m: surface.vertices_m().to_vec(),
        triangles: surface.triangles().to_vec(),
    }
}
