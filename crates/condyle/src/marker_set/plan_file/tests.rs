//! Plan files, written, read and refused.

use super::*;
use crate::marker_set::made_up::trial;
use crate::marker_set::recognise_trial;
use crate::plan::{ExclusionReason, JointRule, Performer, Plan, PlanOrigin, PlannedSegment};
use proptest::prelude::*;

const ARM: &str = r#"
[[segment]]
name = "hand"
parent = "forearm"
markers = ["H1", "H2"]

[[segment]]
name = "forearm"
parent = "upper arm"
joint = "elbow"
rule = "hinge"
markers = ["F1"]

[[segment]]
name = "upper arm"
markers = ["U1", "U2"]
"#;

#[test]
fn segments_come_in_any_order_and_the_rest_is_set_aside() {
    let trial = trial(&["U1", "U2", "F1", "H1", "H2", "X", "*4", "LHipAngles"]);
    let (plan, notes) = read(ARM, &trial).unwrap();
    assert!(notes.is_empty());
    let performer = &plan.performers[0];
    performer.check().unwrap();
    assert!(performer.is_tree_known && performer.origin == PlanOrigin::File);
    let names: Vec<&str> = performer.segments.iter().map(|s| s.name.as_str()).collect();
    assert_eq!(names, ["upper arm", "forearm", "hand"]);
    assert_eq!(performer.segments[1].joint_name.as_deref(), Some("elbow"));
    assert_eq!(performer.segments[1].joint_rule, JointRule::Hinge);
    let reasons: Vec<ExclusionReason> = plan.excluded.iter().map(|aside| aside.reason).collect();
    assert_eq!(
        reasons,
        [ExclusionReason::NotClaimed, ExclusionReason::Unlabelled, ExclusionReason::ModelOutput]
    );
}

#[test]
fn a_segment_without_markers_in_this_recording_is_passed_over() {
    let (plan, notes) = read(ARM, &trial(&["U1", "U2", "H1", "H2"])).unwrap();
    let hand = &plan.performers[0].segments[1];
    assert_eq!((hand.name.as_str(), hand.parent), ("hand", Some(0)));
    assert_eq!(hand.joint_name.as_deref(), Some("elbow"));
    let codes: Vec<&str> = notes.iter().map(|note| &*note.code).collect();
    assert_eq!(codes, ["plan-segment", "plan-marker"]);
}

#[test]
fn several_performers_have_prefixes() {
    let text = r#"
        version = 1
        [[performer]]
        prefix = "JOE:"
        [[performer.segment]]
        name = "foot"
        markers = ["A"]
        [[performer]]
        name = "Susan"
        prefix = "SUE"
        [[performer.segment]]
        name = "foot"
        markers = ["A"]
    "#;
    let (plan, _) = read(text, &trial(&["SUE:A", "JOE:A"])).unwrap();
    let found: Vec<(&str, usize)> =
        plan.performers.iter().map(|p| (p.name.as_str(), p.segments[0].markers[0])).collect();
    assert_eq!(found, [("JOE", 1), ("Susan", 0)]);
}

#[test]
fn says_what_is_wrong_and_where() {
    let segment = |rest: &str| format!("[[segment]]\nname = \"a\"\n{rest}\nmarkers = [\"A\"]\n");
    for (text, expected) in [
        ("version = 2".to_owned(), "line 1: version: need 1, got 2"),
        ("[[segment]]\nmarkers = []".to_owned(), "line 1: missing field `name`"),
        ("x = ".to_owned(), "line 1: "),
        (segment("colour = 1"), "line 3: unknown field `colour`"),
        (
            segment("rule = \"magic\""),
            "line 3: rule: need one of auto, two-sided, one-sided, hinge",
        ),
        (
            segment("parent = \"b\""),
            "line 3: parent: need the name of a segment, got 'b'; close to it: a",
        ),
        (segment("parent = \"a\""), "line 2: parent: need a tree, got a circle through 'a'"),
        (segment("") + &segment(""), "line 6: segment 'a': need every name once"),
        (
            segment("").replace("\"A\"", "\"A\", \"A\""),
            "line 4: marker 'A': need it on one segment",
        ),
        (segment("").replace("\"A\"", "\n\"Z\", \"SACRU\""), "line 5: marker: need a label"),
        (segment("").replace("\"A\"", "\"Quxquux\""), "need a [[segment]] with a marker"),
        (String::new(), "need a [[segment]] with a marker that is seen"),
    ] {
        let error = read(&text, &trial(&["A", "SACR"])).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{text}\n{error}");
        assert!(!error.contains('\n'), "{error}");
    }
}

