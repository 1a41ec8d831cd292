use proptest::prelude::*;

use super::super::{Options, Routine, simulate};
use super::*;

/// Two segments, the second on line 5.
const TWO: &str = r#"name = "two"
[[segment]]
name = "base"
at = [0, 0, 1]
[[segment]]
name = "tip"
parent = "base"
joint = "tip joint"
kind = "hinge"
at = [0, 0, 0.5]
axes = [[0, 1, 0]]
range_deg = [[-10, 90]]
markers = [{ at = [0, 0, 0.2], name = "A" }, { at = [0, 0.1, 0.2], name = "B" }]
"#;

fn refusal(text: &str) -> String {
    performer(text).unwrap_err().to_string()
}

#[test]
fn what_is_not_said_is_sensible() {
    let two = performer(TWO).unwrap();
    assert_eq!((two.name.as_str(), two.marker_set.as_str()), ("two", "all"));
    let axis = &two.segments[1].joint.axes[0];
    assert_eq!(axis.range_rad, [-10.0, 90.0].map(f64::to_radians));
    assert_eq!((axis.rom_rad, axis.rest_rad), ([0.0, 80.0].map(f64::to_radians), 0.0));
    assert_eq!(two.segments[0].skin, 1.0);
}

#[test]
fn errors_say_the_line_and_what_was_needed() {
    for (from, to, expected) in [
        (
            "parent = \"base\"",
            "parent = \"bass\"",
            "line 7: segment \"tip\": need a parent that stands before it, got \"bass\"",
        ),
        (
            "parent = \"base\"\n",
            "",
            "line 6: segment \"tip\": need a parent: only the first has none",
        ),
        (
            "\"hinge\"",
            "\"knob\"",
            "line 9: kind: need fixed, hinge, universal or ball, got \"knob\"",
        ),
        ("\"hinge\"", "\"ball\"", "line 6: segment \"tip\": axes: need 3, got 1"),
        ("[[-10, 90]]", "[[90, -10]]", "line 6: segment \"tip\": range_deg: need [least, most]"),
        ("[[-10, 90]]", "[]", "line 6: segment \"tip\": range_deg: need 1, one an axis, got 0"),
        ("[[0, 1, 0]]", "[[0, 0, 0]]", "line 6: segment \"tip\": axes: need a direction"),
        ("0.5]", "inf]", "line 10: need a number within a million, got inf"),
        ("0.5]", "nan]", "line 10: need a number within a million, got nan"),
        ("0.5]", "0.5", "line 11: "),
        ("at = [0, 0, 0.5]\n", "", "line 5: missing field `at`"),
        ("at = [0, 0, 0.5]", "att = [0, 0, 0.5]", "line 10: unknown field `att`, expected one of"),
        (
            "\"B\"",
            "\"A\"",
            "line 6: segment \"tip\": markers: need a name of its own for each, got \"A\" twice",
        ),
        (", name = \"B\"", "", "line 6: segment \"tip\": markers: need a name for each"),
        ("\"tip\"", "\"base\"", "line 6: segment \"base\": need a name of its own, got it twice"),
        (
            "name = \"two\"",
            "name = \"two\"\nmarker_set = \"x\"",
            "line 2: marker_set: need one of [\"all\"], got \"x\"",
        ),
    ] {
        assert!(TWO.contains(from), "{from}");
        let error = refusal(&TWO.replacen(from, to, 1));
        assert!(error.starts_with(expected), "{to}: {error}");
    }
    assert!(refusal("").contains("missing field `name`"));
    assert!(
        refusal("name = \"x\"\nsegment = []").contains("need at least one [[segment]], got none")
    );
}

