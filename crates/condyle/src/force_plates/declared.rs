//! What a file says of its force plates: FORCE_PLATFORM, checked.

use nalgebra::{Matrix6, Point3, Vector3};

use crate::trial::Trial;
use crate::trial::parameters::{self, Parameter};

/// A plate as the file has it, lengths in metres.
pub(super) struct Declared {
    pub number: usize,
    pub plate_type: u8,
    pub corners_m: [Point3<f64>; 4],
    pub origin_m: Vector3<f64>,
    /// Its channels among the recording's, counted from 0.
    pub channels: Vec<usize>,
    /// Of type 4.
    pub calibration: Option<Matrix6<f64>>,
}

/// Every plate of a recording, or why it cannot be used.
pub(super) fn plates(trial: &Trial) -> Vec<Result<Declared, String>> {
    let numbers = |name: &str| {
        let found = parameters::find(&trial.parameters, "FORCE_PLATFORM", name);
        found.map(Parameter::to_numbers).unwrap_or_default()
    };
    let types = numbers("TYPE");
    let used = numbers("USED").first().map_or(types.len(), |used| used.max(0.0) as usize);
    let facts = Facts {
        unit_m: trial.source.unit.metres(),
        corners: numbers("CORNERS"),
        origins: numbers("ORIGIN"),
        channels: numbers("CHANNEL"),
        channels_of_each: parameters::find(&trial.parameters, "FORCE_PLATFORM", "CHANNEL")
            .and_then(|channel| channel.dimensions.first().copied())
            .map_or(0, usize::from),
        calibrations: numbers("CAL_MATRIX"),
        all_channels: trial.channels.len(),
        types,
    };
    (0..used.min(facts.types.len().max(used.min(64)))).map(|index| facts.plate(index)).collect()
}

/// The parameters of all plates.
struct Facts {
    unit_m: f64,
    types: Vec<f64>,
    corners: Vec<f64>,
    origins: Vec<f64>,
    channels: Vec<f64>,
    channels_of_each: usize,
    calibrations: Vec<f64>,
    all_channels: usize,
}

impl Facts {
    fn plate(&self, index: usize) -> Result<Declared, String> {
        let number = index + 1;
        let wrong = |what: &str| format!("force plate {number} is left out: {what}");
        let plate_type = self.types.get(index).copied().unwrap_or(0.0);
        let channels_needed = match plate_type {
            1.0 | 2.0 | 4.0 => 6,
            3.0 => 8,
            other => return Err(wrong(&format!("type: need 1 to 4, got {other}"))),
        };
        let corners = self
            .corners
            .get(12 * index..12 * index + 12)
            .ok_or_else(|| wrong("need its four corners (FORCE_PLATFORM:CORNERS), got none"))?;
        let corner = |at: usize| {
            Point3::new(corners[3 * at], corners[3 * at + 1], corners[3 * at + 2]) * self.unit_m
        };
        let corners_m = [corner(0), corner(1), corner(2), corner(3)];
        let area_m2 =
            (corners_m[2] - corners_m[0]).cross(&(corners_m[3] - corners_m[1])).norm() / 2.0;
        if !(area_m2 > SMALLEST_M2 && area_m2.is_finite()) {
            return Err(wrong("its four corners are not those of a surface"));
        }
        let origin = self.origins.get(3 * index..3 * index + 3).unwrap_or(&[0.0; 3]);
        let first = self.channels_of_each * index;
        let channels: Vec<usize> = self
            .channels
            .get(first..first + channels_needed.min(self.channels_of_each))
            .unwrap_or_default()
            .iter()
            .filter(|number| **number >= 1.0 && **number <= self.all_channels as f64)
            .map(|number| *number as usize - 1)
            .collect();
        if channels.len() != channels_needed {
            let got = channels.len();
            return Err(wrong(&format!("need {channels_needed} channels, got {got}")));
        }
        let calibration = self.calibrations.get(36 * index..36 * index + 36);
        let calibration = match (plate_type, calibration) {
            (4.0, Some(values)) => Some(Matrix6::from_column_slice(values)),
            (4.0, None) => return Err(wrong("type 4 needs CAL_MATRIX, got none")),
            _ => None,
        };
        Ok(Declared {
            number,
            plate_type: plate_type as u8,
            corners_m,
            origin_m: Vector3::from_column_slice(origin) * self.unit_m,
            channels,
            calibration,
        })
    }
}

/// Nobody stands on less.
const SMALLEST_M2: f64 = 0.01;
