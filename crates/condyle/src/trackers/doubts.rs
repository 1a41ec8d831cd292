//! What is doubtful about the hierarchy of bodies.

use super::fit::{is_linked, seen};
use crate::topology::{LoopEdge, Tree, TreeEdge};
use crate::trial::{Body, Note};

/// Loops that are listed one by one.
const MAX_LISTED_LOOPS: usize = 4;

/// A body, and what hangs on it, that nothing holds.
pub(super) fn by_itself(edge: &TreeEdge, names: &[&str]) -> Note {
    let text = format!(
        "{} and what hangs on it: no point of it stays with {} (the best is off by {:.0} mm)",
        names[edge.child],
        names[edge.parent],
        edge.residual_m * 1e3
    );
    Note::new("moves-by-itself", text).about(names[edge.child])
}

/// Bodies that are not used, and why.
pub(super) fn left_out(bodies: &[Body], usable: &[usize]) -> Vec<Note> {
    let why = |body: &Body| match body.has_positions {
        false => "it has orientations without positions".to_owned(),
        true => format!("it is seen in {} frames", seen(body)),
    };
    (0..bodies.len())
        .filter(|body| !usable.contains(body))
        .map(|body| {
            let text = format!("{}: {}", bodies[body].name, why(&bodies[body]));
            Note::new("body-left-out", text).about(&bodies[body].name)
        })
        .collect()
}

/// Edges that another link would do as well for.
pub(super) fn edges(tree: &Tree, names: &[&str]) -> Vec<Note> {
    let doubtful = tree.edges.iter().filter(|edge| edge.is_doubtful).filter_map(|edge| {
        let ([a, b], other_m) = edge.runner_up?;
        let text = format!(
            "{} hangs on {} by its motion with {:.1} mm left, {} and {} would leave {:.1} mm",
            names[edge.child],
            names[edge.parent],
            edge.weight_m * 1e3,
            names[a],
            names[b],
            other_m * 1e3
        );
        Some(Note::new("joint-doubtful", text).about(names[edge.child]))
    });
    doubtful.collect()
}

/// The edge of the tree that another would do nearly as well for, and how sure it is.
pub(super) fn least_sure(tree: &Tree, parents: &[Option<usize>], names: &[&str]) -> Option<Note> {
    let held = tree.edges.iter().filter(|edge| is_linked(parents, [edge.parent, edge.child]));
    let edge = held.min_by(|a, b| a.confidence.total_cmp(&b.confidence))?;
    let text = format!(
        "by the motion; least sure is that {} hangs on {}: confidence {:.2} (0 for a toss of a coin, 1 for no doubt)",
        names[edge.child], names[edge.parent], edge.confidence
    );
    Some(Note::new("hierarchy", text).about(names[edge.child]))
}

/// Links that would close loops.
pub(super) fn loops(loops: &[&LoopEdge], names: &[&str]) -> Vec<Note> {
    let more = loops.len().saturating_sub(MAX_LISTED_LOOPS);
    let note = |text: String| Note::new("loop", text);
    let rest = (more > 0).then(|| note(format!("and {more} more pairs")));
    let said = loops.iter().take(MAX_LISTED_LOOPS).map(|edge| {
        let [a, b] = edge.parts.map(|part| names[part]);
        note(format!(
            "{a} and {b} are held together too, within {:.1} mm: a closed loop?",
            edge.residual_m * 1e3
        ))
    });
    said.chain(rest).collect()
}

/// Where names and motion have bodies hang on different ones.
pub(super) fn disagreement(names: &[&str], parents: &[Option<usize>], tree: &Tree) -> Vec<Note> {
    let wrong = tree.edges.iter().filter(|edge| !is_linked(parents, [edge.parent, edge.child]));
    wrong
        .map(|edge| {
            let text = format!(
                "by its motion {} would hang on {}; the names say otherwise and were followed",
                names[edge.child], names[edge.parent]
            );
            Note::new("names-first", text).about(names[edge.child])
        })
        .collect()
}
