//! The Cholesky factor of a large matrix, block by block: most of the work is products of matrices.

use nalgebra::{Cholesky, DMatrix, Dyn};

/// Columns of a block.
const BLOCK: usize = 48;

/// L of `matrix` = L Lᵀ, of which the lower triangle is read; `None` if it is not positive definite.
///
/// # Reference
/// G. H. Golub, C. F. Van Loan, *Matrix Computations*, section 4.2.9 of the fourth edition: block outer product Cholesky.
pub(super) fn blocked_cholesky(mut matrix: DMatrix<f64>) -> Option<Cholesky<f64, Dyn>> {
    let size = matrix.nrows();
    for start in (0..size).step_by(BLOCK) {
        let width = BLOCK.min(size - start);
        let (next, left) = (start + width, size - start - width);
        let corner = matrix.view((start, start), (width, width)).into_owned();
        let corner = Cholesky::new(corner)?.unpack_dirty();
        matrix.view_mut((start, start), (width, width)).copy_from(&corner);
        if left == 0 {
            break;
        }
        // L₂₁ = A₂₁ L₁₁⁻ᵀ, column by column: they are long.
        let mut below = matrix.view((next, start), (left, width)).into_owned();
        for j in 0..width {
            let (done, rest) = below.as_mut_slice().split_at_mut((j + 1) * left);
            let own = &mut done[j * left..];
            let inverse = corner[(j, j)].recip();
            own.iter_mut().for_each(|value| *value *= inverse);
            for (column, factor) in
                rest.chunks_exact_mut(left).zip(&corner.column(j).as_slice()[j + 1..])
            {
                column.iter_mut().zip(&*own).for_each(|(value, own)| *value -= factor * own);
            }
        }
        matrix.view_mut((next, start), (left, width)).copy_from(&below);
        let across = below.transpose();
        // A₂₂ − L₂₁ L₂₁ᵀ, the lower triangle.
        for column in (0..left).step_by(BLOCK) {
            let wide = BLOCK.min(left - column);
            let rows = below.rows(column, left - column);
            let mut rest = matrix.view_mut((next + column, next + column), (left - column, wide));
            rest.gemm(-1.0, &rows, &across.columns(column, wide), 1.0);
        }
    }
    Some(Cholesky::pack_dirty(matrix))
}

#[cfg(test)]
mod tests {
    use nalgebra::{Cholesky, DMatrix, DVector};

    use super::blocked_cholesky;

    #[test]
    fn blocks_give_the_factor_of_the_whole() {
        for size in [1, 47, 48, 49, 130] {
            let wave = |i: usize, j: usize| ((7 * i + 3 * j * j + i * j) as f64).sin();
            let root = DMatrix::from_fn(size, size, wave);
            let matrix = &root * root.transpose() + DMatrix::identity(size, size);
            let blocked = blocked_cholesky(matrix.clone()).unwrap();
            let whole = Cholesky::new(matrix.clone()).unwrap();
            assert!((blocked.l() - whole.l()).amax() < 1e-10 * size as f64, "{size}");
            let right = DVector::from_fn(size, |i, _| wave(i, 1));
            assert!((matrix * blocked.solve(&right) - right).amax() < 1e-9, "{size}");
        }
    }

    #[test]
    fn refuses_a_matrix_that_is_not_positive_definite() {
        let mut matrix = DMatrix::identity(100, 100);
        matrix[(70, 70)] = -1.0;
        assert!(blocked_cholesky(matrix).is_none());
    }
}
