//! Elimination of a frame's poses along the tree of segments, leaf to root.
//!
//! A marker touches one segment and a joint two, so that the normal equations of a frame have a 6×6 block for
//! every segment, one for every segment and its parent, and columns for the parameters below it.

use std::ops::Range;

use nalgebra::{DMatrix, Matrix6, Vector6};

use super::model::Model;

/// Which parameters each segment meets once everything below it is eliminated.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Structure {
    pub parent: Vec<Option<usize>>,
    /// For every segment its parameters, ascending.
    pub columns: Vec<Vec<usize>>,
    /// Where each of these is among the parent's.
    to_parent: Vec<Vec<usize>>,
    /// Where a marker's position begins among its segment's columns.
    pub marker: Vec<usize>,
    /// Where the skin of a marker begins among its segment's columns.
    pub skin: Vec<usize>,
    /// Where a joint's centre begins among its parent's columns, and among its child's.
    pub joint: Vec<[usize; 2]>,
    pub parameters: usize,
}

impl Structure {
    pub(super) fn of(model: &Model) -> Self {
        Self::with_skin(model, &vec![0..0; model.markers.len()])
    }

    /// With parameters for the skin of every marker.
    pub(super) fn with_skin(model: &Model, skin: &[Range<usize>]) -> Self {
        let parent: Vec<Option<usize>> = model.segments.iter().map(|s| s.parent).collect();
        let mut columns = vec![Vec::new(); parent.len()];
        for (index, marker) in model.markers.iter().enumerate() {
            let at = model.marker_at(index);
            columns[marker.segment].extend((at..at + 3).chain(skin[index].clone()));
        }
        for (index, joint) in model.joints.iter().enumerate() {
            // A joint without a child is no part of any frame.
            if let Some(child) = joint.child {
                let at = model.joint_at(index);
                columns[joint.parent].extend(at..at + 3);
                columns[child].extend(at..at + 3);
            }
        }
        for segment in (0..parent.len()).rev() {
            columns[segment].sort_unstable();
            columns[segment].dedup();
            if let Some(parent) = parent[segment] {
                let below = columns[segment].clone();
                columns[parent].extend(below);
            }
        }
        let place = |segment: usize, at: usize| columns[segment].binary_search(&at).unwrap_or(0);
        let to_parent = (0..parent.len()).map(|segment| match parent[segment] {
            Some(parent) => columns[segment].iter().map(|at| place(parent, *at)).collect(),
            None => Vec::new(),
        });
        let joint = |(index, joint): (usize, &super::model::Joint)| {
            let at = model.joint_at(index);
            joint.child.map_or([0, 0], |child| [place(joint.parent, at), place(child, at)])
        };
        Self {
            to_parent: to_parent.collect(),
            marker: model
                .markers
                .iter()
                .enumerate()
                .map(|(index, marker)| place(marker.segment, model.marker_at(index)))
                .collect(),
            skin: model
                .markers
                .iter()
                .zip(skin)
                .map(|(marker, skin)| place(marker.segment, skin.start))
                .collect(),
            joint: model.joints.iter().enumerate().map(joint).collect(),
            parameters: skin.iter().map(|skin| skin.end).fold(model.parameters(), usize::max),
            parent,
            columns,
        }
    }
}

/// The normal equations of one segment in one frame: the block of its own pose (shift, then turn), that with
/// its parent's, the gradient, and a column of six for every parameter.
///
/// Eliminated, they are the Cholesky factor L of the first, and L⁻¹ of the others.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Node {
    pub own: Matrix6<f64>,
    pub with_parent: Matrix6<f64>,
    pub gradient: Vector6<f64>,
    pub columns: Vec<Vector6<f64>>,
}

/// The normal equations of one frame.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct FrameNormal {
    pub nodes: Vec<Node>,
}

/// The normal equations of the parameters: the lower triangle, row by row, and the gradient.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SharedNormal {
    pub matrix: Vec<f64>,
    pub gradient: Vec<f64>,
}

impl SharedNormal {
    pub(super) fn new(parameters: usize) -> Self {
        Self { matrix: vec![0.0; parameters * parameters], gradient: vec![0.0; parameters] }
    }

    pub(super) fn clear(&mut self) {
        self.matrix.fill(0.0);
        self.gradient.fill(0.0);
    }

    pub(super) fn parameters(&self) -> usize {
        self.gradient.len()
    }

    /// Takes in `weight` times the square of a residual with a sparse gradient.
    pub(super) fn add(&mut self, gradient: &[(usize, f64)], residual: f64, weight: f64) {
        let size = self.parameters();
        for &(i, a) in gradient {
            self.gradient[i] += weight * a * residual;
            for &(j, b) in gradient {
                if j <= i {
                    self.matrix[i * size + j] += weight * a * b;
                }
            }
        }
    }
}

