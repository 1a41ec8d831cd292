//! Segments and trees from the motion alone, on recordings whose labels say what is right.
#![allow(missing_docs, clippy::unwrap_used, clippy::print_stdout, clippy::print_stderr)]

mod names;
mod recordings;

use std::path::Path;

use condyle::Trial;
use condyle::format::{ReadOptions, read_path};
use condyle::grouping::{self, Options};
use condyle::plan::Plan;

use names::{CMU, NIMBLE, Segments, segment_of};

fn read(path: &Path) -> Trial {
    read_path(path, &ReadOptions::default()).unwrap()
}

/// The markers whose names imply a segment.
fn named(trial: &Trial, segments: Segments) -> Vec<usize> {
    let is_named = |marker: &usize| segment_of(segments, trial.markers[*marker].name()).is_some();
    (0..trial.markers.len()).filter(is_named).collect()
}

/// How many markers are in the group that their name implies, of how many; and those that are not.
///
/// Groups and names are matched one to one, the largest overlap first, so that of two segments that were
/// found as one only one counts.
fn agreement(trial: &Trial, plan: &Plan, segments: Segments) -> (usize, usize, Vec<String>) {
    let groups: Vec<&Vec<usize>> =
        plan.performers.iter().flat_map(|p| &p.segments).map(|segment| &segment.markers).collect();
    let implied = |marker: &usize| segment_of(segments, trial.markers[*marker].name());
    let mut overlaps = Vec::new();
    for (g, group) in groups.iter().enumerate() {
        for s in 0..segments.len() {
            let overlap = group.iter().filter(|marker| implied(marker) == Some(s)).count();
            overlaps.push((overlap, g, s));
        }
    }
    overlaps.sort_by_key(|(overlap, g, s)| (std::cmp::Reverse(*overlap), *g, *s));
    let (mut group_name, mut taken) = (vec![None; groups.len()], vec![false; segments.len()]);
    for (overlap, g, s) in overlaps {
        if overlap > 0 && group_name[g].is_none() && !taken[s] {
            (group_name[g], taken[s]) = (Some(s), true);
        }
    }
    let all = named(trial, segments);
    let mut wrong = Vec::new();
    for marker in &all {
        let group = groups.iter().position(|group| group.contains(marker));
        let name = group.and_then(|g| group_name[g]);
        if name != implied(marker) {
            let with = name.map_or("no segment", |s| segments[s].0);
            wrong.push(format!("{} with {with}", trial.markers[*marker].name()));
        }
    }
    (all.len() - wrong.len(), all.len(), wrong)
}

#[test]
fn nine_markers_in_ten_land_where_their_name_says() {
    let Some(folder) = recordings::folder() else { return };
    let (mut right, mut all) = (0, 0);
    for file in [
        "cmu/01_01.c3d",
        "cmu/02_01.c3d",
        "cmu/02_05.c3d",
        "cmu/85_02.c3d",
        "hdm05/HDM_dg_06-03_03_120.c3d",
    ] {
        let trial = read(&folder.join(file));
        let plan = grouping::from_motion(&trial, &Options::default()).unwrap();
        let (own_right, own_all, wrong) = agreement(&trial, &plan, CMU);
        println!(
            "{file}: {own_right} of {own_all}; performers {}; {}",
            plan.performers.len(),
            wrong.join(", ")
        );
        for p in &plan.performers {
            for s in &p.segments {
                println!(
                    "     {}",
                    s.markers
                        .iter()
                        .map(|m| trial.markers[*m].name())
                        .collect::<Vec<_>>()
                        .join(" ")
                );
            }
        }
        right += own_right;
        all += own_all;
    }
    println!("{right} of {all}");
    for subject in ["subject01", "subject18"] {
        let trial = read(&folder.join("nimble_synthetic").join(subject).join("markers.trc"));
        let options = Options { only: Some(named(&trial, NIMBLE)), ..Options::default() };
        let plan = grouping::from_motion(&trial, &options).unwrap();
        let (own_right, own_all, wrong) = agreement(&trial, &plan, NIMBLE);
        println!(
            "{subject}: {own_right} of {own_all}; performers {}; {}",
            plan.performers.len(),
            wrong.join(", ")
        );
    }
}
