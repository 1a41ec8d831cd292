//! Things in order, by one sort for all types.
//!
//! A sort of the standard library is 4 kB of code for every type and every comparison, and browsers fetch the whole of
//! this library before anything is seen. Here numbers of places are sorted, and the things moved after them: for lists
//! that are short or put in order once. Equal ones keep the order that they had.

use std::cmp::Ordering;

/// Puts things in order by a comparison.
pub fn by<T>(things: &mut [T], mut compare: impl FnMut(&T, &T) -> Ordering) {
    let mut places = places(things.len(), &mut |a, b| compare(&things[a], &things[b]));
    for start in 0..things.len() {
        // Round the cycle that begins here: every thing from the place where it was.
        let mut at = start;
        while places[at] != start {
            let from = std::mem::replace(&mut places[at], at);
            things.swap(at, from);
            at = from;
        }
        places[at] = at;
    }
}

/// Puts things in order by something of each.
pub fn by_key<T, K: Ord>(things: &mut [T], mut key: impl FnMut(&T) -> K) {
    by(things, |a, b| key(a).cmp(&key(b)));
}

/// The places of so many things in their order.
fn places(count: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..count).collect();
    places.sort_by(|a, b| compare(*a, *b));
    places
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_order_is_that_of_the_standard_library(
            mut things in proptest::collection::vec((0..9u8, 0..u16::MAX), 0..60),
        ) {
            let mut standard = things.clone();
            standard.sort_by_key(|(key, _)| *key);
            super::by_key(&mut things, |(key, _)| *key);
            prop_assert_eq!(&things, &standard);
            standard.sort_by_key(|own| std::cmp::Reverse(own.1));
            super::by(&mut things, |a, b| b.1.cmp(&a.1));
            prop_assert_eq!(things, standard);
        }
    }
}
