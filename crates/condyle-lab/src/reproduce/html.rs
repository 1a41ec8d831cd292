//! What was found as one page.

use super::Outcome;
use super::section::{Line, Verdict};
use condyle_page::page::{Page, Table, Tone};

/// The page.
pub fn page(outcome: &Outcome) -> String {
    let document = outcome.document;
    let mut page = Page::new(document.title);
    page.paragraph(document.about);
    page.paragraph(&how(outcome));
    let contents: Vec<(&str, &str)> = outcome
        .sections
        .iter()
        .map(|(experiment, _)| (experiment.name, experiment.title))
        .collect();
    page.heading("summary", "Summary");
    page.paragraph(&summary(outcome));
    let to_note = lines(outcome).filter(|line| line.verdict.tone() != Tone::Good);
    if to_note.clone().next().is_some() {
        page.table(&comparison(to_note));
    }
    page.contents(&contents);
    for (experiment, section) in &outcome.sections {
        page.heading(experiment.name, experiment.title);
        section.text.iter().for_each(|paragraph| page.paragraph(paragraph));
        if !section.lines.is_empty() {
            page.table(&comparison(section.lines.iter()));
        }
        page.charts(&section.charts);
        section.tables.iter().for_each(|table| page.table(table));
    }
    page.finish()
}

/// How to get this page again.
fn how(outcome: &Outcome) -> String {
    let mut command =
        format!("condyle reproduce {} --seed {}", outcome.document.name, outcome.seed);
    if outcome.effort.is_full {
        command.push_str(" --full");
    }
    if let Some(trials) = outcome.effort.trials {
        command.push_str(&format!(" --trials {trials}"));
    }
    format!(
        "Made by condyle {} with: {command}. The same seed gives the same numbers, but for the timings. The data \
         behind every chart is a CSV file beside this page.",
        env!("CARGO_PKG_VERSION")
    )
}

fn lines(outcome: &Outcome) -> impl Iterator<Item = &Line> + Clone {
    outcome.sections.iter().flat_map(|(_, section)| &section.lines)
}

/// How many figures came out how.
pub fn summary(outcome: &Outcome) -> String {
    let count = |verdict: Verdict| lines(outcome).filter(|line| line.verdict == verdict).count();
    let all = [
        Verdict::Reproduced,
        Verdict::NotReproduced,
        Verdict::Corrected,
        Verdict::Holds,
        Verdict::Fails,
        Verdict::Undecided,
    ];
    let counted = all.map(|verdict| (count(verdict), verdict.name()));
    let parts: Vec<String> = counted
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, name)| format!("{name} {count}"))
        .collect();
    format!("{} figures: {}.", lines(outcome).count(), parts.join(", "))
}

fn comparison<'a>(lines: impl Iterator<Item = &'a Line> + Clone) -> Table {
    let has_reasons = lines.clone().any(|line| !line.why.is_empty());
    let mut header = vec!["what", "where", "document", "ours", "verdict"];
    header.extend(has_reasons.then_some("why"));
    let mut table = Table::new(&header, header.len());
    table.layout = "compared";
    for line in lines {
        // Numbers stay with their errors.
        let plain = |text: &str| (text.replace(" ± ", "\u{a0}±\u{a0}"), Tone::Plain);
        let mut row = vec![
            plain(&line.what),
            (line.source.clone(), Tone::Faint),
            plain(&line.document),
            plain(&line.ours),
            (line.verdict.name().to_owned(), line.verdict.tone()),
        ];
        row.extend(has_reasons.then(|| plain(&line.why)));
        table.rows.push(row);
    }
    table
}
