//! Names close to a mistyped one.

/// The longest name that is compared: beyond it a label is not something one mistypes.
const LONGEST: usize = 64;

/// Up to `count` different candidates within a few edits of `word`, the nearest first.
pub(crate) fn nearest<'a>(
    word: &str,
    candidates: impl Iterator<Item = &'a str>,
    count: usize,
) -> Vec<&'a str> {
    let most_edits = (word.chars().count() / 3).clamp(1, 3);
    let mut close: Vec<(usize, &str)> = candidates
        .filter(|candidate| !candidate.is_empty())
        .map(|candidate| (edits(word, candidate), candidate))
        .filter(|&(edits, _)| edits <= most_edits + 1)
        .collect();
    // A stable sort: candidates at the same distance stay in file order.
    close.sort_by_key(|&(edits, _)| edits);
    let mut names: Vec<&str> = Vec::new();
    for (_, name) in close {
        if names.len() < count && !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Levenshtein's distance with letter case ignored: insertions, deletions and replacements.
fn edits(a: &str, b: &str) -> usize {
    let letters = |s: &str| -> Vec<char> { s.to_lowercase().chars().take(LONGEST).collect() };
    let (a, b) = (letters(a), letters(b));
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, letter_a) in a.iter().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, letter_b) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(letter_a != letter_b);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(row[j + 1] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_edits() {
        assert_eq!(edits("kitten", "Sitting"), 3);
        assert_eq!(edits("", "abc"), 3);
    }

    #[test]
    fn offers_the_nearest_first_and_each_once() {
        let names = ["LKNE", "RKNE", "RKNE", "HEAD"];
        assert_eq!(nearest("rknee", names.into_iter(), 3), ["RKNE", "LKNE"]);
    }
}
