use nalgebra::Point3;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::simulate::{self, Performer, Routine, simulate};
use crate::trial::{Format, Marker};

fn recorded(performer: &Performer, routine: Routine, seconds: f64, seed: u64) -> Trial {
    let options =
        simulate::Options { routine, seconds, seed, noise_m: 5e-4, ..simulate::Options::default() };
    simulate(performer, &options).unwrap().trial
}

fn poses(trial: &Trial) -> MarkerPoses {
    let labels = trial.labels().iter().map(|label| (*label).to_owned()).collect();
    marker_poses(labels, &[(trial, (0..trial.markers.len()).map(Some).collect())]).unwrap()
}

/// Every marker in pieces of a second or so, each a trajectory of its own, in any order, with reflections between;
/// and the true label of each.
fn in_pieces(trial: &Trial, seed: u64) -> (Trial, Vec<Option<String>>) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut pieces: Vec<(Option<String>, Marker)> = Vec::new();
    let mut piece = |label: Option<&str>,
                     frames: std::ops::Range<usize>,
                     at: &dyn Fn(usize) -> Option<Point3<f64>>| {
        let position_m = |frame| if frames.contains(&frame) { at(frame) } else { None };
        let marker = Marker::from_positions("", (0..trial.frames).map(position_m));
        pieces.push((label.map(str::to_owned), marker));
    };
    for marker in &trial.markers {
        let mut start = 0;
        while start < trial.frames {
            let end = trial.frames.min(start + rng.random_range(60..400));
            piece(Some(&marker.label), start..end, &|frame| marker.position_m(frame));
            start = end + rng.random_range(0..10);
        }
    }
    for _ in 0..trial.frames / 50 {
        let start = rng.random_range(0..trial.frames);
        let beside = &trial.markers[rng.random_range(0..trial.markers.len())];
        let off_m = nalgebra::Vector3::from_fn(|_, _| rng.random_range(-0.1..0.1));
        let frames = start..trial.frames.min(start + rng.random_range(5..30));
        piece(None, frames, &|frame| Some(beside.position_m(frame)? + off_m));
    }
    pieces.shuffle(&mut rng);
    let (labels, mut markers): (Vec<_>, Vec<Marker>) = pieces.into_iter().unzip();
    for (number, marker) in markers.iter_mut().enumerate() {
        marker.label = format!("u{number}");
    }
    let trial = Trial::from_tracks(Format::Trc, trial.rate_hz, markers, Vec::new()).unwrap();
    (trial, labels)
}

/// Samples that are named rightly, wrongly and not at all.
#[derive(Debug, Default)]
struct Counts {
    right: usize,
    wrong: usize,
    unnamed: usize,
}

impl Counts {
    fn add(&mut self, labelling: &Labelling, truth: &[Option<String>]) {
        for fragment in &labelling.fragments {
            let count = match (&fragment.label, &truth[fragment.track]) {
                (Some(label), Some(real)) if label == real => &mut self.right,
                (Some(_), _) => &mut self.wrong,
                (None, Some(_)) => &mut self.unnamed,
                (None, None) => continue,
            };
            *count += fragment.frames;
        }
    }
}

#[test]
fn names_the_pieces_of_a_walk_from_one_labelled_frame() {
    let walk = recorded(&Performer::human(), Routine::Walk, 6.0, 4);
    let (mut pieces, truth) = in_pieces(&walk, 4);
    let frame = 300;
    let seen: Vec<usize> = (0..pieces.markers.len())
        .filter(|track| {
            truth[*track].is_some() && pieces.markers[*track].position_m(frame).is_some()
        })
        .collect();
    for track in &seen {
        pieces.markers[*track].label = truth[*track].clone().unwrap();
    }
    let subject = labelled_pose(&pieces, &seen, frame).unwrap();
    let options = Options { labelled_frame: Some(frame), ..Options::default() };
    let labelling = label(&pieces, &subject, &options).unwrap();
    let mut counts = Counts::default();
    counts.add(&labelling, &truth);
    assert!(counts.wrong * 200 <= counts.right, "{counts:?}");
    assert!(counts.unnamed * 20 <= counts.right, "{counts:?}");
    let given = labelling.fragments.iter().filter(|f| f.reason == Reason::LabelledFrame);
    assert!(given.count() * 10 > seen.len() * 9);
    let error = labelled_pose(&pieces, &seen, 600).unwrap_err().to_string();
    assert_eq!(error, "labelled frame: need one of 600, got number 601");
}

