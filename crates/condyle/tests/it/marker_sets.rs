//! Every public recording of ten markers or more is recognised by its labels, or is not, as listed.
//!
//! `marker_sets.tsv` lists what is expected of each: a file that is recognised otherwise, or one
//! not listed, fails. `CONDYLE_BLESS=1` rewrites the table.

use crate::recordings;
use std::fmt::Write;
use std::path::Path;

use condyle::Trial;
use condyle::format::{ReadOptions, read_path};
use condyle::marker_set::knight::{Association, MarkerSetFile};
use condyle::marker_set::{Recognition, from_text, recognise_trial, to_toml};
use condyle::plan::{ExclusionReason, Performer, Plan, PlanOrigin};
use condyle::simulate::{self, Options, simulate};

/// The fewest markers a recording must have to be listed.
const FEWEST_MARKERS: usize = 10;

const HEADER: &str =
    "file\tperformer\tmarker set\tstrength\tlabels\tplaced\tsegments\tset aside\tnotes\tunknown\n";

fn aside(trial: &Trial, found: &Recognition, reason: ExclusionReason) -> Vec<String> {
    let asides = found.plan.excluded.iter().filter(|aside| aside.reason == reason);
    asides.map(|aside| trial.markers[aside.marker].label.clone()).collect()
}

/// A plan written as a file must read back as it was.
fn check_file(trial: &Trial, plan: &Plan, name: &str) {
    if plan.performers.is_empty() {
        return;
    }
    let text = to_toml(plan, trial);
    let (read, notes) = from_text(&text.as_str().into(), trial)
        .unwrap_or_else(|error| panic!("{name}: {error}\n{text}"));
    assert!(notes.is_empty(), "{name}: {notes:?}");
    let mut plan = plan.clone();
    plan.performers.iter_mut().for_each(|performer| performer.origin = PlanOrigin::File);
    assert_eq!(read.performers, plan.performers, "{name}");
}

fn describe(trial: &Trial, name: &str, table: &mut String) {
    let found = recognise_trial(trial);
    check_file(trial, &found.plan, name);
    for performer in &found.plan.performers {
        performer.check().unwrap();
    }
    let on_segments: usize = found
        .plan
        .performers
        .iter()
        .flat_map(|performer| &performer.segments)
        .map(|segment| segment.markers.len())
        .sum();
    let count = on_segments + found.plan.excluded.len();
    assert_eq!(count, trial.markers.len(), "{name}: every marker is somewhere, once");
    let of = |reason| aside(trial, &found, reason).len();
    let (computed, nameless, unseen) = (
        of(ExclusionReason::ModelOutput),
        of(ExclusionReason::Unlabelled),
        of(ExclusionReason::NeverSeen),
    );
    let unknown = aside(trial, &found, ExclusionReason::NotClaimed);
    let codes = found.notes.iter().map(|note| &*note.code).collect::<Vec<_>>().join(" ");
    for performer in &found.performers {
        let plan = found.plan.performers.iter().find(|plan| plan.name == performer.name);
        writeln!(
            table,
            "{name}\t{}\t{}\t{:?}\t{}\t{}\t{}\t{computed} {nameless} {unseen}\t{codes}\t{}",
            if performer.name.is_empty() { "-" } else { &performer.name },
            performer.marker_set.unwrap_or("-"),
            performer.strength,
            performer.labels,
            performer.placed,
            plan.map_or(0, |plan| plan.segments.len()),
            unknown.join(" "),
        )
        .unwrap();
    }
    if found.performers.is_empty() {
        writeln!(table, "{name}\t-\t-\tNone\t0\t0\t0\t{computed} {nameless} {unseen}\t{codes}\t")
            .unwrap();
    }
}

