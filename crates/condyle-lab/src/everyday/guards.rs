//! Where knowledge is wrong: who is unusual, and labels that are not what they say.

use condyle::Trial;
use condyle::simulate::Routine;
use condyle::subject::CentreKnown;
use condyle::trial::{Marker, Origin};
use nalgebra::{Point3, Vector3};

use super::estimate::{Estimator, Settings};
use super::people::{Chance, Unusual};
use super::said::Said;
use super::scene::{Creature, Recorded, Scene, record};
use super::score::{COLUMNS, JointScore, score, summary};
use super::simulated::truth_of;
use super::table::{Table, mm, percent};

/// One kind of failure.
pub struct Case {
    /// What is wrong.
    pub name: &'static str,
    /// Who is recorded.
    pub scene: Scene,
    harm: fn(&mut Recorded),
}

impl Case {
    /// A recording with what is wrong; of people, with Plug-in Gait's markers and labels if asked for.
    ///
    /// # Errors
    /// The scene cannot be simulated.
    pub fn record(&self, seed: u64, is_plug_in_gait: bool) -> anyhow::Result<Recorded> {
        let mut recorded = record(&self.scene, seed)?;
        (self.harm)(&mut recorded);
        if is_plug_in_gait {
            call_as_plug_in_gait(&mut recorded);
        }
        Ok(recorded)
    }
}

/// CMU's labels as Plug-in Gait has them, without its side.
const IN_PLUG_IN_GAIT: [(&str, &str); 4] =
    [("FWT", "ASI"), ("BWT", "PSI"), ("SHN", "TIB"), ("BAC", "BAK")];

