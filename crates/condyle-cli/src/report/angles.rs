//! Joint angles over time in a report: left and right in one chart, with foot strikes.

use condyle::gait::{EventKind, Side};
use condyle::subject::CentreKnown;
use condyle_page::page::{Axis, Chart, Guide, Ink, Mark, Scale, Series};

use super::gait::{GaitResult, LEFT, RIGHT};
use super::results::{AngleResult, PerformerResult};

/// The middle of the body.
const MIDDLE: Ink = Ink(0);
/// An angle that goes further than this, in degrees, has turned round.
const HALF_TURN_DEG: f64 = 180.0;
/// Lines of events go beyond any angle.
const BEYOND_DEG: f64 = 1e5;

/// A chart an angle, with the curves of both sides.
pub fn charts(performer: &PerformerResult, gait: Option<&GaitResult>) -> Vec<Chart> {
    let mut charts: Vec<(String, Chart)> = Vec::new();
    for angle in &performer.angles {
        let (side, joint) = sided(&angle.joint);
        let name = format!("{joint} {}", angle.name);
        if !charts.iter().any(|(of, _)| *of == name) {
            charts.push((name.clone(), chart(&name, gait)));
        }
        if let Some((_, chart)) = charts.iter_mut().find(|(of, _)| *of == name) {
            let (words, ink) = match side {
                Some(Side::Left) => ("left", LEFT),
                Some(Side::Right) => ("right", RIGHT),
                None => ("", MIDDLE),
            };
            add_to_caption(angle, words, &mut chart.caption);
            chart.series.push(series(angle, words, ink));
        }
    }
    charts.into_iter().map(|(_, chart)| chart).collect()
}

/// The side of a joint, and its name without it.
fn sided(joint: &str) -> (Option<Side>, &str) {
    let without = |word: &str| joint.strip_prefix(word).map(str::trim_start);
    match (without("left "), without("right ")) {
        (Some(rest), _) => (Some(Side::Left), rest),
        (_, Some(rest)) => (Some(Side::Right), rest),
        _ => (None, joint),
    }
}

fn chart(title: &str, gait: Option<&GaitResult>) -> Chart {
    let strikes = |side: Side| {
        let events = gait.into_iter().flat_map(|gait| &gait.events);
        let own = events.filter(|e| e.side == side && e.kind == EventKind::FootStrike);
        let points: Vec<(f64, f64)> = own
            .flat_map(|event| {
                let at = event.time_s;
                [(at, -BEYOND_DEG), (at, BEYOND_DEG), (at, f64::NAN)]
            })
            .collect();
        let name = format!("{} foot strike", side.name());
        (!points.is_empty()).then_some(Guide { name, points })
    };
    Chart {
        title: title.to_owned(),
        x: Axis::new("time (s)", "time_s", Scale::Linear),
        y: Axis::new("angle (degrees)", "angle_deg", Scale::Linear),
        guides: [strikes(Side::Left), strikes(Side::Right)].into_iter().flatten().collect(),
        is_small: true,
        ..Chart::default()
    }
}

/// Adds what is to be known of a curve; what both sides share is said once.
fn add_to_caption(angle: &AngleResult, side: &str, caption: &mut String) {
    let mut say = |text: String| {
        if !caption.contains(&text) {
            let between = if caption.is_empty() { "" } else { " " };
            *caption = format!("{caption}{between}{text}");
        }
    };
    say(format!("Zero: {}.", angle.zero));
    if let Some(cutoff_hz) = angle.smoothed_hz {
        say(format!("Smoothed at {cutoff_hz} Hz{}.", on(side)));
    }
    if angle.near_gimbal_frames > 0 {
        say(format!(
            "In {} frames{} two of its axes are nearly one, and the first and last angle say little one by one.",
            angle.near_gimbal_frames,
            on(side)
        ));
    }
    if angle.centre == Some(CentreKnown::Barely) {
        say(format!(
            "The centre{} is barely known: this angle may be off, and not by a constant alone.",
            on(side)
        ));
    }
    if angle.least_deg < -HALF_TURN_DEG || angle.most_deg > HALF_TURN_DEG {
        say(format!(
            "It goes beyond half a turn{}: whole turns say nothing, what is shown is one way to count them.",
            on(side)
        ));
    }
}

fn on(side: &str) -> String {
    if side.is_empty() { String::new() } else { format!(" on the {side}") }
}

fn series(angle: &AngleResult, name: &str, ink: Ink) -> Series {
    let points = angle
        .times_s
        .iter()
        .zip(&angle.values_deg)
        .map(|(time_s, value)| (f64::from(*time_s), value.map_or(f64::NAN, f64::from), None));
    Series::new(if name.is_empty() { &angle.name } else { name }, ink, Mark::Curve, points)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn angle(joint: &str, most_deg: f64, centre: CentreKnown) -> AngleResult {
        AngleResult {
            joint: joint.into(),
            name: "flexion".into(),
            zero: "standing".into(),
            centre: Some(centre),
            smoothed_hz: None,
            near_gimbal_frames: 0,
            least_deg: -10.0,
            most_deg,
            times_s: vec![0.0, 1.0],
            values_deg: vec![Some(-10.0), Some(most_deg as f32)],
        }
    }

    #[test]
    fn both_sides_are_in_one_chart_and_what_is_doubtful_is_said() {
        let mut performer = PerformerResult::empty();
        performer.angles = vec![
            angle("left knee", 60.0, CentreKnown::Well),
            angle("right knee", 583.0, CentreKnown::Barely),
            angle("waist", 20.0, CentreKnown::Well),
        ];
        let charts = charts(&performer, None);
        let titles: Vec<&str> = charts.iter().map(|chart| chart.title.as_str()).collect();
        assert_eq!(titles, ["knee flexion", "waist flexion"]);
        let names: Vec<&str> = charts[0].series.iter().map(|s| s.name.as_str()).collect();
        assert_eq!(names, ["left", "right"]);
        let caption = &charts[0].caption;
        assert_eq!(caption.matches("Zero: standing.").count(), 1, "{caption}");
        assert!(caption.contains("beyond half a turn on the right"), "{caption}");
        assert!(caption.contains("The centre on the right is barely known"), "{caption}");
        assert!(!caption.contains("on the left"), "{caption}");
    }
}
