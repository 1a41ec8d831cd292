//! The hand against truth, against markers that it does not see, and against simpler ways.
//!
//! ```text
//! cargo run --release -p condyle-lab --bin hand -- simulated
//! cargo run --release -p condyle-lab --bin hand -- recording ../shared/data/hand/recording.tsv
//! ```

#![allow(clippy::print_stdout)]

use std::path::PathBuf;

use clap::{Parser, Subcommand};
use condyle::format::{ReadOptions, read_path};
use condyle::hand::{CalibrateOptions, Found, Method, Model, Side, calibrate};
use condyle::simulate::Routine;
use condyle_lab::hand::gaps::{self, Deletion};
use condyle_lab::hand::simulated::{self, Conditions, JOINTS, Performing, frames, perform};
use condyle_lab::hand::{Tally, proportions, recording, speed};

/// The hand measured
#[derive(Parser)]
struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Joints without markers of simulated hands: routines, rates, couplings, known and calibrated
    Simulated {
        /// The first seed
        #[arg(long, default_value_t = 11)]
        seed: u64,
        /// So many seeds
        #[arg(long, default_value_t = 1)]
        seeds: u64,
        /// Only hands that are calibrated
        #[arg(long)]
        calibrated: bool,
        /// All methods, not ours alone
        #[arg(long)]
        methods: bool,
    },
    /// Markers on the middle of fingers predicted from the tips
    Recording {
        /// The recording
        file: PathBuf,
        /// All methods, not ours alone
        #[arg(long)]
        methods: bool,
    },
    /// Tips deleted for a while, simulated and in a recording
    Gaps {
        /// The recording
        file: Option<PathBuf>,
        /// The first seed of simulated hands
        #[arg(long, default_value_t = 11)]
        seed: u64,
        /// So many seeds
        #[arg(long, default_value_t = 1)]
        seeds: u64,
    },
    /// Joints out of proportion, made and repaired
    Proportions {
        /// The seed
        #[arg(long, default_value_t = 11)]
        seed: u64,
    },
    /// How long a frame takes
    Speed,
}

fn main() -> condyle::Result<()> {
    match Args::parse().what {
        What::Simulated { seed, seeds, calibrated, methods } => {
            let methods: &[Method] = if methods { &Method::ALL } else { &[Method::Closed] };
            simulated_hands(seed..seed + seeds, calibrated, methods)
        }
        What::Recording { file, methods } => {
            let methods: &[Method] = if methods { &Method::ALL } else { &[Method::Closed] };
            let trial = read_path(&file, &ReadOptions::default())?;
            methods.iter().try_for_each(|method| recorded_hand(&trial, *method))
        }
        What::Gaps { file, seed, seeds } => deleted(file, seed..seed + seeds),
        What::Proportions { seed } => {
            println!("{:?}", proportions::score(1000, seed)?);
            Ok(())
        }
        What::Speed => {
            for lost in [0, 1, 3] {
                let [median, most, longest] = speed::frame_us(lost)?;
                println!(
                    "{lost} tips lost: median {median:.1} us, 99 in 100 {most:.1}, longest {longest:.1}"
                );
            }
            Ok(())
        }
    }
}

fn simulated_hands(
    seeds: std::ops::Range<u64>,
    is_calibrated: bool,
    methods: &[Method],
) -> condyle::Result<()> {
    let ratios = if is_calibrated { vec![None] } else { vec![None, Some([0.3, 1.0])] };
    for method in methods {
        for end_joint_ratio in &ratios {
            let conditions = Conditions {
                method: *method,
                end_joint_ratio: *end_joint_ratio,
                is_calibrated,
                ..Conditions::default()
            };
            let mut hands = Vec::new();
            for seed in seeds.clone() {
                for side in [Side::Right, Side::Left] {
                    hands.push((seed, Performing::of(side, &conditions, seed)?));
                }
            }
            if is_calibrated {
                hands.iter().for_each(|(seed, hand)| off(*seed, hand));
            }
            for rate_hz in [100.0, 10.0, 3.0] {
                let conditions = Conditions { rate_hz, ..conditions };
                let mut fingers: [Tally; 5] = Default::default();
                for routine in Routine::OF_HANDS {
                    let mut all: [Tally; 5] = Default::default();
                    for (seed, hand) in &hands {
                        let own = simulated::follow(hand, routine, &conditions, *seed)?;
                        all.iter_mut().zip(&own).for_each(|(all, own)| all.join(own));
                    }
                    fingers.iter_mut().zip(&all).for_each(|(sum, own)| sum.join(own));
                    line(routine.name(), &all);
                }
                let coupling = if end_joint_ratio.is_some() { "not coupled" } else { "coupled" };
                println!("= {} {rate_hz} Hz, end joints {coupling}", method.name());
                line("all", &fingers);
            }
        }
    }
    Ok(())
}

