use nalgebra::{Matrix3, Point3, UnitQuaternion, Vector3};

use super::*;

fn marker(label: &str, x_m: f64) -> SegmentMarker {
    SegmentMarker::new(label, Point3::new(x_m, 0.2, 0.3))
}

fn arm() -> Subject {
    let mut upper = Segment::new("upper arm", None, vec![marker("A", 0.1), marker("B", 0.2)]);
    upper.sigma_m = 1e-3;
    let mut lower = Segment::new("forearm", Some(0), vec![marker("C", 0.1)]);
    lower.orientation_sigma_rad = Some(0.01);
    let mut elbow = Joint::new("elbow", [0, 1], Point3::new(0.3, 0.0, 0.1), Point3::origin());
    elbow.covariance_m2 = Matrix3::new(1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0) * 1e-6;
    elbow.axis_in_parent = Some(Vector3::z());
    elbow.parent_from_child_rest = UnitQuaternion::from_euler_angles(0.1, 0.2, 0.3);
    let mut subject = Subject::new("Ann", vec![upper, lower], vec![elbow]).unwrap();
    subject.provenance.recordings.push("rom.c3d".into());
    subject.notes.push(Note::new("no-joint", "hand: no joint").about("hand").at_frame(7));
    subject
}

fn refusal(result: Result<Subject>) -> String {
    result.unwrap_err().to_string()
}

#[test]
fn a_file_holds_segments_by_name_rows_of_matrices_and_w_first() {
    let subject = arm();
    let text = subject.to_json().unwrap();
    assert_eq!(Subject::from_json(&text).unwrap(), subject);
    assert_eq!(serde_json::from_str::<Subject>(&text).unwrap(), subject);
    let file: serde_json::Value = serde_json::from_str(&text).unwrap();
    let (root, lower, joint) = (&file["segments"][0], &file["segments"][1], &file["joints"][0]);
    assert_eq!(file["version"], VERSION);
    assert!(root["parent"].is_null() && root.get("orientation_sigma_rad").is_none());
    assert_eq!((&lower["parent"], &joint["parent"]), (&"upper arm".into(), &"upper arm".into()));
    assert_eq!((&joint["child"], &joint["kind"]), (&"forearm".into(), &"ball".into()));
    assert_eq!(joint["centre"], "well");
    assert_eq!(joint["covariance_m2"][0], serde_json::json!([1e-6, 2e-6, 3e-6]));
    assert_eq!(joint["parent_from_child_rest"][0], subject.joints[0].parent_from_child_rest.w);
    assert!(joint["axis_in_child"].is_null() && joint.get("advice").is_none());
    let note = serde_json::json!({
        "code": "no-joint", "text": "hand: no joint", "about": "hand", "frame": 7
    });
    assert_eq!(file["notes"][0], note);
}

#[test]
fn notes_of_older_files_are_read() {
    let subject = arm();
    let mut file: serde_json::Value = serde_json::from_str(&subject.to_json().unwrap()).unwrap();
    file["notes"] = serde_json::json!(["loop: a and b are held together", "left hand: no joint"]);
    let notes = Subject::from_json(&file.to_string()).unwrap().notes;
    assert_eq!(notes[0], Note::new("loop", "a and b are held together"));
    assert_eq!(notes[1], Note::new("subject-file", "left hand: no joint"));
}

#[test]
fn what_contradicts_itself_is_refused_when_made_and_when_read() {
    let (segments, joints) = (arm().segments, arm().joints);
    let made = |change: &dyn Fn(&mut Vec<Segment>, &mut Vec<Joint>)| {
        let (mut segments, mut joints) = (segments.clone(), joints.clone());
        change(&mut segments, &mut joints);
        refusal(Subject::new("", segments, joints))
    };
    assert!(made(&|s, _| s[0].name = "forearm".into()).contains("different names"));
    assert!(made(&|s, _| s[0].parent = Some(1)).contains("need its parent before it"));
    assert!(made(&|_, j| j[0].child = 9).contains("need a child of 'upper arm', got ''"));
    assert!(made(&|_, j| j[0].parent = 1).contains("need a child of 'forearm'"));
    assert!(made(&|s, _| s[1].markers[0].weight = f64::NAN).contains("finite numbers, got NaN"));
    assert!(made(&|_, j| j[0].covariance_m2.m23 = f64::INFINITY).contains("got inf"));
    let text = arm().to_json().unwrap();
    let read = |from: &str, to: &str| refusal(Subject::from_json(&text.replacen(from, to, 1)));
    let unknown = read("\"parent\": \"upper arm\"", "\"parent\": \"leg\"");
    assert_eq!(unknown, "segment 'forearm': need a segment of the file, got 'leg'");
    assert!(read("\"kind\": \"ball\"", "\"kind\": \"bowl\"").contains("bowl"));
    assert!(read("\"name\": \"forearm\"", "\"name\": \"upper arm\"").contains("need a"));
    let w = arm().joints[0].parent_from_child_rest.w.to_string();
    assert!(read(&w, "7").contains("need a unit quaternion, got norm 7"));
    let mut broken = arm();
    broken.joints[0].separation_m = f64::NAN;
    assert!(broken.to_json().unwrap_err().to_string().contains("need finite numbers, got NaN"));
}
