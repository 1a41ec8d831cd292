//! Where knowledge is wrong: who is unusual, and labels that are not what they say.

use condyle::Trial;
use condyle::simulate::Routine;
use condyle::trial::Origin;
use nalgebra::Point3;

use super::estimate::{Estimator, Settings};
use super::people::Unusual;
use super::said::Said;
use super::scene::{Creature, Recorded, Scene, record};
use super::score::{COLUMNS, JointScore, score, summary};
use super::simulated::truth_of;
use super::table::{Table, mm, percent};

/// One kind of failure.
struct Case {
    name: &'static str,
    scene: Scene,
    harm: fn(&mut Recorded),
}

fn nothing(_: &mut Recorded) {}

fn exchange(trial: &mut Trial, one: &str, other: &str) {
    for marker in &mut trial.markers {
        if marker.label == one {
            marker.label = other.to_owned();
        } else if marker.label == other {
            marker.label = one.to_owned();
        }
    }
}

fn exchange_sides(recorded: &mut Recorded) {
    for marker in &mut recorded.trial.markers {
        let other = match marker.label.chars().next() {
            // RBAC is on the right of everyone.
            Some('L') => "R",
            Some('R') if marker.label != "RBAC" => "L",
            _ => continue,
        };
        marker.label.replace_range(..1, other);
    }
}

fn remove(recorded: &mut Recorded, is_removed: impl Fn(&str) -> bool) {
    let keep: Vec<bool> =
        recorded.trial.markers.iter().map(|marker| !is_removed(&marker.label)).collect();
    let mut kept = keep.iter();
    recorded.trial.markers.retain(|_| kept.next().copied().unwrap_or(true));
}

/// Moves a marker: `to` has its position and those of the true joints of a frame.
fn displace(
    recorded: &mut Recorded,
    label: &str,
    to: impl Fn(Point3<f64>, &Joints) -> Point3<f64>,
) {
    let truth = truth_of(recorded, Scene::everyday(Routine::Walk).creature);
    let moved: Vec<(usize, usize, Point3<f64>)> = (recorded.trial.markers.iter().enumerate())
        .filter(|(_, marker)| marker.label == label)
        .flat_map(|(index, marker)| {
            let (truth, to) = (&truth, &to);
            (0..marker.frames()).filter_map(move |frame| {
                let joint = |name: &str| {
                    let joint = truth.iter().find(|joint| joint.name == name)?;
                    (joint.position_m)(frame)
                };
                let joints = Joints {
                    elbow_m: joint("left elbow")?,
                    wrist_m: joint("left wrist")?,
                    knee_m: joint("left knee")?,
                };
                Some((index, frame, to(marker.position_m(frame)?, &joints)))
            })
        })
        .collect();
    drop(truth);
    for (index, frame, to_m) in moved {
        recorded.trial.markers[index].set(frame, Some(to_m), Origin::Measured);
    }
}

/// The true joints that markers are moved about.
struct Joints {
    elbow_m: Point3<f64>,
    wrist_m: Point3<f64>,
    knee_m: Point3<f64>,
}

/// The other side of a joint.
fn across(at_m: Point3<f64>, joint_m: Point3<f64>) -> Point3<f64> {
    joint_m + (joint_m - at_m)
}

/// Moves the markers of the left wrist up the forearm.
fn wrist_markers_up(recorded: &mut Recorded, up_m: f64) {
    for label in ["LWRA", "LWRB"] {
        displace(recorded, label, |at_m, joints| {
            at_m + (joints.elbow_m - joints.wrist_m).normalize() * up_m
        });
    }
}

const LEFT_LEG: [&str; 7] = ["LTHI", "LKNE", "LSHN", "LANK", "LHEE", "LTOE", "LMT5"];

