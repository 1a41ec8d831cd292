//! A mechanical hinge whose axis carries two markers: is it found by the markers on its two sides?

use crate::recordings;
use condyle::calibrate::Calibration;
use condyle::format::{ReadOptions, read_path};
use condyle::plan::{JointRule, Performer, PlanOrigin, PlannedSegment};
use condyle::solve;
use condyle::statistics::median;
use condyle::subject::JointKind;

/// What is asked for.
const MAX_AXIS_DEG: f64 = 1.0;
const MAX_CENTRE_MM: f64 = 4.0;

#[test]
fn the_axis_of_a_mechanical_hinge_is_where_its_markers_are() {
    let Some(folder) = recordings::folder() else { return };
    let path = folder.join("derived/hinge_markers_mm_every2nd_frame.csv");
    let trial = read_path(&path, &ReadOptions::default()).unwrap();
    let labels = trial.labels();
    // On the rods, on the clusters, and on both; those on the axis are for the truth alone.
    for [upper, lower] in [["up", "dw"], ["clu", "cld"], ["up clu", "dw cld"]] {
        let on = |prefixes: &str| {
            let is_on = |label: &str| {
                let stem = label.trim_end_matches(|c: char| c.is_ascii_digit());
                prefixes.split(' ').any(|prefix| prefix == stem)
            };
            (0..labels.len()).filter(|marker| is_on(labels[*marker])).collect::<Vec<_>>()
        };
        let segment = |name: &str, parent, markers| PlannedSegment {
            name: name.into(),
            parent,
            markers,
            joint_name: None,
            joint_rule: JointRule::Auto,
        };
        let performer = Performer {
            name: String::new(),
            origin: PlanOrigin::File,
            segments: vec![segment("upper", None, on(upper)), segment("lower", Some(0), on(lower))],
            is_tree_known: true,
        };
        let mut calibration = Calibration::new(&performer, &labels).unwrap();
        let mut positions_m = vec![None; labels.len()];
        for frame in 0..trial.frames {
            trial.positions_m(frame, &mut positions_m);
            calibration.push(&positions_m);
        }
        let subject = calibration.fit().unwrap();
        let joint = &subject.joints()[0];
        assert_eq!(joint.kind, JointKind::Hinge, "{upper} and {lower}");
        let solved = solve::solve_trial(&subject, &trial).unwrap();
        let (mut angles_deg, mut distances_mm) = (Vec::new(), Vec::new());
        for frame in 0..trial.frames {
            let end = |label| trial.marker(label).unwrap().position_m(frame).unwrap();
            let (near, along) = (end("ax1"), (end("ax2") - end("ax1")).normalize());
            let world_from_upper = solved.world_from_segment(frame, joint.parent).unwrap();
            let axis = world_from_upper * joint.axis_in_parent.unwrap();
            angles_deg.push(axis.cross(&along).norm().asin().to_degrees());
            let off_m = solved.joint_m(frame, 0).unwrap() - near;
            distances_mm.push(off_m.cross(&along).norm() * 1e3);
        }
        let (axis_deg, centre_mm) = (median(angles_deg).unwrap(), median(distances_mm).unwrap());
        println!(
            "{upper} against {lower}: axis {axis_deg:.2} degrees off, centre {centre_mm:.2} mm"
        );
        assert!(axis_deg < MAX_AXIS_DEG, "{upper} against {lower}: axis off by {axis_deg}");
        assert!(centre_mm < MAX_CENTRE_MM, "{upper} against {lower}: centre off by {centre_mm}");
    }
}
