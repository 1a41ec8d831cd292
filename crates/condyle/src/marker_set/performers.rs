//! Who is in a recording: markers that share a prefix belong to one performer.

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
    let mut counts = std::collections::HashMap::new();
    for head in heads.iter().flatten() {
        *counts.entry(*head).or_insert(0) += 1;
    }
    let is_prefix = |head: &str| counts.get(head).is_some_and(|n| *n >= FEWEST_UNDERSCORED);
    let mut groups: Vec<Group> = Vec::new();
    let mut index_of = std::collections::HashMap::new();
    for (marker, ((prefix, name), head)) in labels.iter().zip(&heads).enumerate() {
        let (prefix, name) = match head.filter(|head| is_prefix(head)) {
            Some(head) => (head, &name[head.len() + 1..]),
            None => (*prefix, *name),
        };
        let index = *index_of.entry(prefix).or_insert_with(|| {
            groups.push(Group { prefix: prefix.to_owned(), markers: Vec::new() });
            groups.len() - 1
        });
        groups[index].markers.push((marker, label::normal(name)));
    }
    groups
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
