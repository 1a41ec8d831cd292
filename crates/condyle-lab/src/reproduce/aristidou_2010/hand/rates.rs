//! Table 5.2: frames of 100, 10 and 3 Hz, and what the methods make of them.

use condyle::hand::{Method, Side};
use condyle::simulate::Routine;
use condyle_page::page::Table;

use super::SEED;
use crate::hand::simulated::{Conditions, Performing, follow};
use crate::hand::{Tally, speed};
use crate::reproduce::lab::Lab;
use crate::reproduce::section::{Line, Section};

/// Rates, and what the document says a frame takes, in milliseconds.
const RATES: [(f64, f64); 3] = [(100.0, 1.4311), (10.0, 1.6251), (3.0, 2.2287)];

/// What is wanted of joints without a marker, finger by finger: median and 95th percentile.
const WANTED_MM: [f64; 2] = [2.5, 8.0];

/// All fingers of both hands through all routines.
fn tallies(method: Method, rate_hz: f64, ratio: Option<[f64; 2]>) -> Option<[Tally; 5]> {
    let mut all: [Tally; 5] = Default::default();
    let conditions =
        Conditions { method, rate_hz, end_joint_ratio: ratio, ..Conditions::default() };
    for side in [Side::Right, Side::Left] {
        let hand = Performing::of(side, &conditions, SEED).ok()?;
        for routine in Routine::OF_HANDS {
            let own = follow(&hand, routine, &conditions, SEED).ok()?;
            all.iter_mut().zip(&own).for_each(|(all, own)| all.join(own));
        }
    }
    Some(all)
}

/// Runs every method at every rate.
pub fn run(_: &Lab) -> Section {
    let mut table = Table::columns(
        "method | end joints | Hz | median, mm | 95th percentile, mm | worst finger: median, mm | \
         worst finger: 95th, mm | in 95 % ellipsoids",
        2,
    );
    let mut lines = Vec::new();
    let mut medians = Vec::new();
    for method in Method::ALL {
        for ratio in [None, Some([0.3, 1.0])] {
            for (rate_hz, document_ms) in RATES {
                let Some(fingers) = tallies(method, rate_hz, ratio) else { continue };
                let mut all = Tally::default();
                fingers.iter().for_each(|own| all.join(own));
                let worst =
                    |share: f64| fingers.iter().map(|own| own.at_mm(share)).fold(0.0, f64::max);
                let is_coupled = ratio.is_none();
                table.row([
                    method.name().to_owned(),
                    if is_coupled { "coupled" } else { "ratio 0.3 to 1" }.to_owned(),
                    format!("{rate_hz}"),
                    format!("{:.2}", all.at_mm(0.5)),
                    format!("{:.1}", all.at_mm(0.95)),
                    format!("{:.2}", worst(0.5)),
                    format!("{:.1}", worst(0.95)),
                    format!("{:.0} %", all.inside_percent()),
                ]);
                if is_coupled {
                    medians.push((method, rate_hz, all.at_mm(0.95)));
                }
                if is_coupled && method == Method::Closed {
                    let [median, most] = WANTED_MM;
                    lines.push(
                        Line::new(
                            format!("joints without a marker at {rate_hz} Hz, worst finger: median and 95th, mm"),
                            "wanted",
                        )
                        .compare(
                            format!("at most {median}, {most}"),
                            format!("{:.2}, {:.1}", worst(0.5), worst(0.95)),
                        )
                        .holds(worst(0.5) <= median && worst(0.95) <= most),
                    );
                    if let Ok([usual_us, ..]) = speed::frame_us(0) {
                        lines.push(
                            Line::new(format!("a frame at {rate_hz} Hz, ms"), "table 5.2")
                                .compare(
                                    format!("{document_ms}"),
                                    format!("{:.4}", usual_us * 1e-3),
                                )
                                .holds(usual_us * 1e-3 <= document_ms),
                        );
                    }
                }
            }
        }
    }
    lines.push(order(&medians));
    Section {
        text: vec![
            "The document's table has times only; here the routines fist, spread, count, grasp and random postures of \
             both hands have a truth, with 0.5 mm of noise. Its method begins where the last frame ended, so it is \
             the worse the fewer frames there are; in closed form every frame stands by itself."
                .into(),
        ],
        lines,
        tables: vec![table],
        ..Section::default()
    }
}

/// Ours, constrained FABRIK from the last pose, the document's sequence, FABRIK without limits: by the 95th percentile.
fn order(all: &[(Method, f64, f64)]) -> Line {
    let of = |method: Method, rate_hz: f64| {
        all.iter().find(|own| own.0 == method && own.1 == rate_hz).map_or(f64::NAN, |own| own.2)
    };
    let methods = [Method::Closed, Method::Fabrik, Method::Document, Method::Unlimited];
    let is_so = RATES.iter().all(|(rate_hz, _)| {
        methods.windows(2).all(|pair| of(pair[0], *rate_hz) <= of(pair[1], *rate_hz))
    });
    let said: Vec<String> = RATES
        .iter()
        .map(|(rate_hz, _)| {
            let own = methods.map(|method| format!("{:.1}", of(method, *rate_hz)));
            format!("{rate_hz} Hz: {}", own.join(", "))
        })
        .collect();
    Line::new("95th percentiles, mm: closed, fabrik, document, unlimited", "wanted")
        .compare("each at most the next", said.join("; "))
        .holds(is_so)
}
