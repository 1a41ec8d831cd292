//! A column of numbers that is either its own or a part of one large block.
//!
//! A reader that knows its size in advance puts the trajectories of all markers into one block,
//! which the system backs with huge pages where it can: on a machine where a page fault costs 4 µs,
//! 110 MB of small pages take 110 ms and huge ones 15 ms, more than all the rest of reading. A
//! column of a block is copied out the first time it is changed.

use std::ops::{Deref, Range};
use std::sync::Arc;

use bytemuck::Pod;

/// Numbers in frame order.
#[derive(Clone)]
pub(crate) enum Column<T: Pod> {
    Owned(Vec<T>),
    Shared { block: Arc<Block<T>>, range: Range<usize> },
}

impl<T: Pod> Column<T> {
    /// The numbers for changing; a shared column becomes an own one.
    pub(crate) fn to_mut(&mut self) -> &mut Vec<T> {
        if let Self::Shared { block, range } = self {
            *self = Self::Owned(block.as_slice()[range.clone()].to_vec());
        }
        match self {
            Self::Owned(values) => values,
            Self::Shared { .. } => unreachable!("made owned above"),
        }
    }

    /// Forgets the numbers.
    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Moves columns into one block, one after another.
    pub(crate) fn join<const N: usize>(columns: [&mut Self; N]) {
        if columns.iter().all(|column| column.block().is_some()) && N == 1 {
            return;
        }
        let mut all = Vec::with_capacity(columns.iter().map(|column| column.len()).sum());
        columns.iter().for_each(|column| all.extend_from_slice(column));
        let block = Arc::new(Block::Heap(all));
        let mut start = 0;
        for column in columns {
            let range = start..start + column.len();
            start = range.end;
            *column = Self::Shared { block: block.clone(), range };
        }
    }

    /// All numbers of columns that lie in one block, one after another.
    pub(crate) fn adjacent<const N: usize>(columns: [&Self; N]) -> Option<&[T]> {
        let first = columns.first()?;
        let Self::Shared { block, range } = first else { return None };
        let mut end = range.start;
        for column in columns {
            let Self::Shared { block: own, range } = column else { return None };
            if !Arc::ptr_eq(own, block) || range.start != end {
                return None;
            }
            end = range.end;
        }
        block.as_slice().get(range.start..end)
    }

    /// The block that a column shares.
    pub(crate) fn block(&self) -> Option<&Arc<Block<T>>> {
        match self {
            Self::Owned(_) => None,
            Self::Shared { block, .. } => Some(block),
        }
    }
}

impl<T: Pod> Default for Column<T> {
    fn default() -> Self {
        Self::Owned(Vec::new())
    }
}

impl<T: Pod> From<Vec<T>> for Column<T> {
    fn from(values: Vec<T>) -> Self {
        Self::Owned(values)
    }
}

impl<T: Pod> Deref for Column<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match self {
            Self::Owned(values) => values,
            Self::Shared { block, range } => &block.as_slice()[range.clone()],
        }
    }
}

impl<T: Pod + PartialEq> PartialEq for Column<T> {
    /// Samples that are no number on either side are alike: both are missing.
    fn eq(&self, other: &Self) -> bool {
        #[allow(clippy::eq_op, reason = "NaN is what differs from itself")]
        let is_alike = |(a, b): (&T, &T)| a == b || (a != a && b != b);
        self.len() == other.len() && self.iter().zip(other.iter()).all(is_alike)
    }
}

impl<T: Pod + std::fmt::Debug> std::fmt::Debug for Column<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// A fixed number of zeroed numbers in one piece of memory.
pub(crate) enum Block<T: Pod> {
    Heap(Vec<T>),
    #[cfg(target_os = "linux")]
    Huge(memmap2::MmapMut),
}

impl<T: Pod> Block<T> {
    /// The smallest block that is worth a mapping of its own: two huge pages.
    #[cfg(target_os = "linux")]
    const HUGE_FROM_BYTES: usize = 4 << 20;

    /// Zeroes, or whatever was in `old` if that is large enough and nobody else uses it.
    pub(crate) fn at_least(count: usize, old: Option<Arc<Self>>) -> Self {
        match old.and_then(Arc::into_inner) {
            Some(block) if block.as_slice().len() >= count => block,
            _ => Self::zeroed(count),
        }
    }

    #[cfg(target_os = "linux")]
    fn zeroed(count: usize) -> Self {
        let bytes = count.saturating_mul(size_of::<T>());
        if bytes >= Self::HUGE_FROM_BYTES
            && let Ok(map) = memmap2::MmapMut::map_anon(bytes)
        {
            // Where the system has no huge pages the memory is as good as any other.
            let _ = map.advise(memmap2::Advice::HugePage);
            return Self::Huge(map);
        }
        Self::Heap(vec![T::zeroed(); count])
    }

    #[cfg(not(target_os = "linux"))]
    fn zeroed(count: usize) -> Self {
        Self::Heap(vec![T::zeroed(); count])
    }

    fn as_slice(&self) -> &[T] {
        match self {
            Self::Heap(values) => values,
            // Maps start on a page, so the cast is always aligned; the end may hold a part.
            #[cfg(target_os = "linux")]
            Self::Huge(map) => bytemuck::cast_slice(&map[..map.len() - map.len() % size_of::<T>()]),
        }
    }

    /// All numbers for filling.
    pub(crate) fn as_mut_slice(&mut self) -> &mut [T] {
        match self {
            Self::Heap(values) => values,
            #[cfg(target_os = "linux")]
            Self::Huge(map) => {
                let whole = map.len() - map.len() % size_of::<T>();
                bytemuck::cast_slice_mut(&mut map[..whole])
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_block_starts_zeroed_and_is_used_again() {
        let mut block = Block::<f64>::at_least(1 << 20, None);
        assert!(block.as_slice().iter().all(|v| *v == 0.0));
        block.as_mut_slice()[5] = 1.0;
        let again = Block::at_least(1000, Some(Arc::new(block)));
        assert_eq!(again.as_slice()[5], 1.0);
    }

    #[test]
    fn a_shared_column_is_copied_when_changed() {
        let mut block = Block::<u16>::at_least(4, None);
        block.as_mut_slice().copy_from_slice(&[1, 2, 3, 4]);
        let block = Arc::new(block);
        let mut column = Column::Shared { block: block.clone(), range: 1..3 };
        column.to_mut()[0] = 9;
        assert_eq!((&*column, block.as_slice()), (&[9, 3][..], &[1, 2, 3, 4][..]));
    }
}
