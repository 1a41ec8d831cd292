//! `condyle gait` on made-up walkers, and what it says where there is no gait.
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::run::condyle_in;

fn simulated(at: &Path, name: &str, more: &[&str]) {
    let args = ["simulate", "-o", name, "--seconds", "8", "--seed", "3"];
    condyle_in(at, &[&args[..], more].concat()).expect(0);
}

const WALK: [&str; 4] = ["--routine", "walk", "--markers", "plug-in-gait"];

fn gait(at: &Path, args: &[&str]) -> Value {
    condyle_in(at, &[&["gait", "--json"], args].concat()).expect(0).json()
}

#[test]
fn gait_and_run_write_the_same_files_with_the_same_options() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    simulated(at, "walk", &WALK);
    fs::copy(at.join("walk/recording.c3d"), at.join("a.c3d")).unwrap();
    let read = |name: &str| fs::read(at.join(name)).unwrap();
    let with = |how: &[&str]| {
        condyle_in(at, &[&["run", "a.c3d", "-o", "out", "--force"], how].concat()).expect(0);
        condyle_in(at, &[&["gait", "a.c3d", "-o", "g", "--force"], how].concat()).expect(0);
        for name in ["gait.json", "cycles.csv", "centres.csv", "cycles.parquet"] {
            assert!(read(&format!("g/{name}")) == read(&format!("out/a/{name}")), "{how:?} {name}");
        }
        read("g/cycles.csv")
    };
    let usual = with(&[]);
    assert!(with(&["--smooth", "3", "--knowledge", "none"]) != usual);
}

#[test]
fn a_walk_has_events_parameters_cycles_and_a_score_of_zero_against_itself() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    simulated(at, "walk", &WALK);
    let found = gait(at, &["walk/recording.c3d", "--events", "markers", "-o", "out"]);
    let [one, pooled] = [&found[0], &found[1]];
    assert_eq!(one["recording"], "walk/recording.c3d");
    assert_eq!(one["kind"], "walking", "{one}");
    assert!(pooled["recording"].is_null() && pooled["recordings"][0] == "walk/recording.c3d");
    let events = one["events"].as_array().unwrap();
    assert!(events.len() > 8, "{events:?}");
    for event in events {
        assert!(["left", "right"].contains(&event["side"].as_str().unwrap()));
        assert!(["foot_strike", "foot_off"].contains(&event["kind"].as_str().unwrap()));
        assert_eq!(event["source"], "markers");
        let confidence = event["confidence"].as_f64().unwrap();
        assert!(confidence > 0.001 && confidence < 0.1, "{event}");
        assert!(event["time_s"].is_f64() && event["frame"].is_i64());
    }
    let parameters = one["parameters"].as_array().unwrap();
    assert_eq!(parameters.len(), 24);
    let speed = parameters.iter().find(|own| own["name"] == "speed").unwrap();
    assert_eq!(speed["unit"], "m/s");
    assert_eq!(speed["n"].as_u64().unwrap() as usize, speed["strides"].as_array().unwrap().len());
    let cycles = one["cycles"].as_array().unwrap();
    assert!(cycles[0]["start_s"].as_f64() < cycles[0]["end_s"].as_f64());
    let curve = &pooled["centres"][0];
    assert_eq!((&curve["unit"], curve["mean"].as_array().unwrap().len()), (&"m".into(), 101));
    // As the table has it: side, joint, axis, percent, mean, sd, n.
    let table = fs::read_to_string(at.join("out/centres.csv")).unwrap();
    let mut rows = table.lines();
    assert_eq!(rows.next(), Some("side,joint,axis,percent,mean_m,sd_m,n"));
    let row: Vec<&str> = rows.next().unwrap().split(',').collect();
    assert_eq!(row[..3], ["side", "joint", "axis"].map(|key| curve[key].as_str().unwrap()));
    assert_eq!(row[4].parse::<f64>().unwrap(), curve["mean"][0].as_f64().unwrap());
    assert_eq!(row[6].parse::<i64>().unwrap(), curve["n"].as_i64().unwrap());
    assert!(pooled["curves"].as_array().unwrap().len() > 20 && one["curves"].is_null());
    let text = fs::read_to_string(at.join("out/gait.json")).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), found);
    let table = fs::read_to_string(at.join("out/cycles.csv")).unwrap();
    assert!(
        table.starts_with("side,joint,angle,percent,mean,sd,n\nleft,pelvis,anterior tilt,0,"),
        "{table:.200}"
    );
    for row in
        ["right,knee,flexion,100,", "left,foot,internal progression,50,", "left,hip,adduction,7,"]
    {
        assert!(table.contains(row), "{row}");
    }
    let of_file = gait(at, &["walk/recording.c3d"]);
    assert_eq!(of_file[0]["events"][0]["source"], "file");
    let again =
        gait(at, &["walk/recording.c3d", "--events", "markers", "--norm", "out/cycles.csv"]);
    let scores = again[1]["scores"].as_array().unwrap();
    assert_eq!(scores.len(), 21);
    assert!(
        scores
            .iter()
            .all(|score| score["value"].as_f64().unwrap() < 1e-3 && score["unit"] == "deg")
    );
    let taken = condyle_in(at, &["gait", "walk/recording.c3d", "-o", "out"]).expect(1);
    assert!(taken.stderr.contains("--force"), "{}", taken.stderr);
    let page = condyle_in(at, &["gait", "walk/recording.c3d"]).expect(0);
    assert!(page.stdout.contains("stride length"), "{}", page.stdout);
}