#[test]
fn a_gait_must_be_possible() {
    let human = include_str!("../human.toml");
    for (from, to, expected) in [
        ("cycle_s = 1.1", "cycle_s = 0", "cycle_s: need 0.05 or more, got 0"),
        ("stance = 0.6", "stance = 1", "stance: need a share from 0.3 to 0.9, got 1"),
        ("turn_radius_m = 2.5", "turn_radius_m = 0", "turn_radius_m: need 0.1 or more"),
        (
            "knee = \"left knee\"",
            "knee = \"left elbow\"",
            "need hip, knee and ankle one below the other",
        ),
        ("hip = \"left hip\"", "hip = \"left hop\"", "need one of the joints [\"left ankle\""),
        (
            "\"waist\", axis = 2",
            "\"waist\", axis = 3",
            "axis: need one of 3, counted from 0, got 3",
        ),
        (
            "\"waist\", axis = 2, amplitude_deg = 9",
            "\"waist\", axis = 2, amplitude_deg = 90",
            "swing of \"waist\": need -45 to 45 degrees",
        ),
        ("range_deg = [[0, 145]", "range_deg = [[-145, 0]", "rom_deg: need angles within"),
    ] {
        assert!(human.contains(from), "{from}");
        let error = refusal(&human.replacen(from, to, 1));
        assert!(error.starts_with("line ") && error.contains(expected), "{to}: {error}");
    }
}

#[test]
fn the_right_side_mirrors_the_left() {
    let human = Performer::human();
    let find = |name: &str| human.segments.iter().find(|segment| segment.name == name).unwrap();
    let (left, right) = (find("left thigh"), find("right thigh"));
    let mirrored = |mut p: nalgebra::Point3<f64>| {
        p.y = -p.y;
        p
    };
    assert_eq!(mirrored(left.joint_in_parent_m), right.joint_in_parent_m);
    // The same angles put mirrored markers in mirrored places.
    let angles_rad = [0.5, 0.3, -0.2];
    for (a, b) in left.sites.iter().zip(&right.sites) {
        let moved = |segment: &super::super::Segment, site: &super::super::Site| {
            segment.parent_from_segment(&angles_rad) * site.in_segment_m
        };
        assert!((mirrored(moved(left, a)) - moved(right, b)).norm() < 1e-12);
        for (set, label) in &a.labels {
            assert_eq!(b.labels[set], label.replacen('L', "R", 1));
        }
    }
}

#[test]
fn the_example_of_the_documentation_is_a_performer() {
    let docs = include_str!("../../../../../docs/performer.md");
    let example = docs.split("```toml\n").nth(1).unwrap().split("```").next().unwrap();
    let lamp = performer(example).unwrap();
    assert_eq!((lamp.name.as_str(), lamp.segments.len(), lamp.is_fixed), ("desk lamp", 2, true));
}

/// The description with its n-th number replaced.
fn with_number(text: &str, n: usize, number: &str) -> String {
    let is_part = |c: char| c.is_ascii_digit() || c == '.' || c == '-';
    let starts: Vec<usize> = text
        .match_indices(|c: char| c.is_ascii_digit() || c == '-')
        .map(|(at, _)| at)
        .filter(|at| text[..*at].ends_with([' ', '[']))
        .collect();
    let at = starts[n % starts.len()];
    let end = text[at..].find(|c| !is_part(c)).map_or(text.len(), |length| at + length);
    format!("{}{number}{}", &text[..at], &text[end..])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn whatever_a_number_is_there_is_an_error_or_a_finite_recording(
        n in 0..1000_usize,
        number in prop::sample::select(vec!["0", "-1", "1e6", "-1e6", "1e-300", "720", "inf", "0x7f"]),
        built_in in prop::sample::select(Performer::BUILT_IN.to_vec()),
        routine in prop::sample::select(Routine::OF_BODIES.to_vec()),
    ) {
        let text = with_number(Performer::description(built_in).unwrap(), n, number);
        let Ok(performer) = performer(&text) else { return Ok(()) };
        let options = Options { routine, seconds: 1.0, rate_hz: 7.0, skin_m: 1e-3, ..Options::default() };
        if let Ok(simulation) = simulate(&performer, &options) {
            // A position that is not finite would be missing.
            prop_assert_eq!(simulation.trial.missing_fraction(), 0.0, "{}", text);
        }
    }
}
