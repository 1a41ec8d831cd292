//! Foot strikes and offs from markers, against force plates and the events of files.
//!
//! ```text
//! cargo run --release -p condyle-lab --bin gait_events -- ../shared/data/**/*.c3d
//! ```
//!
//! The truth of an event is the crossing of a force plate on which the foot is alone, else the file's own event. The
//! lags of all signs are found on the other files (leave one file out); no sign is chosen. Copies of a recording (other
//! storage, the same events) are counted once. `--table` prints every event with its signs, to be looked at.

#![allow(clippy::print_stdout)]

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Parser;
use condyle::format::{ReadOptions, read_path};
use condyle::gait::{self, EventKind, EventsFrom, GaitEvent, GaitKind, SignedEvent};
use condyle::statistics::{median, quantile, rms};

/// Events from markers against force plates and files, lags found on the other files
#[derive(Parser)]
struct Args {
    /// The recordings
    files: Vec<PathBuf>,
    /// Show every file
    #[arg(long)]
    verbose: bool,
    /// Print every event as CSV: file, kind, running, rate, heel, truth and signs in seconds
    #[arg(long)]
    table: bool,
}

/// An event with its truth.
struct Scored {
    file: usize,
    kind: EventKind,
    is_run: bool,
    rate_hz: f64,
    signed: SignedEvent,
    true_s: f64,
}

/// Truth and event are of one step if they are nearer than this.
const SAME_STEP_S: f64 = 0.25;
/// Events this near to an end may be missed.
const NEAR_END_S: f64 = 0.1;

fn main() {
    let args = Args::parse();
    let mut all: Vec<Scored> = Vec::new();
    let (mut missed, mut missed_inside, mut gaits, mut others, mut copies) = (0, 0, 0, 0, 0);
    let mut seen: Vec<Vec<GaitEvent>> = Vec::new();
    for (file, path) in args.files.iter().enumerate() {
        let Ok(trial) = read_path(path, &ReadOptions::default()) else { continue };
        let Ok(everybody) = gait::feet(&trial) else {
            others += 1;
            continue;
        };
        for feet in everybody {
            let detected = match gait::detect(&trial, &feet) {
                Ok(detected) if detected.kind != GaitKind::Stairs => detected,
                Ok(_) => continue,
                Err(why) => {
                    others += 1;
                    if args.verbose {
                        println!("{}: {why}", path.display());
                    }
                    continue;
                }
            };
            let own: Vec<GaitEvent> = detected.events.iter().map(|signed| signed.event).collect();
            if seen.iter().any(|before| is_copy(before, &own)) {
                copies += 1;
                continue;
            }
            seen.push(own);
            gaits += 1;
            let of = |from| gait::analyse(&trial, &feet, from).events;
            let mut truth: Vec<GaitEvent> = of(EventsFrom::Plates);
            for event in of(EventsFrom::File) {
                let is_same = |own: &GaitEvent| is_one_step(own, &event);
                if !truth.iter().any(is_same) {
                    truth.push(event);
                }
            }
            for event in truth {
                let near = detected.events.iter().filter(|own| is_one_step(&own.event, &event));
                let nearest = near.min_by(|a, b| {
                    let apart = |own: &SignedEvent| (own.event.time_s - event.time_s).abs();
                    apart(a).total_cmp(&apart(b))
                });
                let Some(signed) = nearest else {
                    missed += 1;
                    let end_s = trial.start_s + trial.duration_s();
                    // Before its first and after its last frame, and where a foot is not seen, nobody can tell.
                    let frames = NEAR_END_S * trial.rate_hz;
                    let at = (event.time_s - trial.start_s) * trial.rate_hz;
                    let near = (at - frames).max(0.0) as usize..=(at + frames) as usize;
                    let is_seen = near.clone().all(|frame| feet.is_seen(event.side, frame));
                    let from_end_s = match is_seen {
                        true => (event.time_s - trial.start_s).min(end_s - event.time_s),
                        false => 0.0,
                    };
                    missed_inside += usize::from(from_end_s > NEAR_END_S);
                    if args.verbose {
                        println!(
                            "{}: missed {event:?}, {from_end_s:.2} s from an end",
                            path.display()
                        );
                    }
                    continue;
                };
                all.push(Scored {
                    file,
                    kind: event.kind,
                    is_run: detected.kind == GaitKind::Running,
                    rate_hz: trial.rate_hz,
                    signed: signed.clone(),
                    true_s: event.time_s,
                });
            }
        }
    }
    println!(
        "{gaits} with gait, {others} without, {copies} copies; {missed} events missed, {missed_inside} of them farther than 0.1 s from an end of the recording and where the foot is seen"
    );
    if args.table {
        for own in &all {
            let signs: Vec<String> = own
                .signed
                .signs_s
                .iter()
                .map(|at_s| at_s.map_or(String::new(), |s| format!("{s:.5}")))
                .collect();
            println!(
                "{},{:?},{},{},{},{:.5},{:.5},{}",
                args.files[own.file].display(),
                own.kind,
                own.is_run,
                own.rate_hz,
                own.signed.has_heel,
                own.true_s,
                own.signed.event.time_s,
                signs.join(",")
            );
        }
        return;
    }
    for (title, is_meant) in [
        ("walking", (|own: &Scored| !own.is_run) as fn(&Scored) -> bool),
        ("walking, 100 Hz and more", |own| !own.is_run && own.rate_hz >= 100.0),
        ("running", |own| own.is_run),
    ] {
        for kind in [EventKind::FootStrike, EventKind::FootOff] {
            let meant: Vec<&Scored> =
                all.iter().filter(|own| own.kind == kind && is_meant(own)).collect();
            report(title, kind, &meant, &all);
        }
    }
}

