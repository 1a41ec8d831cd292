//! What estimators said, counted.

use std::collections::BTreeMap;

/// The most frequent remarks that are shown.
const SHOWN: usize = 8;

/// Remarks with the number of recordings they were made about; figures in them do not count.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Said {
    recordings: usize,
    counts: BTreeMap<String, usize>,
}

impl Said {
    /// Adds the remarks about one recording.
    pub fn add(&mut self, remarks: &[String]) {
        let mut kinds: Vec<String> = remarks.iter().map(|text| without_figures(text)).collect();
        kinds.sort();
        kinds.dedup();
        self.recordings += 1;
        kinds.into_iter().for_each(|kind| *self.counts.entry(kind).or_default() += 1);
    }

    /// The most frequent ones, each with its count.
    pub fn remarks(&self) -> impl Iterator<Item = String> + '_ {
        let mut all: Vec<(&String, usize)> =
            self.counts.iter().map(|(text, n)| (text, *n)).collect();
        all.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let said = move |(text, count): (&String, usize)| {
            format!("said of {count} of {}: {text}", self.recordings)
        };
        all.into_iter().take(SHOWN).map(said)
    }
}

/// A remark with every number as `#`.
fn without_figures(text: &str) -> String {
    let mut kind = String::new();
    let is_figure = |c: char| c.is_ascii_digit() || (c == '.' && !text.ends_with('.'));
    for word in text.split(' ') {
        let is_number = word.starts_with(|c: char| c.is_ascii_digit())
            && word.trim_end_matches([',', ';', ':', ')']).chars().all(is_figure);
        kind.push_str(if is_number { "#" } else { word });
        kind.push(' ');
    }
    kind.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remarks_that_differ_in_figures_count_as_one() {
        let mut said = Said::default();
        said.add(&["knee off by 12.5 mm".to_owned()]);
        said.add(&["knee off by 3 mm".to_owned(), "LKNE dropped".to_owned()]);
        let remarks: Vec<String> = said.remarks().collect();
        assert_eq!(remarks, ["said of 2 of 2: knee off by # mm", "said of 1 of 2: LKNE dropped"]);
    }
}
