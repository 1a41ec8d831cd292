//! Solid figures: how fast they are, and their readers under damage.
//!
//! ```text
//! cargo run --release -p condyle-lab --bin solids -- speed --out target/solids   # benches/solids.py runs peers beside it
//! cargo run --release -p condyle-lab --bin solids -- damage --reader ply --seconds 600
//! ```

#![allow(clippy::print_stdout)]

use std::hint::black_box;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, bail};
use clap::{Parser, Subcommand};
use condyle::figure::{Figure, Freedom, FreedomKind, Joint, Segment};
use condyle::format::{atm, figure_motion, mesh, ply, stl};
use condyle::mannequin::Mannequin;
use condyle::physics::Physics;
use condyle::solid::{ClosedSurface, FillMethod, MassProperties, RoundCone, Solid, TriangleMesh};
use condyle::subject::Subject;
use condyle_lab::mutants::mutate::damaged;
use condyle_lab::mutants::small;
use condyle_lab::surfaces::{Filled, icosphere, processor_s, shapes, torus};
use nalgebra::{Isometry3, Point3, Translation3, UnitQuaternion, Vector3};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// Times each measurement is repeated at least, and for so long; the best and the median are printed.
const ROUNDS: usize = 25;
const LEAST_S: f64 = 0.3;

#[derive(Parser)]
struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Times, and the meshes that they are of
    Speed {
        /// Where the meshes go
        #[arg(long)]
        out: PathBuf,
    },
    /// Surfaces filled with tetrahedra: how many, how flat, how long, and whether all is right
    Surfaces {
        /// Where the surfaces go
        #[arg(long)]
        out: PathBuf,
        /// Fitted subjects: every segment is one
        #[arg(long)]
        subject: Vec<PathBuf>,
        /// Closed surfaces of others
        #[arg(long)]
        ply: Vec<PathBuf>,
    },
    /// Damaged files for a reader: no panic, and what is written of what was read reads as the same
    Damage {
        /// mesh, meshb, ply, stl, atm or figure_motion
        #[arg(long)]
        reader: String,
        #[arg(long, default_value_t = 60)]
        seconds: u64,
        #[arg(long, default_value_t = 1)]
        first_seed: u64,
    },
}

fn main() -> anyhow::Result<()> {
    match Args::parse().what {
        What::Speed { out } => speed(&out),
        What::Surfaces { out, subject, ply } => surfaces(&out, &subject, &ply),
        What::Damage { reader, seconds, first_seed } => damage(&reader, seconds, first_seed),
    }
}

fn time(name: &str, unit: &str, factor: f64, mut work: impl FnMut()) {
    let start = Instant::now();
    work();
    let rounds = ((LEAST_S / start.elapsed().as_secs_f64()) as usize).clamp(ROUNDS, 20_000);
    let before = processor_s();
    let mut seconds: Vec<f64> = (0..rounds)
        .map(|_| {
            let start = Instant::now();
            work();
            start.elapsed().as_secs_f64()
        })
        .collect();
    let used = before.zip(processor_s()).map(|(before, after)| after - before);
    seconds.sort_by(f64::total_cmp);
    let [best, median] = [0, rounds / 2].map(|at| seconds[at] * factor);
    let used = used.map_or(f64::NAN, |used| used / rounds as f64 * factor);
    println!(
        "{name:<46} {best:>12.3} best {median:>12.3} median {used:>12.3} of the processor, {unit}"
    );
}

fn speed(out: &Path) -> anyhow::Result<()> {
    std::fs::create_dir_all(out)?;
    let sphere = icosphere(4)?;
    let torus = torus(64, 32)?;
    for (name, own) in [("sphere", &sphere), ("torus", &torus)] {
        write_ply(own, &out.join(format!("{name}.ply")))?;
    }
    println!("sphere {} faces, torus {} faces", sphere.triangles().len(), torus.triangles().len());
    for (name, own) in [("sphere", &sphere), ("torus", &torus)] {
        time(&format!("{name}: mass of the surface"), "us", 1e6, || {
            black_box(own.mass_properties(black_box(1000.0)));
        });
        time(&format!("{name}: tetrahedra"), "ms", 1e3, || {
            black_box(own.fill(FillMethod::Any).is_ok());
        });
        let filled = own.fill(FillMethod::Any).map_err(|fault| anyhow::anyhow!("{fault}"))?;
        let off = filled.mass_properties(1.0).volume_m3 / own.mass_properties(1.0).volume_m3 - 1.0;
        let count = filled.tetrahedra().len();
        let least = filled.smallest_dihedral_rad().to_degrees();
        println!(
            "{name}: {count} tetrahedra, volume off by {off:.1e}, smallest dihedral angle {least:.2e} degrees"
        );
        time(&format!("{name}: mass of a tetrahedron"), "ns", 1e9 / count as f64, || {
            black_box(filled.mass_properties(black_box(1000.0)));
        });
    }
    files(&sphere, out)?;
    figures()
}