fn cases() -> Vec<Case> {
    let walk = Scene::everyday(Routine::Walk);
    let unusual = |unusual: Unusual| Scene { unusual, ..walk };
    let tall = |stature_m| unusual(Unusual { stature_m: Some(stature_m), ..Unusual::default() });
    let short = |left_shank_short_m| unusual(Unusual { left_shank_short_m, ..Unusual::default() });
    let case = |name, scene, harm| Case { name, scene, harm };
    vec![
        case("normal", walk, nothing),
        case("child of 1.10 m", tall(1.10), nothing),
        case("2.10 m", tall(2.10), nothing),
        case("obese", unusual(Unusual { is_obese: true, ..Unusual::default() }), nothing),
        case("left shank 30 mm short", short(0.030), nothing),
        case("left shank 60 mm short", short(0.060), nothing),
        case("left shank 100 mm short", short(0.100), nothing),
        case("LKNE and RKNE exchanged", walk, |r| exchange(&mut r.trial, "LKNE", "RKNE")),
        case("LFWT and LBWT exchanged", walk, |r| exchange(&mut r.trial, "LFWT", "LBWT")),
        case("LELB and LUPA exchanged", walk, |r| exchange(&mut r.trial, "LELB", "LUPA")),
        case("LTHI and LSHN exchanged", walk, |r| exchange(&mut r.trial, "LTHI", "LSHN")),
        case("left and right exchanged", walk, exchange_sides),
        case("no PSIS", walk, |r| remove(r, |label| label.ends_with("BWT"))),
        case("no knee markers", walk, |r| remove(r, |label| label.ends_with("KNE"))),
        case("no ankle markers", walk, |r| remove(r, |label| label.ends_with("ANK"))),
        case("no heel markers", walk, |r| remove(r, |label| label.ends_with("HEE"))),
        case("LELB on the inner side", walk, |r| {
            displace(r, "LELB", |at_m, joints| across(at_m, joints.elbow_m));
        }),
        case("LKNE on the inner side", walk, |r| {
            displace(r, "LKNE", |at_m, joints| across(at_m, joints.knee_m));
        }),
        case("left wrist markers 30 mm up", walk, |r| wrist_markers_up(r, 0.030)),
        case("LELB and LWRA exchanged", walk, |r| exchange(&mut r.trial, "LELB", "LWRA")),
        case("left leg without markers", walk, |r| remove(r, |label| LEFT_LEG.contains(&label))),
        case("upper body only", walk, |r| {
            remove(r, |label| LEFT_LEG.iter().any(|leg| leg[1..] == label[1..]));
        }),
        case("10 frames", Scene { frames: 10, ..walk }, nothing),
        case("few labels known", walk, |r| {
            for (index, marker) in r.trial.markers.iter_mut().enumerate() {
                if index % 5 != 0 {
                    marker.label = format!("Q{index}");
                }
            }
        }),
        case("dog", Scene { creature: Creature::Dog(3), ..walk }, nothing),
    ]
}

/// The joint of a side whose truth is inside its ellipsoid least often, with its mean error and that share.
fn least_covered(scores: &[JointScore]) -> [String; 3] {
    let mut names: Vec<&str> = scores.iter().map(|score| score.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let summaries = names
        .into_iter()
        .map(|name| (name, summary(scores.iter().filter(|score| score.name == name))));
    let least = summaries.filter(|(_, sum)| sum.missing < sum.joints).min_by(|(_, a), (_, b)| {
        a.coverage.total_cmp(&b.coverage).then(b.error_m.total_cmp(&a.error_m))
    });
    least.map_or_else(Default::default, |(name, sum)| {
        [name.to_owned(), mm(sum.error_m), percent(sum.coverage)]
    })
}

/// The table of all cases; what is said is counted over the recordings.
///
/// # Errors
/// A scene cannot be simulated.
pub fn tables(
    estimator: &dyn Estimator,
    settings: &Settings,
    only: Option<&str>,
    seeds: std::ops::Range<u64>,
    mut show: impl FnMut(&Table),
) -> anyhow::Result<()> {
    let title = format!("Where knowledge is wrong [{}]", estimator.name());
    let mut table = Table::new(
        title,
        &[&["case"], COLUMNS.as_slice(), &["refused", "least sure", "mm", "%"]].concat(),
    );
    let mut remarks = Vec::new();
    for case in cases().iter().filter(|case| only.is_none_or(|only| case.name.contains(only))) {
        let (mut scores, mut refused) = (Vec::new(), 0);
        let mut said = Said::default();
        for seed in seeds.clone() {
            let mut recorded = record(&case.scene, seed)?;
            (case.harm)(&mut recorded);
            let estimates = estimator.estimate(&recorded.trial, recorded.plan.as_ref(), settings);
            match estimates.as_deref() {
                Ok([estimate, ..]) => {
                    scores.extend(score(estimate, &truth_of(&recorded, case.scene.creature)));
                    said.add(&estimate.said);
                }
                Ok([]) => refused += 1,
                Err(error) => {
                    refused += 1;
                    said.add(&[format!("refused: {error}")]);
                }
            }
        }
        let cells = summary(&scores).cells();
        let refused = vec![refused.to_string()];
        let least = least_covered(&scores);
        table.row([vec![case.name.to_owned()], cells, refused, least.to_vec()].concat());
        remarks.extend(said.remarks().map(|remark| format!("{}: {remark}", case.name)));
    }
    remarks.into_iter().for_each(|remark| table.remark(remark));
    show(&table);
    Ok(())
}