#[test]
fn refuses_another_creature_and_suggests_when_asked() {
    let dog = poses(&recorded(&Performer::dog(), Routine::Rom, 5.0, 1));
    let (pieces, _) = in_pieces(&recorded(&Performer::human(), Routine::Walk, 4.0, 1), 1);
    let error = label(&pieces, &dog, &Options::default()).unwrap_err();
    assert_eq!(error.code(), Some("subject-does-not-fit"), "{error}");
    let options = Options { suggest: true, ..Options::default() };
    let labelling = label(&pieces, &dog, &options).unwrap();
    assert!(!labelling.agreement.is_same_subject());
    let named = labelling.fragments.iter().filter(|fragment| fragment.label.is_some());
    assert!(named.clone().all(|f| f.confidence <= 0.5 && f.reason == Reason::OtherSubject));
}

/// Where a point is in a frame.
type Path = Box<dyn Fn(usize) -> Option<Point3<f64>>>;

fn unlabelled(frames: usize, tracks: Vec<Path>) -> Trial {
    let marker = |(number, at): (usize, Path)| {
        Marker::from_positions(format!("u{number}"), (0..frames).map(at))
    };
    let markers = tracks.into_iter().enumerate().map(marker).collect();
    Trial::from_tracks(Format::Trc, 100.0, markers, Vec::new()).unwrap()
}

#[test]
fn three_hundred_points_that_are_nobody_are_refused() {
    let subject = poses(&recorded(&Performer::human(), Routine::Rom, 5.0, 1));
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut track = || -> Path {
        let at: [f64; 3] = std::array::from_fn(|_| rng.random_range(-1.0..1.0));
        let by: [f64; 3] = std::array::from_fn(|_| rng.random_range(-0.01..0.01));
        Box::new(move |frame| {
            Some(Point3::from(std::array::from_fn::<f64, 3, _>(|k| at[k] + by[k] * frame as f64)))
        })
    };
    let crowd = unlabelled(100, (0..300).map(|_| track()).collect());
    let error = label(&crowd, &subject, &Options::default()).unwrap_err();
    assert_eq!(error.code(), Some("subject-does-not-fit"), "{error}");
}

#[test]
fn identical_tracks_are_refused_and_a_track_a_frame_is_answered() {
    let walk = recorded(&Performer::human(), Routine::Walk, 2.0, 1);
    let subject = poses(&walk);
    let still = |_| -> Path { Box::new(|_| Some(Point3::new(1.0, 2.0, 3.0))) };
    let same = unlabelled(100, (0..40).map(still).collect());
    let error = label(&same, &subject, &Options::default()).unwrap_err();
    assert_eq!(error.code(), Some("subject-does-not-fit"), "{error}");

    // Nothing lasts: every sample is a trajectory of its own.
    let (mut markers, mut truth) = (Vec::new(), Vec::new());
    for frame in 0..20 {
        for marker in &walk.markers {
            let at = |other: usize| marker.position_m(frame).filter(|_| other == frame);
            markers.push(Marker::from_positions("", (0..20).map(at)));
            truth.push(Some(marker.label.clone()));
        }
    }
    let flicker = Trial::from_tracks(Format::Trc, 100.0, markers, Vec::new()).unwrap();
    let mut counts = Counts::default();
    counts.add(&label(&flicker, &subject, &Options::default()).unwrap(), &truth);
    assert!(counts.wrong * 100 <= counts.right, "{counts:?}");
}

