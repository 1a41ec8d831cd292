//! The module in Node beside native code: the same joints.
#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test may stop at the first surprise and say what it saw"
)]

use std::path::{Path, PathBuf};
use std::process::Command;

use condyle::format::{ReadOptions, read_path, write};
use condyle::job;
use condyle::simulate::{Options, Performer, Routine, simulate};
use condyle::trial::Format;
use nalgebra::Vector3;
use serde::Deserialize;

/// The mathematical functions of the two differ in the last digit.
const MAX_APART_M: f64 = 1e-9;
const TARGET: &str = "wasm32-unknown-unknown";

/// Public recordings below `CONDYLE_DATA`.
const RECORDINGS: [&str; 6] = [
    "btkdata/PiG/PiG_Motion3_FF.c3d",
    "btkdata/trc/SprintMotion.trc",
    "cmu/01_01.c3d",
    "hdm05/HDM_dg_06-03_03_120.c3d",
    "nimble/JA1Gait35.c3d",
    "opensim/walking2.c3d",
];

/// Builds the module as a page would get it; `None` with a word if that cannot be done here.
fn module() -> Option<PathBuf> {
    let output = |program: &str, args: &[&str]| {
        let output = Command::new(program).args(args).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    if output("node", &["--version"]).is_none() {
        eprintln!("skipped: no Node");
        return None;
    }
    let library = output("rustc", &["--print", "target-libdir", "--target", TARGET]);
    if !library.is_some_and(|library| Path::new(&library).is_dir()) {
        eprintln!("skipped: no {TARGET} target; rustup target add {TARGET}");
        return None;
    }
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let built = Command::new(env!("CARGO"))
        .args(["build", "--quiet", "--release", "--package", "condyle-wasm", "--target", TARGET])
        .env("CARGO_TARGET_DIR", target)
        .status();
    assert!(built.unwrap().success());
    Some(target.join(TARGET).join("release/condyle_wasm.wasm"))
}

/// Recordings of different performers, routines and flaws, as files in a folder.
fn simulated(folder: &Path) -> Vec<PathBuf> {
    let options = |options| Options { seconds: 6.0, rate_hz: 50.0, noise_m: 1e-3, ..options };
    let walk = || Options { routine: Routine::Walk, ..Options::default() };
    let recordings = [
        ("rom", Performer::human(), Options::default()),
        ("walk", Performer::human(), walk()),
        ("gaps", Performer::human(), Options { occlusion: 0.1, dropout: 0.05, ..walk() }),
        ("skin", Performer::human(), Options { skin_m: 0.01, ..Options::default() }),
        ("pair", Performer::human(), Options { performers: 2, ..Options::default() }),
        ("swaps", Performer::human(), Options { swaps: 3, ..walk() }),
    ];
    let written = recordings.into_iter().map(|(name, performer, flaws)| {
        let trial = simulate(&performer, &options(flaws)).unwrap().trial;
        let path = folder.join(name).with_extension("c3d");
        write(&trial, Format::C3d, &mut std::fs::File::create(&path).unwrap()).unwrap();
        path
    });
    written.collect()
}

/// Every performer's joints in every frame, as Node prints them.
#[derive(Deserialize)]
struct InNode {
    ms: f64,
    performers: Vec<Vec<Vec<Option<[f64; 3]>>>>,
}

/// How far the joints of a recording are apart at most.
fn apart_m(path: &Path, in_node: &InNode) -> f64 {
    let trial = read_path(path, &ReadOptions::default()).unwrap();
    let native = job::run(trial, &job::Options::default()).unwrap();
    assert!(!native.performers.is_empty());
    assert_eq!(native.performers.len(), in_node.performers.len());
    let mut apart_m = 0f64;
    for (performer, there) in native.performers.iter().zip(&in_node.performers) {
        assert_eq!(performer.motion.joints().len(), there.len());
        for (track, there) in performer.motion.joints().iter().zip(there) {
            assert_eq!(performer.motion.frames(), there.len());
            for (here, there) in track.iter_m().zip(there) {
                assert_eq!(here.is_some(), there.is_some());
                if let (Some(here), Some(there)) = (here, there) {
                    apart_m = apart_m.max((here.coords - Vector3::from(*there)).norm());
                }
            }
        }
    }
    apart_m
}

#[test]
#[ignore = "builds the module and prints what it measured: ./check runs it"]
fn node_and_native_code_agree_on_every_joint() {
    let Some(module) = module() else { return };
    let bytes = std::fs::metadata(&module).unwrap().len();
    eprintln!("module: {:.2} MB", bytes as f64 / 1e6);
    let folder = tempfile::tempdir().unwrap();
    let mut recordings = simulated(folder.path());
    let data = std::env::var_os("CONDYLE_DATA").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
        PathBuf::from,
    );
    recordings.extend(RECORDINGS.iter().map(|name| data.join(name)).filter(|path| path.is_file()));
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/joints.mjs");
    let output = Command::new("node").arg(script).arg(module).args(&recordings).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let lines = String::from_utf8(output.stdout).unwrap();
    assert_eq!(lines.lines().count(), recordings.len());
    for (path, line) in recordings.iter().zip(lines.lines()) {
        let in_node: InNode = serde_json::from_str(line).unwrap();
        let apart_m = apart_m(path, &in_node);
        let name = path.file_name().unwrap().to_string_lossy();
        eprintln!("{name}: {apart_m:.1e} m apart, {:.0} ms", in_node.ms);
        assert!(apart_m <= MAX_APART_M, "{name}");
    }
}