/// How a calibrated hand came out, finger by finger: its base, its bones, its direction, its coupling.
fn off(seed: u64, Performing { truth, model }: &Performing) {
    println!(
        "{seed} {}: {:.0} mm long, calibrated {:.0} mm",
        truth.side,
        truth.hand_length_m * 1e3,
        model.hand_length_m * 1e3
    );
    for (own, found) in truth.fingers.iter().zip(&model.fingers) {
        let base = (found.base_in_hand_m - own.base_in_hand_m) * 1e3;
        let bones = own.joints.iter().zip(&found.joints);
        let bones: Vec<String> = bones
            .map(|(own, found)| format!("{:+.1}", (found.length_m - own.length_m) * 1e3))
            .collect();
        let turned = (own.hand_from_rest.inverse() * found.hand_from_rest).scaled_axis();
        let follower = own.joints.iter().position(|j| j.coupling > 0.0 && j.coupling != 1.0);
        let couplings = follower.map(|at| {
            [&own.joints[at], &found.joints[at]].map(|joint| (joint.coupling * 100.0).round())
        });
        println!(
            "  {:7} base {:+.1?} mm, bones {} mm, turned {:+.0?} degrees, coupling % {:?}, sds {:.1?} mm",
            own.name,
            base.as_slice(),
            bones.join(" "),
            turned.map(f64::to_degrees).as_slice(),
            couplings.unwrap_or_default(),
            found.joint_sds_m.map(|sd_m| sd_m * 1e3)
        );
    }
}

fn line(name: &str, fingers: &[Tally; 5]) {
    let cells = JOINTS.iter().zip(fingers).map(|((finger, _), tally)| {
        let (median, most) = (tally.at_mm(0.5), tally.at_mm(0.95));
        format!("{finger} {median:.2} {most:.1} {:.0}%", tally.inside_percent())
    });
    println!("{name:7} {}", cells.collect::<Vec<_>>().join(" | "));
}

fn recorded_hand(trial: &condyle::Trial, method: Method) -> condyle::Result<()> {
    for is_tips_alone in [false, true] {
        let score = recording::score(trial, method, is_tips_alone)?;
        let model = &score.calibrated.model;
        println!(
            "{} {}: {} of {} frames, hand {:.0} mm, largest step {:.1}",
            method.name(),
            if is_tips_alone { "tips alone" } else { "with further markers" },
            score.posed,
            score.frames,
            model.hand_length_m * 1e3,
            score.largest_step
        );
        for (index, (finger, own)) in score.fingers.iter().zip(&model.fingers).enumerate() {
            let lengths: Vec<String> =
                own.joints.iter().map(|joint| format!("{:.0}", joint.length_m * 1e3)).collect();
            println!(
                "  {:7} mean {:.2} (95th {:.1}); regressions {:.2} {:.2}; bones {} sd {:.1?}; rms {:.2} base {:.0?} sd {:.1} marker {:.0?} coupling {:.2} {:.2}",
                finger.name,
                finger.ours.mean_mm(),
                finger.ours.at_mm(0.95),
                finger.regressions[0].mean_mm(),
                finger.regressions[1].mean_mm(),
                lengths.join(" "),
                own.joint_sds_m.map(|sd_m| sd_m * 1e3),
                score.calibrated.fingers[index].markers_rms_m * 1e3,
                own.base_in_hand_m.coords.as_slice().iter().map(|x| x * 1e3).collect::<Vec<_>>(),
                score.calibrated.fingers[index].base_sd_m * 1e3,
                own.markers.first().map(|marker| (marker.joint, marker.at_m * 1e3)),
                own.joints[if own.metacarpal.is_some() { 2 } else { 1 }].coupling,
                own.joints[if own.metacarpal.is_some() { 2 } else { 1 }].offset_rad,
            );
        }
    }
    Ok(())
}

fn deleted(file: Option<PathBuf>, seeds: std::ops::Range<u64>) -> condyle::Result<()> {
    let conditions = Conditions { seconds: 60.0, ..Conditions::default() };
    let mut hands = Vec::new();
    for routine in [Routine::Grasp, Routine::Count, Routine::Random] {
        let mut own = Vec::new();
        for seed in seeds.clone() {
            let model = Model::standard(Side::Right, 0.19)?;
            own.push((perform(&model, routine, &conditions, seed)?.trial, model));
        }
        hands.push((format!("simulated {}", routine.name()), own));
    }
    if let Some(file) = file {
        let trial = read_path(&file, &ReadOptions::default())?;
        let labels = trial.labels();
        let found = Found::by_names(&labels, None)?;
        let half = &frames(&trial)[..trial.frames / 2];
        let model = calibrate(half, &labels, &found, &CalibrateOptions::default())?.model;
        hands.push(("recording".to_owned(), vec![(trial, model)]));
    }
    for (name, trials) in &hands {
        for tips in [1, 3] {
            for seconds in [0.1, 0.5, 2.0] {
                let mut all = gaps::Score::default();
                for (trial, model) in trials {
                    let deletion = Deletion { frames: (seconds * trial.rate_hz) as usize, tips };
                    let labels = trial.labels();
                    let own =
                        gaps::score(&frames(trial), (&labels, trial.rate_hz), model, deletion)?;
                    all.join(&own);
                }
                let inside = all.tips.iter().map(|own| format!("{:.0}", own.inside_percent()));
                println!(
                    "{name}, {tips} for {seconds} s: {} gaps, ours {:.1} mm (95th {:.1}), inside {:.0}% ({}), held {:.1}, spline {:.1}, largest jump {:.1}",
                    all.gaps,
                    all.ours.mean_mm(),
                    all.ours.at_mm(0.95),
                    all.ours.inside_percent(),
                    inside.collect::<Vec<_>>().join(" "),
                    all.held.mean_mm(),
                    all.spline.mean_mm(),
                    all.largest_jump
                );
            }
        }
    }
    Ok(())
}
