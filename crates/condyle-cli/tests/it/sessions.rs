//! Folders of recordings: those of one performer share a subject, and a page shows all of them.

use std::fs;
use std::path::Path;

use crate::run::condyle_in;

/// Simulates a recording of few markers a segment on skin.
fn simulate(at: &Path, name: &str, more: &[&str]) {
    let args =
        ["simulate", "-o", "made", "--noise-mm", "1", "--seconds", "3", "--rate", "50", "-q"];
    condyle_in(at, &[args.as_slice(), more].concat()).expect(0);
    let to = at.join("in").join(name);
    fs::create_dir_all(to.parent().unwrap()).unwrap();
    fs::rename(at.join("made/recording.c3d"), to).unwrap();
    fs::remove_dir_all(at.join("made")).unwrap();
}

const HUMAN: [&str; 4] = ["--markers", "cmu41", "--skin-mm", "5"];

/// `in/anna` has a walk and a range of motion, `in/dog` a dog.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    simulate(at, "anna/walk.c3d", &[&["--routine", "walk"], HUMAN.as_slice()].concat());
    simulate(at, "anna/rom.c3d", &[&["--seed", "2"], HUMAN.as_slice()].concat());
    simulate(at, "dog/walk.c3d", &["--performer", "dog", "--routine", "walk"]);
    folder
}

const RUN: [&str; 5] = ["run", "in", "-o", "out", "--json"];

fn statuses(json: &serde_json::Value) -> Vec<&str> {
    json.as_array().unwrap().iter().map(|one| one["status"].as_str().unwrap()).collect()
}

#[test]
fn recordings_of_one_performer_share_a_subject_and_a_new_one_redoes_its_siblings() {
    let folder = folder();
    let at = folder.path();
    let subject = |name: &str| fs::read_to_string(at.join(name).join("subject.json")).unwrap();
    let ran = condyle_in(at, &RUN).expect(0);
    assert_eq!(statuses(&ran.json()), ["done"; 3]);
    assert_eq!(subject("out/anna/walk"), subject("out/anna/rom"));
    assert_eq!(ran.json()[0]["fitted_to"].as_array().unwrap().len(), 2);
    assert_eq!(ran.json()[2]["fitted_to"], serde_json::json!(["walk.c3d"]));
    let again = condyle_in(at, &RUN).expect(0);
    assert_eq!(statuses(&again.json()), ["up-to-date"; 3]);
    assert!(!again.stderr.contains("made again"), "{}", again.stderr);

    let before = subject("out/anna/walk");
    simulate(at, "anna/walk2.c3d", &[&["--routine", "walk", "--seed", "3"], &HUMAN[..]].concat());
    let more = condyle_in(at, &RUN).expect(0);
    assert_eq!(statuses(&more.json()), ["done", "done", "done", "up-to-date"]);
    let said = "2 recordings made again, since the performer's subject is now fitted to 3";
    assert!(more.stderr.contains(said), "{}", more.stderr);
    assert_ne!(subject("out/anna/walk"), before);
    assert_eq!(subject("out/anna/walk"), subject("out/anna/walk2"));

    let each = condyle_in(at, &["run", "in", "-o", "each", "--each", "--json"]).expect(0);
    assert_eq!(each.json()[0]["fitted_to"].as_array().unwrap().len(), 1);
    assert_ne!(subject("each/anna/walk"), subject("each/anna/rom"));
    // Otherwise nothing is different: a recording by itself is what it always was.
    condyle_in(at, &["run", "in/anna/rom.c3d", "-o", "alone"]).expect(0);
    assert_eq!(subject("alone/rom"), subject("each/anna/rom"));
}

#[test]
fn a_page_shows_all_recordings_and_never_replaces_one_of_others() {
    let folder = folder();
    let at = folder.path();
    fs::create_dir_all(at.join("out")).unwrap();
    fs::write(at.join("out/index.html"), "mine").unwrap();
    fs::write(at.join("in/dog/broken.c3d"), "nothing").unwrap();
    let ran = condyle_in(at, &RUN).expect(1);
    assert!(ran.stderr.contains("out/index.html: not written"), "{}", ran.stderr);
    assert_eq!(fs::read_to_string(at.join("out/index.html")).unwrap(), "mine");

    fs::remove_file(at.join("out/index.html")).unwrap();
    let ran = condyle_in(at, &["run", "in", "-o", "out"]).expect(1);
    assert!(ran.stdout.contains("start with out/index.html"), "{}", ran.stdout);
    assert!(ran.stdout.contains("one subject for 2 recordings: "), "{}", ran.stdout);
    let page = fs::read_to_string(at.join("out/index.html")).unwrap();
    for link in ["anna/walk", "anna/rom", "dog/walk"] {
        assert!(page.contains(&format!("<a href=\"{link}/report.html\">{link}</a>")), "{link}");
        assert!(page.contains(&format!("src=\"{link}/figure.svg\"")), "{link}");
        assert!(at.join("out").join(link).join("figure.svg").is_file(), "{link}");
    }
    assert!(page.contains("broken.c3d"), "what failed is not said");

    // Another batch into the same folder adds to it.
    simulate(at, "../more/turn.c3d", &HUMAN);
    condyle_in(at, &["run", "more/turn.c3d", "-o", "out"]).expect(0);
    let page = fs::read_to_string(at.join("out/index.html")).unwrap();
    for link in ["anna/walk", "turn"] {
        assert!(page.contains(&format!(">{link}</a>")), "{link}");
    }
}

#[test]
fn people_have_physics_where_it_is_asked_for_and_a_dog_says_why_not() {
    let folder = folder();
    let at = folder.path();
    let args = [RUN.as_slice(), &["--physics", "--weight-kg", "62", "--soft-tissue", "5"]].concat();
    condyle_in(at, &args).expect(0);
    let table = fs::read_to_string(at.join("out/anna/walk/physics.csv")).unwrap();
    let mut rows = table.lines();
    let header = "frame,time_s,com_x,com_y,com_z,momentum_x,momentum_y,momentum_z,\
        angular_momentum_x,angular_momentum_y,angular_momentum_z,kinetic_j,potential_j,mass_placed,\
        inertia_about_spin,com_sd_m,com_sd_by_masses_m";
    assert_eq!(rows.next().unwrap(), header);
    let row = |row: &str| row.split(',').map(|cell| cell.parse().ok()).collect();
    let rows: Vec<Vec<Option<f64>>> = rows.map(row).collect();
    // No velocity at the ends; between them the momentum is that of the centre of mass.
    assert_eq!(rows[0][5], None);
    let [before, here, after] = [70, 71, 72].map(|at: usize| rows[at].clone());
    for axis in 2..5 {
        let velocity_m_s = (after[axis].unwrap() - before[axis].unwrap()) * 25.0;
        assert!((here[axis + 3].unwrap() - 62.0 * velocity_m_s).abs() < 1e-6);
    }
    assert!(!at.join("out/dog/walk/physics.csv").exists());
    let results = fs::read_to_string(at.join("out/dog/walk/results.json")).unwrap();
    assert!(results.contains("physics.csv: masses: need a person"), "{results}");
}
