//! The physics of a motion as `physics.csv`.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::{Physics, State};
use crate::trial::Trial;

const HEADER: &str = "frame,time_s,com_x,com_y,com_z,momentum_x,momentum_y,momentum_z,\
    angular_momentum_x,angular_momentum_y,angular_momentum_z,kinetic_j,potential_j,mass_placed,\
    inertia_about_spin,com_sd_m,com_sd_by_masses_m\n";
const SEGMENTS: &str = "frame,time_s,segment,mass_kg,com_x,com_y,com_z,momentum_x,momentum_y,momentum_z,\
    angular_momentum_x,angular_momentum_y,angular_momentum_z,kinetic_j,potential_j\n";

impl Physics {
    /// Writes a row a frame: centre of mass (m), momentum (kg m/s), angular momentum about the centre of mass
    /// (kg m²/s), energies (J), the share of the mass that is placed, the moment of inertia about the axis of spin
    /// (kg m²), and how far off the centre of mass may be, in all and by the table of masses (a standard error an axis,
    /// m); empty where it is not known.
    pub fn write_csv(&self, trial: &Trial, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(HEADER.as_bytes())?;
        let mut line = String::new();
        for (frame, (state, placed)) in self.states.iter().zip(&self.placed).enumerate() {
            line.clear();
            let number = trial.first_frame.saturating_add(frame as i64);
            let _ = write!(line, "{number},{}", trial.time_s(frame));
            let spin = state.and_then(|own| own.moving?.inertia_about_spin_kg_m2);
            let [sd_m, by_masses_m] =
                self.centre_of_mass_sd_m(frame).map_or([None; 2], |own| own.map(Some));
            let rest = [Some(*placed), spin, sd_m, by_masses_m];
            push(values(state.as_ref()).into_iter().chain(rest), &mut line);
            out.write_all(line.as_bytes())?;
        }
        Ok(())
    }

    /// Writes a row a frame and body: the same for each by itself, its angular momentum about its own centre of mass.
    pub fn write_segments_csv(&self, trial: &Trial, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(SEGMENTS.as_bytes())?;
        let mut line = String::new();
        for frame in 0..self.states.len() {
            let number = trial.first_frame.saturating_add(frame as i64);
            for (body, name) in self.names.iter().enumerate() {
                line.clear();
                // A name is a word of the marker set or of a plan; a comma would make two columns of it.
                let name = name.replace([',', '\n', '"'], " ");
                let kg = self.bodies[body].mass_kg;
                let _ = write!(line, "{number},{},{name},{kg}", trial.time_s(frame));
                push(values(self.body_state(frame, body).as_ref()), &mut line);
                out.write_all(line.as_bytes())?;
            }
        }
        Ok(())
    }
}

/// The rest of a line, empty where a value is none.
fn push(values: impl IntoIterator<Item = Option<f64>>, line: &mut String) {
    for value in values {
        line.push(',');
        if let Some(value) = value.filter(|value| value.is_finite()) {
            let _ = write!(line, "{value}");
        }
    }
    line.push('\n');
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
