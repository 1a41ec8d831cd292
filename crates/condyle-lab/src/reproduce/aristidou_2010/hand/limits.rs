//! Section 5.5 and figure 5.8: joints out of proportion, found and repaired.

use super::SEED;
use crate::hand::proportions;
use crate::reproduce::lab::Lab;
use crate::reproduce::section::{Line, Section};
use condyle_page::page::{Axis, Chart, Ink, Mark, Scale, Series};

/// Made violations.
const COUNT: usize = 1000;

/// Makes them and looks at what comes of them.
pub fn run(_: &Lab) -> Section {
    let Ok(score) = proportions::score(COUNT, SEED) else { return Section::default() };
    let lines = vec![
        Line::new("joints out of proportion, in proportion afterwards", "section 5.5")
            .compare("all", format!("{} of {}", score.in_proportion, score.made))
            .holds(score.in_proportion == score.made),
        Line::new("tips met within 1 mm where a pose in proportion meets them", "wanted")
            .compare("all", format!("{} of {}", score.met, score.feasible))
            .holds(score.met == score.feasible),
    ];
    let series = score.pictured.iter().flat_map(|[made, repaired]| {
        let of = |name: &str, ink: usize, joints: &[[f64; 2]]| {
            let points = joints.iter().map(|[x, z]| (x * 1e3, z * 1e3, None));
            Series::new(name.to_owned(), Ink(ink), Mark::Line, points)
        };
        [of("(a) made", 1, made), of("(b) repaired", 0, repaired)]
    });
    let charts = vec![Chart {
        name: "proportions",
        title: "A finger out of proportion, and repaired".into(),
        caption:
            "Figure 5.8: from the side, the base at (0, 0); both have their marker in one place."
                .into(),
        x: Axis::new("along the hand, mm", "x_mm", Scale::Linear).within(-20.0, 100.0),
        y: Axis::new("out of its back, mm", "z_mm", Scale::Linear).within(-80.0, 40.0),
        series: series.collect(),
        ..Chart::default()
    }];
    Section {
        text: vec![
            "Poses of the index within its limits whose end joint is more than 15 degrees off two thirds of the middle \
             one, or whose middle joint is bent while the base is bent back, are given by their tips alone."
                .into(),
        ],
        lines,
        charts,
        ..Section::default()
    }
}
