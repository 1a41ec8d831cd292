//! A page over all recordings of an output folder: pictures, how well joints are known, links.

use std::fs;
use std::io::Write;
use std::path::Path;

use condyle_page::page::{Cell, Page, Sortable};

use super::record;
use super::{Outcome, ours};
use crate::report::{PICTURE, REPORT};
use crate::terminal::files::is_ours;
use crate::terminal::say;

/// What the page is called.
pub const INDEX: &str = "index.html";
const TITLE: &str = "Recordings";

const COLUMNS: [&str; 11] = [
    "recording",
    "",
    "subject from",
    "s",
    "markers",
    "joints",
    "joints known",
    "worst joint",
    "sd mm",
    "residual mm",
    "notes",
];

/// Writes the page where a batch has several recordings, or the folder has results of earlier ones.
///
/// A file of that name that somebody else wrote stays, and that is said.
pub fn write(output: &Path, outcomes: &[Outcome], is_forced: bool) -> anyhow::Result<()> {
    let mut found = Vec::new();
    collect(output, "", &mut found);
    let failed: Vec<&Outcome> = outcomes.iter().filter(|outcome| outcome.error.is_some()).collect();
    if found.len() < 2 {
        return Ok(());
    }
    let path = output.join(INDEX);
    let is_other = fs::read_to_string(&path).is_ok_and(|page| !Page::is_titled(&page, TITLE));
    if is_other && !is_forced {
        say::note(&format!(
            "{}: not written: the file is not a page of condyle run; --force overwrites it",
            path.display()
        ));
        return Ok(());
    }
    let html = page(&found, &failed);
    ours(&path)?.write(|out| Ok(out.write_all(html.as_bytes())?))
}

/// The folders with results, by their names from `output` on.
fn collect(folder: &Path, within: &str, found: &mut Vec<(String, Outcome)>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut names: Vec<String> = entries
        .flatten()
        .filter(|entry| entry.path().is_dir())
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect();
    names.sort();
    for name in names {
        let path = folder.join(&name);
        let whole = if within.is_empty() { name } else { format!("{within}/{name}") };
        match is_ours(&path) {
            true => found.extend(record::outcome(&path).map(|outcome| (whole, outcome))),
            false => collect(&path, &whole, found),
        }
    }
}

fn page(found: &[(String, Outcome)], failed: &[&Outcome]) -> String {
    let mut page = Page::new(TITLE);
    let subjects: std::collections::BTreeSet<&[String]> =
        found.iter().map(|(_, outcome)| outcome.fitted_to.as_slice()).collect();
    page.paragraph(&format!(
        "{} recordings, {} subjects. Joints are well known to 10 mm, fairly to 25 mm, else barely. A click on the head of a \
         column sorts by it.",
        found.len(),
        subjects.len(),
    ));
    let mut table = Sortable::new(&COLUMNS, 3);
    for (folder, outcome) in found {
        let worst = outcome.centres.iter().max_by(|a, b| a.sd_m.total_cmp(&b.sd_m));
        let number = |value: Option<f64>| match value {
            Some(m) => Cell::number(1e3 * m, 1),
            None => Cell::text("-"),
        };
        let fitted_to = match outcome.fitted_to.as_slice() {
            [] | [_] => "itself".to_owned(),
            several => several.join(", "),
        };
        let seconds = outcome.frames as f64 / outcome.rate_hz;
        let report = format!("{folder}/{REPORT}");
        table.row(vec![
            Cell::link(&report, folder),
            match outcome.outputs.iter().any(|name| name == PICTURE) {
                true => Cell::picture(&report, &format!("{folder}/{PICTURE}"), folder),
                false => Cell::text(""),
            },
            Cell::text(&fitted_to),
            if seconds.is_finite() { Cell::number(seconds, 1) } else { Cell::text("-") },
            Cell::number(outcome.markers as f64, 0),
            Cell::number(outcome.joints as f64, 0),
            Cell::shares([outcome.well, outcome.fairly, outcome.barely]),
            Cell::text(worst.map_or("-", |joint| &joint.joint)),
            number(worst.map(|joint| joint.sd_m)),
            number(outcome.residual_m),
            Cell::number(outcome.notes as f64, 0),
        ]);
    }
    page.sortable(&table);
    if !failed.is_empty() {
        page.heading("failed", "Not done");
        let why = failed.iter().filter_map(|outcome| outcome.error.as_deref());
        page.list(why);
    }
    page.finish()
}
