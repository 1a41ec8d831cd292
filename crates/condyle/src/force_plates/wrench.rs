//! From a plate's channels to force and moment about the middle of its surface, in the recording's axes.

use nalgebra::{Matrix3, Vector3, Vector6};

use super::declared::Declared;
use crate::trial::{Channel, Trial};

/// What a plate measured, baseline included.
pub(super) struct Measured {
    pub rate_hz: f64,
    pub forces_n: Vec<Vector3<f64>>,
    pub moments_nm: Vec<Vector3<f64>>,
    /// Across the surface, upwards.
    pub up: Vector3<f64>,
}

pub(super) fn measured(
    trial: &Trial,
    plate: &Declared,
    up: Vector3<f64>,
) -> Result<Measured, String> {
    let wrong = |what: &str| format!("force plate {} is left out: {what}", plate.number);
    let world_from_plate = axes(plate).ok_or_else(|| wrong("its corners are on one line"))?;
    let channels: Vec<&Channel> =
        plate.channels.iter().map(|channel| &trial.channels[*channel]).collect();
    let rate_hz = channels[0].rate_hz;
    let samples = channels.iter().map(|channel| channel.raw.len()).min().unwrap_or(0);
    let is_even = channels.iter().all(|channel| channel.rate_hz == rate_hz);
    if samples == 0 || !is_even || !(rate_hz > 0.0 && rate_hz.is_finite()) {
        return Err(wrong("its channels have no common rate"));
    }
    let normal: Vector3<f64> = world_from_plate.column(2).into();
    let z_up = if normal.dot(&up) < 0.0 { -1.0 } else { 1.0 };
    // From the transducer up to the surface, whichever sign the file has.
    let to_surface_m = match plate.plate_type {
        3 => Vector3::new(0.0, 0.0, plate.origin_m.z.abs() * z_up),
        _ if plate.origin_m.z * z_up < 0.0 => -plate.origin_m,
        _ => plate.origin_m,
    };
    let moment_unit = moment_unit_nm(channels[5.min(channels.len() - 1)], trial);
    let length_unit = trial.source.unit.metres();
    let values = |sample: usize| -> Vec<f64> {
        let value = |channel: &&Channel| channel.value(sample).filter(|v| v.is_finite());
        channels.iter().map(|channel| value(channel).unwrap_or(0.0)).collect()
    };
    let wrench = |sample: usize| {
        let v = values(sample);
        let (force_n, moment_nm) = match plate.plate_type {
            1 => {
                let force_n = Vector3::new(v[0], v[1], v[2]);
                let at_m = Vector3::new(v[3], v[4], 0.0) * length_unit;
                let free_nm = Vector3::new(0.0, 0.0, v[5] * moment_unit);
                return (force_n, at_m.cross(&force_n) + free_nm);
            }
            3 => sensors(&v, plate.origin_m),
            _ => {
                let six = Vector6::from_column_slice(&v);
                let six = plate.calibration.map_or(six, |matrix| matrix * six);
                (six.fixed_rows::<3>(0).into(), six.fixed_rows::<3>(3) * moment_unit)
            }
        };
        // M about the surface = M about the transducer - r × F.
        (force_n, moment_nm - to_surface_m.cross(&force_n))
    };
    let (mut forces_n, mut moments_nm) = (Vec::new(), Vec::new());
    for sample in 0..samples {
        let (force_n, moment_nm) = wrench(sample);
        forces_n.push(world_from_plate * force_n);
        moments_nm.push(world_from_plate * moment_nm);
    }
    Ok(Measured { rate_hz, forces_n, moments_nm, up: normal * z_up })
}

/// Force and moment from the eight sums of four sensors: `fx12 fx34 fy14 fy23 fz1 fz2 fz3 fz4`, at `(±a, ±b)`.
fn sensors(v: &[f64], origin_m: Vector3<f64>) -> (Vector3<f64>, Vector3<f64>) {
    let (a, b) = (origin_m.x.abs(), origin_m.y.abs());
    let force_n = Vector3::new(v[0] + v[1], v[2] + v[3], v[4] + v[5] + v[6] + v[7]);
    let moment_nm = Vector3::new(
        b * (v[4] + v[5] - v[6] - v[7]),
        a * (-v[4] + v[5] + v[6] - v[7]),
        b * (-v[0] + v[1]) + a * (v[2] - v[3]),
    );
    (force_n, moment_nm)
}

/// The plate's axes in the recording's, from its corners.
fn axes(plate: &Declared) -> Option<Matrix3<f64>> {
    let [c1, c2, c3, c4] = plate.corners_m.map(|corner| corner.coords);
    let x = ((c1 + c4) - (c2 + c3)).try_normalize(1e-9)?;
    let y = (c1 + c2) - (c3 + c4);
    let z = x.cross(&y).try_normalize(1e-9)?;
    Some(Matrix3::from_columns(&[x, z.cross(&x), z]))
}

/// Newton metres in the unit of a channel of moments: `Nmm`, `ntmm`, `Nm`; in the file's unit of length if it does not
/// say.
fn moment_unit_nm(channel: &Channel, trial: &Trial) -> f64 {
    let unit = channel.unit.to_ascii_lowercase();
    if unit.contains("mm") {
        1e-3
    } else if unit.ends_with("nm") || unit.ends_with("n.m") || unit.ends_with("n*m") {
        1.0
    } else {
        trial.source.unit.metres()
    }
}
