//! The machine-readable form of `condyle info`, documented in docs/json.md.

use condyle::trial::Event;
use serde::Serialize;

use super::summary::{BodySummary, ChannelSummary, MarkerSummary, Summary};
use crate::info::Report;
use crate::terminal::{Out, Written, print_json};

/// One file. Every field is there in every object; those of an unreadable file are null.
#[derive(Default, Serialize)]
struct FileJson<'a> {
    path: String,
    ok: bool,
    error: Option<String>,
    format: Option<&'a str>,
    variant: Option<&'a str>,
    markers: Option<usize>,
    rigid_bodies: Option<usize>,
    joints: Option<usize>,
    frames: Option<usize>,
    first_frame: Option<i64>,
    start_s: Option<f64>,
    rate_hz: Option<f64>,
    duration_s: Option<f64>,
    labels: Option<Vec<&'a str>>,
    missing_fraction: Option<f64>,
    units: Option<&'a str>,
    declared_units: Option<&'a str>,
    up: Option<&'a str>,
    declared_up: Option<&'a str>,
    up_confidence: Option<f64>,
    forward: Option<&'a str>,
    forward_confidence: Option<f64>,
    subjects: Option<&'a [String]>,
    analog_channels: Option<usize>,
    channels: Option<&'a [ChannelSummary]>,
    events: Option<Vec<EventJson<'a>>>,
    gaps: Option<&'a [MarkerSummary]>,
    bodies: Option<&'a [BodySummary]>,
    notes: Option<Vec<String>>,
}

#[derive(Serialize)]
struct EventJson<'a> {
    label: &'a str,
    context: &'a str,
    subject: &'a str,
    time_s: f64,
}

/// Prints one array with an object a file.
pub fn print(reports: &[Report], out: Out) -> Written {
    let files: Vec<FileJson> = reports.iter().map(file).collect();
    print_json(&files, out)
}

fn file(report: &Report) -> FileJson<'_> {
    let path = report.path.to_string_lossy().into_owned();
    match &report.outcome {
        Ok(summary) => FileJson { path, ok: true, ..contents(summary) },
        Err(error) => FileJson { path, error: Some(error.to_string()), ..FileJson::default() },
    }
}

fn contents(summary: &Summary) -> FileJson<'_> {
    FileJson {
        format: Some(summary.format),
        variant: Some(&summary.variant),
        markers: Some(summary.markers.len()),
        rigid_bodies: Some(summary.bodies.len()),
        joints: Some(summary.joints.unwrap_or(0)),
        frames: Some(summary.frames),
        first_frame: Some(summary.first_frame),
        start_s: Some(summary.start_s),
        rate_hz: summary.rate_hz,
        duration_s: summary.duration_s,
        labels: Some(summary.markers.iter().map(|marker| marker.label.as_str()).collect()),
        missing_fraction: Some(summary.missing_fraction),
        units: Some(summary.unit),
        declared_units: summary.declared_unit.as_deref(),
        up: summary.up,
        declared_up: summary.declared_up,
        up_confidence: summary.up_confidence,
        forward: summary.forward.map(|(axis, _)| axis),
        forward_confidence: summary.forward.map(|(_, confidence)| confidence),
        subjects: Some(&summary.subjects),
        analog_channels: Some(summary.channels.len()),
        channels: Some(&summary.channels),
        events: Some(summary.events.iter().map(event).collect()),
        gaps: Some(&summary.markers),
        bodies: Some(&summary.bodies),
        notes: Some(summary.notes.iter().map(ToString::to_string).collect()),
        ..FileJson::default()
    }
}

fn event(event: &Event) -> EventJson<'_> {
    let Event { label, context, subject, time_s, .. } = event;
    EventJson { label, context, subject, time_s: *time_s }
}