#[test]
fn recordings_of_a_folder_share_a_subject_as_they_do_when_they_are_run() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::create_dir(at.join("in")).unwrap();
    for (name, routine, seed) in [("walk", "walk", "1"), ("rom", "rom", "2")] {
        let more = ["--routine", routine, "--markers", "plug-in-gait", "--seed", seed];
        let args = ["simulate", "-o", name, "--seconds", "8"];
        condyle_in(at, &[&args[..], &more].concat()).expect(0);
        let there = at.join("in").join(name).with_extension("c3d");
        fs::copy(at.join(name).join("recording.c3d"), there).unwrap();
    }
    let ran = condyle_in(at, &["run", "in", "-o", "out", "--json"]).expect(0).json();
    assert_eq!(ran[0]["fitted_to"].as_array().unwrap().len(), 2, "{ran}");
    condyle_in(at, &["gait", "in", "-o", "g"]).expect(0);
    let read = |name: &str| fs::read_to_string(at.join(name)).unwrap();
    assert!(read("g/cycles.csv") == read("out/walk/cycles.csv"));
    condyle_in(at, &["gait", "in", "-o", "each", "--each"]).expect(0);
    assert!(read("each/cycles.csv") != read("g/cycles.csv"));
}

#[test]
fn gait_has_the_performers_that_run_has() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::create_dir(at.join("in")).unwrap();
    // The same body with its markers put on again: legs and feet of one length, and no subject to share.
    for name in ["a", "b"] {
        simulated(at, name, &WALK);
        let there = at.join("in").join(name).with_extension("trc");
        let file = at.join(name).join("recording.c3d");
        let [from, to] = [&file, &there].map(|path| path.to_str().unwrap().to_owned());
        condyle_in(at, &["convert", &from, &to]).expect(0);
    }
    let text = fs::read_to_string(at.join("in/b.trc")).unwrap();
    fs::write(at.join("in/b.trc"), moved_markers(&text)).unwrap();
    let ran = condyle_in(at, &["run", "in", "-o", "out", "--json"]).expect(0).json();
    for own in ran.as_array().unwrap() {
        assert_eq!(own["fitted_to"].as_array().unwrap().len(), 1, "{own}");
    }
    let performers = |found: &Value| {
        found.as_array().unwrap().iter().filter(|own| own["recording"].is_null()).count()
    };
    assert_eq!(performers(&gait(at, &["in"])), 2);
    fs::copy(at.join("in/a.trc"), at.join("in/b.trc")).unwrap();
    assert_eq!(performers(&gait(at, &["in"])), 1);
    assert_eq!(performers(&gait(at, &["in", "--each"])), 1);
}

