//! NumPy arrays of frames × points × 3: keypoints as FreeMoCap and programs of one's own keep them.
//!
//! Such an array says neither what its points are nor how fast they were recorded: both are to be said
//! ([`ReadOptions::point_set`], [`ReadOptions::rate_hz`]). Lengths are metres unless a unit is said; NaN is missing.

use nalgebra::Point3;

use crate::error::{Error, Result};
use crate::format::ReadOptions;
use crate::trial::{Format, LengthUnit, Marker, Trial};

/// What files begin with.
pub(super) const MAGIC: &[u8] = b"\x93NUMPY";

/// Points in the order in which programs keep them; `?` stands for left, then right.
const SETS: [(&str, &str); 5] = [
    ("coco17", "Nose ?Eye ?Ear ?Shoulder ?Elbow ?Wrist ?Hip ?Knee ?Ankle"),
    (
        "halpe26",
        "Nose ?Eye ?Ear ?Shoulder ?Elbow ?Wrist ?Hip ?Knee ?Ankle Head Neck Hip ?BigToe ?SmallToe ?Heel",
    ),
    (
        "body25",
        "Nose Neck RShoulder RElbow RWrist LShoulder LElbow LWrist MidHip RHip RKnee RAnkle LHip LKnee LAnkle \
         REye LEye REar LEar LBigToe LSmallToe LHeel RBigToe RSmallToe RHeel",
    ),
    (
        "mediapipe",
        "Nose LEyeInner LEye LEyeOuter REyeInner REye REyeOuter ?Ear ?Mouth ?Shoulder ?Elbow ?Wrist ?Pinky ?Index \
         ?Thumb ?Hip ?Knee ?Ankle ?Heel ?FootIndex",
    ),
    (
        "opencap20",
        "Neck RShoulder RElbow RWrist LShoulder LElbow LWrist midHip RHip RKnee RAnkle LHip LKnee LAnkle LBigToe \
         LSmallToe LHeel RBigToe RSmallToe RHeel",
    ),
];

/// The labels of a set, in their order.
fn labels(set: &str) -> Result<Vec<String>> {
    let plain = |name: &str| -> String {
        name.chars().filter(|c| c.is_ascii_alphanumeric()).collect::<String>().to_ascii_lowercase()
    };
    let found = SETS.iter().find(|(name, _)| *name == plain(set)).ok_or_else(|| {
        let names = SETS.map(|(name, _)| name).join(", ");
        Error::argument(format!("set of points: need one of {names}, got '{set}'"))
    })?;
    let both = |word: &str| match word.strip_prefix('?') {
        Some(name) => vec![format!("L{name}"), format!("R{name}")],
        None => vec![word.to_owned()],
    };
    Ok(found.1.split_whitespace().flat_map(both).collect())
}

/// Reads an array.
///
/// # Errors
/// It is no array of numbers of frames × points × 3, the set or the rate is not said, or the set has another number of
/// points.
pub fn read(bytes: &[u8], options: &ReadOptions) -> Result<Trial> {
    let (header, data) = split(bytes)?;
    let [frames, points, 3] = shape(header)?[..] else {
        let what = format!(
            "array: need frames × points × 3, got {}",
            field(header, "shape").unwrap_or("")
        );
        return Err(Error::malformed(what));
    };
    if field(header, "fortran_order").is_some_and(|order| order.starts_with("True")) {
        return Err(Error::malformed("array: need rows first (C order), got columns first"));
    }
    let descr = field(header, "descr").unwrap_or("").trim_matches(['\'', '"']);
    let number: fn(&[u8]) -> f64 = match descr {
        "<f8" => |b| b.try_into().map_or(f64::NAN, f64::from_le_bytes),
        "<f4" => |b| b.try_into().map_or(f64::NAN, |b| f64::from(f32::from_le_bytes(b))),
        other => {
            let what = format!("array: need floating-point numbers (<f4 or <f8), got '{other}'");
            return Err(Error::malformed(what));
        }
    };
    let width = if descr == "<f8" { 8 } else { 4 };
    let wanted = frames.checked_mul(points).and_then(|n| n.checked_mul(3 * width));
    if wanted.is_none_or(|wanted| data.len() < wanted) {
        let what = format!("array: need {frames} × {points} × 3 numbers, got {} bytes", data.len());
        return Err(Error::malformed(what));
    }
    let Some(set) = &options.point_set else {
        let what =
            format!("array of {points} points: need what they are, mediapipe say, got no set");
        return Err(Error::argument(what).with_code("set-missing"));
    };
    let Some(rate_hz) = options.rate_hz else {
        let what = "array: need frames a second, got none";
        return Err(Error::argument(what).with_code("rate-missing"));
    };
    let labels = labels(set)?;
    if labels.len() > points {
        let what = format!("set '{set}': need {} points, got {points}", labels.len());
        return Err(Error::argument(what));
    }
    let unit = options.unit.unwrap_or(LengthUnit::Metre);
    let mut trial = Trial::new(Format::Npy, rate_hz);
    trial.frames = frames;
    trial.source.unit = unit;
    trial.source.up = options.up;
    if labels.len() < points {
        let text = format!("{} points after those of the set are left out", points - labels.len());
        trial.note("points-left-out", text);
    }
    for (point, label) in labels.iter().enumerate() {
        let at = |frame: usize| {
            let first = (frame * points + point) * 3 * width;
            let value = |axis: usize| {
                number(&data[first + axis * width..first + (axis + 1) * width]) * unit.metres()
            };
            Some(Point3::new(value(0), value(1), value(2)))
        };
        trial.markers.push(Marker::from_positions(label.clone(), (0..frames).map(at)));
    }
    Ok(trial)
}