#[test]
fn every_public_recording_is_recognised_as_the_table_says() {
    let Some(folder) = recordings::folder() else { return };
    let mut table = String::from(HEADER);
    for path in recordings::files(&folder, &["c3d", "trc"]) {
        let Ok(trial) = read_path(&path, &ReadOptions::default()) else { continue };
        if trial.markers.len() >= FEWEST_MARKERS {
            describe(&trial, &recordings::name(&folder, &path), &mut table);
        }
    }
    let expected_at =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it").join("marker_sets.tsv");
    if std::env::var_os("CONDYLE_BLESS").is_some() {
        std::fs::write(&expected_at, &table).unwrap();
    }
    let expected = std::fs::read_to_string(&expected_at).unwrap();
    let new: Vec<&str> =
        table.lines().filter(|line| !expected.lines().any(|other| other == *line)).collect();
    let gone: Vec<&str> =
        expected.lines().filter(|line| !table.lines().any(|other| other == *line)).collect();
    assert!(
        new.is_empty() && gone.is_empty(),
        "now:\n{}\nwas:\n{}",
        new.join("\n"),
        gone.join("\n")
    );
}

fn read(folder: &Path, name: &str) -> Trial {
    read_path(&folder.join(name), &ReadOptions::default()).unwrap()
}

/// Segment, parent, joint and labels of every segment, sorted.
fn rows(performer: &Performer, trial: &Trial) -> Vec<(String, String, String, Vec<String>)> {
    let name = |index: usize| performer.segments[index].name.clone();
    let label = |marker: &usize| trial.markers[*marker].label.clone();
    let mut rows: Vec<_> = performer
        .segments
        .iter()
        .map(|segment| {
            let mut labels: Vec<String> = segment.markers.iter().map(label).collect();
            labels.sort();
            let parent = segment.parent.map(name).unwrap_or_default();
            (segment.name.clone(), parent, segment.joint_name.clone().unwrap_or_default(), labels)
        })
        .collect();
    rows.sort();
    rows
}

#[test]
fn a_simulated_human_is_recognised_as_it_truly_is_in_every_marker_set() {
    let human = simulate::Performer::human();
    for marker_set in human.marker_sets() {
        let marker_set = Some(marker_set.to_owned());
        let options = Options { seconds: 0.1, performers: 2, marker_set, ..Options::default() };
        let simulation = simulate(&human, &options).unwrap();
        let (trial, truth) = (&simulation.trial, &simulation.truth.plan);
        let found = recognise_trial(trial);
        assert!(found.is_good(), "{:?}: {:?}", options.marker_set, found.performers);
        assert!(found.plan.excluded.is_empty() && found.notes.is_empty(), "{:?}", found.notes);
        assert_eq!(found.plan.performers.len(), truth.performers.len());
        for (found, truth) in found.plan.performers.iter().zip(&truth.performers) {
            assert_eq!(found.name, truth.name);
            assert_eq!(rows(found, trial), rows(truth, trial), "{:?}", options.marker_set);
        }
    }
}

/// The body of every marker in an OpenSim model.
fn bodies(model: &str) -> Vec<(String, String)> {
    let markers = model.split("<Marker name=\"").skip(1);
    markers
        .filter_map(|text| {
            let name = text.split('"').next()?;
            let frame =
                text.split("<socket_parent_frame>").nth(1).or(text.split("<body>").nth(1))?;
            let body = frame.split('<').next()?.trim().rsplit('/').next()?;
            Some((name.to_owned(), body.to_owned()))
        })
        .collect()
}

#[test]
fn the_markers_of_a_model_are_on_the_segments_that_the_model_has_them_on() {
    let Some(folder) = recordings::folder() else { return };
    let trial = read(&folder, "nimble_synthetic/subject01/markers.trc");
    let model = folder.join("nimble_synthetic/subject01/subject01.osim");
    let bodies = bodies(&std::fs::read_to_string(model).unwrap());
    let found = recognise_trial(&trial);
    let performer = &found.plan.performers[0];
    let mut placed = 0;
    for segment in &performer.segments {
        let side = if segment.name.starts_with("left") { "_l" } else { "_r" };
        let expected: &[&str] =
            match segment.name.trim_start_matches("left ").trim_start_matches("right ") {
                "pelvis" => &["pelvis"],
                "chest" => &["torso"],
                "upper arm" => &["humerus"],
                "forearm" => &["radius", "ulna"],
                "thigh" => &["femur"],
                "shank" => &["tibia"],
                "foot" => &["calcn", "toes", "talus"],
                other => panic!("{other}"),
            };
        for marker in &segment.markers {
            let label = &trial.markers[*marker].label;
            let body = &bodies.iter().find(|(name, _)| name == label).unwrap().1;
            let plain = body.strip_suffix(side).unwrap_or(body);
            assert!(expected.contains(&plain), "{label}: {} but {body}", segment.name);
            placed += 1;
        }
    }
    let centres =
        found.plan.excluded.iter().filter(|a| a.reason == ExclusionReason::ModelOutput).count();
    assert_eq!((placed, centres), (54, 10), "64 markers, 10 of them joint centres");
}

