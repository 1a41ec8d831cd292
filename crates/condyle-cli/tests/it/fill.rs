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
