//! One file in full.

use std::path::Path;

use anstyle::Style;
use condyle::marker_set::PointKind;

use super::summary::{GapSummary, Summary};
use crate::options::ReadingArgs;
use crate::terminal::say::{self, printable};
use crate::terminal::table;
use crate::terminal::{Out, Written};

const TITLE: Style = Style::new().bold();
const INDENT: &str = "  ";

/// Prints everything that is known about a file.
pub fn print(path: &Path, summary: &Summary, reading: &ReadingArgs, out: Out) -> Written {
    writeln!(out, "{TITLE}{}{TITLE:#}", printable(&path.to_string_lossy()))?;
    for (name, value) in facts(summary, reading) {
        writeln!(out, "{INDENT}{name:<9} {}", printable(&value))?;
    }
    markers(summary, out)?;
    bodies(summary, out)?;
    channels(summary, out)?;
    events(summary, out)?;
    for (index, note) in summary.notes.iter().enumerate() {
        if index == 0 {
            writeln!(out)?;
        }
        writeln!(out, "{INDENT}note: {}", printable(&say::in_words(note)))?;
    }
    Ok(())
}

fn facts(summary: &Summary, reading: &ReadingArgs) -> Vec<(&'static str, String)> {
    let mut facts = vec![("format", format(summary)), ("frames", frames(summary))];
    if summary.rate_hz.is_none() {
        facts.push(("rate", "unknown (say it with --assume-rate)".to_owned()));
    }
    facts.push(("markers", marker_count(summary)));
    facts.extend(kinds(summary).map(|kinds| ("points", kinds)));
    if !summary.bodies.is_empty() {
        facts.push(("bodies", summary.bodies.len().to_string()));
    }
    if let Some(joints) = summary.joints {
        facts.push(("skeleton", format!("{joints} joints, already solved")));
    }
    if !summary.channels.is_empty() {
        facts.push(("analog", analog(summary)));
    }
    if !summary.events.is_empty() {
        facts.push(("events", summary.events.len().to_string()));
    }
    facts.push(("units", units(summary, reading)));
    facts.push(("up", up(summary, reading)));
    if let Some((axis, confidence)) = summary.forward {
        facts.push(("forward", format!("{axis}, {:.0} % sure", 1e2 * confidence)));
    }
    if !summary.subjects.is_empty() {
        facts.push(("subjects", summary.subjects.join(", ")));
    }
    facts
}

fn format(summary: &Summary) -> String {
    match summary.variant.as_str() {
        "" => summary.format.to_owned(),
        variant => format!("{} ({variant})", summary.format),
    }
}

fn frames(summary: &Summary) -> String {
    let start = match (summary.first_frame, summary.start_s) {
        (1, 0.0) => String::new(),
        (first, start_s) => format!(", numbered from {first} ({} s)", table::number(start_s)),
    };
    let extent = match (summary.rate_hz, summary.duration_s) {
        (Some(rate_hz), Some(duration_s)) => format!(
            "{} at {} Hz, {} s",
            summary.frames,
            table::number(rate_hz),
            table::number(duration_s)
        ),
        _ => summary.frames.to_string(),
    };
    extent + &start
}

fn marker_count(summary: &Summary) -> String {
    let [missing, samples] = summary.missing_samples();
    match missing {
        0 => summary.count_of_markers().to_string(),
        _ => format!(
            "{}, {} % of the samples missing",
            summary.count_of_markers(),
            table::percent(missing, samples)
        ),
    }
}

/// How many points there are of every kind, unless all are markers.
fn kinds(summary: &Summary) -> Option<String> {
    let of = |kind: PointKind| {
        let count = summary.markers.iter().filter(|marker| marker.kind == kind.name()).count();
        (count > 0).then(|| format!("{count} {}", kind.name()))
    };
    let is_all_markers = summary.markers.iter().all(|m| m.kind == PointKind::Marker.name());
    let counted = || PointKind::ALL.into_iter().filter_map(of).collect::<Vec<_>>().join(", ");
    (!is_all_markers).then(counted)
}