#[test]
fn says_what_is_missing_for_an_answer() {
    let at = |x| Some(Point3::new(x, 0.0, 0.0));
    let few = MarkerPoses::new(vec!["A".into(), "B".into()], vec![vec![at(0.0), at(1.0)]]).unwrap();
    let walk = recorded(&Performer::human(), Routine::Walk, 0.5, 1);
    let error = label(&walk, &few, &Options::default()).unwrap_err().to_string();
    assert_eq!(error, "labels: need 4 with a position, got 2");
    let empty = Trial::new(Format::Trc, 100.0);
    let error = label(&empty, &poses(&walk), &Options::default()).unwrap_err().to_string();
    assert_eq!(error, "trajectories: need one with a position, got none");
}

#[test]
fn joins_what_is_named_and_keeps_what_is_not() {
    let walk = recorded(&Performer::human(), Routine::Walk, 4.0, 1);
    let (mut pieces, _) = in_pieces(&walk, 1);
    let subject = poses(&walk);
    let samples = |trial: &Trial| -> usize {
        trial.markers.iter().map(|marker| marker.frames() - marker.missing_samples()).sum()
    };
    // A reflection that bears somebody's label.
    let labelling = label(&pieces, &subject, &Options::default()).unwrap();
    let unnamed = labelling.fragments.iter().find(|fragment| fragment.label.is_none()).unwrap();
    pieces.markers[unnamed.track].label.clone_from(&walk.markers[0].label);
    let before = samples(&pieces);
    let applied = apply(pieces, &labelling);
    assert_eq!(samples(&applied.trial), before);
    assert!(applied.joined > walk.markers.len() / 2);
    let mut labels = applied.trial.labels();
    assert!(labels.contains(&format!("*{}", walk.markers[0].label).as_str()), "{labels:?}");
    assert_eq!(applied.trial.notes.last().map(|note| note.code.as_ref()), Some("label-taken"));
    let count = labels.len();
    labels.sort_unstable();
    labels.dedup();
    assert_eq!(labels.len(), count, "no label twice");
}
#[test]
fn names_the_pieces_of_a_walk_from_a_range_of_motion() {
    let mut counts = Counts::default();
    for seed in 1..=3 {
        let human = Performer::human();
        let subject = poses(&recorded(&human, Routine::Rom, 10.0, seed));
        let walk = recorded(&human, Routine::Walk, 6.0, seed + 10);
        let (pieces, truth) = in_pieces(&walk, seed);
        counts.add(&label(&pieces, &subject, &Options::default()).unwrap(), &truth);
    }
    assert!(counts.wrong * 500 <= counts.right, "{counts:?}");
    assert!(counts.unnamed * 50 <= counts.right, "{counts:?}");
}

#[test]
fn a_person_is_never_labelled_as_its_mirror_image() {
    // Legs alone, one pose: left and right differ by nothing but sides.
    let human = Performer::human();
    let standing = recorded(&human, Routine::Walk, 0.1, 1);
    let mut walk = recorded(&human, Routine::Walk, 5.0, 2);
    let legs = |marker: &Marker| {
        let starts = ["TH", "SK", "HEE", "TOE", "MT5", "ASI", "PSI"];
        starts.iter().any(|start| marker.label[1..].starts_with(start))
    };
    let mut subject = standing;
    subject.markers.retain(legs);
    walk.markers.retain(legs);
    assert!(walk.markers.len() >= 12, "{:?}", walk.labels());
    let mut counts = Counts::default();
    for seed in 1..=3 {
        let (pieces, truth) = in_pieces(&walk, seed);
        if let Ok(labelling) = label(&pieces, &poses(&subject), &Options::default()) {
            counts.add(&labelling, &truth);
        }
    }
    assert!(counts.wrong * 100 <= counts.right, "{counts:?}");
    assert!(counts.unnamed * 10 <= counts.right, "{counts:?}");
}
