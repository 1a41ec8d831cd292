//! Segments, their joints and their markers.

use std::collections::HashSet;

use nalgebra::{Point3, Unit, Vector3};

use super::super::performer::{Joint, JointAxis, Segment, Site};
use super::entries::{MarkerEntry, SegmentEntry};
use super::names::Names;
use crate::error::{Error, Result};

/// The marker set of a description whose markers have one name each.
pub(super) const ONLY_SET: &str = "all";

/// Reads all segments; their names and those of their joints are known afterwards.
pub(super) fn read(entries: &[SegmentEntry], names: &mut Names) -> Result<Vec<Segment>> {
    let mut segments = Vec::with_capacity(entries.len());
    let mut labels = HashSet::new();
    for (index, entry) in entries.iter().enumerate() {
        let name = entry.name.get_ref();
        let parent = parent(entry, index, names)?;
        let joint = joint(entry, parent.is_some(), names)?;
        if parent.is_some() && names.joints.insert(joint.name.clone(), index).is_some() {
            let what = format!("joint {:?}: need a name of its own, got it twice", joint.name);
            return Err(names.wrong(entry.joint.as_ref().unwrap_or(&entry.name), what));
        }
        if names.segments.insert(name.clone(), index).is_some() {
            let what = format!("segment {name:?}: need a name of its own, got it twice");
            return Err(names.wrong(&entry.name, what));
        }
        let sites = entry.markers.iter().map(|marker| site(marker, entry, names, &mut labels));
        segments.push(Segment {
            name: name.clone(),
            parent,
            joint_in_parent_m: Point3::from(entry.at),
            joint,
            sites: sites.collect::<Result<_>>()?,
            skin: entry.skin.unwrap_or(1.0),
        });
    }
    if segments.is_empty() {
        return Err(names.wrong_whole("need at least one [[segment]], got none"));
    }
    if labels.is_empty() {
        return Err(names.wrong_whole("need at least one marker on some segment, got none"));
    }
    Ok(segments)
}

fn parent(entry: &SegmentEntry, index: usize, names: &Names) -> Result<Option<usize>> {
    let name = entry.name.get_ref();
    match &entry.parent {
        None if index == 0 => Ok(None),
        None => {
            let what = format!("segment {name:?}: need a parent: only the first has none");
            Err(names.wrong(&entry.name, what))
        }
        Some(parent) => match names.segments.get(parent.get_ref()) {
            Some(parent) => Ok(Some(*parent)),
            None => {
                let what = format!(
                    "segment {name:?}: need a parent that stands before it, got {:?}",
                    parent.get_ref()
                );
                Err(names.wrong(parent, what))
            }
        },
    }
}

fn joint(entry: &SegmentEntry, has_parent: bool, names: &Names) -> Result<Joint> {
    let segment = entry.name.get_ref();
    let wrong = |what: String| names.wrong(&entry.name, format!("segment {segment:?}: {what}"));
    let name = entry.joint.as_ref().map_or(segment, |joint| joint.get_ref()).clone();
    let count = entry.axes.len();
    let needed = match entry.kind.as_ref().map(|kind| (kind, kind.get_ref().as_str())) {
        None => count.min(3),
        Some((_, "fixed")) => 0,
        Some((_, "hinge")) => 1,
        Some((_, "universal")) => 2,
        Some((_, "ball")) => 3,
        Some((kind, other)) => {
            let what = format!("kind: need fixed, hinge, universal or ball, got {other:?}");
            return Err(names.wrong(kind, what));
        }
    };
    if !has_parent && count > 0 {
        return Err(wrong("axes: need none, for it has no parent".into()));
    }
    if count != needed {
        return Err(wrong(format!("axes: need {needed}, got {count}")));
    }
    let axes = (0..count).map(|index| axis(entry, index, &wrong));
    for (what, got) in [
        ("range_deg", Some(entry.range_deg.len())),
        ("rom_deg", entry.rom_deg.as_ref().map(Vec::len)),
        ("rest_deg", entry.rest_deg.as_ref().map(Vec::len)),
    ] {
        if let Some(got) = got.filter(|got| *got != count) {
            return Err(wrong(format!("{what}: need {count}, one an axis, got {got}")));
        }
    }
    Ok(Joint { name, axes: axes.collect::<Result<_>>()? })
}

fn axis(entry: &SegmentEntry, index: usize, wrong: &impl Fn(String) -> Error) -> Result<JointAxis> {
    let direction = entry.axes[index];
    let direction = Unit::try_new(Vector3::from(direction), 1e-9)
        .ok_or_else(|| wrong(format!("axes: need a direction, got {direction:?}")))?;
    let range @ [least, most] = entry.range_deg[index];
    if !(least < most && least >= -360.0 && most <= 360.0) {
        return Err(wrong(format!(
            "range_deg: need [least, most] within -360 to 360, got {range:?}"
        )));
    }
    // A tenth of the range is left unused at both ends, as people do.
    let margin = 0.1 * (most - least);
    let rom = entry.rom_deg.as_ref().map_or([least + margin, most - margin], |rom| rom[index]);
    let rest = entry.rest_deg.as_ref().map_or(0.0_f64.clamp(least, most), |rest| rest[index]);
    if !(least <= rom[0] && rom[0] <= rom[1] && rom[1] <= most) {
        return Err(wrong(format!("rom_deg: need angles within {range:?}, got {rom:?}")));
    }
    if !(least..=most).contains(&rest) {
        return Err(wrong(format!("rest_deg: need an angle within {range:?}, got {rest}")));
    }
    Ok(JointAxis {
        direction,
        range_rad: range.map(f64::to_radians),
        rom_rad: rom.map(f64::to_radians),
        rest_rad: rest.to_radians(),
    })
}

fn site(
    marker: &MarkerEntry,
    entry: &SegmentEntry,
    names: &Names,
    taken: &mut HashSet<(String, String)>,
) -> Result<Site> {
    let segment = entry.name.get_ref();
    let mut labels = marker.names.clone();
    if let Some(name) = &marker.name {
        labels.insert(ONLY_SET.to_owned(), name.clone());
    }
    if labels.is_empty() {
        let what = format!("segment {segment:?}: markers: need a name for each, got one without");
        return Err(names.wrong(&entry.name, what));
    }
    for (set, label) in &labels {
        if !taken.insert((set.clone(), label.clone())) {
            let what = format!(
                "segment {segment:?}: markers: need a name of its own for each, got {label:?} twice"
            );
            return Err(names.wrong(&entry.name, what));
        }
    }
    Ok(Site { in_segment_m: Point3::from(marker.at), labels })
}
