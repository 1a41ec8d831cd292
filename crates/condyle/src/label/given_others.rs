//! How well points fit labels, given where other labels are.

use nalgebra::Point3;

use super::body_shape::{BodyShape, CELL_M, CELLS};

/// The distances of the points of a frame, as cells.
pub(super) struct Distances {
    points: usize,
    cells: Vec<u16>,
}

impl Distances {
    pub(super) fn new(positions_m: &[Point3<f64>]) -> Self {
        let points = positions_m.len();
        let mut cells = vec![0; points * points];
        for (i, a) in positions_m.iter().enumerate() {
            for (j, b) in positions_m[..i].iter().enumerate() {
                let cell = (((a - b).norm() / CELL_M + 0.5) as usize).min(CELLS - 1) as u16;
                cells[i * points + j] = cell;
                cells[j * points + i] = cell;
            }
        }
        Self { points, cells }
    }

    pub(super) fn from(&self, point: usize) -> &[u16] {
        &self.cells[point * self.points..(point + 1) * self.points]
    }
}

/// How well a point fits a label.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Fit {
    /// The sum of the gains of its distances to mates.
    pub(super) distances: f64,
    /// How many mates there are.
    pub(super) mates: f64,
    /// The mean of what sides say.
    pub(super) sides: f64,
}

/// Says of every point of a frame and every label how well they fit; `holder` has the point of every label.
pub(super) fn each(
    shape: &BodyShape,
    positions_m: &[Point3<f64>],
    distances: &Distances,
    holder: &[Option<usize>],
    mut tell: impl FnMut(usize, usize, Fit),
) {
    let points = positions_m.len();
    let mut gains = vec![0.0_f32; points];
    let mut sides = vec![(0.0_f32, 0.0_f32); points];
    let mut own = vec![false; points];
    for label in 0..shape.labels {
        gains.fill(0.0);
        sides.fill((0.0, 0.0));
        let mut mates = 0.0;
        own.fill(false);
        for mate in &shape.mates[label] {
            let Some(held) = holder[mate.label] else { continue };
            for (gain, cell) in gains.iter_mut().zip(distances.from(held)) {
                *gain += mate.gain[usize::from(*cell)];
            }
            // A point is no mate of its own.
            gains[held] -= mate.gain[0];
            own[held] = true;
            mates += 1.0;
        }
        shape.chirality.add(label, positions_m, holder, &mut sides);
        for point in 0..points {
            let (sum, count) = sides[point];
            let fit = Fit {
                distances: f64::from(gains[point]),
                mates: if own[point] { mates - 1.0 } else { mates },
                sides: if count > 0.0 { f64::from(sum / count) } else { 0.0 },
            };
            tell(point, label, fit);
        }
    }
}
