//! A body as a performer of the simulator: the library's person with other measures, markers and clavicles.

use condyle::simulate::{Joint, JointAxis, Performer, Segment};
use nalgebra::{Point3, Rotation3, Unit, Vector3};

use super::body::Body;
use super::chance::Chance;
use super::{habit, sites};

/// How many markers the segments of limbs have in the sets that vary it.
pub(super) const LIMBS: [usize; 4] = [2, 3, 4, 5];
/// Ankles may go so much farther than the library's: not every build fits one gait.
const ANKLE_PLAY_RAD: f64 = 0.2;
/// How far the axes of knees and elbows are from straight across, one sd.
const AXIS_TILT_RAD: f64 = 0.05;

/// The markers that are worn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Worn {
    /// CMU's 41.
    Cmu41,
    /// Plug-in Gait's 39.
    PlugInGait,
    /// Plug-in Gait's trunk, and so many on every segment of the limbs, 2 to 5.
    Limbs(usize),
}

impl Worn {
    /// The name of the set in a performer.
    pub fn set(self) -> &'static str {
        match self {
            Self::Cmu41 => "cmu41",
            Self::PlugInGait => "plug-in-gait",
            Self::Limbs(2) => "limbs-2",
            Self::Limbs(3) => "limbs-3",
            Self::Limbs(4) => "limbs-4",
            Self::Limbs(_) => "limbs-5",
        }
    }
}

/// Makes a performer of a body.
pub(super) fn build(body: &Body, chance: &mut Chance) -> Performer {
    let mut performer = Performer::human().scaled(body.k);
    let chest = performer.segments.iter().position(|segment| segment.name == "chest").unwrap_or(0);
    for (place, side) in ["left", "right"].into_iter().enumerate() {
        insert(&mut performer, chest + 1 + place, clavicle(side, chest, place, body));
    }
    let clavicles = [chest + 1, chest + 2];
    for segment in &mut performer.segments {
        let index = usize::from(segment.name.starts_with("right"));
        let part = segment.name.split_once(' ').map_or(segment.name.as_str(), |(_, part)| part);
        let down = |length_m: f64| Point3::new(0.0, 0.0, -length_m);
        segment.joint_in_parent_m = match (segment.name.as_str(), part) {
            ("chest", _) => body.waist_m,
            ("head", _) => Point3::new(0.0, 0.0, body.trunk_m),
            (_, "arm" | "upper arm") => {
                segment.parent = Some(clavicles[index]);
                Point3::from(body.shoulders_m[index] - body.sternoclaviculars_m[index])
            }
            (_, "forearm") => down(body.upper_arms_m[index]),
            (_, "hand") => down(body.forearms_m[index]),
            (_, "thigh") => body.hips_m[index],
            (_, "shank") => down(body.thighs_m[index]),
            (_, "foot") => down(body.shanks_m[index]),
            _ => segment.joint_in_parent_m,
        };
        if matches!(part, "shank" | "forearm")
            && let Some(axis) = segment.joint.axes.first_mut()
        {
            let tilt = Rotation3::from_euler_angles(
                chance.normal(AXIS_TILT_RAD),
                0.0,
                chance.normal(AXIS_TILT_RAD),
            );
            axis.direction = tilt * axis.direction;
        }
        segment.sites = sites::of(&segment.name, body, chance);
    }
    for segment in performer.segments.iter_mut().filter(|segment| segment.name.ends_with("foot")) {
        for axis in &mut segment.joint.axes {
            axis.range_rad =
                [axis.range_rad[0] - ANKLE_PLAY_RAD, axis.range_rad[1] + ANKLE_PLAY_RAD];
        }
    }
    performer.marker_set = Worn::Cmu41.set().to_owned();
    habit::give(&mut performer, clavicles, chance);
    performer
}

/// A clavicle: it rises and goes forward a little.
fn clavicle(side: &str, chest: usize, index: usize, body: &Body) -> Segment {
    let s = [1.0, -1.0][index];
    let axis = |x: f64, z: f64, low_deg: f64, high_deg: f64| JointAxis {
        direction: Unit::new_normalize(Vector3::new(x, 0.0, z)),
        range_rad: [-30f64.to_radians(), 45f64.to_radians()],
        rom_rad: [low_deg.to_radians(), high_deg.to_radians()],
        rest_rad: 0.0,
    };
    Segment {
        name: format!("{side} clavicle"),
        parent: Some(chest),
        joint_in_parent_m: body.sternoclaviculars_m[index],
        joint: Joint {
            name: format!("{side} sternoclavicular"),
            axes: vec![axis(s, 0.0, -3.0, 16.0), axis(0.0, -s, -10.0, 12.0)],
        },
        sites: Vec::new(),
        skin: 0.5,
    }
}

/// Inserts a segment; what was from there on moves up by one.
fn insert(performer: &mut Performer, at: usize, segment: Segment) {
    let moved = |index: &mut usize| {
        if *index >= at {
            *index += 1;
        }
    };
    performer.segments.iter_mut().filter_map(|segment| segment.parent.as_mut()).for_each(moved);
    performer.legs.iter_mut().flat_map(|leg| &mut leg.segments).for_each(moved);
    for gait in performer.walk.iter_mut().chain(&mut performer.chicken_walk) {
        gait.swings.iter_mut().for_each(|swing| moved(&mut swing.segment));
        gait.driven.iter_mut().for_each(moved);
    }
    performer.exercises.iter_mut().flat_map(|exercise| &mut exercise.driven).for_each(moved);
    performer.segments.insert(at, segment);
}
