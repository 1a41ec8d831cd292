//! The physics of a motion as `physics.csv`.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::{Physics, State};
use crate::trial::Trial;

const HEADER: &str = "frame,time_s,com_x,com_y,com_z,momentum_x,momentum_y,momentum_z,\
    angular_momentum_x,angular_momentum_y,angular_momentum_z,kinetic_j,potential_j,mass_placed\n";

impl Physics {
    /// Writes a row a frame: centre of mass (m), momentum (kg m/s), angular momentum about the centre of mass
    /// (kg m²/s), energies (J) and the share of the mass that is placed; empty where it is not known.
    pub fn write_csv(&self, trial: &Trial, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(HEADER.as_bytes())?;
        let mut line = String::new();
        for (frame, (state, placed)) in self.states.iter().zip(&self.placed).enumerate() {
            line.clear();
            let number = trial.first_frame.saturating_add(frame as i64);
            let _ = write!(line, "{number},{}", trial.time_s(frame));
            for value in values(state.as_ref()).into_iter().chain([Some(*placed)]) {
                line.push(',');
                if let Some(value) = value.filter(|value| value.is_finite()) {
                    let _ = write!(line, "{value}");
                }
            }
            line.push('\n');
            out.write_all(line.as_bytes())?;
        }
        Ok(())
    }
}

fn values(state: Option<&State>) -> [Option<f64>; 11] {
    let moving = state.and_then(|state| state.moving);
    let mut values = [None; 11];
    for axis in 0..3 {
        values[axis] = state.map(|state| state.centre_of_mass_m[axis]);
        values[3 + axis] = moving.map(|moving| moving.momentum_kg_m_s[axis]);
        values[6 + axis] = moving.map(|moving| moving.angular_momentum_kg_m2_s[axis]);
    }
    values[9] = moving.map(|moving| moving.kinetic_j);
    values[10] = state.and_then(|state| state.potential_j);
    values
}
