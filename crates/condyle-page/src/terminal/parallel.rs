//! Work on as many threads as there are processors.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// What `work` makes of every item, in the order of the items.
pub fn map<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(items.len()));
    let work_off = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else { break };
            let result = work(item);
            done.lock().unwrap_or_else(PoisonError::into_inner).push((index, result));
        }
    };
    let workers = thread::available_parallelism().map_or(1, usize::from).min(items.len());
    thread::scope(|scope| {
        for _ in 1..workers {
            scope.spawn(work_off);
        }
        work_off();
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn results_keep_the_order_of_the_items() {
        let items: Vec<u64> = (0..1000).collect();
        assert_eq!(super::map(&items, |item| item * 2), (0..2000).step_by(2).collect::<Vec<_>>());
        assert!(super::map(&[], |item: &u64| *item).is_empty());
    }
}
