//! Two runs side by side.

use super::joints::tone_of;
use super::page::summary;
use super::results::{JointResult, PerformerResult, Results};
use crate::figure::{self, View};
use condyle_page::page::{Page, Table, Tone};

/// A page with two runs beside each other, joint by joint.
pub fn page(both: [(&str, &Results); 2]) -> String {
    let [(name, one), (other_name, other)] = both;
    let mut page = Page::new(&format!("{name} and {other_name}"));
    for (letter, (name, results)) in ["A", "B"].iter().zip(both) {
        page.subheading(&format!("{letter}: {name}, of {}", results.recording.file));
        for performer in &results.performers {
            page.paragraph(&format!("Fitted to {}.", performer.fitted_to.join(", ")));
        }
        for text in summary(results) {
            page.paragraph(&text);
        }
        let scene = results.moving.scene();
        let frames = scene.telling_frames(6);
        let svg = figure::strip(&scene, &frames, &[View::Front, View::Side]);
        page.figure(&svg, &format!("{letter}, from ahead and from the right."));
    }
    page.heading("joints", "Joints");
    for performer in &one.performers {
        let twin = other.performers.iter().find(|p| p.name == performer.name);
        let twin = twin.or_else(|| other.performers.first().filter(|_| both_alone(one, other)));
        match twin {
            Some(twin) => page.table(&joints(performer, twin)),
            None => page.paragraph(&format!("{} is only in A.", performer.name)),
        }
    }
    let is_in_a = |name: &str| one.performers.iter().any(|performer| performer.name == name);
    for performer in other.performers.iter().filter(|performer| !is_in_a(&performer.name)) {
        if !both_alone(one, other) {
            page.paragraph(&format!("{} is only in B.", performer.name));
        }
    }
    page.finish()
}

/// A lone performer is the other's lone performer, whatever their names.
fn both_alone(one: &Results, other: &Results) -> bool {
    one.performers.len() == 1 && other.performers.len() == 1
}

fn joints(one: &PerformerResult, other: &PerformerResult) -> Table {
    let header = ["joint", "A", "B", "A sd mm", "B sd mm", "A bone mm", "B bone mm", "B - A mm"];
    let mut table = Table::new(&header, 3);
    table.caption = "The difference of bones is red where it exceeds 10 mm.".into();
    fn find<'a>(performer: &'a PerformerResult, name: &str) -> Option<&'a JointResult> {
        performer.joints.iter().find(|joint| joint.name == name)
    }
    for joint in &one.joints {
        table.rows.push(row(&joint.name, Some(joint), find(other, &joint.name)));
    }
    for joint in other.joints.iter().filter(|joint| find(one, &joint.name).is_none()) {
        table.rows.push(row(&joint.name, None, Some(joint)));
    }
    table
}

/// A joint of A and of B, whichever there is.
fn row(name: &str, a: Option<&JointResult>, b: Option<&JointResult>) -> Vec<(String, Tone)> {
    let number = |value: Option<f64>| {
        value.map_or_else(|| "-".to_owned(), |metres| format!("{:.1}", metres * 1e3))
    };
    let plain = |value: Option<f64>| (number(value), Tone::Plain);
    let words = |joint: Option<&JointResult>| match joint {
        Some(joint) => {
            (format!("{}, {} known", joint.kind.movement(), joint.centre.name()), tone_of(joint))
        }
        None => ("absent".to_owned(), Tone::Bad),
    };
    let bone_m = |joint: Option<&JointResult>| joint.and_then(|joint| joint.bone_m);
    let change_m = bone_m(a).zip(bone_m(b)).map(|(a, b)| b - a);
    let is_large = change_m.is_some_and(|change_m| change_m.abs() > 0.01);
    vec![
        (name.to_owned(), Tone::Plain),
        words(a),
        words(b),
        plain(a.map(|joint| joint.sd_m)),
        plain(b.map(|joint| joint.sd_m)),
        plain(bone_m(a)),
        plain(bone_m(b)),
        (number(change_m), if is_large { Tone::Bad } else { Tone::Plain }),
    ]
}
