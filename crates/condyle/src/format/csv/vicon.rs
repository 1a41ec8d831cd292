//! Vicon Nexus and Tracker exports: sections one after the other in a file.
//!
//! ```text
//! Trajectories
//! 100
//! ,,Mouse:centre,,,Mouse:R_foot,,
//! Frame,Sub Frame,X,Y,Z,X,Y,Z
//! ,,mm,mm,mm,mm,mm,mm
//! 101,0,1,2,3,4,5,6
//! ```
//!
//! A section is its title, its rate, names, axes, units, then rows until a blank line. `Devices` has
//! several sub-frames a frame and becomes channels at its own rate, from the first frame on. The other sections run at the
//! rate of the frames and are matched by frame number. Frame 1 is time 0.

use crate::error::{Error, Result};
use crate::format::{ReadOptions, table, text};
use crate::trial::{Channel, Note, Trial};

use super::cells;
use super::columns;
use super::devices::DeviceStart;
use super::grouped;

const TITLES: [&str; 6] =
    ["trajectories", "model outputs", "devices", "joints", "segments", "objects"];

/// Whether a line is the title of a section and nothing else.
pub(super) fn is_title(line: &str) -> bool {
    let title = line.trim().trim_end_matches([',', ';']).trim().trim_matches('"');
    TITLES.iter().any(|known| title.eq_ignore_ascii_case(known))
}

/// The lines of one section, counted from 0.
struct Section<'a> {
    is_devices: bool,
    rate_hz: Option<f64>,
    head: grouped::Rows,
    rows: Lines<'a>,
}

/// The lines of the rows of a section.
type Lines<'a> = std::iter::Take<std::iter::Skip<std::str::Lines<'a>>>;

pub(super) fn read(text: &str, bytes: usize, options: &ReadOptions) -> Result<Trial> {
    let delimiter = cells::delimiter(text);
    let mut trial: Option<Trial> = None;
    let mut devices: Vec<(columns::Rows, f64, Lines)> = Vec::new();
    let mut notes = Vec::new();
    let mut stored_cells = 0usize;
    for section in sections(text, delimiter)? {
        let (mut layout, unstated) = grouped::layout(&section.head, 2, options.unit);
        layout.frame = Some(0).filter(|_| !section.is_devices);
        let text = "segments have angles of no stated convention; kept as channels, their positions as markers";
        notes.extend(Note::counted(unstated, "rotation-convention", text));
        let unit = layout.unit();
        // Each section fits the file; all of them together must, too.
        let cells = section.rows.clone().count().saturating_mul(layout.columns());
        stored_cells = stored_cells.saturating_add(cells);
        table::check_size(stored_cells, 1, bytes)?;
        let rows = layout.read(section.rows.clone(), delimiter, bytes)?;
        if section.is_devices {
            devices.push((rows, section.rate_hz.unwrap_or(0.0), section.rows));
            continue;
        }
        match &mut trial {
            None => {
                let mut first = rows.into_trial(section.rate_hz, options);
                first.source.unit = unit.unwrap_or(crate::trial::LengthUnit::Millimetre);
                first.source.declared_unit = unit.map(|_| first.source.unit.symbol().to_owned());
                trial = Some(first);
            }
            Some(trial) => join(trial, rows, &mut notes),
        }
    }
    let has_frames = trial.is_some();
    let mut trial = match trial {
        Some(trial) => trial,
        None if devices.is_empty() => {
            return Err(Error::malformed("Vicon export: need a section with rows, got none"));
        }
        None => columns::Rows::default().into_trial(None, options),
    };
    if trial.rate_hz > 0.0 {
        trial.start_s = (trial.first_frame.saturating_sub(1)) as f64 / trial.rate_hz;
    }
    for (mut rows, rate_hz, lines) in devices {
        if has_frames {
            let start = DeviceStart::read(lines, delimiter, trial.first_frame);
            // Padding is stored, too, and its length comes from frame numbers that may be silly.
            let padding = start.missing().saturating_mul(rows.channels.len());
            if table::check_size(stored_cells.saturating_add(padding), 1, bytes).is_ok() {
                stored_cells += padding;
                rows.channels.iter_mut().for_each(|channel| start.align(&mut channel.raw));
                notes.extend(start.note());
            } else {
                notes.push(start.differ("too far apart to be matched"));
            }
        }
        trial.notes.extend(rows.notes);
        trial
            .channels
            .extend(rows.channels.into_iter().map(|channel| Channel { rate_hz, ..channel }));
    }
    trial.source.variant = "Vicon".to_owned();
    notes.append(&mut trial.notes);
    trial.notes = notes;
    Ok(trial)
}