impl FrameNormal {
    pub(super) fn new(structure: &Structure) -> Self {
        let node = |columns: &Vec<usize>| Node {
            own: Matrix6::zeros(),
            with_parent: Matrix6::zeros(),
            gradient: Vector6::zeros(),
            columns: vec![Vector6::zeros(); columns.len()],
        };
        Self { nodes: structure.columns.iter().map(node).collect() }
    }

    pub(super) fn clear(&mut self) {
        for node in &mut self.nodes {
            node.own.fill(0.0);
            node.with_parent.fill(0.0);
            node.gradient.fill(0.0);
            node.columns.fill(Vector6::zeros());
        }
    }

    /// Eliminates all poses, leaf to root, with the columns of the parameters or without.
    ///
    /// `damping` is a share of the diagonal that is added to it.
    pub(super) fn eliminate(&mut self, structure: &Structure, damping: f64, with_columns: bool) {
        for segment in (0..self.nodes.len()).rev() {
            let (above, below) = self.nodes.split_at_mut(segment);
            let node = &mut below[0];
            for i in 0..6 {
                node.own[(i, i)] *= 1.0 + damping;
            }
            cholesky(&mut node.own);
            let factor = node.own;
            let inverses = inverse_diagonal(&factor);
            let forward = |x: &mut Vector6<f64>| forward(&factor, &inverses, x);
            forward(&mut node.gradient);
            if with_columns {
                node.columns.iter_mut().for_each(forward);
            }
            let Some(parent) = structure.parent[segment] else { continue };
            for i in 0..6 {
                let mut column: Vector6<f64> = node.with_parent.column(i).into();
                forward(&mut column);
                node.with_parent.set_column(i, &column);
            }
            let across = node.with_parent.transpose();
            let parent = &mut above[parent];
            for i in 0..6 {
                let column: Vector6<f64> = node.with_parent.column(i).into();
                let mut own: Vector6<f64> = parent.own.column(i).into();
                subtract_product(&mut own, &across, &column);
                parent.own.set_column(i, &own);
            }
            subtract_product(&mut parent.gradient, &across, &node.gradient);
            if with_columns {
                for (column, at) in node.columns.iter().zip(&structure.to_parent[segment]) {
                    subtract_product(&mut parent.columns[*at], &across, column);
                }
            }
        }
    }

    /// The step of every segment once that of the parameters is known; after [`FrameNormal::eliminate`].
    pub(super) fn steps(
        &self,
        structure: &Structure,
        of_parameters: Option<&[f64]>,
    ) -> Vec<Vector6<f64>> {
        let mut steps: Vec<Vector6<f64>> = Vec::with_capacity(self.nodes.len());
        for (segment, node) in self.nodes.iter().enumerate() {
            let mut right = -node.gradient;
            if let Some(of_parameters) = of_parameters {
                for (column, at) in node.columns.iter().zip(&structure.columns[segment]) {
                    right -= column * of_parameters[*at];
                }
            }
            if let Some(parent) = structure.parent[segment] {
                subtract_product(&mut right, &node.with_parent, &steps[parent]);
            }
            backward(&node.own, &mut right);
            steps.push(right);
        }
        steps
    }

    /// How the poses follow some steps of the parameters; after [`FrameNormal::eliminate`].
    ///
    /// All steps are followed at once: most of the time goes into reading the columns.
    pub(super) fn following<const N: usize>(
        &self,
        structure: &Structure,
        of_parameters: [&[f64]; N],
    ) -> [Vec<Vector6<f64>>; N] {
        let mut steps = [(); N].map(|()| Vec::with_capacity(self.nodes.len()));
        for (segment, node) in self.nodes.iter().enumerate() {
            let mut right = [Vector6::zeros(); N];
            for (column, at) in node.columns.iter().zip(&structure.columns[segment]) {
                for (right, of_parameters) in right.iter_mut().zip(of_parameters) {
                    *right -= column * of_parameters[*at];
                }
            }
            for (mut right, steps) in right.into_iter().zip(&mut steps) {
                if let Some(parent) = structure.parent[segment] {
                    subtract_product(&mut right, &node.with_parent, &steps[parent]);
                }
                backward(&node.own, &mut right);
                steps.push(right);
            }
        }
        steps
    }

    /// M⁻¹ of a right-hand side, one for every segment, for the factor M of the frame's own block; after
    /// [`FrameNormal::eliminate`].
    pub(super) fn whiten(&self, structure: &Structure, right: &mut [Vector6<f64>]) {
        for segment in (0..self.nodes.len()).rev() {
            let node = &self.nodes[segment];
            forward(&node.own, &inverse_diagonal(&node.own), &mut right[segment]);
            if let Some(parent) = structure.parent[segment] {
                let own = right[segment];
                subtract_product(&mut right[parent], &node.with_parent.transpose(), &own);
            }
        }
    }

