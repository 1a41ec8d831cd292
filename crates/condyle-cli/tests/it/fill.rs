//! `condyle fill` from outside.
use crate::run::{condyle_in, files, folder_with_arm};
use condyle::format::{ReadOptions, read_path};
use condyle::trial::Origin;

#[test]
fn gaps_are_filled_and_every_one_is_accounted_for() {
    let folder = folder_with_arm();
    let path = folder.path();
    let ran = condyle_in(path, &["fill", "arm.trc", "-o", "b.csv", "--json"]).expect(0);
    let json = ran.json();
    let before = read_path(&path.join("arm.trc"), &ReadOptions::default()).unwrap();
    let after = read_path(&path.join("b.csv"), &ReadOptions::default()).unwrap();
    let missing: usize = before.markers.iter().map(|marker| marker.missing_samples()).sum();
    let gaps = json["gaps"].as_array().unwrap();
    let frames: u64 = gaps.iter().map(|gap| gap["frames"].as_u64().unwrap()).sum();
    assert_eq!(frames as usize, missing);
    assert!(missing > 0);
    for gap in gaps {
        for field in ["marker", "first_frame", "method", "reason", "predicted_error_m", "filled"] {
            assert!(gap.get(field).is_some(), "{field}");
        }
        let marker = after.marker(gap["marker"].as_str().unwrap()).unwrap();
        let first = (gap["first_frame"].as_i64().unwrap() - before.first_frame) as usize;
        let wanted = if gap["filled"] == true { Origin::Filled } else { Origin::Missing };
        assert_eq!(marker.origin(first), wanted);
    }
    for (a, b) in before.markers.iter().zip(&after.markers) {
        for frame in (0..before.frames).filter(|frame| a.origin(*frame).is_present()) {
            assert_eq!(a.position_m(frame), b.position_m(frame));
        }
    }
}

#[test]
fn a_table_says_what_came_of_it_and_longer_gaps_stay() {
    let folder = folder_with_arm();
    let args = ["fill", "arm.trc", "-o", "b.c3d", "--method", "spline", "--max-gap", "0.01"];
    let ran = condyle_in(folder.path(), &args).expect(0);
    assert!(
        ran.stdout.contains("not filled: ") && ran.stdout.contains("longer than"),
        "{}",
        ran.stdout
    );
    let again = condyle_in(folder.path(), &args);
    assert!(again.expect_one_error().contains("b.c3d"));
}

#[test]
fn wrong_command_lines_say_what_is_needed_and_write_nothing() {
    let folder = folder_with_arm();
    for (args, word) in [
        (["fill", "arm.trc", "-o", "b.bvh", "--method", "auto"], "which hold markers"),
        (["fill", "arm.trc", "-o", "b.csv", "--method", "magic"], "low-rank"),
        (["fill", "arm.trc", "-o", "b.csv", "--max-gap", "-1"], "need a number from 0 up"),
    ] {
        let ran = condyle_in(folder.path(), &args).expect(2);
        assert!(ran.stderr.contains(word), "{args:?}: {}", ran.stderr);
    }
    assert_eq!(files(folder.path()), ["arm.trc"]);
}

#[test]
fn a_room_with_cameras_is_filled_by_prediction_with_what_single_cameras_saw() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let simulate = ["simulate", "-o", "room", "--cameras", "4", "--seconds", "3", "--to", "csv"];
    let ran = condyle_in(path, &[&simulate[..], &["--json"]].concat()).expect(0);
    assert!(ran.json()["rays"].as_u64().unwrap() > 0);
    let fill = ["fill", "room/recording.csv", "-o", "b.csv", "--method", "ukf", "--rays"];
    let ran = condyle_in(path, &[&fill[..], &["room/rays.csv", "--json"]].concat()).expect(0);
    let json = ran.json();
    let gaps = json["gaps"].as_array().unwrap();
    assert!(gaps.iter().any(|gap| gap["filled"] == true && gap["reason"] == "on a ray"));
    let after = read_path(&path.join("b.csv"), &ReadOptions::default()).unwrap();
    for gap in gaps.iter().filter(|gap| gap["filled"] == true) {
        let marker = after.marker(gap["marker"].as_str().unwrap()).unwrap();
        let first = (gap["first_frame"].as_i64().unwrap() - after.first_frame) as usize;
        assert_eq!(marker.origin(first), Origin::Predicted);
        assert!(gap["predicted_error_m"].as_f64().unwrap() > 0.0);
    }
    let header = "frame,camera,marker,ox,oy,oz,dx,dy,dz";
    let marker = &after.markers[0].label;
    for (row, word) in [
        ("1,C1,nobody,0,0,0,1,0,0".to_owned(), "nobody"),
        (format!("1,C1,{marker},0,0,0,0,0,0"), "direction"),
    ] {
        std::fs::write(path.join("bad.csv"), format!("{header}\n{row}\n")).unwrap();
        let ran = condyle_in(path, &[&fill[..], &["bad.csv", "--force"]].concat());
        let said = ran.expect_one_error();
        assert!(
            said.contains("bad.csv") && said.contains("line 2") && said.contains(word),
            "{said}"
        );
    }
}

#[test]
fn exchanged_labels_are_put_back_before_gaps_are_filled_and_said() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let simulate = ["simulate", "--seconds", "12", "--noise-mm", "1", "--to", "csv", "-o"];
    let swaps = ["swapped", "--swaps", "4", "--swap-gap-s", "0.05"];
    condyle_in(path, &[&simulate[..], &swaps].concat()).expect(0);
    condyle_in(path, &[&simulate[..], &["clean"]].concat()).expect(0);
    let read = |name: &str| read_path(&path.join(name), &ReadOptions::default()).unwrap();
    let [swapped, clean] = ["swapped", "clean"].map(|name| read(&format!("{name}/recording.csv")));
    let fill = ["fill", "swapped/recording.csv", "-o", "filled.csv", "--json"];
    let json = condyle_in(path, &fill).expect(0).json();
    let notes = json["notes"].as_array().unwrap();
    let said = notes.iter().filter(|note| note.as_str().unwrap().contains("exchanged back"));
    assert_eq!(said.count(), 4, "{notes:?}");
    let filled = read("filled.csv");
    let apart_m = |trial: &condyle::Trial| -> Vec<f64> {
        let of_marker = |(a, b): (&condyle::trial::Marker, &condyle::trial::Marker)| {
            (0..clean.frames)
                .filter_map(|frame| Some((a.position_m(frame)? - b.position_m(frame)?).norm()))
                .collect::<Vec<f64>>()
        };
        trial.markers.iter().zip(&clean.markers).flat_map(of_marker).collect()
    };
    let most_m = |trial| apart_m(trial).into_iter().fold(0.0, f64::max);
    assert!(most_m(&swapped) > 0.05, "nothing was exchanged");
    assert!(most_m(&filled) < 0.02, "{} m off", most_m(&filled));
}
