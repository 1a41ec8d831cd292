//! Events: the `EVENT` group, or the header's eighteen slots where there is no such group.

use super::header::{EVENT_SLOTS, Header, HeaderEvent};
use super::labels::{PER_PARAMETER, continued, numbered, strings};
use crate::trial::parameters::{self, text_from_bytes};
use crate::trial::{Event, Group, Note, Parameter, ParameterData};

const SECONDS_PER_MINUTE: f64 = 60.0;

/// The events of a file, in file order.
pub(super) fn read(header: &Header, groups: &[Group], notes: &mut Vec<Note>) -> Vec<Event> {
    let mut events = from_group(groups);
    if !events.is_empty() && !header.events.is_empty() {
        let counts = format!("{} in the header, {} in EVENT", header.events.len(), events.len());
        notes.push(Note::new("events-twice", format!("events {counts}: took EVENT")));
    }
    if events.is_empty() {
        let from_header = |event: &HeaderEvent| Event {
            label: text_from_bytes(&event.label).trim().to_owned(),
            time_s: f64::from(event.time_s),
            ..Event::default()
        };
        events = header.events.iter().map(from_header).collect();
    }
    let before = events.len();
    events.retain(|event| event.time_s.is_finite());
    let text = "events without a finite time left out";
    notes.extend(Note::counted(before - events.len(), "event-time", text));
    events
}

/// The events of the `EVENT` group.
pub(super) fn from_group(groups: &[Group]) -> Vec<Event> {
    let times = continued(groups, "EVENT", "TIMES").flat_map(Parameter::to_numbers);
    let minutes_and_seconds: Vec<f64> = times.collect();
    let used = parameters::find(groups, "EVENT", "USED").and_then(Parameter::first_count);
    let count = used.map_or(usize::MAX, |used| used as usize);
    let labels = strings(groups, "EVENT", "LABELS");
    let contexts = strings(groups, "EVENT", "CONTEXTS");
    let subjects = strings(groups, "EVENT", "SUBJECTS");
    let text = |list: &[String], i: usize| {
        list.get(i).map(|text| text.trim().to_owned()).unwrap_or_default()
    };
    minutes_and_seconds
        .chunks_exact(2)
        .take(count)
        .enumerate()
        .map(|(i, pair)| Event {
            label: text(&labels, i),
            context: text(&contexts, i),
            subject: text(&subjects, i),
            time_s: pair[0] * SECONDS_PER_MINUTE + pair[1],
        })
        .collect()
}

/// Where events go when written: header slots if they fit there, else an `EVENT` group.
pub(super) fn write(events: &[Event], notes: &mut Vec<Note>) -> (Vec<HeaderEvent>, Option<Group>) {
    note_cuts(events, notes);
    let fits = |event: &Event| {
        event.label.len() <= 4 && event.context.is_empty() && event.subject.is_empty()
    };
    if events.len() <= EVENT_SLOTS && events.iter().all(fits) {
        let slot = |event: &Event| {
            let mut label = [b' '; 4];
            label[..event.label.len()].copy_from_slice(event.label.as_bytes());
            HeaderEvent { label, time_s: event.time_s as f32 }
        };
        return (events.iter().map(slot).collect(), None);
    }
    let mut parameters = vec![Parameter::integer("USED", events.len().min(65_535) as u16)];
    for (number, part) in events.chunks(PER_PARAMETER).enumerate() {
        let name = |name| numbered(name, number + 1);
        let text = |name: String, pick: fn(&Event) -> &str| {
            Parameter::strings(&name, &part.iter().map(pick).collect::<Vec<_>>())
        };
        parameters.push(text(name("CONTEXTS"), |event| &event.context));
        parameters.push(text(name("LABELS"), |event| &event.label));
        parameters.push(text(name("SUBJECTS"), |event| &event.subject));
        let times = part.iter().flat_map(|event| minutes_and_seconds(event.time_s)).collect();
        let dimensions = vec![2, part.len() as u8];
        parameters.push(Parameter::with(&name("TIMES"), dimensions, ParameterData::Real(times)));
    }
    (Vec::new(), Some(Group { name: "EVENT".into(), parameters, ..Group::default() }))
}

fn note_cuts(events: &[Event], notes: &mut Vec<Note>) {
    let is_long = |event: &&Event| {
        [&event.label, &event.context, &event.subject].iter().any(|text| text.len() > 127)
    };
    let long = events.iter().filter(is_long).count();
    if long > 0 {
        notes.push(Note::new("events-cut", format!("the texts of {long} events exceed 127 bytes")));
    }
    if events.len() > 65_535 {
        let text = format!("c3d counts at most 65535 events: got {}", events.len());
        notes.push(Note::new("events-cut", text));
    }
}

/// Whole minutes and the rest, each a 32-bit float: that is how C3D keeps long times precise.
fn minutes_and_seconds(time_s: f64) -> [f32; 2] {
    let minutes = (time_s / SECONDS_PER_MINUTE).trunc();
    [minutes as f32, (time_s - minutes * SECONDS_PER_MINUTE) as f32]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(label: &str, context: &str, time_s: f64) -> Event {
        Event { label: label.into(), context: context.into(), subject: String::new(), time_s }
    }

    fn header(events: Vec<HeaderEvent>) -> Header {
        let block = [0; 512];
        Header { events, ..Header::parse(&block, crate::trial::Processor::Intel).unwrap() }
    }

    #[test]
    fn short_events_live_in_the_header_and_rich_ones_in_a_group() {
        for events in [
            vec![event("RTO", "", 1.25), event("LHS", "", 2.5)],
            vec![event("Foot Strike", "Left", 0.5), event("Foot Off", "Right", 125.25)],
            (0..600).map(|i| event("many", "x", f64::from(i) / 4.0)).collect(),
        ] {
            let mut notes = Vec::new();
            let (slots, group) = write(&events, &mut notes);
            let groups: Vec<Group> = group.into_iter().collect();
            assert_eq!(read(&header(slots), &groups, &mut notes), events);
            assert_eq!(notes, []);
        }
    }
}
