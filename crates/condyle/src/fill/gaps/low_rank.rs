//! Low rank: poses are sums of few principal components, and what is seen tells how much of each.

use crate::order;
use nalgebra::{DMatrix, DVector, Vector3};

use super::neighbours::Neighbours;
use super::tracks::{Gap, Tracks};

/// Markers count by exp(-d² / 2 s²) with their distance d from the missing one, and this s.
const NEAR_M: f64 = 0.2;
/// How much the missing marker counts.
const MISSING_WEIGHT: f64 = 0.02;
/// Components are kept until their singular values are this share of the sum of all.
const KEPT: f64 = 0.99;
/// Frames that components are found in, at most.
const MOST_FRAMES: usize = 1_500;

/// The missing coordinates from the principal components of complete frames.
///
/// `None` with too few frames or neighbours.
///
/// # Method
/// Positions about the mean of the neighbours in each frame are centred, divided by their standard deviations and
/// weighted. P₁ holds the components of complete frames, P₂ those of the same frames with the missing marker at zero;
/// a frame z of the gap becomes P₁ P₁ᵀ P₂ P₂ᵀ z.
///
/// # Reference
/// Ø. Gløersen, P. Federolf (2016), *Predicting missing marker trajectories in human motion data using marker
/// intercorrelations*, strategy R2.
pub fn estimate(tracks: &Tracks, gap: &Gap, neighbours: &Neighbours) -> Option<Vec<Vector3<f64>>> {
    let columns: Vec<usize> = neighbours.ranked.iter().map(|n| n.marker).collect();
    let stride = neighbours.frames.len().div_ceil(MOST_FRAMES).max(1);
    let frames: Vec<usize> = neighbours.frames.iter().copied().step_by(stride).collect();
    if columns.len() < 3 || frames.len() < 10 {
        return None;
    }
    let middle = |t: usize| {
        columns.iter().map(|j| tracks.positions_m[*j][t]).sum::<Vector3<f64>>()
            / columns.len() as f64
    };
    let wide = 3 * (columns.len() + 1);
    let row = |t: usize, is_complete: bool| -> DVector<f64> {
        let middle = middle(t);
        let own = match is_complete {
            true => tracks.positions_m[gap.marker][t] - middle,
            false => Vector3::zeros(),
        };
        let others = columns.iter().map(|j| tracks.positions_m[*j][t] - middle);
        DVector::from_iterator(wide, [own].into_iter().chain(others).flat_map(|p| [p.x, p.y, p.z]))
    };
    let complete: Vec<DVector<f64>> = frames.iter().map(|t| row(*t, true)).collect();
    let mean = complete.iter().sum::<DVector<f64>>() / complete.len() as f64;
    let square = complete.iter().map(|row| (row - &mean).map(|v| v * v)).sum::<DVector<f64>>();
    let sd = (square / complete.len() as f64).map(|v| if v > 0.0 { v.sqrt() } else { 1.0 });
    let weight = DVector::from_fn(wide, |i, _| match i {
        0..3 => MISSING_WEIGHT,
        _ => (-0.5 * (neighbours.ranked[i / 3 - 1].distance_m / NEAR_M).powi(2)).exp(),
    });
    let scale = weight.component_div(&sd);
    let scaled = DMatrix::from_columns(
        &complete.iter().map(|row| (row - &mean).component_mul(&scale)).collect::<Vec<_>>(),
    );
    let whole = &scaled * scaled.transpose();
    let mut holed = whole.clone();
    for i in 0..3 {
        holed.row_mut(i).fill(0.0);
        holed.column_mut(i).fill(0.0);
    }
    let ((whole, n), (holed, m)) = (components(whole), components(holed));
    let kept = n.max(m);
    let (p1, p2) = (whole.columns(0, kept), holed.columns(0, kept));
    let at = |t: usize| {
        let mut z = (row(t, false) - &mean).component_mul(&scale);
        z.rows_mut(0, 3).fill(0.0);
        let found = p1 * (p1.transpose() * (p2 * (p2.transpose() * z)));
        Vector3::from_fn(|i, _| mean[i] + found[i] / scale[i]) + middle(t)
    };
    let positions_m: Vec<Vector3<f64>> = gap.frames.clone().map(at).collect();
    positions_m.iter().all(|p| p.iter().all(|v| v.is_finite())).then_some(positions_m)
}

/// Eigenvectors, the largest first, and how many of them to keep.
fn components(matrix: DMatrix<f64>) -> (DMatrix<f64>, usize) {
    let eigen = matrix.symmetric_eigen();
    let mut order: Vec<usize> = (0..eigen.eigenvalues.len()).collect();
    order::by(&mut order, |a, b| eigen.eigenvalues[*b].total_cmp(&eigen.eigenvalues[*a]));
    let singular: Vec<f64> = order.iter().map(|i| eigen.eigenvalues[*i].max(0.0).sqrt()).collect();
    let total: f64 = singular.iter().sum();
    let mut sum = 0.0;
    let enough = singular.iter().position(|value| {
        sum += value;
        sum >= KEPT * total
    });
    let vectors: Vec<_> = order.iter().map(|i| eigen.eigenvectors.column(*i)).collect();
    (DMatrix::from_columns(&vectors), enough.map_or(order.len(), |place| place + 1))
}