/// A TRC file with the markers of thighs, shanks and trunk 30 mm elsewhere.
fn moved_markers(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let labels: Vec<&str> = lines[3].split('\t').collect();
    let is_moved = |column: usize| {
        let label = labels.get(column - (column - 2) % 3).copied().unwrap_or("");
        (column - 2) % 3 == 2
            && ["THI", "TIB", "KNE", "STRN", "T10"].iter().any(|own| label.ends_with(own))
    };
    let row = |line: &&str| {
        let cells = line.split('\t').enumerate();
        let cells = cells.map(|(column, cell)| match cell.parse::<f64>() {
            Ok(value) if column > 2 && is_moved(column) => format!("{}", value + 30.0),
            _ => cell.to_owned(),
        });
        cells.collect::<Vec<_>>().join("\t")
    };
    let rows = lines
        .iter()
        .enumerate()
        .map(|(at, line)| if at < 5 { (*line).to_owned() } else { row(line) });
    rows.collect::<Vec<_>>().join("\n") + "\n"
}

#[test]
fn a_reference_is_shown_beside_the_curves_and_counts_for_whether_results_are_up_to_date() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    simulated(at, "walk", &WALK);
    condyle_in(at, &["gait", "walk/recording.c3d", "-o", "g"]).expect(0);
    let run = ["run", "walk/recording.c3d", "-o", "out", "--json"];
    condyle_in(at, &run).expect(0);
    let norm = [&run[..], &["--norm", "g/cycles.csv"]].concat();
    assert_eq!(condyle_in(at, &norm).expect(0).json()[0]["status"], "done");
    let report = fs::read_to_string(at.join("out/recording/report.html")).unwrap();
    assert!(report.contains("gait profile score") && report.contains("In grey the reference"));
    let text = fs::read_to_string(at.join("out/recording/gait.json")).unwrap();
    let found: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(found[0]["scores"].as_array().unwrap().len(), 21);
    fs::write(at.join("norm.csv"), "side,joint\n").unwrap();
    let wrong = condyle_in(at, &[&run[..], &["--norm", "norm.csv"]].concat()).expect(1);
    assert!(wrong.stderr.contains("got no angle"), "{}", wrong.stderr);
}

#[test]
fn what_is_no_gait_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    simulated(at, "rom", &["--routine", "rom", "--markers", "plug-in-gait"]);
    simulated(at, "dog", &["--performer", "dog"]);
    let rom = gait(at, &["rom/recording.c3d"]);
    assert!(rom[0]["kind"].is_null() && rom[0]["events"].as_array().unwrap().is_empty());
    assert!(
        rom[0]["notes"]
            .as_array()
            .unwrap()
            .iter()
            .any(|note| note.as_str().unwrap().starts_with("no-gait: ")),
        "{rom}"
    );
    let dog = gait(at, &["dog/recording.c3d"]);
    assert!(dog[0]["performer"].is_null(), "{dog}");
    assert!(dog[0]["notes"][0].as_str().unwrap().starts_with("no-feet: "), "{dog}");
    simulated(at, "walk", &WALK);
    let no_events = gait(at, &["rom/recording.c3d", "--events", "file"]);
    assert!(no_events[0]["notes"].to_string().contains("no-gait-events"), "{no_events}");
    let no_plates = gait(at, &["walk/recording.c3d", "--events", "plates"]);
    assert!(
        no_plates[0]["notes"].to_string().contains("no foot is on a force plate"),
        "{no_plates}"
    );
    fs::write(at.join("norm.csv"), "side,joint,angle,percent\n").unwrap();
    let norm = condyle_in(at, &["gait", "walk/recording.c3d", "--norm", "norm.csv"]).expect(1);
    assert!(norm.stderr.contains("got no mean"), "{}", norm.stderr);
    condyle_in(at, &["gait", "none.c3d"]).expect(1);
}
