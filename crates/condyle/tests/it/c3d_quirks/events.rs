//! Events in the header, in the group, in both.

use condyle::trial::{Parameter, ParameterData, Trial};

use super::file::{File, codes, frames};

fn events(trial: &Trial) -> Vec<(&str, &str, f64)> {
    let event = |e: &'_ condyle::trial::Event| e.time_s;
    trial.events.iter().map(|e| (e.label.as_str(), e.context.as_str(), event(e))).collect()
}

fn file_with(header: &[(&'static str, f32)], minutes_and_seconds: &[f32]) -> File {
    let mut file = File::float(&frames(1, 10));
    file.events = header.to_vec();
    let count = minutes_and_seconds.len() as u8 / 2;
    if count > 0 {
        let times = ParameterData::Real(minutes_and_seconds.to_vec());
        file.set("EVENT", Parameter::integer("USED", count.into()));
        file.set("EVENT", Parameter::strings("LABELS", &["Foot Strike", "Foot Off"]));
        file.set("EVENT", Parameter::strings("CONTEXTS", &["Left", "Right"]));
        file.set("EVENT", Parameter::with("TIMES", vec![2, count], times));
    }
    file
}

#[test]
fn events_of_the_header_are_read() {
    let trial = file_with(&[("RTO ", 0.25), ("LHS ", 0.5)], &[]).read();
    assert_eq!(events(&trial), [("RTO", "", 0.25), ("LHS", "", 0.5)]);
    assert_eq!(codes(&trial), [""; 0]);
}

#[test]
fn events_of_the_group_are_read_in_minutes_and_seconds() {
    let trial = file_with(&[], &[0.0, 0.25, 2.0, 5.5]).read();
    let expected = [("Foot Strike", "Left", 0.25), ("Foot Off", "Right", 125.5)];
    assert_eq!(events(&trial), expected);
    assert_eq!(codes(&trial), [""; 0]);
}

#[test]
fn events_of_the_group_win_over_the_headers_which_say_less() {
    let trial = file_with(&[("RTO ", 0.75)], &[0.0, 0.25]).read();
    assert_eq!(events(&trial), [("Foot Strike", "Left", 0.25)]);
    assert_eq!(codes(&trial), ["events-twice"]);
}

#[test]
fn an_event_group_that_uses_none_leaves_the_headers() {
    let mut file = file_with(&[("RTO ", 0.75)], &[0.0, 0.25]);
    file.set("EVENT", Parameter::integer("USED", 0));
    let trial = file.read();
    assert_eq!((events(&trial), codes(&trial)), (vec![("RTO", "", 0.75)], vec![]));
}

#[test]
fn an_event_at_no_time_is_left_out() {
    let trial = file_with(&[], &[0.0, f32::NAN, 0.0, 0.5]).read();
    assert_eq!(events(&trial), [("Foot Off", "Right", 0.5)]);
    assert_eq!(codes(&trial), ["event-time"]);
}
