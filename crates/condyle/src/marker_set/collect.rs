//! Things that share a key, collected in the order in which the keys appear.

use std::collections::HashMap;
use std::hash::Hash;

/// Every key once, with all that has it.
pub(super) fn by_key<K: Copy + Eq + Hash, V>(
    pairs: impl Iterator<Item = (K, V)>,
) -> Vec<(K, Vec<V>)> {
    let mut index_of: HashMap<K, usize> = HashMap::new();
    let mut collected: Vec<(K, Vec<V>)> = Vec::new();
    for (key, value) in pairs {
        let index = *index_of.entry(key).or_insert_with(|| {
            collected.push((key, Vec::new()));
            collected.len() - 1
        });
        collected[index].1.push(value);
    }
    collected
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_keep_the_order_of_their_first_appearance() {
        let pairs = [("b", 1), ("a", 2), ("b", 3)];
        assert_eq!(by_key(pairs.into_iter()), [("b", vec![1, 3]), ("a", vec![2])]);
    }
}
