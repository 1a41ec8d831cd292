//! `condyle hand` from outside: what is wrong with a recording or a model is said, or the result says so.
use std::fs;
use std::path::Path;

use condyle::Trial;
use condyle::format::{ReadOptions, read_path, write};
use condyle::trial::{Format, Marker};
use nalgebra::Point3;

use crate::run::{Ran, condyle_in};

/// A simulated hand in `folder`: its recording and its model.
fn simulated(folder: &Path, performer: &str, routine: &str) -> Trial {
    let args = ["simulate", "--performer", performer, "--routine", routine, "-o", "made"];
    condyle_in(folder, &[&args[..], &["--seconds", "4", "--rate", "50"]].concat()).expect(0);
    // The same numbers serve both sides.
    let described = condyle_in(folder, &["simulate", "--describe", "hand"]).expect(0);
    fs::write(folder.join("hand.toml"), described.stdout).unwrap();
    read_path(&folder.join("made/recording.c3d"), &ReadOptions::default()).unwrap()
}

type Place = Option<Point3<f64>>;

/// Writes a recording in which every frame is made another.
fn changed(folder: &Path, trial: &Trial, change: impl Fn(usize, &mut [Place])) {
    let mut frames: Vec<Vec<Place>> = Vec::new();
    for frame in 0..trial.frames {
        let mut places = vec![None; trial.markers.len()];
        trial.positions_m(frame, &mut places);
        change(frame, &mut places);
        frames.push(places);
    }
    let mut other = trial.clone();
    other.markers = (trial.markers.iter().enumerate())
        .map(|(at, marker)| Marker::from_positions(&marker.label, frames.iter().map(|f| f[at])))
        .collect();
    let mut bytes = Vec::new();
    write(&other, Format::Csv, &mut bytes).unwrap();
    fs::write(folder.join("changed.csv"), bytes).unwrap();
}

fn column(trial: &Trial, label: &str) -> usize {
    trial.labels().iter().position(|own| *own == label).unwrap()
}

fn followed(folder: &Path, more: &[&str]) -> Ran {
    let args = ["hand", "changed.csv", "-o", "out.csv", "--force", "--json"];
    condyle_in(folder, &[&args[..], more].concat())
}

/// No number in the table is none.
fn is_finite(folder: &Path) {
    let text = fs::read_to_string(folder.join("out.csv")).unwrap().to_lowercase();
    assert!(!text.contains("nan") && !text.contains("inf,"), "{text}");
}

const MODEL: [&str; 2] = ["--model", "hand.toml"];

#[test]
fn a_tip_that_never_appears_and_tips_that_change_places_are_said() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let trial = simulated(path, "hand", "grasp");
    let [ring, little] = ["ring_tip", "little_tip"].map(|label| column(&trial, label));
    changed(path, &trial, |_, places| places[ring] = None);
    let ran = followed(path, &MODEL).expect(0);
    assert!(ran.stderr.contains("tip-never-seen") && ran.stderr.contains("ring"), "{}", ran.stderr);
    is_finite(path);
    changed(path, &trial, |frame, places| {
        if frame >= 100 {
            places.swap(ring, little);
        }
    });
    let ran = followed(path, &MODEL).expect(0);
    assert!(ran.stderr.contains("tips-exchanged"), "{}", ran.stderr);
    is_finite(path);
}

#[test]
fn markers_that_say_nothing_of_a_hand_are_refused_in_words() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let trial = simulated(path, "hand", "grasp");
    let tips: Vec<usize> =
        (0..trial.markers.len()).filter(|at| trial.markers[*at].label.ends_with("_tip")).collect();
    let [r, p, q] = ["r", "p", "q"].map(|label| column(&trial, label));
    let named = ["--markers", "r,p,q,thumb_tip,index_tip,middle_tip,ring_tip,little_tip"];
    changed(path, &trial, |_, places| {
        let first = places[tips[0]];
        tips.iter().for_each(|tip| places[*tip] = first);
    });
    let ran = followed(path, &named).expect(1);
    assert!(ran.stderr.contains("tips of fingers: need them apart"), "{}", ran.stderr);
    changed(path, &trial, |_, places| {
        let (at, by) = (places[r].unwrap(), places[q].unwrap() - places[r].unwrap());
        places[p] = Some(at + by * 0.4);
    });
    let ran = followed(path, &named).expect(1);
    assert!(ran.stderr.contains("need three that are not on a line"), "{}", ran.stderr);
    // Millimetres that are taken for metres.
    changed(path, &trial, |_, places| {
        places.iter_mut().flatten().for_each(|at| at.coords *= 1e3);
    });
    let ran = followed(path, &named).expect(1);
    assert!(ran.stderr.contains("is it in metres"), "{}", ran.stderr);
    let ran = followed(path, &MODEL).expect(0);
    assert!(ran.stderr.contains("hand-unlike-model"), "{}", ran.stderr);
    is_finite(path);
}

#[test]
fn a_model_of_the_other_side_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let trial = simulated(path, "hand", "fist");
    changed(path, &trial, |_, _| ());
    let ran = followed(path, &[&MODEL[..], &["--side", "left"]].concat()).expect(0);
    assert!(ran.stderr.contains("hand-other-side"), "{}", ran.stderr);
    is_finite(path);
}

#[test]
fn models_that_are_no_hand_and_recordings_without_frames_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let trial = simulated(path, "left-hand", "spread");
    changed(path, &trial, |_, _| ());
    let standard = fs::read_to_string(path.join("hand.toml")).unwrap();
    for (from, to, wanted) in [
        ("length_mm = 46.6", "length_mm = 0", "need a bone"),
        ("flexion_deg = [-10, 85]", "flexion_deg = [85, -10]", "flexion_deg"),
        ("length_mm = 46.6", "bends = 1, length_mm = 46.6", "bends"),
    ] {
        assert!(standard.contains(from), "{from}");
        fs::write(path.join("bad.toml"), standard.replacen(from, to, 1)).unwrap();
        let ran = followed(path, &["--model", "bad.toml"]).expect(1);
        assert!(ran.stderr.contains(wanted), "{from}: {}", ran.stderr);
    }
    let mut empty = trial.clone();
    empty.frames = 0;
    empty.markers.iter_mut().for_each(|marker| *marker = Marker::from_positions(&marker.label, []));
    let mut bytes = Vec::new();
    write(&empty, Format::Trc, &mut bytes).unwrap();
    fs::write(path.join("empty.trc"), bytes).unwrap();
    let ran = condyle_in(path, &["hand", "empty.trc", "-o", "a.csv", "--model", "hand.toml"]);
    assert!(ran.stderr.contains("frame"), "{}", ran.stderr);
    let text = fs::read_to_string(path.join("changed.csv")).unwrap();
    fs::write(path.join("still.csv"), text).unwrap();
    let args = ["hand", "still.csv", "-o", "b.csv", "--model", "hand.toml", "--assume-rate", "0"];
    let ran = condyle_in(path, &args);
    assert!(ran.code != 0 && ran.stderr.contains("rate"), "{}", ran.stderr);
    assert!(!path.join("b.csv").exists());
}
