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
use condyle_workbench::{Places, Step};
use nalgebra::Vector3;
use serde::Deserialize;

/// The mathematical functions of the two differ in the last digit.
const MAX_APART_M: f64 = 1e-9;

/// Public recordings below `CONDYLE_DATA`.
const RECORDINGS: [&str; 6] = [
    "btkdata/PiG/PiG_Motion3_FF.c3d",
    "btkdata/trc/SprintMotion.trc",
    "cmu/01_01.c3d",
    "hdm05/HDM_dg_06-03_03_120.c3d",
    "nimble/JA1Gait35.c3d",
    "opensim/walking2.c3d",
];

/// The module as a page would get it; `None` with a word if it cannot be run or built here.
fn module() -> Option<PathBuf> {
    if Command::new("node").arg("--version").output().is_err() {
        eprintln!("skipped: no Node");
        return None;
    }
    built(condyle_workbench::module)
}

/// What a step of the build made.
fn built(step: impl Fn(&Places) -> anyhow::Result<Step>) -> Option<PathBuf> {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap().to_owned();
    let places = Places { target, ..Places::of_this_repository() };
    step(&places).unwrap().built(|why| eprintln!("skipped: {why}"))
}

fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name)
}

/// Runs Node; what it said, or panics with that.
fn node(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let said = [output.stdout, output.stderr].map(|own| String::from_utf8_lossy(&own).into_owned());
    assert!(output.status.success(), "{}{}", said[0], said[1]);
    said.into_iter().next().unwrap()
}

/// Recordings of different performers, routines and flaws, as files in a folder.
fn simulated(folder: &Path) -> Vec<PathBuf> {
    let options = |options: Options| {
        let seconds = options.seconds.min(6.0);
        Options { seconds, rate_hz: 50.0, noise_m: 1e-3, ..options }
    };
    let walk = || Options { routine: Routine::Walk, ..Options::default() };
    let recordings = [
        ("rom", Performer::human(), Options::default()),
        ("walk", Performer::human(), walk()),
        ("gaps", Performer::human(), Options { occlusion: 0.1, dropout: 0.05, ..walk() }),
        ("skin", Performer::human(), Options { skin_m: 0.01, ..Options::default() }),
        ("pair", Performer::human(), Options { performers: 2, ..Options::default() }),
        ("swaps", Performer::human(), Options { swaps: 3, ..walk() }),
        ("short", Performer::human(), Options { seconds: 2.0, ..Options::default() }),
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
    let folder = tempfile::tempdir().unwrap();
    let mut recordings = simulated(folder.path());
    let data = std::env::var_os("CONDYLE_DATA").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
        PathBuf::from,
    );
    recordings.extend(RECORDINGS.iter().map(|name| data.join(name)).filter(|path| path.is_file()));
    let lines = node(Command::new("node").arg(script("joints.mjs")).arg(module).args(&recordings));
    assert_eq!(lines.lines().count(), recordings.len());
    for (path, line) in recordings.iter().zip(lines.lines()) {
        let in_node: InNode = serde_json::from_str(line).unwrap();
        let apart_m = apart_m(path, &in_node);
        let name = path.file_name().unwrap().to_string_lossy();
        eprintln!("{name}: {apart_m:.1e} m apart, {:.0} ms", in_node.ms);
        assert!(apart_m <= MAX_APART_M, "{name}");
    }
}

#[test]
#[ignore = "builds the module: ./check runs it"]
fn the_module_does_what_its_types_promise() {
    let Some(module) = module() else { return };
    let folder = tempfile::tempdir().unwrap();
    simulated(folder.path());
    let mut command = Command::new("node");
    command.arg("--test").arg(script("engine.mjs"));
    node(command.env("CONDYLE_WASM", module).env("CONDYLE_MADE", folder.path()));
}

/// What a browser fetches of the module before anything is seen, in bytes, compressed by brotli. It is 854 kB now, 0.999
/// MB with the app, where 1 MB is wanted: it must not grow.
const MOST_PACKED_BYTES: usize = 855_300;

#[test]
#[ignore = "builds the module, and installs a package: ./check runs it"]
fn a_fresh_folder_with_the_package_reads_and_reaches_in_ten_lines() {
    let Some(archive) = built(condyle_workbench::package) else { return };
    let folder = tempfile::tempdir().unwrap();
    simulated(folder.path());
    let here = |command: &mut Command| node(command.current_dir(folder.path()));
    let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
    here(Command::new(npm).args(["install", "--silent", "--offline", "--no-audit"]).arg(&archive));
    // The lines that the package's own page shows.
    let page = std::fs::read_to_string(script("../README.md")).unwrap();
    let lines = page.split("```js\n").nth(1).unwrap().split("```").next().unwrap();
    std::fs::write(folder.path().join("ten.mjs"), lines).unwrap();
    let said = here(Command::new("node").arg("ten.mjs"));
    assert!(said.contains("300 frames at 50 Hz") && said.contains("left knee: known to"), "{said}");
    assert!(said.contains("Float64Array(12)"), "{said}");
    let code = lines.lines().filter(|line| !line.is_empty()).count();
    assert!(code <= 10, "{code} lines");
    let packed = "const { brotliCompressSync } = require('node:zlib');\
        const { readFileSync } = require('node:fs');\
        console.log(brotliCompressSync(readFileSync('node_modules/condyle/condyle_wasm.wasm')).length)";
    let bytes: usize = here(Command::new("node").args(["-e", packed])).trim().parse().unwrap();
    eprintln!("module: {:.2} MB compressed", bytes as f64 / 1e6);
    assert!(bytes <= MOST_PACKED_BYTES, "{bytes}");
}

#[test]
fn the_package_has_the_version_of_the_library() {
    let text = std::fs::read_to_string(script("../package.json")).unwrap();
    let package: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(package["version"], env!("CARGO_PKG_VERSION"));
}
