//! Tables of numbered sensors, as logs of Polhemus systems have them.
//!
//! ```text
//! Time,w1,x1,y1,z1,w2,x2,y2,z2,loc1_x,loc1_y,loc1_z,loc2_x,loc2_y,loc2_z
//! ```

/// The same columns under the names of the plain layout: `sensor 1_qw`, `sensor 1_x`; `None` if it is
/// another table.
pub(super) fn plain_names(cells: &[String]) -> Option<Vec<String>> {
    let names: Vec<Option<String>> = cells.iter().map(|cell| plain_name(cell)).collect();
    let count = |end: &str| names.iter().flatten().filter(|name| name.ends_with(end)).count();
    let is_whole = count("_qw") > 0 && count("_qw") == count("_x") && count("_qw") == count("_qz");
    let either = |(name, cell): (Option<String>, &String)| name.unwrap_or_else(|| cell.clone());
    is_whole.then(|| names.into_iter().zip(cells).map(either).collect())
}

fn plain_name(cell: &str) -> Option<String> {
    if let Some(rest) = cell.strip_prefix("loc") {
        let (number, axis) = rest.split_once('_')?;
        return is_number(number).then(|| format!("sensor {number}_{axis}"));
    }
    let (axis, number) = cell.split_at_checked(1)?;
    ("wxyz".contains(axis) && is_number(number)).then(|| format!("sensor {number}_q{axis}"))
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_numbered_sensors_and_nothing_else() {
        let cells = |line: &str| line.split(',').map(str::to_owned).collect::<Vec<_>>();
        let names = plain_names(&cells("Time,w1,x1,y1,z1,loc1_x,loc1_y,loc1_z")).unwrap();
        assert_eq!(names[0], "Time");
        assert_eq!(names[1], "sensor 1_qw");
        assert_eq!(names[7], "sensor 1_z");
        assert_eq!(plain_names(&cells("x1,y1,z1")), None);
        assert_eq!(plain_names(&cells("Time,w1,x1,y1,z1")), None);
    }
}
