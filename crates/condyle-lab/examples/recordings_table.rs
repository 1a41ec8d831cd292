//! What comes of real recordings: a row each, and with `--joints` a row a joint.
//!
//! `cargo run --release -p condyle-lab --example recordings_table -- [--joints] FILE…`, or `all` for those that
//! are known in the folder that `CONDYLE_DATA` names. Without a file a person is simulated.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use condyle::format::{ReadOptions, read_path};
use condyle::job::{self, SolvedPerformer};
use condyle::simulate::{Options, Performer, simulate};
use condyle::subject::{CentreKnown, Joint};
use condyle::{Result, Trial};
use nalgebra::Point3;

/// Recordings of many kinds, with where the joints should be, if a file beside them says so.
const KNOWN: [(&str, &str); 14] = [
    ("cmu/01_01.c3d", "derived/cmu_01_01_joint_centres.csv"),
    ("cmu/02_01.c3d", "derived/cmu_02_01_joint_centres.csv"),
    ("cmu/02_05.c3d", "derived/cmu_02_05_joint_centres.csv"),
    ("cmu/85_02.c3d", ""),
    ("hdm05/HDM_dg_06-03_03_120.c3d", ""),
    ("btkdata/PiG/PiG_Motion-FlatFoot-Full.c3d", ""),
    ("pycgm/Movement_trial.c3d", ""),
    ("wkiro/AJ026_Run_Comfortable1.c3d", ""),
    ("opensim/walking2.c3d", ""),
    ("ezc3d-testFiles/Qualisys.c3d", ""),
    ("numediart/LShoulderFlexExt.c3d", ""),
    ("kineticstoolkit/sample_propulsion.c3d", ""),
    ("kineticstoolkit/walkingOptiTrack.c3d", ""),
    ("btkdata/others/FunctionalLHip.c3d", ""),
];

/// What models call the joints: Plug-in Gait's segments, joint centres, the skeletons of the CMU.
const REFERENCES: [(&str, [&str; 3]); 6] = [
    ("hip", ["FEP", "HJC", "hip"]),
    ("knee", ["FEO", "KJC", "knee"]),
    ("ankle", ["TIO", "AJC", "ankle"]),
    ("shoulder", ["HUP", "SJC", "shoulder"]),
    ("elbow", ["HUO", "EJC", "elbow"]),
    ("wrist", ["RAO", "WJC", "wrist"]),
];

fn main() -> Result<()> {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let with_joints = args.iter().any(|arg| arg == "--joints");
    args.retain(|arg| arg != "--joints");
    println!(
        "{:42} {:>4} {:>6} {:>7} {:>13} {:>8} {:>13}  joints that are not known",
        "recording", "segs", "joints", "unknown", "bone sd", "residual", "reference"
    );
    println!(
        "{:42} {:>4} {:>6} {:>7} {:>13} {:>8} {:>13}",
        "", "", "", "", "known/all", "", "known/all"
    );
    if args.is_empty() {
        let options = Options { noise_m: 1e-3, seconds: 10.0, ..Options::default() };
        show("simulated", &simulate(&Performer::human(), &options)?.trial, None, with_joints);
    }
    let folder = std::env::var_os("CONDYLE_DATA").map(PathBuf::from).unwrap_or_default();
    for arg in &args {
        let known = KNOWN.iter().filter(|_| arg == "all");
        let mut files: Vec<(PathBuf, Option<PathBuf>)> = known
            .map(|(file, reference)| {
                (
                    folder.join(file),
                    Some(*reference).filter(|r| !r.is_empty()).map(|r| folder.join(r)),
                )
            })
            .collect();
        if arg != "all" {
            files.push((arg.into(), None));
        }
        for (file, reference) in files {
            let name = file.strip_prefix(&folder).unwrap_or(&file).display().to_string();
            match read_path(&file, &ReadOptions::default()) {
                Ok(trial) => show(&name, &trial, reference.as_deref(), with_joints),
                Err(error) => println!("{name:42} {error}"),
            }
        }
    }
    Ok(())
}

