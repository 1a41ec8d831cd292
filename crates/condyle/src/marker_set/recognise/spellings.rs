//! Forty spellings of what is around the names of markers, on five marker sets.

use super::*;
use crate::marker_set::sets::SETS;
use crate::marker_set::table::entries;

const WORN: [&str; 5] =
    ["Plug-in Gait", "Vicon 512", "Helen Hayes", "OptiTrack Baseline", "Qualisys Animation"];

/// A marker's side, its name without it, and its number.
struct Name {
    side: &'static str,
    stem: String,
    number: usize,
}

/// The names of a set, in capitals.
fn names(set: &str) -> Vec<Name> {
    let set = SETS.set.iter().find(|known| known.name == set).unwrap();
    let mut names = Vec::new();
    for (_, entry) in entries(&set.core) {
        let pattern = entry.split('/').next().unwrap().replace('#', "1").replace('*', "");
        let sides: &[&str] = if pattern.starts_with('?') { &["L", "R"] } else { &[""] };
        for side in sides {
            let stem = pattern.trim_start_matches('?').replace('?', side);
            names.push(Name { side, stem, number: names.len() + 1 });
        }
    }
    names
}

fn plain(name: &Name) -> String {
    format!("{}{}", name.side, name.stem)
}

fn long_side(name: &Name) -> &'static str {
    match name.side {
        "L" => "Left",
        "R" => "Right",
        _ => "",
    }
}

/// A side behind the name, before a number at its end.
fn side_behind(name: &Name, between: &str) -> String {
    let letters = name.stem.trim_end_matches(|c: char| c.is_ascii_digit());
    let separator = if name.side.is_empty() { "" } else { between };
    format!("{letters}{separator}{}{}", name.side, &name.stem[letters.len()..])
}

type Spelling = fn(&Name) -> String;

const SPELLINGS: [Spelling; 40] = [
    plain,
    |n| plain(n).to_lowercase(),
    |n| format!("S01.{}", plain(n)),
    |n| format!("P1-{}", plain(n)),
    |n| format!("S01_T2_{}", plain(n)),
    |n| format!("First Last {}", plain(n)),
    |n| format!("xx|{}", plain(n)),
    |n| format!("Skeleton 001/{}", plain(n)),
    |n| format!("{}_raw", plain(n)),
    |n| format!("L{}", plain(n)),
    |n| side_behind(n, ""),
    |n| side_behind(n, "_"),
    |n| format!("{}{}", long_side(n), n.stem),
    |n| format!("{} {}", long_side(n), n.stem.to_lowercase()),
    |n| format!("{}_{}", n.stem.to_lowercase(), long_side(n).to_lowercase()),
    |n| format!("{}{}", n.stem, long_side(n)),
    |n| format!("JOE:{}", plain(n)),
    |n| format!("lab:JOE:{}", plain(n)),
    |n| format!("Actor_{}", plain(n)),
    |n| format!("S01{}", plain(n)),
    |n| format!("Max{}", plain(n)),
    |n| format!("{}.filtered", plain(n)),
    |n| format!("{} (1)", plain(n)),
    |n| format!("{}-v2", plain(n)),
    |n| format!("{:02}_{}", n.number, plain(n)),
    |n| format!("M{}-{}", n.number, plain(n)),
    |n| format!("{}_{}", plain(n), n.number),
    |n| format!("S01.{}.raw", plain(n)),
    |n| format!("trial 3: JOE / {}", plain(n)),
    |n| format!("2024-05-01_walk_{}", plain(n)),
    |n| format!("[A] {}", plain(n)),
    |n| format!("Sub#7#{}", plain(n).to_lowercase()),
    |n| format!("P1-{}_fil", side_behind(n, "_")),
    |n| format!("S01_{}", side_behind(n, "")),
    |n| format!("xx|{}{}", long_side(n), n.stem.to_lowercase()),
    |n| format!("Müller;{}", plain(n)),
    |n| format!("a.b.c.{}", plain(n)),
    |n| format!("{}mm", plain(n)),
    |n| {
        format!(
            "{}{}",
            match n.side {
                "L" => "Lt",
                "R" => "Rt",
                side => side,
            },
            n.stem
        )
    },
    |n| format!("  {}  ", plain(n)),
];

#[test]
fn forty_spellings_of_five_marker_sets_are_all_recognised_and_none_mistaken() {
    let mut wrong = Vec::new();
    for set in WORN {
        let names = names(set);
        let usual: Vec<String> = names.iter().map(plain).collect();
        let usual: Vec<&str> = usual.iter().map(String::as_str).collect();
        let expected = recognise(&usual);
        assert_eq!(expected.performers[0].marker_set, Some(set));
        assert!(expected.performers[0].margin > 0.02, "{set}: {}", expected.performers[0].margin);
        for (index, spelling) in SPELLINGS.iter().enumerate() {
            let labels: Vec<String> = names.iter().map(spelling).collect();
            let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
            let found = recognise(&labels);
            let is_same = found.plan.performers.len() == 1
                && found.performers[0].marker_set == Some(set)
                && (found.performers[0].margin - expected.performers[0].margin).abs() < 1e-9
                && found.plan.performers[0].segments == expected.plan.performers[0].segments;
            if !is_same {
                let who: Vec<_> =
                    found.performers.iter().map(|p| (&p.name, p.marker_set, p.placed)).collect();
                wrong.push(format!("{set} {index}: {} {who:?}", labels[0]));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of 200:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn performers_are_told_apart_by_whatever_stands_before_the_names() {
    for [one, other] in
        [["P1-", "P2-"], ["S01.", "S02."], ["Ann Lee ", "Bob Ray "], ["Skel 001/", "Skel 002/"]]
    {
        let mut labels = Vec::new();
        for prefix in [one, other] {
            labels.extend(names("Plug-in Gait").iter().map(|n| format!("{prefix}{}", plain(n))));
        }
        let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
        let found = recognise(&labels);
        let who: Vec<_> = found.performers.iter().map(|p| (p.name.as_str(), p.placed)).collect();
        let named = |prefix: &'static str| prefix.trim_matches(|c: char| !c.is_alphanumeric());
        assert_eq!(who, [(named(one), 39), (named(other), 39)], "{one}");
    }
}

#[test]
fn performers_are_told_apart_by_whatever_stands_behind_the_names() {
    for [one, other] in [["@S01", "@S02"], ["_Ann", "_Bob"], [" (P-01)", " (P-02)"]] {
        let mut labels = Vec::new();
        for suffix in [one, other] {
            labels.extend(names("Plug-in Gait").iter().map(|n| format!("{}{suffix}", plain(n))));
        }
        let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
        let found = recognise(&labels);
        let who: Vec<_> = found.performers.iter().map(|p| (p.name.as_str(), p.placed)).collect();
        let named = |suffix: &'static str| suffix.trim_matches(|c: char| !c.is_alphanumeric());
        assert_eq!(who, [(named(one), 39), (named(other), 39)], "{one}");
    }
}

#[test]
fn numbered_channels_mean_nothing_however_they_are_read() {
    let labels: Vec<String> = (101..141).map(|number| format!("Channel{number}")).collect();
    let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
    assert!(recognise(&labels).plan.performers.is_empty());
}
