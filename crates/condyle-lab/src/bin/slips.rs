//! The tables of markers that slip, and of clusters that were moved before a subject is reused.
//!
//! ```text
//! cargo run --release -p condyle-lab --bin slips -- --recordings 100 --first-seed 1001
//! ```

#![allow(clippy::print_stdout)]

use std::time::Instant;

use clap::Parser;
use condyle::format::{ReadOptions, read_path};
use condyle::job::{self, Options as JobOptions};
use condyle::simulate::{Options, Performer, Routine, Simulation, simulate};
use condyle::slips::{MIN_STRENGTH, Slip, find_stronger};
use condyle::statistics::quantile;
use condyle::trial::Origin;

/// Slips on simulated recordings with 1 mm of noise, 20 s each
#[derive(Parser)]
struct Args {
    /// How many recordings of each row
    #[arg(long, default_value_t = 20)]
    recordings: u64,
    /// The first seed
    #[arg(long, default_value_t = 1)]
    first_seed: u64,
    /// What counts as a slip
    #[arg(long, default_value_t = MIN_STRENGTH)]
    least: f64,
    /// As many reuses of a subject, with and without a cluster moved by 20 mm
    #[arg(long, default_value_t = 0)]
    reuses: u64,
    /// Only these marker sets
    #[arg(long, value_delimiter = ',', default_value = "clusters,cmu41,plug-in-gait")]
    markers: Vec<String>,
    /// Only these slips, in millimetres; 0 for none
    #[arg(long, value_delimiter = ',', default_value = "0,5,10,15")]
    slip_mm: Vec<f64>,
    /// Only so much skin, in millimetres
    #[arg(long, value_delimiter = ',', default_value = "0,5")]
    skin_mm: Vec<f64>,
    /// Hide every marker that slips while it does, for 0.05 to 0.5 s
    #[arg(long)]
    hidden: bool,
    /// Recordings instead of simulations: what is said of each
    #[arg(long, num_args = 1..)]
    files: Vec<std::path::PathBuf>,
    /// Show the strengths
    #[arg(long)]
    verbose: bool,
}

/// Slips in time are within so many seconds.
const IN_TIME_S: f64 = 0.1;

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    if !args.files.is_empty() {
        return args.files.iter().try_for_each(|path| of_file(&args, path));
    }
    println!(
        "markers\tskin mm\tslip mm\trecordings\tfound\twith others\tsize off mm (median)\ttime off s (95 %)"
    );
    for markers in &args.markers {
        for skin_mm in &args.skin_mm {
            for slip_mm in &args.slip_mm {
                row(&args, markers, 1e-3 * skin_mm, 1e-3 * slip_mm)?;
            }
        }
    }
    for skin_mm in args.skin_mm.iter().filter(|_| args.reuses > 0) {
        reuse(&args, 1e-3 * skin_mm)?;
    }
    Ok(())
}

/// What is said of a recording, as the main job looks for it: labels put back, markers of its performers only.
fn of_file(args: &Args, path: &std::path::Path) -> anyhow::Result<()> {
    let mut trial = match read_path(path, &ReadOptions::default()) {
        Ok(trial) => trial,
        Err(error) => {
            println!("{}\tnot read: {error}", path.display());
            return Ok(());
        }
    };
    let with = JobOptions::default();
    let plan = job::plan(&trial, &with).map(|found| found.plan);
    let Some(plan) = plan.ok().filter(|_| job::exchange_labels_back(&mut trial, &with).is_ok())
    else {
        println!("{}\tno segments", path.display());
        return Ok(());
    };
    let segments = plan.performers.iter().flat_map(|performer| &performer.segments);
    let markers: Vec<usize> = segments.flat_map(|segment| segment.markers.clone()).collect();
    let slips = find_stronger(&trial, &markers, args.least);
    println!(
        "{}\t{} markers\t{:.1} s\t{} slips",
        path.display(),
        markers.len(),
        trial.duration_s(),
        slips.len()
    );
    for slip in slips {
        let label = &trial.markers[slip.marker].label;
        let (frame, size_mm) = (trial.frame_number(slip.frame), 1e3 * slip.shift_m);
        println!(
            "  {label}\tframe {frame}\t{:.2} s\t{size_mm:.1} mm\t{:.1}",
            trial.time_s(slip.frame),
            slip.strength
        );
    }
    Ok(())
}

/// A walk, a range of motion and two exercises in turn.
fn options(seed: u64, markers: &str, skin_m: f64) -> Options {
    let routines = [Routine::Rom, Routine::Walk, Routine::Exercise, Routine::ChickenWalk];
    Options {
        routine: routines[(seed % 4) as usize],
        seconds: 20.0,
        seed,
        marker_set: Some(markers.to_owned()),
        noise_m: 1e-3,
        skin_m,
        occlusion: 0.02,
        ..Options::default()
    }
}

/// Hides what slips: from a tenth to nine tenths of the gap before the slip, the rest after it.
fn hide(simulation: &mut Simulation, seed: u64) {
    let Some(slip) = simulation.truth.slips.first() else { return };
    let length = 5 + (seed * 7) as usize % 46;
    let before = length * (1 + (seed * 3) as usize % 9) / 10;
    let marker = &mut simulation.trial.markers[slip.marker];
    for frame in slip.frame - before..slip.frame - before + length {
        marker.set(frame, None, Origin::Missing);
    }
}

