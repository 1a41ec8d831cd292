//! A small symmetric matrix: solved, or taken apart into its eigenvectors, in place.

/// As many rows as effectors have coordinates: a handful.
#[derive(Debug, Clone, Default)]
pub(in super::super) struct Square {
    size: usize,
    values: Vec<f64>,
    /// Eigenvectors, one a column.
    vectors: Vec<f64>,
    /// Of a solved system.
    pub(in super::super) solution: Vec<f64>,
}

impl Square {
    pub(super) fn with_room(size: usize) -> Self {
        Self {
            size: 0,
            values: Vec::with_capacity(size * size),
            vectors: Vec::with_capacity(size * size),
            solution: Vec::with_capacity(size),
        }
    }

    pub(super) fn reset(&mut self, size: usize) {
        self.size = size;
        self.values.clear();
        self.values.resize(size * size, 0.0);
    }

    pub(super) fn set(&mut self, row: usize, column: usize, value: f64) {
        self.values[row * self.size + column] = value;
    }

    pub(in super::super) fn add_to_diagonal(&mut self, value: f64) {
        for i in 0..self.size {
            self.values[i * self.size + i] += value;
        }
    }

    /// Solves for the right side by Cholesky; false where the matrix is not positive definite.
    pub(in super::super) fn solve(&mut self, right: &[f64]) -> bool {
        let n = self.size;
        self.solution.clear();
        self.solution.extend_from_slice(right);
        for i in 0..n {
            for j in 0..=i {
                let dot: f64 =
                    (0..j).map(|k| self.values[i * n + k] * self.values[j * n + k]).sum();
                let rest = self.values[i * n + j] - dot;
                if i != j {
                    self.values[i * n + j] = rest / self.values[j * n + j];
                } else if rest > 0.0 {
                    self.values[i * n + i] = rest.sqrt();
                } else {
                    return false;
                }
            }
        }
        for i in 0..n {
            let dot: f64 = (0..i).map(|k| self.values[i * n + k] * self.solution[k]).sum();
            self.solution[i] = (self.solution[i] - dot) / self.values[i * n + i];
        }
        for i in (0..n).rev() {
            let dot: f64 = (i + 1..n).map(|k| self.values[k * n + i] * self.solution[k]).sum();
            self.solution[i] = (self.solution[i] - dot) / self.values[i * n + i];
        }
        true
    }

    /// Turns the matrix into its eigenvalues, on its diagonal, by Jacobi's rotations.
    pub(super) fn diagonalise(&mut self) {
        let n = self.size;
        self.vectors.clear();
        self.vectors.resize(n * n, 0.0);
        for i in 0..n {
            self.vectors[i * n + i] = 1.0;
        }
        let scale: f64 = (0..n).map(|i| self.values[i * n + i].abs()).sum();
        for _ in 0..60 {
            let off: f64 = (0..n)
                .flat_map(|i| (0..i).map(move |j| (i, j)))
                .map(|(i, j)| self.values[i * n + j].powi(2))
                .sum();
            if off.sqrt() <= 1e-15 * scale {
                break;
            }
            for p in 0..n {
                for q in p + 1..n {
                    self.rotate(p, q);
                }
            }
        }
    }

    fn rotate(&mut self, p: usize, q: usize) {
        let n = self.size;
        let off = self.values[p * n + q];
        if off == 0.0 {
            return;
        }
        let theta = (self.values[q * n + q] - self.values[p * n + p]) / (2.0 * off);
        let t = theta.signum() / (theta.abs() + theta.hypot(1.0));
        let cos = 1.0 / t.hypot(1.0);
        let sin = t * cos;
        for k in 0..n {
            let (a, b) = (self.values[k * n + p], self.values[k * n + q]);
            self.values[k * n + p] = cos * a - sin * b;
            self.values[k * n + q] = sin * a + cos * b;
        }
        for k in 0..n {
            let (a, b) = (self.values[p * n + k], self.values[q * n + k]);
            self.values[p * n + k] = cos * a - sin * b;
            self.values[q * n + k] = sin * a + cos * b;
            let (a, b) = (self.vectors[k * n + p], self.vectors[k * n + q]);
            self.vectors[k * n + p] = cos * a - sin * b;
            self.vectors[k * n + q] = sin * a + cos * b;
        }
    }

    pub(super) fn size(&self) -> usize {
        self.size
    }

    /// An entry of the diagonal: an eigenvalue once the matrix is diagonalised.
    pub(super) fn eigenvalue(&self, index: usize) -> f64 {
        self.values[index * self.size + index]
    }

    /// A component of an eigenvector.
    pub(super) fn eigenvector(&self, index: usize, row: usize) -> f64 {
        self.vectors[row * self.size + index]
    }

    /// An eigenvector times a vector.
    pub(super) fn project(&self, index: usize, vector: &[f64]) -> f64 {
        vector.iter().enumerate().map(|(row, value)| value * self.eigenvector(index, row)).sum()
    }
}