    /// M⁻ᵀ of what [`FrameNormal::whiten`] gives.
    pub(super) fn unwhiten(
        &self,
        structure: &Structure,
        white: &[Vector6<f64>],
    ) -> Vec<Vector6<f64>> {
        let mut all: Vec<Vector6<f64>> = Vec::with_capacity(white.len());
        for (segment, (node, white)) in self.nodes.iter().zip(white).enumerate() {
            let mut right = *white;
            if let Some(parent) = structure.parent[segment] {
                right -= node.with_parent * all[parent];
            }
            backward(&node.own, &mut right);
            all.push(right);
        }
        all
    }

    /// The covariance of every segment's pose with its own, and with its parent's, parameters held.
    pub(super) fn covariances(&self, structure: &Structure) -> Vec<[Matrix6<f64>; 2]> {
        let mut all: Vec<[Matrix6<f64>; 2]> = Vec::with_capacity(self.nodes.len());
        for (segment, node) in self.nodes.iter().enumerate() {
            let inverse = inverse_lower(&node.own);
            let mut own = inverse.transpose() * inverse;
            let mut with_parent = Matrix6::zeros();
            if let Some(parent) = structure.parent[segment] {
                let gain = inverse.transpose() * node.with_parent;
                with_parent = -gain * all[parent][0];
                own -= with_parent * gain.transpose();
            }
            all.push([own, with_parent]);
        }
        all
    }
}

/// Columns of a product of which only the lower triangle is wanted.
const PANEL: usize = 64;

/// Takes from the normal equations of the parameters what the poses of all frames explain; after
/// [`FrameNormal::eliminate`].
pub(super) fn subtract_explained(
    normals: &[FrameNormal],
    structure: &Structure,
    shared: &mut SharedNormal,
) {
    let size = shared.parameters();
    for (segment, columns) in structure.columns.iter().enumerate() {
        // The columns of all frames, one below the other: their squares are one product of matrices.
        let mut stacked = DMatrix::zeros(6 * normals.len(), columns.len());
        for (frame, normal) in normals.iter().enumerate() {
            let node = &normal.nodes[segment];
            for (i, (column, at)) in node.columns.iter().zip(columns).enumerate() {
                stacked.fixed_view_mut::<6, 1>(6 * frame, i).copy_from(column);
                shared.gradient[*at] -= column.dot(&node.gradient);
            }
        }
        let across = stacked.transpose();
        // The lower triangle, some columns at a time.
        for first in (0..columns.len()).step_by(PANEL) {
            let wide = PANEL.min(columns.len() - first);
            let below = columns.len() - first;
            let squares = across.rows(first, below) * stacked.columns(first, wide);
            for (i, &row) in columns[first..].iter().enumerate() {
                for (j, &column) in columns[first..first + wide].iter().enumerate().take(i + 1) {
                    shared.matrix[row * size + column] -= squares[(i, j)];
                }
            }
        }
    }
}

/// L of `matrix` = L Lᵀ, in its lower triangle; what is not observable gets next to no information.
fn cholesky(matrix: &mut Matrix6<f64>) {
    let least = 1e-12 * matrix.trace().abs().max(1e-6);
    for j in 0..6 {
        for k in 0..j {
            for i in j..6 {
                matrix[(i, j)] -= matrix[(i, k)] * matrix[(j, k)];
            }
        }
        let root = matrix[(j, j)].max(least).sqrt();
        for i in j..6 {
            matrix[(i, j)] /= root;
        }
        matrix[(j, j)] = root;
        for i in 0..j {
            matrix[(i, j)] = 0.0;
        }
    }
}

/// One over every element of the diagonal.
fn inverse_diagonal(lower: &Matrix6<f64>) -> Vector6<f64> {
    Vector6::from_fn(|i, _| lower[(i, i)].recip())
}

/// L⁻¹ x, with one over every element of the diagonal of L.
#[inline(always)]
fn forward(lower: &Matrix6<f64>, inverses: &Vector6<f64>, x: &mut Vector6<f64>) {
    for j in 0..6 {
        let value = x[j] * inverses[j];
        x[j] = value;
        for i in j + 1..6 {
            x[i] -= lower[(i, j)] * value;
        }
    }
}

/// y − A x: written out, since a product of small matrices is a call for every column.
#[inline(always)]
fn subtract_product(y: &mut Vector6<f64>, a: &Matrix6<f64>, x: &Vector6<f64>) {
    for j in 0..6 {
        for i in 0..6 {
            y[i] -= a[(i, j)] * x[j];
        }
    }
}

/// L⁻ᵀ x.
#[inline]
fn backward(lower: &Matrix6<f64>, x: &mut Vector6<f64>) {
    for j in (0..6).rev() {
        let mut value = x[j];
        for i in j + 1..6 {
            value -= lower[(i, j)] * x[i];
        }
        x[j] = value / lower[(j, j)];
    }
}

fn inverse_lower(lower: &Matrix6<f64>) -> Matrix6<f64> {
    let mut inverse = Matrix6::identity();
    let inverses = inverse_diagonal(lower);
    for i in 0..6 {
        let mut column: Vector6<f64> = inverse.column(i).into();
        forward(lower, &inverses, &mut column);
        inverse.set_column(i, &column);
    }
    inverse
}
