//! A solved performer looked at as a whole, whatever was known beforehand: could it be a person?

use nalgebra::{Point3, Vector3};

use crate::marker_set::{Side, body_part, fits};
use crate::plan::PlanOrigin;
use crate::solve::{self, SolvedMotion};
use crate::subject::{Joint, Segment, Subject};
use crate::trial::{Note, Origin, Trial};
use crate::whole_body::Check;

/// The width of the hips as a share of the thigh: three standard deviations about the mean of people.
const HIP_WIDTH: [f64; 2] = [0.28, 0.53];
/// Left against right, as a share of the length.
const LEFT_RIGHT: [f64; 2] = [-0.05, 0.05];
/// The share of frames in which a knee is bent the wrong way by more than 15 degrees.
const BACKWARDS: [f64; 2] = [0.0, 0.05];
const MAX_HYPEREXTENSION_RAD: f64 = 0.262;
/// The distance of a joint from the marker beside it, as a share of the bone above it.
const BESIDE: [f64; 2] = [0.0, 0.25];
/// Frames that are looked at, at most.
const MAX_FRAMES: usize = 500;

/// Bones that have a twin, by the part below their lower joint.
const BONES: [(&str, &str); 4] =
    [("shank", "thigh"), ("foot", "shank"), ("forearm", "upper arm"), ("hand", "forearm")];
/// The markers beside joints, by the part below the joint.
const BESIDE_LABELS: [(&str, &str); 3] = [
    ("shank", "?KNE ?KNEE ?FLE ?LFC ?KNM ?KNEM ?FME ?MFC"),
    ("foot", "?ANK ?ANKLE ?FAL ?LMAL ?MED ?ANKM ?TAM ?MMAL"),
    ("forearm", "?ELB ?ELBOW ?HLE ?LEL ?ELBM ?HME ?MEL"),
];

/// What can be said of a person without asking what was known; nothing of anybody else.
pub(super) fn checks(subject: &Subject, motion: &SolvedMotion, trial: &Trial) -> Vec<Check> {
    let plan = subject.provenance.plan.as_str();
    if [PlanOrigin::Motion, PlanOrigin::Bodies].iter().any(|origin| origin.name() == plan) {
        return Vec::new();
    }
    let person = Person { subject, motion, trial };
    let sides = [Side::Left, Side::Right];
    let mut checks = Vec::new();
    let thighs_m = sides.map(|side| person.bone_m("shank", side));
    if let ([Some(left), Some(right)], [Some(one_m), Some(other_m)]) =
        (sides.map(|side| person.joint("thigh", side)), thighs_m)
        && subject.joints[left].parent == subject.joints[right].parent
    {
        let [left, right] = [left, right].map(|hip| subject.joints[hip].centre_in_parent_m);
        let share = (left - right).norm() / (0.5 * (one_m + other_m)).max(1e-6);
        checks.push(check("width of the hips over thigh", share, HIP_WIDTH));
    }
    for (part, bone) in BONES {
        if let [Some(left_m), Some(right_m)] = sides.map(|side| person.bone_m(part, side)) {
            let share = (left_m - right_m) / (0.5 * (left_m + right_m)).max(1e-6);
            checks.push(check(&format!("{bone}, left against right"), share, LEFT_RIGHT));
        }
    }
    for side in sides {
        if let Some((name, share)) = person.backwards(side) {
            checks.push(check(&format!("{name} bent backwards"), share, BACKWARDS));
        }
    }
    for (part, labels) in BESIDE_LABELS {
        for side in sides {
            if let Some((name, share)) = person.beside(part, side, labels) {
                let what = format!("{name} from its marker, over the bone above");
                checks.push(check(&what, share, BESIDE));
            }
        }
    }
    checks
}

fn check(name: &str, value: f64, expected: [f64; 2]) -> Check {
    Check { name: name.to_owned(), value, expected }
}

