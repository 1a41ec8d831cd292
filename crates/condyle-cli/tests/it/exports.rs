//! `condyle solve -o` and `--angles` as users run them.

use std::fs;
use std::path::Path;

use crate::run::{self, condyle_in};

/// A short recording of a walker and its subject in a folder of its own.
fn fitted(at: &Path) {
    let simulate = ["simulate", "-o", "sim", "--seconds", "3", "--rate", "50", "--noise-mm", "1"];
    condyle_in(at, &simulate).expect(0);
    condyle_in(at, &["fit", "sim/recording.c3d", "-o", "joe.json"]).expect(0);
}

const SOLVE: [&str; 4] = ["solve", "sim/recording.c3d", "--subject", "joe.json"];

fn solve(at: &Path, more: &[&str]) -> run::Ran {
    condyle_in(at, &[&SOLVE[..], more].concat())
}

#[test]
fn every_export_is_reachable_and_reads_back() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fitted(at);
    let all = ["csv", "trc", "c3d", "bvh", "glb", "mot", "sto", "parquet"];
    let paths: Vec<String> = all.iter().map(|extension| format!("out.{extension}")).collect();
    let mut args: Vec<&str> = paths.iter().flat_map(|path| ["-o", path.as_str()]).collect();
    args.extend(["--angles", "angles.csv"]);
    let ran = solve(at, &args).expect(0);
    assert_eq!(ran.stderr.lines().filter(|line| line.starts_with("wrote ")).count(), 9);
    assert_eq!(&fs::read(at.join("out.glb")).unwrap()[..4], b"glTF");
    assert_eq!(&fs::read(at.join("out.parquet")).unwrap()[..4], b"PAR1");
    let markers = |file: &str| {
        condyle_in(at, &["info", "--json", file]).expect(0).json()[0]["markers"].as_u64().unwrap()
    };
    let recorded = markers("sim/recording.c3d");
    assert_eq!(markers("out.csv"), 16);
    assert_eq!(markers("out.trc"), 16);
    assert_eq!(markers("out.c3d"), recorded + 16);
    let columns = |file: &str| -> Vec<String> {
        let info = condyle_in(at, &["info", "--json", file]).expect(0).json();
        let channels = info[0]["channels"].as_array().unwrap().clone();
        channels.iter().map(|channel| channel["label"].as_str().unwrap().to_owned()).collect()
    };
    let of_mot = columns("out.mot");
    assert_eq!(
        of_mot[..6],
        ["pelvis_tilt", "pelvis_list", "pelvis_rotation", "pelvis_tx", "pelvis_ty", "pelvis_tz"]
    );
    for name in [
        "hip_flexion_r",
        "knee_angle_l",
        "ankle_angle_r",
        "subtalar_angle_l",
        "lumbar_extension",
        "arm_flex_l",
        "elbow_flex_r",
        "pro_sup_l",
    ] {
        assert!(of_mot.iter().any(|column| column == name), "{name}: {of_mot:?}");
    }
    assert!(!of_mot.iter().any(|column| column == "knee_adduction_l"));
    let mot = fs::read_to_string(at.join("out.mot")).unwrap();
    assert!(mot.contains("# coordinates: names, signs and zero as in Rajagopal2016"), "{mot:.300}");
    solve(at, &["-o", "old.mot", "--mot-model", "gait2392"]).expect(0);
    let old = fs::read_to_string(at.join("old.mot")).unwrap();
    assert!(old.contains("as in gait2392") && !old.contains("arm_flex_l"), "{old:.300}");
    // One zero is named, and what is not the model's says so.
    let header = mot.split("endheader").next().unwrap();
    let is_other = |line: &&str| line.contains("zero") && !line.contains("not as in the model");
    assert!(header.contains("inDegrees=yes"), "{header}");
    assert_eq!(header.lines().filter(is_other).count(), 1, "{header}");
    let header = fs::read_to_string(at.join("angles.csv")).unwrap();
    assert!(header.starts_with("frame,time_s,"), "{header:.100}");
    assert!(header.contains("left knee flexion [deg],left knee flexion velocity [deg/s]"));
    let centimetres = solve(at, &["-o", "cm.bvh", "--out-units", "cm"]).expect(0);
    assert!(!centimetres.stderr.contains("error"));
    let bvh = condyle_in(at, &["info", "--json", "cm.bvh"]).expect(0).json();
    assert_eq!(bvh[0]["units"], "cm");
}

#[test]
fn nothing_is_written_if_one_output_is_taken() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fitted(at);
    fs::write(at.join("taken.bvh"), "mine").unwrap();
    let ran = solve(at, &["-o", "new.glb", "-o", "taken.bvh"]).expect(1);
    assert!(ran.stderr.contains("taken.bvh") && ran.stderr.contains("--force"), "{}", ran.stderr);
    assert!(!at.join("new.glb").exists());
    assert_eq!(fs::read_to_string(at.join("taken.bvh")).unwrap(), "mine");
    solve(at, &["-o", "new.glb", "-o", "taken.bvh", "--force"]).expect(0);
    let twice = solve(at, &["-o", "a.csv", "--angles", "a.csv"]).expect(1);
    assert!(twice.stderr.contains("twice"), "{}", twice.stderr);
    for (args, word, code) in [
        (&["-o", "a.xyz"][..], "parquet", 2),
        (&["--angles", "a.bvh"], "csv, mot or sto", 2),
        (&["--angles", "a.csv", "--zero-frame", "9999"], "--zero-frame", 1),
    ] {
        let ran = solve(at, args).expect(code);
        assert!(ran.stderr.contains(word), "{}", ran.stderr);
    }
}

#[test]
fn angles_say_their_zero_and_can_be_told_another() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fitted(at);
    let knee = |more: &[&str]| {
        let json = solve(at, &[&["--json"], more].concat()).expect(0).json();
        let joints = json["joints"].as_array().unwrap().clone();
        joints.into_iter().find(|joint| joint["name"] == "left knee").unwrap()["angles"].clone()
    };
    let plain = knee(&["--smooth", "off"]);
    assert_eq!(plain["convention"], "isb ZXY");
    assert_eq!(plain["components"][0], "flexion");
    assert_eq!(plain["columns"][0], "knee_angle_l");
    assert!(plain["zero"].as_str().unwrap().contains("anatomical"), "{plain}");
    let zeroed = knee(&["--zero-frame", "10", "--smooth", "off"]);
    assert_eq!(zeroed["zero"], "pose in frame 10");
    let range = |angles: &serde_json::Value| {
        angles["range_rad"][0][1].as_f64().unwrap() - angles["range_rad"][0][0].as_f64().unwrap()
    };
    assert!((range(&plain) - range(&zeroed)).abs() < 0.05);
    assert!(range(&knee(&["--smooth", "3"])) < range(&plain));
}
