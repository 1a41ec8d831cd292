//! The Jacobian of the effectors over the joint angles, and the methods that step along it.
//!
//! # Reference
//! S. R. Buss, J.-S. Kim (2005), *Selectively damped least squares for inverse kinematics*; A. Aristidou
//! (2010), equations 3.4 to 3.27.

mod apply;
mod dof;
mod matrix;
mod steps;

pub(super) use matrix::Square;

use nalgebra::Vector3;

use self::dof::Dof;
use super::method::Options;
use super::reach::Reach;
use super::solver::Solver;
use super::target::Target;

/// Rows are coordinates of effectors, columns degrees of freedom. Everything is allocated once; more
/// targets than before make it grow.
#[derive(Debug, Clone, Default)]
pub(super) struct Jacobian {
    rows: usize,
    /// Row after row, each as long as there are degrees of freedom.
    values: Vec<f64>,
    /// What is missing, in the order of the rows.
    pub(super) missing: Vec<f64>,
    dofs: Vec<Dof>,
    /// Where the degrees of freedom of each bone begin, and one entry more.
    first: Vec<usize>,
    /// What each bone may not do at present.
    blocked: Vec<Blocked>,
    /// One angle a degree of freedom.
    pub(super) step_rad: Vec<f64>,
    pub(super) square: Square,
    scratch: Vec<f64>,
}

/// What a bone may not do at present, as it stands at its limit.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Blocked {
    /// Turn about this axis of the world, which would take it outside.
    pub(super) swing: Option<Vector3<f64>>,
    pub(super) twist: bool,
    pub(super) hinge: bool,
    pub(super) slide: bool,
}

impl Jacobian {
    pub(super) fn new(joints: usize) -> Self {
        let most = 3 * joints;
        Self {
            values: Vec::with_capacity(6 * most),
            missing: Vec::with_capacity(6),
            dofs: Vec::with_capacity(most),
            first: Vec::with_capacity(joints + 1),
            blocked: vec![Blocked::default(); joints],
            step_rad: Vec::with_capacity(most),
            square: Square::with_room(6),
            scratch: Vec::with_capacity(most),
            rows: 0,
        }
    }

    pub(super) fn columns(&self) -> usize {
        self.dofs.len()
    }

    fn row(&self, row: usize) -> &[f64] {
        &self.values[row * self.columns()..(row + 1) * self.columns()]
    }

    pub(super) fn unblock(&mut self) {
        self.blocked.fill(Blocked::default());
    }

    /// Jᵀ y into the step.
    pub(super) fn step_along(&mut self, y: impl Fn(&Self, usize) -> f64) {
        self.step_rad.clear();
        self.step_rad.resize(self.dofs.len(), 0.0);
        for row in 0..self.rows {
            let factor = y(self, row);
            let columns = self.dofs.len();
            let values = &self.values[row * columns..(row + 1) * columns];
            for (step, value) in self.step_rad.iter_mut().zip(values) {
                *step += factor * value;
            }
        }
    }

    /// J Jᵀ into the square matrix.
    pub(super) fn square_up(&mut self) {
        let mut square = std::mem::take(&mut self.square);
        square.reset(self.rows);
        for i in 0..self.rows {
            for j in 0..=i {
                let dot: f64 = self.row(i).iter().zip(self.row(j)).map(|(a, b)| a * b).sum();
                square.set(i, j, dot);
                square.set(j, i, dot);
            }
        }
        self.square = square;
    }

    /// The damped step from J Jᵀ as it stands, λ² as a share of the mean of its diagonal; whether
    /// there is one.
    pub(super) fn damped_step(&mut self, share: f64) -> bool {
        let trace: f64 = (0..self.rows).map(|i| self.square.eigenvalue(i)).sum();
        steps::dls(self, share * trace / self.rows.max(1) as f64)
    }

    /// The largest step, made smaller if it is larger than this; all steps shrink alike.
    pub(super) fn limit_step(&mut self, most_rad: f64) {
        let largest = self.step_rad.iter().fold(0.0_f64, |most, step| most.max(step.abs()));
        if largest > most_rad {
            let scale = most_rad / largest;
            self.step_rad.iter_mut().for_each(|step| *step *= scale);
        }
    }
}

/// Steps of a method of the family until done or stuck.
pub(super) fn solve(solver: &mut Solver, targets: &[Target], options: &Options) -> Reach {
    let unit_m = solver.linkage.mean_length_m();
    solver.iterate(targets, options, |solver| {
        solver.jacobian.unblock();
        solver.build_jacobian(targets);
        steps::choose(&mut solver.jacobian, options, unit_m);
        solver.take_step();
        std::mem::swap(&mut solver.pose, &mut solver.trial);
    })
}

#[cfg(test)]
mod tests;
