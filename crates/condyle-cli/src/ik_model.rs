//! What `condyle ik` moves: a file of its own, or the skeleton of a recording.

use std::fs;
use std::path::Path;

use condyle::ik::{Linkage, Model, Zero};
use condyle::motion::Motion;
use condyle::subject::Subject;
use condyle::{ErrorKind, Result};
use nalgebra::Point3;

use crate::ik::IkArgs;
use crate::input;

/// Reads the model and chooses its effectors.
pub fn read(args: &IkArgs) -> Result<Model> {
    let mut model = any(args).map_err(|error| error.with_path(&args.model))?;
    if !args.effectors.is_empty() {
        let names = args.effectors.iter();
        let joints: Result<Vec<usize>> = names.map(|name| joint(&model, name.trim())).collect();
        model.effectors = joints.map_err(|error| error.with_path(&args.model))?;
    }
    Ok(model)
}

fn joint(model: &Model, name: &str) -> Result<usize> {
    let by_name = model.names.iter().position(|known| known == name);
    let by_number = || name.parse().ok().filter(|joint| *joint < model.names.len());
    by_name.or_else(by_number).filter(|joint| *joint > 0).ok_or_else(|| {
        let known: Vec<&str> = model.names.iter().skip(1).take(40).map(String::as_str).collect();
        ErrorKind::Argument(format!("effectors: need any of {}; got '{name}'", known.join(", ")))
            .into()
    })
}

fn any(args: &IkArgs) -> Result<Model> {
    let is_json = args.model.extension().is_some_and(|e| e.eq_ignore_ascii_case("json"));
    if !is_json {
        return of_recording(&args.model, args);
    }
    let text = fs::read_to_string(&args.model)?;
    match text.contains("\"segments\"") {
        true => of_subject(&Subject::from_json(&text)?),
        false => Model::from_json(&text),
    }
}

/// The skeleton of a recording in its first frame.
fn of_recording(path: &Path, args: &IkArgs) -> Result<Model> {
    let trial = input::read(path, &args.reading.options())?;
    let Some(motion) = &trial.motion else {
        return Err(ErrorKind::Argument(
            "need a chain as JSON, a subject, or a recording with a skeleton; got one without"
                .into(),
        )
        .into());
    };
    of_motion(motion)
}

/// Joints that lie on their parents become one with them: a bone needs a length.
fn of_motion(motion: &Motion) -> Result<Model> {
    let at_m = match motion.frames() {
        0 => motion.skeleton().rest_positions_m().into_iter().map(Point3::from).collect(),
        _ => motion.joint_positions_m(0)?,
    };
    let joints = motion.skeleton().joints();
    let joined =
        joints.iter().zip(&at_m).map(|(joint, at)| (joint.name.clone(), joint.parent, *at));
    merged(joined)
}

/// A tree over joint centres, those in the same place as their parent merged with it.
fn merged(joints: impl Iterator<Item = (String, Option<usize>, Point3<f64>)>) -> Result<Model> {
    let mut kept: Vec<usize> = Vec::new();
    let (mut names, mut parents, mut at_m) = (Vec::new(), Vec::new(), Vec::<Point3<f64>>::new());
    for (index, (name, parent, at)) in joints.enumerate() {
        let parent = parent.map(|parent| kept[parent]);
        match parent {
            Some(parent) if (at - at_m[parent]).norm() < 1e-6 => kept.push(parent),
            None if index > 0 => {
                return Err(ErrorKind::Argument(format!(
                    "need one skeleton, got a second root '{name}'"
                ))
                .into());
            }
            parent => {
                kept.push(at_m.len());
                names.push(name);
                parents.push(parent);
                at_m.push(at);
            }
        }
    }
    let linkage = Linkage::tree(&at_m, &parents, Zero::Rest)?;
    let effectors = linkage.leaves().collect();
    Ok(Model { linkage, names, effectors })
}

/// The joint centres of a subject, every segment as it stood on average against its parent.
fn of_subject(subject: &Subject) -> Result<Model> {
    use nalgebra::Isometry3;
    let mut world_from_segment: Vec<Isometry3<f64>> = Vec::new();
    let mut joint_of_segment: Vec<usize> = Vec::new();
    let mut joints = vec![("root".to_owned(), None, Point3::origin())];
    for (index, segment) in subject.segments.iter().enumerate() {
        let (Some(joint), Some(parent)) = (subject.joint_of(index), segment.parent) else {
            world_from_segment.push(Isometry3::identity());
            joint_of_segment.push(0);
            continue;
        };
        let world_from_parent = world_from_segment[parent];
        let at = world_from_parent * joint.centre_in_parent_m;
        let rotation = world_from_parent.rotation * joint.parent_from_child_rest;
        let shift = at - rotation * joint.centre_in_child_m;
        world_from_segment.push(Isometry3::from_parts(shift.into(), rotation));
        joints.push((joint.name.clone(), Some(joint_of_segment[parent]), at));
        joint_of_segment.push(joints.len() - 1);
    }
    // A last segment ends at the middle of its markers: a hand, a foot, a head.
    for (index, segment) in subject.segments.iter().enumerate() {
        let has_children = subject.segments.iter().any(|other| other.parent == Some(index));
        if has_children || segment.markers.is_empty() || joint_of_segment[index] == 0 {
            continue;
        }
        let sum: nalgebra::Vector3<f64> =
            segment.markers.iter().map(|marker| marker.position_in_segment_m.coords).sum();
        let middle = Point3::from(sum / segment.markers.len() as f64);
        let end = world_from_segment[index] * middle;
        joints.push((format!("{}_end", segment.name), Some(joint_of_segment[index]), end));
    }
    merged(joints.into_iter())
}