struct Person<'a> {
    subject: &'a Subject,
    motion: &'a SolvedMotion,
    trial: &'a Trial,
}

impl Person<'_> {
    /// The joint above a part of the body.
    fn joint(&self, part: &str, side: Side) -> Option<usize> {
        let segments = &self.subject.segments;
        let is_it = |child: usize| {
            body_part(&segments[child].name).is_some_and(|found| found == (part, side))
        };
        self.subject.joints.iter().position(|joint| is_it(joint.child))
    }

    /// The length of the bone that ends at the joint above a part.
    fn bone_m(&self, part: &str, side: Side) -> Option<f64> {
        self.subject.bone_length_m(self.subject.joints[self.joint(part, side)?].child)
    }

    /// The share of frames in which a knee is bent backwards.
    fn backwards(&self, side: Side) -> Option<(&str, f64)> {
        let [hip, knee, ankle] = ["thigh", "shank", "foot"].map(|part| self.joint(part, side));
        let (hip, knee, ankle) = (hip?, knee?, ankle?);
        let frames =
            (0..self.motion.frames()).step_by(self.motion.frames().div_ceil(MAX_FRAMES).max(1));
        let (mut seen, mut backwards) = (0.0, 0.0);
        for frame in frames {
            let at = |joint: usize| self.motion.joint_m(frame, joint);
            let (Some(hip), Some(knee), Some(ankle), Some(forward)) =
                (at(hip), at(knee), at(ankle), self.forward(frame))
            else {
                continue;
            };
            seen += 1.0;
            let [above, below]: [Vector3<f64>; 2] = [knee - hip, ankle - knee];
            let is_bent = above.angle(&below) > MAX_HYPEREXTENSION_RAD;
            let off = knee - nalgebra::center(&hip, &ankle);
            let along = (ankle - hip).normalize();
            let off = off - along * along.dot(&off);
            // A knee that is turned out still points forward more than back.
            backwards += f64::from(u8::from(is_bent && off.angle(&forward).cos() < -0.5));
        }
        (seen > 0.0).then(|| (self.subject.joints[knee].name.as_str(), backwards / seen))
    }

    /// Where the pelvis faces.
    fn forward(&self, frame: usize) -> Option<Vector3<f64>> {
        let at = |joint: usize| self.motion.joint_m(frame, joint);
        let left = at(self.joint("thigh", Side::Left)?)?;
        let right = at(self.joint("thigh", Side::Right)?)?;
        let up = match self.joint("chest", Side::Unsaid).and_then(at) {
            Some(waist) => waist - nalgebra::center(&left, &right),
            None => self.trial.source.up?.direction(),
        };
        (left - right).cross(&up).try_normalize(1e-6)
    }

    /// How far a joint is from the nearest marker beside it, as a share of the bone above.
    fn beside(&self, part: &str, side: Side, labels: &str) -> Option<(&str, f64)> {
        let joint = &self.subject.joints[self.joint(part, side)?];
        let bone_m = self.bone_m(part, side)?;
        let named = |label: &str| labels.split(' ').any(|pattern| fits(pattern, label).is_some());
        let from = |segment: usize, centre: Point3<f64>| {
            let markers = self.subject.segments[segment].markers.iter();
            let beside = markers.filter(|marker| named(&marker.label));
            beside
                .map(|marker| (marker.position_in_segment_m - centre).norm())
                .min_by(f64::total_cmp)
        };
        let above = from(joint.parent, joint.centre_in_parent_m);
        let below = from(joint.child, joint.centre_in_child_m);
        let nearest_m = [above, below].into_iter().flatten().min_by(f64::total_cmp)?;
        Some((joint.name.as_str(), nearest_m / bone_m.max(1e-6)))
    }
}

/// What does not look like a body.
pub(super) fn notes(checks: &[Check]) -> impl Iterator<Item = Note> {
    checks.iter().filter(|check| !check.is_passed()).map(|check| {
        let [least, most] = check.expected;
        let text = format!("{}: {:.3}, expected {least} to {most}", check.name, check.value);
        Note::new("unlike-a-body", text)
    })
}

