//! Symmetric positive definite matrices of some hundred rows: factors, solutions and inverses.
//!
//! Rows are contiguous, and every inner loop adds multiples of four rows to another.

use pulp::Arch;

use super::lanes::{add, add_four};

/// Rows that are taken together.
const BLOCK: usize = 4;

/// An upper triangle U with UᵀU = K, by rows; what is below the diagonal means nothing.
#[derive(Debug, Clone, Default)]
pub struct Cholesky {
    size: usize,
    rows: Vec<f64>,
}

impl Cholesky {
    /// Factors the matrix whose upper triangle is in `rows`; `None` if it is not positive definite.
    pub fn of(mut rows: Vec<f64>, size: usize) -> Option<Self> {
        Arch::new().dispatch(|| factor(&mut rows, size)).then_some(Self { size, rows })
    }

    /// ln det K.
    pub fn ln_determinant(&self) -> f64 {
        (0..self.size).map(|i| 2.0 * self.rows[i * self.size + i].ln()).sum()
    }

    /// Solves Uᵀ x = b for as many right-hand sides as `b` has columns; `b` by rows, overwritten by x.
    pub fn forward(&self, b: &mut [f64], columns: usize) {
        if columns > 0 {
            Arch::new().dispatch(|| forward(&self.rows, self.size, b, columns));
        }
    }

    /// Solves K x = b likewise.
    pub fn solve(&self, b: &mut [f64], columns: usize) {
        self.forward(b, columns);
        let (n, u) = (self.size, &self.rows);
        for k in (0..n).rev() {
            let (above, below) = b.split_at_mut((k + 1) * columns);
            let row = &mut above[k * columns..];
            for (i, from) in (k + 1..n).zip(below.chunks_exact(columns.max(1))) {
                add(row, -u[k * n + i], from);
            }
            row.iter_mut().for_each(|value| *value /= u[k * n + k]);
        }
    }

    /// The upper triangle of K⁻¹, by rows.
    pub fn inverse(&self) -> Vec<f64> {
        Arch::new().dispatch(|| invert(&self.rows, self.size))
    }
}

/// Four rows of this length, from the beginning of a slice.
#[inline(always)]
fn four(rows: &[f64], length: usize) -> [&[f64]; BLOCK] {
    std::array::from_fn(|i| &rows[i * length..(i + 1) * length])
}

#[inline(always)]
fn factor(rows: &mut [f64], n: usize) -> bool {
    for first in (0..n).step_by(BLOCK) {
        let end = (first + BLOCK).min(n);
        for k in first..end {
            let (above, below) = rows.split_at_mut((k + 1) * n);
            let pivot_row = &mut above[k * n..];
            let pivot = pivot_row[k];
            if !(pivot > 0.0 && pivot.is_finite()) {
                return false;
            }
            let scale = pivot.sqrt().recip();
            pivot_row[k..].iter_mut().for_each(|value| *value *= scale);
            for (i, row) in (k + 1..end).zip(below.chunks_exact_mut(n)) {
                add(&mut row[i..], -pivot_row[i], &pivot_row[i..]);
            }
        }
        let (above, below) = rows.split_at_mut(end * n);
        if below.is_empty() {
            break;
        }
        let block = four(&above[first * n..], n);
        for (i, row) in (end..n).zip(below.chunks_exact_mut(n)) {
            add_four(&mut row[i..], block.map(|from| -from[i]), block.map(|from| &from[i..]));
        }
    }
    true
}

#[inline(always)]
fn forward(u: &[f64], n: usize, b: &mut [f64], columns: usize) {
    for first in (0..n).step_by(BLOCK) {
        let end = (first + BLOCK).min(n);
        for k in first..end {
            let (above, below) = b.split_at_mut((k + 1) * columns);
            let row = &mut above[k * columns..];
            let scale = u[k * n + k].recip();
            row.iter_mut().for_each(|value| *value *= scale);
            for (i, to) in (k + 1..end).zip(below.chunks_exact_mut(columns)) {
                add(to, -u[k * n + i], row);
            }
        }
        let (above, below) = b.split_at_mut(end * columns);
        if below.is_empty() {
            break;
        }
        let block = four(&above[first * columns..], columns);
        for (i, to) in (end..n).zip(below.chunks_exact_mut(columns)) {
            add_four(to, std::array::from_fn(|k| -u[(first + k) * n + i]), block);
        }
    }
}

/// K⁻¹ = Wᵀ W, where UᵀW = 1; W is lower triangular.
#[inline(always)]
fn invert(u: &[f64], n: usize) -> Vec<f64> {
    let (mut w, mut inverse) = (vec![0.0; n * n], vec![0.0; n * n]);
    for first in (0..n).step_by(BLOCK) {
        let end = (first + BLOCK).min(n);
        for k in first..end {
            let (above, below) = w.split_at_mut((k + 1) * n);
            let row = &mut above[k * n..];
            row[k] += 1.0;
            let scale = u[k * n + k].recip();
            row[..=k].iter_mut().for_each(|value| *value *= scale);
            for (i, to) in (k + 1..end).zip(below.chunks_exact_mut(n)) {
                add(&mut to[..=k], -u[k * n + i], &row[..=k]);
            }
        }
        let (above, below) = w.split_at_mut(end * n);
        if end - first < BLOCK {
            for row in above[first * n..].chunks_exact(n) {
                for i in 0..end {
                    add(&mut inverse[i * n + i..i * n + end], row[i], &row[i..end]);
                }
            }
            break;
        }
        let block = four(&above[first * n..], n);
        for (i, to) in (end..n).zip(below.chunks_exact_mut(n)) {
            let factors = std::array::from_fn(|k| -u[(first + k) * n + i]);
            add_four(&mut to[..end], factors, block);
        }
        for i in 0..end {
            let to = &mut inverse[i * n + i..i * n + end];
            add_four(to, block.map(|row| row[i]), block.map(|row| &row[i..]));
        }
    }
    inverse
}

#[cfg(test)]
mod tests {
    use nalgebra::DMatrix;

    use super::*;

    #[test]
    fn factors_solutions_and_inverses_are_those_of_the_matrix() {
        for n in [1, 3, 4, 7, 20] {
            let a = DMatrix::from_fn(n, n, |i, j| ((3 * i + 7 * j) as f64 * 0.7).sin());
            let k = &a * a.transpose() + DMatrix::identity(n, n) * 0.1;
            let factors = Cholesky::of(k.as_slice().to_vec(), n).unwrap();
            assert!((factors.ln_determinant() - k.determinant().ln()).abs() < 1e-9);
            let b = DMatrix::from_fn(2, n, |i, j| (i + 2 * j) as f64);
            let mut x = b.as_slice().to_vec();
            factors.solve(&mut x, 2);
            let x = DMatrix::from_row_slice(n, 2, &x);
            assert!((&k * x - b.transpose()).norm() < 1e-9, "{n}");
            let upper = DMatrix::from_row_slice(n, n, &factors.inverse()).upper_triangle();
            assert!((upper - k.try_inverse().unwrap().upper_triangle()).norm() < 1e-9, "{n}");
        }
    }

    #[test]
    fn a_matrix_that_is_not_positive_definite_has_no_factors() {
        assert!(Cholesky::of(vec![1.0, 2.0, 2.0, 1.0], 2).is_none());
        assert!(Cholesky::of(vec![f64::NAN], 1).is_none());
    }
}
