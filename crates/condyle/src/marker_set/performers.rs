//! Who is in a recording: markers that share a prefix belong to one performer.

use std::collections::HashSet;

use super::collect::by_key;
use super::label;

/// The markers of one performer, under the names they have without its prefix.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Group {
    /// The prefix; empty if there is none.
    pub(super) prefix: String,
    /// Indices of markers with their names in normal spelling.
    pub(super) markers: Vec<(usize, String)>,
}

/// A prefix that ends in an underscore must be shared by this many labels: `R_` is a side, and
/// `ankle_left` has no prefix.
const FEWEST_UNDERSCORED: usize = 8;

/// The performers in order of appearance.
pub(super) fn groups<'a>(labels: impl Iterator<Item = &'a str>) -> Vec<Group> {
    let labels: Vec<(&str, &str)> = labels.map(label::split).collect();
    let heads: Vec<Option<&str>> = labels.iter().map(|(prefix, name)| head(prefix, name)).collect();
    let shared = by_key(heads.iter().flatten().map(|head| (*head, ())));
    let is_prefix: HashSet<&str> = shared
        .iter()
        .filter(|(_, all)| all.len() >= FEWEST_UNDERSCORED)
        .map(|(head, _)| *head)
        .collect();
    let named = labels.iter().zip(&heads).enumerate().map(|(marker, ((prefix, name), head))| {
        match head.filter(|head| is_prefix.contains(head)) {
            Some(head) => (head, (marker, label::normal(&name[head.len() + 1..]))),
            None => (*prefix, (marker, label::normal(name))),
        }
    });
    let group = |(prefix, markers): (&str, _)| Group { prefix: prefix.to_owned(), markers };
    by_key(named).into_iter().map(group).collect()
}

/// What stands before the first underscore, unless it is a side or a colon has said the prefix.
fn head<'a>(prefix: &str, name: &'a str) -> Option<&'a str> {
    let (head, rest) = name.split_once('_')?;
    let is_side = ["l", "r", "left", "right"].contains(&head.to_lowercase().as_str());
    (prefix.is_empty() && !head.is_empty() && !rest.is_empty() && !is_side).then_some(head)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prefixes(labels: &[&str]) -> Vec<(String, usize)> {
        let groups = groups(labels.iter().copied());
        groups.into_iter().map(|group| (group.prefix, group.markers.len())).collect()
    }

    #[test]
    fn a_colon_parts_performers() {
        let labels = ["JOE:RKNE", "SUE:RKNE", "JOE:LKNE", "*3"];
        let expected = [("JOE".to_owned(), 2), ("SUE".to_owned(), 1), (String::new(), 1)];
        assert_eq!(prefixes(&labels), expected);
    }

    #[test]
    fn an_underscore_does_so_only_where_many_share_it() {
        let mut labels: Vec<String> = (0..9).map(|i| format!("Actor_Hip{i}")).collect();
        labels.extend((0..9).map(|i| format!("R_TH{i}")));
        labels.push("knee_left".to_owned());
        let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
        assert_eq!(prefixes(&labels), [("Actor".to_owned(), 9), (String::new(), 10)]);
    }
}