/// Joints that go beyond straight by less than this are not worth a word: 5 degrees.
const MIN_HYPEREXTENSION_RAD: f64 = 0.0873;

/// Knees and elbows that go beyond straight in frames that measured all markers of their segments and of those
/// that hang together with these.
pub(super) fn hyperextension(subject: &Subject, motion: &SolvedMotion, trial: &Trial) -> Vec<Note> {
    let mut notes = Vec::new();
    let columns = solve::columns(subject, &trial.labels()).unwrap_or_default();
    let mut columns = columns.into_iter();
    let markers_of = |segment: &Segment| columns.by_ref().take(segment.markers.len()).collect();
    let markers: Vec<Vec<Option<usize>>> = subject.segments.iter().map(markers_of).collect();
    let is_measured = |frame: usize, segment: usize| {
        let mut seen = markers[segment].iter().flatten();
        seen.all(|column| trial.markers[*column].origin(frame) == Origin::Measured)
    };
    for joint in &subject.joints {
        let Some(axis) = &joint.flexion_axis else { continue };
        let sides = [joint.parent, joint.child];
        let others = subject.joints.iter().map(|other| [other.parent, other.child]);
        let near = others.filter(|other| other.iter().any(|segment| sides.contains(segment)));
        let near: Vec<usize> = near.flatten().collect();
        let is_shown = |frame: &usize| near.iter().all(|segment| is_measured(*frame, *segment));
        let flexion_rad = |frame: usize| {
            let parent = motion.world_from_segment(frame, joint.parent)?.rotation;
            let child = motion.world_from_segment(frame, joint.child)?.rotation;
            solve::flexion_rad(&(parent.inverse() * child), axis)
        };
        let shown = (0..motion.frames()).filter(is_shown);
        let all: Vec<f64> = shown.filter_map(flexion_rad).collect();
        let least_rad = all.iter().copied().fold(0.0, f64::min);
        let is_held = |flexion_rad: &&f64| **flexion_rad < 1e-6 - solve::MAX_HYPEREXTENSION_RAD;
        let held = all.iter().filter(is_held).count();
        let name = &joint.name;
        let text = match held {
            0 if least_rad > -MIN_HYPEREXTENSION_RAD => continue,
            0 => {
                let seems = format!(
                    "{name}: seems to go beyond straight by {:.0} degrees",
                    -least_rad.to_degrees()
                );
                match straight_sd_rad(subject, joint) {
                    Some(sd_rad) => format!(
                        "{seems}; which angle is straight is known to {:.0} degrees (one standard error)",
                        sd_rad.to_degrees()
                    ),
                    None => seems,
                }
            }
            _ => format!(
                "{name}: its markers go beyond straight by more than {:.0} degrees in {held} frames, where it is held \
                 there: are labels exchanged?",
                solve::MAX_HYPEREXTENSION_RAD.to_degrees()
            ),
        };
        notes.push(Note::new("hyperextension", text));
    }
    notes
}

/// How well it is known in which pose two bones are in line, by the centres at their three ends; nothing where one of the
/// bones has no joint at its far end.
fn straight_sd_rad(subject: &Subject, joint: &Joint) -> Option<f64> {
    let above = subject.joint_of(joint.parent)?;
    let below = subject.joints.iter().find(|own| own.parent == joint.child)?;
    let upper_m = subject.bone_length_m(joint.child)?;
    let lower_m = subject.bone_length_m(below.child)?;
    let parts = [
        above.worst_sd_m() / upper_m,
        joint.worst_sd_m() * (1.0 / upper_m + 1.0 / lower_m),
        below.worst_sd_m() / lower_m,
    ];
    let variance = parts.iter().map(|part| part * part).sum::<f64>();
    Some(variance.sqrt()).filter(|sd_rad| sd_rad.is_finite())
}
