//! One marker that is not seen: its position, velocity and acceleration by the variable-turn model.

use nalgebra::{Matrix3, SMatrix, SVector, Vector3};

use super::turn_model::{Turn, Turns};
use super::unscented::{LANES, Lanes, Spread, StateEstimate};

/// The density of the noise that drives the acceleration, of each axis, in m²/s⁵: limbs start and stop within a tenth
/// of a second or two with accelerations of some ten metres a second squared.
const JERK_M2_S5: f64 = 400.0;
/// What is known of velocity and acceleration where a gap begins, as standard deviations.
const VELOCITY_SD_M_S: f64 = 0.05;
const ACCELERATION_SD_M_S2: f64 = 2.0;
/// No marker is faster, nor is its velocity less certain: beyond, the filter has lost it and begins anew, in metres a
/// second.
const MOST_M_S: f64 = 100.0;

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
        let noise = noise_of(&turn, step_s);
        let is_sound =
            self.belief.predict(&Spread::default(), &noise, 3, |states| moved(states, step_s))
                && self.belief.observe(observed_m, noise_m2)
                && self.is_possible();
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

    /// Whether anything can move so.
    fn is_possible(&self) -> bool {
        let variance: f64 = (3..6).map(|i| self.belief.covariance[(i, i)]).sum();
        let square = velocity(&self.belief.mean).norm_squared().max(variance);
        square <= MOST_M_S * MOST_M_S && self.belief.mean.iter().all(|v| v.is_finite())
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

/// Several states one step later, each by its own turn.
#[inline(always)]
pub(super) fn moved(states: &[Lanes; 9], step_s: f64) -> [Lanes; 9] {
    let [px, py, pz, vx, vy, vz, ax, ay, az] = states;
    let turns = Turns::of([vx, vy, vz], [ax, ay, az], step_s);
    let [[f12, f13], [f22, f23], [f32, f33]] = turns.transitions(step_s);
    let by = |p: &Lanes, f: &Lanes, v: &Lanes, g: &Lanes, a: &Lanes| -> Lanes {
        std::array::from_fn(|i| p[i] + f[i] * v[i] + g[i] * a[i])
    };
    let none = &[0.0; LANES];
    [
        by(px, &f12, vx, &f13, ax),
        by(py, &f12, vy, &f13, ay),
        by(pz, &f12, vz, &f13, az),
        by(none, &f22, vx, &f23, ax),
        by(none, &f22, vy, &f23, ay),
        by(none, &f22, vz, &f23, az),
        by(none, &f32, vx, &f33, ax),
        by(none, &f32, vy, &f33, ay),
        by(none, &f32, vz, &f33, az),
    ]
}

/// What a step adds to the covariance.
#[inline(always)]
pub(super) fn noise_of(turn: &Turn, step_s: f64) -> SMatrix<f64, 9, 9> {
    let of_axis = turn.noise(step_s) * JERK_M2_S5;
    let mut noise = SMatrix::zeros();
    for (row, column) in (0..9).flat_map(|i| (0..3).map(move |j| (i, 3 * j + i % 3))) {
        noise[(row, column)] = of_axis[(row / 3, column / 3)];
    }
    noise
}