/// A line a surface, for `benches/solids.py`, which puts TetGen beside it; the surfaces as PLY.
fn surfaces(out: &Path, subjects: &[PathBuf], plies: &[PathBuf]) -> anyhow::Result<()> {
    std::fs::create_dir_all(out)?;
    let mut all: Vec<(String, ClosedSurface)> =
        shapes()?.into_iter().map(|(name, own)| (name.to_owned(), own)).collect();
    let closed = |own: TriangleMesh| {
        ClosedSurface::new(own.vertices_m, own.triangles).map_err(|fault| anyhow!("{fault}"))
    };
    let stem = |path: &Path| path.file_stem().map(|own| own.to_string_lossy().into_owned());
    for path in plies {
        let (own, _) = ply::read(&std::fs::read(path)?).map_err(|error| error.with_path(path))?;
        all.push((stem(path).unwrap_or_default(), closed(own)?));
    }
    for path in subjects {
        let subject = Subject::from_json(&std::fs::read_to_string(path)?)?;
        for own in Mannequin::of_subject(&subject, None)?.figure.segments() {
            let surface = TriangleMesh {
                vertices_m: own.solid.vertices_m().to_vec(),
                triangles: own.solid.triangles().to_vec(),
            };
            let surface = surface.welded();
            all.push((
                format!("{}: {}", stem(path).unwrap_or_default(), own.name),
                closed(surface)?,
            ));
        }
    }
    println!(
        "surface\tfaces\twhole\ttetrahedra\tadded\tinverted\tdegrees\tvolume off\tarea off\tpoints right\tms\tfile"
    );
    for (number, (name, surface)) in all.iter().enumerate() {
        let file = out.join(format!("{number}.ply"));
        write_ply(surface, &file)?;
        let own = Filled::of(surface).with_context(|| name.clone())?;
        println!(
            "{name}\t{}\t{}\t{}\t{}\t{}\t{:.2}\t{:.0e}\t{:.0e}\t{}\t{:.2}\t{}",
            own.faces,
            own.whole_faces,
            own.tetrahedra,
            own.added,
            own.inverted,
            own.smallest_dihedral_deg,
            own.volume_error,
            own.area_error,
            own.points_right,
            own.mean_ms,
            file.display()
        );
    }
    Ok(())
}

fn write_ply(own: &ClosedSurface, path: &Path) -> anyhow::Result<()> {
    let surface =
        TriangleMesh { vertices_m: own.vertices_m().to_vec(), triangles: own.triangles().to_vec() };
    let mut bytes = Vec::new();
    ply::write(&surface, ply::Storage::LittleEndian, &mut bytes)?;
    Ok(std::fs::write(path, bytes)?)
}

fn files(sphere: &ClosedSurface, out: &Path) -> anyhow::Result<()> {
    // Many spheres in one file, of about 50 MB as text.
    let (mut vertices_m, mut triangles) = (Vec::new(), Vec::new());
    for copy in 0..150u32 {
        let first = vertices_m.len() as u32;
        let off = Vector3::new(f64::from(copy), 0.1, 0.0);
        vertices_m.extend(sphere.vertices_m().iter().map(|vertex_m| vertex_m + off));
        triangles.extend(sphere.triangles().iter().map(|own| own.map(|at| at + first)));
    }
    let own = mesh::Mesh::new(&vertices_m, &triangles, &[])?;
    for (name, storage) in
        [("MESH text", mesh::Storage::Text), ("MESH binary", mesh::Storage::LittleEndian)]
    {
        let mut bytes = Vec::new();
        mesh::write(&own, storage, &mut bytes)?;
        let size = bytes.len() as f64 * 1e-6;
        let mut copy = vec![0u8; bytes.len()];
        println!("{name}: {size:.1} MB");
        let [path, other] = ["file", "copy"].map(|own| out.join(own));
        std::fs::write(&path, &bytes)?;
        time(&format!("{name}: copying the file"), "ms", 1e3, || {
            black_box(std::fs::copy(&path, &other).is_ok());
        });
        time(&format!("{name}: reading the file"), "ms", 1e3, || {
            black_box(mesh::read_path(&path).is_ok());
        });
        time(&format!("{name}: writing the file"), "ms", 1e3, || {
            let written = std::fs::File::create(&other)
                .is_ok_and(|mut file| mesh::write(&own, storage, &mut file).is_ok());
            black_box(written);
        });
        time(&format!("{name}: copying it in memory"), "ms", 1e3, || {
            copy.copy_from_slice(black_box(&bytes));
            black_box(&copy);
        });
        time(&format!("{name}: reading it"), "ms", 1e3, || {
            black_box(mesh::read(black_box(&bytes)).is_ok());
        });
        time(&format!("{name}: writing it"), "ms", 1e3, || {
            copy.clear();
            black_box(mesh::write(&own, storage, &mut copy).is_ok());
        });
    }
    Ok(())
}

