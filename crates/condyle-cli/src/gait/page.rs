//! `condyle gait` for people: what was found, and a table of parameters a performer.

use condyle::gait::{self, EventKind, GaitKind, MeanCycle, Side, Source};

use super::json::{Pooled, RecordingGait};
use crate::terminal::say::printable;
use crate::terminal::{Out, Written, table};

/// Prints every recording, then what each performer's recordings have together.
pub fn print(
    recordings: &[RecordingGait],
    pooled: &[Pooled],
    reference: &[MeanCycle],
    out: Out,
) -> Written {
    for recording in recordings {
        for performer in &recording.performers {
            let gait = &performer.gait;
            let kind = match gait.kind {
                Some(GaitKind::Walking) => "walking",
                Some(GaitKind::Running) => "running",
                Some(GaitKind::Stairs) => "stairs",
                None => "no gait",
            };
            let count =
                |kind: EventKind| gait.events.iter().filter(|event| event.kind == kind).count();
            let from = |source: Source, word: &str| {
                let count = gait.events.iter().filter(|event| event.source == source).count();
                (count > 0).then(|| format!("{count} from {word}"))
            };
            let sources = [
                from(Source::File, "the file"),
                from(Source::Plates, "force plates"),
                from(Source::Markers, "markers"),
            ];
            let sources: Vec<String> = sources.into_iter().flatten().collect();
            let strikes = count(EventKind::FootStrike);
            let offs = count(EventKind::FootOff);
            let name = printable(&recording.recording);
            let strides = gait.strides.len();
            write!(out, "{name}: {kind}, {strikes} foot strikes and {offs} foot offs")?;
            if !sources.is_empty() {
                write!(out, " ({})", sources.join(", "))?;
            }
            writeln!(out, ", {strides} strides")?;
        }
        if recording.performers.is_empty() {
            writeln!(out, "{}: no gait", printable(&recording.recording))?;
        }
    }
    for (index, own) in pooled.iter().enumerate().filter(|(_, own)| !own.parameters.is_empty()) {
        writeln!(out)?;
        if !own.name.is_empty() || pooled.len() > 1 {
            // As the file with the cycles is called.
            let number = format!("performer {}", index + 1);
            let name = if own.name.is_empty() { &number } else { &own.name };
            writeln!(out, "{}: {}", printable(name), printable(&own.recordings.join(", ")))?;
        }
        let mut rows =
            table::table(&["parameter", "unit", "left", "sd", "n", "right", "sd", "n"], 2);
        let mut names: Vec<(&str, &str)> =
            own.parameters.iter().map(|p| (p.name, p.unit)).collect();
        names.dedup();
        for (name, unit) in names {
            let mut row = vec![name.replace('_', " "), unit.to_owned()];
            for side in [Side::Left, Side::Right] {
                let found = own.parameters.iter().find(|p| p.name == name && p.side == side);
                row.extend(match found {
                    Some(p) => [
                        format!("{:.3}", p.value),
                        // One stride has no scatter.
                        if p.strides.len() > 1 { format!("{:.3}", p.sd) } else { "-".to_owned() },
                        p.strides.len().to_string(),
                    ],
                    None => [String::new(), String::new(), "0".to_owned()],
                });
            }
            rows.add_row(row);
        }
        table::print(&rows, "", out)?;
        let scores = gait::scores(&own.cycles, reference);
        for score in scores.iter().filter(|score| score.name == "gps") {
            let side = score.side.map_or("both sides", Side::name);
            writeln!(out, "gait profile score, {side}: {:.1} degrees", score.value_deg)?;
        }
    }
    Ok(())
}
