//! Every way from a public recording to its joints gives the same ones: commands, library calls, streams.

use std::fs;
use std::path::{Path, PathBuf};

use condyle::Trial;
use condyle::export::Export;
use condyle::format::{ReadOptions, read_path};
use condyle::job::{self, Options, Performance, Recording, SolvedPerformer};
use condyle::live::Live;

use crate::run::condyle_in;

/// Below `CONDYLE_DATA`: of as many vendors, formats and marker sets as are small.
const RECORDINGS: [&str; 20] = [
    "biomechzoo/Wrist_Shot_Top_Left_009kin_fit.c3d",
    "btkdata/PiG/PiG_Motion3_FF.c3d",
    "btkdata/others/561xxa01_anonym.C3D",
    "btkdata/others/shd01.c3d",
    "btkdata/trc/Anto.trc",
    "c3dorg/sample_00/Codamotion/codamotion_gaitwands_19970212.c3d",
    "c3dorg/sample_00/Innovative_Sports_Training/Gait_with_EMG.c3d",
    "c3dorg/sample_00/Motion_Analysis_Corporation/Walk1.c3d",
    "c3dorg/sample_02/sgi_int.c3d",
    "c3dorg/sample_10/TYPE-2.C3D",
    "c3dorg/sample_37/ART-Human_2persons_integer.c3d",
    "cmu/02_01.c3d",
    "ezc3d-testFiles/Qualisys.c3d",
    "hdm05/HDM_dg_06-03_03_120.c3d",
    "markerless/pose2sim_balancing.trc",
    "millard2017/stoop1.c3d",
    "mvnx/test_mocap.mvnx",
    "nimble/JA1Gait35.c3d",
    "opensim/subject01_walk1.trc",
    "opensim/walking2.c3d",
];

/// Where a stream and the recording of it add up the same numbers.
const MAX_STREAM_APART_M: f64 = 1e-9;

/// The folder of recordings, or `None` with a word if there is none.
fn recordings() -> Option<PathBuf> {
    let folder = std::env::var_os("CONDYLE_DATA").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
        PathBuf::from,
    );
    if !folder.is_dir() {
        eprintln!("skipped: no recordings at {}; set CONDYLE_DATA", folder.display());
        return None;
    }
    Some(folder.canonicalize().unwrap())
}

fn recording(path: &Path) -> Recording {
    let trial = read_path(path, &ReadOptions::default()).unwrap();
    Recording::new(path.display().to_string(), trial)
}

