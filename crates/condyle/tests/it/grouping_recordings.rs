//! Segments and trees from the motion alone, on recordings whose labels say what is right.

use crate::recordings;
use std::fmt::Write;
use std::path::Path;

use condyle::Trial;
use condyle::format::{ReadOptions, read_path};
use condyle::grouping::{self, Options};
use condyle::plan::Plan;

use crate::names::{CMU, NIMBLE, Segments, segment_of};

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

/// Where markers land, a line a recording: `CONDYLE_BLESS=1` rewrites the table.
const TABLE: &str = "grouping.tsv";
/// The least share of markers that land where their names say.
const LEAST: f64 = 0.9;

#[test]
fn markers_land_where_their_names_say_as_the_table_has_it() {
    let Some(folder) = recordings::folder() else { return };
    let mut table = String::from("file\tright\tnamed\texceptions\n");
    let mut below = Vec::new();
    for (file, segments) in [
        ("cmu/01_01.c3d", CMU),
        ("cmu/02_01.c3d", CMU),
        ("cmu/02_05.c3d", CMU),
        ("cmu/85_02.c3d", CMU),
        ("hdm05/HDM_dg_06-03_03_120.c3d", CMU),
        ("nimble_synthetic/subject01/markers.trc", NIMBLE),
        ("nimble_synthetic/subject18/markers.trc", NIMBLE),
    ] {
        let trial = read(&folder.join(file));
        let options = Options { only: Some(named(&trial, segments)), ..Options::default() };
        let plan = grouping::from_motion(&trial, &options).unwrap().plan;
        let (right, all, wrong) = agreement(&trial, &plan, segments);
        if (right as f64) < LEAST * all as f64 {
            below.push(format!("{file}: {right} of {all}"));
        }
        writeln!(table, "{file}\t{right}\t{all}\t{}", wrong.join(", ")).unwrap();
    }
    println!("{table}below nine in ten: {}", below.join(", "));
    let expected_at = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it").join(TABLE);
    if std::env::var_os("CONDYLE_BLESS").is_some() {
        std::fs::write(&expected_at, &table).unwrap();
    }
    assert_eq!(table, std::fs::read_to_string(&expected_at).unwrap());
}
