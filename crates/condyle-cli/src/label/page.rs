//! Who is who, on the terminal.

use condyle::label::{Labelling, Reason, Relabelled};

use crate::terminal::{Out, Written, table};

const LABELS: [&str; 5] = ["label", "fragments", "frames", "seen %", "least confidence"];

/// Prints what was named, joined and left.
pub fn print(labelling: &Labelling, applied: &Relabelled, out: Out) -> Written {
    let fragments = &labelling.fragments;
    let samples = |is_counted: &dyn Fn(Option<&str>) -> bool| -> usize {
        let counted = fragments.iter().filter(|fragment| is_counted(fragment.label.as_deref()));
        counted.map(|fragment| fragment.frames).sum()
    };
    let named = fragments.iter().filter(|fragment| fragment.label.is_some()).count();
    writeln!(
        out,
        "{named} of {} fragments named, {} % of samples; {} markers joined from several trajectories, {} \
         trajectories left without a label, all or in part",
        fragments.len(),
        table::percent(samples(&|label| label.is_some()), samples(&|_| true)),
        applied.joined,
        applied.left
    )?;
    let mut rows = table::table(&LABELS, 1);
    for label in &labelling.labels {
        let own = || fragments.iter().filter(|fragment| fragment.label.as_ref() == Some(label));
        let least = own().map(|fragment| fragment.confidence).reduce(f64::min);
        let frames = samples(&|of| of == Some(label.as_str()));
        rows.add_row(vec![
            table::text(label),
            own().count().to_string(),
            frames.to_string(),
            table::percent(frames, applied.trial.frames),
            least.map_or_else(|| "-".to_owned(), |least| format!("{least:.2}")),
        ]);
    }
    table::print(&rows, "  ", out)?;
    for (reason, words) in
        [(Reason::NoLabelFits, "no label fits"), (Reason::OtherLabelsFit, "several labels fit")]
    {
        let count = fragments.iter().filter(|fragment| fragment.reason == reason).count();
        if count > 0 {
            let fragments = if count == 1 { "fragment" } else { "fragments" };
            writeln!(out, "  {count} {fragments}: {words}")?;
        }
    }
    Ok(())
}