/// All joints in all frames, every digit of them.
fn joints_csv(performance: &Performance, performer: &SolvedPerformer) -> String {
    let mut bytes = Vec::new();
    Export::CentresCsv.write(performance, performer, None, &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

/// What a stream of the recording's frames ends with.
fn streamed(trial: &Trial) -> Performance {
    let options = Options::default();
    let mut live = match trial.markers.is_empty() {
        true => {
            let names: Vec<&str> = trial.bodies.iter().map(|body| body.name.as_str()).collect();
            Live::from_sensors(&names, trial.rate_hz, &options).unwrap()
        }
        false => Live::new(&trial.labels(), trial.rate_hz, &options).unwrap(),
    };
    let mut positions_m = vec![None; trial.markers.len()];
    for frame in 0..trial.frames {
        if trial.markers.is_empty() {
            let poses: Vec<_> =
                trial.bodies.iter().map(|body| body.world_from_body(frame).copied()).collect();
            live.push_without_refit(&poses).unwrap();
        } else {
            trial.positions_m(frame, &mut positions_m);
            live.push_without_refit(&positions_m).unwrap();
        }
    }
    live.finish().unwrap()
}

/// The largest distance between two results' joints; infinite where one has what the other has not.
fn most_apart_m(one: &Performance, other: &Performance) -> f64 {
    let joints = |performance: &Performance| -> Vec<Option<_>> {
        let tracks = performance.performers.iter().flat_map(|performer| performer.motion.joints());
        tracks.flat_map(|track| track.iter_m().collect::<Vec<_>>()).collect()
    };
    let (one, other) = (joints(one), joints(other));
    if one.len() != other.len() {
        return f64::INFINITY;
    }
    let apart_m = one.iter().zip(&other).map(|pair| match pair {
        (Some(a), Some(b)) => nalgebra::distance(a, b),
        (None, None) => 0.0,
        _ => f64::INFINITY,
    });
    apart_m.fold(0.0, f64::max)
}

/// What differs, among all ways to the joints of a recording that was run into a folder.
fn differences(path: &Path, run: &Path, scratch: &Path) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut check = |is_same: bool, what: &str| {
        if !is_same {
            wrong.push(format!("{}: {what}", path.display()));
        }
    };
    let text = |path: &Path| fs::read_to_string(path).unwrap();
    let file = path.to_str().unwrap();
    let command = |args: &[&str]| {
        condyle_in(scratch, args).expect(0);
    };
    let once = job::run(recording(path), &Options::default()).unwrap();
    let fitted = job::fit(vec![recording(path)], &Options::default()).unwrap();
    command(&["fit", file, "-o", "joe.json"]);
    command(&["plot", file, "-o", "fitted.svg"]);
    for (index, performer) in once.performers.iter().enumerate() {
        let name = &performer.subject.name;
        let is_alone = once.performers.len() == 1;
        let [prefix, suffix] = if is_alone {
            [String::new(), String::new()]
        } else {
            [format!("{name}-"), format!("-{name}")]
        };
        let subject_file = format!("joe{suffix}.json");
        let subject = text(&run.join(format!("{prefix}subject.json")));
        let joints = text(&run.join(format!("{prefix}joints.csv")));
        check(joints.lines().count() == once.trial.frames + 1, "a line a frame in run");
        check(joints_csv(&once, performer) == joints, "job::run and run");
        check(
            performer.subject.to_json().unwrap() == subject.trim_end(),
            "subject of job::run and run",
        );
        check(text(&scratch.join(&subject_file)) == subject, "fit and run");
        check(fitted.subjects[index] == performer.subject, "job::fit and job::run");
        let mut options = Options::default();
        options.subject = Some(fitted.subjects[index].clone());
        let known = job::run(recording(path), &options).unwrap();
        check(
            joints_csv(&known, &known.performers[0]) == joints,
            "job::run with the subject and run",
        );
        command(&["solve", file, "--subject", &subject_file, "-o", "joints.csv", "--force"]);
        check(text(&scratch.join("joints.csv")) == joints, "solve and run");
        if is_alone {
            command(&["plot", file, "--subject", &subject_file, "-o", "known.svg"]);
            let [fitted, known] = ["fitted.svg", "known.svg"].map(|name| text(&scratch.join(name)));
            check(fitted == known, "plot with the subject and without");
        }
    }
    let mut sent = recording(path).trial;
    // A stream does not say where a suit's own software has its joints, nor which sizes somebody measured.
    let has_sizes = sent.parameters.iter().any(|group| group.name == "PROCESSING");
    let is_stated = has_sizes || sent.bodies.iter().any(|body| body.joint_in_body_m.is_some());
    sent.bodies.iter_mut().for_each(|body| body.joint_in_body_m = None);
    sent.parameters.retain(|group| group.name != "PROCESSING");
    let recorded = match is_stated {
        true => &job::run(sent.clone(), &Options::default()).unwrap(),
        false => &once,
    };
    let apart_m = most_apart_m(&streamed(&sent), recorded);
    check(apart_m <= MAX_STREAM_APART_M, &format!("a stream is {apart_m:.1e} m from run"));
    wrong
}

#[test]
fn every_way_gives_the_same_joints_of_twenty_public_recordings() {
    let Some(data) = recordings() else { return };
    let folder = tempfile::tempdir().unwrap();
    let paths = RECORDINGS.map(|name| data.join(name));
    let files = paths.each_ref().map(|path| path.to_str().unwrap());
    condyle_in(folder.path(), &[&["run"], &files[..], &["-o", "out", "--quiet"]].concat())
        .expect(0);
    let compared = |paths: &[PathBuf]| -> Vec<String> {
        let scratch = |stem: &str| {
            let scratch = folder.path().join(format!("{stem} again"));
            fs::create_dir(&scratch).unwrap();
            scratch
        };
        let all = paths.iter().flat_map(|path| {
            let stem = path.file_stem().unwrap().to_str().unwrap();
            differences(path, &folder.path().join("out").join(stem), &scratch(stem))
        });
        all.collect()
    };
    let (one, other) = paths.split_at(paths.len() / 2);
    let wrong = std::thread::scope(|scope| {
        let half = scope.spawn(|| compared(one));
        [compared(other), half.join().unwrap()].concat()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
