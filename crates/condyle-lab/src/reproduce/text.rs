//! What was found, on the terminal.

use anstyle::Style;

use super::{Outcome, html};
use condyle_page::page::Tone;
use condyle_page::terminal::table;
use condyle_page::terminal::{Out, Written};

const HEADING: Style = Style::new().bold();

/// Prints every figure beside ours, then the reasons.
pub fn print(outcome: &Outcome, out: Out) -> Written {
    for (experiment, section) in &outcome.sections {
        writeln!(out, "{HEADING}{}{HEADING:#}", experiment.title)?;
        let mut figures = table::table(&["what", "document", "ours", "verdict"], 4);
        for line in &section.lines {
            figures.add_row([&line.what, &line.document, &line.ours, line.verdict.name()]);
        }
        table::print(&figures, "  ", out)?;
        for line in section.lines.iter().filter(|line| !line.why.is_empty()) {
            if line.verdict.tone() != Tone::Good {
                writeln!(out, "  {}: {}: {}", line.verdict.name(), line.what, line.why)?;
            }
        }
        writeln!(out)?;
    }
    writeln!(out, "{}", html::summary(outcome))
}