/// By the main job, every performer with two segments or more.
fn show(name: &str, trial: &Trial, reference: Option<&Path>, with_joints: bool) {
    let reference = reference.and_then(|path| read_path(path, &ReadOptions::default()).ok());
    let performance = match job::run(trial.clone(), &job::Options::default()) {
        Ok(performance) => performance,
        Err(error) => return println!("{name:42} {error}"),
    };
    for performer in performance.performers.iter().filter(|p| p.subject.segments().len() > 1) {
        row(name, trial, performer, reference.as_ref(), with_joints);
    }
}

fn row(
    name: &str,
    trial: &Trial,
    SolvedPerformer { subject, motion: solved, .. }: &SolvedPerformer,
    other: Option<&Trial>,
    with_joints: bool,
) {
    let is_known = |joint: &Joint| joint.centre_known() > CentreKnown::Barely;
    let mut lines = Vec::new();
    // Of the joints that are known, and of all: few may be known, and what is drawn is all.
    let (mut worst, mut apart) = ([Vec::new(), Vec::new()], [Vec::new(), Vec::new()]);
    let mut unknown = Vec::new();
    for (index, joint) in subject.joints().iter().enumerate() {
        let placed = solved.joints()[index].frames_present();
        let bone_mm = solved.evidence().bone_sd_m[index].map(|sd_m| sd_m * 1e3);
        let found = |frame: usize| solved.joint_m(frame, index);
        let off_mm = off_mm(joint, trial, other, found);
        for which in usize::from(!is_known(joint))..2 {
            worst[which].extend(bone_mm);
            apart[which].extend(off_mm);
        }
        if !is_known(joint) {
            unknown.push(joint.name.as_str());
        }
        let shown = |value: Option<f64>| value.map_or("-".into(), |value| format!("{value:.1}"));
        lines.push(format!(
            "    {:30} {:5} {:6} sd {:6.1} bone sd {:>5} off {:>6} gap {:5.1} turned {:?} in {placed} of {}",
            joint.name,
            joint.kind.name(),
            joint.centre_known().name(),
            joint.worst_sd_m() * 1e3,
            shown(bone_mm),
            shown(off_mm),
            joint.separation_m * 1e3,
            joint.ranges_rad.map(|range| range.to_degrees().round()),
            trial.frames
        ));
    }
    let shown = |value: Option<f64>| value.map_or("-".into(), |value| format!("{value:.1}"));
    let both = |values: [Option<f64>; 2]| values.map(shown).join(" / ");
    let largest = worst.map(|all| all.into_iter().reduce(f64::max));
    let middle = apart.map(|mut all| {
        all.sort_by(f64::total_cmp);
        all.get(all.len() / 2).copied()
    });
    println!(
        "{name:42} {:4} {:6} {:7} {:>13} {:>8} {:>13}  {}",
        subject.segments().len(),
        subject.joints().len(),
        unknown.len(),
        both(largest),
        shown(solved.evidence().residual_m.map(|m| m * 1e3)),
        both(middle),
        unknown.join(", ")
    );
    lines.iter().filter(|_| with_joints).for_each(|line| println!("{line}"));
}

/// The median distance to where the recording, or a file beside it, says that the joint is.
fn off_mm(
    joint: &Joint,
    trial: &Trial,
    other: Option<&Trial>,
    found: impl Fn(usize) -> Option<Point3<f64>>,
) -> Option<f64> {
    let (side, kind) = joint.name.split_once(' ')?;
    let side = side.chars().next()?;
    let names = REFERENCES.iter().find(|(name, _)| *name == kind)?.1;
    let is_it = |label: &str| {
        let own = label.rsplit(':').next().unwrap_or(label);
        names.iter().any(|name| own.eq_ignore_ascii_case(&format!("{side}{name}")))
    };
    let from = other.unwrap_or(trial);
    let marker = from.markers.iter().find(|marker| is_it(&marker.label))?;
    // A file beside the recording may have every so manieth frame.
    let step = trial.frames.div_ceil(from.frames);
    let mut off: Vec<f64> = (0..from.frames.min(trial.frames.div_ceil(step)))
        .filter_map(|frame| Some((found(frame * step)? - marker.position_m(frame)?).norm() * 1e3))
        .collect();
    off.sort_by(f64::total_cmp);
    off.get(off.len() / 2).copied()
}
