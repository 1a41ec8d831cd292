//! What the names of performers' files begin with.

use std::collections::BTreeSet;

/// What the names of performers' files begin with: nothing if there is one, else its name or its number, no two
/// alike.
pub fn prefixes(names: &[&str]) -> Vec<String> {
    if names.len() == 1 {
        return vec![String::new()];
    }
    let plain = |c: char| if c.is_alphanumeric() || c == '-' || c == '_' { c } else { '_' };
    let mut taken = BTreeSet::new();
    let mut prefixes = Vec::new();
    for (index, name) in names.iter().enumerate() {
        let name: String = name.chars().map(plain).collect();
        let number = index + 1;
        let mut prefix = if name.is_empty() { number.to_string() } else { name };
        // Letter case does not tell files apart everywhere.
        while !taken.insert(prefix.to_lowercase()) {
            prefix = format!("{prefix}-{number}");
        }
        prefixes.push(format!("{prefix}-"));
    }
    prefixes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_performers_have_files_of_the_same_name() {
        assert_eq!(prefixes(&["ANNA"]), [""]);
        assert_eq!(prefixes(&["A B", "A_B", "", "a b"]), ["A_B-", "A_B-2-", "3-", "a_b-4-"]);
    }
}
