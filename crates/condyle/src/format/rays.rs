//! Rays of cameras as CSV: `frame,camera,marker,ox,oy,oz,dx,dy,dz`.
//!
//! One line a ray: the frame's own number, the camera's name, the marker's label, where the camera is in metres, and the
//! direction in which it sees the marker, of any length. Lines may come in any order.

use std::collections::HashMap;
use std::io::Write;

use nalgebra::{Point3, Vector3};

use super::text;
use crate::error::{Error, Result, check_finite};
use crate::trial::{CameraRay, Trial};

/// The columns.
pub const HEADER: &str = "frame,camera,marker,ox,oy,oz,dx,dy,dz";
/// A direction shorter than this is none.
const NO_LENGTH: f64 = 1e-12;

/// Reads the rays of a recording.
///
/// # Errors
/// With the line: another header, too few cells, what is not a number, a marker or a frame that the recording does not
/// have, or a direction of no length: a camera does not see itself.
pub fn read(bytes: &[u8], trial: &Trial) -> Result<Vec<CameraRay>> {
    let text = text::decode(bytes);
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let header = lines.next().map_or("", |(_, line)| line.trim());
    if header.replace(' ', "") != HEADER {
        return Err(Error::at_line(
            1,
            format!("need the header {HEADER}, got '{}'", text::cut(header)),
        ));
    }
    let places: HashMap<&str, usize> = trial
        .markers
        .iter()
        .enumerate()
        .map(|(place, marker)| (marker.label.as_str(), place))
        .collect();
    lines
        .map(|(index, line)| {
            ray(line, trial, &places).map_err(|what| Error::at_line(index + 1, what))
        })
        .collect()
}

fn ray(
    line: &str,
    trial: &Trial,
    places: &HashMap<&str, usize>,
) -> std::result::Result<CameraRay, String> {
    let cells: Vec<&str> = line.split(',').map(str::trim).collect();
    let &[frame, camera, marker, ref numbers @ ..] = cells.as_slice() else {
        return Err(format!("need 9 cells, got {}", cells.len()));
    };
    if numbers.len() != 6 {
        return Err(format!("need 9 cells, got {}", cells.len()));
    }
    let number: i64 = frame
        .parse()
        .map_err(|_| format!("frame: need a whole number, got '{}'", text::cut(frame)))?;
    let index = usize::try_from(number.saturating_sub(trial.first_frame)).ok();
    let Some(frame) = index.filter(|frame| *frame < trial.frames) else {
        let (first, last) = (trial.first_frame, trial.frame_number(trial.frames.saturating_sub(1)));
        return Err(format!("frame: need one from {first} to {last}, got {number}"));
    };
    let Some(&marker) = places.get(marker) else {
        return Err(format!("marker: the recording has none called '{}'", text::cut(marker)));
    };
    let mut values = [0.0; 6];
    for (value, cell) in values.iter_mut().zip(numbers) {
        *value = text::number(cell)
            .ok_or_else(|| format!("need a finite number, got '{}'", text::cut(cell)))?;
    }
    let [ox, oy, oz, dx, dy, dz] = values;
    let direction = Vector3::new(dx, dy, dz);
    if direction.norm() < NO_LENGTH {
        return Err(
            "direction: need one of some length, got 0: a camera does not see itself".into()
        );
    }
    Ok(CameraRay {
        frame,
        camera: camera.to_owned(),
        marker,
        origin_m: Point3::new(ox, oy, oz),
        direction,
    })
}

/// Writes rays of a recording.
///
/// # Errors
/// What is written to fails.
pub fn write(rays: &[CameraRay], trial: &Trial, out: &mut impl Write) -> Result<()> {
    check_finite(
        "rays",
        rays.iter().flat_map(|ray| [ray.origin_m.coords, ray.direction]).flat_map(<[f64; 3]>::from),
    )?;
    writeln!(out, "{HEADER}")?;
    for ray in rays {
        let (o, d) = (&ray.origin_m, &ray.direction);
        let label = trial.markers.get(ray.marker).map_or("", |marker| marker.label.as_str());
        let frame = trial.frame_number(ray.frame);
        writeln!(
            out,
            "{frame},{},{label},{},{},{},{},{},{}",
            ray.camera, o.x, o.y, o.z, d.x, d.y, d.z
        )?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trial::{Format, Marker};

    fn trial() -> Trial {
        let mut trial = Trial::new(Format::Csv, 100.0);
        trial.frames = 3;
        trial.first_frame = 10;
        trial.markers = ["A", "B"].map(|label| Marker::all_missing(label, 3)).into();
        trial
    }

    #[test]
    fn what_is_written_is_read_back() {
        let ray = CameraRay {
            frame: 2,
            camera: "north".into(),
            marker: 1,
            origin_m: Point3::new(1.0, -2.5, 3.25),
            direction: Vector3::new(0.1, 0.2, -0.3),
        };
        let mut bytes = Vec::new();
        write(std::slice::from_ref(&ray), &trial(), &mut bytes).unwrap();
        assert_eq!(read(&bytes, &trial()).unwrap(), [ray]);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        for (line, said) in [
            (
                "10,c,A,0,0,0,0,0,0",
                "line 2: direction: need one of some length, got 0: a camera does not see itself",
            ),
            ("10,c,C,0,0,0,1,0,0", "line 2: marker: the recording has none called 'C'"),
            ("13,c,A,0,0,0,1,0,0", "line 2: frame: need one from 10 to 12, got 13"),
            ("x,c,A,0,0,0,1,0,0", "line 2: frame: need a whole number, got 'x'"),
            ("10,c,A,0,0,nan,1,0,0", "line 2: need a finite number, got 'nan'"),
            ("10,c,A,0,0", "line 2: need 9 cells, got 5"),
        ] {
            let error = read(format!("{HEADER}\n{line}\n").as_bytes(), &trial()).unwrap_err();
            assert_eq!(error.to_string(), said);
        }
        let error = read(b"a,b\n", &trial()).unwrap_err();
        assert!(error.to_string().contains("need the header frame,camera,marker"), "{error}");
    }
}
