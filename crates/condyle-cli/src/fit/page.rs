//! A subject on the terminal: its joints, and how far to trust them.

use condyle::subject::{Joint, JointMethod, Subject};

use crate::terminal::say::printable;
use crate::terminal::table;
use crate::terminal::{Out, Written};

const JOINTS: [&str; 9] =
    ["joint", "kind", "centre", "found", "sd mm", "gap mm", "turned deg", "frames", "bone mm"];

/// Prints the joints, then what to do about the doubtful ones.
pub fn print(subject: &Subject, out: Out) -> Written {
    let markers: usize = subject.segments().iter().map(|segment| segment.markers.len()).sum();
    let name = if subject.name.is_empty() { "subject" } else { &subject.name };
    let kind = if subject.is_of_bodies() { "bodies" } else { "markers" };
    writeln!(
        out,
        "{}: {} segments ({}), {markers} {kind}, {} joints, {} frames",
        printable(name),
        subject.segments().len(),
        subject.provenance.plan,
        subject.joints().len(),
        subject.provenance.frames
    )?;
    let mut rows = table::table(&JOINTS, 4);
    for joint in subject.joints() {
        rows.add_row(row(subject, joint));
    }
    if !subject.joints().is_empty() {
        table::print(&rows, "  ", out)?;
    }
    let advice = subject.joints().iter().filter_map(|joint| joint.advice.clone());
    for line in advice.chain(subject.notes.iter().map(ToString::to_string)) {
        writeln!(out, "  {}", printable(&line))?;
    }
    Ok(())
}

fn row(subject: &Subject, joint: &Joint) -> Vec<String> {
    let millimetres = |length_m: f64| format!("{:.1}", length_m * 1e3);
    let turned = joint.ranges_rad.map(|range_rad| format!("{:.0}", range_rad.to_degrees()));
    vec![
        table::text(&joint.name),
        joint.kind.movement().to_owned(),
        joint.centre_known().name().to_owned(),
        match joint.method {
            JointMethod::TwoSided => "from both sides",
            JointMethod::FromParent => "from its parent",
            JointMethod::FromChild => "from its child",
            JointMethod::Guess => "by guess",
            JointMethod::Given => "as given",
        }
        .to_owned(),
        millimetres(joint.worst_sd_m()),
        millimetres(joint.separation_m),
        turned.join("/"),
        joint.samples.to_string(),
        subject.bone_length_m(joint.child).map_or_else(|| "-".to_owned(), millimetres),
    ]
}