/// The header and the numbers.
fn split(bytes: &[u8]) -> Result<(&str, &[u8])> {
    let broken = || Error::malformed("array: need a NumPy header, got one that breaks off");
    let major = *bytes.get(MAGIC.len()).ok_or_else(broken)?;
    let rest = bytes.get(MAGIC.len() + 2..).ok_or_else(broken)?;
    let (size, length) = match (major, rest) {
        (1, [a, b, ..]) => (2, usize::from(u16::from_le_bytes([*a, *b]))),
        (_, [a, b, c, d, ..]) => (4, u32::from_le_bytes([*a, *b, *c, *d]) as usize),
        _ => return Err(broken()),
    };
    let header = rest.get(size..size + length).ok_or_else(broken)?;
    let data = rest.get(size + length..).ok_or_else(broken)?;
    Ok((std::str::from_utf8(header).map_err(|_| broken())?, data))
}

/// What stands behind a key of the header, up to what ends it.
fn field<'a>(header: &'a str, key: &str) -> Option<&'a str> {
    let behind = header.split_once(&format!("'{key}':"))?.1.trim_start();
    let end = match behind.starts_with('(') {
        true => behind.find(')')? + 1,
        false => behind.find([',', '}'])?,
    };
    behind.get(..end)
}

fn shape(header: &str) -> Result<Vec<usize>> {
    let text = field(header, "shape").unwrap_or("");
    let numbers = text.trim_matches(['(', ')']).split(',').map(str::trim).filter(|n| !n.is_empty());
    numbers
        .map(|n| {
            n.parse().map_err(|_| Error::malformed(format!("array: need a shape, got '{text}'")))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn array(points: usize) -> Vec<u8> {
        let header =
            format!("{{'descr': '<f4', 'fortran_order': False, 'shape': (2, {points}, 3), }}\n");
        let mut bytes = MAGIC.to_vec();
        bytes.extend([1, 0]);
        bytes.extend((header.len() as u16).to_le_bytes());
        bytes.extend(header.bytes());
        for number in 0..2 * points * 3 {
            let value = if number == 3 { f32::NAN } else { number as f32 };
            bytes.extend(value.to_le_bytes());
        }
        bytes
    }

    #[test]
    fn an_array_has_the_points_of_its_set_in_their_order() {
        let mut options = ReadOptions { rate_hz: Some(30.0), ..ReadOptions::default() };
        let said = read(&array(17), &options).unwrap_err().to_string();
        assert!(said.contains("no set"), "{said}");
        options.point_set = Some("COCO-17".into());
        let trial = read(&array(17), &options).unwrap();
        assert_eq!((trial.frames, trial.markers.len()), (2, 17));
        assert_eq!(trial.markers[6].label, "RShoulder");
        assert_eq!(trial.markers[6].position_m(1), Some(Point3::new(69.0, 70.0, 71.0)));
        assert_eq!(trial.markers[1].position_m(0), None, "NaN is missing");
        options.unit = Some(LengthUnit::Millimetre);
        let small = read(&array(17), &options).unwrap().markers[6].position_m(1);
        assert!((small.unwrap() - Point3::new(0.069, 0.07, 0.071)).norm() < 1e-9);
        assert!(read(&array(9), &options).is_err(), "too few points");
    }

    #[test]
    fn broken_arrays_say_so() {
        let options = ReadOptions { rate_hz: Some(30.0), ..ReadOptions::default() };
        for length in 0..array(17).len() {
            assert!(read(&array(17)[..length], &options).is_err());
        }
    }

    #[test]
    fn sets_have_as_many_points_as_their_makers_say() {
        for (set, points) in [
            ("coco17", 17),
            ("HALPE_26", 26),
            ("BODY_25", 25),
            ("mediapipe", 33),
            ("opencap20", 20),
        ] {
            assert_eq!(labels(set).unwrap().len(), points, "{set}");
        }
    }
}