fn call_as_plug_in_gait(recorded: &mut Recorded) {
    remove(recorded, |label| label.ends_with("MT5"));
    for marker in &mut recorded.trial.markers {
        let called = IN_PLUG_IN_GAIT.iter().find(|(cmu, _)| marker.label.get(1..) == Some(*cmu));
        if let Some((_, label)) = called {
            marker.label.replace_range(1.., label);
        }
    }
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

/// Exchanges two labels in a stretch of the frames, from one share of them to another.
fn exchange_for_a_while(trial: &mut Trial, labels: [&str; 2], from: f64, to: f64) {
    let column = |label: &str| trial.markers.iter().position(|marker| marker.label == label);
    let [Some(one), Some(other)] = labels.map(column) else { return };
    let at = |share: f64| (share * trial.frames as f64) as usize;
    for frame in at(from)..at(to) {
        let [a, b] = [one, other].map(|marker| trial.markers[marker].position_m(frame));
        trial.markers[one].set(frame, b, Origin::Measured);
        trial.markers[other].set(frame, a, Origin::Measured);
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

/// A marker's place and its frame's joints, by their names without the side that the marker is on.
type Displaced = fn(Point3<f64>, &dyn Fn(&str) -> Option<Point3<f64>>) -> Option<Point3<f64>>;

/// Where a marker goes in every frame that shows it.
fn displaced(recorded: &Recorded, label: &str, to: Displaced) -> Vec<(usize, Point3<f64>)> {
    let truth = truth_of(recorded, Scene::everyday(Routine::Walk).creature);
    let side = if label.starts_with('R') { "right" } else { "left" };
    let mut places = Vec::new();
    for marker in recorded.trial.markers.iter().filter(|marker| marker.label == label) {
        for frame in 0..marker.frames() {
            let joint = |name: &str| {
                let name = format!("{side} {name}");
                (truth.iter().find(|joint| joint.name == name)?.position_m)(frame)
            };
            let at_m = marker.position_m(frame).and_then(|at_m| to(at_m, &joint));
            places.extend(at_m.map(|at_m| (frame, at_m)));
        }
    }
    places
}

/// Moves markers.
fn displace(recorded: &mut Recorded, labels: &[&str], to: Displaced) {
    for label in labels {
        let places = displaced(recorded, label, to);
        let moved = recorded.trial.markers.iter_mut().find(|marker| marker.label == *label);
        let Some(moved) = moved else { continue };
        places.into_iter().for_each(|(at, m)| moved.set(at, Some(m), Origin::Measured));
    }
}

/// Puts on a marker of another label beside one that is there.
fn add_beside(recorded: &mut Recorded, label: &str, added: &str, to: Displaced) {
    let places = displaced(recorded, label, to);
    let mut marker = Marker::all_missing(added, recorded.trial.frames);
    places.into_iter().for_each(|(at, m)| marker.set(at, Some(m), Origin::Measured));
    recorded.trial.markers.push(marker);
}

/// The other side of a joint.
fn across(at_m: Point3<f64>, joint_m: Point3<f64>) -> Point3<f64> {
    joint_m + (joint_m - at_m)
}

/// Puts on markers on the inner side of elbows.
fn add_medial_elbows(recorded: &mut Recorded) {
    for side in ["L", "R"] {
        add_beside(recorded, &format!("{side}ELB"), &format!("{side}ELBM"), |at_m, joint| {
            Some(across(at_m, joint("elbow")?))
        });
    }
}

/// Puts on markers on the inner side of knees and ankles.
fn add_medial(recorded: &mut Recorded) {
    for side in ["L", "R"] {
        let [knee, ankle] = ["KNE", "ANK"].map(|label| format!("{side}{label}"));
        add_beside(recorded, &knee, &format!("{side}KNM"), |at_m, joint| {
            Some(across(at_m, joint("knee")?))
        });
        add_beside(recorded, &ankle, &format!("{side}MED"), |at_m, joint| {
            Some(across(at_m, joint("ankle")?))
        });
    }
}

/// How far away a marker that is put on too far out is.
const TOO_FAR_OUT_M: f64 = 0.020;

fn outwards(at_m: Point3<f64>, joint_m: Point3<f64>) -> Point3<f64> {
    at_m + (at_m - joint_m).normalize() * TOO_FAR_OUT_M
}

fn up_the_forearm(
    at_m: Point3<f64>,
    joint: &dyn Fn(&str) -> Option<Point3<f64>>,
    by_m: f64,
) -> Option<Point3<f64>> {
    Some(at_m + (joint("elbow")? - joint("wrist")?).normalize() * by_m)
}

/// Nobody moves: every frame is the first, each marker with its own noise.
fn stand_still(recorded: &mut Recorded) {
    let noise_m = Scene::everyday(Routine::Walk).noise_m;
    let mut chance = Chance::new(recorded.trial.frames as u64);
    for marker in &mut recorded.trial.markers {
        let Some(first_m) = marker.position_m(0) else { continue };
        for frame in 1..marker.frames() {
            let at_m = first_m + Vector3::from_fn(|_, _| chance.normal(noise_m));
            marker.set(frame, Some(at_m), Origin::Measured);
        }
    }
    let first_m = recorded.truth.joint_positions_m.first().cloned().unwrap_or_default();
    recorded.truth.joint_positions_m.fill(first_m);
}

const LEFT_LEG: [&str; 7] = ["LTHI", "LKNE", "LSHN", "LANK", "LHEE", "LTOE", "LMT5"];

/// All of them.
pub fn cases() -> Vec<Case> {
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
        case("no shank markers", walk, |r| remove(r, |label| label.ends_with("SHN"))),
        case("no shank or ankle markers", walk, |r| {
            remove(r, |label| label.ends_with("SHN") || label.ends_with("ANK"));
        }),
        case("LELB on the inner side", walk, |r| {
            displace(r, &["LELB"], |at_m, joint| Some(across(at_m, joint("elbow")?)));
        }),
        case("LELB and RELB on the inner side", walk, |r| {
            displace(r, &["LELB", "RELB"], |at_m, joint| Some(across(at_m, joint("elbow")?)));
        }),
        case("LKNE on the inner side", walk, |r| {
            displace(r, &["LKNE"], |at_m, joint| Some(across(at_m, joint("knee")?)));
        }),
        case("knee markers 20 mm out", walk, |r| {
            displace(r, &["LKNE", "RKNE"], |at_m, joint| Some(outwards(at_m, joint("knee")?)));
        }),
        case("LKNE 20 mm out", walk, |r| {
            displace(r, &["LKNE"], |at_m, joint| Some(outwards(at_m, joint("knee")?)));
        }),
        case("left wrist markers 20 mm up", walk, |r| {
            displace(r, &["LWRA", "LWRB"], |at_m, joint| up_the_forearm(at_m, joint, 0.020));
        }),
        case("left wrist markers 30 mm up", walk, |r| {
            displace(r, &["LWRA", "LWRB"], |at_m, joint| up_the_forearm(at_m, joint, 0.030));
        }),
        case("all wrist markers 30 mm up", walk, |r| {
            let labels = ["LWRA", "LWRB", "RWRA", "RWRB"];
            displace(r, &labels, |at_m, joint| up_the_forearm(at_m, joint, 0.030));
        }),
        case("medial markers too", walk, add_medial),
        case("LKNE and LKNM exchanged", walk, |r| {
            add_medial(r);
            exchange(&mut r.trial, "LKNE", "LKNM");
        }),
        case("LANK and LMED exchanged", walk, |r| {
            add_medial(r);
            exchange(&mut r.trial, "LANK", "LMED");
        }),
        case("knees' lateral and medial exchanged", walk, |r| {
            add_medial(r);
            exchange(&mut r.trial, "LKNE", "LKNM");
            exchange(&mut r.trial, "RKNE", "RKNM");
        }),
        case("LELB and LELBM exchanged", walk, |r| {
            add_medial_elbows(r);
            exchange(&mut r.trial, "LELB", "LELBM");
        }),
        case("medial elbow markers too", walk, add_medial_elbows),
        case("LANK and LHEE exchanged", walk, |r| exchange(&mut r.trial, "LANK", "LHEE")),
        case("LANK and LHEE exchanged for a third", walk, |r| {
            exchange_for_a_while(&mut r.trial, ["LANK", "LHEE"], 0.4, 0.73);
        }),
        case("LANK and LHEE exchanged from the middle on", walk, |r| {
            exchange_for_a_while(&mut r.trial, ["LANK", "LHEE"], 0.55, 1.0);
        }),
        case("LANK and LHEE exchanged for two thirds", walk, |r| {
            exchange_for_a_while(&mut r.trial, ["LANK", "LHEE"], 0.2, 0.87);
        }),
        case("LUPA and RUPA exchanged", walk, |r| exchange(&mut r.trial, "LUPA", "RUPA")),
        case("LSHO and CLAV exchanged", walk, |r| exchange(&mut r.trial, "LSHO", "CLAV")),
        case("standing still", walk, stand_still),
        case(
            "obese, standing still",
            unusual(Unusual { is_obese: true, ..Unusual::default() }),
            stand_still,
        ),
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

/// A joint that is called well known and is not: whoever reads the word relies on it.
fn misleads(score: &JointScore) -> bool {
    let is_well = score.sd_m.map(CentreKnown::from_sd_m) == Some(CentreKnown::Well);
    is_well && score.error_m.is_some_and(|error_m| error_m > MISLED_M)
}

/// A joint that is called well known is not off by so much.
const MISLED_M: f64 = 0.020;

/// The table of all cases; what is said is counted over the recordings.
///
/// # Errors
/// A scene cannot be simulated.
pub fn tables(
    estimator: &dyn Estimator,
    settings: &Settings,
    (only, is_plug_in_gait): (Option<&str>, bool),
    seeds: std::ops::Range<u64>,
    mut show: impl FnMut(&Table),
) -> anyhow::Result<()> {
    let set = if is_plug_in_gait { ", Plug-in Gait" } else { "" };
    let title = format!("Where knowledge is wrong{set} [{}]", estimator.name());
    let mut table = Table::new(
        title,
        &[
            &["case"],
            COLUMNS.as_slice(),
            &["refused", "least sure", "mm", "%", "worst/mm", "misled"],
        ]
        .concat(),
    );
    let mut remarks = Vec::new();
    for case in cases().iter().filter(|case| only.is_none_or(|only| case.name.contains(only))) {
        let (mut scores, mut refused) = (Vec::new(), 0);
        let mut said = Said::default();
        for seed in seeds.clone() {
            let recorded = case.record(seed, is_plug_in_gait)?;
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
        let misled = scores.iter().filter(|score| misleads(score)).count();
        let worst_m = scores.iter().filter_map(|score| score.error_m).fold(0.0, f64::max);
        let most = vec![mm(worst_m), misled.to_string()];
        table.row([vec![case.name.to_owned()], cells, refused, least.to_vec(), most].concat());
        remarks.extend(said.remarks().map(|remark| format!("{}: {remark}", case.name)));
    }
    remarks.into_iter().for_each(|remark| table.remark(remark));
    show(&table);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::main_job::MainJob;
    use super::super::score::CHI2_95;
    use super::*;

    /// The scores of a case with Plug-in Gait's markers.
    fn scores(name: &str, seed: u64) -> Vec<JointScore> {
        let cases = cases();
        let case = cases.iter().find(|case| case.name == name).unwrap();
        let recorded = case.record(seed, true).unwrap();
        let estimates = MainJob.estimate(&recorded.trial, None, &Settings::default()).unwrap();
        score(&estimates[0], &truth_of(&recorded, case.scene.creature))
    }

    #[test]
    fn hips_of_heavy_people_who_stand_still_are_inside_their_ellipsoids() {
        for seed in [52000, 52001] {
            let scores = scores("obese, standing still", seed);
            let hips: Vec<&JointScore> = scores.iter().filter(|s| s.class() == "hip").collect();
            assert_eq!(hips.len(), 2);
            assert!(hips.iter().all(|hip| hip.chi2.unwrap() < CHI2_95), "{seed}: {hips:?}");
        }
    }

    #[test]
    fn a_shoulder_whose_label_the_breastbone_bears_is_not_put_there() {
        let scores = scores("LSHO and CLAV exchanged", 52001);
        let shoulder = scores.iter().find(|score| score.name == "left shoulder").unwrap();
        assert!(shoulder.error_m.unwrap() < 0.05, "{shoulder:?}");
    }
}