/// Sixteen segments of 640 vertices in a tree.
fn crowd_member(sphere: &ClosedSurface) -> anyhow::Result<Figure> {
    let turn = |axis: usize| Freedom {
        kind: FreedomKind::Rotation,
        axis: nalgebra::Unit::new_unchecked(Vector3::ith(axis, 1.0)),
        limits: [-3.0, 3.0],
        value: 0.0,
    };
    let segment = |at: usize| {
        let off = Vector3::new(0.1 * at as f64, 0.0, 0.3 * at as f64);
        let solid = Solid::from(sphere.clone()).mapped(|vertex_m| vertex_m + off);
        Segment {
            name: format!("segment {at}"),
            parent: (at > 0).then(|| (at - 1) / 2),
            mass: solid.mass_properties(1000.0),
            solid,
            joint: Joint {
                name: format!("joint {at}"),
                centre_m: Point3::from(off),
                freedoms: vec![turn(2), turn(0), turn(1)],
            },
        }
    };
    Ok(Figure::new("crowd", (0..16).map(segment).collect())?)
}

fn figures() -> anyhow::Result<()> {
    let small = icosphere(3)?;
    let figure = crowd_member(&small)?;
    let vertices = figure.segments().iter().map(|own| own.solid.vertices_m().len()).sum::<usize>();
    println!("figure: 16 segments, {vertices} vertices, {} freedoms", figure.freedom_count());
    let values: Vec<f64> = (0..figure.freedom_count()).map(|at| (at as f64).sin()).collect();
    let mut pose = figure.rest_pose();
    let mut vertices_m = Vec::new();
    time("posing 1000 figures without vertices", "ms", 1e3, || {
        for _ in 0..1000 {
            figure.pose(black_box(&values), &mut pose);
            black_box(&pose);
        }
    });
    time("posing one with all vertices", "us", 1e6, || {
        figure.pose(black_box(&values), &mut pose);
        pose.vertices_m(&figure, &mut vertices_m);
        black_box(&vertices_m);
    });
    // 3,421 frames of 16 bodies that swing.
    let bodies: Vec<MassProperties> = figure.segments().iter().map(|own| own.mass).collect();
    let place = |frame: usize, body: usize| {
        let t = frame as f64 / 120.0;
        let turn = UnitQuaternion::from_euler_angles(t, 0.1 * body as f64, (2.0 * t).sin());
        Some(Isometry3::from_parts(Translation3::new(t, 0.1 * body as f64, 1.0), turn))
    };
    let poses: Vec<Vec<Option<Isometry3<f64>>>> =
        (0..3421).map(|frame| (0..16).map(|body| place(frame, body)).collect()).collect();
    let mut trial = condyle::Trial::new(condyle::trial::Format::C3d, 120.0);
    trial.frames = 3421;
    let mut text = Vec::new();
    time("physics of 3421 frames, and its table", "ms", 1e3, || {
        let physics =
            Physics::of_bodies(&bodies, 3421, 120.0, Some(Vector3::z()), |f, b| poses[f][b]);
        text.clear();
        black_box(physics.write_csv(&trial, &mut text).is_ok());
    });
    Ok(())
}

fn damage(reader: &str, seconds: u64, first_seed: u64) -> anyhow::Result<()> {
    let mut files: Vec<Vec<u8>> = small::files()?
        .into_iter()
        .filter(|own| own.target == reader || own.target == "mesh" && reader == "meshb")
        .filter(|own| reader != "meshb" || own.name.contains("Endian"))
        .map(|own| own.bytes)
        .collect();
    if reader == "stl" {
        let ball = RoundCone { ends_m: [Point3::origin(); 2], radii_m: [0.1; 2] }.surface(4);
        let ball = ball.context("ball")?;
        let own = TriangleMesh {
            vertices_m: ball.vertices_m().to_vec(),
            triangles: ball.triangles().to_vec(),
        };
        let mut bytes = Vec::new();
        stl::write(&own, &mut bytes)?;
        let text = "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\n\
                    endfacet\nendsolid a\n";
        files = vec![bytes, text.as_bytes().to_vec()];
    }
    let check: fn(&[u8]) -> bool = match reader {
        "mesh" | "meshb" => of_mesh,
        "ply" => of_ply,
        "stl" => of_stl,
        "atm" => of_atm,
        "figure_motion" => of_motion,
        other => bail!("reader: need mesh, meshb, ply, stl, atm or figure_motion, got '{other}'"),
    };
    if files.is_empty() {
        bail!("reader: need a small file to damage, got none");
    }
    let start = Instant::now();
    let (mut seed, mut read, mut slowest) = (first_seed, 0u64, Duration::ZERO);
    // Files that were read are damaged further, so that damage adds up.
    let mut pool = files.clone();
    while start.elapsed() < Duration::from_secs(seconds) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        // Every other one from the start: what was read may have become short, with little left to damage.
        let from = if seed % 2 == 0 { &files } else { &pool };
        let [own, other] = [0, 7].map(|step| &from[(seed as usize * 31 + step) % from.len()]);
        let bytes = damaged(own, other, &mut rng);
        let begin = Instant::now();
        let Ok(is_read) = catch_unwind(|| check(&bytes)) else {
            let path = std::env::temp_dir().join(format!("{reader}-{seed}"));
            std::fs::write(&path, &bytes)?;
            bail!("{reader}: panic with seed {seed}, its input is {}", path.display());
        };
        slowest = slowest.max(begin.elapsed());
        read += u64::from(is_read);
        if is_read && bytes.len() < 1 << 16 {
            let at = seed as usize % 4096;
            if at < pool.len() && at >= files.len() {
                pool[at] = bytes;
            } else if pool.len() < 4096 {
                pool.push(bytes);
            }
        }
        seed += 1;
    }
    let inputs = seed - first_seed;
    println!(
        "{reader}: {inputs} damaged files, {read} of them read, no panic, slowest {slowest:?}"
    );
    Ok(())
}

