//! Which row takes which column, so that the gains together are greatest.

use pathfinding::prelude::{Matrix, Weights, kuhn_munkres};

/// Gains are compared in steps of this size: the assignment works on whole numbers.
const STEP: f64 = 1e-4;
const MAX_GAIN: f64 = 1e6;

/// The column of every row; none where no gain above zero is left.
///
/// # Reference
/// Kuhn (1955), The Hungarian method for the assignment problem; Munkres (1957).
pub(super) fn assign(
    rows: usize,
    columns: usize,
    gain: impl Fn(usize, usize) -> f64,
) -> Vec<Option<usize>> {
    let mut column_of = vec![None; rows];
    if rows == 0 || columns == 0 {
        return column_of;
    }
    let steps = |row, column| (gain(row, column).clamp(0.0, MAX_GAIN) / STEP) as i64;
    // It wants at least as many columns as rows.
    let is_turned = rows > columns;
    let gains = match is_turned {
        false => Matrix::from_fn(rows, columns, |(row, column)| steps(row, column)),
        true => Matrix::from_fn(columns, rows, |(column, row)| steps(row, column)),
    };
    for (one, other) in kuhn_munkres(&gains).1.into_iter().enumerate() {
        if gains.at(one, other) > 0 {
            let (row, column) = if is_turned { (other, one) } else { (one, other) };
            column_of[row] = Some(column);
        }
    }
    column_of
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_the_greatest_sum_and_leaves_what_gains_nothing() {
        let gains = [[5.0, 4.0, -1.0], [4.0, 1.0, -1.0], [-1.0, -2.0, -1.0]];
        assert_eq!(assign(3, 3, |r, c| gains[r][c]), [Some(1), Some(0), None]);
        assert_eq!(assign(2, 3, |r, c| gains[r][c]), [Some(1), Some(0)]);
        assert_eq!(assign(3, 1, |r, c| gains[r][c]), [Some(0), None, None]);
        assert_eq!(assign(2, 0, |_, _| 1.0), [None, None]);
        assert_eq!(assign(1, 1, |_, _| f64::NAN), [None]);
    }
}