#[test]
fn a_template_of_a_recognised_recording_reads_back_as_the_same_plan() {
    let labels = [
        "JOE:LASI",
        "JOE:RASI",
        "JOE:SACR",
        "JOE:LTHI",
        "JOE:LKNE",
        "JOE:LKNE",
        "JOE:LTIB",
        "JOE:LANK",
        "JOE:LTOE",
        "JOE:hat \"x\"",
        "*3",
        "JOE:RHJC",
    ];
    let trial = trial(&labels);
    let mut plan = recognise_trial(&trial).plan;
    let text = write(&plan, &trial);
    assert!(text.contains("prefix = \"JOE\"\n") && text.contains("# \"JOE:hat \\\"x\\\"\"\n"));
    assert!(text.contains("markers = [\"LTHI\", \"LKNE[1]\", \"LKNE[2]\"]"), "{text}");
    let (read, notes) = read(&text, &trial).unwrap();
    plan.performers.iter_mut().for_each(|performer| performer.origin = PlanOrigin::File);
    assert_eq!((read, notes), (plan, Vec::new()));
}

/// A plan over numbered markers: for each segment a name, a choice of parent, a rule, and markers.
fn plans() -> impl Strategy<Value = (Vec<String>, Plan)> {
    let labels = prop::collection::vec("(P:)?[A-Za-z0-9_ \\[\\]\"\\\\é*.-]{0,6}", 1..20);
    let shape = prop::collection::vec((any::<u8>(), 0_usize..4, any::<bool>()), 1..8);
    (labels, shape, any::<bool>(), "P?").prop_map(|(labels, shape, is_tree_known, name)| {
        let count = shape.len();
        let mut segments: Vec<PlannedSegment> = Vec::new();
        for (index, (parent, rule, is_named)) in shape.into_iter().enumerate() {
            let markers: Vec<usize> = (0..labels.len()).filter(|m| m % count == index).collect();
            if markers.is_empty() {
                continue;
            }
            let place = segments.len();
            let parent = (is_tree_known && place > 0).then(|| usize::from(parent) % place);
            let joint_name = (parent.is_some() && is_named).then(|| format!("joint {index}"));
            let joint_rule = if parent.is_some() { JointRule::ALL[rule] } else { JointRule::Auto };
            let name = format!("segment {index}");
            segments.push(PlannedSegment { name, parent, markers, joint_name, joint_rule });
        }
        let is_tree_known = is_tree_known || segments.len() == 1;
        let origin = PlanOrigin::File;
        let performer = Performer { name, origin, segments, is_tree_known };
        (labels, Plan { performers: vec![performer], excluded: Vec::new() })
    })
}

proptest! {
    #[test]
    fn write_then_read_is_the_identity_up_to_the_order_of_segments((labels, plan) in plans()) {
        let trial = trial(&labels);
        let text = write(&plan, &trial);
        let (back, notes) = read(&text, &trial).unwrap();
        prop_assert!(notes.is_empty(), "{:?}\n{}", notes, text);
        let rows = |plan: &Plan| {
            let segments = &plan.performers[0].segments;
            let parent = |index: usize| segments[index].name.clone();
            let mut rows: Vec<_> = segments.iter().map(|s| (
                s.name.clone(), s.parent.map(parent), s.markers.clone(), s.joint_name.clone(),
                s.joint_rule,
            )).collect();
            rows.sort_by(|a, b| a.0.cmp(&b.0));
            rows
        };
        prop_assert_eq!(rows(&back), rows(&plan));
        prop_assert_eq!(&back.performers[0].name, &plan.performers[0].name);
        prop_assert_eq!(back.performers[0].is_tree_known, plan.performers[0].is_tree_known);
    }

    #[test]
    fn no_text_is_too_much(text in "(.|\n|\\[\\[segment\\]\\]\n|name = \"a\"\n|markers = \\[\"A\"\\]\n|parent = \"a\"\n){0,20}") {
        let _ = read(&text, &trial(&["A", "B"]));
    }
}
