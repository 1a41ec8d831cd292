use super::read;
use crate::format::ReadOptions;
use crate::trial::{Axis, Trial};
use nalgebra::Point3;

const SUIT: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<!-- <!DOCTYPE mvnx> -->
<mvnx version="4"><subject label="Suit &amp; 1" frameRate="60" segmentCount="2">
<segments><segment label="Pelvis" id="1"><points><point label="p"><pos_b>0 0 0</pos_b></point></points></segment>
<segment label="L5" id="2"/></segments>
<frames><frame time="0" type="tpose"><orientation>1 0 0 0 1 0 0 0</orientation><position>9 9 9 9 9 9</position></frame>
<frame time="500" index="30" type="normal"><orientation>1 0 0 0 0 1 0 0</orientation><position>1 2 3 4 5 6</position></frame>
<frame time="517" index="31" type="normal"><orientation>1 0 0 0 0 0 1 0</orientation><position>1 2 3 7 8 9</position>
<marker>clap</marker></frame></frames></subject></mvnx>"#;

fn read_text(text: &str) -> Trial {
    read(text.as_bytes(), &ReadOptions::default()).unwrap()
}

fn codes(trial: &Trial) -> Vec<&str> {
    trial.notes.iter().map(|note| &*note.code).collect()
}

#[test]
fn reads_the_poses_of_normal_frames() {
    let trial = read_text(SUIT);
    assert_eq!((trial.frames, trial.rate_hz, trial.first_frame, trial.start_s), (2, 60.0, 30, 0.5));
    assert_eq!(
        (trial.source.up, trial.subjects.as_slice()),
        (Some(Axis::Z), &["Suit & 1".to_owned()][..])
    );
    let names: Vec<_> = trial.bodies.iter().map(|body| body.name.as_str()).collect();
    assert_eq!(names, ["Pelvis", "L5"]);
    assert_eq!(trial.bodies[1].position_m(1), Some(Point3::new(7.0, 8.0, 9.0)));
    assert_eq!(trial.bodies[1].world_from_body(1).unwrap().rotation.quaternion().j, 1.0);
    assert_eq!(trial.events[0].label, "clap");
    assert!((trial.events[0].time_s - (0.5 + 1.0 / 60.0)).abs() < 1e-12);
    assert_eq!(codes(&trial), ["calibration-frames"]);
}

#[test]
fn short_lists_and_words_are_missing_poses() {
    let short = read_text(&SUIT.replace("<position>1 2 3 7 8 9", "<position>1 2 3 7"));
    assert!(
        short.bodies[0].world_from_body(1).is_some()
            && short.bodies[1].world_from_body(1).is_none()
    );
    assert!(codes(&short).contains(&"poses-missing"));
    let word = read_text(&SUIT.replace("<position>1 2 3 7", "<position>1 x 3 7"));
    assert!(
        word.bodies[0].world_from_body(1).is_none() && word.bodies[1].world_from_body(1).is_some()
    );
    assert!(codes(&word).contains(&"numbers-odd"));
}

#[test]
fn orientations_alone_are_bodies_without_positions() {
    let trial = read_text(&SUIT.replace("position>", "somewhere>"));
    assert!(trial.bodies.iter().all(|body| !body.has_positions && body.missing_samples() == 0));
    assert_eq!(trial.bodies[0].position_m(0), None);
    assert!(codes(&trial).contains(&"no-positions"));
}

#[test]
fn keeps_the_whole_frames_of_a_file_cut_anywhere() {
    let first = SUIT.find("</frame>\n<frame time=\"517\"").unwrap() + "</frame>".len();
    for end in 0..SUIT.len() {
        let read = read(&SUIT.as_bytes()[..end], &ReadOptions::default());
        match read {
            Ok(trial) => assert!(end >= first && trial.frames > 0, "{end}"),
            Err(error) => assert!(end < first, "{end} {error}"),
        }
    }
}

#[test]
fn entities_are_not_expanded() {
    let bomb = SUIT.replace(
        "<!-- <!DOCTYPE mvnx> -->",
        "<!DOCTYPE mvnx [<!ENTITY a \"1 1 1\"><!ENTITY b \"&a;&a;&a;\">]>",
    );
    let trial = read_text(&bomb.replace("<position>1 2 3 7", "<position>&b; 3 7"));
    assert!(trial.bodies[1].world_from_body(1).is_none());
}

#[test]
fn refuses_what_is_too_deep_has_no_segments_or_claims_too_much() {
    let deep = format!("<mvnx>{}", "<a>".repeat(100_000));
    let none = "<mvnx><subject><frames/></subject></mvnx>".to_owned();
    let many = format!(
        "<mvnx><subject><segments>{}</segments><frames>{}</frames></subject></mvnx>",
        "<segment/>".repeat(20_000),
        "<frame/>".repeat(50_000)
    );
    for (text, reason) in [
        (deep, "at most 100 deep"),
        (none, "need segments, got none"),
        (many, "got nearly none"),
        ("<mvnx><".to_owned(), "byte"),
    ] {
        let error = read(text.as_bytes(), &ReadOptions::default()).unwrap_err().to_string();
        assert!(error.contains(reason), "{error} / {reason}");
    }
}
