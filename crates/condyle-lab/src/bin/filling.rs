//! Tables of the error of filled gaps, by deletion in recordings.
//!
//! Gaps come as JSON lines, as `occlusion.py list` prints them: `recording`, `missing`, `seconds`, `markers`, `first`
//! (from 0) and `frames`; lines with the same `set` are deleted together.
//!
//! ```text
//! cargo run --release -p condyle-lab --bin filling -- gaps.jsonl recordings/ --method causal,velocity
//! ```

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::Context;
use clap::Parser;
use condyle::Trial;
use condyle::fill::{self, Method};
use condyle::format::{ReadOptions, read_path};
use condyle::statistics::{mean, quantile};
use condyle::trial::Origin;
use condyle::trial::edit::with_frames;
use serde::Deserialize;

/// Tables of the error of filled gaps
#[derive(Parser)]
struct Args {
    /// The gaps, one JSON object a line
    gaps: PathBuf,
    /// Where the recordings are
    folder: PathBuf,
    /// The methods, separated by commas
    #[arg(long, value_delimiter = ',', default_value = "auto")]
    method: Vec<String>,
    /// Only so many of the first frames
    #[arg(long)]
    frames: Option<usize>,
}

#[derive(Deserialize)]
struct Gap {
    recording: String,
    missing: String,
    seconds: f64,
    markers: Vec<String>,
    first: usize,
    frames: usize,
    set: Option<usize>,
}

/// What the gaps of one row of the table came to.
#[derive(Default)]
struct Cell {
    errors_mm: Vec<f64>,
    predicted_to_actual: Vec<f64>,
    gaps: usize,
    kept: usize,
    seconds: f64,
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let text = fs::read_to_string(&args.gaps).with_context(|| args.gaps.display().to_string())?;
    let gaps: Vec<Gap> = text.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    let methods: Vec<Method> = args
        .method
        .iter()
        .map(|name| name.parse().map_err(anyhow::Error::msg))
        .collect::<Result<_, _>>()?;
    let mut out = anstream::stdout();
    writeln!(out, "mm: mean, median, 95 %, worst; predicted over actual error, median; ms a gap")?;
    let mut of_recording: BTreeMap<&str, Vec<&Gap>> = BTreeMap::new();
    gaps.iter().for_each(|gap| of_recording.entry(&gap.recording).or_default().push(gap));
    for (recording, gaps) in of_recording {
        let mut trial = read_path(&args.folder.join(recording), &ReadOptions::default())?;
        if let Some(frames) = args.frames.filter(|frames| *frames < trial.frames) {
            trial = with_frames(trial, 0..frames)?;
        }
        for method in &methods {
            for ((missing, seconds), cell) in cells(&trial, &gaps, *method)? {
                let row = in_words(&cell);
                writeln!(
                    out,
                    "{recording:24} {missing:5} {:4.1} s {method:9} {row}",
                    seconds as f64 / 1e3
                )?;
            }
        }
    }
    Ok(())
}

/// Deletes, fills and measures; a cell for each kind and length of gap, in milliseconds.
fn cells<'a>(
    trial: &Trial,
    gaps: &[&'a Gap],
    method: Method,
) -> anyhow::Result<BTreeMap<(&'a str, u64), Cell>> {
    let mut cells: BTreeMap<(&str, u64), Cell> = BTreeMap::new();
    let mut sets: BTreeMap<(&str, u64, usize), Vec<&Gap>> = BTreeMap::new();
    for (index, gap) in gaps.iter().enumerate() {
        let length = (gap.seconds * 1e3).round() as u64;
        let set = gap.set.unwrap_or(usize::MAX - index);
        sets.entry((&gap.missing, length, set)).or_default().push(gap);
    }
    for ((missing, length, _), set) in sets {
        let cell = cells.entry((missing, length)).or_default();
        measure(trial, &set, method, cell)?;
    }
    Ok(cells)
}

fn measure(trial: &Trial, set: &[&Gap], method: Method, cell: &mut Cell) -> anyhow::Result<()> {
    let mut holed = trial.clone();
    let mut made = Vec::new();
    for gap in set {
        for label in &gap.markers {
            let is_it =
                |marker: &condyle::trial::Marker| marker.name() == label || marker.label == *label;
            let marker = trial.markers.iter().position(is_it).context("no such marker")?;
            let frames = gap.first..gap.first + gap.frames;
            frames.clone().for_each(|f| holed.markers[marker].set(f, None, Origin::Missing));
            made.push((marker, frames));
        }
    }
    let start = Instant::now();
    let filled = fill::fill(&mut holed, &fill::Options { method, ..Default::default() })?;
    cell.seconds += start.elapsed().as_secs_f64();
    // Gaps of the recording's own are filled too, and cost time.
    cell.gaps += filled.len();
    for (marker, frames) in made {
        let before = cell.errors_mm.len();
        for frame in frames.clone() {
            if let (Some(truth), Some(found)) =
                (trial.markers[marker].position_m(frame), holed.markers[marker].position_m(frame))
            {
                cell.errors_mm.push(1e3 * (found - truth).norm());
            }
        }
        let gap = filled.iter().find(|g| g.marker == marker && g.frames.contains(&frames.start));
        let new = &cell.errors_mm[before..];
        let rms_mm = condyle::statistics::rms(new.iter().copied());
        match (gap.and_then(|gap| gap.predicted_error_m), rms_mm) {
            (Some(predicted_m), Some(rms_mm)) => {
                cell.predicted_to_actual.push(1e3 * predicted_m / rms_mm);
            }
            _ => cell.kept += usize::from(gap.is_none_or(|gap| !gap.is_filled)),
        }
    }
    Ok(())
}

fn in_words(cell: &Cell) -> String {
    let errors = || cell.errors_mm.iter().copied();
    let shown = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |v| format!("{v:.2}"));
    let ms = 1e3 * cell.seconds / cell.gaps.max(1) as f64;
    format!(
        "{:>7} {:>7} {:>7} {:>7}   {}   {ms:.1} ms   {} not filled",
        shown(mean(errors())),
        shown(quantile(errors(), 0.5)),
        shown(quantile(errors(), 0.95)),
        shown(quantile(errors(), 1.0)),
        shown(quantile(cell.predicted_to_actual.iter().copied(), 0.5)),
        cell.kept,
    )
}