fn sections(text: &str, delimiter: char) -> Result<Vec<Section<'_>>> {
    let mut sections = Vec::new();
    let mut lines = text.lines().enumerate();
    while let Some((title_at, title)) = lines.find(|(_, line)| is_title(line)) {
        let mut head = grouped::Rows::default();
        let mut next = |what: &str| {
            let found = lines.next();
            let missing = || {
                Error::at_line(
                    title_at + 1,
                    format!("section '{}': need {what}, got the end of the file", title.trim()),
                )
            };
            found.map(|(at, line)| (at, cells::split_owned(line, delimiter))).ok_or_else(missing)
        };
        let rate_hz = text::number(&next("its rate")?.1[0]);
        head.names = next("the row of names")?.1;
        let (axes_at, axes) = next("the row of axes")?;
        if !axes[0].eq_ignore_ascii_case("frame") {
            let found = text::cut(&axes[0]);
            let what = format!("need the row Frame, Sub Frame, X, …, got '{found}'");
            return Err(Error::at_line(axes_at + 1, what));
        }
        head.axes = axes;
        let (units_at, units) = next("the row of units")?;
        // Some exports leave the units out: then this is already a row.
        let has_units = text::number(&units[0]).is_none();
        if has_units {
            head.units = units;
        }
        let from = units_at + usize::from(has_units);
        let ends =
            |line: &str| line.trim_matches([',', ';', ' ', '\t']).is_empty() || is_title(line);
        let end = lines.clone().find(|(_, line)| ends(line)).map(|(at, _)| at);
        let count = end.unwrap_or(usize::MAX).saturating_sub(from);
        let is_devices =
            is_title(title) && title.trim().to_ascii_lowercase().starts_with("devices");
        sections.push(Section {
            is_devices,
            rate_hz,
            head,
            rows: text.lines().skip(from).take(count),
        });
        if sections.len() > TITLES.len() * 4 {
            return Err(Error::at_line(title_at + 1, "sections: need at most 24, got more"));
        }
    }
    Ok(sections)
}

/// Adds the columns of a section to the trial, matched by frame number.
fn join(trial: &mut Trial, mut rows: columns::Rows, notes: &mut Vec<Note>) {
    let first = rows.first_frame.unwrap_or(trial.first_frame);
    let (frames, count) = (trial.frames, rows.frames);
    let shift = trial.first_frame.saturating_sub(first);
    // The row of the section that belongs to a frame of the trial.
    let row = |frame: usize| {
        let row = usize::try_from(shift.saturating_add(frame as i64)).ok()?;
        Some(row).filter(|&row| row < count)
    };
    if shift != 0 || frames != count {
        let own = trial.first_frame;
        let text = format!(
            "a section has {count} frames from {first}, the first section {frames} from {own}; matched by frame number"
        );
        notes.push(Note::new("sections-differ", text));
    }
    trial.notes.append(&mut rows.notes);
    let rate_hz = trial.rate_hz;
    let matched = rows.rearranged(&(0..frames).map(row).collect::<Vec<_>>());
    trial.markers.extend(matched.markers);
    trial.bodies.extend(matched.bodies);
    trial
        .channels
        .extend(matched.channels.into_iter().map(|channel| Channel { rate_hz, ..channel }));
    trial.subjects = table::subjects(&trial.markers);
}