fn of_mesh(bytes: &[u8]) -> bool {
    let Ok((own, _)) = mesh::read(bytes) else { return false };
    let _ = own.solid();
    let mut text = Vec::new();
    assert!(mesh::write(&own, mesh::Storage::Text, &mut text).is_ok());
    assert!(mesh::read(&text).is_ok_and(|(again, _)| again == own));
    let [little, big] = [mesh::Storage::LittleEndian, mesh::Storage::BigEndian].map(|storage| {
        let mut bytes = Vec::new();
        assert!(mesh::write(&own, storage, &mut bytes).is_ok());
        mesh::read(&bytes).map(|own| own.0)
    });
    assert!(matches!((little, big), (Ok(little), Ok(big)) if little == big));
    true
}

fn of_ply(bytes: &[u8]) -> bool {
    let Ok((own, _)) = ply::read(bytes) else { return false };
    for storage in [ply::Storage::Text, ply::Storage::LittleEndian, ply::Storage::BigEndian] {
        let mut bytes = Vec::new();
        assert!(ply::write(&own, storage, &mut bytes).is_ok());
        assert!(ply::read(&bytes).is_ok_and(|(again, _)| again == own));
    }
    let _ = ClosedSurface::new(own.vertices_m, own.triangles);
    true
}

fn of_stl(bytes: &[u8]) -> bool {
    let Ok(own) = stl::read(bytes) else { return false };
    let mut written = Vec::new();
    if stl::write(&own, &mut written).is_ok() {
        let again = stl::read(&written);
        assert!(again.is_ok_and(|again| again.triangles == own.triangles));
    }
    let welded = own.welded();
    let _ = ClosedSurface::new(welded.vertices_m, welded.triangles);
    true
}

fn ball() -> condyle::Result<Solid> {
    let ball = RoundCone { ends_m: [Point3::origin(); 2], radii_m: [0.1; 2] }.surface(6);
    ball.map(Solid::from).ok_or_else(|| condyle::Error::malformed("no ball"))
}

fn of_atm(bytes: &[u8]) -> bool {
    let Ok(own) = atm::read(bytes) else { return false };
    assert!(atm::read(own.to_text().as_bytes()).is_ok_and(|again| again == own));
    if own.segments.len() > 50 {
        return true;
    }
    let Ok(figure) = own.figure(|_| ball()) else { return true };
    let mut pose = figure.rest_pose();
    figure.pose(&figure.values(), &mut pose);
    true
}

fn of_motion(bytes: &[u8]) -> bool {
    const FIGURE: &[u8] =
        b"FIGURE f\nSEGMENTS 1\nMESH 0 a.mesh\nNAME A\nJOINT j\n3 0 0 0\nDEGREES_OF_FREEDOM 1 1\n\
VALUE 0 3 1 0 0 FROM -90 TO 90\nVALUE 0 3 0 0 1 FROM 0 TO 1\nENDMESH\nENDFIGURE\n";
    let Ok(figure) = atm::read(FIGURE).and_then(|own| own.figure(|_| ball())) else { return false };
    let Ok(own) = figure_motion::read(bytes, &figure) else { return false };
    let mut values = Vec::new();
    assert!(own.values(&figure, 0.5, &mut values).is_ok());
    let mut bytes = Vec::new();
    assert!(figure_motion::write(&own, &figure, &mut bytes).is_ok());
    assert!(figure_motion::read(&bytes, &figure).is_ok());
    true
}
