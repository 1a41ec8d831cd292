//! Simulated people with sensors, and the lengths of their limbs.

use std::collections::BTreeSet;

use condyle::simulate::{Options, Performer, Routine, Simulation, simulate};
use condyle::trackers::{self, Fitted, Hierarchy};

/// How a simulated person is recorded.
#[derive(Debug, Clone, Copy)]
pub struct Staged {
    pub routine: Routine,
    pub rate_hz: f64,
    pub noise_m: f64,
    pub noise_deg: f64,
    pub skin_m: f64,
    /// The share of their range that joints move through.
    pub share: f64,
}

impl Staged {
    /// 45 seconds at 30 Hz, nothing in the way.
    pub const CLEAN: Self = Self {
        routine: Routine::Rom,
        rate_hz: 30.0,
        noise_m: 0.0,
        noise_deg: 0.0,
        skin_m: 0.0,
        share: 1.0,
    };

    /// The recording.
    pub fn recorded(&self, seed: u64) -> condyle::Result<Simulation> {
        let mut person = Performer::human();
        for axis in person.segments.iter_mut().flat_map(|segment| &mut segment.joint.axes) {
            let middle = 0.5 * (axis.rom_rad[0] + axis.rom_rad[1]);
            axis.rom_rad = axis.rom_rad.map(|end| middle + self.share * (end - middle));
        }
        let options = Options {
            routine: self.routine,
            seconds: 45.0,
            rate_hz: self.rate_hz,
            sensors: true,
            noise_m: self.noise_m,
            orientation_noise_rad: self.noise_deg.to_radians(),
            skin_m: self.skin_m,
            seed,
            ..Options::default()
        };
        simulate(&person, &options)
    }
}

/// The subject by the true hierarchy, whatever the motion says.
pub fn fitted(simulation: &Simulation) -> condyle::Result<Fitted> {
    let parents = simulation.truth.segments.iter().map(|segment| segment.parent).collect();
    let options = trackers::Options { hierarchy: Hierarchy::Known(parents), ..Default::default() };
    trackers::fit(&simulation.trial.bodies, &options)
}

/// Whether the motion has the bodies hang together as they do.
pub fn is_tree_right(simulation: &Simulation, fitted: &Fitted) -> bool {
    let edges = |parents: &mut dyn Iterator<Item = Option<usize>>| -> BTreeSet<[usize; 2]> {
        let pairs = parents.enumerate().filter_map(|(child, parent)| Some((child, parent?)));
        pairs.map(|(child, parent)| [child.min(parent), child.max(parent)]).collect()
    };
    let truth = edges(&mut simulation.truth.segments.iter().map(|segment| segment.parent));
    truth == edges(&mut fitted.tree.parents.iter().copied())
}

/// A length between two joints of one segment: its name, as fitted, as it is.
pub struct Length {
    pub name: String,
    pub found_m: f64,
    pub true_m: f64,
}

/// The lengths of the limbs: between the joints of every segment that has two.
pub fn limbs(simulation: &Simulation, fitted: &Fitted) -> Vec<Length> {
    let subject = &fitted.subject;
    let mut lengths = Vec::new();
    for joint in subject.joints() {
        let (Some(found_m), Some(near)) =
            (subject.bone_length_m(joint.child), subject.joint_of(joint.parent))
        else {
            continue;
        };
        let truth =
            |name: &str| simulation.truth.joint(name).map(|index| &simulation.truth.joints[index]);
        if let (Some(far), Some(near)) = (truth(&joint.name), truth(&near.name)) {
            let true_m = (far.centre_in_parent_m - near.centre_in_child_m).norm();
            let name = subject.segments()[joint.parent].name.clone();
            lengths.push(Length { name, found_m, true_m });
        }
    }
    lengths
}
