//! Figures 5.10, 5.12 and 5.14: a hand that closes, and how its surface belongs to its bones.

use condyle::hand::{Assignment, Model, Options, Side, Tracker, coat, follow};
use condyle::simulate::Routine;
use condyle::skeleton::Skeleton;
use condyle::skin::{Blending, Skin, bones};
use condyle_page::page::{Axis, Chart, Ink, Mark, Scale, Series};
use nalgebra::Isometry3;

use super::SEED;
use crate::hand::simulated::{Conditions, perform};
use crate::reproduce::lab::Lab;
use crate::reproduce::section::{Line, Section};

/// Vertices of the surface, about.
const VERTICES: usize = 5000;
/// How near to the back of the index a vertex is that is shown.
const NEAR_M: f64 = 2e-3;

/// Follows a fist at 10 Hz and skins it.
pub fn run(_: &Lab) -> Section {
    draw().unwrap_or_default()
}

fn draw() -> condyle::Result<Section> {
    let model = Model::standard(Side::Right, 0.19)?;
    let conditions = Conditions { rate_hz: 10.0, seconds: 6.0, ..Conditions::default() };
    let simulation = perform(&model, Routine::Fist, &conditions, SEED)?;
    let assignment = Assignment::by_model(&model, &simulation.trial.labels())?;
    let mut tracker = Tracker::new(&model, assignment, conditions.rate_hz, Options::default())?;
    let followed = follow(&simulation.trial, &mut tracker, None);
    let skeleton = model.skeleton()?;
    let skin = Skin::bind(coat(&model, VERTICES)?.surface()?, &skeleton)?;
    let Some(motion) = followed.motion()? else { return Ok(Section::default()) };
    let mut poses = vec![Isometry3::identity(); skeleton.joints().len()];
    // The frame in which the hand is most closed: the middle tip is nearest to the wrist.
    let reach_m = |poses: &[Isometry3<f64>]| {
        let tip = skeleton.find("middle_tip").unwrap_or(0);
        (poses[tip].translation.vector - poses[0].translation.vector).norm()
    };
    let mut closed = (f64::INFINITY, 0);
    for frame in 0..motion.frames() {
        motion.world_from_joints(frame, &mut poses)?;
        if reach_m(&poses) < closed.0 {
            closed = (reach_m(&poses), frame);
        }
    }
    motion.world_from_joints(closed.1, &mut poses)?;
    let rest_m3 = skin.surface().volume_m3();
    let percent = [Blending::Linear, Blending::DualQuaternion].map(|blending| {
        let moved = skin.surface().with_vertices_m(skin.pose(&poses, blending));
        100.0 * moved.volume_m3() / rest_m3
    });
    let lines = vec![
        Line::new(
            "volume of the fist, per cent of the open hand: linear, dual quaternion",
            "section 5.7.1",
        )
        .compare("not said", format!("{:.1}, {:.1}", percent[0], percent[1]))
        .holds(percent.iter().all(|own| (85.0..115.0).contains(own))),
        Line::new("largest sum of weights dropped of a vertex", "wanted")
            .compare("said", format!("{:.4}", skin.weights().largest_dropped))
            .holds(skin.weights().largest_dropped < 0.1),
    ];
    Ok(Section {
        text: vec![
            "Frames of a fist at 10 Hz (figures 5.10 and 5.14), seen from the thumb's side in the frame of the hand, and \
             how much each bone of the index holds the skin on its back (figure 5.12); `condyle skin` draws the \
             surface in any frame."
                .into(),
        ],
        lines,
        charts: vec![fingers(&model, &followed), weights(&skin, &model, &skeleton)],
        ..Section::default()
    })
}

/// Three frames of the index, from open to closed.
fn fingers(model: &Model, followed: &condyle::hand::Followed) -> Chart {
    let names = model.joint_names();
    let index: Vec<usize> = (0..names.len()).filter(|at| names[*at].starts_with("index")).collect();
    let chosen = [0, 6, 8, 10];
    let series = chosen.iter().enumerate().filter_map(|(ink, frame)| {
        let pose = followed.poses.get(*frame)?;
        let hand_from_world = pose.world_from_hand?.inverse();
        let points = index.iter().map(|joint| {
            let at = hand_from_world * pose.joints[*joint].position_m;
            (at.x * 1e3, at.z * 1e3, None)
        });
        let name = format!("{:.1} s", *frame as f64 / 10.0);
        Some(Series::new(name, Ink(ink), Mark::Line, points))
    });
    Chart {
        name: "fist",
        title: "The index of a hand that closes".into(),
        caption:
            "Figures 5.10 and 5.14: at 10 Hz, from the thumb's side, in the frame of the hand."
                .into(),
        x: Axis::new("to the fingers, mm", "x_mm", Scale::Linear),
        y: Axis::new("out of the back, mm", "z_mm", Scale::Linear),
        series: series.collect(),
        is_small: true,
        ..Chart::default()
    }
}

/// Weights along the back of the index.
fn weights(skin: &Skin, model: &Model, skeleton: &Skeleton) -> Chart {
    let finger = &model.fingers[0];
    let along = finger.hand_from_rest * nalgebra::Vector3::x();
    let own: Vec<usize> = bones(skeleton)
        .iter()
        .map(|bone| bone.joint)
        .filter(|joint| skeleton.joints()[*joint].name.starts_with("index"))
        .collect();
    let series = own.iter().enumerate().map(|(ink, joint)| {
        let held = skin.weights().joints.iter().zip(&skin.weights().weights);
        let mut points: Vec<(f64, f64, Option<f64>)> = skin
            .vertices_m()
            .iter()
            .zip(held)
            .filter_map(|(at_m, (joints, shares))| {
                let arm = at_m - finger.base_in_hand_m;
                let beside = arm - along * arm.dot(&along);
                let is_shown = beside.z > 0.0 && beside.y.abs() < NEAR_M;
                let share: f64 = joints
                    .iter()
                    .zip(shares)
                    .filter(|(own, _)| usize::from(**own) == *joint)
                    .map(|(_, share)| share)
                    .sum();
                is_shown.then_some((arm.dot(&along) * 1e3, share, None))
            })
            .collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        let name = skeleton.joints()[*joint].name.clone();
        Series::new(name, Ink(ink), Mark::Dots, points)
    });
    Chart {
        name: "weights",
        title: "How much each bone holds the back of the index".into(),
        caption: "Figure 5.12: bone heat, at rest, along the finger from its knuckle.".into(),
        x: Axis::new("along the finger, mm", "x_mm", Scale::Linear),
        y: Axis::new("weight", "weight", Scale::Linear),
        series: series.collect(),
        is_small: true,
        ..Chart::default()
    }
}