#[test]
fn a_temporary_correlation_of_a_recording_reads_back_as_its_plan() {
    let Some(folder) = recordings::folder() else { return };
    let trial = read(&folder, "cmu/02_01.c3d");
    let text = Association::template(&trial).to_string();
    assert!(text.starts_with("41 WANDS\nMARKERSET vicon512.txt\n\nTakeoMonday:LBWT = LBWT Hips\n"));
    assert!(text.contains("\nTakeoMonday:LSHN = LLEG Lower Left Leg\n"));
    let (plan, notes) = from_text(&text.as_str().into(), &trial).unwrap();
    let codes: Vec<&str> = notes.iter().map(|note| &*note.code).collect();
    assert_eq!(codes, ["plan-marker-set"]);
    assert!(plan.excluded.is_empty());
    let by_name = recognise_trial(&trial).plan;
    let shape = |plan: &Plan| -> Vec<(Option<usize>, Vec<usize>, Option<String>)> {
        let segments = plan.performers[0].segments.iter();
        segments.map(|s| (s.parent, s.markers.clone(), s.joint_name.clone())).collect()
    };
    assert_eq!(
        shape(&plan),
        shape(&by_name),
        "the names of segments are Knight's, all else is ours"
    );
    assert_eq!(plan.performers[0].segments[0].name, "Hips");
    let (again, _) =
        from_text(&MarkerSetFile::table_1().to_string().as_str().into(), &trial).unwrap();
    assert_eq!(again, plan, "the marker set alone says the same");
}

/// The text of an example in a thesis: from its first line to the dots that end it.
fn example(thesis: &str, first: &str) -> String {
    let lines = thesis.lines().skip_while(|line| line.trim() != first);
    let is_example = |line: &&str| !line.starts_with("```") && !line.starts_with("Knight ");
    let mut text = String::new();
    for line in lines.filter(is_example) {
        writeln!(text, "{line}").unwrap();
        if line.trim() == "..." {
            return text;
        }
    }
    panic!("no example '{first}'")
}

#[test]
fn the_examples_in_both_theses_parse() {
    let seeds = recordings::folder().map(|folder| folder.join("../seeds"));
    let Some(seeds) = seeds.filter(|seeds| seeds.is_dir()) else {
        println!("skipped: no theses beside the recordings");
        return;
    };
    let thesis = |name: &str| std::fs::read_to_string(seeds.join(name)).unwrap();
    let (of_2005, of_2008) =
        (thesis("000_6c8afe23dced87f1.txt"), thesis("003_30ad027a257bf6b1.txt"));
    for (thesis, first, count, listed) in
        [(&of_2005, "42 WANDS", 42, 5), (&of_2008, "46 WANDS", 46, 10)]
    {
        let association = Association::parse(&example(thesis, first)).unwrap();
        assert_eq!((association.declared, association.pairs.len()), (count, listed));
        assert_eq!(association.marker_set, "vicon512.txt");
    }
    let table = MarkerSetFile::table_1();
    let set = MarkerSetFile::parse(&example(&of_2005, "51 WANDS")).unwrap();
    assert_eq!((set.declared, set.wands.len()), (51, 3));
    for wand in &set.wands {
        let row = table.wands.iter().find(|row| row.name == wand.name).unwrap();
        assert_eq!(row.segment, wand.segment, "{}", wand.name);
    }
    assert!(of_2008.contains("(e.g. 41 WANDS)"));
}
