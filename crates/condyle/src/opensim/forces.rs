//! Ground reaction forces in OpenSim's table.

use crate::force_plates::ForcePlate;
use crate::trial::edit::Turn;
use crate::trial::{Axis, Channel, Trial};

/// The forces of plates as the channels of a trial on the clock of `trial`, y up: of every plate the force on the
/// performer (`ground_force_1_vx`, newtons), where it acts (`ground_force_1_px`, metres) and the moment about the
/// vertical there (`ground_torque_1_x`, newton metres); all zero while nobody is on it.
///
/// Plates of another rate than the first are left out. Nothing if there is none or up is not known.
pub fn ground_reaction(trial: &Trial, plates: &[ForcePlate]) -> Option<(Trial, Vec<String>)> {
    let first = plates.first()?;
    let turn = Turn::between(trial.source.up?, Axis::Y);
    let mut table = Trial::new(trial.source.format, first.rate_hz);
    table.frames = first.forces_n.len();
    table.start_s = trial.start_s;
    let mut remarks = vec![
        "force on the performer in N, its point in m, free moment in N m; y up; zero without load"
            .to_owned(),
    ];
    for plate in plates.iter().filter(|plate| plate.rate_hz == first.rate_hz) {
        let number = plate.number;
        remarks.push(format!(
            "plate {number}: type {}, loaded above {:.0} N",
            plate.plate_type, plate.threshold_n
        ));
        let samples = plate.forces_n.len();
        let loaded = |sample: usize| plate.centre_of_pressure_m(sample);
        let mut add = |name: String, value: &dyn Fn(usize) -> Option<f64>| {
            let values = (0..samples).map(|sample| value(sample).unwrap_or(0.0)).collect();
            table.channels.push(Channel::from_values(name, "", first.rate_hz, values));
        };
        for (axis, letter) in ["x", "y", "z"].iter().enumerate() {
            add(format!("ground_force_{number}_v{letter}"), &|sample| {
                loaded(sample).map(|_| turn.vector(plate.forces_n[sample])[axis])
            });
        }
        for (axis, letter) in ["x", "y", "z"].iter().enumerate() {
            add(format!("ground_force_{number}_p{letter}"), &|sample| {
                loaded(sample).map(|at_m| turn.vector(at_m.coords)[axis])
            });
        }
        for (axis, letter) in ["x", "y", "z"].iter().enumerate() {
            add(format!("ground_torque_{number}_{letter}"), &|sample| {
                plate.free_moment_nm(sample).map(|moment_nm| turn.vector(moment_nm)[axis])
            });
        }
    }
    Some((table, remarks))
}
