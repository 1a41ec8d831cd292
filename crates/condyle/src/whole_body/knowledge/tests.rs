//! The file that is compiled in, and files that are wrong.

use super::*;

#[test]
fn the_knowledge_of_people_is_read() {
    let human = Knowledge::human().unwrap();
    assert_eq!(human.segments.len(), 10);
    assert_eq!(human.sizes[0].name, "stature");
    let knee = human.landmarks.iter().find(|landmark| landmark.name == "knee_lateral").unwrap();
    let (at, sd) = knee.expected.as_ref().unwrap();
    assert_eq!(at[1], vec![(0.5, Quantity::Size(1)), (0.007, Quantity::One)]);
    assert!((sd[0][0].0 - 0.007).abs() < 1e-12);
    // 3 k: three millimetres for each 1750 of stature.
    assert!((at[2][1].0 - 3.0 / 1750.0).abs() < 1e-12 && at[2][1].1 == Quantity::Size(0));
}

#[test]
fn numbers_with_an_author_from_memory_are_not_called_verified() {
    let human = Knowledge::human().unwrap();
    let verified: Vec<_> = human.sources().filter(|source| source.is_verified).collect();
    let authors: Vec<&str> = verified
        .iter()
        .map(|source| source.text.as_ref().unwrap().split(' ').next().unwrap())
        .collect();
    assert_eq!(authors, ["Harrington", "Hara", "Bruening"]);
}

#[test]
fn errors_say_the_line_what_was_needed_and_what_was_found() {
    for (from, to, what) in [
        ("closure = 20", "closure = -3", "closure: need a positive number, got -3"),
        ("sd = [7, 3.5, 8]", "sd = [7, -4, 8]", "sd: need a positive number, got -4"),
        ("sd = [12, 3, 8]", "sd = [12, 0, 8]", "sd: need a positive number, got 0"),
        (
            "landmarks = \"knee_lateral knee_medial\"",
            "landmarks = \"knee_lateral ankle_medial\"",
            "landmarks: need each in one [[offset]], got some of 'ankle beside its malleoli' again",
        ),
        ("sd_percent = 35", "sd_percent = 0", "sd_percent: need a positive number, got 0"),
        ("axes = \"yz\"", "axes = \"yw\"", "axes: need two of x, y and z, got 'yw'"),
        ("to = \"neck\"", "to = \"tail\"", "bone: need the joint of a [[segment]], got 'tail'"),
        ("\"1700\"", "\"17 Q\"", "mean: need a size, a definition or a point, got 'Q'"),
        ("version = 1", "version = 9", "version: need 1, got 9"),
        (
            "\"clavicle\"\njoint",
            "\"wing\"\njoint",
            "parent: need a [[segment]] of this file, got 'wing'",
        ),
        ("left.hip.x = 0", "left.hip.x is 0", "is: need 'this = that', got 'left.hip.x is 0'"),
    ] {
        let text = Knowledge::human_toml().replacen(from, to, 1);
        let before = text.split(to).next().unwrap();
        let line = before.matches('\n').count() + 1;
        let error = Knowledge::from_toml(&text).unwrap_err().to_string();
        assert_eq!(error, format!("line {line}: {what}"));
    }
}
