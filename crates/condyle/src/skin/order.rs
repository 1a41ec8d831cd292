//! An order of unknowns in which a factorisation stays sparse.
//!
//! # Method
//! Nested dissection: the surface is cut in two where half of its vertices are on either side along its longest
//! extent, both halves are ordered so in turn, and the vertices along the cut come last.
//!
//! # Reference
//! A. George (1973), *Nested dissection of a regular finite element mesh*.

use nalgebra::Point3;

/// So few unknowns are not cut any more.
const FEW: usize = 48;

/// The unknowns in their order; `neighbours` of each begin at `starts`.
pub(super) fn dissect(at_m: &[Point3<f64>], starts: &[usize], neighbours: &[u32]) -> Vec<usize> {
    let mut all: Vec<usize> = (0..at_m.len()).collect();
    // Which half a vertex was last on.
    let mut half = vec![0usize; at_m.len()];
    let mut next = 0;
    let mut order = Vec::with_capacity(at_m.len());
    cut(
        &mut all,
        &mut Cut { at_m, starts, neighbours, half: &mut half, next: &mut next },
        &mut order,
    );
    order
}

struct Cut<'a> {
    at_m: &'a [Point3<f64>],
    starts: &'a [usize],
    neighbours: &'a [u32],
    half: &'a mut [usize],
    next: &'a mut usize,
}

fn cut(own: &mut [usize], with: &mut Cut, order: &mut Vec<usize>) {
    if own.len() <= FEW {
        order.extend_from_slice(own);
        return;
    }
    let first = with.at_m[own[0]];
    let (low, high) = own.iter().fold((first, first), |(low, high), at| {
        (low.inf(&with.at_m[*at]), high.sup(&with.at_m[*at]))
    });
    let axis = (high - low).imax();
    let middle = own.len() / 2;
    own.select_nth_unstable_by(middle, |a, b| with.at_m[*a][axis].total_cmp(&with.at_m[*b][axis]));
    let (below, above) = own.split_at_mut(middle);
    *with.next += 1;
    let number = *with.next;
    above.iter().for_each(|at| with.half[*at] = number);
    let touches = |at: usize, with: &Cut| {
        let around = &with.neighbours[with.starts[at]..with.starts[at + 1]];
        around.iter().any(|other| with.half[*other as usize] == number)
    };
    // Those below that touch what is above part the two.
    let mut parted: Vec<usize> = Vec::new();
    let mut inner: Vec<usize> = Vec::with_capacity(below.len());
    for at in below.iter() {
        if touches(*at, with) { parted.push(*at) } else { inner.push(*at) }
    }
    cut(&mut inner, with, order);
    cut(above, with, order);
    order.extend(parted);
}
