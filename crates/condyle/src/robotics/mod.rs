//! A solved performer as a robot: URDF for pinocchio, ROS and others, MJCF for MuJoCo, and its joint positions.
//!
//! | wanted | function |
//! |---|---|
//! | the subject as URDF | [`urdf`](urdf()) |
//! | the subject as MJCF | [`mjcf`](mjcf()) |
//! | where every joint is in every frame | [`positions`](positions()) |
//!
//! Links are the subject's segments in their own frames; a joint is three turns about z, x and y, the order, signs and
//! zero of [`crate::opensim::coordinates`]; metres, kilograms, radians, the axes of the recording.

mod mjcf;
mod positions;
mod urdf;

pub use mjcf::mjcf;
pub use positions::positions;
pub use urdf::urdf;

fn numbers(values: impl IntoIterator<Item = f64>) -> String {
    let values: Vec<String> = values.into_iter().map(|value| format!("{value:.12}")).collect();
    values.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job;
    use crate::simulate::{self, Performer};

    #[test]
    fn every_joint_has_three_turns_in_both_and_a_column_of_positions_each() {
        let options =
            simulate::Options { seconds: 2.0, rate_hz: 50.0, ..simulate::Options::default() };
        let trial = simulate::simulate(&Performer::human(), &options).unwrap().trial;
        let performance = job::run(trial, &job::Options::default()).unwrap();
        let (trial, performer) = (&performance.trial, &performance.performers[0]);
        let joints = performer.subject.joints().len();
        let urdf = urdf(trial, performer, None).unwrap();
        assert_eq!(urdf.matches("type=\"revolute\"").count(), 3 * joints);
        let mjcf = mjcf(trial, performer, None).unwrap();
        assert_eq!(mjcf.matches("type=\"hinge\"").count(), 3 * joints);
        let table = positions(trial, performer);
        assert_eq!(table.channels.len(), 7 + 3 * joints);
        // Columns come as MuJoCo counts its joints.
        let mut from = 0;
        for channel in &table.channels[7..] {
            let place = mjcf[from..].find(&format!("<joint name=\"{}\"", channel.label));
            from += place.unwrap_or_else(|| panic!("{} out of order", channel.label)) + 1;
        }
    }
}