fn analog(summary: &Summary) -> String {
    let mut rates: Vec<String> =
        summary.channels.iter().map(|channel| table::number(channel.rate_hz)).collect();
    rates.dedup();
    let count = summary.channels.len();
    match rates.as_slice() {
        [rate] => format!("{count} channels at {rate} Hz"),
        _ => format!("{count} channels"),
    }
}

fn units(summary: &Summary, reading: &ReadingArgs) -> String {
    let says = match &summary.declared_unit {
        Some(unit) => format!("the file says '{unit}'"),
        None => "the file does not say".to_owned(),
    };
    match reading.units {
        Some(_) => format!("{}, given by --units; {says}", summary.unit),
        None => format!("{}; {says}", summary.unit),
    }
}

fn up(summary: &Summary, reading: &ReadingArgs) -> String {
    let Some(up) = summary.up else {
        return "unknown (say it with --up)".to_owned();
    };
    let given = if reading.up.is_some() { ", given by --up" } else { "" };
    let note = match summary.notes.iter().any(|note| note.code == "up") {
        true if reading.up.is_none() => ", see the note",
        _ => "",
    };
    let says = match summary.declared_up {
        Some(declared) => format!("; the file says '{declared}'"),
        None => "; the file does not say".to_owned(),
    };
    format!("{up}{given}{note}{says}")
}

fn markers(summary: &Summary, out: Out) -> Written {
    let rows = summary.markers.iter().map(|marker| (marker.label.as_str(), &marker.gaps));
    missing("marker", rows, summary, out)
}

fn bodies(summary: &Summary, out: Out) -> Written {
    let rows = summary.bodies.iter().map(|body| (body.name.as_str(), &body.gaps));
    missing("body", rows, summary, out)
}

/// A table of what is missing, a row for each of a kind.
fn missing<'a>(
    kind: &str,
    all: impl Iterator<Item = (&'a str, &'a GapSummary)>,
    summary: &Summary,
    out: Out,
) -> Written {
    let header = [kind, "missing %", "gaps", "longest, frames", "longest, s"];
    let all: Vec<(&str, &GapSummary)> = all.collect();
    for part in all.chunks(table::ROWS_AT_ONCE) {
        let mut rows = table::table(&header, 1);
        for (name, gaps) in part {
            let longest_s = summary.rate_hz.map(|rate_hz| gaps.longest_gap_frames as f64 / rate_hz);
            let is_whole = gaps.gaps == 0;
            let unless_whole = |text: String| if is_whole { "-".to_owned() } else { text };
            rows.add_row([
                table::text(name),
                table::percent(gaps.missing, summary.frames),
                gaps.gaps.to_string(),
                unless_whole(gaps.longest_gap_frames.to_string()),
                unless_whole(table::known(longest_s)),
            ]);
        }
        writeln!(out)?;
        table::print(&rows, INDENT, out)?;
    }
    Ok(())
}

fn channels(summary: &Summary, out: Out) -> Written {
    for part in summary.channels.chunks(table::ROWS_AT_ONCE) {
        let mut rows = table::table(&["channel", "unit", "Hz", "samples"], 2);
        for channel in part {
            rows.add_row([
                table::text(&channel.label),
                table::text(&channel.unit),
                table::number(channel.rate_hz),
                channel.samples.to_string(),
            ]);
        }
        writeln!(out)?;
        table::print(&rows, INDENT, out)?;
    }
    Ok(())
}

fn events(summary: &Summary, out: Out) -> Written {
    for part in summary.events.chunks(table::ROWS_AT_ONCE) {
        let mut rows = table::table(&["event", "context", "subject", "s"], 3);
        for event in part {
            rows.add_row([
                table::text(&event.label),
                table::text(&event.context),
                table::text(&event.subject),
                table::number(event.time_s),
            ]);
        }
        writeln!(out)?;
        table::print(&rows, INDENT, out)?;
    }
    Ok(())
}
