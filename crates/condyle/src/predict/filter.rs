//! One marker that is not seen: its position, velocity and acceleration by the variable-turn model.

use nalgebra::{Matrix3, SMatrix, SVector, Vector3};

use super::turn_model::Turn;
use super::unscented::{Spread, StateEstimate};

/// The density of the noise that drives the acceleration, of each axis, in m²/s⁵: limbs start and stop within a tenth
/// of a second or two with accelerations of some ten metres a second squared.
const JERK_M2_S5: f64 = 400.0;
/// What is known of velocity and acceleration where a gap begins, as standard deviations.
const VELOCITY_SD_M_S: f64 = 0.05;
const ACCELERATION_SD_M_S2: f64 = 2.0;

/// The state of a marker: position, velocity and acceleration, each along x, y and z.
pub(crate) type State = SVector<f64, 9>;

/// The filter of one marker.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Filter {
    belief: StateEstimate<9>,
}

impl Filter {
    /// Begins where the marker was last seen.
    pub fn start(
        position_m: Vector3<f64>,
        velocity_m_s: Vector3<f64>,
        acceleration_m_s2: Vector3<f64>,
        noise_m: f64,
    ) -> Self {
        let mut mean = State::zeros();
        mean.fixed_rows_mut::<3>(0).copy_from(&position_m);
        mean.fixed_rows_mut::<3>(3).copy_from(&velocity_m_s);
        mean.fixed_rows_mut::<3>(6).copy_from(&acceleration_m_s2);
        let mut covariance = SMatrix::zeros();
        for axis in 0..3 {
            covariance[(axis, axis)] = noise_m * noise_m;
            covariance[(axis + 3, axis + 3)] = VELOCITY_SD_M_S * VELOCITY_SD_M_S;
            covariance[(axis + 6, axis + 6)] = ACCELERATION_SD_M_S2 * ACCELERATION_SD_M_S2;
        }
        Self { belief: StateEstimate { mean, covariance } }
    }

    /// One step on, with what stands for an observation; where it is now.
    pub fn step(
        &mut self,
        step_s: f64,
        observed_m: &Vector3<f64>,
        noise_m2: &Matrix3<f64>,
    ) -> Vector3<f64> {
        let state = &self.belief.mean;
        let turn = Turn::of(&velocity(state), &acceleration(state), step_s);
        let is_sound =
            self.belief.predict(&Spread::default(), &noise_of(&turn, step_s), 3, |pair| {
                moved(pair, step_s)
            }) && self.belief.observe(observed_m, noise_m2)
                && self.belief.mean.iter().all(|v| v.is_finite());
        if !is_sound {
            *self = Self::start(
                *observed_m,
                Vector3::zeros(),
                Vector3::zeros(),
                noise_m2.trace().sqrt(),
            );
        }
        self.position_m()
    }

    /// Where it is.
    pub fn position_m(&self) -> Vector3<f64> {
        let state = &self.belief.mean;
        Vector3::new(state[0], state[1], state[2])
    }

    /// How sure that is.
    pub fn covariance_m2(&self) -> Matrix3<f64> {
        Matrix3::from_fn(|row, column| self.belief.covariance[(row, column)])
    }
}

fn velocity(state: &State) -> Vector3<f64> {
    Vector3::new(state[3], state[4], state[5])
}

fn acceleration(state: &State) -> Vector3<f64> {
    Vector3::new(state[6], state[7], state[8])
}

/// Two states one step later, each by its own turn.
#[inline]
pub(super) fn moved(states: &[State; 2], step_s: f64) -> [State; 2] {
    let v = [velocity(&states[0]), velocity(&states[1])];
    let a = [acceleration(&states[0]), acceleration(&states[1])];
    let turns = [Turn::of(&v[0], &a[0], step_s), Turn::of(&v[1], &a[1], step_s)];
    let rows = Turn::transitions(&turns, step_s);
    let mut after = [State::zeros(); 2];
    for (i, after) in after.iter_mut().enumerate() {
        for axis in 0..3 {
            let by = |row: usize| rows[row][0][i] * v[i][axis] + rows[row][1][i] * a[i][axis];
            after[axis] = states[i][axis] + by(0);
            after[axis + 3] = by(1);
            after[axis + 6] = by(2);
        }
    }
    after
}

/// What a step adds to the covariance.
pub(super) fn noise_of(turn: &Turn, step_s: f64) -> SMatrix<f64, 9, 9> {
    let of_axis = turn.noise(step_s) * JERK_M2_S5;
    let mut noise = SMatrix::zeros();
    for (row, column) in (0..9).flat_map(|i| (0..3).map(move |j| (i, 3 * j + i % 3))) {
        noise[(row, column)] = of_axis[(row / 3, column / 3)];
    }
    noise
}