/// Two recordings are copies if all that is detected in them is the same.
fn is_copy(a: &[GaitEvent], b: &[GaitEvent]) -> bool {
    let is_same = |(a, b): (&GaitEvent, &GaitEvent)| {
        (a.side, a.kind) == (b.side, b.kind) && (a.time_s - b.time_s).abs() < COPIES_S
    };
    a.len() == b.len() && !a.is_empty() && a.iter().zip(b).all(is_same)
}

/// Storage as integers moves markers by a fraction of a millimetre, and so events.
const COPIES_S: f64 = 0.005;

fn is_one_step(a: &GaitEvent, b: &GaitEvent) -> bool {
    a.side == b.side && a.kind == b.kind && (a.time_s - b.time_s).abs() < SAME_STEP_S
}

/// The event with lags from other files.
fn held_out_s(own: &Scored, all: &[Scored]) -> Option<f64> {
    let is_alike = |other: &&Scored| {
        other.file != own.file
            && other.kind == own.kind
            && other.is_run == own.is_run
            && (own.kind == EventKind::FootOff
                || own.is_run
                || other.signed.has_heel == own.signed.has_heel)
    };
    let others: Vec<&Scored> = all.iter().filter(is_alike).collect();
    let lag_s = |sign: usize| {
        median(others.iter().filter_map(|other| Some(other.signed.signs_s[sign]? - other.true_s)))
    };
    let times = own.signed.signs_s.iter().enumerate();
    median(times.filter_map(|(sign, at_s)| Some((*at_s)? - lag_s(sign)?)))
}

/// Walking is timed better from this rate on.
const FAST_HZ: f64 = 100.0;

/// Events that share a standard deviation: as the library has it.
fn class(own: &Scored) -> (EventKind, Option<bool>) {
    let is_blind = own.kind == EventKind::FootStrike && !own.signed.has_heel;
    (own.kind, (!is_blind).then_some(own.rate_hz >= FAST_HZ))
}

/// How far an event may be off at 95 %, from the errors of its class in other files: each file counts once, and Student's
/// t has as many degrees of freedom as there are files. `None` where there are fewer than two.
fn held_out_bound_s(own: &Scored, all: &[Scored]) -> Option<f64> {
    let is_alike = |other: &&Scored| {
        other.file != own.file && other.is_run == own.is_run && class(other) == class(own)
    };
    let mut files: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
    for other in all.iter().filter(is_alike) {
        let error_s = held_out_s(other, all)? - other.true_s;
        files.entry(other.file).or_default().push(error_s);
    }
    let sd_s = rms(files.values().filter_map(|errors_s| rms(errors_s.iter().copied())))?;
    (files.len() > 1).then(|| student_t_975(files.len()) * sd_s)
}

/// The 97.5 % quantile of Student's t: Cornish and Fisher's expansion (Abramowitz and Stegun 1964, 26.7.5), good to 1 %
/// from three degrees of freedom on.
fn student_t_975(freedom: usize) -> f64 {
    let (z, n) = (1.959_964_f64, freedom as f64);
    let terms = [
        (z.powi(3) + z) / 4.0,
        (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / 96.0,
        (3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z) / 384.0,
    ];
    z + terms[0] / n + terms[1] / n.powi(2) + terms[2] / n.powi(3)
}

fn report(title: &str, kind: EventKind, meant: &[&Scored], all: &[Scored]) {
    let errors = |time_s: &dyn Fn(&Scored) -> Option<f64>| -> Vec<(f64, f64)> {
        meant
            .iter()
            .filter_map(|own| Some((1e3 * (time_s(own)? - own.true_s), own.rate_hz)))
            .collect()
    };
    let held_out = errors(&|own| held_out_s(own, all));
    let built_in = errors(&|own| Some(own.signed.event.time_s));
    let covered = meant.iter().filter_map(|own| {
        Some((held_out_s(own, all)? - own.true_s).abs() <= 1.96 * own.signed.event.sd_s)
    });
    let (inside, count) =
        covered.fold((0, 0), |(inside, count), is| (inside + usize::from(is), count + 1));
    for (word, errors) in [("lags of other files", held_out), ("built-in lags", built_in)] {
        let sizes = || errors.iter().map(|(error_ms, _)| error_ms.abs());
        let within =
            errors.iter().filter(|(error_ms, rate_hz)| error_ms.abs() <= (1e3 / rate_hz).max(20.0));
        println!(
            "{title}, {kind:?}, {word}: n {}, median {:.1} ms, 95 % {:.0}, rms {:.1}, {:.0} % within 20 ms or a frame",
            errors.len(),
            median(sizes()).unwrap_or(f64::NAN),
            quantile(sizes(), 0.95).unwrap_or(f64::NAN),
            rms(sizes()).unwrap_or(f64::NAN),
            100.0 * within.count() as f64 / errors.len().max(1) as f64,
        );
    }
    println!("    {inside} of {count} within 1.96 predicted sd");
    let bounds = meant.iter().filter_map(|own| {
        Some((held_out_s(own, all)? - own.true_s).abs() <= held_out_bound_s(own, all)?)
    });
    let (inside, count) =
        bounds.fold((0, 0), |(inside, count), is| (inside + usize::from(is), count + 1));
    if count > 0 {
        println!("    {inside} of {count} within what errors in other files allow at 95 %");
    }
}
