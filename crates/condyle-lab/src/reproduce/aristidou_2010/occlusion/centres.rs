//! Section 4.4: centres of rotation, frame by frame, beside fits of spheres; and what predictions do to the sums.

use condyle::predict::{Options, Predictor};
use condyle::rigid::{Pair, place};
use condyle_page::page::Table;
use nalgebra::{Point3, Vector3};

use super::mean;
use super::scene::{Scene, all};
use crate::centre::peers::{gamage_lasenby, halvorsen, silaghi};
use crate::reproduce::lab::Lab;
use crate::reproduce::section::{Line, Section};

/// One point a frame.
type Points = Vec<Vector3<f64>>;

/// Every so many frames are given to the fits of spheres.
const STRIDE: usize = 8;
/// Share of the recording after which a marker of every segment is missing, and in which errors are measured.
const GAP: [f64; 2] = [0.5, 0.9];

fn mm(metres: f64) -> String {
    format!("{:.1}", 1e3 * metres)
}

/// The child's markers as the parent sees them, and where the joint truly is there.
fn seen_from_parent(scene: &Scene, joint: usize) -> Option<(Vec<Points>, Points)> {
    let [parent, child] =
        scene.body.joints[joint].segments.map(|s| &scene.body.segments[s].markers);
    let reference: Vec<Point3<f64>> =
        parent.iter().map(|m| scene.frames[0][*m]).collect::<Option<_>>()?;
    let mut markers = vec![Vec::new(); child.len()];
    let mut truth = Vec::new();
    for (frame, joints_m) in scene.frames.iter().zip(&scene.joints_m).step_by(STRIDE) {
        let pairs = parent.iter().zip(&reference).filter_map(|(marker, at)| {
            Some(Pair { in_segment_m: *at, in_world_m: frame[*marker]?, weight: 1.0 })
        });
        let pose = place(pairs)?.world_from_segment;
        for (positions, marker) in markers.iter_mut().zip(child) {
            positions.push(pose.inverse_transform_point(&frame[*marker]?).coords);
        }
        truth.push(pose.inverse_transform_point(&joints_m[joint]).coords);
    }
    Some((markers, truth))
}

/// Mean distance of the sequential centres from the true joints, in the frames of the gap.
fn sequential(scene: &Scene, is_holed: bool, learns_from_predictions: bool) -> Vec<f64> {
    let options = Options { learns_from_predictions, ..Options::as_printed() };
    let Ok(mut predictor) = Predictor::new(&scene.body, scene.rate_hz, options) else {
        return Vec::new();
    };
    let [first, last] = GAP.map(|share| (share * scene.frames.len() as f64) as usize);
    let hidden: Vec<usize> = scene.body.segments.iter().map(|s| s.markers[0]).collect();
    let mut errors = vec![Vec::new(); scene.body.joints.len()];
    let mut given = Vec::new();
    for (frame, seen) in scene.frames[..last].iter().enumerate() {
        given.clone_from(seen);
        if is_holed && frame >= first {
            hidden.iter().for_each(|marker| given[*marker] = None);
        }
        predictor.step(&given, &[]);
        if frame >= first {
            for (joint, centre) in predictor.centres().enumerate() {
                errors[joint]
                    .extend(centre.map(|c| (c.position_m - scene.joints_m[frame][joint]).norm()));
            }
        }
    }
    errors.iter().map(|errors| mean(errors)).collect()
}

/// All joints of the three recordings.
pub fn run(_: &Lab) -> Section {
    let mut table = Table::columns(
        "recording | joints | sequential mm | Halvorsen | Gamage-Lasenby | Silaghi | one marker a segment missing: \
         learning from predictions | not learning from them",
        1,
    );
    let mut lines = Vec::new();
    for scene in all() {
        let joints = scene.body.joints.len();
        let mut peers = [const { Vec::new() }; 3];
        for joint in 0..joints {
            let Some((markers, truth)) = seen_from_parent(&scene, joint) else { continue };
            let bisected = halvorsen(&markers, 60);
            let algebraic = gamage_lasenby(&markers);
            let geometric = algebraic.map(|start| silaghi(&markers, start));
            for (errors, found) in peers.iter_mut().zip([bisected, algebraic, geometric]) {
                let off = |found: Vector3<f64>| {
                    mean(&truth.iter().map(|t| (t - found).norm()).collect::<Vec<_>>())
                };
                errors.extend(found.map(off));
            }
        }
        let [whole, fed, unfed] = [(false, false), (true, true), (true, false)]
            .map(|(is_holed, learns)| mean(&sequential(&scene, is_holed, learns)));
        let [bisected, algebraic, geometric] = peers.map(|errors| mean(&errors));
        table.row([
            scene.name.to_owned(),
            joints.to_string(),
            mm(whole),
            mm(bisected),
            mm(algebraic),
            mm(geometric),
            mm(fed),
            mm(unfed),
        ]);
        lines.push(
            Line::new(
                format!("{}: learning from predictions does not help", scene.name),
                "section 4.4.2",
            )
            .compare("not shown", format!("{} mm with, {} mm without", mm(fed), mm(unfed)))
            .holds(unfed <= fed * 1.001),
        );
    }
    Section {
        text: vec![
            "Mean distance from the true joints. The sequential centre knows the frames so far, the fits of spheres all \
             of them, with the child's markers as the parent sees them. On joints that turn about one axis alone all of \
             them are free along it."
                .into(),
        ],
        lines,
        tables: vec![table],
        ..Section::default()
    }
}
