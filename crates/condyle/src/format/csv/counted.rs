//! Point sets with counts in the first line, as the registration data of the course 600.455 at Johns
//! Hopkins has them.
//!
//! ```text
//! 6, 12, pa1-debug-a-empivot.txt          markers of the probe, frames
//!   222.04,   227.51,   162.86
//! ```
//!
//! | name ends | counts | markers of a frame |
//! |---|---|---|
//! | `empivot.txt` | G, frames | `G1` … |
//! | `optpivot.txt` | D, H, frames | `D1` … `H1` … |
//! | `calreadings.txt` | D, A, C, frames | `D1` … `A1` … `C1` … |
//! | `calbody.txt` | D, A, C | the same, one frame |
//!
//! Millimetres.

use crate::error::{Error, Result};
use crate::format::{ReadOptions, table, text};
use crate::trial::{Format, LengthUnit, Marker, Trial};
use nalgebra::Point3;

/// What names end with, the letters of their markers, and whether frames are counted.
const KINDS: [(&str, &[&str], bool); 4] = [
    ("empivot.txt", &["G"], true),
    ("optpivot.txt", &["D", "H"], true),
    ("calreadings.txt", &["D", "A", "C"], true),
    ("calbody.txt", &["D", "A", "C"], false),
];

/// The counts and the kind of a first line.
fn counts(first_line: &str) -> Option<(Vec<usize>, &'static [&'static str], bool)> {
    let mut cells: Vec<&str> = first_line.split(',').map(str::trim).collect();
    let name = cells.pop()?.to_ascii_lowercase();
    let (_, letters, has_frames) = KINDS.iter().find(|(end, ..)| name.ends_with(end))?;
    let counts: Vec<usize> = cells.iter().map(|c| c.parse().ok()).collect::<Option<_>>()?;
    (counts.len() == letters.len() + usize::from(*has_frames)).then_some((
        counts,
        *letters,
        *has_frames,
    ))
}

pub(super) fn is_first_line(line: &str) -> bool {
    counts(line).is_some()
}

pub(super) fn read(text: &str, bytes: usize, options: &ReadOptions) -> Result<Trial> {
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let first = lines.next().and_then(|(_, line)| counts(line));
    let (mut counts, letters, has_frames) =
        first.ok_or_else(|| Error::malformed("points: need counts in the first line, got none"))?;
    let frames = if has_frames { counts.pop().unwrap_or(0) } else { 1 };
    let a_frame = counts.iter().fold(0usize, |sum, count| sum.saturating_add(*count));
    table::check_size(frames, a_frame.saturating_mul(3), bytes)?;
    let unit = options.unit.unwrap_or(LengthUnit::Millimetre);
    let labels = letters.iter().zip(&counts);
    let mut markers: Vec<Marker> = labels
        .flat_map(|(letter, count)| (1..=*count).map(move |k| format!("{letter}{k}")))
        .map(|label| Marker { label, ..Marker::default() })
        .collect();
    let mut read = 0;
    for (at, line) in lines.take(frames.saturating_mul(a_frame)) {
        let values: Option<Vec<f64>> = line.split(',').map(|c| text::number(c.trim())).collect();
        let Some([x, y, z]) = values.and_then(|v| <[f64; 3]>::try_from(v).ok()) else {
            return Err(Error::at_line(at + 1, "point: need 3 numbers, got others"));
        };
        markers[read % a_frame].push(Some(Point3::new(x, y, z) * unit.metres()));
        read += 1;
    }
    let whole = read.checked_div(a_frame).unwrap_or(0);
    let mut trial = Trial::new(Format::Csv, options.rate_hz.unwrap_or(0.0));
    if whole < frames {
        trial.note(
            "truncated",
            format!("the first line promises {frames} frames, there are {whole}"),
        );
    }
    for marker in &mut markers {
        let kept: Vec<_> = (0..whole).map(|frame| marker.position_m(frame)).collect();
        *marker = Marker::from_positions(marker.label.clone(), kept);
    }
    (trial.frames, trial.markers) = (whole, markers);
    trial.source.unit = unit;
    trial.source.up = options.up;
    trial.source.variant = "counted points".into();
    Ok(trial)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_the_counts_promise_and_notes_what_is_missing() {
        let text =
            "2, 3, pa1-debug-a-empivot.txt\n 1.0, 2.0, 3.0\n 4,5,6\n 7,8,9\n 1,1,1\n 2,2,2\n";
        let trial = read(text, text.len(), &ReadOptions::default()).unwrap();
        assert_eq!((trial.frames, trial.labels()), (2, vec!["G1", "G2"]));
        let place = trial.markers[0].position_m(1).unwrap();
        assert!((place - Point3::new(0.007, 0.008, 0.009)).norm() < 1e-12);
        assert_eq!(trial.notes[0].code, "truncated");
        assert!(is_first_line("8, 8, 27, pa1-debug-a-calbody.txt"));
        assert!(!is_first_line("8, 8, 27, somewhere.txt") && !is_first_line("8, pa1-calbody.txt"));
        let huge = "4000000000, 4000000000, x-empivot.txt\n1,2,3\n";
        assert!(read(huge, huge.len(), &ReadOptions::default()).is_err());
        let odd = "1, 1, x-empivot.txt\n1,2\n";
        let error = read(odd, odd.len(), &ReadOptions::default()).unwrap_err().to_string();
        assert!(error.contains("line 2"), "{error}");
    }
}
