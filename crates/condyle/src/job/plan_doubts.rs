//! What is open about segments that the motion told, in words.

use crate::grouping::{Decision, Doubt};
use crate::plan::Plan;
use crate::trial::{Note, Trial};

/// A decision about segments that could have gone the other way.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanDoubt {
    /// What was decided.
    pub what: String,
    /// The odds that it is right: 4 is four to one.
    pub odds: f64,
    /// What may be right instead.
    pub alternatives: Vec<String>,
}

/// Doubts in words, with the names that the segments of the plan have.
pub(super) fn in_words(doubts: &[Doubt], plan: &Plan, trial: &Trial) -> Vec<PlanDoubt> {
    let labels = |markers: &[usize]| labels(markers, trial);
    let name = |markers: &[usize]| segment_name(markers, plan, trial);
    let doubt = |doubt: &Doubt| {
        let (what, instead) = match &doubt.decided {
            Decision::OneSegment([one, other]) => (
                format!("{} is one segment", name(one)),
                format!("two segments: {} and {}", labels(one), labels(other)),
            ),
            Decision::TwoSegments([one, other]) => (
                format!("{} and {} are two segments", name(one), name(other)),
                "one segment".to_owned(),
            ),
            Decision::OnSegment(marker, [own, other]) => (
                format!("{} is on {}", labels(&[*marker]), name(own)),
                format!("on {}", name(other)),
            ),
        };
        PlanDoubt { what, odds: doubt.odds, alternatives: vec![instead] }
    };
    doubts.iter().map(doubt).collect()
}

/// A segment without markers that holds two others, as a note.
pub(super) fn unmarked(
    ([one, other], length_m): &([Vec<usize>; 2], f64),
    plan: &Plan,
    trial: &Trial,
) -> Note {
    let [one, other] = [one, other].map(|markers| segment_name(markers, plan, trial));
    let text = format!(
        "between {one} and {other} a segment seems to have no markers ({:.0} mm from joint to joint)",
        length_m * 1e3
    );
    Note::new("segment-without-markers", text)
}

fn labels(markers: &[usize], trial: &Trial) -> String {
    let labels = markers.iter().map(|marker| trial.markers[*marker].label.as_str());
    labels.collect::<Vec<_>>().join(" ")
}

/// The name of the segment that the first of these markers is on.
fn segment_name(markers: &[usize], plan: &Plan, trial: &Trial) -> String {
    let mut segments = plan.performers.iter().flat_map(|performer| &performer.segments);
    let has_first = segments.find(|s| markers.first().is_some_and(|m| s.markers.contains(m)));
    has_first.map_or_else(|| labels(markers, trial), |segment| segment.name.clone())
}