fn row(args: &Args, markers: &str, skin_m: f64, slip_m: f64) -> anyhow::Result<()> {
    let (mut found, mut alarms, mut seconds) = (0, 0, 0.0);
    let (mut off_m, mut off_s, mut strengths) = (Vec::new(), Vec::new(), Vec::new());
    for seed in args.first_seed..args.first_seed + args.recordings {
        let slips = usize::from(slip_m > 0.0);
        let options = Options { slips, slip_m, ..options(seed, markers, skin_m) };
        let mut simulation = simulate(&Performer::human(), &options)?;
        if args.hidden {
            hide(&mut simulation, seed);
        }
        let all: Vec<usize> = (0..simulation.trial.markers.len()).collect();
        let begun = Instant::now();
        let seen = find_stronger(
            &simulation.trial,
            &all,
            if args.verbose { 0.5 * args.least } else { args.least },
        );
        seconds += begun.elapsed().as_secs_f64();
        let truth = simulation.truth.slips.first();
        // When a marker slipped that was hidden, nothing shows: its next sample is in time.
        let in_time = |slip: &Slip, frame: usize| {
            let marker = &simulation.trial.markers[slip.marker];
            let hidden = |at| marker.position_m(at).is_none();
            let is_next = slip.frame >= frame && (frame..slip.frame).all(hidden);
            is_next || slip.frame.abs_diff(frame) as f64 <= IN_TIME_S * options.rate_hz
        };
        let is_it = |slip: &&Slip| {
            truth.is_some_and(|truth| slip.marker == truth.marker && in_time(slip, truth.frame))
        };
        let right = seen.iter().find(is_it);
        let others = seen.iter().filter(|slip| !is_it(slip)).map(|slip| slip.strength);
        let others = others.fold(0.0, f64::max);
        strengths.push(if slip_m > 0.0 { right.map_or(0.0, |slip| slip.strength) } else { others });
        alarms += usize::from(others > args.least);
        let clear = right.filter(|slip| slip.strength > args.least);
        if let Some((slip, truth)) = clear.zip(truth) {
            found += 1;
            off_m.push((slip.shift_m - slip_m).abs());
            off_s.push(slip.frame.abs_diff(truth.frame) as f64 / options.rate_hz);
        }
        if args.verbose && (others > args.least || (slip_m > 0.0 && clear.is_none())) {
            let label = |marker: usize| simulation.trial.markers[marker].label.as_str();
            let wanted = truth.map(|t| (label(t.marker), t.frame));
            let seen: Vec<_> =
                seen.iter().map(|s| (label(s.marker), s.frame, s.shift_m, s.strength)).collect();
            println!("  seed {seed} {:?} truth {wanted:?} seen {seen:?}", options.routine);
        }
    }
    let mm = |share| 1e3 * quantile(off_m.iter().copied(), share).unwrap_or(f64::NAN);
    println!(
        "{markers}\t{}\t{}\t{}\t{found}\t{alarms}\t{:.1}\t{:.2}",
        skin_m * 1e3,
        slip_m * 1e3,
        args.recordings,
        mm(0.5),
        quantile(off_s.iter().copied(), 0.95).unwrap_or(f64::NAN)
    );
    if args.verbose {
        let at = |share| quantile(strengths.iter().copied(), share).unwrap_or(f64::NAN);
        let strengths = [0.0, 0.02, 0.05, 0.5, 0.95, 1.0].map(at);
        println!("  strengths {strengths:.0?}, {:.3} s each", seconds / args.recordings as f64);
    }
    Ok(())
}

/// A subject of one recording, reused on another of the same person: with a cluster moved, and with none.
fn reuse(args: &Args, skin_m: f64) -> anyhow::Result<()> {
    let (mut found, mut others, mut alarms) = (0, 0, 0);
    for seed in args.first_seed..args.first_seed + args.reuses {
        let of = |seed, moved_clusters| {
            let routine = Routine::Rom;
            let options = Options { moved_clusters, routine, ..options(seed, "clusters", skin_m) };
            simulate(&Performer::human(), &options)
        };
        let subject = job::fit(vec![of(seed, 0)?.trial.into()], &JobOptions::default())?;
        let mut with = JobOptions::default();
        with.subject = subject.subjects.into_iter().next();
        let said = |moved| -> anyhow::Result<(Vec<String>, Option<String>)> {
            let simulation = of(seed + 1_000_000, moved)?;
            let name = |at: &condyle::simulate::MovedCluster| {
                simulation.truth.segments[at.segment].name.clone()
            };
            let truth = simulation.truth.moved.first().map(name);
            let notes = job::run(simulation.trial, &with)?.all_notes();
            let moved = notes.into_iter().filter(|note| note.code == "cluster-moved");
            Ok((moved.filter_map(|note| note.about).collect(), truth))
        };
        let (segments, truth) = said(1)?;
        found += usize::from(truth.as_ref().is_some_and(|truth| segments.contains(truth)));
        others += usize::from(segments.iter().any(|segment| truth.as_ref() != Some(segment)));
        if args.verbose {
            println!("  seed {seed}: {truth:?}, said {segments:?}");
        }
        alarms += usize::from(!said(0)?.0.is_empty());
    }
    println!(
        "moved clusters, {} mm of skin: {found} of {} found, {others} with others, {alarms} false alarms",
        skin_m * 1e3,
        args.reuses
    );
    Ok(())
}
